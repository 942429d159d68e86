//! The phrase played on every preset: a note that is held and released, and a second one over it,
//! until silence or 2 s.

use ictus::cli::render::install_surface;
use ictus::engine::{Engine, NoteEnds};
use ictus::io::presets::{Sound, factory};
use ictus::params::event::{Event, EventKind, NoteAddress};

const RATE_HZ: f64 = 48_000.0;
const BLOCK: usize = 512;
const MAX_SAMPLES: usize = 2 * 48_000;

/// Velocity of the notes.
pub const VELOCITY: f32 = 0.8;

/// Left and right.
pub fn play(key: &str, velocity: f32) -> [Vec<f32>; 2] {
    let Sound { patch, extras } =
        factory::load(key).unwrap_or_else(|error| panic!("{error:#}")).sound;
    let mut engine = Engine::new();
    engine.prepare(RATE_HZ);
    engine.set_list(&extras.modes.unwrap_or_default());
    if let Some(tuning) = &extras.tuning {
        engine.set_tuning(&tuning.read().expect("a factory preset"));
    }
    install_surface(&mut engine, &patch, extras.surface.as_deref());
    let event = |second: f64, key: u8, kind: EventKind| Event {
        offset: (second * RATE_HZ) as usize,
        note: NoteAddress { id: None, channel: Some(0), key: Some(key) },
        kind,
    };
    let events = [
        event(0.0, 57, EventKind::NoteOn { velocity }),
        event(0.5, 64, EventKind::NoteOn { velocity: 0.5 * velocity }),
        event(0.8, 57, EventKind::NoteOff),
        event(1.0, 64, EventKind::NoteOff),
    ];
    let (mut left, mut right) = (vec![0.0; MAX_SAMPLES], vec![0.0; MAX_SAMPLES]);
    let (mut start, mut ends) = (0, NoteEnds::new());
    while start < MAX_SAMPLES {
        let end = (start + BLOCK).min(MAX_SAMPLES);
        let due = events.iter().filter(|event| (start..end).contains(&event.offset));
        let now: Vec<Event> =
            due.map(|event| Event { offset: event.offset - start, ..*event }).collect();
        let status =
            engine.process(&patch, &now, &mut left[start..end], &mut right[start..end], &mut ends);
        ends.clear();
        start = end;
        if status.tail_samples == 0 && events.iter().all(|event| event.offset < start) {
            break;
        }
    }
    let latency = engine.latency_samples(&patch);
    for side in [&mut left, &mut right] {
        side.truncate(start);
        side.drain(..latency.min(start));
    }
    [left, right]
}
