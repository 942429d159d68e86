//! Size, hardness, thickness, material and keys, as heard.

use std::f64::consts::PI;

use ictus::body::macros::contact_time_s;
use ictus::cli::events::listen;
use ictus::params::Patch;

use super::common::{RATE_HZ, one, patch, score, set};

/// Frequency (Hz) and decay rate (1/s) of a single decaying sine near `guess_hz`, from two windows.
fn pitch_and_decay(
    sound: &[f64],
    rate_hz: f64,
    guess_hz: f64,
    first_s: f64,
    apart_s: f64,
) -> (f64, f64) {
    let length = (apart_s * rate_hz) as usize;
    let look = |start: usize| {
        let (mut re, mut im) = (0.0, 0.0);
        for n in 0..length {
            let window = (PI * (n as f64 + 0.5) / length as f64).sin().powi(2);
            let phase = 2.0 * PI * guess_hz * (start + n) as f64 / rate_hz;
            re += window * sound[start + n] * phase.cos();
            im -= window * sound[start + n] * phase.sin();
        }
        (re, im)
    };
    let first = (first_s * rate_hz) as usize;
    let (a, b) = (look(first), look(first + length));
    let turned = (b.1 * a.0 - b.0 * a.1).atan2(b.0 * a.0 + b.1 * a.1);
    let time_s = length as f64 / rate_hz;
    (guess_hz + turned / (2.0 * PI * time_s), (a.0.hypot(a.1) / b.0.hypot(b.1)).ln() / time_s)
}

fn alone(settings: &[(&str, &str)]) -> Patch {
    patch(&[&[("modes", "1"), ("mater", "Steel")], settings].concat())
}

/// The interval from `wanted` to `got`, cents.
fn cents(got: f64, wanted: f64) -> f64 {
    1200.0 * (got / wanted).log2()
}

#[test]
fn size_divides_the_pitch_and_lengthens_decay_and_contact() {
    let heard = |size: f64| {
        let mut patch = alone(&[]);
        set(&mut patch, "size", &size.to_string());
        // Large is loud: keep away from the limiter.
        set(&mut patch, "level", "-24");
        let sound = one(&patch, 69, 0.1 + 1.2 * size, RATE_HZ).left;
        let (hz, decay) =
            pitch_and_decay(&sound, RATE_HZ, 440.0 / size, 0.05 * size.max(1.0), 0.5 * size);
        let contact_s = listen(&patch, &score(69, RATE_HZ, 0.2)).contacts[0].contact_time_s;
        (hz, decay, contact_s)
    };
    let one = heard(1.0);
    for size in [0.25, 0.5, 2.0, 4.0] {
        let (hz, decay, contact_s) = heard(size);
        let off =
            (cents(hz * size, one.0), one.1 / decay / size - 1.0, contact_s / one.2 / size - 1.0);
        println!(
            "size {size}: pitch {:+.4} cents, decay {:+.1e}, contact {:+.1e}",
            off.0, off.1, off.2
        );
        assert!(off.0.abs() < 0.1 && off.1.abs() < 0.01 && off.2.abs() < 1e-3, "{off:?}");
    }
}

#[test]
fn resized_keys_are_the_same_sound_in_another_time() {
    // An octave up at twice the sample rate gives the same numbers, except for the level.
    for body in ["Free bar", "Membrane", "Church bell"] {
        let patch = patch(&[
            ("body", body),
            ("keytrk", "Resize"),
            ("level", "-12"),
            ("mater", "Steel"),
            ("limit", "Off"),
        ]);
        let (low, high) =
            (one(&patch, 60, 0.5, 48_000.0).left, one(&patch, 72, 0.25, 96_000.0).left);
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        // By differences: the DC block does not scale with size.
        let steps =
            |sound: &[f64]| sound.windows(2).map(|pair| pair[1] - pair[0]).collect::<Vec<_>>();
        let (low, high) = (steps(&low), steps(&high));
        let gain = dot(&low, &high) / dot(&high, &high);
        let rest: f64 = low.iter().zip(&high).map(|(a, b)| (a - gain * b).powi(2)).sum();
        let rest_db = 10.0 * (rest / dot(&low, &low)).log10();
        println!("{body}: {rest_db:.1} dB apart, {:+.2} dB in level", -20.0 * gain.log10());
        assert!(rest_db < -40.0, "{body}: {rest_db} dB");
    }
}

#[test]
fn retuned_keys_keep_the_contact() {
    let contact_s = |tracking: &str, key: u8| {
        let patch = patch(&[("keytrk", tracking)]);
        listen(&patch, &score(key, RATE_HZ, 0.2)).contacts[0].contact_time_s
    };
    assert_eq!(contact_s("Retune", 48), contact_s("Retune", 84));
    let octave = contact_s("Resize", 48) / contact_s("Resize", 60);
    assert!((octave - 2.0).abs() < 1e-3, "{octave}");
}

#[test]
fn hardness_is_the_contact_time() {
    for hardness in [0.0, 0.25, 0.5, 0.75, 1.0] {
        let mut patch = patch(&[("mu", "0"), ("speed", "1")]);
        set(&mut patch, "hard", &format!("{} %", 100.0 * hardness));
        // The stiffness of the contact is limited to 1e11: half a kilogram cannot be that hard.
        for mass in ["1 g", "20 g", "500 g"].into_iter().take(if hardness < 1.0 { 3 } else { 2 }) {
            set(&mut patch, "mass", mass);
            let got_s = listen(&patch, &score(69, RATE_HZ, 0.2)).contacts[0].contact_time_s;
            let off = got_s / contact_time_s(hardness) - 1.0;
            assert!(off.abs() < 1e-3, "hardness {hardness}, {mass}: {got_s} s, {off}");
        }
    }
}

#[test]
fn thickness_damps_and_does_not_retune() {
    let heard = |thickness: &str| {
        let sound = one(&alone(&[("thick", thickness)]), 69, 0.6, RATE_HZ).left;
        pitch_and_decay(&sound, RATE_HZ, 440.0, 0.02, 0.25)
    };
    let (hz, decay) = heard("1");
    for (text, thickness) in [("0.25", 0.25), ("2", 2.0), ("4", 4.0)] {
        let (thick_hz, thick_decay) = heard(text);
        assert!(cents(thick_hz, hz).abs() < 0.1, "{thick_hz}");
        assert!(
            (thick_decay / decay / thickness - 1.0).abs() < 0.01,
            "{text}: {}",
            thick_decay / decay
        );
    }
}

#[test]
fn the_corners_of_the_pad_are_the_materials() {
    let decay = |settings: &[(&str, &str)]| {
        let sound = one(&patch(&[&[("modes", "1")], settings].concat()), 69, 0.3, RATE_HZ).left;
        pitch_and_decay(&sound, RATE_HZ, 440.0, 0.02, 0.05).1
    };
    for (name, x, y) in [("Glass", "0", "0"), ("Steel", "100 %", "0"), ("Wood", "100 %", "100 %")] {
        let (by_name, by_pad) =
            (decay(&[("mater", name)]), decay(&[("mater", "Pad"), ("matx", x), ("maty", y)]));
        println!("{name}: {by_name:.3} and {by_pad:.3} 1/s");
        // The smallest loss factor of the pad is 1e-5.
        assert!((by_pad / by_name - 1.0).abs() < 0.01, "{name}: {by_name} {by_pad}");
    }
    // Halfway, the losses are in between.
    let middle = decay(&[("mater", "Pad"), ("matx", "100 %"), ("maty", "50 %")]);
    assert!(middle > decay(&[("mater", "Steel")]) && middle < decay(&[("mater", "Wood")]));
}
