//! What each voice may spend on its contacts, where many are struck at once.
//!
//! Sub-steps of contacts cost more than all else, and a storm in which every voice took as many as one alone may would
//! not be over in time. So the engine has an amount of work for all of them together, and every voice in which something may
//! touch soon gets an equal share. Steps get longer with it; they are passive at any length. A voice alone, or a few,
//! notice nothing.
//!
//! Shares are set at instants of the stream, never by blocks of the host. A window begins [`WINDOW_S`] after the one before,
//! or with a note, if nothing presses then: so a chord out of silence is stepped alike whenever it comes. A note that begins inside a
//! window gets its share of what is left in it, and so does everybody else: there is no more in a window than there is,
//! however many notes come.
//!
//! Levelling new bodies has an amount of its own, which notes use up and time brings back. What does not fit is levelled by an
//! estimate ([`gain_within`](loudness::Leveller::gain_within)). What falls first is levelled while it falls, one body whenever a
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

/// Sub-steps of two-way contact in a window, all voices together: as many as twenty contacts need at least. Beyond, the first contact
/// of every blow has [its own](crate::contact::two_way::beater::OWED_STEPS), so that it has 24 however many there are, and every voice one per
/// sample, without which nothing moves.
pub const TWO_WAY_STEPS: u32 = 512;

