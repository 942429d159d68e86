//! Every body sounds at its pitch and decays by its law, from 20 Hz to 16 kHz at every sample rate.
//! Measured on the sound of its lowest mode, excited by contact-like pushes and rendered by the
//! bank.

use std::f64::consts::PI;

use ictus::body::bank::CHUNK;
use ictus::body::material::{Damping, rate_of_t60};
use ictus::body::{Bank, BodyKind, Drive, Geometry, Listening, Modes, Steps, UserModes};
use ictus::contact::Surface;

const T60_S: f64 = 2.0;

/// The sound of the body's lowest mode, and its expected frequency.
fn ring(kind: BodyKind, pitch_hz: f64, fs: f64) -> (Vec<f64>, f64) {
    let mut modes = Modes::default();
    modes.set_body(&Geometry { count: 1.0, ..Geometry::of(kind) }, &UserModes::default());
    let [strike, left, right] = kind.spec().usual_points;
    // All three kinds of loss, 2 s together.
    let third = rate_of_t60(T60_S) / 3.0;
    let frequency_hz = pitch_hz * modes.spectrum().ratio(0);
    let damping = Damping {
        support_per_s: 2.0 * third,
        loss_factor: third / (PI * frequency_hz),
        viscous_s: 2.0 * third / (2.0 * PI * frequency_hz).powi(2),
    };
    modes.set(pitch_hz, &damping, Listening { left, right }, fs);
    modes.arrive();
    let (mut drive, mut bank) = (Drive::default(), Bank::default());
    drive.set_gains(&modes.drive_gains(strike, 1.0));
    let mut steps = Steps::default();
    drive.begin_sample();
    drive.on(&modes, &mut steps).push(10.0, 0.3 / fs);
    drive.on(&modes, &mut steps).push(0.0, 0.7 / fs);
    bank.take(&modes, &drive);
    let samples = (1.4 * fs) as usize / CHUNK * CHUNK;
    let (mut l, mut r) = (vec![0.0; samples], vec![0.0; samples]);
    for (l, r) in l.chunks_mut(CHUNK).zip(r.chunks_mut(CHUNK)) {
        bank.process(&mut modes, l, r);
    }
    (l, frequency_hz)
}

/// Phase and logarithm of the amplitude at a frequency over half a second from `start_s`,
/// Hann-weighted; the phase is relative to a clock that runs from the beginning.
fn measure(sound: &[f64], start_s: f64, frequency_hz: f64, fs: f64) -> (f64, f64) {
    let (start, length) = ((start_s * fs) as usize, (0.5 * fs) as usize);
    let (mut re, mut im) = (0.0, 0.0);
    for i in 0..length {
        let window = 0.5 - 0.5 * (2.0 * PI * i as f64 / length as f64).cos();
        let (sin, cos) = (2.0 * PI * frequency_hz * (start + i) as f64 / fs).sin_cos();
        re += window * sound[start + i] * cos;
        im -= window * sound[start + i] * sin;
    }
    (im.atan2(re), re.hypot(im).ln())
}

#[test]
fn every_body_is_in_tune_and_decays_by_its_law() {
    let (mut worst_cents, mut worst_t60) = (0.0f64, 0.0f64);
    for kind in BodyKind::ALL {
        for fs in [44_100.0, 48_000.0, 96_000.0, 192_000.0] {
            for wanted_hz in [20.0, 110.0, 1_234.5, 16_000.0] {
                // A bell's lowest mode lies below its pitch.
                let pitch_hz = match kind {
                    BodyKind::ChurchBell => 2.0 * wanted_hz,
                    BodyKind::TubularBell => wanted_hz / 0.223_889,
                    _ => wanted_hz,
                };
                let (sound, hz) = ring(kind, pitch_hz, fs);
                let (early, late) = (measure(&sound, 0.1, hz, fs), measure(&sound, 0.6, hz, fs));
                let apart_s = ((0.6 * fs) as usize - (0.1 * fs) as usize) as f64 / fs;
                let turned = (late.0 - early.0 + PI).rem_euclid(2.0 * PI) - PI;
                let cents = 1200.0 * (1.0 + turned / (2.0 * PI * apart_s) / hz).log2();
                let t60_s = 1000f64.ln() * apart_s / (early.1 - late.1);
                assert!(cents.abs() < 0.1, "{}, {hz} Hz at {fs}: {cents} cents", kind.name());
                assert!(
                    (t60_s / T60_S - 1.0).abs() < 0.01,
                    "{}, {hz} Hz at {fs}: T60 {t60_s} s",
                    kind.name()
                );
                worst_cents = worst_cents.max(cents.abs());
                worst_t60 = worst_t60.max((t60_s / T60_S - 1.0).abs());
            }
        }
    }
    println!("at most {worst_cents:.2e} cents and {:.2e} % of T60", 100.0 * worst_t60);
}
