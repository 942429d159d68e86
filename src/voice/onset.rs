//! When a note's blow falls, and with which settings.
//!
//! A note is struck at the first sample that is played after its event, so that all a host says of
//! it at that very sample counts; or later, by what chance makes it late.

use arrayvec::ArrayVec;

use super::{Voice, VoiceContext, level};
use crate::exciter::tumble::TumblingBody;
use crate::exciter::{Blow, Gesture, Throw, chain};
use crate::modulation::{Onset, human};

/// Onsets that may wait on one voice; for a further one the first falls at once.
const MAX_WAITING: usize = 8;

/// An onset to come.
#[derive(Clone, Copy, Debug)]
struct PendingOnset {
    onset: Onset,
    samples: u64,
    /// Its key has been let go already.
    let_go: bool,
}

/// Onsets to come, in no order.
#[derive(Clone, Debug, Default)]
pub struct Onsets {
    waiting: ArrayVec<PendingOnset, MAX_WAITING>,
}

impl Onsets {
    /// None is to come.
    pub fn reset(&mut self) {
        self.waiting.clear();
    }

    /// Whether any is to come.
    pub fn are_waiting(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// Whether any is to come within `samples`.
    pub fn are_due(&self, samples: usize) -> bool {
        self.waiting.iter().any(|waiting| waiting.samples < samples as u64)
    }

    /// Samples until the next, or `max`.
    pub fn next(&self, max: usize) -> usize {
        self.waiting.iter().fold(max as u64, |next, waiting| next.min(waiting.samples)) as usize
    }

    /// Let time pass.
    pub fn pass(&mut self, samples: usize) {
        for waiting in &mut self.waiting {
            waiting.samples = waiting.samples.saturating_sub(samples as u64);
        }
    }

    /// The key of all of them has been let go.
    pub fn let_go(&mut self) {
        self.waiting.iter_mut().for_each(|waiting| waiting.let_go = true);
    }

    /// The first that is due within `samples`.
    fn take(&mut self, samples: u64) -> Option<PendingOnset> {
        let first = (0..self.waiting.len()).min_by_key(|&index| self.waiting[index].samples)?;
        (self.waiting[first].samples <= samples).then(|| self.waiting.remove(first))
    }
}

impl Voice {
    /// Play the note that has this voice, as soon as chance lets it.
    pub fn play(&mut self, onset: Onset, context: &VoiceContext) {
        if self.onsets.waiting.is_full()
            && let Some(first) = self.onsets.take(u64::MAX)
        {
            self.fall(first, context);
        }
        let delay_s = human::delay_s(context.patch, onset.count);
        // The cast saturates.
        let samples = (delay_s * self.object.sample_rate_hz()).round() as u64;
        self.onsets.waiting.push(PendingOnset { onset, samples, let_go: false });
        self.set_going();
    }

    /// Let fall what is due at this sample. Returns whether anything did.
    pub(super) fn play_due(&mut self, context: &VoiceContext) -> bool {
        let mut has_fallen = false;
        // No more than can wait.
        while let Some(waiting) = self.onsets.take(0) {
            self.fall(waiting, context);
            has_fallen = true;
        }
        has_fallen
    }

    fn fall(&mut self, waiting: PendingOnset, context: &VoiceContext) {
        let Onset { velocity, count } = waiting.onset;
        self.modulator.begin(waiting.onset);
        self.modulator.ask(context.patch, context.tempo_bpm);
        // A copy, since the voice changes while it reads.
        let patch = &self.modulator.patch(context.patch).clone();
        if std::mem::take(&mut self.is_unstruck) {
            self.make_unstruck(&VoiceContext { patch, ..*context });
        } else {
            self.renew_level(&VoiceContext { patch, ..*context });
        }
        let scale = self.scale(&VoiceContext { patch, ..*context });
        match patch.gesture() {
            Gesture::Strike => self.strike(&Blow::of_note(patch, &scale, velocity, count), patch),
            Gesture::Bounce => self
                .throw(&Throw::of_note(patch, &scale, velocity, count, context.tempo_bpm), patch),
            Gesture::Tumble => {
                self.throw_tumbling_body(TumblingBody::of_note(patch, &scale, velocity, count))
            }
            Gesture::Chain => self.launch(&chain::of_note(patch, &scale, velocity)),
            Gesture::Roll | Gesture::Scrape => {
                if let Some(table) = context.table {
                    self.roll(velocity, table, patch);
                }
            }
        }
        if waiting.let_go {
            self.release(patch);
        }
    }

    /// The body that this very note wants, before its first blow.
    pub(super) fn make_unstruck(&mut self, context: &VoiceContext) {
        let stand = self.modulator.stand();
        self.gain_pan.jump(stand.gain, stand.pan + self.key_pan);
        let key_st = context.tuning.pitch_st(self.key).unwrap_or_default();
        let settings = *self.settings_cache.read(context, false, key_st, stand.pitch_st, false);
        let boost = level::boost(context.patch);
        self.rolls = context.patch.gesture().rolls();
        let is_another =
            settings != self.object.settings || boost != self.boost || self.kept != 1.0;
        if is_another {
            self.make(settings, context.list);
        }
        self.object.modes.arrive();
        if is_another {
            (self.boost, self.kept) = (boost, 1.0);
            self.begin_level();
        }
        self.since_tick = 0;
        self.moving = false;
    }
}
