//! Measures the loudness of a patch by playing its reference strike.
//!
//! The reference strike is the gesture of the patch at velocity 100 with the key held, at C4 (or at
//! the key of the side-chain). Its loudness is the maximum momentary loudness (ITU-R BS.1770-4:
//! windows of 400 ms, in steps of 20 ms), before *Level*, *Trim* and the limiter.

use std::collections::VecDeque;
use std::sync::Arc;

use super::{Engine, NoteEnds};
use crate::body::UserModes;
use crate::exciter::Gesture;
use crate::exciter::surface::SurfaceTable;
use crate::params::event::{Event, EventKind, NoteAddress};
use crate::params::{Param, Patch};
use crate::tuning::Tuning;

/// Target loudness of *Trim*: that of most factory presets of version 0.1.
pub const COMMON_LUFS: f64 = -26.0;

/// Sample rate of the measurement: fixed, so that *Trim* does not depend on the host's rate.
const RATE_HZ: f64 = 48_000.0;
/// Samples between the starts of two windows.
const HOP: usize = 960;
/// Hops in a window of 400 ms.
const WINDOW_HOPS: usize = 20;
/// Duration of the measurement from the first sound on, s. A strike is loudest at its beginning;
/// other gestures are measured for longer.
const STRIKE_S: f64 = 0.8;
const GESTURE_S: f64 = 3.0;
/// Maximum wait for the first sound, s: a falling body may take long to land.
const MAX_WAIT_S: f64 = 20.0;
/// A sound below this loudness counts as silent.
const SILENCE_LUFS: f64 = -200.0;
/// Attenuation by each of *Level* and *Trim* while measuring, so that no peak is clipped, dB.
const HEADROOM_DB: f64 = 60.0;

/// Loudness of the reference strike, LUFS at *Level* and *Trim* 0 dB; `None` if it is silent.
///
/// The engine must already have the surface, the list of modes and the tuning of the sound. The
/// result is reproducible with a new engine.
pub fn loudness_lufs(engine: &mut Engine, patch: &Patch) -> Option<f64> {
    let mut patch = patch.clone();
    let key = if patch.choice(Param::ExternalMode) == 0 {
        60
    } else {
        patch.choice(Param::ExternalKey) as u8
    };
    for (param, value) in [
        (Param::Level, -HEADROOM_DB),
        (Param::Trim, -HEADROOM_DB),
        (Param::Limiter, 0.0),
        (Param::ExternalMode, 0.0),
        // The same random values in every measurement.
        (Param::Fresh, 0.0),
    ] {
        patch.set(param, value);
    }
    engine.prepare(RATE_HZ);
    let note = NoteAddress { id: None, channel: Some(0), key: Some(key) };
    let kind = EventKind::NoteOn { velocity: 100.0 / 127.0 };
    let mut events = &[Event { offset: 0, note, kind }][..];
    let lasts_s = if is_one_blow(&patch) { STRIKE_S } else { GESTURE_S };
    let (mut hops_left, mut is_heard) = (hops(MAX_WAIT_S), false);
    let mut ears = [LoudnessMeter::default(); 2];
    let mut window = VecDeque::with_capacity(WINDOW_HOPS);
    let (mut loudest, mut ends) = (0f64, NoteEnds::new());
    while hops_left > 0 {
        let mut sides = [[0f32; HOP]; 2];
        let [left, right] = &mut sides;
        let status = engine.process(&patch, events, left, right, &mut ends);
        (events, hops_left) = (&[], hops_left - 1);
        ends.clear();
        if !is_heard && sides.iter().flatten().any(|x| *x != 0.0) {
            (is_heard, hops_left) = (true, hops(lasts_s));
        }
        if window.len() == WINDOW_HOPS {
            window.pop_front();
        }
        let energy: f64 = ears.iter_mut().zip(&sides).map(|(ear, side)| ear.energy(side)).sum();
        window.push_back(energy);
        loudest = loudest.max(window.iter().sum());
        if status.voices == 0 && status.tail_samples == 0 {
            break;
        }
    }
    let lufs = -0.691 + 10.0 * (loudest / (HOP * WINDOW_HOPS) as f64).log10() + 2.0 * HEADROOM_DB;
    (lufs.is_finite() && lufs > SILENCE_LUFS).then_some(lufs)
}

