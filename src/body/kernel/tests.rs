//! Tests of the loops against scalar sums, on every instruction set.

use super::*;
use crate::body::Bank;
use crate::body::tests::{LOSSES, RATE_HZ, bar, heard_at, later, struck};

const MODES: usize = 5 * LANES;

fn sines(seed: f64) -> Vec<f64> {
    (0..MODES).map(|i| (seed + 1.7 * i as f64).sin()).collect()
}

fn near(a: f64, b: f64, size: f64) -> bool {
    (a - b).abs() <= 1e-14 * size
}

#[test]
fn a_machine_has_each_level_once_and_the_portable_one_first() {
    let names: Vec<_> = Kernel::all().map(Kernel::name).collect();
    assert_eq!(names.first(), Some(&Kernel::portable().name()));
    assert_eq!(names.last(), Some(&Kernel::best().name()));
    assert!((1..names.len()).all(|i| !names[..i].contains(&names[i])), "{names:?}");
}

#[test]
fn sums_over_modes_are_what_they_say() {
    let (a, b, re, im) = (sines(1.0), sines(2.0), sines(3.0), sines(4.0));
    let plain = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    for kernel in Kernel::all() {
        let (x, y) = kernel.dot(&a, Rows { re: &re, im: &im });
        assert!(
            near(x, plain(&a, &re), MODES as f64) && near(y, plain(&a, &im), MODES as f64),
            "{kernel:?}"
        );
        let (left, right) = kernel.hear(&a, &b, &re);
        assert!(
            near(left, plain(&a, &re), MODES as f64) && near(right, plain(&b, &re), MODES as f64),
            "{kernel:?}"
        );
    }
}

#[test]
fn forces_in_one_go_do_what_they_do_one_by_one() {
    let (rotation_re, rotation_im, force_response_re, force_response_im, gains) =
        (sines(1.0), sines(2.0), sines(3.0), sines(4.0), sines(5.0));
    let (rotation, force_response) = (
        Rows { re: &rotation_re, im: &rotation_im },
        Rows { re: &force_response_re, im: &force_response_im },
    );
    let forces_n = [3.0, 0.0, 2.0, 7.0, 1.0];
    for kernel in Kernel::all() {
        let (mut re, mut im) = (sines(6.0), sines(7.0));
        kernel.push(
            RowsMut { re: &mut re, im: &mut im },
            rotation,
            force_response,
            &gains,
            &forces_n,
        );
        let (mut one_re, mut one_im) = (sines(6.0), sines(7.0));
        for force_n in forces_n {
            kernel.push(
                RowsMut { re: &mut one_re, im: &mut one_im },
                rotation,
                force_response,
                &gains,
                &[force_n],
            );
        }
        assert_eq!((&re, &im), (&one_re, &one_im), "{kernel:?}");
        for i in 0..MODES {
            let (mut x, mut y) = (sines(6.0)[i], sines(7.0)[i]);
            for force_n in forces_n {
                let pushed = gains[i] * force_n;
                (x, y) = (
                    rotation_re[i] * x - rotation_im[i] * y + force_response_re[i] * pushed,
                    rotation_im[i] * x + rotation_re[i] * y + force_response_im[i] * pushed,
                );
            }
            assert!(near(re[i], x, 100.0) && near(im[i], y, 100.0), "{kernel:?} mode {i}");
        }
    }
}

#[test]
fn settling_stops_the_quiet_and_finds_nan() {
    for kernel in Kernel::all() {
        let (mut re, mut im) = (vec![0.0; MODES], vec![0.0; MODES]);
        let audible = vec![4.0; MODES];
        (re[3], im[3], re[12], im[20]) = (3.0, -4.0, 1e-9, 1e-9);
        let settled = kernel.settle(RowsMut { re: &mut re, im: &mut im }, &audible, 1e-12, 0.0);
        assert_eq!(settled, Settled { loudest: 100.0, live: LANES }, "{kernel:?}");
        assert_eq!((re[3], im[3], re[12], im[20]), (3.0, -4.0, 0.0, 0.0), "{kernel:?}");
        im[30] = f64::NAN;
        let settled = kernel.settle(RowsMut { re: &mut re, im: &mut im }, &audible, 1e-12, 0.0);
        assert!(settled.loudest.is_nan() && settled.live == 4 * LANES, "{kernel:?} {settled:?}");
    }
}

