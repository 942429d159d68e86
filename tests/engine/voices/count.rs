//! How many bodies sound, and which are stolen.

use super::common::{note, on, patch, play, play_changing};
use ictus::params::Param;
use ictus::params::event::Event;

#[test]
fn the_same_key_strikes_the_same_body_or_a_new_one() {
    let blows: Vec<_> = (0..8).map(|i| on(1200 * i as usize, note(i, 60), 0.8)).collect();
    let same = play(&patch(&[]), &blows, 9600);
    assert_eq!((same.voices, same.ended()), (1, (0..7).collect()), "each blow takes the body over");
    assert!(
        same.ends.iter().enumerate().all(|(i, (offset, _))| *offset == 1200 * (i + 1)),
        "at its own sample"
    );
    let new = play(&patch(&[(Param::Restrike, 1.0)]), &blows, 9600);
    assert_eq!((new.voices, new.ended()), (8, vec![]), "each blow has its own");
}

#[test]
fn there_are_as_many_voices_as_are_asked_for() {
    for most in [1, 5, 64] {
        let chord: Vec<_> = (0..70).map(|i| on(i as usize, note(i, 30 + i as u8), 0.8)).collect();
        let played = play(&patch(&[(Param::Voices, f64::from(most))]), &chord, 4800);
        assert_eq!(played.voices, most as usize);
        // All are equally old and loud, so voices are stolen in the order of their notes.
        assert_eq!(played.ended(), (0..70 - most).collect::<Vec<_>>());
    }
}

#[test]
fn the_quietest_go_first() {
    // Louder from key to key, and the loudest struck first.
    let chord: Vec<Event> =
        (0..8).map(|i| on(0, note(7 - i, 50 + i as u8), 1.0 - 0.1 * i as f32)).collect();
    let turned = |start: usize| match start {
        0..4800 => 8.0,
        4800..9600 => 5.0,
        _ => 2.0,
    };
    let played = play_changing(
        &patch(&[]),
        &chord,
        14_400,
        || 480,
        |patch, start| {
            patch.set(Param::Voices, turned(start));
        },
    );
    let ended: Vec<_> =
        played.ends.iter().map(|(offset, note)| (offset / 4800, note.id.unwrap_or(-1))).collect();
    let mut sorted = ended.clone();
    sorted.sort_unstable();
    assert_eq!(sorted, [(1, 0), (1, 1), (1, 2), (2, 3), (2, 4), (2, 5)]);
}

#[test]
fn new_notes_are_not_stolen_before_ringing_ones() {
    // Twenty softer and softer notes on four voices: each is heard.
    let notes =
        (0..20).map(|i| on(9600 + 20 * i as usize, note(i, 50 + i as u8), 0.6 - 0.02 * i as f32));
    let mut events: Vec<_> = (100..104).map(|id| on(0, note(id, (id - 70) as u8), 1.0)).collect();
    events.extend(notes);
    let played = play(&patch(&[(Param::Voices, 4.0), (Param::Hardness, 1.0)]), &events, 14_400);
    let struck: Vec<_> = played.onsets.iter().filter_map(|(_, note)| note.id).collect();
    assert!((0..20).all(|id| struck.contains(&id)), "{struck:?}");
}
