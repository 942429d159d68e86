//! Shares out the work of contacts; `docs/design/step-budget.md` explains it.
//!
//! Sub-steps of contacts cost more than everything else. So all voices together have an amount of
//! work per window of the stream, and every voice in which something may touch gets an equal share
//! of it. Within its share a voice steps its contacts as finely as they ask; beyond it, ever more
//! coarsely ([`StepBudget`](crate::contact::coupled::StepBudget)).
//!
//! Windows are cut at instants of the stream and work is counted in whole numbers, so that nothing
//! depends on time or on the host's blocks. A window begins [`WINDOW_S`] after the one before, or
//! with a note if nothing presses then: a chord out of silence is stepped alike whenever it comes.
//! A note inside a window shares what is left of it with everybody else.

use super::{Engine, context};
use crate::contact::coupled::StepBudget;
use crate::params::Patch;

/// Length of a window, s.
pub const WINDOW_S: f64 = 32.0 / 48_000.0;

/// Work of contacts in a window, all voices together, in passes over eight modes. Half as much
/// again is the most that is spent, besides one step per sample and voice.
pub const WORK_PER_WINDOW: u32 = 24_000;

/// When shares are set next, and how much of the window's work is spent.
#[derive(Clone, Copy, Debug, Default)]
pub struct BudgetWindow {
    window_samples: usize,
    left_samples: usize,
    /// A note has begun since shares were set.
    is_stale: bool,
    /// Nothing was near any body when shares were last set, and nothing can have come near one
    /// since.
    is_quiet: bool,
    /// Voices that something could press on when shares were last set.
    pressed: u32,
    /// Work of this window before shares were last set.
    spent: u32,
}

impl BudgetWindow {
    /// Takes over a sample rate, Hz.
    pub fn prepare(&mut self, sample_rate_hz: f64) {
        self.window_samples = ((WINDOW_S * sample_rate_hz).round() as usize).max(1);
        self.reset();
    }

    /// Begins a window at once.
    pub fn reset(&mut self) {
        *self = Self { window_samples: self.window_samples, ..Self::default() };
    }

    /// A note has begun: set shares anew before time goes on.
    pub fn note_begun(&mut self) {
        self.is_stale = true;
    }

    /// A force from outside is about to drive a body, which no note has begun: set shares when the
    /// window is over.
    pub fn wake(&mut self) {
        self.is_quiet = false;
    }

    /// How many of the next `max` samples may be played before shares are set again.
    pub fn room(&self, max: usize) -> usize {
        if self.is_quiet { max } else { self.left_samples.min(max) }
    }

    /// Samples have been played: as many as there was [room](Self::room) for at most.
    pub fn pass(&mut self, samples: usize) {
        // While all is quiet, windows go by unseen.
        self.left_samples = match samples.checked_sub(self.left_samples) {
            None | Some(0) => self.left_samples - samples,
            Some(beyond) => {
                (self.window_samples - beyond % self.window_samples) % self.window_samples
            }
        };
    }

    /// Begins a window if it is time. Says whether shares have to be set.
    fn begin(&mut self) -> bool {
        let is_stale = std::mem::take(&mut self.is_stale);
        if self.is_quiet && !is_stale {
            return false;
        }
        // If nothing could press, nothing has been spent: the window may as well begin now.
        let begins = self.left_samples == 0 || is_stale && self.pressed == 0;
        if begins {
            (self.left_samples, self.spent) = (self.window_samples, 0);
        }
        begins || is_stale
    }
}

impl Engine {
    /// Sets the shares of all voices if it is time. `may_rest`: nothing but notes can set anything
    /// in motion.
    pub(super) fn share_out_when_due(&mut self, patch: &Patch, may_rest: bool) {
        self.budget.is_quiet &= may_rest;
        let is_over = self.budget.left_samples == 0;
        if !self.budget.begin() {
            return;
        }
        let samples = self.budget.left_samples;
        let context =
            context(patch, &self.surfaces, (&self.list, self.lists), &self.tuning, self.tempo_bpm);
        let (mut pressed, mut busy, mut is_quiet) = (0, 0_u32, may_rest);
        for voice in self.pool.sounding() {
            let work = voice.take_contact_work();
            if !is_over {
                self.budget.spent = self.budget.spent.saturating_add(work);
            }
            busy += u32::from(voice.is_busy(samples));
            is_quiet &= !voice.is_changing();
            if !voice.is_alone() {
                is_quiet &= !voice.may_be_struck();
                pressed += u32::from(voice.has_contact_work(samples, &context));
            }
        }
        (self.budget.pressed, self.budget.is_quiet) = (pressed, is_quiet);
        let share = WORK_PER_WINDOW.saturating_sub(self.budget.spent) / pressed.max(1);
        // In quiet, windows go by unseen, and nothing may be owed to them.
        let own_share =
            if is_quiet { StepBudget::UNLIMITED } else { WORK_PER_WINDOW / busy.max(1) };
        let begins = samples == self.budget.window_samples;
        self.pool.sounding().for_each(|voice| voice.set_share(own_share, begins));
        // What nothing is near has no use for a share; the note that changes that sets shares anew.
        for voice in self.pool.sounding().filter(|voice| !voice.is_alone()) {
            voice.set_contact_share(share, self.budget.window_samples);
        }
    }
}

#[cfg(test)]
mod tests;
