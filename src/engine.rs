//! The whole instrument, from notes and a patch to stereo sound.
//!
//! `process` cuts its block at the events and gives each piece to the voices; the sum goes through the
//! output stage. After `prepare` nothing here allocates, locks or fails.

pub mod controls;
pub mod output;
pub mod pool;

use std::sync::Arc;

use arrayvec::ArrayVec;

use crate::body::UserModes;
use crate::event::{Event, EventKind, EventQueue, NoteAddress, NoteEnd};
use crate::external::{self, External, Input, Mode, Trigger};
use crate::gesture::row;
use crate::gesture::surface::{Shelf, SurfaceTable};
use crate::gesture::tumble::Toss;
use crate::gesture::{Blow, Gesture, Throw};
use crate::patch::Patch;
use crate::tuning::Tuning;
use crate::voice::World;
use crate::voice::happening::Happenings;
use controls::Controls;
use output::{Output, Wanted};
use pool::Pool;

/// Notes that may sound at once, one body each. Stolen ones fade besides.
pub const VOICES: usize = 16;

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
    tuning: Tuning,
    external: External,
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
            tuning: Tuning::EQUAL,
            external: External::default(),
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
        self.external.prepare(rate);
        self.controls.reset();
        self.notes = 0;
    }

    /// Be silent, as if nothing had ever been played.
    pub fn reset(&mut self) {
        self.pool.reset();
        self.output.reset();
        self.external.reset();
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

    /// The pitches of the keys, from now on; what rings glides there, and a key that is left out fades. Neither allocates
    /// nor waits.
    pub fn set_tuning(&mut self, tuning: &Tuning) {
        self.tuning = *tuning;
        for voice in self.pool.sounding().filter(|voice| tuning.pitch_st(voice.key()).is_none()) {
            voice.choke();
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

    /// [`process_with`](Self::process_with) silence from outside.
    pub fn process(
        &mut self,
        patch: &Patch,
        events: &[Event],
        left: &mut [f32],
        right: &mut [f32],
        ends: &mut NoteEnds,
    ) -> Status {
        self.process_with(patch, events, &Input::default(), left, right, ends)
    }

    /// Play one block. `left` and `right` are overwritten; notes that come to an end are added to `ends`, in the
    /// order of time. Of two channels of unequal length the shorter counts.
    pub fn process_with(
        &mut self,
        patch: &Patch,
        events: &[Event],
        input: &Input,
        left: &mut [f32],
        right: &mut [f32],
        ends: &mut NoteEnds,
    ) -> Status {
        let listening = external::Settings::of(patch);
        let mut forces_n = [0.0; PIECE];
        let length = left.len().min(right.len());
        let mut status = Status { limiter_gain: 1.0, ..Status::default() };
        let mut events = events.iter().peekable();
        let (mut start, told) = (0, ends.len());
        self.happenings.clear();
        loop {
            while let Some(event) = events.next_if(|event| event.offset.min(length) <= start) {
                self.play(patch, event, start, ends);
            }
            if let Some(trigger) = self.external.take_trigger() {
                self.obey(patch, &listening, trigger, start, ends);
            }
            if start == length {
                break;
            }
            let next = events.peek().map_or(length, |event| event.offset.min(length));
            if listening.mode == Mode::Force && !self.is_driven(&listening) {
                self.external.renew();
            }
            let forces_n = &mut forces_n[..(next - start).min(PIECE)];
            let end = start + self.external.listen(&listening, input, start, forces_n);
            if end > start {
                let (left, right) = (&mut left[start..end], &mut right[start..end]);
                self.mix(patch, &forces_n[..end - start], start, left, right, ends, &mut status);
            }
            start = end;
        }
        status.voices = self.pool.playing();
        let ringing_samples = self.pool.tail_samples();
        status.tail_samples = ringing_samples.saturating_add(self.output.tail_samples(ringing_samples > 0));
        // Voices are played one after the other; hosts want time to run forwards. (Unstable: no allocation.)
        ends[told..].sort_unstable_by_key(|end| end.offset);
        status
    }

    #[allow(clippy::too_many_arguments)] // what a piece of a block consists of
    fn mix(
        &mut self,
        patch: &Patch,
        forces_n: &[f64],
        start: usize,
        left: &mut [f32],
        right: &mut [f32],
        ends: &mut NoteEnds,
        status: &mut Status,
    ) {
        let n = left.len();
        let (mut l, mut r) = ([0.0; PIECE], [0.0; PIECE]);
        let told = self.happenings.len();
        let world = World { forces_n, ..world(patch, &self.surfaces, (&self.list, self.lists), &self.tuning) };
        for voice in self.pool.sounding() {
            if let Some((offset, note)) = voice.process(&world, &mut l[..n], &mut r[..n], &mut self.happenings) {
                tell(ends, NoteEnd { offset: start + offset, note });
            }
        }
        self.happenings[told..].iter_mut().for_each(|happening| happening.offset += start);
        self.output.process(&Wanted::of(patch), &mut l[..n], &mut r[..n]);
        for (out, x) in left.iter_mut().zip(&l).chain(right.iter_mut().zip(&r)) {
            *out = *x as f32;
        }
        for (peak, side) in status.peak.iter_mut().zip([left, right]) {
            *peak = side.iter().fold(*peak, |peak, x| peak.max(x.abs()));
        }
        status.limiter_gain = status.limiter_gain.min(self.output.lowest_gain() as f32);
    }

    fn play(&mut self, patch: &Patch, event: &Event, offset: usize, ends: &mut NoteEnds) {
        match event.kind {
            EventKind::NoteOn { velocity } => {
                if self.tuning.pitch_st(pool::key_of(&event.note)).is_none() {
                    return tell(ends, NoteEnd { offset, note: event.note });
                }
                let (velocity, count) = (gate_velocity(velocity), self.notes);
                self.notes += 1;
                let world = world(patch, &self.surfaces, (&self.list, self.lists), &self.tuning);
                let (voice, before) = self.pool.voice_for(event.note, &world);
                voice.mute(self.controls.of(event.note.channel).mutes());
                let scale = voice.scale(&world);
                match patch.gesture() {
                    Gesture::Strike => voice.strike(&Blow::of_note(patch, &scale, velocity, count), patch),
                    Gesture::Bounce => {
                        voice.throw(&Throw::of_note(patch, &scale, velocity, count, self.tempo_bpm), patch)
                    }
                    Gesture::Tumble => voice.toss(Toss::of_note(patch, &scale, velocity, count)),
                    Gesture::Chain => voice.launch(&row::of_note(patch, &scale, velocity)),
                    Gesture::Roll | Gesture::Scrape => {
                        voice.press(self.controls.of(event.note.channel).pressed(), None);
                        if let Some(shelf) = &self.surfaces {
                            voice.roll(velocity, shelf.current(), patch);
                        }
                    }
                }
                if let Some(note) = before {
                    tell(ends, NoteEnd { offset, note });
                }
            }
            EventKind::NoteOff => {
                for voice in self.pool.matching(&event.note) {
                    if self.controls.of(voice.channel()).sustains() {
                        voice.keep();
                    } else {
                        voice.let_go(patch);
                    }
                }
            }
            EventKind::Choke => self.pool.matching(&event.note).for_each(|voice| voice.choke()),
            EventKind::Controller { number, value } => self.turn(patch, event.note.channel, number, value),
            EventKind::Pressure { value } => self.press(&event.note, controls::gate(value)),
        }
    }
}

impl Engine {
    /// Do what the sound from outside asks for.
    fn obey(
        &mut self,
        patch: &Patch,
        listening: &external::Settings,
        trigger: Trigger,
        offset: usize,
        ends: &mut NoteEnds,
    ) {
        let note = listening.note();
        match trigger {
            Trigger::Strike { velocity } => {
                self.play(patch, &Event { offset, note, kind: EventKind::NoteOn { velocity } }, offset, ends);
            }
            Trigger::LetGo => {
                self.play(patch, &Event { offset, note: external::NOTES, kind: EventKind::NoteOff }, offset, ends);
            }
            Trigger::Push => self.push(patch, listening, offset, ends),
        }
    }

    /// Whether the body that is meant is being driven from outside, or cannot be.
    fn is_driven(&mut self, listening: &external::Settings) -> bool {
        let note = listening.note();
        self.pool.matching(&note).any(|voice| voice.is_pushed()) || self.tuning.pitch_st(listening.key).is_none()
    }

    /// Let the force from outside drive the body of a note.
    fn push(&mut self, patch: &Patch, listening: &external::Settings, offset: usize, ends: &mut NoteEnds) {
        if self.is_driven(listening) {
            return;
        }
        let note = listening.note();
        self.pool.matching(&external::NOTES).for_each(|voice| voice.push_no_more());
        let world = world(patch, &self.surfaces, (&self.list, self.lists), &self.tuning);
        let (voice, before) = self.pool.voice_for(note, &world);
        voice.push();
        if let Some(note) = before {
            tell(ends, NoteEnd { offset, note });
        }
    }

    fn turn(&mut self, patch: &Patch, channel: Option<u8>, number: u8, value: f32) {
        let value = controls::gate(value);
        let address = NoteAddress { channel, ..NoteAddress::default() };
        match number {
            controls::WHEEL => {
                self.controls.change(channel, |held| held.wheel = value);
                self.pass_on(&address);
                return;
            }
            controls::MUTE => {
                self.controls.change(channel, |held| held.mute = value);
                self.pool.matching(&address).for_each(|voice| voice.mute(value >= 0.5));
                return;
            }
            controls::SUSTAIN => self.controls.change(channel, |held| held.sustain = value),
            _ => return,
        }
        for voice in self.pool.matching(&address).filter(|voice| voice.is_kept()) {
            if !self.controls.of(voice.channel()).sustains() {
                voice.let_go(patch);
            }
        }
    }

    fn press(&mut self, address: &NoteAddress, value: f64) {
        if address.key.is_none() && address.id.is_none() {
            self.controls.change(address.channel, |held| held.pressure = value);
            return self.pass_on(address);
        }
        for voice in self.pool.matching(address) {
            voice.press(self.controls.of(voice.channel()).pressed(), Some(value));
        }
    }

    /// Tell the voices of a channel what is held.
    fn pass_on(&mut self, address: &NoteAddress) {
        for voice in self.pool.matching(address) {
            voice.press(self.controls.of(voice.channel()).pressed(), None);
        }
    }
}

fn world<'a>(
    patch: &'a Patch,
    surfaces: &'a Option<Shelf>,
    (list, list_number): (&'a UserModes, u64),
    tuning: &'a Tuning,
) -> World<'a> {
    World { patch, table: surfaces.as_ref().map(Shelf::current), list, list_number, tuning, forces_n: &[] }
}

/// Velocities are 0…1, whatever is sent; what is no number strikes at full speed rather than not at all.
fn gate_velocity(velocity: f32) -> f64 {
    if velocity.is_nan() { 1.0 } else { f64::from(velocity).clamp(0.0, 1.0) }
}

fn tell(ends: &mut NoteEnds, end: NoteEnd) {
    // No host knows of a note from outside.
    if end.note.channel == Some(external::CHANNEL) {
        return;
    }
    // Cannot be full for one block's events (see `NoteEnds`); a caller that lets it fill up loses ends, not sound.
    let _ = ends.try_push(end);
}
