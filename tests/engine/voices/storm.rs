//! A hundred thousand random notes, pedals, chokes and controllers, addressed in every way that
//! hosts use: each note ends exactly once, none hangs, and the block size does not matter.

use std::collections::HashMap;

use super::common::{Played, TestRng, choke, off, on, patch, play_changing};
use ictus::params::event::{Event, EventKind, ExpressionKind, NoteAddress};
use ictus::params::{Param, Patch};

/// How a host addresses a note.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Dialect {
    /// By id, channel and key.
    Whole,
    /// By id; channel and key are left open.
    Number,
    /// By channel and key.
    Key,
}

impl Dialect {
    fn address(self, note: NoteAddress) -> NoteAddress {
        match self {
            Dialect::Number => NoteAddress { channel: None, key: None, ..note },
            _ => note,
        }
    }
}

const CHANNELS: usize = 4;

/// A simulated host.
struct Host {
    dialect: Dialect,
    dice: TestRng,
    /// Keys that are down.
    down: Vec<NoteAddress>,
    notes: Vec<NoteAddress>,
    events: Vec<Event>,
    offset: usize,
}

impl Host {
    fn new(dialect: Dialect) -> Self {
        Self {
            dialect,
            dice: TestRng(29),
            down: Vec::new(),
            notes: Vec::new(),
            events: Vec::new(),
            offset: 0,
        }
    }

    fn strike(&mut self) {
        let id = (self.dialect != Dialect::Key).then_some(self.notes.len() as i32);
        let (channel, key) = (self.dice.below(CHANNELS) as u8, 36 + self.dice.below(24) as u8);
        let note = NoteAddress { id, channel: Some(channel), key: Some(key) };
        // Without ids a key cannot be down twice.
        if !self.down.contains(&note) {
            self.down.push(note);
            self.notes.push(note);
            self.events.push(on(self.offset, note, 0.01 * self.dice.below(101) as f32));
        }
    }

    fn one_that_is_down(&mut self) -> Option<NoteAddress> {
        (!self.down.is_empty()).then(|| self.down[self.dice.below(self.down.len())])
    }

    fn controller(&mut self, number: u8) {
        let channel = (self.dice.below(10) > 0).then(|| self.dice.below(CHANNELS) as u8);
        let kind = EventKind::Controller { number, value: 0.01 * self.dice.below(101) as f32 };
        self.events.push(Event {
            offset: self.offset,
            note: NoteAddress { channel, ..NoteAddress::default() },
            kind,
        });
    }

    /// A random message for a note, or for its channel.
    fn something_said(&mut self) -> EventKind {
        let value = 0.01 * self.dice.below(101) as f32;
        match self.dice.below(4) {
            0 => EventKind::Pressure { value },
            1 => EventKind::Bend { value: 2.0 * value - 1.0 },
            2 => EventKind::Modulation { param: Param::Tune, offset: 0.2 * value - 0.1 },
            _ => match ExpressionKind::ALL[self.dice.below(ExpressionKind::ALL.len())] {
                kind @ ExpressionKind::Tuning => {
                    EventKind::Expression { kind, value: 24.0 * value - 12.0 }
                }
                kind => EventKind::Expression { kind, value },
            },
        }
    }

    fn act(&mut self) {
        self.offset += self.dice.below(21);
        match self.dice.below(1000) {
            0..400 => self.strike(),
            400..760 => {
                if let Some(note) = self.one_that_is_down() {
                    self.down.retain(|down| *down != note);
                    self.events.push(off(self.offset, self.dialect.address(note)));
                }
            }
            760..800 => {
                if let Some(note) = self.one_that_is_down() {
                    self.events.push(choke(self.offset, self.dialect.address(note)));
                }
            }
            800..840 => {
                if let Some(note) = self.one_that_is_down() {
                    let (kind, note) = (self.something_said(), self.dialect.address(note));
                    self.events.push(Event { offset: self.offset, note, kind });
                }
            }
            840 => self.events.push(choke(self.offset, NoteAddress::default())),
            841..845 => {
                let key = Some(36 + self.dice.below(24) as u8);
                self.events.push(choke(self.offset, NoteAddress { key, ..NoteAddress::default() }));
            }
            845..850 => self.controller(120),
            850..855 => self.controller(121),
            855..860 => self.controller(123),
            860..890 => self.controller(1),
            890..930 => self.controller(66),
            930..950 => self.controller(67),
            _ => self.controller(64),
        }
    }

