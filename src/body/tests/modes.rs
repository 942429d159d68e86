//! Coefficients of modes, and their response to forces.

use std::f64::consts::PI;

use super::{LOSSES, RATE_HZ, bar, close, heard_at, struck};
use crate::body::bank::CHUNK;
use crate::body::drive::{DrivePoint, DriveSum, MAX_SUBSTEPS};
use crate::body::macros::BodyScale;
use crate::body::material::Damping;
use crate::body::modes::PickupGains;
use crate::body::parts::{MAX_PARTS, SecondBody};
use crate::body::shape::{Place, ShapeCache, plate::FreePlateLine};
use crate::body::{
    BodyKind, Drive, Geometry, LANES, MAX_MODES, Modes, Parts, PerMode, Point, Steps, UserModes,
};
use crate::contact::Surface;

const PITCH_HZ: f64 = 2.0;

fn beside() -> SecondBody {
    SecondBody {
        geometry: Geometry { count: 30.0, ..Geometry::of(BodyKind::String) },
        pitch_hz: 170.0,
        listening: heard_at(0.23, 0.61),
        heard: [0.5, 1.25],
    }
}

fn sizes() -> Parts {
    Parts::Sizes {
        count: 3,
        sizes: std::array::from_fn::<_, MAX_PARTS, _>(|i| 0.7 + 0.4 * i as f64),
    }
}

fn made(parts: Parts, count: f64, damping: &Damping) -> Modes {
    let mut modes = Modes::default();
    assert!(modes.set_body(
        &Geometry { count, ..Geometry::of(BodyKind::ClampedBar) },
        &UserModes::default()
    ));
    assert!(!modes.set_body(
        &Geometry { count, ..Geometry::of(BodyKind::ClampedBar) },
        &UserModes::default()
    ));
    modes.set_parts(&parts, &UserModes::default());
    modes.set(PITCH_HZ, damping, heard_at(0.31, 0.97), RATE_HZ);
    modes
}

/// Compares every coefficient of every mode with its formula.
#[test]
fn modes_are_what_body_pitch_and_losses_make_of_them() {
    let other = Modes::default();
    assert_eq!(other.spectrum().geometry().kind, BodyKind::FreeBar);
    for (parts, lanes) in [(Parts::One, 256), (Parts::Two(beside()), 128), (sizes(), 80)] {
        let modes = made(parts, 60.25, &LOSSES);
        let mut beside_modes = Modes::default();
        beside_modes.set_body(&beside().geometry, &UserModes::default());
        let (mut slowest, mut last) = (f64::MAX, 0);
        for i in 0..MAX_MODES {
            let (part, mode) = (i / lanes, i % lanes);
            let is_second = part == 1 && matches!(parts, Parts::Two(_));
            let spectrum = if is_second { beside_modes.spectrum() } else { modes.spectrum() };
            let size =
                if matches!(parts, Parts::Sizes { .. }) { 0.7 + 0.4 * part as f64 } else { 1.0 };
            let (pitch_hz, heard) = match (parts, part) {
                (Parts::Two(_), 0) => (PITCH_HZ, 0.5),
                (Parts::Two(_), _) => (170.0, 1.25),
                _ => (PITCH_HZ / size, 1.0),
            };
            let is_there = part < parts.count() && mode < if is_second { 30 } else { 61 };
            let hz = if is_there { pitch_hz * spectrum.ratio(mode) } else { 0.0 };
            let share = if mode == 60 { 0.25 } else { 1.0 };
            let presence =
                if is_there { share * ((0.45 - hz / RATE_HZ) / 0.02).clamp(0.0, 1.0) } else { 0.0 };
            if presence == 0.0 {
                assert_eq!(
                    (modes.omega[i], modes.presence[i], modes.left.target(i)),
                    (0.0, 0.0, 0.0),
                    "{i}"
                );
                continue;
            }
            let (w, d) =
                (2.0 * PI * hz, BodyScale::new(size).damping(&LOSSES).rate_per_s(hz).min(PI * hz));
            last = i + 1;
            slowest = f64::min(slowest, d);
            close(modes.omega[i], w, 1e-14);
            close(modes.decay_per_s[i], d, 1e-14);
            close(modes.rotation_re[i], (-d / RATE_HZ).exp() * (w / RATE_HZ).cos(), 1e-10);
            close(modes.rotation_im[i], (-d / RATE_HZ).exp() * (w / RATE_HZ).sin(), 1e-10);
            close(modes.presence[i], presence, 1e-12);
            let (left, right) = if is_second { (0.23, 0.61) } else { (0.31, 0.97) };
            for (place, x, gains) in
                [(Place::Left, left, &modes.left), (Place::Right, right, &modes.right)]
            {
                let wanted = presence * heard * spectrum.deflection(mode, place, Point::along(x));
                assert!(
                    (gains.target(i) - wanted).abs() < 1e-12,
                    "{i}: {} {wanted}",
                    gains.target(i)
                );
                assert_eq!(gains.now[i], 0.0);
                close(gains.step[i], gains.target(i) / CHUNK as f64, 1e-12);
            }
        }
        close(modes.slowest_per_s, slowest, 1e-14);
        assert_eq!(modes.len, last.next_multiple_of(LANES));
        assert_eq!(modes.parts(), &parts);
    }
}

