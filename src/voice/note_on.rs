//! From a note to a moving exciter.
//!
//! [`Voice::play`] queues an onset. It starts at the first sample that is processed after its
//! event, so that everything the host sends for that sample counts, or later by the random delay of
//! Humanize. [`Voice::start_onset`] then updates the body and the level, and starts the gesture.
//! The `of_note` function of each gesture turns the velocity into a speed, by
//! [`Patch::impact_speed_m_per_s`].

use std::sync::Arc;

use arrayvec::ArrayVec;

use super::body::Object;
use super::exciters::Exciter;
use super::process::Tail;
use super::settings::{BodySettings, scale_of};
use super::{Voice, VoiceContext};
use crate::exciter::chain::{self, Launch};
use crate::exciter::roll::note::Played;
use crate::exciter::surface::SurfaceTable;
use crate::exciter::tumble::TumblingBody;
use crate::exciter::{Blow, Gesture, Throw};
use crate::levelling::ReferenceBlow;
use crate::modulation::{Onset, human};
use crate::params::Patch;

/// Most onsets that wait on one voice. For a further one the first starts at once.
const MAX_WAITING: usize = 8;

/// An onset to come.
#[derive(Clone, Copy, Debug)]
struct PendingOnset {
    onset: Onset,
    /// Samples until it starts.
    samples: u64,
    /// Its key has been released already.
    is_released: bool,
}

/// Onsets to come, in no order.
#[derive(Clone, Debug, Default)]
pub struct Onsets {
    waiting: ArrayVec<PendingOnset, MAX_WAITING>,
}

impl Onsets {
    /// Whether any onset waits.
    pub fn are_waiting(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// Whether any onset starts within `samples`.
    pub fn are_due(&self, samples: usize) -> bool {
        self.waiting.iter().any(|waiting| waiting.samples < samples as u64)
    }

    /// Samples until the next onset, or `max`.
    pub fn next(&self, max: usize) -> usize {
        self.waiting.iter().fold(max as u64, |next, waiting| next.min(waiting.samples)) as usize
    }

    /// Advances the time.
    pub fn pass(&mut self, samples: usize) {
        for waiting in &mut self.waiting {
            waiting.samples = waiting.samples.saturating_sub(samples as u64);
        }
    }

    /// The key of all of them has been released.
    pub fn release(&mut self) {
        self.waiting.iter_mut().for_each(|waiting| waiting.is_released = true);
    }

    /// Removes the first onset that starts within `samples`.
    fn take(&mut self, samples: u64) -> Option<PendingOnset> {
        let first = (0..self.waiting.len()).min_by_key(|&index| self.waiting[index].samples)?;
        (self.waiting[first].samples <= samples).then(|| self.waiting.remove(first))
    }
}

impl Voice {
    /// Plays the note that has this voice, after the random delay of the patch.
    pub fn play(&mut self, onset: Onset, context: &VoiceContext) {
        if self.timing.onsets.waiting.is_full()
            && let Some(first) = self.timing.onsets.take(u64::MAX)
        {
            self.start_onset(first, context);
        }
        let delay_s = human::delay_s(context.patch, onset.count);
        // The cast saturates.
        let samples = (delay_s * self.body.object.sample_rate_hz()).round() as u64;
        self.timing.onsets.waiting.push(PendingOnset { onset, samples, is_released: false });
        self.set_struck();
    }

    /// Starts the onsets that are due at this sample. Returns whether there were any.
    pub(super) fn start_due_onsets(&mut self, context: &VoiceContext) -> bool {
        let mut has_started = false;
        // At most as many as can wait.
        while let Some(pending) = self.timing.onsets.take(0) {
            self.start_onset(pending, context);
            has_started = true;
        }
        has_started
    }

    /// Updates modulation, body and level for an onset, and starts its gesture.
    fn start_onset(&mut self, pending: PendingOnset, context: &VoiceContext) {
        self.modulator.begin(pending.onset);
        self.modulator.ask(context.patch, context.tempo_bpm);
        // A copy, since the voice changes while it reads.
        let patch = &self.modulator.patch(context.patch).clone();
        let context = &VoiceContext { patch, ..*context };
        if std::mem::take(&mut self.note.is_unstruck) {
            self.build_first_body(context);
        } else {
            self.update_level(context);
        }
        self.start_gesture(pending.onset, context);
        if pending.is_released {
            self.release_body(patch);
        }
    }

    /// Starts the gesture of the patch at the current sample.
    fn start_gesture(&mut self, Onset { velocity, count }: Onset, context: &VoiceContext) {
        let patch = context.patch;
        let scale = &scale_of(patch, context.tuning.pitch_st(self.note.key).unwrap_or_default());
        match patch.gesture() {
            Gesture::Strike => self.strike(&Blow::of_note(patch, scale, velocity, count), patch),
            Gesture::Bounce => {
                let throw = Throw::of_note(patch, scale, velocity, count, context.tempo_bpm);
                self.throw(&throw, patch);
            }
            Gesture::Tumble => {
                self.throw_tumbling_body(TumblingBody::of_note(patch, scale, velocity, count));
            }
            Gesture::Chain => self.launch(&chain::of_note(patch, scale, velocity)),
            Gesture::Roll | Gesture::Scrape => {
                if let Some(table) = context.table {
                    self.roll(velocity, table, patch);
                }
            }
        }
    }

