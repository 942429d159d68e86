//! The body of a voice: its modes, their state, and its level.

use super::crossfade::Crossfade;
use super::exciters::ContactContext;
use super::process::Timing;
use super::settings::{BodySettings, SettingsCache};
use crate::body::bank::{CHUNK, FLOOR};
use crate::body::{Bank, Kernel, Modes, UserModes};
use crate::exciter::Gesture;
use crate::levelling::ReferenceBlow;
use crate::params::{Param, Patch};

/// The modes of a body and the settings they were built from.
#[derive(Clone, Debug)]
pub struct Object {
    /// Its modes.
    pub modes: Modes,
    /// The settings the modes were built from.
    pub settings: BodySettings,
    sample_rate_hz: f64,
    /// The reciprocal, because every sample reads it and a division is slow.
    dt_s: f64,
}

impl Object {
    /// Of the default patch, with room for `capacity` modes. Allocates. Call
    /// [`build`](Self::build) before it plays.
    fn new(capacity: usize) -> Self {
        Self {
            modes: Modes::new(capacity),
            settings: BodySettings::default(),
            sample_rate_hz: 48_000.0,
            dt_s: 1.0 / 48_000.0,
        }
    }

    /// Clears all memory, NaN included.
    fn rebuild(&mut self) {
        self.modes.renew();
        self.settings = BodySettings::default();
    }

    /// Sets the sample rate, Hz.
    fn prepare(&mut self, sample_rate_hz: f64) {
        (self.sample_rate_hz, self.dt_s) = (sample_rate_hz, 1.0 / sample_rate_hz);
    }

    /// Builds the modes. Returns the work of the mode shapes that had to be computed.
    fn build(&mut self, settings: BodySettings, list: &UserModes) -> u32 {
        self.settings = settings;
        self.modes.set_body(&settings.geometry, list);
        self.modes.set_parts(&settings.parts, list);
        self.modes.set(
            settings.pitch_hz,
            &settings.damping,
            settings.listening,
            self.sample_rate_hz,
        )
    }

    /// What exciters need to know of the body, with `patch` for contacts to come.
    pub fn contact_context<'a>(&'a self, patch: &'a Patch) -> ContactContext<'a> {
        ContactContext {
            modes: &self.modes,
            patch,
            weight_kg: self.settings.weight_kg,
            dt_s: self.dt_s,
        }
    }

    /// Samples per second.
    pub fn sample_rate_hz(&self) -> f64 {
        self.sample_rate_hz
    }

    /// Interval between samples, s.
    pub fn dt_s(&self) -> f64 {
        self.dt_s
    }
}

/// The modes, their state and their level, and the crossfade when the body changes.
#[derive(Clone, Debug)]
pub struct VoiceBody {
    pub object: Object,
    pub bank: Bank,
    pub level: Level,
    pub crossfade: Crossfade,
    pub settings_cache: SettingsCache,
}

impl VoiceBody {
    /// At rest, with room for `capacity` modes. Allocates.
    pub fn new(capacity: usize) -> Self {
        Self {
            object: Object::new(capacity),
            bank: Bank::new(capacity),
            level: Level::default(),
            crossfade: Crossfade::new(capacity),
            settings_cache: SettingsCache::default(),
        }
    }

    /// Sets the sample rate, Hz.
    pub fn prepare(&mut self, sample_rate_hz: f64) {
        self.object.prepare(sample_rate_hz);
    }

    /// Resets to silence. The modes stay until the next body is built, because computing them is
    /// expensive and the next note may have the same.
    pub fn reset(&mut self) {
        self.bank.reset();
        self.level = Level::default();
        self.crossfade.reset();
        self.settings_cache.clear();
    }

    /// Clears all memory, NaN included.
    pub fn rebuild(&mut self) {
        self.object.rebuild();
        self.bank.renew();
        self.level = Level::default();
        self.crossfade.rebuild();
        self.settings_cache = SettingsCache::default();
    }