#[test]
fn what_is_heard_is_mixed_alike_however_it_is_cut_and_not_at_all_if_any_of_it_is_nan() {
    let (gain, sides) = (0.7, [0.9, 1.0]);
    let mut heard = StereoFrame::SILENCE;
    heard.left.iter_mut().zip(&mut heard.right).enumerate().for_each(|(n, (left, right))| {
        (*left, *right) = ((1.3 * n as f32).sin(), (0.7 * n as f32).cos());
    });
    for kernel in Kernel::all() {
        for cut in 0..FRAME {
            let (mut left, mut right) = ([0.25; FRAME], [-0.5; FRAME]);
            for (from, to) in [(0, cut), (cut, FRAME)] {
                let out = [&mut left[from..to], &mut right[from..to]];
                assert!(kernel.mix_heard(out, &heard, from, sides, gain));
            }
            for n in 0..FRAME {
                assert_eq!(
                    left[n],
                    0.25 + f64::from(heard.left[n]) * sides[0] * gain,
                    "{kernel:?} {cut} {n}"
                );
                assert_eq!(
                    right[n],
                    -0.5 + f64::from(heard.right[n]) * sides[1] * gain,
                    "{kernel:?} {cut} {n}"
                );
            }
        }
        for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            for n in 0..2 * FRAME {
                let mut sick = heard;
                *sick.left.iter_mut().chain(&mut sick.right).nth(n).expect("a sample") = bad;
                let (mut left, mut right) = ([0.25; 5], [-0.5; 5]);
                assert!(
                    !kernel.mix_heard([&mut left, &mut right], &sick, 3, sides, gain),
                    "{kernel:?} {bad} {n}"
                );
                assert_eq!((left, right), ([0.25; 5], [-0.5; 5]));
            }
        }
    }
}

#[test]
fn one_number_that_is_none_is_found_wherever_it_is() {
    for kernel in Kernel::all() {
        for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            for at in 0..21 {
                let mut x = [1.0; 21];
                assert!(kernel.are_finite(&x, &x));
                x[at] = bad;
                let fine = vec![0.5; x.len()];
                let found = !kernel.are_finite(&x, &fine) && !kernel.are_finite(&fine, &x);
                assert!(found, "{kernel:?}: {bad} at {at}");
            }
        }
    }
}

/// Pseudo-random numbers of both signs.
fn row(seed: u64, len: usize) -> Vec<f64> {
    (0..len as u64).map(|i| ((seed * 7919 + i * 104_729) % 2003) as f64 / 1001.5 - 1.0).collect()
}

#[test]
fn mixing_adds_a_multiple_whatever_the_length() {
    for kernel in Kernel::all() {
        for len in [0, 1, 7, 8, 9, 31, 40] {
            let (x, y, gain) = (row(1, len), row(2, len), -0.7);
            let (mut left, mut right) = (row(3, len), row(4, len));
            kernel.mix(&mut left, &x, gain);
            (0..len).for_each(|i| {
                assert_eq!(left[i], row(3, len)[i] + x[i] * gain, "{kernel:?} {len} {i}")
            });
            kernel.mix_both([&mut left, &mut right], [&y, &x], 2.0);
            for i in 0..len {
                assert_eq!(
                    left[i],
                    row(3, len)[i] + x[i] * gain + y[i] * 2.0,
                    "{kernel:?} {len} {i}"
                );
                assert_eq!(right[i], row(4, len)[i] + x[i] * 2.0, "{kernel:?} {len} {i}");
            }
            // The excess of a longer output stays unchanged.
            let mut longer = row(5, len + 3);
            kernel.mix(&mut longer, &x, gain);
            assert_eq!(longer[len..], row(5, len + 3)[len..]);
        }
    }
}

