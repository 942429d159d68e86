//! The gain of a voice: such that a blow of a given energy is equally loud on every body.

use crate::body::bank::CHUNK;
use crate::body::loudness::{Leveller, ReferenceBlow};
use crate::body::{Kernel, Modes};
use crate::patch::{Param, Patch};

/// Full scale for a levelled velocity of 1 m/s. A blow of 20 g at 3 m/s is heard at about -15 LUFS (momentary).
const FULL_SCALE: f64 = 0.75;
/// What rolls is far softer than what strikes: up to this speed (m/s, as the knob says) its voice is so much louder ...
const ROLLING: (f64, f64) = (0.6, 20.0);
/// Levelling takes as long as a tick of many modes: under unbroken automation it is done no more often than this, s.
const PAUSE_S: f64 = 0.05;

/// How much louder the voice of a gesture is. Beyond that speed what rolls grows louder by itself, and would soon do nothing
/// but drive the limiter: its voice gives way in proportion to the knob. Velocity, wheel and pressure keep their effect.
pub fn boost(patch: &Patch) -> f64 {
    let (slow_m_per_s, gain) = ROLLING;
    if patch.gesture().rolls() { gain * (slow_m_per_s / patch.get(Param::Speed)).min(1.0) } else { 1.0 }
}

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
    pub fn begin(&mut self, modes: &Modes, blow: &ReferenceBlow, boost: f64) {
        self.gain = self.wanted(modes, blow, boost);
        (self.step, self.due, self.waited_s) = (0.0, false, 0.0);
    }

    /// The body has changed. What rings goes on as it was; what strikes it from now on is levelled anew.
    pub fn change(&mut self) {
        self.due = true;
    }

    /// Control rate, `elapsed` samples after the last tick. `touched`: something strikes or rolls.
    pub fn tick(
        &mut self,
        modes: &Modes,
        blow: &ReferenceBlow,
        boost: f64,
        touched: bool,
        elapsed: usize,
        sample_rate_hz: f64,
    ) {
        // A way that is cut short is to be gone on with.
        self.due |= self.step != 0.0 && elapsed < CHUNK;
        self.gain += self.step * elapsed as f64;
        self.step = 0.0;
        self.waited_s += elapsed as f64 / sample_rate_hz;
        if self.due && touched && self.waited_s >= PAUSE_S {
            self.step = (self.wanted(modes, blow, boost) - self.gain) / CHUNK as f64;
            (self.due, self.waited_s) = (false, 0.0);
        }
    }

    fn wanted(&mut self, modes: &Modes, blow: &ReferenceBlow, boost: f64) -> f64 {
        FULL_SCALE * boost * self.leveller.gain(modes, blow)
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
