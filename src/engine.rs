//! The whole instrument, from notes and a patch to stereo sound.
//!
//! `process` cuts its block at the events and gives each piece to the voices; the sum goes through the
//! output stage. After `prepare` nothing here allocates, locks or fails.

pub mod afterglow;
pub mod controls;
pub mod output;
mod play;
pub mod pool;
mod turn;

use std::sync::Arc;

use arrayvec::ArrayVec;

pub use crate::patch::MOST_VOICES;

use crate::body::UserModes;
use crate::event::{Event, EventQueue, NoteEnd};
use crate::gesture::surface::{Shelf, SurfaceTable};
use crate::patch::Patch;
use crate::voice::World;
use crate::voice::happening::Happenings;
use controls::Controls;
use output::Output;
use pool::Pool;

/// Samples mixed in one go; only the size of a scratch buffer, not a control rate.
const PIECE: usize = 256;

/// Slowest and fastest sample rate that is not a mistake.
const SAMPLE_RATES_HZ: (f64, f64) = (1000.0, 1_000_000.0);

/// Tempo until a host says otherwise, and the slowest and fastest that is not a mistake; quarter notes per minute.
const TEMPO_BPM: f64 = 120.0;
const TEMPOS_BPM: (f64, f64) = (5.0, 1000.0);

/// Notes that ended in a block: at most one for each event, and one for each voice.
pub type NoteEnds = ArrayVec<NoteEnd, { EventQueue::CAPACITY + pool::SLOTS }>;

/// What the engine tells whoever watches.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Status {
    /// Voices that sound.
    pub voices: usize,
    /// Samples until silence, if nothing more happens: an upper bound.
    pub tail_samples: u64,
    /// Largest output of the block, left and right, 1 is full scale.
    pub peak: [f32; 2],
    /// Smallest gain of the limiter in the block; 1 when it had nothing to do.
    pub limiter_gain: f32,
}

/// The instrument.
#[derive(Clone, Debug)]
pub struct Engine {
    pool: Pool,
    output: Output,
    controls: Controls,
    /// Notes begun since the last reset; with the seed it fixes everything that looks random.
    notes: u64,
    tempo_bpm: f64,
    happenings: Happenings,
    surfaces: Option<Shelf>,
    list: UserModes,
    /// Lists that have been taken over.
    lists: u64,
}

impl Default for Engine {
    fn default() -> Self {
        Self::new()
    }
}

impl Engine {
    /// Allocates all it will ever need.
    pub fn new() -> Self {
        let mut engine = Self {
            pool: Pool::new(),
            output: Output::new(),
            controls: Controls::default(),
            notes: 0,
            tempo_bpm: TEMPO_BPM,
            happenings: Happenings::new(),
            surfaces: None,
            list: UserModes::default(),
            lists: 0,
        };
        engine.prepare(48_000.0);
        engine
    }

    /// Take over a sample rate (Hz), and be silent. A rate that makes no sense becomes the nearest one that
    /// does.
    pub fn prepare(&mut self, sample_rate_hz: f64) {
        let (slowest, fastest) = SAMPLE_RATES_HZ;
        let rate = if sample_rate_hz.is_nan() { 48_000.0 } else { sample_rate_hz.clamp(slowest, fastest) };
        self.pool.prepare(rate);
        self.output.prepare(rate);
        self.controls.reset();
        self.notes = 0;
    }

    /// Be silent, as if nothing had ever been played.
    pub fn reset(&mut self) {
        self.pool.reset();
        self.output.reset();
        self.controls.reset();
        self.notes = 0;
    }

    /// The tempo for notes to come, quarter notes per minute. One that makes no sense becomes the nearest that does.
    pub fn set_tempo(&mut self, tempo_bpm: f64) {
        let (slowest, fastest) = TEMPOS_BPM;
        self.tempo_bpm = if tempo_bpm.is_nan() { TEMPO_BPM } else { tempo_bpm.clamp(slowest, fastest) };
    }

