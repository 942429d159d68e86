use super::super::{Engine, NoteEnds};
use super::*;
use crate::params::event::{Event, EventKind, NoteAddress};
use crate::params::{Param, Patch};

fn patch_of(settings: &[(Param, f64)]) -> Patch {
    let mut patch = Patch::default();
    for &(param, value) in settings {
        patch.set(param, value);
    }
    patch
}

/// Plays notes at these offsets on a new engine, for this number of samples.
fn played(settings: &[(Param, f64)], offsets: &[usize], samples: usize) -> (Engine, Vec<f32>) {
    let mut engine = Engine::new();
    let heard = play(&mut engine, settings, offsets, samples);
    (engine, heard)
}

fn play(
    engine: &mut Engine,
    settings: &[(Param, f64)],
    offsets: &[usize],
    samples: usize,
) -> Vec<f32> {
    let begin = |(n, &offset): (usize, &usize)| Event {
        offset,
        note: NoteAddress { id: None, channel: Some(0), key: Some(40 + n as u8) },
        kind: EventKind::NoteOn { velocity: 0.8 },
    };
    let mut events: Vec<_> = offsets.iter().enumerate().map(begin).collect();
    events.sort_by_key(|event| event.offset);
    let (mut left, mut right, mut ends) = (vec![0.0; samples], vec![0.0; samples], NoteEnds::new());
    engine.process(&patch_of(settings), &events, &mut left, &mut right, &mut ends);
    left
}

/// Steel on a light body: the target sub-steps far exceed the budget.
const HARD: [(Param, f64); 3] =
    [(Param::Coupling, 1.0), (Param::Hardness, 1.0), (Param::Weight, 0.1)];

#[test]
fn a_fresh_start_forgets_what_was_spent() {
    let settings = [(Param::Coupling, 1.0), (Param::Hardness, 0.9), (Param::Weight, 0.05)];
    let offsets: Vec<usize> = (0..12).map(|n| 17 * n).collect();
    let (mut engine, first) = played(&settings, &offsets, 2000);
    for prepare in [true, false] {
        if prepare {
            engine.prepare(48_000.0);
        } else {
            engine.reset();
        }
        assert_eq!(play(&mut engine, &settings, &offsets, 2000), first, "prepared: {prepare}");
    }
}

#[test]
fn windows_go_by_unseen_while_all_is_quiet_and_begin_where_they_would() {
    let after = |pieces: &[usize]| {
        let mut window = BudgetWindow::default();
        window.prepare(48_000.0);
        window.is_quiet = true;
        pieces.iter().for_each(|&samples| window.pass(samples));
        window.left_samples
    };
    let window = (WINDOW_S * 48_000.0).round() as usize;
    for samples in [0, 1, window - 1, window, window + 1, 5 * window, 7 * window + 3] {
        let left = (window - samples % window) % window;
        assert_eq!(after(&[samples]), left, "{samples}");
        assert_eq!(after(&vec![1; samples]), left, "{samples} one by one");
        assert_eq!(after(&[samples / 3, samples - samples / 3]), left, "{samples} in two");
    }
    // A voice that only rings leaves the window quiet; one in contact does not.
    let quiet = |samples: usize| played(&[], &[0], samples).0.budget.is_quiet;
    assert!(!quiet(10) && quiet(4800));
}

#[test]
fn however_notes_come_a_window_has_its_bound() {
    let samples = (WINDOW_S * 48_000.0).round() as usize - 1;
    for together in [1, 2, 5] {
        let offsets: Vec<_> = [0; 5].into_iter().chain((0..50).map(|n| 1 + n / together)).collect();
        let offsets: Vec<_> = offsets.into_iter().filter(|offset| offset + 1 < samples).collect();
        let (mut engine, _) = played(&HARD, &offsets, samples);
        let spent = engine.budget.spent
            + engine.pool.sounding().map(|voice| voice.take_contact_work()).sum::<u32>();
        // One step per sample evaluates the body about six times, and a sub-step under way is
        // finished.
        let voice_samples = offsets.iter().map(|offset| samples - offset).sum::<usize>() as u32;
        let bound = WORK_PER_WINDOW + WORK_PER_WINDOW / 2 + 100 * voice_samples;
        println!("{together}: {spent} of {bound}");
        assert!(spent <= bound, "{together}: {spent} of {bound}");
        assert!(spent > WORK_PER_WINDOW, "{together}: they want more, and took {spent}");
    }
}

