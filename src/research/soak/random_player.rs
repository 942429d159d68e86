//! A random player: the same programme for the same seed.

use crate::engine::{Engine, NoteEnds, Status};
use crate::io::presets::{Sound, factory};
use crate::io::surfaces::SurfaceRequest;
use crate::params::event::{Event, EventKind, EventQueue, ExpressionKind, NoteAddress};
use crate::params::{MAX_VOICES, Param, Patch};
use crate::random::Random;

/// Time for which a preset is played, s.
const PRESET_S: f64 = 2.0;
/// Notes per second.
const NOTES_PER_S: f64 = 150.0;
/// Most additional notes per block while voices are free.
const MAX_MORE_NOTES: usize = 8;
/// Other events per second.
const EVENTS_PER_S: f64 = 30.0;
/// One sound in this number has random parameters instead of a preset.
const RANDOM: usize = 4;

/// A whole random number below `bound`.
fn below(random: &mut Random, bound: usize) -> usize {
    (random.unit() * bound as f64) as usize
}

/// Plays presets, notes, automation and controllers at random.
pub struct RandomPlayer {
    engine: Engine,
    patch: Patch,
    random: Random,
    /// A separate generator for additional notes, whose number must not affect the programme.
    more: Random,
    /// Active voices in the last block.
    voices: usize,
    sound: [Vec<f32>; 2],
    queue: EventQueue,
    ends: NoteEnds,
    block_s: f64,
    /// Blocks since the start of the programme.
    blocks: u64,
    /// The automated parameter, and its step per block.
    moving: (Param, f32),
    request: Option<SurfaceRequest>,
    notes: u64,
}

impl RandomPlayer {
    /// A player with a new engine.
    pub fn new(rate_hz: f64, block: usize, seed: u64) -> Self {
        let mut engine = Engine::new();
        engine.prepare(rate_hz);
        SurfaceRequest::prepare();
        Self {
            engine,
            patch: Patch::default(),
            random: Random::new(seed),
            more: Random::of_stream(seed, 1),
            voices: 0,
            sound: [vec![0.0; block], vec![0.0; block]],
            queue: EventQueue::default(),
            ends: NoteEnds::new(),
            block_s: block as f64 / rate_hz,
            blocks: 0,
            moving: (Param::Hardness, 0.0),
            request: None,
            notes: 0,
        }
    }

    /// Restarts the programme, with or without a reset of the engine.
    pub fn begin(&mut self, seed: u64, is_reset: bool) {
        if is_reset {
            self.engine.reset();
        }
        (self.random, self.more) = (Random::new(seed), Random::of_stream(seed, 1));
        self.blocks = 0;
        (self.voices, self.moving) = (0, (Param::Hardness, 0.0));
    }

    /// Number of notes so far.
    pub fn notes(&self) -> u64 {
        self.notes
    }

    /// Left and right of the last block.
    pub fn sound(&self) -> &[Vec<f32>; 2] {
        &self.sound
    }

    fn below(&mut self, bound: usize) -> usize {
        below(&mut self.random, bound)
    }

    fn random_param(&mut self) -> Param {
        Param::ALL[self.below(Param::COUNT)]
    }

    /// Does what a host does between blocks: presets, surfaces, automation, events.
    pub fn prepare(&mut self) {
        let every = (PRESET_S / self.block_s).ceil() as u64;
        if self.blocks.is_multiple_of(every) {
            self.choose_sound();
        }
        self.blocks += 1;
        if self.below(64) == 0 {
            let (low, high) = self.moving.0.spec().range_stored();
            self.moving =
                (self.random_param(), (high - low) * (self.random.unit() as f32 - 0.5) / 200.0);
        }
        let (param, step) = self.moving;
        self.patch.set_stored(param, self.patch.stored(param) + step);
        self.patch.set(Param::Voices, MAX_VOICES as f64);
        // Every note takes its own voice, so that all voices are active.
        self.patch.set(Param::Restrike, 1.0);
        // The same random numbers in every part.
        self.patch.set(Param::Fresh, 0.0);
        self.follow_surface();
        self.queue.clear();
        let samples = self.sound[0].len();
        for (rate, is_note) in [(NOTES_PER_S, true), (EVENTS_PER_S, false)] {
            let mut expected = rate * self.block_s;
            while self.random.unit() < expected {
                expected -= 1.0;
                let offset = self.below(samples);
                let note = NoteAddress {
                    id: None,
                    channel: Some(self.below(2) as u8),
                    key: Some(24 + self.below(84) as u8),
                };
                let kind = if is_note { self.note() } else { self.event() };
                let _ = self.queue.push(Event { offset, note, kind });
            }
        }
        self.fill_up();
    }

    /// Adds notes for free voices.
    fn fill_up(&mut self) {
        for _ in 0..MAX_VOICES.saturating_sub(self.voices).min(MAX_MORE_NOTES) {
            let offset = below(&mut self.more, self.sound[0].len());
            let key = 24 + below(&mut self.more, 84) as u8;
            let velocity = self.more.unit() as f32;
            let note = NoteAddress { id: None, channel: Some(0), key: Some(key) };
            let kind = EventKind::NoteOn { velocity };
            self.notes += u64::from(self.queue.push(Event { offset, note, kind }).is_ok());
        }
    }

    fn note(&mut self) -> EventKind {
        self.notes += 1;
        EventKind::NoteOn { velocity: self.random.unit() as f32 }
    }

    fn event(&mut self) -> EventKind {
        let value = self.random.unit() as f32;
        match self.below(8) {
            0..3 => EventKind::NoteOff,
            3 => EventKind::Bend { value: 2.0 * value - 1.0 },
            4 => EventKind::Controller { number: self.below(128) as u8, value },
            5 => EventKind::Pressure { value },
            6 => EventKind::Modulation { param: self.random_param(), offset: value - 0.5 },
            _ => EventKind::Expression {
                kind: ExpressionKind::ALL[self.below(ExpressionKind::ALL.len())],
                value,
            },
        }
    }

    fn choose_sound(&mut self) {
        if self.below(RANDOM) == 0 {
            for param in Param::ALL {
                let position = self.random.unit();
                self.patch.set_stored(param, param.spec().position_to_stored(position));
            }
            return;
        }
        let (key, _) = factory::ALL[self.below(factory::ALL.len())];
        let Ok(preset) = factory::load(key) else { return };
        let Sound { patch, extras } = preset.sound;
        self.patch = patch;
        self.engine.set_list(&extras.modes.unwrap_or_default());
    }

    fn follow_surface(&mut self) {
        while self.engine.take_retired_surface().is_some() {}
        let wanted = SurfaceRequest::of(&self.patch);
        if let Some(request) = wanted
            && wanted != self.request
            && self.engine.set_surface(request.build(None)).is_ok()
        {
            self.request = wanted;
        }
    }

    /// Plays a block.
    pub fn play(&mut self) -> Status {
        let [left, right] = &mut self.sound;
        self.ends.clear();
        let status =
            self.engine.process(&self.patch, self.queue.as_slice(), left, right, &mut self.ends);
        self.voices = status.voices;
        status
    }
}
