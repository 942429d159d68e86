//! However a ringing note ends, the largest step of the output around its end stays below that of
//! an ordinary strike.
//!
//! Contacts are soft and bodies low: an ordinary strike makes small steps, and a voice that is cut
//! off a large one.

use super::common::{Played, choke, note, off, on, patch, play, play_changing, turn};
use ictus::params::event::Event;
use ictus::params::{Param, Patch};

const END: usize = 14_400;

/// Times of the events, in several phases of the ringing sound.
fn moments() -> impl Iterator<Item = usize> {
    (0..8).map(|i| 9600 + 37 * i)
}

/// Low level, so that the limiter is inactive.
fn dull(settings: &[(Param, f64)]) -> Patch {
    let mut patch =
        patch(&[(Param::Hardness, 0.15), (Param::Level, -30.0), (Param::Dynamics, 60.0)]);
    settings.iter().for_each(|&(param, value)| {
        patch.set(param, value);
    });
    patch
}

fn ordinary_step(patch: &Patch) -> f32 {
    play(patch, &[on(0, note(0, 40), 1.0)], 4800).step(0..4800)
}

/// Three low notes.
fn ringing() -> Vec<Event> {
    [33, 37, 40].into_iter().map(|key| on(0, note(key.into(), key), 0.85)).collect()
}

/// Asserts that the steps around `moment` are small. Returns whether cutting the voice off would
/// have made a larger one.
fn hold(what: &str, patch: &Patch, moment: usize, plain: &Played, played: &Played) -> bool {
    let (ordinary, step) = (ordinary_step(patch), played.step(moment - 48..moment + 960));
    assert!(step < ordinary, "{what} at {moment}: a step of {step}, of a strike {ordinary}");
    let later = moment + 480;
    (plain.left[later] - played.left[later]).abs() > ordinary
}

fn check(what: &str, patch: &Patch, run: impl Fn(usize) -> Played) {
    let plain = play(patch, &ringing(), END);
    let detected =
        moments().filter(|&moment| hold(what, patch, moment, &plain, &run(moment))).count();
    assert!(detected > 0, "{what}: a cut would not be seen");
}

fn with(patch: &Patch, more: &[Event]) -> Played {
    let mut events = ringing();
    events.extend_from_slice(more);
    play(patch, &events, END)
}

#[test]
fn a_choke() {
    let patch = dull(&[]);
    check("choke", &patch, |moment| {
        let played = with(
            &patch,
            &[
                choke(moment, note(33, 33)),
                choke(moment, note(37, 37)),
                choke(moment, note(40, 40)),
            ],
        );
        assert_eq!(played.ended(), [33, 37, 40]);
        played
    });
}

#[test]
fn all_sound_off() {
    let patch = dull(&[]);
    check("all sound off", &patch, |moment| with(&patch, &[turn(moment, 120, 0.0)]));
}

#[test]
fn a_lifted_pedal() {
    let patch = dull(&[(Param::NoteOff, 1.0), (Param::Hand, 0.01)]);
    for pedal in [64, 66] {
        check("pedal", &patch, |moment| {
            let mut events = vec![turn(10, pedal, 1.0)];
            events.extend([33, 37, 40].map(|key| off(20, note(key.into(), key))));
            events.push(turn(moment, pedal, 0.0));
            let played = with(&patch, &events);
            assert_eq!(played.ended(), [33, 37, 40], "they are let go");
            played
        });
    }
}

#[test]
fn fewer_voices() {
    let patch = dull(&[]);
    check("fewer voices", &patch, |moment| {
        let mut size = [moment, END - moment].into_iter();
        let played = play_changing(
            &patch,
            &ringing(),
            END,
            || size.next().unwrap_or(END),
            |patch, start| {
                patch.set(Param::Voices, if start < moment { 32.0 } else { 1.0 });
            },
        );
        assert_eq!((played.ended().len(), played.voices), (2, 1));
        played
    });
}

#[test]
fn a_note_that_steals() {
    let patch = dull(&[(Param::Voices, 3.0)]);
    check("stealing", &patch, |moment| {
        // Nearly inaudible themselves: three together take every voice.
        let notes = [60, 64, 67].map(|key| on(moment, note(key.into(), key), 0.0));
        let played = with(&patch, &notes);
        assert_eq!(played.ended(), [33, 37, 40], "they take the places of the others");
        played
    });
}

#[test]
fn a_choke_group() {
    let patch =
        dull(&[(Param::Group1Low, 30.0), (Param::Group1High, 45.0), (Param::Group1Chokes, 1.0)]);
    let plain = play(&patch, &[on(0, note(40, 40), 0.85)], END);
    let detected = moments().filter(|&moment| {
        let played = play(&patch, &[on(0, note(40, 40), 0.85), on(moment, note(33, 33), 0.0)], END);
        assert_eq!(played.ended(), [40]);
        hold("choke group", &patch, moment, &plain, &played)
    });
    assert!(detected.count() > 0, "a cut would not be seen");
}

/// More voices are stolen at once than can fade out.
#[test]
fn a_whole_chord_that_steals() {
    let patch = dull(&[(Param::Voices, 64.0), (Param::Restrike, 1.0), (Param::Modes, 8.0)]);
    let chord = |offset: usize, first: i32, velocity: f32| {
        (0..64).map(move |i| on(offset, note(first + i, 24 + (i % 24) as u8), velocity))
    };
    let plain = play(&patch, &chord(0, 0, 0.6).collect::<Vec<_>>(), END);
    let detected = moments().step_by(2).filter(|&moment| {
        let events: Vec<_> = chord(0, 0, 0.6).chain(chord(moment, 64, 0.0)).collect();
        let played = play(&patch, &events, END);
        assert_eq!(played.ended(), (0..64).collect::<Vec<_>>(), "all places are taken");
        // The ends of those that cannot fade are reported at once, the others after their fade.
        assert_eq!(played.ends.iter().filter(|(offset, _)| *offset == moment).count(), 48);
        hold("a chord", &patch, moment, &plain, &played)
    });
    assert!(detected.count() > 0, "a cut would not be seen");
}
