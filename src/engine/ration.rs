//! What each voice may spend on its contacts, where many are struck at once.
//!
//! Sub-steps of contacts cost more than all else, and a storm in which every voice took as many as one alone may would
//! not be over in time. So the engine has an amount of work for all of them together, and every voice in which something may
//! touch soon gets an equal share. Steps get longer with it; they are passive at any length. A voice alone, or a few,
//! notice nothing.
//!
//! Shares are set at instants of the stream, [`WINDOW_S`] apart, and whenever a note begins: never by blocks of the host.

use super::{Engine, world};
use crate::patch::Patch;

/// Time from one look at who may touch to the next, s.
pub const WINDOW_S: f64 = 32.0 / 48_000.0;

/// Steps of a contact of rows per second, all voices together: 96 per sample at 48 kHz, as many as three rows may have.
pub const ROW_WORK_PER_S: f64 = 96.0 * 48_000.0;

/// Sub-steps of two-way contact in a window, all voices together: as many as twenty contacts need at least.
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
        self.left_samples = 0;
    }

    /// Something has begun: look once more before time goes on.
    pub fn look(&mut self) {
        self.is_stale = true;
    }

    /// How many of the next `most` samples may be played before the next look.
    pub fn room(&self, most: usize) -> usize {
        self.left_samples.min(most)
    }

    /// Samples have been played.
    pub fn pass(&mut self, samples: usize) {
        self.left_samples = self.left_samples.saturating_sub(samples);
    }
}

impl Engine {
    /// Share out anew if it is time.
    pub(super) fn ration_when_due(&mut self, patch: &Patch) {
        let is_over = self.ration.left_samples == 0;
        if is_over {
            self.ration.left_samples = self.ration.window_samples;
        }
        if !std::mem::take(&mut self.ration.is_stale) && !is_over {
            return;
        }
        let samples = self.ration.window_samples;
        let world = world(patch, &self.surfaces, (&self.list, self.lists), &self.tuning, self.tempo_bpm);
        let (mut rows, mut pressed) = (0, 0);
        for voice in self.pool.sounding() {
            rows += usize::from(voice.row_is_due(samples, &world));
            pressed += usize::from(voice.riders_are_due(samples, &world));
        }
        // The cast saturates: no row, no bound.
        let work = (self.ration.row_work / rows as f64) as usize;
        let steps = (pressed > FEW).then(|| TWO_WAY_STEPS / pressed as u32);
        for voice in self.pool.sounding() {
            voice.set_row_work(work);
            voice.set_ration(steps);
        }
    }
}
