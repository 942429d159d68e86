//! A voice: the body of one key, and what moves it.
//!
//! The data flow of a note: [`Voice::begin`] builds the body, [`Voice::play`] queues the onset, and
//! [`Voice::process`] starts it and renders the sound.

mod ball_chain;
mod body;
mod coupled_contacts;
mod crossfade;
pub mod events;
mod exciters;
mod external_force;
pub mod fault;
mod note_on;
mod output;
mod process;
mod render;
mod rigid_contacts;
pub mod settings;
mod tumbling;

use std::sync::Arc;

use crate::body::{MAX_MODES, UserModes};
use crate::exciter::Gesture;
use crate::exciter::roll::note::Played;
use crate::exciter::surface::SurfaceTable;
use crate::modulation::{Controllers, Modulator};
use crate::params::event::{ExpressionKind, NoteAddress};
use crate::params::{Param, Patch};
use crate::snapshot::{MODES, VoiceSnapshot};
use crate::tuning::Tuning;
use body::VoiceBody;
use exciters::{Exciter, Exciters, is_coupled};
pub use output::FADE_S;
use output::Output;
use process::{Tail, Timing};

/// What a voice reads while it plays.
#[derive(Clone, Copy, Debug)]
pub struct VoiceContext<'a> {
    /// The patch, modulated for the voice.
    pub patch: &'a Patch,
    /// The patch without modulation.
    pub knobs: &'a Patch,
    /// The surface that is rolled over, if any.
    pub table: Option<&'a Arc<SurfaceTable>>,
    /// The mode list, for a body that is built from one.
    pub list: &'a UserModes,
    /// Identifies that list.
    pub list_number: u64,
    /// Quarter notes per minute.
    pub tempo_bpm: f64,
    /// The pitches of the keys.
    pub tuning: &'a Tuning,
    /// The external force in each of the next samples, N; 0 beyond its end.
    pub forces_n: &'a [f64],
}

/// A voice counts as new for this time after a strike, s: about the duration of soft contacts.
const NEW_S: f64 = 0.01;

/// State of the key that plays a voice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum KeyState {
    Held,
    /// Released, but a pedal sustains the note.
    Sustained,
    Released,
}

/// The note and what the player does to it.
#[derive(Clone, Debug)]
struct NoteState {
    /// The note that sounds, if any.
    address: Option<NoteAddress>,
    key: u8,
    /// The group of its key, if any.
    group: Option<usize>,
    key_state: KeyState,
    /// The sostenuto pedal holds the key.
    is_sostenuto: bool,
    /// A hand damps the body since the key was released.
    is_damped: bool,
    /// The soft pedal damps the body.
    is_muted: bool,
    /// What the player does to a roll.
    played: Played,
    /// The body has not been struck yet.
    is_unstruck: bool,
}

impl NoteState {
    fn reset(&mut self) {
        *self = Self::default();
    }

    /// Whether a hand is on the body.
    fn has_damper(&self) -> bool {
        self.is_damped || self.is_muted
    }
}

impl Default for NoteState {
    fn default() -> Self {
        Self {
            address: None,
            key: 0,
            group: None,
            key_state: KeyState::Released,
            is_sostenuto: false,
            is_damped: false,
            is_muted: false,
            played: Played::default(),
            is_unstruck: true,
        }
    }
}

/// A sounding key.
#[derive(Clone, Debug)]
pub struct Voice {
    note: NoteState,
    body: VoiceBody,
    exciters: Exciters,
    modulator: Modulator,
    output: Output,
    timing: Timing,
    /// Also in the body. Kept here too, so that a damaged body is detected and prepared again.
    sample_rate_hz: f64,
}

impl Default for Voice {
    fn default() -> Self {
        Self::new()
    }
}

impl Voice {
    /// A silent voice with room for all modes. Allocates.
    pub fn new() -> Self {
        Self::with_capacity(MAX_MODES)
    }