#[test]
fn what_was_heard_is_added_whatever_the_length() {
    for kernel in Kernel::all() {
        for len in [0, 1, 15, 16, 17, 31, 32, 35] {
            let x: Vec<f32> = row(1, len).into_iter().map(|x| x as f32).collect();
            let y: Vec<f32> = row(2, len).into_iter().map(|x| x as f32).collect();
            let (mut left, mut right) = (row(3, len), row(4, len));
            kernel.add_heard_both([&mut left, &mut right], [&x, &y]);
            for i in 0..len {
                assert_eq!(left[i], row(3, len)[i] + f64::from(x[i]), "{kernel:?} {len} {i}");
                assert_eq!(right[i], row(4, len)[i] + f64::from(y[i]), "{kernel:?} {len} {i}");
            }
        }
    }
}

#[test]
fn turning_and_adding_are_complex_arithmetic() {
    const N: usize = 5 * LANES;
    for kernel in Kernel::all() {
        let (rotation_re, rotation_im) = (row(3, N), row(4, N));
        for times in [0, 1, 3] {
            let (mut re, mut im) = (row(1, N), row(2, N));
            kernel.rotate(
                RowsMut { re: &mut re, im: &mut im },
                Rows { re: &rotation_re, im: &rotation_im },
                times,
            );
            for i in 0..N {
                let (mut a, mut b) = (row(1, N)[i], row(2, N)[i]);
                for _ in 0..times {
                    (a, b) = (
                        rotation_re[i] * a - rotation_im[i] * b,
                        rotation_re[i] * b + rotation_im[i] * a,
                    );
                }
                assert!(
                    (re[i] - a).abs() < 1e-14 && (im[i] - b).abs() < 1e-14,
                    "{kernel:?} {times} {i}"
                );
            }
        }
        let (mut re, mut im) = (row(1, N), row(2, N));
        kernel
            .add(RowsMut { re: &mut re, im: &mut im }, Rows { re: &rotation_re, im: &rotation_im });
        (0..N).for_each(|i| {
            assert_eq!(
                (re[i], im[i]),
                (row(1, N)[i] + rotation_re[i], row(2, N)[i] + rotation_im[i])
            )
        });
    }
}

/// Covers fewer groups than are processed in parallel, and more.
#[test]
fn one_force_alone_does_to_the_bit_what_it_does_among_others() {
    for kernel in Kernel::all() {
        for groups in [1, 3, 4, 5, 9] {
            let n = groups * LANES;
            let rows: Vec<_> = (3..8).map(|seed| row(seed, n)).collect();
            let (rotation, hold) =
                (Rows { re: &rows[0], im: &rows[1] }, Rows { re: &rows[2], im: &rows[3] });
            let [mut a, mut b, mut c, mut d] = [1, 2, 1, 2].map(|seed| row(seed, n));
            kernel.push(RowsMut { re: &mut a, im: &mut b }, rotation, hold, &rows[4], &[0.7]);
            kernel.push_and_free_displacement(
                RowsMut { re: &mut c, im: &mut d },
                rotation,
                hold,
                [&rows[4]; 3].map(|row| &row[..]),
                0.7,
            );
            assert_eq!((&a, &b), (&c, &d), "{kernel:?} {groups}");
            for i in 0..n {
                let (x, y) = (row(1, n)[i], row(2, n)[i]);
                let wanted = rows[0][i] * x - rows[1][i] * y + 0.7 * rows[2][i] * rows[4][i];
                assert!((a[i] - wanted).abs() < 1e-14, "{kernel:?} {groups} {i}");
                let wanted = rows[0][i] * y + rows[1][i] * x + 0.7 * rows[3][i] * rows[4][i];
                assert!((b[i] - wanted).abs() < 1e-14, "{kernel:?} {groups} {i}");
            }
        }
    }
}

