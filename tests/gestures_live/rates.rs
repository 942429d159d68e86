//! The same sound at every sample rate: third octaves from 100 Hz to 8 kHz at 44.1 kHz against those at 192 kHz.
//!
//! A ball that stays on the ground does the same at both rates, and so does what is heard of it. One that rattles is chaotic:
//! the two rates are two samples of one random process, whose mean powers agree the better the longer one listens. A
//! partial with a decay of `a` per second has a mean power over T seconds that strays by `1/sqrt(a T)` at least: by 0.8 dB
//! in 10 s for the lowest ones of the plate as it is by default (a = 2.4/s), by 0.3 dB in a minute. Those of a wooden one
//! fade ten times as fast.

use crate::common::{one, patch};
use crate::sound::third_octaves_db;

const RATES_HZ: (f64, f64) = (44_100.0, 192_000.0);

/// How far the bands are apart at most, dB, and at which, Hz, after listening for so long, s.
fn apart(settings: &[(&str, &str)], key: u8, listened_s: &[f64]) -> Vec<f64> {
    let patch = patch(settings);
    let longest_s = listened_s.iter().copied().fold(0.0, f64::max);
    let play = |rate_hz: f64| one(&patch, key, 1.0 + longest_s, rate_hz).left;
    let (low, high) = (play(RATES_HZ.0), play(RATES_HZ.1));
    let of = |listened_s: &f64| {
        let bands = |sound: &[f64], rate_hz: f64| {
            third_octaves_db(&sound[rate_hz as usize..((1.0 + listened_s) * rate_hz) as usize], rate_hz)
        };
        let mut worst = (0.0f64, 0.0);
        let mut squares = 0.0;
        let (low, high) = (bands(&low, RATES_HZ.0), bands(&high, RATES_HZ.1));
        for ((hz, a), (_, b)) in low.iter().zip(&high) {
            squares += (a - b) * (a - b);
            if (a - b).abs() > worst.0 {
                worst = ((a - b).abs(), *hz);
            }
        }
        let rms = (squares / low.len() as f64).sqrt();
        println!("{settings:?}, {listened_s} s: {:.2} dB apart at {:.0} Hz, {rms:.2} dB in the mean", worst.0, worst.1);
        worst.0
    };
    listened_s.iter().map(of).collect()
}

const PLATE: [(&str, &str); 2] = [("gest", "Roll"), ("body", "Supported plate")];

#[test]
fn a_ball_that_stays_on_the_ground_sounds_alike_at_every_rate() {
    for speed in ["0.05", "0.1"] {
        let apart = apart(&[&PLATE[..], &[("speed", speed)]].concat(), 45, &[8.0]);
        assert!(apart[0] <= 1.5, "{speed} m/s: {apart:?}");
    }
}

#[test]
fn a_ball_that_rattles_on_wood_sounds_alike_at_every_rate() {
    let apart = apart(&[&PLATE[..], &[("speed", "0.5"), ("modes", "256"), ("mater", "Wood")]].concat(), 28, &[10.0]);
    assert!(apart[0] <= 1.5, "{apart:?}");
}

#[test]
fn a_ball_that_rattles_on_a_plate_sounds_alike_at_every_rate() {
    let apart = apart(&[&PLATE[..], &[("speed", "0.5")]].concat(), 45, &[15.0, 30.0, 60.0, 120.0]);
    assert!(apart[0] <= 1.5, "{apart:?}");
}