/// Calls [`loudness_lufs`] with a new engine that has these modes, tuning and surface.
pub fn measure(
    patch: &Patch,
    modes: &UserModes,
    tuning: Option<&Tuning>,
    surface: Option<Arc<SurfaceTable>>,
) -> Option<f64> {
    let mut engine = Engine::new();
    engine.set_list(modes);
    if let Some(tuning) = tuning {
        engine.set_tuning(tuning);
    }
    if let Some(surface) = surface {
        // A new engine accepts its first surface.
        let _ = engine.set_surface(surface);
    }
    loudness_lufs(&mut engine, patch)
}

/// The *Trim* (dB) that brings a loudness to [`COMMON_LUFS`], in steps of 0.1 dB and within its
/// range.
pub fn trim_db(lufs: f64) -> f64 {
    let (min, max) = Param::Trim.spec().range_si();
    ((10.0 * (COMMON_LUFS - lufs)).round() / 10.0).clamp(min, max)
}

/// True if a change of the parameter requires another *Trim*. *Level*, and a *Trim* that the user
/// sets, are left alone.
pub fn is_measured(param: Param) -> bool {
    !matches!(param, Param::Level | Param::Trim | Param::Limiter)
}

/// True if the sound cannot become louder after its beginning.
fn is_one_blow(patch: &Patch) -> bool {
    patch.gesture() == Gesture::Strike
}

fn hops(time_s: f64) -> usize {
    (time_s * RATE_HZ) as usize / HOP + 1
}

/// The K-weighting of ITU-R BS.1770-4 at 48 kHz: a shelf and a high-pass, with the recommendation's
/// coefficients.
const K_WEIGHTING: [([f64; 3], [f64; 2]); 2] = [
    (
        [1.535_124_859_586_97, -2.691_696_189_406_38, 1.198_392_810_852_85],
        [-1.690_659_293_182_41, 0.732_480_774_215_85],
    ),
    ([1.0, -2.0, 1.0], [-1.990_047_454_833_98, 0.990_072_250_366_21]),
];

/// The weighting filters of one side: state in transposed direct form II.
#[derive(Clone, Copy, Debug, Default)]
struct LoudnessMeter {
    state: [[f64; 2]; 2],
}

impl LoudnessMeter {
    /// Energy of the weighted samples.
    fn energy(&mut self, samples: &[f32]) -> f64 {
        let mut energy = 0.0;
        for x in samples {
            let mut x = f64::from(*x);
            for ((b, a), state) in K_WEIGHTING.iter().zip(&mut self.state) {
                let y = b[0] * x + state[0];
                *state = [b[1] * x - a[0] * y + state[1], b[2] * x - a[1] * y];
                x = y;
            }
            energy += x * x;
        }
        energy
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// BS.1770: a sine of 997 Hz at 0 dBFS on one side has -3.01 LUFS.
    #[test]
    fn the_weighting_is_that_of_the_recommendation() {
        let sine = |n| (2.0 * std::f64::consts::PI * 997.0 * f64::from(n) / RATE_HZ).sin() as f32;
        let sound: Vec<f32> = (0..48_000).map(sine).collect();
        let mut ear = LoudnessMeter::default();
        ear.energy(&sound[..24_000]);
        let lufs = -0.691 + 10.0 * (ear.energy(&sound[24_000..]) / 24_000.0).log10();
        assert!((lufs + 3.01).abs() < 0.01, "{lufs}");
    }

    #[test]
    fn level_trim_and_limiter_are_taken_out() {
        let measured = |settings: &[(Param, f64)]| {
            let mut patch = Patch::default();
            settings.iter().for_each(|(param, value)| _ = patch.set(*param, *value));
            loudness_lufs(&mut Engine::new(), &patch).expect("it is heard")
        };
        let alone = measured(&[]);
        assert_eq!(
            alone,
            measured(&[(Param::Level, 20.0), (Param::Trim, -40.0), (Param::Limiter, 0.0)])
        );
        let softer = measured(&[(Param::Speed, 1.0)]);
        assert!(softer < alone - 0.3, "{softer} {alone}");
    }

    #[test]
    fn a_trim_is_rounded_and_in_range() {
        assert_eq!(trim_db(COMMON_LUFS - 3.13), 3.1);
        assert_eq!(trim_db(COMMON_LUFS + 3.16), -3.2);
        assert_eq!(trim_db(-190.0), 120.0);
    }
}
