//! What comes after the body: gain and pan, the fade of a choked voice, and the sound that a
//! contact radiates by itself ([`air`]).

pub mod air;

use std::f64::consts::{FRAC_PI_4, SQRT_2};

use super::body::Level;
use crate::params::{Param, Patch};
use air::Air;

/// Time in which gain and pan reach a new value, s.
const RAMP_S: f64 = 0.005;

/// A choked or stolen voice is silent after this time, s.
pub const FADE_S: f64 = 0.005;

/// The key in the middle of the pan range.
const MIDDLE_KEY: f64 = 60.0;
/// Keys from the middle to one side.
const KEYS_PER_SIDE: f64 = 48.0;

/// The gains of a voice, and the sound of its contacts.
#[derive(Clone, Debug)]
pub struct Output {
    pub gain_pan: GainPan,
    pub air: Air,
    /// Pan of the key, -1…1; that of the note is added to it.
    pub key_pan: f64,
    /// Gain of a choke in progress and its change per sample; 1 and 0 otherwise.
    fade: f64,
    fade_step: f64,
}

impl Default for Output {
    fn default() -> Self {
        Self {
            gain_pan: GainPan::default(),
            air: Air::default(),
            key_pan: 0.0,
            fade: 1.0,
            fade_step: 0.0,
        }
    }
}

impl Output {
    /// Resets to silence, without a fade and in the middle.
    pub fn reset(&mut self) {
        self.gain_pan = GainPan::default();
        self.air.reset();
        (self.key_pan, self.fade, self.fade_step) = (0.0, 1.0, 0.0);
    }

    /// Starts the note of a key.
    pub fn begin(&mut self, patch: &Patch, key: u8) {
        self.air.begin(patch.get(Param::Air));
        self.key_pan = key_pan(patch, key);
        self.gain_pan.jump(1.0, self.key_pan);
    }

    /// Whether all gains are finite.
    pub fn is_finite(&self) -> bool {
        self.gain_pan.is_finite() && self.fade.is_finite() && self.fade_step.is_finite()
    }

    /// Starts to fade out, within [`FADE_S`].
    pub fn choke(&mut self, sample_rate_hz: f64) {
        if self.fade_step == 0.0 {
            let step = 1.0 / (FADE_S * sample_rate_hz);
            // At once if the rate is NaN: every voice can be choked.
            self.fade_step = if step > 0.0 { -step } else { -1.0 };
        }
    }

    /// Whether it is choked.
    pub fn is_fading(&self) -> bool {
        self.fade_step != 0.0
    }

    /// Gain of the choke and its change per sample.
    pub fn fade(&self) -> (f64, f64) {
        (self.fade, self.fade_step)
    }

    /// Adds `sound`, which begins `samples` after the last tick, to `out` during a choke. Returns
    /// the sample at which the choke ends.
    pub fn fade_out(
        &mut self,
        [left, right]: [&mut [f64]; 2],
        [l, r]: [&[f64]; 2],
        level: &Level,
        samples: usize,
    ) -> Option<usize> {
        for i in 0..left.len() {
            let gain = self.fade * level.after(samples + i + 1);
            left[i] += l[i] * gain;
            right[i] += r[i] * gain;
            self.fade += self.fade_step;
            if self.fade <= 0.0 {
                return Some(i);
            }
        }
        None
    }
}

/// Pan of a key, -1 (left) to 1.
fn key_pan(patch: &Patch, key: u8) -> f64 {
    (patch.get(Param::KeyPan) * (f64::from(key) - MIDDLE_KEY) / KEYS_PER_SIDE).clamp(-1.0, 1.0)
}

/// Gains of left and right, and their ramp to new values.
///
/// Pan has constant power: `(sqrt 2 cos, sqrt 2 sin)` of `(pan + 1) pi/4`, so that the middle is
/// unchanged and a single side is 3 dB louder. The pickups stay left and right. A change is a
/// straight ramp of 5 ms, so that steps of controllers and oscillators do not click.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GainPan {
    now: [f64; 2],
    aim: [f64; 2],
    step: [f64; 2],
    /// Samples left of the ramp.
    left: u32,
    /// Gain and pan of the last request.
    requested: [f64; 2],
}

impl Default for GainPan {
    fn default() -> Self {
        Self { now: [1.0; 2], aim: [1.0; 2], step: [0.0; 2], left: 0, requested: [1.0, 0.0] }
    }
}

