//! Randomised sounds are audible and safe.

use ictus::cli::render::{Length, render};
use ictus::engine::{Engine, NoteEnds};
use ictus::history::{Locks, randomise};
use ictus::params::Patch;
use ictus::params::event::{Event, EventKind, NoteAddress};

const RATE_HZ: f64 = 48_000.0;
const BLOCK: usize = 48;
/// Root mean square below which a sound is inaudible in a quiet room at any usual setting.
const QUIETEST_DB: f64 = -66.0;

/// Peak and level (rms of the loudest 50 ms) of a note, two seconds from its start.
fn heard(patch: &Patch) -> (f32, f64) {
    let note = NoteAddress { id: None, channel: Some(0), key: Some(60) };
    let events = [Event { offset: 0, note, kind: EventKind::NoteOn { velocity: 100.0 / 127.0 } }];
    let [left, right] = render(patch, &events, Length::Fixed(96_000), RATE_HZ, 512, |_| ());
    let both: Vec<_> =
        left.iter().zip(&right).map(|(l, r)| (l.abs().max(r.abs()), l * l + r * r)).collect();
    assert!(both.iter().all(|(peak, _)| peak.is_finite()));
    let peak = both.iter().fold(0f32, |a, (peak, _)| a.max(*peak));
    let loudest =
        both.chunks(2400).map(|some| some.iter().map(|(_, e)| f64::from(*e)).sum::<f64>() / 4800.0);
    (peak, loudest.fold(0.0, f64::max).sqrt())
}

#[test]
fn every_throw_is_heard_and_stays_below_full_scale() {
    let mut quiet = Vec::new();
    let mut levels_db: Vec<f64> = (0..60)
        .map(|seed| {
            let patch = randomise::randomise(&Patch::default(), &Locks::default(), seed);
            let (peak, level) = heard(&patch);
            let level_db = 20.0 * level.log10();
            assert!(peak < 1.0, "seed {seed}: peak {peak}");
            if level_db < QUIETEST_DB {
                quiet.push((seed, level_db, patch.gesture()));
            }
            level_db
        })
        .collect();
    levels_db.sort_by(f64::total_cmp);
    println!(
        "levels: {:.1} to {:.1} dB, {:.1} in the middle",
        levels_db[0], levels_db[59], levels_db[30]
    );
    assert!(quiet.is_empty(), "too quiet: {quiet:.1?}");
}

#[test]
fn a_mutation_of_a_sound_is_heard() {
    for seed in 0..20 {
        let (peak, level) =
            heard(&randomise::mutate(&Patch::default(), &Locks::default(), 1.0, seed));
        assert!(peak < 1.0 && 20.0 * level.log10() > QUIETEST_DB, "seed {seed}: {peak}, {level}");
    }
}

/// The left output of a note that is struck on `before`, which becomes `after` at `change`.
fn changed(
    engine: &mut Engine,
    before: &Patch,
    after: &Patch,
    change: usize,
    length: usize,
) -> Vec<f32> {
    engine.reset();
    let note = NoteAddress { id: None, channel: Some(0), key: Some(60) };
    let strike = [Event { offset: 0, note, kind: EventKind::NoteOn { velocity: 0.9 } }];
    let (mut left, mut right) = (vec![0.0; length], vec![0.0; length]);
    let mut ends = NoteEnds::new();
    for start in (0..length).step_by(BLOCK) {
        let patch = if start < change { before } else { after };
        let piece = start..start + BLOCK;
        let events = if start == 0 { &strike[..] } else { &[] };
        engine.process(patch, events, &mut left[piece.clone()], &mut right[piece], &mut ends);
        ends.clear();
    }
    left
}

fn largest_step(samples: &[f32]) -> f32 {
    samples.windows(2).map(|pair| (pair[1] - pair[0]).abs()).fold(0.0, f32::max)
}

/// Regression: a ringing body that became another kind within one sample stepped up to 2.15 times
/// as far as a strike.
#[test]
fn dice_thrown_while_ringing_do_not_click() {
    let mut engine = Engine::new();
    engine.prepare(RATE_HZ);
    let before = Patch::default();
    let mut strike = |patch: &Patch| largest_step(&changed(&mut engine, patch, patch, 0, 2400));
    let thrown: Vec<_> =
        (0..100).map(|seed| randomise::randomise(&before, &Locks::default(), seed)).collect();
    // A brighter body has larger steps in any case: compare with a strike on it.
    let ordinary: Vec<_> = thrown.iter().map(|after| strike(&before).max(strike(after))).collect();
    let mut worst = (0.0f32, 0);
    for (seed, (after, ordinary)) in thrown.iter().zip(&ordinary).enumerate() {
        for change in [4800, 4848, 4896, 4944] {
            let played = changed(&mut engine, &before, after, change, 7200);
            let share = largest_step(&played[change - 100..]) / ordinary;
            worst = if share > worst.0 { (share, seed) } else { worst };
        }
    }
    println!("a change steps at most {:.2} times as far as a strike (seed {})", worst.0, worst.1);
    assert!(worst.0 < 1.0, "{worst:?}");
}
