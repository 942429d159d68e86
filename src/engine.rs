//! The whole instrument, from notes and a patch to stereo sound.
//!
//! `process` cuts its block at the events and gives each piece to the voices; the sum goes through
//! the output stage. After `prepare` nothing here allocates, locks or fails.

pub mod auto_level;
pub mod controls;
pub mod io;
mod midi_cc;
mod mix;
mod notes;
pub mod output;
pub mod pool;
pub mod preset_change;
mod rpn;
mod sidechain;
mod snapshot;
pub mod step_budget;
pub mod stolen_tail;
pub mod voice_set;

use std::sync::Arc;

use arrayvec::ArrayVec;

pub use crate::params::MAX_VOICES;

use crate::body::UserModes;
use crate::exciter::external::{self, External, ExternalMode, Input};
use crate::exciter::surface::{SurfaceTable, SwapSlot};
use crate::modulation::Zone;
use crate::params::event::{Event, EventQueue, NoteEnd};
use crate::params::{KEY_GROUPS, Param, Patch};
use crate::tuning::Tuning;
use crate::voice::VoiceContext;
use crate::voice::events::ContactEvents;
use controls::Controls;
use io::Io;
use mix::Room;
use output::Output;
use pool::Pool;
use step_budget::BudgetWindow;
pub use voice_set::{Room as VoiceRoom, VoiceSet};

/// Samples mixed in one go; only the size of a scratch buffer, not a control rate.
const PIECE: usize = 256;

/// Slowest and fastest sample rate that is not a mistake: 128 times a usual one is what references
/// are played at.
const SAMPLE_RATES_HZ: (f64, f64) = (1000.0, 8_000_000.0);

/// Tempo until a host says otherwise, and the slowest and fastest that is not a mistake; quarter
/// notes per minute.
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
    sample_rate_hz: f64,
    output: Output,
    group_outputs: [Output; KEY_GROUPS],
    controls: Controls,
    /// Notes begun since the last reset; with the seed it fixes everything that looks random.
    notes: u64,
    /// The same since the engine was made, for chance that is to be new every time.
    notes_ever: u64,
    tempo_bpm: f64,
    contact_events: Box<ContactEvents>,
    surfaces: Option<SwapSlot>,
    list: UserModes,
    /// Lists that have been taken over.
    lists: u64,
    tuning: Tuning,
    external: External,
    budget: BudgetWindow,
    /// The patch of the last block.
    last: Patch,
    room: Room,
}

impl Default for Engine {
    fn default() -> Self {
        Self::new()
    }
}

impl Engine {
    /// With room for every patch. Allocates all it will ever need.
    pub fn new() -> Self {
        Self::with_room(VoiceRoom::ALL)
    }

    /// With so many voices, and modes in each; patches that ask for more get no more. Allocates.
    pub fn with_room(room: VoiceRoom) -> Self {
        let mut engine = Self {
            pool: Pool::new(VoiceSet::new(room, 48_000.0)),
            sample_rate_hz: 48_000.0,
            output: Output::new(),
            group_outputs: std::array::from_fn(|_| Output::new()),
            controls: Controls::default(),
            notes: 0,
            notes_ever: 0,
            tempo_bpm: TEMPO_BPM,
            contact_events: Box::default(),
            surfaces: None,
            list: UserModes::default(),
            lists: 0,
            tuning: Tuning::EQUAL,
            external: External::default(),
            budget: BudgetWindow::default(),
            last: Patch::default(),
            room: Room::default(),
        };
        engine.prepare(48_000.0);
        engine
    }

    /// Take over a sample rate (Hz), and be silent. A rate that makes no sense becomes the nearest
    /// one that does.
    pub fn prepare(&mut self, sample_rate_hz: f64) {
        let (slowest, fastest) = SAMPLE_RATES_HZ;
        let rate =
            if sample_rate_hz.is_nan() { 48_000.0 } else { sample_rate_hz.clamp(slowest, fastest) };
        self.sample_rate_hz = rate;
        self.pool.prepare(rate);
        self.output.prepare(rate);
        self.group_outputs.iter_mut().for_each(|output| output.prepare(rate));
        self.external.prepare(rate);
        self.budget.prepare(rate);
        self.controls.reset();
        self.notes = 0;
    }

    /// Be silent, as if nothing had ever been played.
    pub fn reset(&mut self) {
        self.pool.reset();
        self.output.reset();
        self.group_outputs.iter_mut().for_each(Output::reset);
        self.external.reset();
        self.budget.reset();
        self.controls.reset();
        self.notes = 0;
    }

    /// How many voices there are, and how many modes the next note has room for.
    pub fn room(&self) -> VoiceRoom {
        self.pool.room()
    }

    /// Voices with more room, for the notes to come. Neither allocates nor frees; returns voices
    /// that are no longer needed, to be freed elsewhere.
    pub fn offer_voices(&mut self, mut set: VoiceSet) -> Option<VoiceSet> {
        set.prepare(self.sample_rate_hz);
        self.pool.offer(set)
    }