    /// A silent voice with room for `capacity` modes. Allocates.
    pub fn with_capacity(capacity: usize) -> Self {
        Self {
            note: NoteState::default(),
            body: VoiceBody::new(capacity),
            exciters: Exciters::new(capacity),
            modulator: Modulator::default(),
            output: Output::default(),
            timing: Timing::default(),
            sample_rate_hz: 48_000.0,
        }
    }

    /// Sets the sample rate and resets to silence.
    pub fn prepare(&mut self, sample_rate_hz: f64) {
        self.sample_rate_hz = sample_rate_hz;
        self.body.prepare(sample_rate_hz);
        self.exciters.for_each(|exciter| exciter.prepare(sample_rate_hz));
        self.modulator.prepare(sample_rate_hz);
        self.reset();
    }

    /// Resets to silence.
    pub fn reset(&mut self) {
        self.note.reset();
        self.body.reset();
        self.exciters.reset();
        self.modulator.reset();
        self.output.reset();
        self.timing.reset();
    }

    /// Clears all memory, NaN included, so that nothing reaches the next note. Part by part,
    /// because a whole voice may not fit on the stack.
    fn rebuild(&mut self) {
        let (own_hz, body_hz) = (self.sample_rate_hz, self.body.object.sample_rate_hz());
        self.body.rebuild();
        self.exciters.rebuild();
        self.modulator = Modulator::default();
        self.output = Output::default();
        self.prepare(if own_hz.is_finite() { own_hz } else { body_hz });
    }

    /// Begins a note with a new body, which is silent until struck.
    pub fn begin(&mut self, note: NoteAddress, key: u8, context: &VoiceContext) {
        self.build_note(note, key, context);
        // Memory may have been damaged while nobody heard it.
        if !self.has_finite_gains() || !self.body.is_intact(self.sample_rate_hz) {
            self.rebuild();
            self.build_note(note, key, context);
        }
    }

    fn build_note(&mut self, note: NoteAddress, key: u8, context: &VoiceContext) {
        self.reset();
        let patch = context.patch;
        self.note.key = key;
        self.note.group = patch.key_groups().iter().position(|group| group.has(key));
        self.take(note);
        self.output.begin(patch, key);
        self.body.level.set_gesture(patch);
        // A key without a pitch is not played.
        let key_st = context.tuning.pitch_st(key).unwrap_or_default();
        let settings = *self.body.settings_cache.read(context, false, key_st, 0.0, false);
        self.build_body(settings, context.list);
        self.body.object.modes.arrive();
        self.body.begin_level();
    }

    /// Gives the body to another note of the same key. Returns the note that had it.
    pub fn take(&mut self, note: NoteAddress) -> Option<NoteAddress> {
        self.note.is_damped = false;
        self.note.key_state = KeyState::Held;
        // Sets the rate again, in case it was damaged.
        self.modulator.prepare(self.sample_rate_hz);
        self.modulator.take(self.note.key, &Controllers::default());
        self.note.address.replace(note)
    }

    /// Adapts a ringing voice to another preset, that of `context`. What was struck before keeps
    /// its loudness: it gets `gain` times the level of the new preset. What moves towards the body
    /// is removed. A roll (if the old preset `rolled`) starts again on the new body, if the new
    /// preset rolls too.
    pub fn preset_change(&mut self, gain: f64, rolled: bool, context: &VoiceContext) {
        self.body.level.scale_for_preset(gain);
        self.body.crossfade.scale(gain);
        let is_rolling = rolled && self.exciters.coupled.is_active();
        self.exciters.sync(&mut self.body);
        if self.exciters.coupled.is_active() {
            self.body.bank.unbend(&self.body.object.modes);
        }
        self.exciters.for_each(|exciter| exciter.preset_change());
        self.output.air.release();
        if is_rolling && context.patch.gesture().rolls() && self.is_playing() {
            self.restart_roll(context);
        }
    }

    /// Starts a roll again on another body. That begins at rest, while the old one fades.
    fn restart_roll(&mut self, context: &VoiceContext) {
        if self.body.crossfade.is_active() {
            return self.choke();
        }
        self.body.fade_out(self.timing.since_tick, self.output.gain_pan.now());
        self.body.bank.reset();
        self.modulator.ask(context.patch, context.tempo_bpm);
        let patch = &self.modulator.patch(context.patch).clone();
        self.build_first_body(&VoiceContext { patch, ..*context });
        if let Some(table) = context.table.filter(|_| !self.note.played.let_go) {
            self.roll(self.note.played.velocity, table, patch);
            self.body.begin_fade_in();
        }
    }

