//! A rolling ball as the engine plays it.

use std::f64::consts::PI;

use ictus::cli::events::{Score, listen};
use ictus::params::event::{Event, EventKind, NoteAddress};

use super::common::{RATE_HZ, largest_step, off, on, one, patch, play, score, set};
use crate::sound::{centroid_hz, swell_hz};

/// A dense body and a ball that is far off its centre.
const PLATE: [(&str, &str); 5] = [
    ("gest", "Roll"),
    ("body", "Supported plate"),
    ("modes", "48"),
    ("mater", "Wood"),
    ("offc", "20 %"),
];

#[test]
fn it_throbs_once_a_turn() {
    for (speed, radius, off_centre) in [(0.3, 0.02, 0.2), (0.6, 0.02, 0.1), (0.8, 0.03, 0.1)] {
        let mut patch = patch(&PLATE);
        set(&mut patch, "offc", &format!("{} %", 100.0 * off_centre));
        set(&mut patch, "speed", &speed.to_string());
        set(&mut patch, "radius", &format!("{} mm", 1e3 * radius));
        let played = one(&patch, 40, 12.0, RATE_HZ);
        let turns_hz = speed / (2.0 * PI * radius);
        let (got_hz, above_db) =
            swell_hz(&played.left[96_000..], RATE_HZ, 150.0, 0.6 * turns_hz, 1.6 * turns_hz);
        println!(
            "{speed} m/s, R {radius} m, {off_centre} off: {got_hz:.4} Hz of {turns_hz:.4} Hz, {above_db:.1} dB above the rest"
        );
        assert!((got_hz / turns_hz - 1.0).abs() < 0.01, "{got_hz} instead of {turns_hz}");
    }
}

/// Regression: a ball placed on the flank of a tile or stone was ejected into the air, and sounded
/// a quarter of a second late.
#[test]
fn it_is_heard_from_the_start() {
    for surface in ["Asphalt", "Ceramic tiles"] {
        let patch = patch(&[("gest", "Roll"), ("surf", surface), ("speed", "3")]);
        let played = one(&patch, 69, 1.0, RATE_HZ);
        let peak = played.left.iter().fold(0.0f64, |peak, x| peak.max(x.abs()));
        let begins = played.left.iter().position(|x| x.abs() > 0.1 * peak).expect("it is heard");
        assert!((begins as f64) < 0.06 * RATE_HZ, "{surface}: {begins} samples late");
    }
}

#[test]
fn wheel_and_pressure_make_it_faster() {
    let mut patch = patch(&PLATE);
    set(&mut patch, "speed", "0.15");
    set(&mut patch, "radius", "20 mm");
    let turns_hz = 0.15 / (2.0 * PI * 0.02);
    let channel = NoteAddress { channel: Some(0), ..NoteAddress::default() };
    let samples = (8.0 * RATE_HZ) as usize;
    let pressures = [
        (
            "wheel",
            Event {
                offset: 10,
                note: channel,
                kind: EventKind::Controller { number: 1, value: 1.0 },
            },
        ),
        (
            "channel pressure",
            Event { offset: 10, note: channel, kind: EventKind::Pressure { value: 1.0 } },
        ),
        ("key pressure", Event { kind: EventKind::Pressure { value: 1.0 }, ..on(10, 40, 0.0) }),
    ];
    for (name, event) in pressures {
        let played = play(&patch, &[on(0, 40, 1.0), event], samples, RATE_HZ, || 256, |_, _| {});
        let (got_hz, _) =
            swell_hz(&played.left[96_000..], RATE_HZ, 150.0, 2.5 * turns_hz, 6.0 * turns_hz);
        println!("{name}: {got_hz:.3} Hz, {:.3} times as fast", got_hz / turns_hz);
        assert!((got_hz / turns_hz / 4.0 - 1.0).abs() < 0.01, "{name}: {got_hz}");
    }
}

#[test]
fn it_rolls_out_and_the_note_ends_once() {
    for (gesture, friction) in [("Roll", "0.02"), ("Roll", "0.1"), ("Scrape", "0.1")] {
        let patch =
            patch(&[("gest", gesture), ("speed", "0.5"), ("rfric", friction), ("mater", "Wood")]);
        let samples = (12.0 * RATE_HZ) as usize;
        let off_at = RATE_HZ as usize;
        let played =
            play(&patch, &[on(0, 57, 1.0), off(off_at, 57)], samples, RATE_HZ, || 256, |_, _| {});
        let last = played.left.iter().rposition(|x| x.abs() > 1e-4).unwrap_or(0);
        let after_s = (last as f64 - off_at as f64) / RATE_HZ;
        // A ball loses speed by (5/7) of friction times g: the remainder of 0.5 m/s.
        println!(
            "{gesture}, friction {friction}: heard for {after_s:.2} s after the key, {} ends",
            played.ends
        );
        assert_eq!(played.ends, 1, "{gesture}");
        assert!(after_s > 0.02, "{gesture} breaks off");
    }
}

/// When a ball without an offset centre, released after a second, will have stopped, s.
fn stops_s(speed: f64, friction: f64) -> f64 {
    1.0 + speed / (5.0 / 7.0 * friction * 9.81)
}