    /// Whether it is prepared for this rate (Hz) and its spectrum is finite.
    pub fn is_intact(&self, sample_rate_hz: f64) -> bool {
        let Object { modes, sample_rate_hz: own_hz, dt_s, .. } = &self.object;
        (*own_hz, *dt_s) == (sample_rate_hz, 1.0 / sample_rate_hz) && modes.spectrum().is_finite()
    }

    /// Builds the modes. Returns the work of the mode shapes that had to be computed.
    pub fn build(&mut self, settings: BodySettings, list: &UserModes) -> u32 {
        self.settings_cache.invalidate();
        self.object.build(settings, list)
    }

    /// Sets the level for the body that was just built.
    pub fn begin_level(&mut self) {
        let Object { modes, settings, .. } = &mut self.object;
        self.level.begin(modes, &settings.blow);
    }

    /// Samples until it is silent if nothing more touches it: an upper bound. `passed`: samples
    /// since the `loudest` mode was measured.
    pub fn decay_samples(&self, loudest: f64, passed: u64) -> u64 {
        let decay_s = (loudest / FLOOR).max(1.0).ln() / self.object.modes.slowest_per_s;
        // The cast saturates.
        let samples = (decay_s * self.object.sample_rate_hz) as u64;
        let decay = samples.saturating_add(Timing::MAX_LATE).saturating_sub(passed);
        // The body that fades after a change may outlast this one.
        decay.max(self.crossfade.samples().saturating_add(CHUNK as u64))
    }
}

/// Full scale for a levelled velocity of 1 m/s. A blow of 20 g at 3 m/s measures about -15 LUFS
/// (momentary).
const FULL_SCALE: f64 = 0.75;
/// Rolling is far softer than striking: up to this speed (m/s, of the parameter) it gets this gain.
const ROLLING: (f64, f64) = (0.6, 20.0);
/// A dragged tip is pressed down. It begins to rattle at `sqrt(1 + press/(m g))` times the speed it
/// needs under its weight alone, and is as loud as a ball at about that factor times this speed
/// (m/s; measured over the shipped surfaces).
const SCRAPE_LEVEL_M_PER_S: f64 = 0.15;
/// Exponent of the gain of a tip that is slower than that.
const SCRAPE_EXPONENT: f64 = 0.6;
/// Bound of that gain: a slow tip that is pressed hard glides, and should stay quiet.
const MAX_SCRAPE_GAIN: f64 = 4.0;

/// Gain of the voice of a gesture.
///
/// Rolling grows louder with speed and would soon drive the limiter: the gain falls in proportion
/// to the Speed parameter. Velocity, wheel and pressure keep their effect.
fn gesture_gain(patch: &Patch) -> f64 {
    if !patch.gesture().rolls() {
        return 1.0;
    }
    let (slow_m_per_s, gain) = ROLLING;
    let speed_m_per_s = patch.get(Param::Speed);
    let rolling = gain * (slow_m_per_s / speed_m_per_s).min(1.0);
    let is_scrape = patch.gesture() == Gesture::Scrape;
    rolling * if is_scrape { scrape_gain(patch, speed_m_per_s) } else { 1.0 }
}

/// Gain of a dragged tip over that of a ball.
fn scrape_gain(patch: &Patch, speed_m_per_s: f64) -> f64 {
    let weight_n = patch.contact().mass_kg * patch.get(Param::Gravity);
    let level_m_per_s = SCRAPE_LEVEL_M_PER_S * (1.0 + patch.get(Param::Press) / weight_n).sqrt();
    (level_m_per_s / speed_m_per_s).powf(SCRAPE_EXPONENT).clamp(1.0, MAX_SCRAPE_GAIN)
}