/// Work of levelling that may come together, in steps of a mode: some sixteen usual bodies. As long as anything is left a body is
/// levelled in full, which may be the longest rehearsal there is. The voices that are struck share as much in every window, besides.
pub const LEVELLING: u32 = loudness::MOST_REHEARSED / 6;

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
    /// What is left of [`LEVELLING`], and what a sample brings back.
    levelling: u32,
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
        (self.left_samples, self.pressed, self.spent, self.levelling) = (0, 0, 0, LEVELLING);
        self.is_quiet = false;
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
        self.levelling = self.levelling.saturating_add(back).min(LEVELLING);
    }

    /// Work that levelling a new body may take.
    pub fn levelling(&self) -> u32 {
        if self.levelling > 0 { loudness::MOST_REHEARSED } else { 0 }
    }

    /// A new body was levelled.
    pub fn level(&mut self, work: u32) {
        self.levelling = self.levelling.saturating_sub(work);
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
            self.ration.level(worked.unwrap_or(0));
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
mod tests {
    use super::super::NoteEnds;
    use super::*;
    use crate::body::Kind;
    use crate::contact::two_way::beater::OWED_STEPS;
    use crate::event::{Event, EventKind, NoteAddress};
    use crate::patch::Param;

    fn patch_of(settings: &[(Param, f64)]) -> Patch {
        let mut patch = Patch::default();
        for &(param, value) in settings {
            patch.set(param, value);
        }
        patch
    }

    #[test]
    fn a_fresh_start_forgets_what_was_spent_and_levelled() {
        let settings = [(Param::Coupling, 1.0), (Param::Hardness, 0.9), (Param::Weight, 0.05)];
        let offsets: Vec<usize> = (0..12).map(|n| 17 * n).collect();
        let (mut engine, first) = played(&settings, &offsets, 2000, 48_000.0);
        for prepare in [true, false] {
            if prepare {
                engine.prepare(48_000.0);
            } else {
                engine.reset();
            }
            assert_eq!(play(&mut engine, &settings, &offsets, 2000), first, "prepared: {prepare}");
        }
    }

    #[test]
    fn windows_go_by_unseen_while_all_is_quiet_and_begin_where_they_would() {
        let after = |pieces: &[usize]| {
            let mut ration = Ration::default();
            ration.prepare(48_000.0);
            ration.is_quiet = true;
            pieces.iter().for_each(|&samples| ration.pass(samples));
            ration.left_samples
        };
        let window = (WINDOW_S * 48_000.0).round() as usize;
        for samples in [0, 1, window - 1, window, window + 1, 5 * window, 7 * window + 3] {
            let left = (window - samples % window) % window;
            assert_eq!(after(&[samples]), left, "{samples}");
            assert_eq!(after(&vec![1; samples]), left, "{samples} one by one");
            assert_eq!(after(&[samples / 3, samples - samples / 3]), left, "{samples} in two");
        }
        // A voice that rings by itself keeps nothing awake, one that is struck does.
        let quiet = |samples: usize| played(&[], &[0], samples, 48_000.0).0.ration.is_quiet;
        assert!(!quiet(10) && quiet(4800));
    }

    /// Notes at these offsets, played for so many samples.
    fn played(settings: &[(Param, f64)], offsets: &[usize], samples: usize, rate_hz: f64) -> (Engine, Vec<f32>) {
        let mut engine = Engine::new();
        engine.prepare(rate_hz);
        let heard = play(&mut engine, settings, offsets, samples);
        (engine, heard)
    }

    fn play(engine: &mut Engine, settings: &[(Param, f64)], offsets: &[usize], samples: usize) -> Vec<f32> {
        let begin = |(n, &offset): (usize, &usize)| Event {
            offset,
            note: NoteAddress { id: None, channel: Some(0), key: Some(40 + n as u8) },
            kind: EventKind::NoteOn { velocity: 0.8 },
        };
        let events: Vec<_> = offsets.iter().enumerate().map(begin).collect();
        let (mut left, mut right, mut ends) = (vec![0.0; samples], vec![0.0; samples], NoteEnds::new());
        engine.process(&patch_of(settings), &events, &mut left, &mut right, &mut ends);
        left
    }

    /// What rows and strikers may spend after `notes` have begun at once, and a little later.
    fn shares(settings: &[(Param, f64)], notes: u8, rate_hz: f64) -> Vec<(usize, Option<u32>)> {
        let (mut engine, _) = played(settings, &vec![0; notes.into()], 2, rate_hz);
        engine.pool.sounding().map(|voice| voice.rations()).collect()
    }

    /// Steel on what is light: it asks for far more than there is.
    const HARD: [(Param, f64); 3] = [(Param::Coupling, 1.0), (Param::Hardness, 1.0), (Param::Weight, 0.1)];

    #[test]
    fn however_notes_come_a_window_has_no_more_than_there_is() {
        let samples = (WINDOW_S * 48_000.0).round() as usize - 1;
        for together in [1, 2, 5] {
            // More than a few from the start; those go without.
            let offsets: Vec<_> = [0; 5].into_iter().chain((0..50).map(|n| 1 + n / together)).collect();
            let offsets: Vec<_> = offsets.into_iter().filter(|offset| offset + 1 < samples).collect();
            let (mut engine, _) = played(&HARD, &offsets, samples, 48_000.0);
            let spent = engine.ration.spent + engine.pool.sounding().map(|voice| voice.take_spent()).sum::<u32>();
            // Nothing moves without one step per sample, and no blow goes without its first contact.
            let least: usize = offsets.iter().map(|offset| samples - offset + OWED_STEPS as usize).sum();
            println!("{together}: {spent} of {}", TWO_WAY_STEPS + least as u32);
            assert!(spent <= TWO_WAY_STEPS + least as u32, "{together}: {spent} with {least}");
            assert!(2 * spent > TWO_WAY_STEPS, "{together}: they want more, and took {spent}");
        }
    }

    /// A body that takes as long to level as any.
    fn large() -> [(Param, f64); 4] {
        let membrane = Kind::ALL.iter().position(|kind| *kind == Kind::Membrane).expect("a kind") as f64;
        [(Param::Coupling, 1.0), (Param::Body, membrane), (Param::Modes, 256.0), (Param::Weight, 0.05)]
    }

    #[test]
    fn a_storm_uses_up_the_levelling_and_time_brings_it_back() {
        let large = large();
        let left = |settings: &[(Param, f64)], notes: usize, samples: usize| {
            played(settings, &vec![0; notes], samples, 48_000.0).0.ration.levelling
        };
        let soon = (LEVELLING_S * 48_000.0) as usize + 1;
        assert_eq!(left(&large, 32, 1), LEVELLING.div_ceil(192), "what one sample brings back");
        assert_eq!(left(&large, 32, soon), LEVELLING);
        assert!(left(&[(Param::Coupling, 1.0)], 12, 1) > LEVELLING / 10, "a chord of usual bodies does not use it up");
    }

    /// Thrown from the height of a hand, at a body that gives way.
    fn thrown(gesture: f64) -> [(Param, f64); 3] {
        [(Param::Gesture, gesture), (Param::Coupling, 1.0), (Param::Height, 0.2)]
    }
    const TUMBLE: f64 = 4.0;
    const BOUNCE: f64 = 1.0;

    fn put_off(engine: &mut Engine) -> usize {
        engine.pool.sounding().filter(|voice| voice.is_level_put_off()).count()
    }

    #[test]
    fn what_is_levelled_while_it_falls_sounds_as_if_it_had_been_levelled_at_once() {
        for gesture in [TUMBLE, BOUNCE] {
            let settings = thrown(gesture);
            let (notes, samples) = (vec![0; 8], 12_000);
            let (mut at_once, _) = played(&settings, &notes, 1, 48_000.0);
            assert_eq!(put_off(&mut at_once), 8, "{gesture}");
            while at_once.pool.catch_up_level(u32::MAX).is_some() {}
            assert_eq!(put_off(&mut at_once), 0, "{gesture}");
            let (mut later, _) = played(&settings, &notes, 1, 48_000.0);
            let [at_once, later] = [&mut at_once, &mut later].map(|engine| play(engine, &settings, &[], samples));
            assert!(at_once.iter().any(|x| x.abs() > 1e-3), "{gesture}: nothing was heard");
            assert!(at_once == later, "{gesture}");
        }
    }

    #[test]
    fn all_that_fall_are_levelled_before_they_land() {
        for gesture in [TUMBLE, BOUNCE] {
            let (mut engine, _) = played(&thrown(gesture), &[0; 60], 1, 48_000.0);
            assert_eq!(put_off(&mut engine), 60, "{gesture}: none in the block in which they begin");
            let fall = (crate::voice::LEAST_FALL_S * 48_000.0) as usize;
            let heard = play(&mut engine, &thrown(gesture), &[], fall);
            assert!(heard.iter().all(|x| *x == 0.0), "{gesture}: they fall longer than that");
            assert_eq!(put_off(&mut engine), 0, "{gesture}");
        }
    }

    #[test]
    fn what_is_touched_while_it_waits_is_levelled_then() {
        // Struck by hand while something falls on it.
        let (mut engine, _) = played(&thrown(TUMBLE), &[0; 20], 1, 48_000.0);
        assert_eq!(put_off(&mut engine), 20);
        let struck = [(Param::Coupling, 1.0)];
        let heard = play(&mut engine, &struck, &[0; 20], 200);
        assert_eq!(put_off(&mut engine), 0);
        let (_, at_once) = played(&struck, &[0; 20], 200, 48_000.0);
        let most = |sound: &[f32]| sound.iter().fold(0.0f32, |most, x| most.max(x.abs()));
        let louder = most(&heard) / most(&at_once);
        assert!((0.8..1.25).contains(&louder), "{louder}");
    }

    #[test]
    fn a_hard_chord_is_stepped_alike_whenever_it_comes() {
        let (chord, samples) = ([0, 0, 0, 0, 0, 0, 3, 3, 40], 600);
        let (_, early) = played(&HARD, &chord, samples, 48_000.0);
        for late in [1, 13, 31, 32, 45] {
            let (_, later) = played(&HARD, &chord.map(|offset| offset + late), samples + late, 48_000.0);
            assert!(early.iter().any(|x| x.abs() > 0.01) && early[..] == later[late..], "{late}");
        }
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
