//! Scenes: chords on a preset, or many notes on a random patch.

use std::hint::black_box;
use std::sync::{Arc, LazyLock};

use ictus::engine::{Engine, NoteEnds};
use ictus::exciter::surface::{Feeler, Recipe, SurfaceTable};
use ictus::io::presets::Sound;
use ictus::params::event::{Event, EventKind, NoteAddress};
use ictus::params::{Param, Patch};
use ictus::random::Random;

pub const RATE_HZ: f64 = 48_000.0;
pub const BLOCK: usize = 64;

/// Semitones of a chord above its lowest key.
const CHORD: [u8; 8] = [0, 4, 7, 12, 16, 19, 24, 28];
/// Lowest keys of successive chords.
const LOWEST: [u8; 5] = [45, 48, 41, 50, 43];
/// Samples from chord to chord: 125 ms.
const PERIOD: usize = 6000;
const CHORDS: usize = 12;
/// Notes of a random patch, all at once, and again after a quarter of a second.
const RANDOM_VOICES: u8 = 16;
const RANDOM_TIMES: [usize; 2] = [5, 12_000];
const RANDOM_BLOCKS: usize = 300;

/// A shared surface, because building one takes time.
static TABLE: LazyLock<Arc<SurfaceTable>> = LazyLock::new(|| {
    Arc::new(SurfaceTable::build(&Recipe::default(), &Feeler { radius_m: 0.01, patch_m: 5e-5 }))
});

pub struct Scene {
    engine: Engine,
    patch: Patch,
    events: Vec<Event>,
    pub blocks: usize,
    ends: NoteEnds,
}

impl Scene {
    /// Chords with random velocities on a preset.
    pub fn chords(sound: &Sound) -> Self {
        let mut dice = Random::new(1);
        let mut events = Vec::new();
        for chord in 0..CHORDS {
            for above in CHORD {
                let velocity = (0.15 + 0.85 * dice.unit()) as f32;
                events.push(on(chord * PERIOD, LOWEST[chord % LOWEST.len()] + above, velocity));
            }
        }
        let mut scene = Self::new(sound.patch.clone(), events, CHORDS * PERIOD / BLOCK);
        if let Some(modes) = &sound.extras.modes {
            scene.engine.set_list(modes);
        }
        scene
    }

    /// Sixteen simultaneous notes on a random patch.
    pub fn random(seed: u64) -> Self {
        let mut dice = Random::new(seed);
        let patch = random_patch(&mut dice);
        let mut events = Vec::new();
        for at in RANDOM_TIMES {
            for voice in 0..RANDOM_VOICES {
                events.push(on(at, 36 + 3 * voice, dice.unit() as f32));
            }
        }
        Self::new(patch, events, RANDOM_BLOCKS)
    }

    fn new(patch: Patch, events: Vec<Event>, blocks: usize) -> Self {
        let mut engine = Engine::new();
        engine.prepare(RATE_HZ);
        assert!(engine.set_surface(Arc::clone(&TABLE)).is_ok());
        Self { engine, patch, events, blocks, ends: NoteEnds::new() }
    }

    /// Plays one block. Not inlined, so that callgrind finds it by name.
    #[inline(never)]
    pub fn play(&mut self, block: usize) {
        let span = block * BLOCK..(block + 1) * BLOCK;
        let first = self.events.partition_point(|event| event.offset < span.start);
        let last = self.events.partition_point(|event| event.offset < span.end);
        let mut now = [self.events[0]; 64];
        for (now, event) in now.iter_mut().zip(&self.events[first..last]) {
            *now = Event { offset: event.offset - span.start, ..*event };
        }
        let (mut left, mut right) = ([0.0; BLOCK], [0.0; BLOCK]);
        self.ends.clear();
        self.engine.process(
            &self.patch,
            &now[..last - first],
            &mut left,
            &mut right,
            &mut self.ends,
        );
        black_box((left, right));
    }
}

/// A patch with random parameters, except for the number of voices.
fn random_patch(dice: &mut Random) -> Patch {
    let mut patch = Patch::default();
    for param in Param::ALL {
        patch.set_stored(param, param.spec().position_to_stored(dice.unit()));
    }
    patch.set(Param::Voices, f64::from(RANDOM_VOICES));
    patch
}

/// The settings of a random patch that decide its cost.
pub fn described(seed: u64) -> String {
    let patch = random_patch(&mut Random::new(seed));
    let modes = patch.get(Param::Modes);
    let [coupling, method, steps] = [Param::Coupling, Param::Integrator, Param::Oversampling]
        .map(|param| param.spec().format_stored(patch.stored(param)));
    format!("{:?}, {coupling}, {method}, {steps}, {modes} modes", patch.gesture())
}

fn on(offset: usize, key: u8, velocity: f32) -> Event {
    let note = NoteAddress { id: None, channel: Some(0), key: Some(key) };
    Event { offset, note, kind: EventKind::NoteOn { velocity } }
}
