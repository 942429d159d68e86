//! The gain of a voice: such that a blow of a given energy is equally loud on every body.

use super::settings;
use crate::body::bank::CHUNK;
use crate::body::loudness::{Leveller, ReferenceBlow, Stage};
use crate::body::shape::Shapes;
use crate::body::{Kernel, Modes};
use crate::gesture::Gesture;
use crate::patch::{Param, Patch};

/// Full scale for a levelled velocity of 1 m/s. A blow of 20 g at 3 m/s is heard at about -15 LUFS (momentary).
const FULL_SCALE: f64 = 0.75;
/// What rolls is far softer than what strikes: up to this speed (m/s, as the knob says) its voice is so much louder ...
const ROLLING: (f64, f64) = (0.6, 20.0);
/// Levelling takes as long as a tick of many modes: under unbroken automation it is done no more often than this, s.
const PAUSE_S: f64 = 0.05;

/// A dragged tip is pressed down: it begins to rattle at a speed `sqrt(1 + press/(m g))` times as high as under its weight
/// alone, and reaches the loudness of a ball on the same way at about that times this speed (m/s; measured over the surfaces
/// that are shipped) ...
const LEVEL_M_PER_S: f64 = 0.15;
/// ... below which its voice is louder by this power of what is missing ...
const MADE_UP: f64 = 0.6;
/// ... and by no more than this: a tip that is slow and pressed hard glides, and is quiet.
const MOST_MADE_UP: f64 = 4.0;

/// How much louder the voice of a gesture is. Beyond some speed what rolls grows louder by itself, and would soon do nothing
/// but drive the limiter: its voice gives way in proportion to the knob. Velocity, wheel and pressure keep their effect.
///
/// A key that resizes makes striker and body heavier together, and at the same speed a blow on a low one has more energy: at C2
/// 64 times that of middle C. The energy that is levelled goes along, so that all keys of such a body are equally loud.
pub fn boost(patch: &Patch, key_st: f64) -> f64 {
    boost_of_key(patch, key_st) * boost_of_gesture(patch)
}

/// See [`boost`].
fn boost_of_key(patch: &Patch, key_st: f64) -> f64 {
    let (by_size, by_both) = (patch.scale().mass(), settings::scale_of(patch, key_st).mass());
    if by_both == by_size { 1.0 } else { (by_size / by_both).sqrt() }
}

/// See [`boost`].
fn boost_of_gesture(patch: &Patch) -> f64 {
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
    (level_m_per_s / speed_m_per_s).powf(MADE_UP).clamp(1.0, MOST_MADE_UP)
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
    /// It has not been levelled yet: nothing is heard of it so far.
    put_off: bool,
    waited_s: f64,
    /// What levelling may take, in steps of a mode; and what new bodies took since somebody asked.
    most_work: Option<u32>,
    worked: u32,
}

impl Level {
    /// Take over what another knows of a body.
    pub fn learn(&mut self, other: &Self) {
        self.leveller.learn(&other.leveller);
    }

    /// As if nothing had ever been levelled.
    pub fn forget(&mut self) {
        self.leveller.forget();
        (self.most_work, self.worked) = (None, 0);
    }

    /// Work that levelling may take from now on, in steps of a mode.
    pub fn set_most_work(&mut self, work: u32) {
        self.most_work = Some(work);
    }

    /// Work of levelling new bodies since the last call, in steps of a mode.
    pub fn take_work(&mut self) -> u32 {
        std::mem::take(&mut self.worked)
    }

    /// Level a new body at once, which may be lent for a rehearsal.
    pub fn begin(&mut self, stage: Option<&mut Stage>, modes: &Modes, blow: &ReferenceBlow, boost: f64) {
        self.put_off(boost);
        self.gain = self.wanted_at_first(stage, modes, blow, boost);
        self.put_off = false;
    }

    /// Level a new body later: nothing may be heard of it before [`catch_up`](Self::catch_up).
    pub fn put_off(&mut self, boost: f64) {
        self.leveller.begin();
        (self.gain, self.put_off) = (FULL_SCALE * boost, true);
        (self.step, self.due, self.waited_s) = (0.0, false, 0.0);
    }

    /// Whether the body is still to be levelled.
    pub fn is_put_off(&self) -> bool {
        self.put_off
    }

    /// Level a body that was to be levelled later.
    pub fn catch_up(&mut self, modes: &Modes, blow: &ReferenceBlow, boost: f64) {
        (self.gain, self.step) = (self.wanted_at_first(None, modes, blow, boost), 0.0);
        (self.due, self.put_off) = (false, false);
    }

    /// The shapes where the body that was levelled last is struck.
    pub fn struck(&self) -> &Shapes {
        self.leveller.struck()
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
        if self.due && touched && self.waited_s >= PAUSE_S && !self.put_off {
            self.step = (self.wanted(None, modes, blow, boost).0 - self.gain) / CHUNK as f64;
            (self.due, self.waited_s) = (false, 0.0);
        }
    }

    /// Level the body for what strikes it from now on, `samples` after the last tick. Returns how many times as loud what
    /// rings would be by this.
    pub fn renew(&mut self, modes: &Modes, blow: &ReferenceBlow, boost: f64, samples: usize) -> f64 {
        let before = self.after(samples);
        (self.gain, self.step, self.put_off) = (self.wanted(None, modes, blow, boost).0, 0.0, false);
        self.gain / before
    }

    /// Be so many times as loud.
    pub fn scale(&mut self, by: f64) {
        (self.gain, self.step) = (self.gain * by, self.step * by);
    }

    /// Gain of a new body, whose work is told.
    fn wanted_at_first(&mut self, stage: Option<&mut Stage>, modes: &Modes, blow: &ReferenceBlow, boost: f64) -> f64 {
        let (gain, work) = self.wanted(stage, modes, blow, boost);
        self.worked = self.worked.saturating_add(work);
        gain
    }

    /// Gain, and the work that it was.
    fn wanted(&mut self, stage: Option<&mut Stage>, modes: &Modes, blow: &ReferenceBlow, boost: f64) -> (f64, u32) {
        let (gain, work) = self.leveller.gain_on(stage, modes, blow, self.most_work.unwrap_or(u32::MAX));
        (FULL_SCALE * boost * gain, work)
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
    pub fn mix(&self, kernel: Kernel, out: [&mut [f64]; 2], sound: [&[f64; CHUNK]; 2], samples: usize) {
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
