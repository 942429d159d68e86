//! The modulation of one voice.

use super::controllers::Controllers;
use super::envelope::{Envelope, EnvelopeSettings};
use super::expression::Expression;
use super::lfo::{Lfo, LfoSettings};
use super::offsets::Offsets;
use super::source::{Source, Sources, of_key};
use super::{human, slots, velocity};
use crate::math::db_to_gain;
use crate::params::event::ExpressionKind;
use crate::params::{Param, Patch};

/// Pitch deviation at full vibrato, semitones.
pub const VIBRATO_ST: f64 = 0.5;
/// Limit of the sum of all pitch bends, semitones either way.
pub const MAX_BEND_ST: f64 = 168.0;

/// The onset of a note.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Onset {
    /// Velocity after the curve, 0…1.
    pub velocity: f64,
    /// Note number; with the seed it determines all random values.
    pub count: u64,
}

/// Modulation of pitch, gain and pan.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SourceValues {
    /// Pitch offset from the key, semitones.
    pub pitch_st: f64,
    /// Gain of the note.
    pub gain: f64,
    /// Pan, -1 (left) to 1 (right).
    pub pan: f64,
}

impl Default for SourceValues {
    fn default() -> Self {
        Self { pitch_st: 0.0, gain: 1.0, pan: 0.0 }
    }
}

/// The modulation of one voice.
#[derive(Clone, Debug, Default)]
pub struct Modulator {
    onset: Onset,
    key: u8,
    controllers: Controllers,
    expression: Expression,
    /// The host's per-note modulation.
    host: Offsets,
    lfo: Lfo,
    envelope: Envelope,
    envelope_settings: Option<EnvelopeSettings>,
    /// LFO settings since the last update.
    lfo_settings: Option<LfoSettings>,
    /// Samples since the last update. An integer, so that the result does not depend on block size.
    waited: u64,
    dt_s: f64,
    offsets: Offsets,
    /// Cached copy of the shared patch, to detect changes.
    shared: PatchCache,
    own: Patch,
    is_moved: bool,
    /// Number of updates, to detect changes.
    asked: u64,
    /// Whether an event has arrived since the last update.
    is_stale: bool,
    /// Whether a source changes over time.
    is_live: bool,
    stand: SourceValues,
}

impl Modulator {
    /// Sets the sample rate.
    pub fn prepare(&mut self, sample_rate_hz: f64) {
        self.dt_s = 1.0 / sample_rate_hz;
    }

    /// Clears all modulation until the next update.
    pub fn reset(&mut self) {
        (self.is_moved, self.is_live, self.stand) = (false, false, SourceValues::default());
        self.offsets.clear();
        self.lfo_settings = None;
    }

    /// Assigns the voice to a new note and clears the modulation of the previous one.
    pub fn take(&mut self, key: u8, controllers: &Controllers) {
        self.key = key;
        self.controllers = *controllers;
        self.expression = Expression::default();
        self.host.clear();
        self.is_stale = true;
    }

    /// Starts LFO and envelope at the note's onset.
    pub fn begin(&mut self, onset: Onset) {
        self.onset = onset;
        self.lfo.begin(onset.count);
        self.envelope.begin();
        self.waited = 0;
        self.is_stale = true;
    }

    /// Starts the envelope's release.
    pub fn let_go(&mut self) {
        self.pass_time();
        if let Some(settings) = &self.envelope_settings {
            self.envelope.let_go(settings);
        }
        self.is_stale = true;
    }

    /// Sets the controllers that act on this note.
    pub fn feel(&mut self, controllers: &Controllers) {
        self.is_stale |= self.controllers != *controllers;
        self.controllers = *controllers;
    }

    /// Sets a note expression.
    pub fn express(&mut self, kind: ExpressionKind, value: f32) {
        let before = self.expression;
        self.expression.set(kind, value);
        self.is_stale |= self.expression != before;
    }

    /// Sets the host's modulation of a parameter of this note, in knob positions.
    pub fn modulate(&mut self, param: Param, offset: f32) {
        self.is_stale |= self.host.set(param, f64::from(offset));
    }

    /// The largest of wheel, channel pressure and key pressure, 0…1.
    pub fn pressed(&self) -> f64 {
        self.controllers.wheel.max(self.controllers.pressure).max(self.expression.pressure)
    }

    /// Advances time by samples.
    pub fn pass(&mut self, samples: usize) {
        self.waited += samples as u64;
    }

    /// True if an event has arrived or the shared patch has changed since the last update.
    pub fn is_stale(&self, shared: &Patch) -> bool {
        self.is_stale || !self.shared.is(shared)
    }

