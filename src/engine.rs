//! The instrument: notes and a patch in, stereo sound out.
//!
//! `process` splits its block at the events and renders each piece with the voices; their sum goes
//! through the output stage. After `prepare` nothing allocates, locks or fails.

pub mod auto_level;
pub mod controls;
mod events;
mod mix;
pub mod output;
pub mod pool;
pub mod step_budget;

use std::sync::Arc;

use arrayvec::ArrayVec;

pub use crate::params::MAX_VOICES;

use crate::body::UserModes;
use crate::exciter::external::{self, External, ExternalMode, Input};
use crate::exciter::surface::{SurfaceTable, SwapSlot};
use crate::params::event::{Event, EventQueue, NoteEnd};
use crate::params::{KEY_GROUPS, Param, ParamKind, Patch};
use crate::snapshot::Snapshot;
use crate::tuning::Tuning;
use crate::voice::VoiceContext;
use crate::voice::events::ContactEvents;
use controls::Controls;
use mix::MixBuffers;
pub use mix::{GroupOut, Io};
use output::Output;
use pool::Pool;
pub use pool::{VoiceRoom, VoiceSet};
use step_budget::BudgetWindow;

/// Maximum samples per piece: the size of the mix buffers, not a control rate.
const PIECE: usize = 256;

/// Accepted sample rates, Hz. References are rendered at 128 times a usual rate.
const SAMPLE_RATES_HZ: (f64, f64) = (1000.0, 8_000_000.0);

/// Tempo without a host, and the accepted tempos, in quarter notes per minute.
const TEMPO_BPM: f64 = 120.0;
const TEMPOS_BPM: (f64, f64) = (5.0, 1000.0);

/// Notes that ended in a block: at most one per event and one per voice.
pub type NoteEnds = ArrayVec<NoteEnd, { EventQueue::CAPACITY + pool::SLOTS }>;

/// State of the engine after a block, for meters and hosts.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Status {
    /// Voices that play.
    pub voices: usize,
    /// Upper bound of the samples until silence without further events.
    pub tail_samples: u64,
    /// Output peaks of the block, left and right; full scale is 1.
    pub peak: [f32; 2],
    /// Smallest gain of the limiter in the block.
    pub limiter_gain: f32,
}

/// What all voices share besides the patch.
#[derive(Clone, Debug)]
struct SharedInputs {
    surfaces: Option<SwapSlot>,
    list: UserModes,
    /// Counts the changes of `list`.
    list_number: u64,
    tuning: Tuning,
    tempo_bpm: f64,
}

impl Default for SharedInputs {
    fn default() -> Self {
        Self {
            surfaces: None,
            list: UserModes::default(),
            list_number: 0,
            tuning: Tuning::EQUAL,
            tempo_bpm: TEMPO_BPM,
        }
    }
}

impl SharedInputs {
    fn context<'a>(&'a self, patch: &'a Patch) -> VoiceContext<'a> {
        VoiceContext {
            patch,
            knobs: patch,
            table: self.surfaces.as_ref().map(SwapSlot::current),
            list: &self.list,
            list_number: self.list_number,
            tuning: &self.tuning,
            forces_n: &[],
            tempo_bpm: self.tempo_bpm,
        }
    }
}

/// The instrument.
#[derive(Clone, Debug)]
pub struct Engine {
    pool: Pool,
    sample_rate_hz: f64,
    output: Output,
    group_outputs: [Output; KEY_GROUPS],
    controls: Controls,
    /// Notes since the last reset. With the seed it determines every random value.
    notes: u64,
    /// Notes since the engine was created, for random values that differ in every playback.
    notes_ever: u64,
    inputs: SharedInputs,
    contact_events: Box<ContactEvents>,
    external: External,
    budget: BudgetWindow,
    /// The patch of the last block.
    last: Patch,
    mix_buffers: MixBuffers,
}

impl Default for Engine {
    fn default() -> Self {
        Self::new()
    }
}

impl Engine {
    /// An engine with room for every patch. Allocates everything.
    pub fn new() -> Self {
        Self::with_room(VoiceRoom::ALL)
    }

    /// An engine with this many voices and modes; patches that need more get no more. Allocates.
    pub fn with_room(room: VoiceRoom) -> Self {
        let mut engine = Self {
            pool: Pool::new(VoiceSet::new(room, 48_000.0)),
            sample_rate_hz: 48_000.0,
            output: Output::new(),
            group_outputs: std::array::from_fn(|_| Output::new()),
            controls: Controls::default(),
            notes: 0,
            notes_ever: 0,
            inputs: SharedInputs::default(),
            contact_events: Box::default(),
            external: External::default(),
            budget: BudgetWindow::default(),
            last: Patch::default(),
            mix_buffers: MixBuffers::default(),
        };
        engine.prepare(48_000.0);
        engine
    }

