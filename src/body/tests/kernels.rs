//! Loops over modes and samples, on every instruction set, by plain sums.

use crate::body::kernel::{FRAME, Kernel, Rows, RowsMut};
use crate::body::{Bank, LANES};

use super::{bar, later, struck};

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
            // What is longer than the other is left as it is.
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

/// On whatever set of groups: one, three and more than are carried abreast.
#[test]
fn one_force_alone_does_to_the_bit_what_it_does_among_others() {
    for kernel in Kernel::all() {
        for groups in [1, 3, 4, 5, 9] {
            let n = groups * LANES;
            let rows: Vec<_> = (3..8).map(|seed| row(seed, n)).collect();
            let (turn, hold) =
                (Rows { re: &rows[0], im: &rows[1] }, Rows { re: &rows[2], im: &rows[3] });
            let [mut a, mut b, mut c, mut d] = [1, 2, 1, 2].map(|seed| row(seed, n));
            kernel.push(RowsMut { re: &mut a, im: &mut b }, turn, hold, &rows[4], &[0.7]);
            kernel.push_and_free_displacement(
                RowsMut { re: &mut c, im: &mut d },
                turn,
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
            let turn = RowsMut { re: rotation_re, im: rotation_im };
            kernel.exponential(
                &decay,
                &omega,
                h_s,
                turn,
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
                // hold s = turn - 1
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

/// On every level a frame is what the modes are at each of its samples.
#[test]
fn a_frame_is_every_mode_at_every_sample() {
    for kernel in Kernel::all() {
        let mut modes = bar(21.0, 150.0);
        modes.kernel = kernel;
        modes.set(150.0, &super::LOSSES, super::heard_at(0.35, 0.2), super::RATE_HZ);
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
                .map(|i| gain(i) * later(&to, i, start[i], (n + 1) as f64 / super::RATE_HZ).0)
                .sum();
            assert!((heard - wanted).abs() < 5e-7 * size, "{kernel:?} {n}: {heard} {wanted}");
        }
    }
}