#[test]
fn the_exponential_of_long_steps_and_none_is_right_too() {
    let omega = [0.0, 1.0, 30.0, 900.0, 2e4, 1e5, 2.9e5, 3e5];
    let decay = [0.0, 0.5, 0.0, 90.0, 1e3, 1e2, 1e5, 0.0];
    for kernel in Kernel::all() {
        for h_s in [0.0, 1e-7, 4.1e-7, 1e-5, 1e-4] {
            let mut rows = [[9.0; LANES]; 4];
            let [rotation_re, rotation_im, force_response_re, force_response_im] = &mut rows;
            let rotation = RowsMut { re: rotation_re, im: rotation_im };
            kernel.exponential(
                &decay,
                &omega,
                h_s,
                rotation,
                RowsMut { re: force_response_re, im: force_response_im },
            );
            for i in 0..LANES {
                let (d, w): (f64, f64) = (decay[i], omega[i]);
                let (sin, cos) = (w * h_s).sin_cos();
                let shrink = (-d * h_s).exp();
                assert!(
                    (rotation_re[i] - shrink * cos).abs() < 1e-13
                        && (rotation_im[i] - shrink * sin).abs() < 1e-13
                );
                // The relation is `force_response s = rotation - 1`.
                let got = (
                    -force_response_re[i] * d - force_response_im[i] * w,
                    force_response_re[i] * w - force_response_im[i] * d,
                );
                assert!(
                    (got.0 - (rotation_re[i] - 1.0)).abs() < 1e-13
                        && (got.1 - rotation_im[i]).abs() < 1e-13,
                    "{h_s} {i}"
                );
            }
            assert_eq!((force_response_re[0], force_response_im[0]), (0.0, 0.0));
        }
    }
}

#[test]
fn each_level_says_what_it_is_called() {
    let known = ["portable", "AVX2", "AVX-512", "NEON"];
    for kernel in Kernel::all() {
        assert!(known.contains(&kernel.name()) && format!("{kernel:?}") == kernel.name());
    }
    assert_eq!(Kernel::portable().name() == "NEON", cfg!(target_arch = "aarch64"));
    assert_eq!(Kernel::default().name(), Kernel::best().name());
}

/// On every instruction set a frame equals the exact modes at each of its samples.
#[test]
fn a_frame_is_every_mode_at_every_sample() {
    for kernel in Kernel::all() {
        let mut modes = bar(21.0, 150.0);
        modes.kernel = kernel;
        modes.set(150.0, &LOSSES, heard_at(0.35, 0.2), RATE_HZ);
        let mut bank: Bank = struck(&modes);
        let (from, to) = (modes.left.now.clone(), modes.clone());
        let start: Vec<_> = (0..21).map(|i| bank.amplitude(i)).collect();
        let (mut l, mut r) = ([0.0; 2 * FRAME], [0.0; 2 * FRAME]);
        bank.process(&mut modes, &mut l, &mut r);
        let size: f64 = start.iter().map(|y| 2.0 * y.0.hypot(y.1)).sum();
        for (n, heard) in l.into_iter().enumerate() {
            let share = ((n + 1) as f64 / FRAME as f64).min(1.0);
            let gain = |i: usize| from[i] + share * (to.left.target(i) - from[i]);
            let wanted: f64 = (0..21)
                .map(|i| gain(i) * later(&to, i, start[i], (n + 1) as f64 / RATE_HZ).0)
                .sum();
            assert!((heard - wanted).abs() < 5e-7 * size, "{kernel:?} {n}: {heard} {wanted}");
        }
    }
}

#[test]
fn every_level_pushes_and_sways_to_the_bit_as_one_after_the_other() {
    let [
        re,
        im,
        rotation_re,
        rotation_im,
        force_response_re,
        force_response_im,
        shape,
        gain,
        decay_ratio,
    ] = [1, 2, 3, 4, 5, 6, 7, 8, 9].map(|seed| row(seed, 4 * LANES));
    let (rotation, force_response) = (
        Rows { re: &rotation_re, im: &rotation_im },
        Rows { re: &force_response_re, im: &force_response_im },
    );
    for kernel in Kernel::all() {
        let (mut apart, mut at_once) = ((re.clone(), im.clone()), (re.clone(), im.clone()));
        kernel.push(
            RowsMut { re: &mut apart.0, im: &mut apart.1 },
            rotation,
            force_response,
            &gain,
            &[0.7],
        );
        let swayed = kernel.free_displacement(
            &shape,
            &decay_ratio,
            force_response,
            Rows { re: &apart.0, im: &apart.1 },
        );
        let y = RowsMut { re: &mut at_once.0, im: &mut at_once.1 };
        let looked = kernel.push_and_free_displacement(
            y,
            rotation,
            force_response,
            [&gain, &shape, &decay_ratio],
            0.7,
        );
        assert!(looked == swayed && at_once == apart && at_once.0 != re, "{kernel:?}");
    }
}

