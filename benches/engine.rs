//! What sounding costs: `cargo bench --no-default-features`.
//!
//! Each row plays the same second of sound; compare rows of one run with each other, not with another day's.

use ictus::engine::{Engine, NoteEnds};
use ictus::event::{Event, EventKind, NoteAddress};
use ictus::patch::Patch;

fn main() {
    divan::main();
}

const RATE_HZ: f64 = 48_000.0;
const BLOCK: usize = 64;

fn play(notes: usize, every_samples: usize) {
    let mut engine = Engine::new();
    engine.prepare(RATE_HZ);
    let patch = Patch::default();
    let mut ends = NoteEnds::new();
    let (mut left, mut right) = ([0.0; BLOCK], [0.0; BLOCK]);
    for start in (0..RATE_HZ as usize).step_by(BLOCK) {
        let events: &[Event] = &std::array::from_fn::<_, 16, _>(|i| Event {
            offset: 0,
            note: NoteAddress { id: None, channel: Some(0), key: Some(40 + i as u8) },
            kind: EventKind::NoteOn { velocity: 0.8 },
        });
        let events = if start % every_samples < BLOCK { &events[..notes] } else { &[] };
        engine.process(&patch, events, &mut left, &mut right, &mut ends);
        ends.clear();
    }
    divan::black_box((left, right));
}

/// Nothing sounds: the price of being there.
#[divan::bench]
fn silence() {
    play(0, usize::MAX);
}

/// One bar, struck once.
#[divan::bench]
fn one_voice() {
    play(1, usize::MAX);
}

/// Sixteen bars, struck once.
#[divan::bench]
fn sixteen_voices() {
    play(16, usize::MAX);
}

/// Sixteen bars, each struck ten times.
#[divan::bench]
fn sixteen_voices_restruck() {
    play(16, RATE_HZ as usize / 10);
}
