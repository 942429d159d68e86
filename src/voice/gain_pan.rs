//! How loud a voice is besides its level, and where between left and right it stands.
//!
//! Pan turns the two sides against each other at constant power: `(sqrt 2 cos, sqrt 2 sin)` of
//! `(pan + 1) pi/4`, so that the middle is untouched and one side alone is 3 dB louder. The two
//! pickups stay left and right. A change is a straight line of 5 ms: neither a step of a controller
//! nor of an oscillator clicks.

use std::f64::consts::{FRAC_PI_4, SQRT_2};

/// Time in which a change is carried out, s.
const RAMP_S: f64 = 0.005;

/// Gains of both sides on their way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GainPan {
    now: [f64; 2],
    aim: [f64; 2],
    step: [f64; 2],
    /// Samples that are left of the way.
    left: u32,
    /// Gain and place that were asked for last.
    asked: [f64; 2],
}

impl Default for GainPan {
    fn default() -> Self {
        Self { now: [1.0; 2], aim: [1.0; 2], step: [0.0; 2], left: 0, asked: [1.0, 0.0] }
    }
}

/// Factors of left and right for a gain and a place from -1 to 1.
pub fn gains(gain: f64, pan: f64) -> [f64; 2] {
    // Exactly: a voice in the middle is to be left alone to the last bit.
    if pan == 0.0 {
        return [gain; 2];
    }
    let (sin, cos) = ((pan.clamp(-1.0, 1.0) + 1.0) * FRAC_PI_4).sin_cos();
    [gain * SQRT_2 * cos, gain * SQRT_2 * sin]
}

impl GainPan {
    /// Be there at once: for a voice that is silent.
    pub fn jump(&mut self, gain: f64, pan: f64) {
        let aim = gains(gain, pan);
        *self = Self { now: aim, aim, step: [0.0; 2], left: 0, asked: [gain, pan] };
    }

    /// Be there soon.
    pub fn aim(&mut self, gain: f64, pan: f64, sample_rate_hz: f64) {
        // Asked in every control period, and mostly for the same.
        if self.asked == [gain, pan] {
            return;
        }
        self.asked = [gain, pan];
        let aim = gains(gain, pan);
        if aim == self.aim {
            return;
        }
        self.aim = aim;
        // The cast saturates.
        self.left = (RAMP_S * sample_rate_hz).ceil().max(1.0) as u32;
        self.step = [0, 1].map(|side| (aim[side] - self.now[side]) / f64::from(self.left));
    }

    /// Whether it is there, and on no way.
    pub fn is_at(&self, gain: f64, pan: f64) -> bool {
        self.left == 0 && self.asked == [gain, pan]
    }

    /// Factors of left and right as they are.
    pub fn now(&self) -> [f64; 2] {
        self.now
    }

    /// Whether its gains are numbers, and stay so.
    pub fn is_finite(&self) -> bool {
        let Self { now, aim, step, .. } = self;
        [now, aim, step].iter().all(|[left, right]| left.is_finite() & right.is_finite())
    }

    /// Place some samples.
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
            gain_pan.aim(0.0, 0.0, rate_hz);
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
    fn in_the_middle_nothing_is_touched() {
        let mut gain_pan = GainPan::default();
        gain_pan.aim(1.0, 0.0, 48_000.0);
        let (mut left, mut right) = ([0.1, -0.3], [0.7, f64::MIN_POSITIVE]);
        gain_pan.process(&mut left, &mut right);
        assert_eq!((left, right), ([0.1, -0.3], [0.7, f64::MIN_POSITIVE]));
    }
}