#[test]
fn a_mode_is_damped_by_no_more_than_half_its_frequency() {
    let modes =
        made(Parts::One, 20.0, &Damping { support_per_s: 4e3, loss_factor: 0.0, viscous_s: 0.0 });
    for i in 0..20 {
        close(modes.decay_per_s[i], 2e3f64.min(0.5 * modes.omega[i]), 1e-14);
    }
    assert!(modes.decay_per_s[0] < 2e3 && modes.decay_per_s[19] == 2e3);
}

#[test]
fn a_list_says_how_long_its_modes_ring() {
    let mode = |ratio: f64, decay: f64| crate::body::shape::UserMode {
        ratio,
        decay,
        ..Default::default()
    };
    let mut modes = Modes::default();
    modes.set_body(
        &Geometry::of(BodyKind::User),
        &UserModes::new(&[mode(1.0, 2.0), mode(1.5, 0.5)]),
    );
    modes.set(PITCH_HZ, &LOSSES, heard_at(0.0, 0.0), RATE_HZ);
    close(modes.decay_per_s[0], 0.5 * LOSSES.rate_per_s(PITCH_HZ), 1e-14);
    close(modes.decay_per_s[1], 2.0 * LOSSES.rate_per_s(1.5 * PITCH_HZ), 1e-14);
    assert_eq!(modes.len, LANES);
}

/// Removed modes are zero, and restored modes equal the original ones.
#[test]
fn modes_that_leave_leave_nothing_behind() {
    let mut modes = made(Parts::One, 60.25, &LOSSES);
    modes.arrive();
    let before = modes.clone();
    modes.set_body(
        &Geometry { count: 9.0, ..Geometry::of(BodyKind::ClampedBar) },
        &UserModes::default(),
    );
    modes.set(PITCH_HZ, &LOSSES, heard_at(0.31, 0.97), RATE_HZ);
    assert_eq!(modes.len, 16);
    for i in 9..MAX_MODES {
        let rows = [
            &modes.omega,
            &modes.decay_per_s,
            &modes.rotation_re,
            &modes.rotation_im,
            &modes.presence,
        ];
        assert!(
            rows.iter().all(|row| row[i] == 0.0)
                && modes.left.target(i) == 0.0
                && modes.right.target(i) == 0.0
        );
        // The gain of a removed mode ramps to zero.
        close(modes.left.step[i], -before.left.now[i] / CHUNK as f64, 1e-12);
    }
    modes.arrive();
    assert!((9..MAX_MODES).all(|i| modes.left.now[i] == 0.0 && modes.hearing.audible[i] == 0.0));
    modes.set_body(
        &Geometry { count: 60.25, ..Geometry::of(BodyKind::ClampedBar) },
        &UserModes::default(),
    );
    modes.set(PITCH_HZ, &LOSSES, heard_at(0.31, 0.97), RATE_HZ);
    modes.arrive();
    assert_eq!(
        (modes.omega, modes.left.now, modes.presence),
        (before.omega, before.left.now, before.presence)
    );
}