    /// Starts a strike at the current sample.
    pub fn strike(&mut self, blow: &Blow, patch: &Patch) {
        self.exciters.strike(blow, patch, &mut self.body);
        self.set_struck();
    }

    /// Releases a ball at the current sample.
    fn throw(&mut self, throw: &Throw, patch: &Patch) {
        self.exciters.throw(throw, patch, &mut self.body);
        self.set_struck();
    }

    /// Throws a tumbling body at the current sample.
    pub fn throw_tumbling_body(&mut self, tumbling_body: TumblingBody) {
        self.exciters.tumbling.throw(tumbling_body);
        self.set_struck();
    }

    /// Launches a ball chain at the current sample.
    fn launch(&mut self, launch: &Launch) {
        self.exciters.ball_chain.launch(launch);
        self.set_struck();
    }

    /// Starts to roll over the surface `table`, or goes on to with a new velocity.
    pub(super) fn roll(&mut self, velocity: f64, table: &Arc<SurfaceTable>, patch: &Patch) {
        self.note.played = Played { velocity, let_go: false, ..self.note.played };
        let context = self.body.object.contact_context(patch);
        self.exciters.coupled.roll(&self.note.played, table, &context, &mut self.body.bank);
        self.set_struck();
    }

    /// Starts to apply the external force.
    pub fn push(&mut self) {
        // Nothing strikes: modulation takes the velocity as 1.
        if std::mem::take(&mut self.note.is_unstruck) {
            self.modulator.begin(Onset { velocity: 1.0, count: 0 });
        }
        let Object { modes, settings, .. } = &self.body.object;
        let gains = modes.drive_gains(settings.blow.point, settings.weight_kg);
        self.exciters.external_force.begin(&gains);
        self.set_struck();
    }

    fn set_struck(&mut self) {
        self.timing.since_struck = 0;
        (self.timing.tail, self.timing.is_alone) = (Tail::Unknown, false);
    }

    /// Builds the body for the modulation of this note, before its first strike.
    pub(super) fn build_first_body(&mut self, context: &VoiceContext) {
        let values = self.modulator.stand();
        self.output.gain_pan.jump(values.gain, values.pan + self.output.key_pan);
        let key_st = context.tuning.pitch_st(self.note.key).unwrap_or_default();
        let cache = &mut self.body.settings_cache;
        let settings = *cache.read(context, false, key_st, values.pitch_st, false);
        let has_new_gain = self.body.level.set_gesture(context.patch);
        let has_changed = settings != self.body.object.settings || has_new_gain;
        if has_changed {
            self.build_body(settings, context.list);
        }
        self.body.object.modes.arrive();
        if has_changed {
            self.body.begin_level();
        }
        self.timing.since_tick = 0;
        self.timing.is_changing = false;
    }

    /// Sets the level for a strike on a body that sounds. What rings keeps its loudness.
    fn update_level(&mut self, context: &VoiceContext) {
        if self.body.crossfade.is_rising() {
            self.exciters.sync(&mut self.body);
            self.body.freeze_fade_in();
        }
        let key_st = context.tuning.pitch_st(self.note.key).unwrap_or_default();
        let bend_st = self.modulator.stand().pitch_st;
        let now = &self.body.object.settings;
        let is_same_gesture = self.body.level.is_for_gesture(context.patch);
        let list = context.list_number;
        let new = BodySettings::new(context.patch, context.knobs, key_st, bend_st, false, list);
        // Another point is a change of the body, which the next tick makes.
        let blow = ReferenceBlow { point: now.blow.point, ..new.blow };
        if is_same_gesture && blow == now.blow && !self.body.level.is_stale() {
            return;
        }
        self.body.level.set_gesture(context.patch);
        self.set_reference_blow(blow);
        // A body under a coupled contact cannot be rescaled; the level glides.
        if is_same_gesture && self.exciters.coupled.is_active() {
            return self.body.level.invalidate();
        }
        self.exciters.sync(&mut self.body);
        let (modes, since_tick) = (&mut self.body.object.modes, self.timing.since_tick);
        let ratio = self.body.level.restart(modes, &blow, since_tick);
        if ratio.is_finite() && ratio > 0.0 {
            self.body.bank.scale(modes, 1.0 / ratio);
        }
    }

    /// Takes over another reference blow, which does not change what rings.
    pub(super) fn set_reference_blow(&mut self, blow: ReferenceBlow) {
        self.body.object.settings.blow = blow;
        self.body.settings_cache.invalidate();
        self.output.air.set_striker(blow.striker_kg, self.body.object.dt_s());
    }
}
