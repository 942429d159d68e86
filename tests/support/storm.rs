//! Random events of every kind.
#![allow(dead_code)]

use ictus::params::Param;
use ictus::params::event::{EventKind, ExpressionKind};

/// Pseudo-random numbers without an allocating crate.
pub fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    *state >> 33
}

/// Mostly notes, and sometimes every other kind of event.
pub fn some_kind(state: &mut u64) -> EventKind {
    let value = (next(state) % 128) as f32 / 127.0;
    match next(state) % 12 {
        0..5 => EventKind::NoteOn { velocity: value },
        5 | 6 => EventKind::NoteOff,
        7 => EventKind::Choke,
        8 => EventKind::Bend { value: 2.0 * value - 1.0 },
        9 => EventKind::Controller { number: (next(state) % 128) as u8, value },
        10 => EventKind::Modulation {
            param: Param::ALL[next(state) as usize % Param::COUNT],
            offset: value - 0.5,
        },
        _ => EventKind::Expression {
            kind: ExpressionKind::ALL[next(state) as usize % ExpressionKind::ALL.len()],
            value,
        },
    }
}
