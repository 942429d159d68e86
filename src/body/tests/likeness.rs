//! The ghost of a body that became another.

use super::{RATE_HZ, bar, close, later, struck};
use crate::body::fading_body::{CROSSFADE_S, risen};
use crate::body::{FadingBody, Kernel, MAX_MODES};

#[test]
fn it_rings_on_as_the_body_did_and_fades_along_a_cosine() {
    let modes = bar(11.0, 300.0);
    let bank = struck(&modes);
    let start: Vec<_> = (0..modes.len).map(|i| bank.amplitude(i)).collect();
    let mut fading_body = FadingBody::new(MAX_MODES);
    assert!(!fading_body.is_heard() && fading_body.samples() == 0);
    fading_body.remember(&modes, &bank);
    assert_eq!(fading_body.omega()[..modes.len], modes.omega[..modes.len]);
    fading_body.begin([0.5, -2.0], RATE_HZ);
    fading_body.scale(3.0);
    let lasts = (CROSSFADE_S * RATE_HZ) as usize;
    assert_eq!((lasts, fading_body.samples()), (240, 240));
    let (fade, step) = (0.9, -0.01);
    let (mut left, mut right) = ([0.25; 100], [-0.5; 100]);
    fading_body.process(Kernel::best(), &mut left, &mut right, (fade, step));
    assert!(fading_body.is_heard());
    assert_eq!(fading_body.samples(), 140);
    for n in 0..100 {
        let time_s = (n + 1) as f64 / RATE_HZ;
        let state = |i: usize| later(&modes, i, start[i], time_s).0;
        let heard = |gains: &[f64]| -> f64 { (0..modes.len).map(|i| gains[i] * state(i)).sum() };
        let falls = 0.5 + 0.5 * (std::f64::consts::PI * (n + 1) as f64 / 240.0).cos();
        let gain = falls * (fade + step * n as f64).max(0.0);
        let wanted = (
            0.25 + 1.5 * gain * heard(&modes.left.now),
            -0.5 - 6.0 * gain * heard(&modes.right.now),
        );
        assert!(
            (left[n] - wanted.0).abs() < 1e-12 && (right[n] - wanted.1).abs() < 1e-12,
            "{n}: {wanted:?}"
        );
    }
    // It ends by itself, and leaves what comes after alone.
    let (mut left, mut right) = ([0.25; 200], [-0.5; 200]);
    fading_body.process(Kernel::best(), &mut left, &mut right, (1.0, 0.0));
    assert!(!fading_body.is_heard() && fading_body.samples() == 0);
    assert!(left[138] != 0.25 && right[138] != -0.5);
    assert!(left[140..].iter().all(|x| *x == 0.25) && right[140..].iter().all(|x| *x == -0.5));
}

#[test]
fn it_is_gone_when_told_and_lasts_a_sample_at_least() {
    let modes = bar(3.0, 300.0);
    let mut fading_body = FadingBody::new(MAX_MODES);
    fading_body.remember(&modes, &struck(&modes));
    for (rate_hz, lasts) in [(48_000.0, 240), (44_100.0, 221), (10.0, 1)] {
        fading_body.begin([1.0; 2], rate_hz);
        assert_eq!((fading_body.samples(), fading_body.is_heard()), (lasts, true));
    }
    fading_body.reset();
    assert_eq!((fading_body.samples(), fading_body.is_heard()), (0, false));
}

#[test]
fn what_rises_rises_along_half_a_cosine() {
    assert_eq!((risen(0, 8), risen(8, 8), risen(9, 8)), (0.0, 1.0, 1.0));
    close(risen(4, 8), 0.5, 1e-15);
    close(risen(2, 8), 0.5 - 0.5 * 0.5f64.sqrt(), 1e-15);
    close(risen(6, 8), 0.5 + 0.5 * 0.5f64.sqrt(), 1e-15);
}

#[test]
fn how_steep_it_was_and_is_are_sums_of_magnitudes() {
    let before = bar(11.0, 300.0);
    let bank = struck(&before);
    let mut fading_body = FadingBody::new(MAX_MODES);
    fading_body.remember(&before, &bank);
    let mut after = before.clone();
    after.set(350.0, &super::LOSSES, super::heard_at(0.6, 0.2), RATE_HZ);
    let mut now = bank.clone();
    now.scale(&after, 0.7);
    let got = fading_body.steepness(&after, &now, 2e-3);
    let sums = [(&before.left, &after.left), (&before.right, &after.right)].map(|(was, is)| {
        let mut sums = [0.0; 3];
        for i in 0..before.len {
            let (re, im) = bank.amplitude(i);
            let size = re.abs() + im.abs();
            sums[0] += size * was.now[i].abs() * before.omega[i];
            sums[1] += 0.7 * size * is.target(i).abs() * after.omega[i];
            sums[2] += 0.7 * size * (is.target(i) - was.now[i]).abs();
        }
        sums
    });
    let max = |what: usize| sums[0][what].max(sums[1][what]);
    close(got.before, max(0), 1e-12);
    close(got.after, max(1), 1e-12);
    close(got.change, max(2) / 2e-3, 1e-12);
    assert!(sums[0][0] != sums[1][0] && sums[0][2] != sums[1][2]);
}