    /// Releases every key, and every pedal but the sustain pedal, which is set to the given value.
    fn finish(&mut self, sustain: f32) {
        self.offset += 1;
        for (number, value) in [(64, sustain), (66, 0.0), (67, 0.0)] {
            let kind = EventKind::Controller { number, value };
            self.events.push(Event { offset: self.offset, note: NoteAddress::default(), kind });
        }
        for note in std::mem::take(&mut self.down) {
            self.events.push(off(self.offset, self.dialect.address(note)));
        }
    }
}

/// A note that is not released rings for seconds.
fn lasting(new_body: bool) -> Patch {
    patch(&[
        (Param::Voices, 24.0),
        (Param::Restrike, f64::from(u8::from(new_body))),
        (Param::Modes, 6.0),
        (Param::Support, 0.05),
        (Param::NoteOff, 1.0),
        (Param::Hand, 0.01),
        (Param::Group1Low, 40.0),
        (Param::Group1High, 45.0),
        (Param::Group1Chokes, 1.0),
    ])
}

fn run(host: &Host, patch: &Patch, after: usize, size: impl FnMut() -> usize) -> Played {
    play_changing(patch, &host.events, host.offset + after, size, |_, _| {})
}

fn every_note_ends_once(dialect: Dialect, new_body: bool) {
    let mut host = Host::new(dialect);
    while host.events.len() < 100_000 {
        host.act();
    }
    host.finish(0.0);
    let played = run(&host, &lasting(new_body), 24_000, || 64);
    assert_eq!(played.voices, 0, "{dialect:?}: stuck");
    assert!(host.notes.len() > 30_000);
    let mut balance = HashMap::new();
    for note in &host.notes {
        *balance.entry((note.id, note.channel, note.key)).or_insert(0) += 1;
    }
    for (_, note) in &played.ends {
        *balance.entry((note.id, note.channel, note.key)).or_insert(0) -= 1;
    }
    let wrong: Vec<_> = balance.iter().filter(|(_, count)| **count != 0).take(5).collect();
    assert!(wrong.is_empty(), "{dialect:?}: too often or too seldom: {wrong:?}");
}

#[test]
fn with_numbers_channels_and_keys() {
    every_note_ends_once(Dialect::Whole, true);
}

#[test]
fn with_numbers_alone() {
    every_note_ends_once(Dialect::Number, false);
}

#[test]
fn with_channels_and_keys_alone() {
    every_note_ends_once(Dialect::Key, false);
}

#[test]
fn the_sustain_pedal_holds_notes_at_the_end() {
    let mut host = Host::new(Dialect::Whole);
    while host.events.len() < 2000 {
        host.act();
    }
    host.strike();
    host.finish(1.0);
    assert!(run(&host, &lasting(true), 24_000, || 64).voices > 0, "nothing could be stuck");
}

#[test]
fn blocks_of_any_size_give_the_same() {
    for dialect in [Dialect::Whole, Dialect::Number, Dialect::Key] {
        let mut host = Host::new(dialect);
        while host.events.len() < 6000 {
            host.act();
        }
        let new_body = dialect == Dialect::Whole;
        let mut dice = TestRng(5);
        let [a, b] = [
            run(&host, &lasting(new_body), 4800, || 64),
            run(&host, &lasting(new_body), 4800, || 1 + dice.below(300)),
        ]
        .map(|played| {
            let mut ends: Vec<_> = played
                .ends
                .iter()
                .map(|(at, note)| (*at, note.id, note.channel, note.key))
                .collect();
            ends.sort_unstable();
            (played.left, ends)
        });
        assert!(a.0.iter().any(|x| x.abs() > 1e-3), "nothing was heard");
        assert_eq!(a.1, b.1, "{dialect:?}: notes end elsewhere");
        assert!(a.0 == b.0, "{dialect:?}: the sound differs");
    }
}
