use super::*;

const MODES: usize = 5 * LANES;

/// Numbers of both signs that look random.
fn row(seed: f64) -> Vec<f64> {
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
    let (a, b, re, im) = (row(1.0), row(2.0), row(3.0), row(4.0));
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
        (row(1.0), row(2.0), row(3.0), row(4.0), row(5.0));
    let (turn, force_response) = (
        Rows { re: &rotation_re, im: &rotation_im },
        Rows { re: &force_response_re, im: &force_response_im },
    );
    let forces_n = [3.0, 0.0, 2.0, 7.0, 1.0];
    for kernel in Kernel::all() {
        let (mut re, mut im) = (row(6.0), row(7.0));
        kernel.push(RowsMut { re: &mut re, im: &mut im }, turn, force_response, &gains, &forces_n);
        let (mut one_re, mut one_im) = (row(6.0), row(7.0));
        for force_n in forces_n {
            kernel.push(
                RowsMut { re: &mut one_re, im: &mut one_im },
                turn,
                force_response,
                &gains,
                &[force_n],
            );
        }
        assert_eq!((&re, &im), (&one_re, &one_im), "{kernel:?}");
        for i in 0..MODES {
            let (mut x, mut y) = (row(6.0)[i], row(7.0)[i]);
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
    let mut heard = Heard::SILENCE;
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
