//! How many steps contacts have while the instrument is played: 24 or more, whatever is struck by whatever else, and however much of it.

#![cfg(feature = "cli")]

#[path = "support/playing.rs"]
mod playing;
#[path = "support/storm.rs"]
#[allow(dead_code)] // Of the dice there.
mod storm;

use ictus::body::shape::kind::Kind;
use ictus::engine::{Engine, NoteEnds};
use ictus::event::{Event, EventKind};
use ictus::patch::Patch;
use ictus::voice::happening::What;
use playing::{event, patch_of};

const BLOCK: usize = 64;
/// Of 1.33 ms each at 48 kHz.
const BLOCKS: usize = 60;
const FEWEST: u32 = 24;

/// What was seen: contacts with bodies that gave way, the fewest steps of one, and how many had fewer than they should.
#[derive(Clone, Copy, Debug)]
struct Seen {
    contacts: usize,
    fewest: u32,
    short: usize,
}

impl Seen {
    const NOTHING: Self = Self { contacts: 0, fewest: u32::MAX, short: 0 };

    fn with(self, other: Self) -> Self {
        Self {
            contacts: self.contacts + other.contacts,
            fewest: self.fewest.min(other.fewest),
            short: self.short + other.short,
        }
    }
}

/// Play events by blocks from the start.
fn play(patch: &Patch, rate_hz: f64, events: &[Event]) -> Seen {
    let mut engine = Engine::new();
    engine.prepare(rate_hz);
    let (mut left, mut right) = ([0.0; BLOCK], [0.0; BLOCK]);
    let mut ends = NoteEnds::new();
    let mut seen = Seen::NOTHING;
    for start in (0..BLOCKS).map(|block| block * BLOCK) {
        let now: Vec<_> = events
            .iter()
            .filter(|event| (start..start + BLOCK).contains(&event.offset))
            .map(|event| Event { offset: event.offset - start, ..*event })
            .collect();
        engine.process(patch, &now, &mut left, &mut right, &mut ends);
        ends.clear();
        for happening in engine.happenings() {
            if let What::Contact(contact) = happening.what {
                let short = usize::from(contact.steps < FEWEST);
                seen = seen.with(Seen { contacts: 1, fewest: contact.steps, short });
            }
        }
    }
    seen
}

/// Numbers from 0 to 1.
struct Dice(u64);

impl Dice {
    fn roll(&mut self) -> f64 {
        storm::next(&mut self.0) as f64 / (1u64 << 31) as f64
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[(self.roll() * from.len() as f64) as usize]
    }

    /// Any body, of any weight, struck by any mass of any hardness.
    fn patch(&mut self) -> (Patch, String) {
        // The last kind is a list of the user's, which is empty here.
        let body = self.pick(&Kind::NAMES[..Kind::NAMES.len() - 1]);
        let hard = format!("{:.1} %", 100.0 * self.roll());
        let weight = format!("{:.4}", 10f64.powf(3.0 * self.roll() - 2.0));
        let mass = format!("{:.3} g", 10f64.powf(2.5 * self.roll() - 0.5));
        let modes = self.pick(&["8", "16", "32", "64", "128"]);
        let gesture = self.pick(&["Strike", "Strike", "Strike", "Strike", "Bounce"]);
        let law = self.pick(&["Hunt-Crossley", "Hertz-damper"]);
        let settings = [
            ("body", body),
            ("hard", &hard),
            ("weight", &weight),
            ("mass", &mass),
            ("modes", modes),
            ("gest", gesture),
            ("law", law),
            ("height", "2 cm"),
        ];
        (patch_of(&[("coupl", "Two-way")], &settings), format!("{settings:?}"))
    }

    fn note(&mut self, offset: usize, key: u8) -> Event {
        event(offset, key, EventKind::NoteOn { velocity: self.roll() as f32 })
    }
}

/// So many patches, each with the notes that are made for it.
fn at_random(seed: u64, rate_hz: f64, patches: usize, notes: impl Fn(&mut Dice) -> Vec<Event>) -> Seen {
    let mut dice = Dice(seed);
    let mut all = Seen::NOTHING;
    for _ in 0..patches {
        let (patch, settings) = dice.patch();
        let seen = play(&patch, rate_hz, &notes(&mut dice));
        if seen.short > 0 {
            println!("{settings}: {seen:?}");
        }
        all = all.with(seen);
    }
    println!("{all:?}");
    all
}

#[test]
fn one_blow() {
    for (rate_hz, patches, fewest) in
        [(48_000.0, 400, 1000), (44_100.0, 150, 400), (96_000.0, 150, 300), (192_000.0, 100, 130)]
    {
        let seen = at_random(7, rate_hz, patches, |dice| {
            let key = 30 + (50.0 * dice.roll()) as u8;
            vec![dice.note(0, key)]
        });
        assert!(seen.contacts > fewest && seen.short == 0, "{rate_hz} Hz: {seen:?}");
    }
}

/// More than can have all the steps they ask for.
#[test]
fn a_storm() {
    let seen = at_random(8, 48_000.0, 24, |dice| {
        let lowest = 30 + (40.0 * dice.roll()) as u8;
        (0..24).map(|n| dice.note(0, lowest + n)).collect()
    });
    assert!(seen.contacts > 1000 && seen.short == 0, "{seen:?}");
}

/// Several strikers on one body, while it still answers the first.
#[test]
fn blow_upon_blow() {
    let seen = at_random(9, 48_000.0, 60, |dice| {
        let key = 30 + (50.0 * dice.roll()) as u8;
        (0..5).map(|n| dice.note(29 * n, key)).collect()
    });
    assert!(seen.contacts > 200 && seen.short == 0, "{seen:?}");
}

/// Two of its many contacts end because the surface swings back, within a quarter of the time that the spring would have taken. They
/// had 11 and 14 steps, because the surface was looked at too late.
#[test]
fn a_graze_in_the_middle_of_a_swing() {
    let settings =
        [("body", "Open tube"), ("hard", "60.1 %"), ("weight", "0.0603"), ("mass", "7.183 g"), ("modes", "128")];
    let patch = patch_of(&[("coupl", "Two-way")], &settings);
    let seen = play(&patch, 48_000.0, &[event(0, 39, EventKind::NoteOn { velocity: 0.90563685 })]);
    assert!(seen.contacts > 10 && seen.short == 0, "{seen:?}");
}