fn close(a: f64, b: f64) {
    assert!((a - b).abs() < 1e-13, "{a} {b}");
}

#[test]
fn every_level_gives_the_sums_as_they_are_written() {
    let [a, b, c, d, e] = [1, 2, 3, 4, 5].map(|seed| row(seed, 4 * LANES));
    let all = 0..a.len();
    for kernel in Kernel::all() {
        let y = Rows { re: &d, im: &e };
        close(kernel.dot3(&a, &b, &c), all.clone().map(|i| a[i] * b[i] * c[i]).sum());
        let light = all.clone().map(|i| a[i] * b[i] / (1.0 + (c[i] * 3.0).powi(2))).sum();
        close(kernel.inverse_mass(&a, &b, &c, 3.0), light);
        close(kernel.dot4(&a, &b, &c, &d), all.clone().map(|i| a[i] * b[i] * c[i] * d[i]).sum());
        let decay_ratio = row(6, 4 * LANES);
        let lean = |i: usize| {
            (b[i] - decay_ratio[i] * c[i]) * d[i] - (decay_ratio[i] * b[i] + c[i]) * e[i]
        };
        let free_displacement = all.clone().map(|i| a[i] * lean(i)).sum();
        close(
            kernel.free_displacement(&a, &decay_ratio, Rows { re: &b, im: &c }, y),
            free_displacement,
        );
        let (x, z) = kernel.bounds(&a, [&b, &c], y);
        close(x, all.clone().map(|i| a[i].abs() * d[i].hypot(e[i]) * b[i]).sum());
        close(z, all.clone().map(|i| a[i].abs() * d[i].hypot(e[i]) * c[i]).sum());
        let surveyed = kernel.motion_bounds(&a, [&b, &c, &decay_ratio], y);
        let apart =
            [x, z, kernel.bounds(&a, [&decay_ratio, &decay_ratio], y).0, kernel.dot3(&a, &e, &b)];
        assert_eq!(surveyed, apart, "to the bit");
        let (mut shape, mut gain) = (a.clone(), b.clone());
        kernel.glide(&mut shape, &mut gain, &c, &d);
        all.clone().for_each(|i| close(shape[i], a[i] + c[i]));
        all.clone().for_each(|i| close(gain[i], (a[i] + c[i]) * d[i]));
        let (mut re, mut im) = (d.clone(), e.clone());
        kernel.add_force(RowsMut { re: &mut re, im: &mut im }, Rows { re: &b, im: &c }, &a, 2.0);
        for i in all.clone() {
            close(re[i], d[i] + 2.0 * a[i] * b[i]);
            close(im[i], e[i] + 2.0 * a[i] * c[i]);
        }
    }
}

#[test]
fn every_level_does_as_one_pass_after_the_other_would() {
    let [
        re,
        im,
        rotation_re,
        rotation_im,
        force_response_re,
        force_response_im,
        shape,
        gain,
        decay_ratio,
        per_omega,
        by,
        per_mass,
    ] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12].map(|seed| row(seed, 4 * LANES));
    let (rotation, force_response) = (
        Rows { re: &rotation_re, im: &rotation_im },
        Rows { re: &force_response_re, im: &force_response_im },
    );
    let same = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-13);
    for kernel in Kernel::all() {
        let (mut a_re, mut a_im, mut a_shape, mut a_gain) =
            (re.clone(), im.clone(), shape.clone(), gain.clone());
        let y = RowsMut { re: &mut a_re, im: &mut a_im };
        let rows = [&per_mass[..], &by, &decay_ratio, &per_omega];
        let (free, mobility) = kernel.push_and_glide(
            y,
            rotation,
            force_response,
            [&mut a_shape, &mut a_gain],
            rows,
            0.7,
        );
        let (mut b_re, mut b_im, mut b_shape, mut b_gain) =
            (re.clone(), im.clone(), shape.clone(), gain.clone());
        kernel.push(
            RowsMut { re: &mut b_re, im: &mut b_im },
            rotation,
            force_response,
            &gain,
            &[0.7],
        );
        kernel.glide(&mut b_shape, &mut b_gain, &by, &per_mass);
        let wanted = kernel.free_displacement(
            &b_shape,
            &decay_ratio,
            force_response,
            Rows { re: &b_re, im: &b_im },
        );
        assert!((free - wanted).abs() < 1e-13, "{free} {wanted}");
        let wanted = kernel.dot4(&b_shape, &b_gain, &force_response_im, &per_omega);
        assert!((mobility - wanted).abs() < 1e-13, "{mobility} {wanted}");
        assert!(same(&a_re, &b_re) && same(&a_im, &b_im), "{kernel:?}");
        assert!(same(&a_shape, &b_shape) && same(&a_gain, &b_gain), "{kernel:?}");
    }
}

