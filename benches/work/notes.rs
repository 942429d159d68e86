//! One more note: what its first 20 ms add to those of another one, on every factory preset as it
//! is shipped.

use std::hint::black_box;

use ictus::engine::{Engine, NoteEnds};
use ictus::io::presets::factory;
use ictus::params::event::{Event, EventKind, NoteAddress};

use crate::Work;
use ictus_bench::bench_engine::{BLOCK, RATE_HZ};

/// 20 ms.
const BLOCKS: usize = 15;
/// The note that is there in any case, and the one more.
const KEYS: [u8; 2] = [55, 60];
const VELOCITY: f32 = 100.0 / 127.0;

/// Instructions that one more note may take ...
const MAX_INSTRUCTIONS: u64 = 800_000;
/// ... and where fewer have to do.
const MAX_OF: [(&str, u64); 8] = [
    ("marimba", 140_000),
    ("xylophone", 130_000),
    ("wood-block", 175_000),
    ("vibraphone", 160_000),
    ("church-bell", 270_000),
    ("timpani", 330_000),
    // Contacts that feel a light body.
    ("wine-glass", 2_000_000),
    ("piano-wire-in-the-wall", 5_300_000),
];

/// The dearest of the others. The gate counts these and those above; a table of all takes minutes.
const COSTLIEST: [&str; 3] = ["piano-wire-in-the-wall", "gong-plate", "wine-glass"];

/// The presets that the gate counts, or all of them, each with its bound.
pub fn bounds(all: bool) -> impl Iterator<Item = (&'static str, u64)> {
    let of = |key: &str| {
        MAX_OF.iter().find(|(known, _)| *known == key).map_or(MAX_INSTRUCTIONS, |(_, most)| *most)
    };
    let is_counted = move |key: &&str| {
        all || MAX_OF.iter().any(|(known, _)| known == key) || COSTLIEST.contains(key)
    };
    factory::ALL.iter().map(|(key, _)| *key).filter(is_counted).map(move |key| (key, of(key)))
}

/// `KEY 1` and `KEY 2`: so many notes of a preset.
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