/// The gain of a voice, chosen so that the reference blow is equally loud on every body.
///
/// It is set when the voice is struck, and a voice that nothing touches keeps it. Where something
/// stays on a body that changes (a roll, a ball that bounces) the gain glides to what the new body
/// needs within one control period.
#[derive(Clone, Debug)]
pub struct Level {
    /// At the last control tick, and its change per sample since.
    gain: f64,
    step: f64,
    /// The body or the blow has changed since the gain was set.
    is_stale: bool,
    /// Gain of the gesture.
    gesture_gain: f64,
    /// Whether that gesture rolls.
    rolls: bool,
    /// Gain that keeps the loudness over a preset change.
    preset_gain: f64,
}

impl Default for Level {
    fn default() -> Self {
        Self {
            gain: 0.0,
            step: 0.0,
            is_stale: false,
            gesture_gain: 1.0,
            rolls: false,
            preset_gain: 1.0,
        }
    }
}

impl Level {
    /// Sets the gain for a blow on a new body.
    pub fn begin(&mut self, modes: &mut Modes, blow: &ReferenceBlow) {
        self.gain = FULL_SCALE * self.gesture_gain * blow.gain(modes);
        (self.step, self.is_stale) = (0.0, false);
    }

    /// Takes over the gesture of a note, and forgets preset changes. Returns whether a gain
    /// changed.
    pub fn set_gesture(&mut self, patch: &Patch) -> bool {
        let before = (self.gesture_gain, self.preset_gain);
        self.rolls = patch.gesture().rolls();
        (self.gesture_gain, self.preset_gain) = (gesture_gain(patch), 1.0);
        before != (self.gesture_gain, self.preset_gain)
    }

    /// Whether the gain belongs to this gesture, and no preset change came in between.
    pub fn is_for_gesture(&self, patch: &Patch) -> bool {
        self.preset_gain == 1.0 && patch.gesture().rolls() == self.rolls
    }

    /// Gain of the gesture and of preset changes.
    pub fn boost(&self) -> f64 {
        self.gesture_gain * self.preset_gain
    }

    /// The body or the blow has changed.
    pub fn invalidate(&mut self) {
        self.is_stale = true;
    }

    /// Whether the body or the blow has changed since the gain was set.
    pub fn is_stale(&self) -> bool {
        self.is_stale
    }

    /// Control rate, `elapsed` samples after the last tick. `touched`: something strikes or rolls.
    pub fn tick(&mut self, modes: &mut Modes, blow: &ReferenceBlow, touched: bool, elapsed: usize) {
        // A glide that is cut short starts again.
        self.is_stale |= self.step != 0.0 && elapsed < CHUNK;
        self.gain += self.step * elapsed as f64;
        self.step = 0.0;
        if self.is_stale && touched {
            self.step = (FULL_SCALE * self.boost() * blow.gain(modes) - self.gain) / CHUNK as f64;
            self.is_stale = false;
        }
    }

    /// Sets the gain for a further blow, `samples` after the last tick. Returns the ratio of the
    /// new gain to the old one.
    pub fn restart(&mut self, modes: &mut Modes, blow: &ReferenceBlow, samples: usize) -> f64 {
        let before = self.after(samples);
        self.begin(modes, blow);
        self.gain / before
    }

    /// Scales the gain, and that of a later body with it: for a preset change.
    pub fn scale_for_preset(&mut self, by: f64) {
        self.preset_gain *= by;
        (self.gain, self.step) = (self.gain * by, self.step * by);
    }

    /// Whether the gain is constant until something strikes.
    pub fn is_steady(&self) -> bool {
        self.step == 0.0
    }

    /// Whether the gain is finite and stays so.
    pub fn is_finite(&self) -> bool {
        self.gain.is_finite() && self.step.is_finite()
    }

    /// The gain `samples` after the last tick.
    pub fn after(&self, samples: usize) -> f64 {
        self.gain + self.step * samples as f64
    }

    /// Adds both sides of `sound`, which begins `samples` after the last tick, to `out`.
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