#[test]
fn every_level_gives_the_exponential_of_any_step() {
    let omega: Vec<f64> = (0..4 * LANES).map(|i| 3.0 * 10f64.powf(5.0 * i as f64 / 31.0)).collect();
    for kernel in Kernel::all() {
        for damping in [0.0, 1e-4, 0.3] {
            let decay: Vec<f64> = omega.iter().map(|w| damping * w).collect();
            for duration_s in [1e-5, 3.7e-6, 1e-9, 1e-14] {
                let mut out = [const { [0.0; 4 * LANES] }; 4];
                let [rotation_re, rotation_im, force_response_re, force_response_im] = &mut out;
                let rotation = RowsMut { re: rotation_re, im: rotation_im };
                let force_response = RowsMut { re: force_response_re, im: force_response_im };
                kernel.exponential(&decay, &omega, duration_s, rotation, force_response);
                for i in 0..omega.len() {
                    let (d, w) = (decay[i], omega[i]);
                    let (sin, cos) = (w * duration_s).sin_cos();
                    let shrink_less_1 = (-d * duration_s).exp_m1();
                    let half = (0.5 * w * duration_s).sin();
                    let re = shrink_less_1 * cos - 2.0 * half * half;
                    let im = (1.0 + shrink_less_1) * sin;
                    let turned = (rotation_re[i] - (1.0 + re)).hypot(rotation_im[i] - im);
                    assert!(turned < 4e-15, "{kernel:?} {w} {d} {duration_s}: turn {turned:e}");
                    let size = d * d + w * w;
                    let wanted = ((-d * re + w * im) / size, (-d * im - w * re) / size);
                    let held = (force_response_re[i] - wanted.0)
                        .hypot(force_response_im[i] - wanted.1)
                        / wanted.0.hypot(wanted.1);
                    assert!(held < 4e-15, "{kernel:?} {w} {d} {duration_s}: hold {held:e}");
                }
            }
        }
    }
}

/// Response to a force `P_n` over the step, by the midpoint rule on a fine grid.
fn directly(d: f64, w: f64, h: f64, n: usize) -> (f64, f64) {
    const PARTS: usize = 20_000;
    let p = |x: f64| [1.0, x, 1.5 * x * x - 0.5, 2.5 * x * x * x - 1.5 * x][n];
    (0..PARTS).fold((0.0, 0.0), |sum, i| {
        let x = (2.0 * i as f64 + 1.0) / PARTS as f64 - 1.0;
        let left = 0.5 * h * (1.0 - x);
        let size = p(x) * (2 * n + 1) as f64 * (-d * left).exp() / PARTS as f64;
        (sum.0 + size * (w * left).cos(), sum.1 + size * (w * left).sin())
    })
}

