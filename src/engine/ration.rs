//! What each voice may spend on its contacts, where many are struck at once.
//!
//! Sub-steps of contacts cost more than all else, and a storm in which every voice took as many as one alone may would
//! not be over in time. So the engine has an amount of work for all of them together, and every voice in which something may
//! touch soon gets an equal share. Steps get longer with it; they are passive at any length, and a contact has 24 of them in any case. A voice alone, or a few,
//! notice nothing.
//!
//! Shares are set at instants of the stream, never by blocks of the host. A window begins [`WINDOW_S`] after the one before,
//! or with a note, if nothing presses then: so a chord out of silence is stepped alike whenever it comes. A note that begins inside a
//! window gets its share of what is left in it, and so does everybody else: there is no more in a window than there is,
//! however many notes come.

use super::{Engine, world};
use crate::patch::Patch;

/// Length of a window, s.
pub const WINDOW_S: f64 = 32.0 / 48_000.0;

/// Steps of a contact of rows per second, all voices together: 96 per sample at 48 kHz, as many as three rows may have.
pub const ROW_WORK_PER_S: f64 = 96.0 * 48_000.0;

/// Sub-steps of two-way contact in a window, all voices together: as many as twenty contacts need at least. Beyond, every contact
/// has [its own](crate::contact::two_way::beater::OWED_STEPS), so that it has 24 however many there are, and every voice one per
/// sample, without which nothing moves.
pub const TWO_WAY_STEPS: u32 = 512;

/// So many voices in two-way contact at once go without a ration.
const FEW: usize = 4;

/// When to look next, and how much there is to share out.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ration {
    window_samples: usize,
    left_samples: usize,
    /// A note has begun since the last look.
    is_stale: bool,
    /// Nothing was near any body at the last look, and nothing can have come near one since: all that looks would do is done.
    is_quiet: bool,
    /// Voices that something could press on, at the last look.
    pressed: usize,
    /// Sub-steps that were made in this window before the last look.
    spent: u32,
    row_work: f64,
}

impl Ration {
    /// Take over a sample rate, Hz.
    pub fn prepare(&mut self, sample_rate_hz: f64) {
        self.window_samples = ((WINDOW_S * sample_rate_hz).round() as usize).max(1);
        self.row_work = ROW_WORK_PER_S / sample_rate_hz;
        self.reset();
    }

    /// Look at once.
    pub fn reset(&mut self) {
        (self.left_samples, self.pressed, self.spent) = (0, 0, 0);
        (self.is_quiet, self.is_stale) = (false, false);
    }

    /// Something has begun: look once more before time goes on.
    pub fn look(&mut self) {
        self.is_stale = true;
    }

    /// A force from outside is about to drive a body, which no note has begun: look again when the window is over.
    pub fn wake(&mut self) {
        self.is_quiet = false;
    }

    /// How many of the next `most` samples may be played before the next look.
    pub fn room(&self, most: usize) -> usize {
        if self.is_quiet { most } else { self.left_samples.min(most) }
    }

    /// Samples have been played: as many as there was [room](Self::room) for at most.
    pub fn pass(&mut self, samples: usize) {
        // While all is quiet windows go by unseen.
        self.left_samples = match samples.checked_sub(self.left_samples) {
            None | Some(0) => self.left_samples - samples,
            Some(beyond) => (self.window_samples - beyond % self.window_samples) % self.window_samples,
        };
    }

    /// Begin a window if it is time. Says whether there is anything to look at.
    fn begin(&mut self) -> bool {
        let is_stale = std::mem::take(&mut self.is_stale);
        if self.is_quiet && !is_stale {
            return false;
        }
        // Nothing could press, so nothing has been spent: the window may as well begin now.
        let begins = self.left_samples == 0 || is_stale && self.pressed == 0;
        if begins {
            (self.left_samples, self.spent) = (self.window_samples, 0);
        }
        begins || is_stale
    }
}

impl Engine {
    /// Share out anew if it is time. `may_rest`: nothing but notes can set anything in motion.
    pub(super) fn ration_when_due(&mut self, patch: &Patch, may_rest: bool) {
        self.ration.is_quiet &= may_rest;
        let is_over = self.ration.left_samples == 0;
        if !self.ration.begin() {
            return;
        }
        let samples = self.ration.left_samples;
        let world = world(patch, &self.surfaces, (&self.list, self.lists), &self.tuning, self.tempo_bpm);
        let (mut rows, mut pressed, mut struck) = (0, 0, 0);
        for voice in self.pool.sounding() {
            let spent = voice.take_spent();
            if !is_over {
                self.ration.spent = self.ration.spent.saturating_add(spent);
            }
            if voice.is_alone() {
                continue;
            }
            struck += u32::from(voice.may_be_struck());
            rows += usize::from(voice.row_is_due(samples, &world));
            pressed += usize::from(voice.riders_are_due(samples, &world));
        }
        self.ration.pressed = pressed;
        self.ration.is_quiet = struck == 0 && may_rest;
        // The cast saturates: no row, no bound.
        let work = (self.ration.row_work / rows as f64) as usize;
        let left = TWO_WAY_STEPS.saturating_sub(self.ration.spent);
        let steps = (pressed > FEW).then(|| left / pressed as u32);
        // What nothing is near has no use for a share; the note that changes that brings the next look.
        for voice in self.pool.sounding().filter(|voice| !voice.is_alone()) {
            voice.set_row_work(work);
            voice.set_ration(steps);
        }
    }
}

#[cfg(test)]
mod tests;