    /// Sets the controllers of the note's channel.
    pub fn feel(&mut self, controllers: &Controllers) {
        self.modulator.feel(controllers);
        self.note.played.pressed = self.modulator.pressed();
    }

    /// Sets a note expression.
    pub fn express(&mut self, kind: ExpressionKind, value: f32) {
        self.modulator.express(kind, value);
        self.note.played.pressed = self.modulator.pressed();
    }

    /// Sets the host's modulation of a parameter for this note, as a share of its range.
    pub fn modulate(&mut self, param: Param, offset: f32) {
        self.modulator.modulate(param, offset);
    }

    /// Releases the key: does what the patch says, also to onsets that wait.
    pub fn let_go(&mut self, patch: &Patch) {
        self.note.key_state = KeyState::Released;
        self.timing.onsets.release();
        self.release_body(patch);
    }

    fn release_body(&mut self, patch: &Patch) {
        self.note.played.let_go = true;
        self.modulator.let_go();
        let (damps, catches) = patch.note_off();
        self.note.is_damped |= damps;
        if catches {
            self.exciters.for_each(|exciter| exciter.catch());
        }
    }

    /// The key is released, but a pedal sustains the note.
    pub fn keep(&mut self) {
        self.note.key_state = KeyState::Sustained;
    }

    /// Whether only a pedal sustains the note.
    pub fn is_sustained(&self) -> bool {
        self.note.key_state == KeyState::Sustained
    }

    /// Whether the key is down.
    pub fn is_down(&self) -> bool {
        self.note.key_state == KeyState::Held
    }

    /// Sets whether the sostenuto pedal holds the key.
    pub fn hold(&mut self, is_held: bool) {
        self.note.is_sostenuto = is_held;
    }

    /// Whether the sostenuto pedal holds the key.
    pub fn is_held(&self) -> bool {
        self.note.is_sostenuto
    }

    /// Sets whether the soft pedal damps the body.
    pub fn mute(&mut self, is_muted: bool) {
        self.note.is_muted = is_muted;
    }

    /// Starts to fade out, within [`FADE_S`].
    pub fn choke(&mut self) {
        self.output.choke(self.body.object.sample_rate_hz());
    }

    /// Gain of the fade after a choke, 1…0; 1 without one.
    pub fn fading(&self) -> f64 {
        self.output.fade().0
    }

    /// Stops the external force.
    pub fn push_no_more(&mut self) {
        self.exciters.external_force.reset();
    }

    /// Whether the external force acts on the body.
    pub fn is_pushed(&self) -> bool {
        self.exciters.external_force.is_active()
    }

    /// Sets the phase, 0…1. Voices with different phases compute tumbling bodies at different
    /// times.
    pub fn set_phase(&mut self, phase: f64) {
        self.exciters.tumbling.set_phase(phase);
    }

    /// The note that sounds, if any.
    pub fn note(&self) -> Option<NoteAddress> {
        self.note.address
    }

    /// Channel of the note.
    pub fn channel(&self) -> Option<u8> {
        self.note.address.and_then(|note| note.channel)
    }

    /// The first group of its key when the note began, if any.
    pub fn group(&self) -> Option<usize> {
        self.note.group
    }

    /// Whether it sounds and is not choked.
    pub fn is_playing(&self) -> bool {
        self.note.address.is_some() && !self.output.is_fading()
    }

    /// Its key.
    pub fn key(&self) -> u8 {
        self.note.key
    }

    /// Loudest amplitude of a mode at the last control tick, for choosing a voice to steal.
    /// Infinite before and shortly after a strike, when the loudness is not known yet.
    pub fn loudness(&self) -> f64 {
        let new_samples = NEW_S * self.body.object.sample_rate_hz();
        let is_new = (self.timing.since_struck as f64) < new_samples;
        if is_new
            || self.timing.onsets.are_waiting()
            || self.exciters.any(|exciter| exciter.is_pending())
        {
            f64::INFINITY
        } else {
            self.timing.loudest
        }
    }

