//! A row is played twice, in its own blocks and in others, and compared to the last bit.

use std::sync::Arc;

use assert_no_alloc::assert_no_alloc;
use ictus::engine::Io;
use ictus::engine::{Engine, NoteEnds};
use ictus::exciter::external::Input;
use ictus::exciter::surface::SurfaceTable;
use ictus::io::surfaces::SurfaceRequest;
use ictus::params::event::{Event, EventKind, NoteAddress};
use ictus::params::{Param, Patch};

use super::factors::Row;
use crate::storm::{next, some_kind};

/// A row counts as heard above -80 dBFS.
pub const HEARD: f32 = 1e-4;
/// -1 dBFS at the sound card.
const CEILING: f32 = 0.891_250_9;
/// Length of a row: enough for a note to start, change and be released ...
const LENGTH_S: f64 = 0.1;
/// ... in at most this many samples.
const MAX_SAMPLES: usize = 24_000;

/// Falling bodies are down after this time ...
const FALL_S: f64 = 0.03;
/// ... and synced falls use a fast tempo.
const TEMPO_BPM: f64 = 1000.0;

/// These keep their defaults until the change: otherwise a strike may hit a node, or the pickups
/// may.
const PLACES: [Param; 7] = [
    Param::Position,
    Param::PositionY,
    Param::PickupLeft,
    Param::PickupLeftY,
    Param::PickupRight,
    Param::PickupRightY,
    Param::Voices,
];

/// Plays rows.
pub struct Player {
    engine: Engine,
    /// Seeds of silent rows.
    pub silent: Vec<u64>,
}

/// The content of a row: notes and other events, the patch before and after the change, and
/// external sound.
#[derive(Clone)]
pub struct Piece {
    pub events: Vec<Event>,
    pub patches: [Patch; 2],
    pub tables: [Option<Arc<SurfaceTable>>; 2],
    turn: usize,
    pub input: Vec<f32>,
}

impl Piece {
    pub fn new(row: &Row) -> Self {
        let mut state = row.seed.wrapping_mul(7919) + 17;
        let first = row.patch(&mut state, FALL_S);
        let mut second = first.clone();
        for param in PLACES {
            second.set(param, param.spec().default);
        }
        for _ in 0..4 {
            let param = Param::ALL[next(&mut state) as usize % Param::COUNT];
            if param != Param::Fresh {
                second.set_stored(
                    param,
                    param.spec().position_to_stored((next(&mut state) % 1001) as f64 / 1000.0),
                );
            }
        }
        let samples = ((LENGTH_S * row.rate_hz) as usize).min(MAX_SAMPLES);
        let mut events: Vec<Event> = (0..14).map(|_| some_event(&mut state, samples)).collect();
        for offset in [0, samples / 2] {
            events.push(Event {
                offset,
                note: note(57),
                kind: EventKind::NoteOn { velocity: 0.9 },
            });
        }
        events.sort_by_key(|event| event.offset);
        let burst = |n: usize| {
            if (n / 512).is_multiple_of(3) {
                (next(&mut state) % 2001) as f32 / 1000.0 - 1.0
            } else {
                0.0
            }
        };
        let input = (0..samples).map(burst).collect();
        let tables = [&first, &second]
            .map(|patch| SurfaceRequest::of(patch).map(|request| request.build(None)));
        Self { events, turn: samples / 2, patches: [first, second], tables, input }
    }
}

fn note(key: u8) -> NoteAddress {
    NoteAddress { id: None, channel: Some(0), key: Some(key) }
}

fn some_event(state: &mut u64, samples: usize) -> Event {
    let kind = some_kind(state);
    let note = NoteAddress {
        channel: Some((next(state) % 3) as u8),
        ..note([57, 45, 81][next(state) as usize % 3])
    };
    Event { offset: next(state) as usize % samples, note, kind }
}

impl Player {
    pub fn new() -> Self {
        Self { engine: Engine::new(), silent: Vec::new() }
    }

    /// The fault of a row, if any.
    pub fn fault(&mut self, row: &Row) -> Option<String> {
        let piece = Piece::new(row);
        let own = self.play(row, &piece, |_| row.block);
        if let Some(at) = own.iter().position(|x| !(x.is_finite() && x.abs() <= CEILING)) {
            return Some(format!("sample {} of {} is {}", at / 2, own.len() / 2, own[at]));
        }
        if !own.iter().any(|x| x.abs() > HEARD) {
            self.silent.push(row.seed);
        }
        let mut state = row.seed + 3;
        // Where its own blocks are long the others are short, and vice versa.
        let most = if row.block > 100 { 80 } else { 3000 };
        let other = self.play(row, &piece, |_| 1 + next(&mut state) as usize % most);
        let differs = own.iter().zip(&other).position(|(a, b)| a.to_bits() != b.to_bits());
        differs.map(|at| {
            format!("sample {} of {} differs: {} and {}", at / 2, own.len() / 2, own[at], other[at])
        })
    }

    /// The largest sample of a row.
    pub fn loudest(&mut self, row: &Row, piece: &Piece) -> f32 {
        self.play(row, piece, |_| row.block.max(32))
            .into_iter()
            .fold(0.0, |most, x| most.max(x.abs()))
    }

    /// Both channels interleaved.
    fn play(&mut self, row: &Row, piece: &Piece, mut size: impl FnMut(usize) -> usize) -> Vec<f32> {
        let samples = piece.input.len();
        let (mut left, mut right) = (vec![f32::NAN; samples], vec![f32::NAN; samples]);
        // A voice that has rolled may hold on to its surface.
        if piece.tables.iter().any(Option::is_some) {
            self.engine = Engine::new();
        }
        self.engine.prepare(row.rate_hz);
        self.engine.set_tempo(TEMPO_BPM);
        let (mut ends, mut now) = (NoteEnds::new(), Vec::with_capacity(piece.events.len()));
        let mut start = 0;
        let mut furnished = [false; 2];
        while start < samples {
            let half = usize::from(start >= piece.turn);
            let end = if half == 0 { piece.turn } else { samples };
            let end = (start + size(start)).min(end);
            if !std::mem::replace(&mut furnished[half], true)
                && let Some(table) = &piece.tables[half]
            {
                self.engine.set_surface(table.clone()).expect("there is room for two");
            }
            now.clear();
            let due = piece.events.iter().filter(|event| (start..end).contains(&event.offset));
            now.extend(due.map(|event| Event { offset: event.offset - start, ..*event }));
            let input = Input { left: &piece.input[start..end], right: &piece.input[start..end] };
            let io = Io {
                input,
                left: &mut left[start..end],
                right: &mut right[start..end],
                groups: None,
            };
            assert_no_alloc(|| self.engine.process_io(&piece.patches[half], &now, io, &mut ends));
            ends.clear();
            start = end;
        }
        left.into_iter().zip(right).flat_map(|(l, r)| [l, r]).collect()
    }
}
