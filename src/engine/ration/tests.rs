use super::super::NoteEnds;
use super::*;
use crate::contact::two_way::beater::OWED_STEPS;
use crate::event::{Event, EventKind, NoteAddress};
use crate::patch::Param;

fn patch_of(settings: &[(Param, f64)]) -> Patch {
    let mut patch = Patch::default();
    for &(param, value) in settings {
        patch.set(param, value);
    }
    patch
}

#[test]
fn a_fresh_start_forgets_what_was_spent() {
    let settings = [(Param::Coupling, 1.0), (Param::Hardness, 0.9), (Param::Weight, 0.05)];
    let offsets: Vec<usize> = (0..12).map(|n| 17 * n).collect();
    let (mut engine, first) = played(&settings, &offsets, 2000, 48_000.0);
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
        let mut ration = Ration::default();
        ration.prepare(48_000.0);
        ration.is_quiet = true;
        pieces.iter().for_each(|&samples| ration.pass(samples));
        ration.left_samples
    };
    let window = (WINDOW_S * 48_000.0).round() as usize;
    for samples in [0, 1, window - 1, window, window + 1, 5 * window, 7 * window + 3] {
        let left = (window - samples % window) % window;
        assert_eq!(after(&[samples]), left, "{samples}");
        assert_eq!(after(&vec![1; samples]), left, "{samples} one by one");
        assert_eq!(after(&[samples / 3, samples - samples / 3]), left, "{samples} in two");
    }
    // A voice that rings by itself keeps nothing awake, one that is struck does.
    let quiet = |samples: usize| played(&[], &[0], samples, 48_000.0).0.ration.is_quiet;
    assert!(!quiet(10) && quiet(4800));
}

/// Notes at these offsets, played for so many samples.
fn played(settings: &[(Param, f64)], offsets: &[usize], samples: usize, rate_hz: f64) -> (Engine, Vec<f32>) {
    let mut engine = Engine::new();
    engine.prepare(rate_hz);
    let heard = play(&mut engine, settings, offsets, samples);
    (engine, heard)
}

fn play(engine: &mut Engine, settings: &[(Param, f64)], offsets: &[usize], samples: usize) -> Vec<f32> {
    let begin = |(n, &offset): (usize, &usize)| Event {
        offset,
        note: NoteAddress { id: None, channel: Some(0), key: Some(40 + n as u8) },
        kind: EventKind::NoteOn { velocity: 0.8 },
    };
    let events: Vec<_> = offsets.iter().enumerate().map(begin).collect();
    let (mut left, mut right, mut ends) = (vec![0.0; samples], vec![0.0; samples], NoteEnds::new());
    engine.process(&patch_of(settings), &events, &mut left, &mut right, &mut ends);
    left
}

/// What rows and strikers may spend after `notes` have begun at once, and a little later.
fn shares(settings: &[(Param, f64)], notes: u8, rate_hz: f64) -> Vec<(usize, Option<u32>)> {
    let (mut engine, _) = played(settings, &vec![0; notes.into()], 2, rate_hz);
    engine.pool.sounding().map(|voice| voice.rations()).collect()
}

/// Steel on what is light: it asks for far more than there is.
const HARD: [(Param, f64); 3] = [(Param::Coupling, 1.0), (Param::Hardness, 1.0), (Param::Weight, 0.1)];

#[test]
fn however_notes_come_a_window_has_no_more_than_there_is_and_is_owed() {
    let samples = (WINDOW_S * 48_000.0).round() as usize - 1;
    for together in [1, 2, 5] {
        // More than a few from the start; those go without.
        let offsets: Vec<_> = [0; 5].into_iter().chain((0..50).map(|n| 1 + n / together)).collect();
        let offsets: Vec<_> = offsets.into_iter().filter(|offset| offset + 1 < samples).collect();
        let (mut engine, _) = played(&HARD, &offsets, samples, 48_000.0);
        let spent = engine.ration.spent + engine.pool.sounding().map(|voice| voice.take_spent()).sum::<u32>();
        // Nothing moves without one step per sample, and no contact goes without its own: those that are over, and one under way for
        // every note.
        let contacts = offsets.len() + engine.happenings().len();
        let least = offsets.iter().map(|offset| samples - offset).sum::<usize>() + OWED_STEPS as usize * contacts;
        println!("{together}: {spent} of {}", TWO_WAY_STEPS + least as u32);
        assert!(spent <= TWO_WAY_STEPS + least as u32, "{together}: {spent} with {least}");
        assert!(2 * spent > TWO_WAY_STEPS, "{together}: they want more, and took {spent}");
    }
}

#[test]
fn a_hard_chord_is_stepped_alike_whenever_it_comes() {
    let (chord, samples) = ([0, 0, 0, 0, 0, 0, 3, 3, 40], 600);
    let (_, early) = played(&HARD, &chord, samples, 48_000.0);
    for late in [1, 13, 31, 32, 45] {
        let (_, later) = played(&HARD, &chord.map(|offset| offset + late), samples + late, 48_000.0);
        assert!(early.iter().any(|x| x.abs() > 0.01) && early[..] == later[late..], "{late}");
    }
}

const ROW: [(Param, f64); 2] = [(Param::Gesture, 5.0), (Param::FirstHit, 1.0)];

#[test]
fn all_rows_together_spend_no_more_than_there_is() {
    for rate_hz in [44_100.0, 48_000.0, 192_000.0] {
        for notes in [1u8, 2, 5, 16, 32, 60] {
            let shares = shares(&ROW, notes, rate_hz);
            assert_eq!(shares.len(), usize::from(notes));
            let all: usize = shares.iter().map(|share| share.0).sum();
            let most = ROW_WORK_PER_S / rate_hz;
            assert!(all as f64 <= most.max(f64::from(notes)), "{rate_hz} {notes}: {all}");
            let least = (most / f64::from(notes) - 1.0).min(31.0);
            assert!(shares.iter().all(|share| share.0 as f64 >= least), "{rate_hz} {notes}: {shares:?}");
        }
    }
}

#[test]
fn many_two_way_bodies_share_a_window_and_a_few_do_not() {
    let two_way = [(Param::Coupling, 1.0)];
    assert!(shares(&two_way, 4, 48_000.0).iter().all(|share| share.1.is_none()));
    for notes in [5u8, 32, 60] {
        let all: u32 = shares(&two_way, notes, 48_000.0).iter().map(|share| share.1.expect("a ration")).sum();
        assert!(all <= TWO_WAY_STEPS, "{notes}: {all}");
    }
    assert!(shares(&[], 32, 48_000.0).iter().all(|share| share.1.is_none()), "nothing pushes back");
}