#[test]
fn every_level_gives_the_response_to_each_moment() {
    let omega: Vec<f64> = (0..4 * LANES).map(|i| 3.0 * 10f64.powf(5.0 * i as f64 / 31.0)).collect();
    for kernel in Kernel::all() {
        for damping in [0.0, 1e-4, 0.5] {
            let decay: Vec<f64> = omega.iter().map(|w| damping * w).collect();
            for duration_s in [1e-5, 3.7e-6, 1e-9] {
                let mut out = [const { [0.0; 4 * LANES] }; 10];
                let [rotation_re, rotation_im, r @ ..] = &mut out;
                let rotation = RowsMut { re: rotation_re, im: rotation_im };
                let [a, b, c, d, e, f, g, h] = r;
                let rows = [(a, b), (c, d), (e, f), (g, h)].map(|(re, im)| RowsMut { re, im });
                kernel.responses(Rows { re: &decay, im: &omega }, duration_s, rotation, rows);
                for i in (0..omega.len()).step_by(3) {
                    let (d, w) = (decay[i], omega[i]);
                    let shrink = (-d * duration_s).exp();
                    let (sin, cos) = (w * duration_s).sin_cos();
                    let turned = (out[0][i] - shrink * cos).hypot(out[1][i] - shrink * sin);
                    assert!(turned < 4e-15, "{kernel:?} {w} {d} {duration_s}: turn {turned:e}");
                    for n in 0..MOMENTS {
                        // The response to P_n, whose own moment is 1/(2n+1).
                        let (re, im) = directly(d, w, duration_s, n);
                        let off = (out[2 + 2 * n][i] - re).hypot(out[3 + 2 * n][i] - im);
                        assert!(off < 2e-8, "{kernel:?} {w} {d} {duration_s}, moment {n}: {off:e}");
                    }
                }
            }
        }
    }
}

#[test]
fn every_level_pushes_and_hears_as_one_after_the_other() {
    let row = |seed: u64| row(seed, 2 * LANES);
    let rows: Vec<_> = (0..15).map(row).collect();
    let pair = |n: usize| Rows { re: &rows[n], im: &rows[n + 1] };
    let responses = [pair(4), pair(6), pair(8), pair(10)];
    let forces = [[1.0, 0.3, -0.2, 0.1], [0.5, -0.3, 0.2, 0.0], [2.0, 0.1, 0.1, -0.4]];
    for kernel in Kernel::all() {
        let (mut apart, mut at_once) = ((row(0), row(1)), (row(0), row(1)));
        let (mut left, mut right) = ([0.0; 3], [0.0; 3]);
        let y = RowsMut { re: &mut at_once.0, im: &mut at_once.1 };
        let point = [&rows[12][..], &rows[13], &rows[14]];
        kernel.push_and_hear(y, pair(2), responses, point, &forces, [&mut left, &mut right]);
        for (n, moments) in forces.iter().enumerate() {
            let y = RowsMut { re: &mut apart.0, im: &mut apart.1 };
            kernel.push_moments(y, pair(2), responses, &rows[12], moments);
            let heard = kernel.hear(&rows[13], &rows[14], &apart.0);
            assert!(
                (left[n] - heard.0).abs() < 1e-12 && (right[n] - heard.1).abs() < 1e-12,
                "{kernel:?}"
            );
        }
        let off = at_once.0.iter().zip(&apart.0).chain(at_once.1.iter().zip(&apart.1));
        assert!(off.into_iter().all(|(a, b)| (a - b).abs() < 1e-12), "{kernel:?}");
    }
}

#[test]
fn a_constant_force_is_its_first_moment() {
    let omega: Vec<f64> = (1..=LANES).map(|i| 1e4 * i as f64).collect();
    let decay = [30.0; LANES];
    let kernel = Kernel::best();
    let mut out = [const { [0.0; LANES] }; 10];
    let [rotation_re, rotation_im, a, b, c, d, e, f, g, h] = &mut out;
    let rows = [(a, b), (c, d), (e, f), (g, h)].map(|(re, im)| RowsMut { re, im });
    kernel.responses(
        Rows { re: &decay, im: &omega },
        1e-5,
        RowsMut { re: rotation_re, im: rotation_im },
        rows,
    );
    let mut exact = [const { [0.0; LANES] }; 4];
    let [rotation_re, rotation_im, force_response_re, force_response_im] = &mut exact;
    let (rotation, force_response) = (
        RowsMut { re: rotation_re, im: rotation_im },
        RowsMut { re: force_response_re, im: force_response_im },
    );
    kernel.exponential(&decay, &omega, 1e-5, rotation, force_response);
    for i in 0..LANES {
        for row in 0..4 {
            let scale = if row < 2 { 1.0 } else { 1e-5 };
            assert!((scale * out[row][i] - exact[row][i]).abs() < 1e-14 * scale, "{row} {i}");
        }
    }
}
