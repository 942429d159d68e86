//! A struck bar sounds at the pitch of its key and decays by its material law, at every sample
//! rate.
//!
//! Measured on the sound of the whole engine. A body with coefficients of another rate, or with an
//! approximate resonator, is off by cents or decays at a rate that depends on the sample rate.

use std::f64::consts::PI;

use ictus::cli::render::{Length, render};
use ictus::params::event::{Event, EventKind, NoteAddress};
use ictus::params::{Param, Patch};

fn strike(patch: &Patch, key: u8, seconds: f64, rate_hz: f64) -> Vec<f64> {
    let note = NoteAddress { id: None, channel: Some(0), key: Some(key) };
    let events = [Event { offset: 0, note, kind: EventKind::NoteOn { velocity: 0.8 } }];
    let [left, _] =
        render(patch, &events, Length::Fixed((seconds * rate_hz) as usize), rate_hz, 512, |_| {});
    left.into_iter().map(f64::from).collect()
}

/// Complex amplitude of a frequency over a Hann window.
fn amplitude(sound: &[f64], frequency_hz: f64, rate_hz: f64) -> (f64, f64) {
    let n = sound.len() as f64;
    let (mut re, mut im) = (0.0, 0.0);
    for (i, x) in sound.iter().enumerate() {
        let window = 0.5 - 0.5 * (2.0 * PI * i as f64 / n).cos();
        let (sin, cos) = (2.0 * PI * frequency_hz * i as f64 / rate_hz).sin_cos();
        re += window * x * cos;
        im -= window * x * sin;
    }
    (re, im)
}

/// Frequency from the phase advance of a partial between two windows, near `guess_hz`.
fn frequency(sound: &[f64], guess_hz: f64, rate_hz: f64) -> f64 {
    let window = (0.25 * rate_hz) as usize;
    let hop = (0.02 * rate_hz) as usize;
    let phase = |start: usize| {
        let (re, im) = amplitude(&sound[start..start + window], guess_hz, rate_hz);
        im.atan2(re)
    };
    let gap_s = hop as f64 / rate_hz;
    // The clock of the second window starts at zero again.
    let turned = phase(hop) - phase(0) - 2.0 * PI * guess_hz * gap_s;
    let excess = (turned + PI).rem_euclid(2.0 * PI) - PI;
    guess_hz + excess / (2.0 * PI * gap_s)
}

/// T60 of a partial, from its level in two windows half a second apart.
fn t60_s(sound: &[f64], frequency_hz: f64, rate_hz: f64) -> f64 {
    let window = (0.25 * rate_hz) as usize;
    let level = |start_s: f64| {
        let start = (start_s * rate_hz) as usize;
        let (re, im) = amplitude(&sound[start..start + window], frequency_hz, rate_hz);
        20.0 * re.hypot(im).log10()
    };
    60.0 * 0.5 / (level(0.1) - level(0.6))
}

#[test]
fn a4_is_440_hz_and_decays_by_the_law_at_every_sample_rate() {
    let patch = Patch::default();
    let wanted_s = 1000f64.ln() / patch.damping().rate_per_s(440.0);
    for rate_hz in [44_100.0, 48_000.0, 96_000.0, 192_000.0] {
        let sound = strike(&patch, 69, 1.2, rate_hz);
        let cents = 1200.0 * (frequency(&sound, 440.0, rate_hz) / 440.0).log2();
        assert!(cents.abs() < 0.1, "{rate_hz} Hz: {cents} cents off");
        let t60 = t60_s(&sound, 440.0, rate_hz);
        assert!(
            (t60 / wanted_s - 1.0).abs() < 0.005,
            "{rate_hz} Hz: T60 {t60} s instead of {wanted_s} s"
        );
    }
}

#[test]
fn every_key_is_in_tune() {
    let mut patch = Patch::default();
    patch.set(Param::Support, 0.2);
    patch.set(Param::Friction, 1e-4);
    for key in (24..=108).step_by(7) {
        let wanted_hz = 440.0 * ((f64::from(key) - 69.0) / 12.0).exp2();
        let sound = strike(&patch, key, 0.6, 48_000.0);
        let cents = 1200.0 * (frequency(&sound, wanted_hz, 48_000.0) / wanted_hz).log2();
        assert!(cents.abs() < 0.5, "key {key}: {cents} cents off");
    }
}

#[test]
fn the_same_blow_sounds_the_same_at_every_sample_rate() {
    let patch = Patch::default();
    let level = |rate_hz: f64, frequency_hz: f64| {
        let sound = strike(&patch, 57, 0.5, rate_hz);
        let window = &sound[(0.1 * rate_hz) as usize..(0.4 * rate_hz) as usize];
        let (re, im) = amplitude(window, frequency_hz, rate_hz);
        20.0 * (re.hypot(im) / rate_hz).log10()
    };
    for ratio in [1.0, 2.7565, 5.4039, 8.9330] {
        let slow = level(44_100.0, 220.0 * ratio);
        let fast = level(192_000.0, 220.0 * ratio);
        assert!(
            (slow - fast).abs() < 0.05,
            "partial {ratio}: {slow} dB at 44.1 kHz, {fast} dB at 192 kHz"
        );
    }
}