/// Gains of left and right for a gain and a pan from -1 to 1.
fn gains(gain: f64, pan: f64) -> [f64; 2] {
    // Exact, so that a voice in the middle keeps every bit.
    if pan == 0.0 {
        return [gain; 2];
    }
    let (sin, cos) = ((pan.clamp(-1.0, 1.0) + 1.0) * FRAC_PI_4).sin_cos();
    [gain * SQRT_2 * cos, gain * SQRT_2 * sin]
}

impl GainPan {
    /// Sets gain and pan at once: for a silent voice.
    pub fn jump(&mut self, gain: f64, pan: f64) {
        let aim = gains(gain, pan);
        *self = Self { now: aim, aim, step: [0.0; 2], left: 0, requested: [gain, pan] };
    }

    /// Sets gain and pan to be reached within [`RAMP_S`].
    pub fn set(&mut self, gain: f64, pan: f64, sample_rate_hz: f64) {
        // Called in every control period, mostly with the same values.
        if self.requested == [gain, pan] {
            return;
        }
        self.requested = [gain, pan];
        let aim = gains(gain, pan);
        if aim == self.aim {
            return;
        }
        self.aim = aim;
        // The cast saturates.
        self.left = (RAMP_S * sample_rate_hz).ceil().max(1.0) as u32;
        self.step = [0, 1].map(|side| (aim[side] - self.now[side]) / f64::from(self.left));
    }

    /// Whether these gain and pan are reached.
    pub fn is_at(&self, gain: f64, pan: f64) -> bool {
        self.left == 0 && self.requested == [gain, pan]
    }

    /// Gains of left and right.
    pub fn now(&self) -> [f64; 2] {
        self.now
    }

    /// Whether its gains are finite and stay so.
    pub fn is_finite(&self) -> bool {
        let Self { now, aim, step, .. } = self;
        [now, aim, step].iter().all(|[left, right]| left.is_finite() & right.is_finite())
    }

    /// Applies the gains.
    pub fn process(&mut self, left: &mut [f64], right: &mut [f64]) {
        if self.left == 0 && self.now == [1.0; 2] {
            return;
        }
        for (l, r) in left.iter_mut().zip(right) {
            if self.left > 0 {
                self.left -= 1;
                self.now = [0, 1].map(|side| self.now[side] + self.step[side]);
                if self.left == 0 {
                    self.now = self.aim;
                }
            }
            *l *= self.now[0];
            *r *= self.now[1];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn power_is_the_same_at_every_place() {
        for n in -20..=20 {
            let [left, right] = gains(0.5, f64::from(n) / 20.0);
            assert!((left * left + right * right - 0.5).abs() < 1e-12, "{n}");
        }
        assert_eq!(gains(0.7, 0.0), [0.7; 2]);
        assert!(gains(1.0, 1.0)[0].abs() < 1e-12 && gains(1.0, -1.0)[1].abs() < 1e-12);
    }

    #[test]
    fn a_change_takes_five_milliseconds_at_every_rate_and_never_jumps() {
        for rate_hz in [44_100.0, 192_000.0] {
            let mut gain_pan = GainPan::default();
            gain_pan.set(0.0, 0.0, rate_hz);
            let samples = (RAMP_S * rate_hz).ceil() as usize;
            let (mut left, mut right) = (vec![1.0; samples + 5], vec![1.0; samples + 5]);
            gain_pan.process(&mut left, &mut right);
            assert!(
                left.windows(2).all(|pair| (pair[1] - pair[0]).abs() <= 1.001 / samples as f64)
            );
            assert!(left[samples - 2] > 0.0 && left[samples - 1..].iter().all(|x| *x == 0.0));
        }
    }

    #[test]
    fn the_middle_keeps_every_bit() {
        let mut gain_pan = GainPan::default();
        gain_pan.set(1.0, 0.0, 48_000.0);
        let (mut left, mut right) = ([0.1, -0.3], [0.7, f64::MIN_POSITIVE]);
        gain_pan.process(&mut left, &mut right);
        assert_eq!((left, right), ([0.1, -0.3], [0.7, f64::MIN_POSITIVE]));
    }

    #[test]
    fn keys_spread_around_the_middle() {
        let mut patch = Patch::default();
        assert!((0..128).all(|key| key_pan(&patch, key) == 0.0));
        patch.set(Param::KeyPan, 1.0);
        assert_eq!(
            [0, 12, 60, 84, 108, 127].map(|key| key_pan(&patch, key)),
            [-1.0, -1.0, 0.0, 0.5, 1.0, 1.0]
        );
        patch.set(Param::KeyPan, -0.5);
        assert_eq!([12, 108].map(|key| key_pan(&patch, key)), [0.5, -0.5]);
    }
}