#[test]
fn pickups_go_straight_to_where_they_are_sent_within_a_period() {
    let mut modes = bar(20.0, 100.0);
    let bank = struck(&modes);
    let (from, re) =
        (modes.clone(), (0..modes.len).map(|i| bank.amplitude(i).0).collect::<Vec<_>>());
    modes.set(100.0, &LOSSES, heard_at(0.5, 0.3), RATE_HZ);
    for (samples, share) in [(0, 0.0), (8, 0.25), (12, 0.625), (40, 1.0)] {
        modes.move_on(samples);
        let at = |from: &PickupGains, to: &PickupGains| -> f64 {
            (0..20).map(|i| re[i] * (from.now[i] + share * (to.target(i) - from.now[i]))).sum()
        };
        let (left, right) = modes.hear(&re);
        let wanted = (at(&from.left, &modes.left), at(&from.right, &modes.right));
        assert!((left - wanted.0).abs() < 1e-12 && (right - wanted.1).abs() < 1e-12, "{samples}");
        let mut halted = modes.clone();
        halted.halt();
        assert!(halted.ramp().is_none());
        for i in 0..20 {
            let wanted = from.left.now[i] + share * (modes.left.target(i) - from.left.now[i]);
            assert!((halted.left.now[i] - wanted).abs() < 1e-12 && halted.left.step[i] == 0.0);
            let wanted = from.right.now[i] + share * (modes.right.target(i) - from.right.now[i]);
            assert!((halted.right.now[i] - wanted).abs() < 1e-12 && halted.right.step[i] == 0.0);
        }
        let there = halted.clone();
        halted.halt();
        assert_eq!(halted.left.now, there.left.now);
    }
    modes.arrive();
    assert!(modes.ramp().is_none());
    assert!(
        (0..20).all(|i| modes.left.now[i] == modes.left.target(i) && modes.right.step[i] == 0.0)
    );
}

/// Audibility is the larger pickup gain, or the minimum gain near a node.
#[test]
fn what_is_audible_is_the_larger_gain() {
    let modes = made(Parts::One, 60.25, &LOSSES);
    let mut there = modes.clone();
    there.arrive();
    for i in 0..modes.len {
        close(modes.hearing.audible[i], (0.1 * modes.presence[i]).powi(2), 1e-12);
        let heard =
            there.left.now[i].abs().max(there.right.now[i].abs()).max(0.1 * there.presence[i]);
        close(there.hearing.audible[i], heard * heard, 1e-12);
        let ears = |modes: &Modes, side: usize| {
            let (ears, lane) = (&modes.hearing.pickups[i / LANES], side * LANES + i % LANES);
            (ears.gains.0[lane], ears.steps.0[lane])
        };
        assert_eq!(ears(&there, 0), (there.left.now[i] as f32, 0.0));
        assert_eq!(ears(&there, 1), (there.right.now[i] as f32, 0.0));
        assert_eq!(ears(&modes, 0), (0.0, modes.left.step[i] as f32));
        assert_eq!(ears(&modes, 1), (0.0, modes.right.step[i] as f32));
    }
}

#[test]
fn a_force_moves_a_mode_by_its_shape_over_the_mass() {
    let (here, there, mass_kg) = (Point::along(0.41), Point::along(0.29), 0.8);
    for (parts, lanes) in [(Parts::One, 256), (Parts::Two(beside()), 128), (sizes(), 80)] {
        let modes = made(parts, 60.25, &LOSSES);
        let mut second = Modes::default();
        second.set_body(&beside().geometry, &UserModes::default());
        let gain = |i: usize, part: usize, point: Point| {
            let spectrum = if part == 1 && matches!(parts, Parts::Two(_)) {
                second.spectrum()
            } else {
                modes.spectrum()
            };
            if i / lanes != part || modes.presence[i] == 0.0 {
                return 0.0;
            }
            modes.presence[i] * spectrum.deflection(i % lanes, Place::Strike, point) / mass_kg
        };
        let (one, both) = (
            modes.drive_gains(here, mass_kg),
            modes.drive_gains_between(here, Some(there), mass_kg),
        );
        assert_eq!(modes.drive_gains_between(here, None, mass_kg), one);
        let mut third = [7.0; MAX_MODES];
        modes.add_gains(2, here, mass_kg, &mut third);
        for i in 0..MAX_MODES {
            assert!((one[i] - gain(i, 0, here)).abs() < 1e-12, "{i}");
            let wanted = gain(i, 0, here) - if parts.count() > 1 { gain(i, 1, there) } else { 0.0 };
            assert!((both[i] - wanted).abs() < 1e-12, "{i}: {} {wanted}", both[i]);
            let is_third =
                parts.count() > 2 && (2 * lanes..(3 * lanes).min(modes.len)).contains(&i);
            let wanted = if is_third { gain(i, 2, here) } else { 7.0 };
            assert!((third[i] - wanted).abs() < 1e-12, "{i}: {} {wanted}", third[i]);
        }
        // Shapes cached for the expected strike point give the same gains.
        let mut expecting = modes.clone();
        expecting.expect_strike_at(here);
        assert_eq!(expecting.drive_gains(here, mass_kg), one);
        assert_eq!(expecting.drive_gains(there, mass_kg), modes.drive_gains(there, mass_kg));
        assert_eq!(expecting.drive_gains_between(here, Some(there), mass_kg), both);
    }
}

