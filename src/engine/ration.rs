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

#[cfg(test)]
mod tests {
    use super::super::NoteEnds;
    use super::*;
    use crate::event::{Event, EventKind, NoteAddress};
    use crate::patch::Param;

    /// What rows and strikers may spend after `notes` have begun at once, and a little later.
    fn shares(settings: &[(Param, f64)], notes: u8, rate_hz: f64) -> Vec<(usize, Option<u32>)> {
        let mut patch = Patch::default();
        for &(param, value) in settings {
            patch.set(param, value);
        }
        let mut engine = Engine::new();
        engine.prepare(rate_hz);
        let begin = |n: u8| Event {
            offset: 0,
            note: NoteAddress { id: None, channel: Some(0), key: Some(40 + n) },
            kind: EventKind::NoteOn { velocity: 0.8 },
        };
        let events: Vec<_> = (0..notes).map(begin).collect();
        let (mut left, mut right, mut ends) = ([0.0; 2], [0.0; 2], NoteEnds::new());
        engine.process(&patch, &events, &mut left, &mut right, &mut ends);
        engine.pool.sounding().map(|voice| voice.rations()).collect()
    }

    const ROW: [(Param, f64); 2] = [(Param::Gesture, 5.0), (Param::FirstHit, 1.0)];

    #[test]
    fn all_rows_together_spend_no_more_than_there_is() {
        for rate_hz in [44_100.0, 48_000.0, 192_000.0] {
            for notes in [1u8, 2, 5, 16, 32, 60] {
                let shares = shares(&ROW, notes, rate_hz);
                assert_eq!(shares.len(), usize::from(notes));
                let all: usize = shares.iter().map(|share| share.0).sum();
                let most = ROW_WORK_PER_S / rate_hz;
                assert!(all as f64 <= most.max(f64::from(notes)), "{rate_hz} {notes}: {all}");
                let least = (most / f64::from(notes) - 1.0).min(31.0);
                assert!(shares.iter().all(|share| share.0 as f64 >= least), "{rate_hz} {notes}: {shares:?}");
            }
        }
    }

    #[test]
    fn many_two_way_bodies_share_a_window_and_a_few_do_not() {
        let two_way = [(Param::Coupling, 1.0)];
        assert!(shares(&two_way, 4, 48_000.0).iter().all(|share| share.1.is_none()));
        for notes in [5u8, 32, 60] {
            let all: u32 = shares(&two_way, notes, 48_000.0).iter().map(|share| share.1.expect("a ration")).sum();
            assert!(all <= TWO_WAY_STEPS, "{notes}: {all}");
        }
        assert!(shares(&[], 32, 48_000.0).iter().all(|share| share.1.is_none()), "nothing pushes back");
    }
}
