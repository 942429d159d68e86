//! Sustain, sostenuto, and the messages for a whole channel.

use super::common::{NONE, Played, note, off, on, patch, play, turn};
use ictus::params::Param;
use ictus::params::event::{Event, NoteAddress};

const END: usize = 24_000;

/// Notes are damped within milliseconds after release, and ring for seconds otherwise.
fn run(events: &[Event]) -> Played {
    play(&patch(&[(Param::NoteOff, 1.0), (Param::Hand, 0.01)]), events, END)
}

const A: NoteAddress = NoteAddress { id: Some(1), channel: Some(0), key: Some(60) };
const B: NoteAddress = NoteAddress { id: Some(2), channel: Some(0), key: Some(64) };

#[test]
fn sostenuto_holds_only_the_keys_that_are_down() {
    let held = [on(0, A, 0.8), turn(100, 66, 1.0), on(200, B, 0.8), off(300, A), off(300, B)];
    assert_eq!(run(&held).ended(), [2], "what was struck after the pedal is let go");
    let lifted: Vec<_> = held.into_iter().chain([turn(4800, 66, 0.0)]).collect();
    let played = run(&lifted);
    assert_eq!(played.ended(), [1, 2]);
    assert!(played.ends.iter().any(|(offset, note)| *offset > 4800 && *note == A));
    // Sostenuto does not take a key that is already up, and a pedal that moves while it is down
    // takes no others.
    assert_eq!(run(&[on(0, A, 0.8), off(90, A), turn(100, 66, 1.0)]).ended(), [1]);
    let again = [
        on(0, A, 0.8),
        turn(90, 66, 0.9),
        on(95, B, 0.8),
        turn(100, 66, 0.6),
        off(200, A),
        off(200, B),
    ];
    assert_eq!(run(&again).ended(), [2]);
    // A key that is still down when the pedal is lifted keeps sounding.
    assert_eq!(run(&[on(0, A, 0.8), turn(100, 66, 1.0), turn(200, 66, 0.0)]).ended(), NONE);
}

#[test]
fn one_pedal_keeps_what_the_other_lets_go() {
    let events = [
        on(0, A, 0.8),
        turn(100, 66, 1.0),
        turn(100, 64, 1.0),
        on(200, B, 0.8),
        off(300, A),
        off(300, B),
    ];
    let then =
        |more: &[Event]| run(&events.iter().chain(more).copied().collect::<Vec<_>>()).ended();
    assert_eq!(then(&[]), NONE);
    assert_eq!(then(&[turn(4800, 66, 0.0)]), NONE, "sustain keeps both");
    assert_eq!(then(&[turn(4800, 64, 0.0)]), [2], "sostenuto keeps one");
    assert_eq!(then(&[turn(4800, 64, 0.0), turn(4900, 66, 0.0)]), [1, 2]);
}

#[test]
fn a_held_key_that_is_struck_again_is_still_held() {
    let c = note(3, 60);
    let events = [on(0, A, 0.8), turn(100, 66, 1.0), off(200, A), on(300, c, 0.8), off(400, c)];
    assert_eq!(run(&events).ended(), [1], "the second blow has the body, and the pedal the key");
    let lifted: Vec<_> = events.into_iter().chain([turn(4800, 66, 0.0)]).collect();
    assert_eq!(run(&lifted).ended(), [1, 3]);
}

#[test]
fn the_messages_for_a_whole_channel() {
    let other = NoteAddress { channel: Some(5), ..note(3, 67) };
    let chord = [on(0, A, 0.8), on(0, B, 0.8), on(0, other, 0.8)];
    let then = |more: &[Event]| run(&chord.iter().chain(more).copied().collect::<Vec<_>>()).ended();
    assert_eq!(then(&[turn(4800, 120, 0.0)]), [1, 2], "all sound off");
    assert_eq!(then(&[turn(4800, 123, 0.0)]), [1, 2], "all notes off");
    assert_eq!(then(&[turn(10, 64, 1.0), turn(4800, 123, 0.0)]), NONE, "but the pedal keeps them");
    assert_eq!(
        then(&[turn(10, 64, 1.0), turn(4800, 120, 0.0)]),
        [1, 2],
        "it does not keep from silence"
    );
    let reset = [turn(10, 64, 1.0), turn(10, 66, 1.0), off(100, A), turn(4800, 121, 0.0)];
    assert_eq!(then(&reset), [1], "controllers reset: pedals are up, and B is still down");
    let everywhere = Event { note: NoteAddress::default(), ..turn(4800, 120, 0.0) };
    assert_eq!(then(&[everywhere]), [1, 2, 3]);
}

#[test]
fn a_note_without_a_channel_follows_the_pedal_of_the_first() {
    let open = NoteAddress { channel: None, ..A };
    let events = [on(0, open, 0.8), turn(100, 64, 1.0), off(200, open)];
    assert_eq!(run(&events).ended(), NONE);
    let lifted: Vec<_> = events.into_iter().chain([turn(4800, 64, 0.0)]).collect();
    assert_eq!(run(&lifted).ended(), [1]);
}

#[test]
fn the_pedal_keeps_the_sound_and_not_only_the_note() {
    let kept = run(&[on(0, A, 0.8), turn(10, 66, 1.0), off(20, A)]);
    let plain = run(&[on(0, A, 0.8)]);
    assert_eq!(kept.left, plain.left);
    let gone = run(&[on(0, A, 0.8), off(20, A)]);
    assert!(gone.energy(9600..END) < 1e-10 * plain.energy(9600..END));
}