#[test]
fn a_hard_chord_is_stepped_alike_whenever_it_comes() {
    let (chord, samples) = ([0, 0, 0, 0, 0, 0, 3, 3, 40], 600);
    let (_, early) = played(&HARD, &chord, samples);
    for late in [1, 13, 31, 32, 45] {
        let (_, later) = played(&HARD, &chord.map(|offset| offset + late), samples + late);
        assert!(early.iter().any(|x| x.abs() > 0.01) && early[..] == later[late..], "{late}");
    }
}

/// A single note has the whole budget; sixteen simultaneous notes share it.
#[test]
fn a_storm_is_as_loud_as_its_notes_one_by_one() {
    const NOTES: usize = 16;
    const SAMPLES: usize = 9600;
    // Far below the limiter.
    let settings = [&HARD[..], &[(Param::Level, -40.0)]].concat();
    let rms_db =
        |sound: &[f64]| 10.0 * (sound.iter().map(|x| x * x).sum::<f64>() / SAMPLES as f64).log10();
    let (engine, together) = played(&settings, &[0; NOTES], SAMPLES);
    assert!(engine.budget.window_samples > 0);
    let together: Vec<f64> = together.into_iter().map(f64::from).collect();
    let mut alone = vec![0.0; SAMPLES];
    for note in 0..NOTES {
        // The other notes begin after the measurement, so that every note keeps its key.
        let offsets: Vec<_> = (0..=note).map(|n| if n == note { 0 } else { SAMPLES }).collect();
        let (_, heard) = played(&settings, &offsets, SAMPLES);
        alone.iter_mut().zip(heard).for_each(|(sum, x)| *sum += f64::from(x));
    }
    let apart_db = rms_db(&together) - rms_db(&alone);
    println!("{apart_db:.2} dB apart at {:.1} dB", rms_db(&alone));
    assert!(rms_db(&alone) > -120.0 && apart_db.abs() <= 1.0, "{apart_db}");
}

/// Rigid contacts with fixed oversampling, in all voices at once.
const RIGID: [(Param, f64); 5] = [
    (Param::Coupling, 0.0),
    (Param::Integrator, 3.0),
    (Param::Oversampling, 7.0),
    (Param::Hardness, 0.2),
    (Param::Level, -40.0),
];

/// Largest work of rigid contacts that one voice has spent at the end of a piece.
fn largest_account(engine: &mut Engine) -> u32 {
    engine.pool.sounding().map(|voice| voice.spent_work()).max().unwrap_or(0)
}

#[test]
fn rigid_contacts_are_bounded_by_counted_work_in_any_blocks() {
    const NOTES: usize = 16;
    const SAMPLES: usize = 960;
    let in_blocks = |length: usize| {
        let mut engine = Engine::new();
        let (mut heard, mut largest) = (Vec::new(), 0);
        for start in (0..SAMPLES).step_by(length) {
            let offsets = if start == 0 { vec![0; NOTES] } else { Vec::new() };
            heard.extend(play(&mut engine, &RIGID, &offsets, length.min(SAMPLES - start)));
            largest = largest.max(largest_account(&mut engine));
        }
        (heard, largest)
    };
    let (small, largest) = in_blocks(1);
    let (large, _) = in_blocks(SAMPLES);
    assert!(small.iter().any(|x| x.abs() > 1e-5));
    assert!(small == large, "bits depend on blocks");
    // Coarse steps of long contacts are one per sample; one sample may be finished at the target.
    let share = WORK_PER_WINDOW / NOTES as u32;
    println!("{largest} with a share of {share}");
    assert!(largest > share, "nothing had to be thinned: {largest}");
    assert!(largest <= 3 * share, "{largest} with a share of {share}");
}

#[test]
fn thinned_rigid_contacts_are_as_loud() {
    const NOTES: usize = 16;
    const SAMPLES: usize = 9600;
    let rms_db =
        |sound: &[f64]| 10.0 * (sound.iter().map(|x| x * x).sum::<f64>() / SAMPLES as f64).log10();
    let (_, together) = played(&RIGID, &[0; NOTES], SAMPLES);
    let together: Vec<f64> = together.into_iter().map(f64::from).collect();
    let mut alone = vec![0.0; SAMPLES];
    for note in 0..NOTES {
        let offsets: Vec<_> = (0..=note).map(|n| if n == note { 0 } else { SAMPLES }).collect();
        let (_, heard) = played(&RIGID, &offsets, SAMPLES);
        alone.iter_mut().zip(heard).for_each(|(sum, x)| *sum += f64::from(x));
    }
    let apart_db = rms_db(&together) - rms_db(&alone);
    println!("{apart_db:.3} dB apart");
    assert!(rms_db(&alone) > -120.0 && apart_db.abs() <= 1.0, "{apart_db}");
}
