//! What chance makes can be heard, and does no harm.

use ictus::cli::render::{Length, render};
use ictus::event::{Event, EventKind, NoteAddress};
use ictus::history::{Locks, chance};
use ictus::patch::Patch;

const RATE_HZ: f64 = 48_000.0;
/// Quieter than this, root mean square, nothing is heard in a quiet room at any usual setting.
const QUIETEST_DB: f64 = -66.0;

/// Peak and level (rms of the loudest 50 ms) of a note, two seconds from its start.
fn heard(patch: &Patch) -> (f32, f64) {
    let note = NoteAddress { id: None, channel: Some(0), key: Some(60) };
    let events = [Event { offset: 0, note, kind: EventKind::NoteOn { velocity: 100.0 / 127.0 } }];
    let [left, right] = render(patch, &events, Length::Fixed(96_000), RATE_HZ, 512, |_| ());
    let both: Vec<_> = left.iter().zip(&right).map(|(l, r)| (l.abs().max(r.abs()), l * l + r * r)).collect();
    assert!(both.iter().all(|(peak, _)| peak.is_finite()));
    let peak = both.iter().fold(0f32, |a, (peak, _)| a.max(*peak));
    let loudest = both.chunks(2400).map(|some| some.iter().map(|(_, e)| f64::from(*e)).sum::<f64>() / 4800.0);
    (peak, loudest.fold(0.0, f64::max).sqrt())
}

#[test]
fn every_throw_is_heard_and_stays_below_full_scale() {
    let mut quiet = Vec::new();
    let mut levels_db: Vec<f64> = (0..60)
        .map(|seed| {
            let patch = chance::randomise(&Patch::default(), &Locks::default(), seed);
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
    println!("levels: {:.1} to {:.1} dB, {:.1} in the middle", levels_db[0], levels_db[59], levels_db[30]);
    assert!(quiet.is_empty(), "too quiet: {quiet:.1?}");
}

#[test]
fn a_mutation_of_a_sound_is_heard() {
    for seed in 0..20 {
        let (peak, level) = heard(&chance::mutate(&Patch::default(), &Locks::default(), 1.0, seed));
        assert!(peak < 1.0 && 20.0 * level.log10() > QUIETEST_DB, "seed {seed}: {peak}, {level}");
    }
}