/// Shapes at the expected strike point come from the cache.
#[test]
fn an_expected_place_is_not_worked_out_again() {
    let mut modes = made(Parts::One, 20.0, &LOSSES);
    let point = Point::along(0.41);
    let mut membrane = Modes::default();
    membrane.set_body(
        &Geometry { count: 20.0, ..Geometry::of(BodyKind::ClampedBar) },
        &UserModes::default(),
    );
    let mut shapes = ShapeCache::new(MAX_MODES);
    shapes.set(membrane.spectrum(), Place::Strike, point, 24);
    modes.expect_strike_at(point);
    assert!(modes.strike_spectrum().known(modes.spectrum(), point, modes.len).is_some());
    assert!(
        shapes.known(modes.spectrum(), point, 24).is_some()
            && shapes.known(modes.spectrum(), point, 25).is_none()
    );
    assert!(shapes.known(modes.spectrum(), Point::along(0.4), 24).is_none());
    assert_eq!(shapes.known(modes.spectrum(), point, 3).expect("three of them").len(), 3);
}

#[test]
fn along_a_line_the_gains_are_those_of_its_points() {
    for kind in [BodyKind::FreePlate, BodyKind::SupportedPlate, BodyKind::FreeBar] {
        let mut modes = Modes::default();
        modes.set_body(&Geometry::of(kind), &UserModes::default());
        modes.set(100.0, &LOSSES, heard_at(0.3, 0.4), RATE_HZ);
        let mut line = FreePlateLine::default();
        for x in [0.0, 0.2, 0.77] {
            let point = Point::new(x, 0.35);
            let (along, wanted) =
                (modes.drive_gains_along(&mut line, point, 0.5), modes.drive_gains(point, 0.5));
            for i in 0..MAX_MODES {
                assert!(
                    (along[i] - wanted[i]).abs() < 1e-5,
                    "{kind:?} {x}, mode {i}: {} {}",
                    along[i],
                    wanted[i]
                );
            }
        }
    }
}

#[test]
fn what_another_body_knows_is_taken_over() {
    let whole = made(Parts::Two(beside()), 60.25, &LOSSES);
    let mut pupil = Modes::default();
    pupil.copy_caches_from(&whole);
    assert_eq!(pupil.spectrum().geometry(), whole.spectrum().geometry());
    pupil.set_parts(&Parts::Two(beside()), &UserModes::default());
    pupil.set(PITCH_HZ, &LOSSES, heard_at(0.31, 0.97), RATE_HZ);
    assert_eq!(pupil.omega, whole.omega);
    assert!((0..MAX_MODES).all(|i| pupil.left.target(i) == whole.left.target(i)));
    assert!((0..MAX_MODES).all(|i| pupil.right.target(i) == whole.right.target(i)));
}