    /// Samples since the last strike.
    pub fn since_struck(&self) -> u64 {
        self.timing.since_struck
    }

    /// Number of modes it has room for.
    pub fn capacity(&self) -> usize {
        self.body.object.modes.capacity()
    }

    /// Copies what another voice has computed for the same body.
    pub fn copy_caches_from(&mut self, other: &Self) {
        self.body.object.modes.copy_caches_from(&other.body.object.modes);
    }

    /// Samples until it is silent if nothing more happens: an upper bound.
    pub fn tail_samples(&self) -> u64 {
        match self.timing.tail {
            Tail::Silent => 0,
            Tail::Unknown => u64::MAX,
            Tail::Decays(passed) => self.body.decay_samples(self.timing.loudest, passed),
        }
    }

    /// Whether a ball chain or a coupled contact may do work within `samples`.
    pub fn has_contact_work(&self, samples: usize, context: &VoiceContext) -> bool {
        let (gesture, dt_s) = (context.patch.gesture(), self.body.object.dt_s());
        let is_due = || {
            let tumbling = &self.exciters.tumbling;
            self.timing.onsets.are_due(samples) && gesture != Gesture::Tumble
                || tumbling.is_active() && tumbling.quiet_samples(samples, dt_s) < samples
        };
        let starts_contact_work =
            matches!(gesture, Gesture::Chain | Gesture::Roll | Gesture::Scrape)
                || is_coupled(context.patch);
        self.exciters.any(|exciter| exciter.needs_contact_budget(samples, dt_s))
            || starts_contact_work && is_due()
    }

    /// Whether rigid contacts or changes of its body may do work within `samples`.
    pub fn is_busy(&self, samples: usize) -> bool {
        let dt_s = self.body.object.dt_s();
        self.is_changing()
            || self.timing.onsets.are_due(samples)
            || self.exciters.any(|exciter| exciter.needs_step_budget(samples, dt_s))
    }

    /// Whether modulation changes its body continuously.
    pub fn is_changing(&self) -> bool {
        self.modulator.is_live()
    }

    /// Sets the work of rigid contacts and of changes of the body for a window. `begins`: the
    /// window begins now.
    pub fn set_share(&mut self, share: u32, begins: bool) {
        if begins {
            self.exciters.budget.begin_window(share);
        } else {
            self.exciters.budget.change_share(share);
        }
    }

    /// Work of rigid contacts and of changes of the body in this window, and the overdraft before.
    #[cfg(test)]
    pub fn spent_work(&self) -> u32 {
        self.exciters.budget.spent()
    }

    /// Whether nothing acts on its body, nor will until something is played.
    pub fn is_alone(&self) -> bool {
        self.timing.is_alone
    }

    /// Whether something strikes or is about to.
    pub fn may_be_struck(&self) -> bool {
        self.timing.onsets.are_waiting() || self.exciters.any(|exciter| exciter.may_strike())
    }

    /// Sets the work of coupled contacts and ball chains for a window of `samples`.
    pub fn set_contact_share(&mut self, share: u32, samples: usize) {
        self.exciters.for_each(|exciter| exciter.set_contact_budget(share, samples));
    }

    /// Work of coupled contacts and ball chains since the last call.
    pub fn take_contact_work(&mut self) -> u32 {
        let mut work = 0_u32;
        self.exciters.for_each(|exciter| work = work.saturating_add(exciter.take_contact_work()));
        work
    }

    /// Enables contact recording for the editor. The sound is the same.
    pub fn watch(&mut self, is_on: bool) {
        self.exciters.for_each(|exciter| exciter.set_recording(is_on));
    }