    /// The surface to roll over, from now on. Neither frees nor waits.
    ///
    /// # Errors
    /// Gives the table back while too many older ones are still being read; offer it again later.
    pub fn set_surface(&mut self, table: Arc<SurfaceTable>) -> Result<(), Arc<SurfaceTable>> {
        match &mut self.surfaces {
            Some(shelf) => shelf.offer(table),
            empty => {
                *empty = Some(Shelf::new(table));
                Ok(())
            }
        }
    }

    /// The list of modes for bodies that are one. Neither allocates nor waits.
    pub fn set_list(&mut self, list: &UserModes) {
        if self.list != *list {
            self.list = list.clone();
            self.lists += 1;
        }
    }

    /// A surface that nobody rolls over any more, to be freed elsewhere.
    pub fn take_retired_surface(&mut self) -> Option<Arc<SurfaceTable>> {
        self.surfaces.as_mut()?.take_retired()
    }

    /// What happened in the last block, in no order.
    pub fn happenings(&self) -> &Happenings {
        &self.happenings
    }

    /// Play one block. `left` and `right` are overwritten; notes that come to an end are added to `ends`, in the
    /// order of time. Of two channels of unequal length the shorter counts.
    pub fn process(
        &mut self,
        patch: &Patch,
        events: &[Event],
        left: &mut [f32],
        right: &mut [f32],
        ends: &mut NoteEnds,
    ) -> Status {
        let length = left.len().min(right.len());
        let mut status = Status { limiter_gain: 1.0, ..Status::default() };
        let mut events = events.iter().peekable();
        let (mut start, told) = (0, ends.len());
        self.happenings.clear();
        self.pool.keep_at_most(patch.voices());
        loop {
            while let Some(event) = events.next_if(|event| event.offset.min(length) <= start) {
                self.play(patch, event, start, ends);
            }
            if start == length {
                break;
            }
            let next = events.peek().map_or(length, |event| event.offset.min(length));
            let end = next.min(start + PIECE);
            self.mix(patch, start, &mut left[start..end], &mut right[start..end], ends, &mut status);
            start = end;
        }
        status.voices = self.pool.playing();
        let ringing_samples = self.pool.tail_samples();
        status.tail_samples = ringing_samples.saturating_add(self.output.tail_samples(ringing_samples > 0));
        // Voices are played one after the other; hosts want time to run forwards. (Unstable: no allocation.)
        ends[told..].sort_unstable_by_key(|end| end.offset);
        status
    }

    fn mix(
        &mut self,
        patch: &Patch,
        start: usize,
        left: &mut [f32],
        right: &mut [f32],
        ends: &mut NoteEnds,
        status: &mut Status,
    ) {
        let n = left.len();
        let (mut l, mut r) = ([0.0; PIECE], [0.0; PIECE]);
        let told = self.happenings.len();
        let world = world(patch, &self.surfaces, &self.list, self.lists);
        for voice in self.pool.sounding() {
            if let Some((offset, note)) = voice.process(&world, &mut l[..n], &mut r[..n], &mut self.happenings) {
                tell(ends, NoteEnd { offset: start + offset, note });
            }
        }
        self.pool.afterglow().mix(&mut l[..n], &mut r[..n]);
        self.happenings[told..].iter_mut().for_each(|happening| happening.offset += start);
        self.output.process(patch.level(), &mut l[..n], &mut r[..n]);
        for (out, x) in left.iter_mut().zip(&l).chain(right.iter_mut().zip(&r)) {
            *out = *x as f32;
        }
        for (peak, side) in status.peak.iter_mut().zip([left, right]) {
            *peak = side.iter().fold(*peak, |peak, x| peak.max(x.abs()));
        }
        status.limiter_gain = status.limiter_gain.min(self.output.lowest_gain() as f32);
    }
}

fn world<'a>(patch: &'a Patch, surfaces: &'a Option<Shelf>, list: &'a UserModes, list_number: u64) -> World<'a> {
    World { patch, table: surfaces.as_ref().map(Shelf::current), list, list_number }
}

fn tell(ends: &mut NoteEnds, end: NoteEnd) {
    // Cannot be full for one block's events (see `NoteEnds`); a caller that lets it fill up loses ends, not sound.
    let _ = ends.try_push(end);
}