#[test]
fn bodies_in_one_voice_have_their_tones() {
    let two = Parts::Two(beside());
    assert_eq!((Parts::One.count(), two.count(), sizes().count()), (1, 2, 3));
    for (count, wanted) in [(0, 2), (1, 2), (2, 2), (9, 9), (16, 16), (40, 16)] {
        assert_eq!(Parts::Sizes { count, sizes: [1.0; MAX_PARTS] }.count(), wanted);
    }
    assert_eq!(
        (Parts::One.first_heard(), two.first_heard(), sizes().first_heard()),
        (1.0, 0.5, 1.0)
    );
    assert_eq!(
        (Parts::One.size(1), two.size(1), sizes().size(1), sizes().size(99)),
        (1.0, 1.0, 1.1, 1.0)
    );
    let arbitrary = Parts::Sizes { count: 2, sizes: [9.0; MAX_PARTS] };
    assert_eq!(
        (arbitrary.size(0), Parts::Sizes { count: 2, sizes: [0.1; MAX_PARTS] }.size(1)),
        (2.0, 0.5)
    );
    assert_eq!(
        (Parts::One.lowest_hz(100.0), two.lowest_hz(100.0), arbitrary.lowest_hz(100.0)),
        (100.0, 100.0, 50.0)
    );
    close(sizes().lowest_hz(100.0), 100.0 / 1.5, 1e-14);
    let tone = |parts: Parts, part: usize| {
        let tone = parts.tone(part, 100.0, &LOSSES);
        (tone.pitch_hz, tone.damping, tone.heard)
    };
    assert_eq!(tone(Parts::One, 0), (100.0, LOSSES, 1.0));
    assert_eq!(tone(two, 0), (100.0, LOSSES, 0.5));
    assert_eq!(tone(two, 1), (170.0, LOSSES, 1.25));
    assert_eq!(tone(arbitrary, 1), (50.0, BodyScale::new(2.0).damping(&LOSSES), 1.0));
}

/// Response of a mode from rest: each step rotates the state and adds `gain (e^(s h) - 1)/s F`.
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
        // More forces than are collected at once.
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
    // Modes that the body no longer has are not driven.
    let few = bar(14.0, 10.0);
    drive.begin_sample();
    assert!(drive.received().0.is_empty());
    drive.on(&few, &mut Steps::default()).push(4.0, 1e-5);
    assert_eq!(drive.received().0, 8..16);
}

fn voicing(gains: &PerMode) -> DrivePoint {
    let mut voicing = DrivePoint::default();
    voicing.set_gains(gains);
    voicing
}

#[test]
fn a_chorus_is_the_sum_of_its_forces_wherever_they_act() {
    let (modes, h_s) = (bar(60.0, 10.0), 3e-6);
    let mut chorus = DriveSum::default();
    let mut steps = Steps::default();
    // The spans differ between rounds: previous contents must not affect the result.
    for round in 0..3 {
        let (mut a, mut b) = ([0.0; MAX_MODES], [0.0; MAX_MODES]);
        (a[20 + round], a[30], b[10], b[20]) = (1.0, 0.5, -2.0, 0.25);
        let (forces_a, forces_b) = ([1.0, 2.0, 0.0, 4.0], [0.5, -1.0, 3.0]);
        chorus.begin_sample();
        let mut easing = voicing(&b);
        assert!(easing.ease(0.5));
        chorus.add(modes.kernel, &voicing(&a), &forces_a, h_s);
        chorus.add(modes.kernel, &easing, &forces_b, h_s);
        let pieces = if round == 1 { 2 } else { MAX_SUBSTEPS };
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

/// The least recently used step is replaced.
#[test]
fn steps_are_kept_while_they_are_in_use() {
    let modes = bar(20.0, 100.0);
    let mut steps = Steps::default();
    let mut other = modes.clone();
    other.set(140.0, &LOSSES, heard_at(0.1, 0.2), RATE_HZ);
    let rotation =
        |steps: &mut Steps, modes: &Modes, h_s: f64| steps.of(modes, h_s, (0, 8)).rotation.im[0];
    let first: Vec<_> =
        (1..=3).map(|n| rotation(&mut steps, &modes, 1e-6 * f64::from(n))).collect();
    // The first entry was used again, so the second is replaced; only recomputed steps reflect the
    // other modes.
    assert_eq!(rotation(&mut steps, &other, 1e-6), first[0]);
    rotation(&mut steps, &modes, 4e-6);
    assert_eq!(rotation(&mut steps, &other, 1e-6), first[0]);
    assert_eq!(rotation(&mut steps, &other, 3e-6), first[2]);
    assert_ne!(rotation(&mut steps, &other, 2e-6), first[1]);
    steps.forget();
    assert_ne!(rotation(&mut steps, &other, 1e-6), first[0]);
}
