//! A change of sound while a note rings: a preset, or a randomisation. The largest step of the
//! output around it stays below that of an ordinary strike on the sound before or after.

use ictus::cli::render::install_surface;
use ictus::engine::{Engine, NoteEnds};
use ictus::history::{Locks, randomise};
use ictus::io::presets::{Sound, factory};
use ictus::params::event::{Event, EventKind, NoteAddress};

const RATE_HZ: f64 = 48_000.0;
const BLOCK: usize = 48;
/// A quarter of a second from the strike to the change.
const BEFORE: usize = 250 * BLOCK;
/// Duration of a change: twenty milliseconds. Rolling makes its ordinary steps after it.
const AROUND: usize = 20 * BLOCK;

struct PresetSwitcher {
    engine: Engine,
}

impl PresetSwitcher {
    fn new() -> Self {
        let mut engine = Engine::new();
        engine.prepare(RATE_HZ);
        Self { engine }
    }

    fn set_up(&mut self, sound: &Sound) {
        while self.engine.take_retired_surface().is_some() {}
        self.engine.set_list(&sound.extras.modes.as_deref().cloned().unwrap_or_default());
        install_surface(&mut self.engine, &sound.patch, sound.extras.surface.as_deref());
    }

    /// Largest step of either side in some blocks of a note on `before`, which becomes `after` at
    /// `change`.
    fn step(
        &mut self,
        before: &Sound,
        after: &Sound,
        key: u8,
        change: usize,
        heard: std::ops::Range<usize>,
    ) -> f32 {
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

    /// Largest step of an ordinary strike.
    fn strike(&mut self, sound: &Sound, key: u8) -> f32 {
        self.step(sound, sound, key, 0, 0..BEFORE)
    }
}

fn sounds() -> Vec<(&'static str, Sound)> {
    factory::ALL.iter().map(|(key, _)| (*key, factory::load(key).unwrap().sound)).collect()
}

/// Pseudo-random numbers.
fn dice(state: &mut u64) -> usize {
    crate::random::next(state) as usize
}

fn check(what: &str, cases: Vec<(f32, String)>) {
    let (mut cases, count) = (cases.clone(), cases.len());
    cases.sort_by(|a, b| b.0.total_cmp(&a.0));
    println!(
        "{what}: {count} changes step {:.3} times as far as a strike at most ({})",
        cases[0].0, cases[0].1
    );
    let far: Vec<_> = cases.iter().filter(|(share, _)| *share >= 1.0).collect();
    assert!(
        far.is_empty(),
        "{what}: {} of {count} step further than a strike: {far:.4?}",
        far.len()
    );
}

/// Each factory preset followed by its neighbour in a ring, and random pairs, low and high.
#[test]
fn a_preset_while_another_rings() {
    let (mut stage, sounds, mut seed) = (PresetSwitcher::new(), sounds(), 7);
    let keys = [36, 60];
    let strikes: Vec<_> =
        sounds.iter().map(|(_, sound)| keys.map(|key| stage.strike(sound, key))).collect();
    let count = sounds.len();
    let ring = (0..count).map(|i| (i, (i + 1) % count));
    let chance: Vec<_> =
        (0..2 * count).map(|_| (dice(&mut seed) % count, dice(&mut seed) % count)).collect();
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

/// Randomises each factory preset, entirely or by some amount.
#[test]
fn the_dice_over_every_preset_that_rings() {
    let mut stage = PresetSwitcher::new();
    let mut cases = Vec::new();
    for (n, (name, before)) in sounds().into_iter().enumerate() {
        let key = [36, 48, 60][n % 3];
        let strike = stage.strike(&before, key);
        for throw in 0..4u64 {
            let (seed, locks) = (n as u64 * 4 + throw, Locks::default());
            let patch = match throw {
                0 | 1 => randomise::randomise(&before.patch, &locks, seed),
                2 => randomise::mutate(&before.patch, &locks, 0.3, seed),
                _ => randomise::mutate(&before.patch, &locks, 1.0, seed),
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

/// The left side of a note on `before`, which becomes `after` at `change`; the key is struck again
/// at `again`. In blocks of `block`, of which all three are multiples.
fn sound(before: &Sound, after: &Sound, change: usize, again: usize, block: usize) -> Vec<f32> {
    let mut stage = PresetSwitcher::new();
    stage.set_up(before);
    let note = NoteAddress { id: None, channel: Some(0), key: Some(60) };
    let strike = [Event { offset: 0, note, kind: EventKind::NoteOn { velocity: 0.9 } }];
    let (mut heard, mut ends) = (Vec::new(), NoteEnds::new());
    for start in (0..again + 9600).step_by(block) {
        if start == change {
            stage.set_up(after);
        }
        let patch = if start < change { &before.patch } else { &after.patch };
        let (mut left, mut right) = (vec![0.0; block], vec![0.0; block]);
        let events = if start == 0 || start == again { &strike[..] } else { &[] };
        stage.engine.process(patch, events, &mut left, &mut right, &mut ends);
        ends.clear();
        heard.extend(left);
    }
    heard
}

fn peak(sound: &[f32]) -> f32 {
    sound.iter().fold(0.0, |most, x| most.max(x.abs()))
}

/// The levels of these two are 18 dB apart. Regression: the bell became eight times as loud at the
/// change to the vibraphone.
#[test]
fn ringing_notes_keep_their_level_and_new_strikes_have_the_new_one() {
    let load = |key: &str| factory::load(key).unwrap().sound;
    for (from, to) in
        [("church-bell", "vibraphone"), ("vibraphone", "church-bell"), ("marble-roll", "marimba")]
    {
        let (before, after) = (load(from), load(to));
        let (change, again) = (9600, 14_400);
        let heard = sound(&before, &after, change, again, 480);
        let ringing = peak(&heard[change - 4800..change]);
        let later = peak(&heard[change..again]);
        assert!(later <= 1.05 * ringing, "{from} to {to}: what rings at {ringing} becomes {later}");
        // Struck again, it is as loud as it would be alone, except for the ringing sound.
        let fresh = peak(&sound(&after, &after, usize::MAX, 0, 480)[..9600]);
        let struck = peak(&heard[again..]);
        let rest = peak(&heard[again - 2400..again]);
        assert!(
            struck < 1.1 * fresh + rest && struck > 0.9 * fresh - rest,
            "{from} to {to}: struck at {struck}, alone at {fresh}, over {rest}"
        );
    }
}

#[test]
fn a_preset_change_is_the_same_in_blocks_of_any_size() {
    let load = |key: &str| factory::load(key).unwrap().sound;
    for (from, to) in
        [("church-bell", "marimba"), ("bowling-lane", "marble-roll"), ("basketball", "gong-plate")]
    {
        let (before, after) = (load(from), load(to));
        let small = sound(&before, &after, 9600, 14_400, 32);
        assert!(small == sound(&before, &after, 9600, 14_400, 480), "{from} to {to}");
        assert!(small == sound(&before, &after, 9600, 14_400, 4800), "{from} to {to}");
        assert!(peak(&small[9600..]) > 0.0);
    }
}

/// A change of the level, alone or with some other parameters, applies to the ringing sound.
#[test]
fn a_level_change_is_no_preset_change() {
    use ictus::engine::is_preset_change;
    use ictus::params::{Param, Patch};
    let before = Patch::default();
    let turned = |params: &[(Param, f64)]| {
        let mut patch = before.clone();
        params.iter().for_each(|(param, value)| {
            patch.set(*param, *value);
        });
        is_preset_change(&before, &patch)
    };
    assert!(!turned(&[(Param::Level, -20.0)]));
    assert!(!turned(&[(Param::Level, -20.0), (Param::Body, 3.0)]));
    assert!(!turned(&[
        (Param::Level, -1.0),
        (Param::Tune, 1.0),
        (Param::Hardness, 0.52),
        (Param::Width, 1.1)
    ]));
    assert!(turned(&[
        (Param::Level, -20.0),
        (Param::Tune, 7.0),
        (Param::Hardness, 0.9),
        (Param::Body, 3.0)
    ]));
    // All factory presets differ.
    let sounds = sounds();
    for (i, (name, a)) in sounds.iter().enumerate() {
        for (other, b) in &sounds[..i] {
            assert!(is_preset_change(&a.patch, &b.patch), "{name} and {other}");
        }
    }
}
