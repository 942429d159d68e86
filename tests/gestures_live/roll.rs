//! A ball that rolls, as the engine plays it.

use std::f64::consts::PI;

use ictus::event::{Event, EventKind, NoteAddress};

use crate::common::{RATE_HZ, off, on, one, patch, play, set};
use crate::sound::{centroid_hz, swell_hz};

/// A dense body and a ball that is far off its centre.
const PLATE: [(&str, &str); 5] =
    [("gest", "Roll"), ("body", "Supported plate"), ("modes", "48"), ("mater", "Wood"), ("offc", "20 %")];

#[test]
fn it_throbs_once_a_turn() {
    for (speed, radius, off_centre) in [(0.3, 0.02, 0.2), (0.6, 0.02, 0.1), (0.8, 0.03, 0.1)] {
        let mut patch = patch(&PLATE);
        set(&mut patch, "offc", &format!("{} %", 100.0 * off_centre));
        set(&mut patch, "speed", &speed.to_string());
        set(&mut patch, "radius", &format!("{} mm", 1e3 * radius));
        let played = one(&patch, 40, 12.0, RATE_HZ);
        let turns_hz = speed / (2.0 * PI * radius);
        let (got_hz, above_db) = swell_hz(&played.left[96_000..], RATE_HZ, 150.0, 0.6 * turns_hz, 1.6 * turns_hz);
        println!(
            "{speed} m/s, R {radius} m, {off_centre} off: {got_hz:.4} Hz of {turns_hz:.4} Hz, {above_db:.1} dB above the rest"
        );
        assert!((got_hz / turns_hz - 1.0).abs() < 0.01, "{got_hz} instead of {turns_hz}");
    }
}

/// Put down on the flank of a tile or of a stone it used to be thrown into the air, and was heard a quarter of a second late.
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
        ("wheel", Event { offset: 10, note: channel, kind: EventKind::Controller { number: 1, value: 1.0 } }),
        ("channel pressure", Event { offset: 10, note: channel, kind: EventKind::Pressure { value: 1.0 } }),
        ("key pressure", Event { kind: EventKind::Pressure { value: 1.0 }, ..on(10, 40, 0.0) }),
    ];
    for (name, event) in pressures {
        let played = play(&patch, &[on(0, 40, 1.0), event], samples, RATE_HZ, || 256, |_, _| {});
        let (got_hz, _) = swell_hz(&played.left[96_000..], RATE_HZ, 150.0, 2.5 * turns_hz, 6.0 * turns_hz);
        println!("{name}: {got_hz:.3} Hz, {:.3} times as fast", got_hz / turns_hz);
        assert!((got_hz / turns_hz / 4.0 - 1.0).abs() < 0.01, "{name}: {got_hz}");
    }
}

#[test]
fn it_rolls_out_and_the_note_ends_once() {
    for (gesture, friction) in [("Roll", "0.02"), ("Roll", "0.1"), ("Scrape", "0.1")] {
        let patch = patch(&[("gest", gesture), ("speed", "0.5"), ("rfric", friction), ("mater", "Wood")]);
        let samples = (12.0 * RATE_HZ) as usize;
        let off_at = RATE_HZ as usize;
        let played = play(&patch, &[on(0, 57, 1.0), off(off_at, 57)], samples, RATE_HZ, || 256, |_, _| {});
        let last = played.left.iter().rposition(|x| x.abs() > 1e-4).unwrap_or(0);
        let after_s = (last as f64 - off_at as f64) / RATE_HZ;
        // A ball loses speed by (5/7) of friction times g: what is left of 0.5 m/s.
        println!("{gesture}, friction {friction}: heard for {after_s:.2} s after the key, {} ends", played.ends);
        assert_eq!(played.ends, 1, "{gesture}");
        assert!(after_s > 0.02, "{gesture} breaks off");
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
        let (centre_hz, (got_hz, _)) =
            (centroid_hz(sound, RATE_HZ), swell_hz(sound, RATE_HZ, 150.0, 0.6 * turns_hz, 1.6 * turns_hz));
        println!("R {radius} m: centroid {centre_hz:.0} Hz, throbs at {got_hz:.3} Hz");
        assert!(centre_hz < last.0 && got_hz < 0.6 * last.1, "{last:?}");
        last = (centre_hz, got_hz);
    }
}
