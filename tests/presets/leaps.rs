//! Another sound while one rings: a preset, or a throw of the dice. The largest step of the output around it stays below that of
//! an ordinary strike on the sound before or on the one after.

use ictus::engine::{Engine, NoteEnds};
use ictus::event::{Event, EventKind, NoteAddress};
use ictus::history::{Locks, chance};
use ictus::presets::{Sound, factory};
use ictus::surfaces;

const RATE_HZ: f64 = 48_000.0;
const BLOCK: usize = 48;
/// A quarter of a second from the blow to the change.
const BEFORE: usize = 250 * BLOCK;
/// A change is over by then: twenty milliseconds. What rolls makes its ordinary steps after it.
const AROUND: usize = 20 * BLOCK;

struct Stage {
    engine: Engine,
}

impl Stage {
    fn new() -> Self {
        let mut engine = Engine::new();
        engine.prepare(RATE_HZ);
        Self { engine }
    }

    fn set_up(&mut self, sound: &Sound) {
        while self.engine.take_retired_surface().is_some() {}
        self.engine.set_list(&sound.extras.modes.as_deref().cloned().unwrap_or_default());
        surfaces::furnish(&mut self.engine, &sound.patch, sound.extras.surface.as_deref());
    }

    /// Largest step of either side in some blocks of a note on `before`, which becomes `after` at `change`.
    fn step(&mut self, before: &Sound, after: &Sound, key: u8, change: usize, heard: std::ops::Range<usize>) -> f32 {
        self.engine.reset();
        self.set_up(before);
        let note = NoteAddress { id: None, channel: Some(0), key: Some(key) };
        let strike = [Event { offset: 0, note, kind: EventKind::NoteOn { velocity: 0.9 } }];
        let (mut largest, mut last, mut ends) = (0.0f32, [0.0f32; 2], NoteEnds::new());
        for start in (0..heard.end).step_by(BLOCK) {
            if start == change && change > 0 {
                self.set_up(after);
            }
            let patch = if start < change { &before.patch } else { &after.patch };
            let (mut left, mut right) = ([0.0; BLOCK], [0.0; BLOCK]);
            let events = if start == 0 { &strike[..] } else { &[] };
            self.engine.process(patch, events, &mut left, &mut right, &mut ends);
            ends.clear();
            for (side, last) in [left, right].into_iter().zip(&mut last) {
                for x in side {
                    if heard.contains(&start) {
                        largest = largest.max((x - *last).abs());
                    }
                    *last = x;
                }
            }
        }
        largest
    }

    /// Of an ordinary strike.
    fn strike(&mut self, sound: &Sound, key: u8) -> f32 {
        self.step(sound, sound, key, 0, 0..BEFORE)
    }
}

fn sounds() -> Vec<(&'static str, Sound)> {
    factory::ALL.iter().map(|(key, _)| (*key, factory::load(key).unwrap().sound)).collect()
}

/// Numbers that look random.
fn dice(state: &mut u64) -> usize {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 33) as usize
}

fn check(what: &str, cases: Vec<(f32, String)>) {
    let (mut cases, count) = (cases.clone(), cases.len());
    cases.sort_by(|a, b| b.0.total_cmp(&a.0));
    println!("{what}: {count} leaps step {:.3} times as far as a strike at most ({})", cases[0].0, cases[0].1);
    let far: Vec<_> = cases.iter().filter(|(share, _)| *share >= 1.0).collect();
    assert!(far.is_empty(), "{what}: {} of {count} step further than a strike: {far:.4?}", far.len());
}

/// Each factory preset after each other one that comes before it in a ring, and pairs by chance, low and high.
#[test]
fn a_preset_while_another_rings() {
    let (mut stage, sounds, mut seed) = (Stage::new(), sounds(), 7);
    let keys = [36, 60];
    let strikes: Vec<_> = sounds.iter().map(|(_, sound)| keys.map(|key| stage.strike(sound, key))).collect();
    let count = sounds.len();
    let ring = (0..count).map(|i| (i, (i + 1) % count));
    let chance: Vec<_> = (0..2 * count).map(|_| (dice(&mut seed) % count, dice(&mut seed) % count)).collect();
    let mut cases = Vec::new();
    for (n, (from, to)) in ring.chain(chance).enumerate().filter(|(_, (from, to))| from != to) {
        let (which, change) = (n % 2, BEFORE + BLOCK * (n % 5));
        let heard = change - BLOCK..change + AROUND;
        let step = stage.step(&sounds[from].1, &sounds[to].1, keys[which], change, heard);
        let share = step / strikes[from][which].max(strikes[to][which]);
        cases.push((share, format!("{} to {}, key {}", sounds[from].0, sounds[to].0, keys[which])));
    }
    check("presets", cases);
}

/// The dice, thrown over each factory preset: all of them, or by some amount.
#[test]
fn the_dice_over_every_preset_that_rings() {
    let mut stage = Stage::new();
    let mut cases = Vec::new();
    for (n, (name, before)) in sounds().into_iter().enumerate() {
        let key = [36, 48, 60][n % 3];
        let strike = stage.strike(&before, key);
        for throw in 0..4u64 {
            let (seed, locks) = (n as u64 * 4 + throw, Locks::default());
            let patch = match throw {
                0 | 1 => chance::randomise(&before.patch, &locks, seed),
                2 => chance::mutate(&before.patch, &locks, 0.3, seed),
                _ => chance::mutate(&before.patch, &locks, 1.0, seed),
            };
            let after = Sound { patch, ..before.clone() };
            let change = BEFORE + BLOCK * (n % 5);
            let step = stage.step(&before, &after, key, change, change - BLOCK..change + AROUND);
            let share = step / strike.max(stage.strike(&after, key));
            cases.push((share, format!("{name}, key {key}, throw {throw} of seed {seed}")));
        }
    }
    check("dice", cases);
}
