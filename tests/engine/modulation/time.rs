//! The oscillator's rate and the envelope's times are in seconds, at every sample rate, as heard.

use std::f64::consts::{FRAC_PI_4, PI};

use ictus::modulation::Source;
use ictus::params::Patch;

use super::common::{connect, keyed, levels, off, on, one_mode, play};

/// Approximate length of a piece, s; whole samples of 44.1 kHz.
const PIECE_S: f64 = 220.0 / 44_100.0;

/// The stereo position of a note in every piece, -1…1: from the level of each side against the same
/// note without slots.
fn pans(patch: &Patch, hold_s: f64, seconds: f64, rate_hz: f64) -> Vec<f64> {
    let note = keyed(0, 93);
    let events = [on(0, note, 1.0), off((hold_s * rate_hz) as usize, note)];
    let mut still = patch.clone();
    connect(&mut still, 0, Source::None, "None", 0.0);
    let (moved, still) =
        (play(patch, &events, seconds, rate_hz), play(&still, &events, seconds, rate_hz));
    let piece = (PIECE_S * rate_hz).round() as usize;
    let gain = |side: usize| {
        let (moved, still) = (levels(&moved[side], piece), levels(&still[side], piece));
        moved.into_iter().zip(still).map(|(moved, still)| moved / still).collect::<Vec<_>>()
    };
    gain(0)
        .into_iter()
        .zip(gain(1))
        .map(|(left, right)| right.atan2(left) / FRAC_PI_4 - 1.0)
        .collect()
}

#[test]
fn the_oscillator_keeps_its_rate() {
    for rate_hz in [44_100.0, 192_000.0] {
        for (sync, lfo_hz) in [("Off", 3.7), ("1/8", 4.0)] {
            let mut patch = one_mode(&[("lforat", "3.7"), ("lfosyn", sync)]);
            connect(&mut patch, 0, Source::Lfo, "Pan", 0.6);
            let pans = pans(&patch, 9.0, 2.2, rate_hz);
            // Its phase in the first and in the last second.
            let look = |first_s: f64| {
                let pieces = (first_s / PIECE_S) as usize..((first_s + 1.0) / PIECE_S) as usize;
                let (mut re, mut im) = (0.0, 0.0);
                for (n, i) in pieces.enumerate() {
                    let window = (PI * (n as f64 + 0.5) * PIECE_S).sin().powi(2);
                    let phase = 2.0 * PI * lfo_hz * (i as f64 + 0.5) * PIECE_S;
                    re += window * pans[i] * phase.cos();
                    im -= window * pans[i] * phase.sin();
                }
                (re, im)
            };
            let (a, b) = (look(0.1), look(1.1));
            let off_hz = (b.1 * a.0 - b.0 * a.1).atan2(b.0 * a.0 + b.1 * a.1) / (2.0 * PI);
            // 0.6 (cos - i sin)/2 of half a window's area.
            let depth = 2.0 * a.0.hypot(a.1) / (0.5 / PIECE_S);
            println!("{rate_hz} Hz, sync {sync}: {off_hz:+.1e} Hz off, depth {depth:.4}");
            assert!(off_hz.abs() < 2e-3, "{rate_hz}, {sync}: {off_hz} Hz off");
            assert!((depth / 0.6 - 1.0).abs() < 0.01, "{depth}");
        }
    }
}

#[test]
fn the_envelope_takes_its_times() {
    for rate_hz in [44_100.0, 192_000.0] {
        let mut patch = one_mode(&[
            ("envdel", "100 ms"),
            ("envatt", "200 ms"),
            ("envhld", "50 ms"),
            ("envdec", "400 ms"),
            ("envsus", "30 %"),
            ("envrel", "500 ms"),
        ]);
        connect(&mut patch, 0, Source::Envelope, "Pan", 0.8);
        let pans = pans(&patch, 1.0, 1.7, rate_hz);
        let at = |time_s: f64| pans[(time_s / PIECE_S) as usize] / 0.8;
        for (time_s, value) in [
            (0.05, 0.0),
            (0.1025, 0.0),
            (0.2, 0.5),
            (0.33, 1.0),
            (0.8, 0.3),
            (0.99, 0.3),
            (1.52, 0.0),
            (1.65, 0.0),
        ] {
            // The piece is centred 2.5 ms later, and a position takes 5 ms to be reached.
            assert!((at(time_s) - value).abs() < 0.02, "{rate_hz}: at {time_s} s {}", at(time_s));
        }
    }
}
