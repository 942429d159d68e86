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
//!
//! Levelling new bodies has an amount of its own, which notes use up and time brings back. A body that took more than was left leaves a
//! debt, and until that is paid those that come are levelled by an estimate ([`gain_within`](loudness::Leveller::gain_within)). What falls first is levelled while it falls, one body whenever a
//! window begins without a note, as long as there is any of that amount: all that there may be within the shortest
//! [fall](crate::voice::LEAST_FALL_S) for which it is put off. Voices that must be levelled anew while they are struck share as
//! much between looks.

use super::{Engine, world};
use crate::body::loudness;
use crate::patch::Patch;

/// Length of a window, s.
pub const WINDOW_S: f64 = 32.0 / 48_000.0;

/// Steps of a contact of rows per second, all voices together: 96 per sample at 48 kHz, as many as three rows may have.
pub const ROW_WORK_PER_S: f64 = 96.0 * 48_000.0;

/// Sub-steps of two-way contact in a window, all voices together: as many as twenty contacts need at least. Beyond, every contact
/// has [its own](crate::contact::two_way::beater::OWED_STEPS), so that it has 24 however many there are, and every voice one per
/// sample, without which nothing moves.
pub const TWO_WAY_STEPS: u32 = 512;

/// Work of levelling that may come together, in steps of a mode: some sixteen usual bodies. As long as anything is left a body is
/// levelled in full, which may be the longest rehearsal there is. The voices that are struck share as much in every window, besides.
pub const LEVELLING: u32 = 122_880;

/// Deepest debt of levelling: it is paid after [`LEVELLING_S`], however long a rehearsal was.
const DEEPEST_DEBT: i32 = LEVELLING as i32;

/// Time in which all of it is there again, s.
pub const LEVELLING_S: f64 = 0.004;

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
    /// What is left of [`LEVELLING`], below 0 a debt, and what a sample brings back.
    levelling: i32,
    levelling_per_sample: u32,
}

impl Ration {
    /// Take over a sample rate, Hz.
    pub fn prepare(&mut self, sample_rate_hz: f64) {
        self.window_samples = ((WINDOW_S * sample_rate_hz).round() as usize).max(1);
        self.row_work = ROW_WORK_PER_S / sample_rate_hz;
        self.levelling_per_sample = (f64::from(LEVELLING) / (LEVELLING_S * sample_rate_hz)).ceil() as u32;
        self.reset();
    }

    /// Look at once.
    pub fn reset(&mut self) {
        (self.left_samples, self.pressed, self.spent, self.levelling) = (0, 0, 0, LEVELLING as i32);
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
        // No more samples than are mixed in one go.
        let back = self.levelling_per_sample.saturating_mul(samples as u32);
        self.levelling = self.levelling.saturating_add_unsigned(back).min(LEVELLING as i32);
    }

    /// Work that levelling a new body may take.
    pub fn levelling(&self) -> u32 {
        if self.levelling > 0 { loudness::MOST_REHEARSED } else { 0 }
    }

    /// A new body was levelled.
    pub fn level(&mut self, work: u32) {
        self.levelling = self.levelling.saturating_sub_unsigned(work).max(-DEEPEST_DEBT);
    }

    /// One was levelled while it fell: there is time for all that fall, and none of them makes a debt.
    fn level_falling(&mut self, work: u32) {
        self.levelling = self.levelling.saturating_sub_unsigned(work).max(self.levelling.min(0));
    }

    /// Begin a window if it is time. Says whether one begins, and no note with it, if there is anything to look at.
    fn begin(&mut self) -> Option<bool> {
        let is_stale = std::mem::take(&mut self.is_stale);
        if self.is_quiet && !is_stale {
            return None;
        }
        // Nothing could press, so nothing has been spent: the window may as well begin now.
        let begins = self.left_samples == 0 || is_stale && self.pressed == 0;
        if begins {
            (self.left_samples, self.spent) = (self.window_samples, 0);
        }
        (begins || is_stale).then_some(!is_stale)
    }
}

impl Engine {
    /// Share out anew if it is time. `may_rest`: nothing but notes can set anything in motion.
    pub(super) fn ration_when_due(&mut self, patch: &Patch, may_rest: bool) {
        self.ration.is_quiet &= may_rest;
        let is_over = self.ration.left_samples == 0;
        let Some(is_spare) = self.ration.begin() else { return };
        // There is time: better later and in full.
        if is_spare && self.ration.levelling() > 0 {
            let worked = self.pool.catch_up_level(self.ration.levelling());
            self.ration.level_falling(worked.unwrap_or(0));
        }
        let samples = self.ration.left_samples;
        let world = world(patch, &self.surfaces, (&self.list, self.lists), &self.tuning, self.tempo_bpm);
        let (mut rows, mut pressed, mut struck) = (0, 0, 0);
        for voice in self.pool.sounding() {
            // Bodies that an onset has made anew, by what moves the settings of its voice.
            self.ration.level(voice.take_levelling());
            let spent = voice.take_spent();
            if !is_over {
                self.ration.spent = self.ration.spent.saturating_add(spent);
            }
            if voice.is_alone() {
                continue;
            }
            struck += u32::from(voice.may_level());
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
            voice.set_levelling(if struck > 1 { LEVELLING / struck } else { loudness::MOST_REHEARSED });
        }
    }
}

#[cfg(test)]
mod tests;
