//! Distributes the work of contacts among the voices; see `docs/design/step-budget.md`.
//!
//! Sub-steps of contacts cost more than everything else. All voices together therefore have a fixed
//! amount of work per window of samples, and every voice that may be in contact gets an equal share
//! of it. Within its share a voice steps its contacts at the target step size, beyond it ever more
//! coarsely ([`StepBudget`]).
//!
//! Windows are counted in samples and work in whole numbers, so the result depends neither on the
//! clock nor on the host's blocks. A window begins [`WINDOW_S`] after the previous one, or with a
//! note if no contact is under way: a chord after silence sounds the same whenever it comes. A note
//! within a window shares what is left of it with the other voices.
//!
//! # All limits on work
//!
//! | limit | where |
//! |---|---|
//! | work of contacts per window | [`WORK_PER_WINDOW`] |
//! | sub-steps of one coupled contact | `contact::coupled::budget` |
//! | steps per sample of a rolling contact | `exciter::roll::step_size::MAX_STEPS` |
//! | strikes per impact of a tumbling body | `exciter::tumble::MAX_BLOWS` |
//! | voices, and fading voices | `params::MAX_VOICES`, `engine::pool::SLOTS` |
//! | modes per voice | `body::MAX_MODES` |
//! | events per block | `params::event::EventQueue::CAPACITY` |

use super::pool::Pool;
use crate::contact::coupled::StepBudget;
use crate::voice::VoiceContext;

/// Length of a window, s.
pub const WINDOW_S: f64 = 32.0 / 48_000.0;

/// Work of contacts per window of all voices together, in passes over eight modes. At most one and
/// a half times as much is spent, besides one step per sample and voice.
pub const WORK_PER_WINDOW: u32 = 24_000;

/// The current window: the samples left of it, and the work already spent.
#[derive(Clone, Copy, Debug, Default)]
pub struct BudgetWindow {
    window_samples: usize,
    left_samples: usize,
    /// A note has begun since the shares were set.
    is_stale: bool,
    /// No contact was possible when the shares were set, and none can have become possible since.
    is_quiet: bool,
    /// Voices with contact work when the shares were set.
    pressed: u32,
    /// Work spent in this window before the shares were set.
    spent: u32,
}

impl BudgetWindow {
    /// Sets the sample rate, Hz, and resets.
    pub fn prepare(&mut self, sample_rate_hz: f64) {
        self.window_samples = ((WINDOW_S * sample_rate_hz).round() as usize).max(1);
        self.reset();
    }

    /// Begins a new window.
    pub fn reset(&mut self) {
        *self = Self { window_samples: self.window_samples, ..Self::default() };
    }

    /// Marks the shares as stale, because a note has begun.
    pub fn note_begun(&mut self) {
        self.is_stale = true;
    }

    /// Ends the quiet state, because the side-chain is about to drive a body without a note.
    pub fn wake(&mut self) {
        self.is_quiet = false;
    }

    /// The number of samples, at most `max`, before the shares are set again.
    pub fn room(&self, max: usize) -> usize {
        if self.is_quiet { max } else { self.left_samples.min(max) }
    }

    /// Counts rendered samples, at most as many as [`room`](Self::room) allows.
    pub fn pass(&mut self, samples: usize) {
        // While quiet, several windows may pass at once.
        self.left_samples = match samples.checked_sub(self.left_samples) {
            None | Some(0) => self.left_samples - samples,
            Some(beyond) => {
                (self.window_samples - beyond % self.window_samples) % self.window_samples
            }
        };
    }

    /// Begins a window if the last one is over. Returns whether the shares have to be set.
    fn begin(&mut self) -> bool {
        let is_stale = std::mem::take(&mut self.is_stale);
        if self.is_quiet && !is_stale {
            return false;
        }
        // Without contact work nothing has been spent, so the window can begin now.
        let begins = self.left_samples == 0 || is_stale && self.pressed == 0;
        if begins {
            (self.left_samples, self.spent) = (self.window_samples, 0);
        }
        begins || is_stale
    }
}

impl BudgetWindow {
    /// Sets the shares of all voices if a window ends or a note has begun. `may_rest`: only notes
    /// can set anything in motion.
    pub fn share_out(&mut self, pool: &mut Pool, context: &VoiceContext, may_rest: bool) {
        self.is_quiet &= may_rest;
        let is_over = self.left_samples == 0;
        if !self.begin() {
            return;
        }
        let samples = self.left_samples;
        let (mut pressed, mut busy, mut is_quiet) = (0, 0_u32, may_rest);
        for voice in pool.sounding() {
            let work = voice.take_contact_work();
            if !is_over {
                self.spent = self.spent.saturating_add(work);
            }
            busy += u32::from(voice.is_busy(samples));
            is_quiet &= !voice.is_changing();
            if !voice.is_alone() {
                is_quiet &= !voice.may_be_struck();
                pressed += u32::from(voice.has_contact_work(samples, context));
            }
        }
        (self.pressed, self.is_quiet) = (pressed, is_quiet);
        let share = WORK_PER_WINDOW.saturating_sub(self.spent) / pressed.max(1);
        // While quiet, windows pass without being counted, so no voice may have an overdraft.
        let own_share =
            if is_quiet { StepBudget::UNLIMITED } else { WORK_PER_WINDOW / busy.max(1) };
        let begins = samples == self.window_samples;
        pool.sounding().for_each(|voice| voice.set_share(own_share, begins));
        // A voice in which no contact is possible needs no share: the next note sets them again.
        for voice in pool.sounding().filter(|voice| !voice.is_alone()) {
            voice.set_contact_share(share, self.window_samples);
        }
    }
}

#[cfg(test)]
mod tests;