    /// Sets the sample rate (Hz), limited to the accepted range, and resets.
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

    /// Resets to the state after [`prepare`](Self::prepare).
    pub fn reset(&mut self) {
        self.pool.reset();
        self.output.reset();
        self.group_outputs.iter_mut().for_each(Output::reset);
        self.external.reset();
        self.budget.reset();
        self.controls.reset();
        self.notes = 0;
    }

    /// The number of voices, and of modes for the next note.
    pub fn room(&self) -> VoiceRoom {
        self.pool.room()
    }

    /// Offers voices with more room for further notes. Neither allocates nor frees; returns voices
    /// that are no longer needed, to be freed elsewhere.
    pub fn offer_voices(&mut self, mut set: VoiceSet) -> Option<VoiceSet> {
        set.prepare(self.sample_rate_hz);
        self.pool.offer(set)
    }

    /// Sets the tempo for further notes in quarter notes per minute, limited to the accepted range.
    pub fn set_tempo(&mut self, tempo_bpm: f64) {
        let (slowest, fastest) = TEMPOS_BPM;
        self.inputs.tempo_bpm =
            if tempo_bpm.is_nan() { TEMPO_BPM } else { tempo_bpm.clamp(slowest, fastest) };
    }

    /// Sets the surface to roll over. Neither frees nor waits.
    ///
    /// # Errors
    /// Returns the table while too many older ones are in use; offer it again later.
    pub fn set_surface(&mut self, table: Arc<SurfaceTable>) -> Result<(), Arc<SurfaceTable>> {
        match &mut self.inputs.surfaces {
            Some(swap_slot) => swap_slot.offer(table),
            empty => {
                *empty = Some(SwapSlot::new(table));
                Ok(())
            }
        }
    }

    /// Sets the list of modes for bodies of kind *User*. Neither allocates nor waits.
    pub fn set_list(&mut self, list: &UserModes) {
        if self.inputs.list != *list {
            self.inputs.list = list.clone();
            self.inputs.list_number += 1;
        }
    }

    /// Sets the tuning. Ringing notes glide to their new pitch, and keys without one fade out.
    /// Neither allocates nor waits.
    pub fn set_tuning(&mut self, tuning: &Tuning) {
        self.inputs.tuning = *tuning;
        for voice in self.pool.sounding().filter(|voice| tuning.pitch_st(voice.key()).is_none()) {
            voice.choke();
        }
    }

    /// Latency with this patch in samples: the look-ahead of the limiter, if it is on.
    pub fn latency_samples(&self, patch: &Patch) -> usize {
        if patch.is_on(Param::Limiter) { self.look_ahead_samples() } else { 0 }
    }

    /// Look-ahead of the limiter in samples.
    pub fn look_ahead_samples(&self) -> usize {
        self.output.delay_samples()
    }

    /// A surface that is no longer in use, to be freed elsewhere.
    pub fn take_retired_surface(&mut self) -> Option<Arc<SurfaceTable>> {
        self.inputs.surfaces.as_mut()?.take_retired()
    }

    /// The contact events of the last block, unordered.
    pub fn contact_events(&self) -> &ContactEvents {
        &self.contact_events
    }

    /// [`process_io`](Self::process_io) without side-chain and without group outputs.
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

