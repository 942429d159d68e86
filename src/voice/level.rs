//! The gain of a voice: such that the reference blow is equally loud on every body.

use crate::body::bank::CHUNK;
use crate::body::{Kernel, Modes};
use crate::exciter::Gesture;
use crate::levelling::ReferenceBlow;
use crate::params::{Param, Patch};

/// Full scale for a levelled velocity of 1 m/s. A blow of 20 g at 3 m/s is heard at about -15 LUFS
/// (momentary).
const FULL_SCALE: f64 = 0.75;
/// What rolls is far softer than what strikes: up to this speed (m/s, as the knob says) its voice
/// is so much louder ...
const ROLLING: (f64, f64) = (0.6, 20.0);
/// A dragged tip is pressed down: it begins to rattle at a speed `sqrt(1 + press/(m g))` times as
/// high as under its weight alone, and reaches the loudness of a ball on the same way at about that
/// times this speed (m/s; measured over the surfaces that are shipped) ...
const LEVEL_M_PER_S: f64 = 0.15;
/// ... below which its voice is louder by this power of what is missing ...
const MADE_UP: f64 = 0.6;
/// ... and by no more than this: a tip that is slow and pressed hard glides, and is quiet.
const MAX_MADE_UP: f64 = 4.0;

/// How much louder the voice of a gesture is. Beyond some speed what rolls grows louder by itself,
/// and would soon do nothing but drive the limiter: its voice gives way in proportion to the knob.
/// Velocity, wheel and pressure keep their effect.
pub fn boost(patch: &Patch) -> f64 {
    if !patch.gesture().rolls() {
        return 1.0;
    }
    let (slow_m_per_s, gain) = ROLLING;
    let speed_m_per_s = patch.get(Param::Speed);
    let rolling = gain * (slow_m_per_s / speed_m_per_s).min(1.0);
    rolling * if patch.gesture() == Gesture::Scrape { made_up(patch, speed_m_per_s) } else { 1.0 }
}

/// How much louder a dragged tip is made than a ball.
fn made_up(patch: &Patch, speed_m_per_s: f64) -> f64 {
    let weight_n = patch.contact().mass_kg * patch.get(Param::Gravity);
    let level_m_per_s = LEVEL_M_PER_S * (1.0 + patch.get(Param::Press) / weight_n).sqrt();
    (level_m_per_s / speed_m_per_s).powf(MADE_UP).clamp(1.0, MAX_MADE_UP)
}

/// The gain of a voice, settled when it is struck.
///
/// A voice that rings by itself keeps its gain whatever changes. Where something stays on a body
/// that changes (a roll, a ball that bounces) the gain glides to what the new body needs within one
/// control period.
#[derive(Clone, Debug, Default)]
pub struct Level {
    /// At the last control tick, and its change per sample since.
    gain: f64,
    step: f64,
    /// The body or the blow has changed since the gain was settled.
    is_stale: bool,
}

impl Level {
    /// Settles the gain for a blow on a new body.
    pub fn begin(&mut self, modes: &mut Modes, blow: &ReferenceBlow, boost: f64) {
        *self = Self { gain: FULL_SCALE * boost * blow.gain(modes), step: 0.0, is_stale: false };
    }

    /// The body or the blow has changed.
    pub fn change(&mut self) {
        self.is_stale = true;
    }

    /// Whether the body or the blow has changed since the gain was settled.
    pub fn is_stale(&self) -> bool {
        self.is_stale
    }

    /// Control rate, `elapsed` samples after the last tick. `touched`: something strikes or rolls.
    pub fn tick(
        &mut self,
        modes: &mut Modes,
        blow: &ReferenceBlow,
        boost: f64,
        touched: bool,
        elapsed: usize,
    ) {
        // A glide that is cut short goes on.
        self.is_stale |= self.step != 0.0 && elapsed < CHUNK;
        self.gain += self.step * elapsed as f64;
        self.step = 0.0;
        if self.is_stale && touched {
            self.step = (FULL_SCALE * boost * blow.gain(modes) - self.gain) / CHUNK as f64;
            self.is_stale = false;
        }
    }

    /// Settles the gain for a further blow, `samples` after the last tick. Returns the factor by
    /// which this makes louder what rings.
    pub fn renew(
        &mut self,
        modes: &mut Modes,
        blow: &ReferenceBlow,
        boost: f64,
        samples: usize,
    ) -> f64 {
        let before = self.after(samples);
        self.begin(modes, blow, boost);
        self.gain / before
    }

    /// Scales the gain.
    pub fn scale(&mut self, by: f64) {
        (self.gain, self.step) = (self.gain * by, self.step * by);
    }

    /// Whether the gain stays as it is until something strikes.
    pub fn is_steady(&self) -> bool {
        self.step == 0.0
    }

    /// Whether it is a number, and stays one.
    pub fn is_finite(&self) -> bool {
        self.gain.is_finite() && self.step.is_finite()
    }

    /// The gain `samples` after the last tick.
    pub fn after(&self, samples: usize) -> f64 {
        self.gain + self.step * samples as f64
    }

    /// Add both sides of a `sound`, which begins `samples` after the last tick, to `out`.
    pub fn mix(
        &self,
        kernel: Kernel,
        out: [&mut [f64]; 2],
        sound: [&[f64; CHUNK]; 2],
        samples: usize,
    ) {
        if self.step == 0.0 {
            return kernel.mix_both(out, sound.map(|side| &side[..]), self.gain);
        }
        for (out, sound) in out.into_iter().zip(sound) {
            for (i, (out, x)) in out.iter_mut().zip(sound).enumerate() {
                *out += x * self.after(samples + i + 1);
            }
        }
    }
}
