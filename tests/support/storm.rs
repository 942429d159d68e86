//! Random events of every kind.
#![allow(dead_code)]

pub use crate::random::next;
use ictus::params::Param;
use ictus::params::event::{EventKind, ExpressionKind};

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