    /// The tempo for notes to come, quarter notes per minute. One that makes no sense becomes the
    /// nearest that does.
    pub fn set_tempo(&mut self, tempo_bpm: f64) {
        let (slowest, fastest) = TEMPOS_BPM;
        self.tempo_bpm =
            if tempo_bpm.is_nan() { TEMPO_BPM } else { tempo_bpm.clamp(slowest, fastest) };
    }

    /// The surface to roll over, from now on. Neither frees nor waits.
    ///
    /// # Errors
    /// Gives the table back while too many older ones are still being read; offer it again later.
    pub fn set_surface(&mut self, table: Arc<SurfaceTable>) -> Result<(), Arc<SurfaceTable>> {
        match &mut self.surfaces {
            Some(swap_slot) => swap_slot.offer(table),
            empty => {
                *empty = Some(SwapSlot::new(table));
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

    /// The pitches of the keys, from now on; what rings glides there, and a key that is left out
    /// fades. Neither allocates nor waits.
    pub fn set_tuning(&mut self, tuning: &Tuning) {
        self.tuning = *tuning;
        for voice in self.pool.sounding().filter(|voice| tuning.pitch_st(voice.key()).is_none()) {
            voice.choke();
        }
    }

    /// Samples by which the output is late with this patch: the look-ahead of the limiter.
    pub fn latency_samples(&self, patch: &Patch) -> usize {
        if patch.is_on(Param::Limiter) { self.look_ahead_samples() } else { 0 }
    }

    /// The same if the limiter is on.
    pub fn look_ahead_samples(&self) -> usize {
        self.output.delay_samples()
    }

    /// A surface that nobody rolls over any more, to be freed elsewhere.
    pub fn take_retired_surface(&mut self) -> Option<Arc<SurfaceTable>> {
        self.surfaces.as_mut()?.take_retired()
    }

    /// What happened in the last block, in no order.
    pub fn contact_events(&self) -> &ContactEvents {
        &self.contact_events
    }

    /// [`process_io`](Self::process_io) with silence from outside, and all keys in one output.
    pub fn process(
        &mut self,
        patch: &Patch,
        events: &[Event],
        left: &mut [f32],
        right: &mut [f32],
        ends: &mut NoteEnds,
    ) -> Status {
        self.process_io(
            patch,
            events,
            Io { input: Input::default(), left, right, groups: None },
            ends,
        )
    }

    /// Play one block. Notes that come to an end are added to `ends`, in the order of time.
    pub fn process_io(
        &mut self,
        patch: &Patch,
        events: &[Event],
        mut io: Io,
        ends: &mut NoteEnds,
    ) -> Status {
        let listening = external::ExternalSettings::of(patch);
        let mut forces_n = [0.0; PIECE];
        let length = io.len();
        let mut status = Status { limiter_gain: 1.0, ..Status::default() };
        let mut events = events.iter().peekable();
        let (mut start, reported) = (0, ends.len());
        self.contact_events.clear();
        self.notice(patch);
        self.pool.keep_at_most(patch.voices().min(self.room().voices));
        // At most three turns a sample: one that passes it, and one each for a key let go and a
        // push before it.
        loop {
            while let Some(event) = events.next_if(|event| event.offset.min(length) <= start) {
                self.play(patch, event, start, ends);
            }
            if start == length {
                break;
            }
            if let Some(trigger) = self.external.take_trigger() {
                self.trigger_sidechain(patch, &listening, trigger, start, ends);
            }
            self.share_out_when_due(patch, listening.mode == ExternalMode::Off);
            let next = events.peek().map_or(length, |event| event.offset.min(length));
            if listening.mode == ExternalMode::Force && !self.is_driven(&listening) {
                self.external.renew();
            }
            let forces_n = &mut forces_n[..self.budget.room(next - start).min(PIECE)];
            let end = start + self.external.listen(&listening, &io.input, start, forces_n);
            if end > start {
                self.mix(patch, &forces_n[..end - start], &mut io, start..end, ends, &mut status);
            }
            self.budget.pass(end - start);
            start = end;
        }
        self.pool.draw_in();
        status.voices = self.pool.playing();
        let ringing_samples = self.pool.tail_samples();
        status.tail_samples = if self.external.is_waiting() {
            u64::MAX
        } else {
            ringing_samples.saturating_add(self.output.tail_samples(ringing_samples > 0))
        };
        // Voices are played one after the other; hosts want time to run forwards. (Unstable: no
        // allocation.)
        ends[reported..].sort_unstable_by_key(|end| end.offset);
        status
    }
}

fn context<'a>(
    patch: &'a Patch,
    surfaces: &'a Option<SwapSlot>,
    (list, list_number): (&'a UserModes, u64),
    tuning: &'a Tuning,
    tempo_bpm: f64,
) -> VoiceContext<'a> {
    VoiceContext {
        patch,
        knobs: patch,
        table: surfaces.as_ref().map(SwapSlot::current),
        list,
        list_number,
        tuning,
        forces_n: &[],
        tempo_bpm,
    }
}

fn report_event(ends: &mut NoteEnds, end: NoteEnd) {
    // No host knows of a note from outside.
    if end.note.channel == Some(external::CHANNEL) {
        return;
    }
    // Cannot be full for one block's events (see `NoteEnds`); a caller that lets it fill up loses
    // ends, not sound.
    let _ = ends.try_push(end);
}