    /// Renders one block. Appends the notes that end in it to `ends`, ordered by time.
    pub fn process_io(
        &mut self,
        patch: &Patch,
        events: &[Event],
        mut io: Io,
        ends: &mut NoteEnds,
    ) -> Status {
        let sidechain = external::ExternalSettings::of(patch);
        let mut forces_n = [0.0; PIECE];
        let length = io.len();
        let mut status = Status { limiter_gain: 1.0, ..Status::default() };
        let mut events = events.iter().peekable();
        let (mut start, reported) = (0, ends.len());
        self.contact_events.clear();
        self.update_patch(patch);
        self.pool.keep_at_most(patch.voices().min(self.room().voices));
        // At most three iterations per sample: one that renders it, and one each for a release and
        // a push of the side-chain before it.
        loop {
            while let Some(event) = events.next_if(|event| event.offset.min(length) <= start) {
                self.handle_event(patch, event, start, ends);
            }
            if start == length {
                break;
            }
            if let Some(trigger) = self.external.take_trigger() {
                self.handle_trigger(patch, &sidechain, trigger, start, ends);
            }
            let may_rest = sidechain.mode == ExternalMode::Off;
            self.budget.share_out(&mut self.pool, &self.inputs.context(patch), may_rest);
            let next = events.peek().map_or(length, |event| event.offset.min(length));
            if sidechain.mode == ExternalMode::Force && !self.is_driven(&sidechain) {
                self.external.renew();
            }
            let forces_n = &mut forces_n[..self.budget.room(next - start).min(PIECE)];
            let end = start + self.external.listen(&sidechain, &io.input, start, forces_n);
            if end > start {
                self.mix(patch, &forces_n[..end - start], &mut io, start..end, ends, &mut status);
            }
            self.budget.pass(end - start);
            start = end;
        }
        self.pool.trim();
        status.voices = self.pool.playing();
        let ringing_samples = self.pool.tail_samples();
        status.tail_samples = if self.external.is_waiting() {
            u64::MAX
        } else {
            ringing_samples.saturating_add(self.output.tail_samples(ringing_samples > 0))
        };
        // Voices render one after the other, but hosts expect ordered events. The unstable sort
        // does not allocate.
        ends[reported..].sort_unstable_by_key(|end| end.offset);
        status
    }

    /// Compares the patch with that of the last block.
    ///
    /// Each preset has its own level. On a preset change the new level applies to new notes only:
    /// otherwise a quiet bell that still rings would turn loud. A level that is turned or automated
    /// applies to every note.
    fn update_patch(&mut self, patch: &Patch) {
        if self.last.is_same(patch) {
            return;
        }
        if self.last.choice(Param::Mpe) != patch.choice(Param::Mpe) {
            self.controls.zone = None;
        }
        if is_preset_change(&self.last, patch) {
            let gain = self.output.preset_change(patch.level());
            self.group_outputs.iter_mut().for_each(|output| {
                output.preset_change(patch.level());
            });
            self.pool.stolen_tail().scale(gain);
            let (rolled, context) = (self.last.gesture().rolls(), self.inputs.context(patch));
            self.pool.sounding().for_each(|voice| voice.preset_change(gain, rolled, &context));
        }
        self.last.clone_from(patch);
    }

    /// Switches the recording of contacts for [`snapshot`](Self::snapshot). It does not change the
    /// sound.
    pub fn watch(&mut self, is_on: bool) {
        self.pool.watch(is_on);
    }

    /// The sounding keys and the newest voice, for the editor.
    pub fn snapshot(&self) -> Snapshot {
        let mut snapshot = Snapshot { notes: self.notes_ever, ..Snapshot::default() };
        for voice in self.pool.playing_voices() {
            snapshot.keys |= 1 << voice.key().min(127);
        }
        let newest = self.pool.playing_voices().min_by_key(|voice| voice.since_struck());
        snapshot.voice = newest.map(|voice| voice.snapshot());
        snapshot
    }
}

/// A preset change moves at least this many parameters ...
const MIN_CHANGED_PARAMS: usize = 4;
/// ... by at least this sum of their ranges. A changed choice counts as a whole range.
const MIN_CHANGE_IN_RANGES: f64 = 1.0;

/// Whether the patch changed as a whole, as by a preset or an A/B switch, rather than by a knob or
/// automation.
pub fn is_preset_change(before: &Patch, after: &Patch) -> bool {
    let (mut params, mut ranges) = (0, 0.0);
    for param in Param::ALL {
        let spec = param.spec();
        let moved = (after.stored(param) - before.stored(param)).abs();
        if moved > 0.0 {
            let (min, max) = spec.range_stored();
            params += 1;
            ranges += if matches!(spec.kind, ParamKind::Choice(_)) {
                1.0
            } else {
                f64::from(moved / (max - min))
            };
        }
    }
    params >= MIN_CHANGED_PARAMS && ranges >= MIN_CHANGE_IN_RANGES
}

/// Appends a note end, unless the note came from the side-chain and is unknown to the host.
fn report_note_end(ends: &mut NoteEnds, end: NoteEnd) {
    if end.note.channel == Some(external::CHANNEL) {
        return;
    }
    // One block cannot fill the list (see `NoteEnds`). A caller that never empties it loses note
    // ends, not sound.
    let _ = ends.try_push(end);
}
