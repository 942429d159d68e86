//! What forces leave in the modes.

use super::{bar, close};
use crate::body::drive::chorus::{Chorus, MAX_PIECES, Voicing};
use crate::body::{Drive, MAX_MODES, Modes, PerMode, Steps};
use crate::contact::Surface;

/// Of a mode from rest, `gain (e^(s h) - 1)/s F` after a step, and turned on by every further one.
fn response(modes: &Modes, mode: usize, gain: f64, pushes: &[(f64, f64)]) -> (f64, f64) {
    let (d, w) = (modes.decay_per_s[mode], modes.omega[mode]);
    if w == 0.0 {
        return (0.0, 0.0);
    }
    let size = d * d + w * w;
    let (mut re, mut im) = (0.0, 0.0);
    for (force_n, h_s) in pushes {
        let (sin, cos) = (w * h_s).sin_cos();
        let shrink = (-d * h_s).exp();
        let (a, b) = (shrink * cos, shrink * sin);
        // (e - 1)/s with 1/s = (-d - i w)/size
        let hold = ((-(a - 1.0) * d + b * w) / size, (-b * d - (a - 1.0) * w) / size);
        (re, im) =
            (a * re - b * im + gain * hold.0 * force_n, a * im + b * re + gain * hold.1 * force_n);
    }
    (re, im)
}

fn check(modes: &Modes, drive: &Drive, gains: &PerMode, scale: f64, pushes: &[(f64, f64)]) {
    let (range, rows) = drive.received();
    for (i, gain) in gains.iter().enumerate().take(modes.len) {
        let wanted = response(modes, i, scale * gain, pushes);
        let got = if range.contains(&i) {
            (rows.re[i - range.start], rows.im[i - range.start])
        } else {
            (0.0, 0.0)
        };
        let off = (got.0 - wanted.0).hypot(got.1 - wanted.1);
        assert!(off <= 1e-10 * wanted.0.hypot(wanted.1), "mode {i}: {got:?} {wanted:?}");
    }
}

#[test]
fn every_mode_answers_in_closed_form() {
    let modes = bar(40.0, 12.0);
    let gains = modes.drive_gains(0.17, 0.4);
    let (mut drive, mut steps) = (Drive::default(), Steps::default());
    drive.set_gains(&gains);
    assert!(drive.is_at_rest());
    for pushes in [
        vec![(3.0, 1e-5)],
        vec![(3.0, 1e-5), (5.0, 1e-5), (0.0, 1e-5), (2.0, 4e-6), (1.0, 7e-6)],
        // More than are gathered.
        (0..75).map(|n| (f64::from(n).sin(), 2e-7)).collect(),
    ] {
        drive.begin_sample();
        assert!(drive.is_at_rest() && drive.impulse_ns() == 0.0);
        {
            let mut surface = drive.on(&modes, &mut steps);
            surface.push(0.0, 3e-6);
            surface.push(9.0, 0.0);
            surface.push(9.0, -1e-6);
            pushes.iter().for_each(|(force_n, h_s)| surface.push(*force_n, *h_s));
        }
        assert!(!drive.is_at_rest());
        check(&modes, &drive, &gains, 1.0, &pushes);
        let impulse: f64 = pushes.iter().map(|(force_n, h_s)| force_n * h_s).sum();
        close(drive.impulse_ns(), impulse, 1e-12);
    }
}

#[test]
fn a_striker_that_lifts_off_pushes_less_without_a_corner() {
    let modes = bar(40.0, 12.0);
    let gains = modes.drive_gains(0.17, 0.4);
    let (mut drive, mut steps) = (Drive::default(), Steps::default());
    drive.set_gains(&gains);
    for (left, share) in [(0.75, 0.84375), (0.5, 0.5), (0.25, 0.15625)] {
        assert_eq!(drive.ease(0.25), left > 0.0);
        drive.begin_sample();
        drive.on(&modes, &mut steps).push(4.0, 1e-5);
        check(&modes, &drive, &gains, share, &[(4.0, 1e-5)]);
        close(drive.impulse_ns(), share * 4e-5, 1e-12);
    }
    assert!(!drive.ease(0.25) && !drive.ease(0.25));
    drive.set_gains(&gains);
    assert!(drive.ease(0.25));
}