    /// True if a source changes over time, so that an update is needed at every tick.
    pub fn is_live(&self) -> bool {
        self.is_live
    }

    /// Number of updates. The results change only when it does.
    pub fn asked(&self) -> u64 {
        self.asked
    }

    /// Evaluates all sources and updates the voice's own patch.
    pub fn ask(&mut self, shared: &Patch, tempo_bpm: f64) {
        self.pass_time();
        self.asked += 1;
        self.shared.update(shared);
        self.is_stale = false;
        self.is_live = self.expression.vibrato > 0.0
            || slots::listen_to(shared, Source::Lfo)
            || slots::listen_to(shared, Source::Envelope);
        let rate_hz = self.offsets.value(shared, Param::LfoRate);
        let lfo = LfoSettings::new(shared, rate_hz, tempo_bpm);
        let lfo_now = if self.is_live { self.lfo.value(&lfo) } else { 0.0 };
        let envelope = *self.envelope_settings.insert(EnvelopeSettings::new(shared));
        let sources = self.sources(shared, lfo_now, self.envelope.value(&envelope));

        self.offsets.clear();
        human::shift(shared, self.onset.count, &mut self.offsets);
        velocity::shift(shared, self.onset.velocity, &mut self.offsets);
        self.offsets.join(&self.host);
        let moved = slots::run(shared, &sources, &mut self.offsets);
        self.is_moved = !self.offsets.is_empty();
        if self.is_moved {
            self.own.clone_from(shared);
            self.offsets.apply(&mut self.own);
        }
        let rate_hz = self.offsets.value(shared, Param::LfoRate);
        self.lfo_settings = Some(LfoSettings::new(shared, rate_hz, tempo_bpm));

        let pitch_st = self.controllers.bend_st(shared)
            + self.expression.tuning_st
            + VIBRATO_ST * self.expression.vibrato * lfo_now
            + moved.pitch_st;
        let louder = if moved.volume_db == 0.0 { 1.0 } else { db_to_gain(moved.volume_db) };
        self.stand = SourceValues {
            pitch_st: pitch_st.clamp(-MAX_BEND_ST, MAX_BEND_ST),
            gain: self.expression.gain * louder,
            pan: (self.expression.pan + moved.pan).clamp(-1.0, 1.0),
        };
    }

    /// The voice's own patch if anything modulates it, otherwise the shared one.
    pub fn patch<'a>(&'a self, shared: &'a Patch) -> &'a Patch {
        if self.is_moved { &self.own } else { shared }
    }

    /// True if the voice has its own patch.
    pub fn is_moved(&self) -> bool {
        self.is_moved
    }

    /// Current pitch, gain and pan modulation.
    pub fn stand(&self) -> SourceValues {
        self.stand
    }

    fn pass_time(&mut self) {
        let time_s = std::mem::take(&mut self.waited) as f64 * self.dt_s;
        if let Some(settings) = &self.lfo_settings {
            self.lfo.pass(time_s, settings);
        }
        self.envelope.pass(time_s);
    }

    fn sources(&self, shared: &Patch, lfo: f64, envelope: f64) -> Sources {
        let mut sources = Sources::default();
        self.controllers.write_to(&mut sources);
        self.expression.write_to(&mut sources);
        sources.set(Source::Velocity, self.onset.velocity);
        sources.set(Source::Key, of_key(self.key));
        sources.set(Source::Random, human::source(shared, self.onset.count));
        sources.set(Source::Lfo, lfo);
        sources.set(Source::Envelope, envelope);
        sources
    }
}

/// The stored values of a patch, to detect changes.
#[derive(Clone, Debug)]
pub struct PatchCache {
    stored: [f32; Param::COUNT],
}

impl Default for PatchCache {
    /// Matches no patch, since a patch never holds NaN.
    fn default() -> Self {
        Self { stored: [f32::NAN; Param::COUNT] }
    }
}

impl PatchCache {
    /// Whether the patch is unchanged.
    pub fn is(&self, patch: &Patch) -> bool {
        self.stored
            .iter()
            .zip(patch.all_stored())
            .fold(true, |same, (a, b)| same & (a.to_bits() == b.to_bits()))
    }

    /// Stores the values of a patch.
    pub fn update(&mut self, patch: &Patch) {
        self.stored = *patch.all_stored();
    }
}

#[cfg(test)]
mod patch_cache_tests {
    use super::*;

    #[test]
    fn a_patch_is_known_again_until_it_changes() {
        let (mut cache, mut patch) = (PatchCache::default(), Patch::default());
        assert!(!cache.is(&patch));
        cache.update(&patch);
        assert!(cache.is(&patch));
        patch.set(Param::Hardness, 0.6);
        assert!(!cache.is(&patch));
    }
}