    /// What the editor shows of the voice.
    pub fn snapshot(&self) -> VoiceSnapshot {
        let mut snapshot = VoiceSnapshot { key: self.note.key, ..VoiceSnapshot::default() };
        let spectrum = self.body.object.modes.spectrum();
        let amplitudes = snapshot.mode_amplitudes.iter_mut().take(spectrum.len().min(MODES));
        for (mode, amplitude) in amplitudes.enumerate() {
            let (re, im) = self.body.bank.amplitude(mode);
            // The bank holds velocities: divided by the frequency, they are displacements.
            *amplitude = (re.hypot(im) / spectrum.ratio(mode).max(1e-3)) as f32;
        }
        let dt_s = self.body.object.dt_s();
        for exciter in self.exciters.all() {
            exciter.write_snapshot(dt_s, &mut snapshot);
        }
        snapshot
    }
}

#[cfg(test)]
mod tests {
    use super::events::ContactEvents;
    use super::*;
    use crate::body::bank::CHUNK;
    use crate::exciter::Blow;

    fn context(patch: &Patch) -> VoiceContext<'_> {
        static LIST: std::sync::LazyLock<UserModes> = std::sync::LazyLock::new(UserModes::default);
        VoiceContext {
            patch,
            knobs: patch,
            table: None,
            list: &LIST,
            list_number: 0,
            tuning: &Tuning::EQUAL,
            forces_n: &[],
            tempo_bpm: 120.0,
        }
    }

    fn struck() -> Voice {
        let patch = Patch::default();
        let mut voice = Voice::new();
        voice.prepare(48_000.0);
        let note = NoteAddress { id: Some(1), channel: Some(0), key: Some(60) };
        voice.begin(note, 60, &context(&patch));
        voice.strike(&Blow::of_note(&patch, &patch.scale(), 0.8, 0), &patch);
        voice
    }

    #[test]
    fn a_voice_with_nan_ends_and_adds_nothing() {
        let patch = Patch::default();
        let mut voice = struck();
        let (mut left, mut right) = (vec![0.0; 8 * CHUNK], vec![0.0; 8 * CHUNK]);
        assert_eq!(
            voice.process(&context(&patch), &mut left, &mut right, &mut ContactEvents::new()),
            None
        );
        assert!(left.iter().any(|x| *x != 0.0));

        voice.body.object.modes.rotation_re[2] = f64::NAN;
        voice.body.object.modes.block_rotations.re[2] = f64::NAN;
        let (before_left, before_right) = (left.clone(), right.clone());
        let end = voice.process(&context(&patch), &mut left, &mut right, &mut ContactEvents::new());
        assert_eq!(end.and_then(|(_, note)| note.id), Some(1), "the note end is reported");
        assert_eq!((left, right), (before_left, before_right), "nothing was added to the others");
        assert_eq!(voice.note(), None);

        // And it plays again.
        voice.begin(
            NoteAddress { id: Some(2), channel: Some(0), key: Some(62) },
            62,
            &context(&patch),
        );
        voice.strike(&Blow::of_note(&patch, &patch.scale(), 0.8, 0), &patch);
        let (mut left, mut right) = (vec![0.0; 100], vec![0.0; 100]);
        assert_eq!(
            voice.process(&context(&patch), &mut left, &mut right, &mut ContactEvents::new()),
            None
        );
        assert!(left.iter().all(|x| x.is_finite()) && left.iter().any(|x| *x != 0.0));
    }

    /// The snapshot has the key, no amplitude before the strike, and less after a while.
    #[test]
    fn the_snapshot_of_a_voice_rings_and_decays() {
        let patch = Patch::default();
        let mut voice = struck();
        let swing = |voice: &Voice| voice.snapshot().mode_amplitudes.iter().sum::<f32>();
        assert_eq!((voice.snapshot().key, swing(&voice)), (60, 0.0));
        let (mut left, mut right) = (vec![0.0; 4800], vec![0.0; 4800]);
        voice.process(&context(&patch), &mut left, &mut right, &mut ContactEvents::new());
        let soon = swing(&voice);
        voice.process(&context(&patch), &mut left, &mut right, &mut ContactEvents::new());
        assert!(
            soon.is_finite() && soon > 0.0 && swing(&voice) < soon,
            "{soon}, then {}",
            swing(&voice)
        );
    }
}