/// The ball slows down until it stops, rests for 0.3 s, and its weight fades within 0.2 s: no end
/// is audible.
#[test]
fn a_roll_fades_out_and_its_end_is_not_heard() {
    for law in [&[][..], &[("dmode", "Restitution"), ("rest", "0.9")]] {
        let rolling = [
            ("gest", "Roll"),
            ("speed", "0.5"),
            ("rfric", "0.02"),
            ("mater", "Wood"),
            ("offc", "0 %"),
        ];
        let patch = patch(&[&rolling[..], law].concat());
        let stops_s = stops_s(0.5, 0.02);
        let got = listen(&patch, &Score { hold_s: Some(1.0), ..score(57, RATE_HZ, 12.0) });
        let rest_s = got.rest_s.expect("it rests");
        println!("it stops after {stops_s:.3} s and is gone after {rest_s:.3} s");
        assert!((rest_s - stops_s - 0.5).abs() < 0.02, "{rest_s} {stops_s}");
        let samples = (12.0 * RATE_HZ) as usize;
        let played = play(
            &patch,
            &[on(0, 57, 1.0), off(RATE_HZ as usize, 57)],
            samples,
            RATE_HZ,
            || 256,
            |_, _| {},
        );
        let at = |time_s: f64| (time_s * RATE_HZ) as usize;
        let part = |from_s: f64, to_s: f64| &played.left[at(from_s)..at(to_s)];
        let level_db = |sound: &[f64]| {
            10.0 * (sound.iter().map(|x| x * x).sum::<f64>() / sound.len() as f64 + 1e-20).log10()
        };
        // Ever softer, in five parts of the time to the stop.
        let fifth_s = (stops_s - 1.0) / 5.0;
        let fade: Vec<f64> = (0..5)
            .map(|n| 1.0 + fifth_s * f64::from(n))
            .map(|t| level_db(part(t, t + fifth_s)))
            .collect();
        println!("{fade:.1?} dB");
        assert!(
            fade.windows(2).all(|pair| pair[1] < pair[0] + 1.0) && fade[4] < fade[0] - 10.0,
            "{fade:?}"
        );
        // When it stops, when its weight fades and when it is removed: negligible beside the sound
        // of rolling.
        let (rolls, ends) =
            (largest_step(part(0.5, 1.0)), largest_step(part(stops_s - 0.05, rest_s + 0.2)));
        println!("largest step {ends:.1e} at the end, {rolls:.1e} while it rolls");
        assert!(ends < 0.02 * rolls, "{ends} {rolls}");
        assert_eq!(played.ends, 1);
    }
}

#[test]
fn catching_takes_it_off_at_the_key_without_a_click() {
    for gesture in ["Roll", "Scrape"] {
        let rolling = [("gest", gesture), ("speed", "0.5"), ("rfric", "0.005"), ("mater", "Wood")];
        let patch_of = |action: &'static str| patch(&[&rolling[..], &[("noff", action)]].concat());
        let let_go = Score { hold_s: Some(1.0), ..score(57, RATE_HZ, 20.0) };
        let caught = listen(&patch_of("Catch"), &let_go);
        let rest_s = caught.rest_s.expect("it is taken off");
        println!(
            "{gesture}: caught at 1 s, off at {rest_s:.4} s, silent at {:.2?} s",
            caught.note_end_s
        );
        // The weight fades within 0.2 s.
        assert!((rest_s - 1.2).abs() < 0.01, "{rest_s}");
        let after = caught.contacts.iter().filter(|contact| contact.time_s > 1.2).count();
        assert_eq!(after, 0, "it touches on");
        assert!(
            caught.note_end_s.expect("an end")
                < listen(&patch_of("Ring"), &let_go).note_end_s.unwrap_or(20.0)
        );
        let samples = (4.0 * RATE_HZ) as usize;
        let second = RATE_HZ as usize;
        let played = play(
            &patch_of("Catch"),
            &[on(0, 57, 1.0), off(second, 57)],
            samples,
            RATE_HZ,
            || 256,
            |_, _| {},
        );
        let (rolls, goes) = (
            largest_step(&played.left[second / 2..second]),
            largest_step(&played.left[second - 2..2 * second]),
        );
        println!("{gesture}: largest step {goes:.1e} after the key, {rolls:.1e} before");
        assert!(goes <= 1.2 * rolls, "{gesture}: {goes} {rolls}");
        assert_eq!(played.ends, 1);
    }
}

#[test]
fn a_larger_ball_is_darker_and_turns_more_slowly() {
    let mut patch = patch(&PLATE);
    set(&mut patch, "speed", "0.4");
    let mut last = (f64::MAX, f64::MAX);
    for radius in [0.008, 0.016, 0.032] {
        set(&mut patch, "radius", &format!("{} mm", 1e3 * radius));
        let played = one(&patch, 40, 8.0, RATE_HZ);
        let sound = &played.left[48_000..];
        let turns_hz = 0.4 / (2.0 * PI * radius);
        let (centre_hz, (got_hz, _)) = (
            centroid_hz(sound, RATE_HZ),
            swell_hz(sound, RATE_HZ, 150.0, 0.6 * turns_hz, 1.6 * turns_hz),
        );
        println!("R {radius} m: centroid {centre_hz:.0} Hz, throbs at {got_hz:.3} Hz");
        assert!(centre_hz < last.0 && got_hz < 0.6 * last.1, "{last:?}");
        last = (centre_hz, got_hz);
    }
}