#[test]
fn only_groups_that_are_moved_are_reached() {
    let modes = bar(60.0, 10.0);
    let mut gains = [0.0; MAX_MODES];
    (gains[11], gains[20]) = (1.0, -2.0);
    let (mut drive, mut steps) = (Drive::default(), Steps::default());
    drive.set_gains(&gains);
    drive.begin_sample();
    drive.on(&modes, &mut steps).push(4.0, 1e-5);
    assert_eq!(drive.received().0, 8..24);
    check(&modes, &drive, &gains, 1.0, &[(4.0, 1e-5)]);
    // Modes that the body has lost meanwhile are left alone.
    let few = bar(14.0, 10.0);
    drive.begin_sample();
    assert!(drive.received().0.is_empty());
    drive.on(&few, &mut Steps::default()).push(4.0, 1e-5);
    assert_eq!(drive.received().0, 8..16);
}

fn voicing(gains: &PerMode) -> Voicing {
    let mut voicing = Voicing::default();
    voicing.set_gains(gains);
    voicing
}

#[test]
fn a_chorus_is_the_sum_of_its_forces_wherever_they_act() {
    let (modes, h_s) = (bar(60.0, 10.0), 3e-6);
    let mut chorus = Chorus::default();
    let mut steps = Steps::default();
    // Other spans each time: what was there before must be gone.
    for round in 0..3 {
        let (mut a, mut b) = ([0.0; MAX_MODES], [0.0; MAX_MODES]);
        (a[20 + round], a[30], b[10], b[20]) = (1.0, 0.5, -2.0, 0.25);
        let (forces_a, forces_b) = ([1.0, 2.0, 0.0, 4.0], [0.5, -1.0, 3.0]);
        chorus.begin_sample();
        let mut easing = voicing(&b);
        assert!(easing.ease(0.5));
        chorus.add(modes.kernel, &voicing(&a), &forces_a, h_s);
        chorus.add(modes.kernel, &easing, &forces_b, h_s);
        let pieces = if round == 1 { 2 } else { MAX_PIECES };
        let sum = chorus.act(&modes, &mut steps, pieces, h_s);
        close(sum.impulse_ns(), h_s * (7.0 + 0.5 * 2.5), 1e-12);
        let (range, rows) = sum.received();
        assert_eq!(range, 8..32);
        for i in range.clone() {
            let pushes: Vec<_> = (0..pieces)
                .map(|n| {
                    (a[i] * forces_a[n] + 0.5 * b[i] * forces_b.get(n).copied().unwrap_or(0.0), h_s)
                })
                .collect();
            let wanted = response(&modes, i, 1.0, &pushes);
            let got = (rows.re[i - 8], rows.im[i - 8]);
            let off = (got.0 - wanted.0).hypot(got.1 - wanted.1);
            assert!(
                off <= 1e-11 * wanted.0.hypot(wanted.1) + 1e-300,
                "{round}, mode {i}: {got:?} {wanted:?}"
            );
        }
    }
    let mut leaving = voicing(&[1.0; MAX_MODES]);
    assert!(leaving.ease(0.75) && !leaving.ease(0.25) && !leaving.ease(1.0));
}

/// The step that was not asked for the longest makes room.
#[test]
fn steps_are_kept_while_they_are_in_use() {
    let modes = bar(20.0, 100.0);
    let mut steps = Steps::default();
    let mut other = modes.clone();
    other.set(140.0, &super::LOSSES, super::heard_at(0.1, 0.2), super::RATE_HZ);
    let turn = |steps: &mut Steps, modes: &Modes, h_s: f64| steps.of(modes, h_s, (0, 8)).turn.im[0];
    let first: Vec<_> = (1..=3).map(|n| turn(&mut steps, &modes, 1e-6 * f64::from(n))).collect();
    // Asked for again, the first stays; the second goes. Told apart by other modes, which only a
    // new one is made of.
    assert_eq!(turn(&mut steps, &other, 1e-6), first[0]);
    turn(&mut steps, &modes, 4e-6);
    assert_eq!(turn(&mut steps, &other, 1e-6), first[0]);
    assert_eq!(turn(&mut steps, &other, 3e-6), first[2]);
    assert_ne!(turn(&mut steps, &other, 2e-6), first[1]);
    steps.forget();
    assert_ne!(turn(&mut steps, &other, 1e-6), first[0]);
}
