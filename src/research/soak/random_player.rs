//! What is played: the same for the same seed, however long the engine has been at it.

use crate::engine::{Engine, NoteEnds, Status};
use crate::io::presets::{Sound, factory};
use crate::io::surfaces::SurfaceRequest;
use crate::params::event::{Event, EventKind, EventQueue, ExpressionKind, NoteAddress};
use crate::params::{MAX_VOICES, Param, Patch};

/// A preset is played for so long, s.
const PRESET_S: f64 = 2.0;
/// Notes per second.
const NOTES_PER_S: f64 = 150.0;
/// Notes more per block while fewer voices sound than may: most sounds are short.
const MORE: usize = 8;
/// Other events per second.
const EVENTS_PER_S: f64 = 30.0;
/// One of so many presets is none, but knobs at random.
const RANDOM: u64 = 4;

/// The next number of a row that looks like chance, below 2^31.
fn step(state: &mut u64) -> u64 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    *state >> 33
}

/// Plays.
pub struct RandomPlayer {
    engine: Engine,
    patch: Patch,
    state: u64,
    /// What chance draws notes from that are there to fill up: the rest of the programme does not
    /// depend on how many there are.
    more: u64,
    /// Voices that sounded in the last block.
    voices: usize,
    sound: [Vec<f32>; 2],
    queue: EventQueue,
    ends: NoteEnds,
    block_s: f64,
    /// Blocks since it began.
    blocks: u64,
    /// The knob that moves, and its step per block.
    moving: (Param, f32),
    request: Option<SurfaceRequest>,
    notes: u64,
}

impl RandomPlayer {
    /// On an engine of its own.
    pub fn new(rate_hz: f64, block: usize, seed: u64) -> Self {
        let mut engine = Engine::new();
        engine.prepare(rate_hz);
        SurfaceRequest::prepare();
        Self {
            engine,
            patch: Patch::default(),
            state: seed,
            more: seed,
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

    /// From the beginning: as after a host's stop, of which what was played before must leave no
    /// trace; or while all goes on.
    pub fn begin(&mut self, seed: u64, is_stopped: bool) {
        if is_stopped {
            self.engine.reset();
        }
        (self.state, self.more, self.blocks) = (seed, seed ^ 0x5EED, 0);
        (self.voices, self.moving) = (0, (Param::Hardness, 0.0));
    }

    /// Notes so far.
    pub fn notes(&self) -> u64 {
        self.notes
    }

    /// Left and right of the last block.
    pub fn sound(&self) -> &[Vec<f32>; 2] {
        &self.sound
    }

    fn next(&mut self) -> u64 {
        step(&mut self.state)
    }

    /// From 0 to 1.
    fn share(&mut self) -> f64 {
        self.next() as f64 / f64::from(1u32 << 31)
    }

    fn some_param(&mut self) -> Param {
        Param::ALL[self.next() as usize % Param::COUNT]
    }

    /// What a host does before a block, in its own time: presets, surfaces, automation, events.
    pub fn prepare(&mut self) {
        let every = (PRESET_S / self.block_s).ceil() as u64;
        if self.blocks.is_multiple_of(every) {
            self.choose_sound();
        }
        self.blocks += 1;
        if self.next().is_multiple_of(64) {
            let (low, high) = self.moving.0.spec().range_stored();
            self.moving = (self.some_param(), (high - low) * (self.share() as f32 - 0.5) / 200.0);
        }
        let (param, step) = self.moving;
        self.patch.set_stored(param, self.patch.stored(param) + step);
        self.patch.set(Param::Voices, MAX_VOICES as f64);
        // Each note a body of its own, or half of the voices would have nothing to do.
        self.patch.set(Param::Restrike, 1.0);
        // Chance is the same in every part.
        self.patch.set(Param::Fresh, 0.0);
        self.follow_surface();
        self.queue.clear();
        let most = self.sound[0].len() as u64;
        for (rate, is_note) in [(NOTES_PER_S, true), (EVENTS_PER_S, false)] {
            let mut due = rate * self.block_s;
            while self.share() < due {
                due -= 1.0;
                let offset = (self.next() % most) as usize;
                let note = NoteAddress {
                    id: None,
                    channel: Some((self.next() % 2) as u8),
                    key: Some(24 + (self.next() % 84) as u8),
                };
                let kind = if is_note { self.note() } else { self.event() };
                let _ = self.queue.push(Event { offset, note, kind });
            }
        }
        self.fill_up();
    }

    /// Notes for voices that have nothing to do.
    fn fill_up(&mut self) {
        for _ in 0..MAX_VOICES.saturating_sub(self.voices).min(MORE) {
            let [offset, key, velocity] = [(); 3].map(|()| step(&mut self.more));
            let note = NoteAddress { id: None, channel: Some(0), key: Some(24 + (key % 84) as u8) };
            let kind = EventKind::NoteOn { velocity: velocity as f32 / (1u32 << 31) as f32 };
            let offset = offset as usize % self.sound[0].len();
            self.notes += u64::from(self.queue.push(Event { offset, note, kind }).is_ok());
        }
    }

    fn note(&mut self) -> EventKind {
        self.notes += 1;
        EventKind::NoteOn { velocity: self.share() as f32 }
    }

    fn event(&mut self) -> EventKind {
        let value = self.share() as f32;
        match self.next() % 8 {
            0..3 => EventKind::NoteOff,
            3 => EventKind::Bend { value: 2.0 * value - 1.0 },
            4 => EventKind::Controller { number: (self.next() % 128) as u8, value },
            5 => EventKind::Pressure { value },
            6 => EventKind::Modulation { param: self.some_param(), offset: value - 0.5 },
            _ => EventKind::Expression {
                kind: ExpressionKind::ALL[self.next() as usize % ExpressionKind::ALL.len()],
                value,
            },
        }
    }

    fn choose_sound(&mut self) {
        if self.next().is_multiple_of(RANDOM) {
            for param in Param::ALL {
                let position = self.share();
                self.patch.set_stored(param, param.spec().position_to_stored(position));
            }
            return;
        }
        let (key, _) = factory::ALL[self.next() as usize % factory::ALL.len()];
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

    /// A block.
    pub fn play(&mut self) -> Status {
        let [left, right] = &mut self.sound;
        self.ends.clear();
        let status =
            self.engine.process(&self.patch, self.queue.as_slice(), left, right, &mut self.ends);
        self.voices = status.voices;
        status
    }
}
