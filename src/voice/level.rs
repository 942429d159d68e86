//! The gain of a voice: such that a blow of a given energy is equally loud on every body.

use crate::body::bank::CHUNK;
use crate::body::loudness::{Leveller, ReferenceBlow};
use crate::body::{Kernel, Modes};

/// Full scale for a levelled velocity of 1 m/s. A blow of 20 g at 3 m/s is heard at about -15 LUFS (momentary).
const FULL_SCALE: f64 = 0.75;
/// What rolls is far softer than what strikes: its voice is this much louder.
const ROLLING: f64 = 20.0;
/// Levelling takes as long as a tick of many modes: under unbroken automation it is done no more often than this, s.
const PAUSE_S: f64 = 0.05;

/// Gain, and what it is made by.
#[derive(Clone, Debug, Default)]
pub struct Level {
    leveller: Leveller,
    /// At the last control tick, and its change per sample since.
    gain: f64,
    step: f64,
    /// The body has changed since it was last levelled.
    due: bool,
    waited_s: f64,
}

impl Level {
    /// Level a new body at once.
    pub fn begin(&mut self, modes: &Modes, blow: &ReferenceBlow, rolls: bool) {
        self.gain = self.wanted(modes, blow, rolls);
        (self.step, self.due, self.waited_s) = (0.0, false, 0.0);
    }

    /// The body has changed. What rings goes on as it was; what strikes it from now on is levelled anew.
    pub fn change(&mut self) {
        self.due = true;
    }

    /// Control rate. `touched`: something strikes or rolls.
    pub fn tick(&mut self, modes: &Modes, blow: &ReferenceBlow, rolls: bool, touched: bool, sample_rate_hz: f64) {
        self.gain += self.step * CHUNK as f64;
        self.step = 0.0;
        self.waited_s += CHUNK as f64 / sample_rate_hz;
        if self.due && touched && self.waited_s >= PAUSE_S {
            self.step = (self.wanted(modes, blow, rolls) - self.gain) / CHUNK as f64;
            (self.due, self.waited_s) = (false, 0.0);
        }
    }

    fn wanted(&mut self, modes: &Modes, blow: &ReferenceBlow, rolls: bool) -> f64 {
        FULL_SCALE * self.leveller.gain(modes, blow) * if rolls { ROLLING } else { 1.0 }
    }

    /// The gain `samples` after the last tick.
    pub fn after(&self, samples: usize) -> f64 {
        self.gain + self.step * samples as f64
    }

    /// Add `sound`, which begins `samples` after the last tick, to `out`.
    pub fn mix(&self, kernel: Kernel, out: &mut [f64], sound: &[f64; CHUNK], samples: usize) {
        if self.step == 0.0 {
            return kernel.mix(out, sound, self.gain);
        }
        for (i, (out, x)) in out.iter_mut().zip(sound).enumerate() {
            *out += x * self.after(samples + i + 1);
        }
    }
}
