//! One more note: the cost of its first 20 ms beside another note, on every factory preset.

use std::hint::black_box;

use ictus::engine::{Engine, NoteEnds};
use ictus::io::presets::factory;
use ictus::params::event::{Event, EventKind, NoteAddress};
use ictus_bench::{BLOCK, RATE_HZ};

use crate::Work;

/// Blocks in 20 ms.
const BLOCKS: usize = 15;
/// Keys of the first and the additional note.
const KEYS: [u8; 2] = [55, 60];
const VELOCITY: f32 = 100.0 / 127.0;

/// Largest number of instructions of one more note.
const MAX_INSTRUCTIONS: u64 = 800_000;
/// Presets with another bound.
const MAX_OF: [(&str, u64); 8] = [
    ("marimba", 140_000),
    ("xylophone", 130_000),
    ("wood-block", 175_000),
    ("vibraphone", 160_000),
    ("church-bell", 270_000),
    ("timpani", 330_000),
    // Two-way contacts on a light body.
    ("wine-glass", 2_000_000),
    ("piano-wire-in-the-wall", 5_300_000),
];

/// The most expensive presets. The gate counts these and those above; counting all takes minutes.
const COSTLIEST: [&str; 3] = ["piano-wire-in-the-wall", "gong-plate", "wine-glass"];

/// The gated presets, or all presets, with their bounds.
pub fn bounds(all: bool) -> impl Iterator<Item = (&'static str, u64)> {
    let of = |key: &str| {
        MAX_OF.iter().find(|(known, _)| *known == key).map_or(MAX_INSTRUCTIONS, |(_, most)| *most)
    };
    let is_counted = move |key: &&str| {
        all || MAX_OF.iter().any(|(known, _)| known == key) || COSTLIEST.contains(key)
    };
    factory::ALL.iter().map(|(key, _)| *key).filter(is_counted).map(move |key| (key, of(key)))
}

/// Sets up `PRESET 1` or `PRESET 2`: one or two notes of a preset.
pub fn set_up(wanted: &str) -> Option<Work> {
    let (key, notes) = wanted.split_once(' ')?;
    let (sound, notes) = (factory::load(key).ok()?.sound, notes.parse::<usize>().ok()?);
    let mut engine = Box::new(Engine::new());
    engine.prepare(RATE_HZ);
    if let Some(list) = &sound.extras.modes {
        engine.set_list(list);
    }
    let on = |key: &u8| Event {
        offset: 0,
        note: NoteAddress { id: None, channel: Some(0), key: Some(*key) },
        kind: EventKind::NoteOn { velocity: VELOCITY },
    };
    let events: Vec<_> = KEYS.iter().take(notes).map(on).collect();
    let mut play = move |events: &[Event]| {
        let (mut left, mut right) = ([0.0; BLOCK], [0.0; BLOCK]);
        black_box(engine.process(
            &sound.patch,
            events,
            &mut left,
            &mut right,
            &mut NoteEnds::new(),
        ));
    };
    play(&[]);
    Some(Box::new(move || {
        play(&events);
        (1..BLOCKS).for_each(|_| play(&[]));
    }))
}
