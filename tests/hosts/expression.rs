//! Note expressions affect their own note only: CLAP's expressions and polyphonic modulation, and
//! MPE, measured on the output.

use crate::common::{CEILING, first_difference, guarded, playing};
use crate::support::clap_host::{
    ClapHost, Event, NoteOf, Output, Rendered, Score, Spoken, fixed_blocks,
};
use std::f64::consts::PI;

const RATE: f64 = 48_000.0;
const LENGTH: u64 = 24_000;

/// Two notes, an octave and a fifth apart: the low one gets the expressions, the high one none.
const LOW: (u16, u32) = (57, 1);
const HIGH: (u16, u32) = (76, 2);

fn strike(score: Score, at: u64, (key, id): (u16, u32)) -> Score {
    score.with(at, Event::NoteOn { key, velocity: 0.7, channel: 0, id: Some(id) })
}

fn render(host: &mut ClapHost, score: &Score) -> Rendered {
    host.render(score, &fixed_blocks(LENGTH, 256)).expect("plays")
}

fn play(score: &Score) -> Rendered {
    render(&mut playing(RATE, 256), score)
}

/// Amplitude of a sound at one frequency, over a window of its last half.
fn amplitude(sound: &[f32], hz: f64) -> f64 {
    let part = &sound[sound.len() / 2..];
    let (mut re, mut im) = (0.0, 0.0);
    for (n, x) in part.iter().enumerate() {
        let window = 0.5 - 0.5 * (2.0 * PI * n as f64 / part.len() as f64).cos();
        let (sin, cos) = (2.0 * PI * hz * n as f64 / RATE).sin_cos();
        re += window * f64::from(*x) * cos;
        im += window * f64::from(*x) * sin;
    }
    4.0 * re.hypot(im) / part.len() as f64
}

fn hz(key: f64) -> f64 {
    440.0 * ((key - 69.0) / 12.0).exp2()
}

fn say(what: Spoken, value: f64) -> Event {
    Event::Express { what, value, note: NoteOf::id(LOW.1) }
}

/// Both notes ring, and the low one gets an expression.
fn said(event: Event) -> Rendered {
    play(&strike(strike(Score::new(), 0, LOW), 0, HIGH).with(2000, event))
}

fn plain() -> Rendered {
    play(&strike(strike(Score::new(), 0, LOW), 0, HIGH))
}

#[test]
fn tuning_moves_the_pitch_of_its_note_alone() {
    let (plain, tuned) = (plain(), said(say(Spoken::Tuning, 3.0)));
    let (low, high) = (hz(f64::from(LOW.0)), hz(f64::from(HIGH.0)));
    let at = |sound: &Rendered, hz| amplitude(&sound.left, hz);
    assert!(at(&plain, low) > 20.0 * at(&tuned, low), "{} {}", at(&plain, low), at(&tuned, low));
    assert!(at(&tuned, hz(60.0)) > 20.0 * at(&plain, hz(60.0)), "{}", at(&tuned, hz(60.0)));
    assert!((at(&tuned, high) / at(&plain, high) - 1.0).abs() < 0.02, "the other note stays");
}

#[test]
fn volume_and_pan_place_its_note_alone() {
    let plain = plain();
    let (low, high) = (hz(f64::from(LOW.0)), hz(f64::from(HIGH.0)));
    let half = PI / 4.0;
    for (event, left, right) in [
        (say(Spoken::Volume, 0.5), 0.5, 0.5),
        (say(Spoken::Volume, 2.0), 2.0, 2.0),
        // From the middle to one side, at constant power.
        (say(Spoken::Pan, 0.0), 2f64.sqrt(), 0.0),
        (
            say(Spoken::Pan, 0.75),
            2f64.sqrt() * (1.5 * half).cos(),
            2f64.sqrt() * (1.5 * half).sin(),
        ),
    ] {
        let heard = said(event);
        for (name, ours, theirs, wanted) in
            [("left", &heard.left, &plain.left, left), ("right", &heard.right, &plain.right, right)]
        {
            let gain = amplitude(ours, low) / amplitude(theirs, low);
            assert!((gain - wanted).abs() < 0.01, "{event:?}, {name}: {gain}");
            let other = amplitude(ours, high) / amplitude(theirs, high);
            assert!((other - 1.0).abs() < 0.01, "{event:?}, {name}: the other note {other}");
        }
    }
}

/// An expression without a fixed target modulates as set on the modulation page: here the volume,
/// by 12 dB.
#[test]
fn brightness_pressure_and_expression_go_where_they_are_sent() {
    use ictus::modulation::{Destination, Source};
    for (source, event) in [
        (Source::Timbre, say(Spoken::Brightness, 1.0)),
        (Source::Pressure, say(Spoken::Pressure, 1.0)),
        (Source::Expression, say(Spoken::Expression, 1.0)),
    ] {
        let mut host = guarded();
        let place = |names: &[&str], name: &str| {
            names.iter().position(|known| *known == name).expect("known") as f64
        };
        let values = [
            ("Slot 1 source", place(&Source::NAMES, Source::NAMES[source as usize])),
            ("Slot 1 target", place(&Destination::NAMES, "Volume")),
            // A quarter of the way from -100 % to 100 %.
            ("Slot 1 depth", 0.25),
        ]
        .map(|(name, value)| (host.param(name).expect("it is there").id, value));
        host.set(&values).expect("they can be set");
        host.activate(RATE, 256).expect("it can be activated");
        let notes = strike(strike(Score::new(), 0, LOW), 0, HIGH);
        let plain = render(&mut host, &notes);
        host.reset().expect("it can be reset");
        let heard = render(&mut host, &notes.with(2000, event));
        let gain_db = |key: u16| {
            20.0 * (amplitude(&heard.left, hz(key.into())) / amplitude(&plain.left, hz(key.into())))
                .log10()
        };
        assert!((gain_db(LOW.0) + 12.0).abs() < 0.3, "{event:?}: {} dB", gain_db(LOW.0));
        assert!(gain_db(HIGH.0).abs() < 0.1, "{event:?}: the other note {} dB", gain_db(HIGH.0));
    }
}

/// Modulation of one note acts as if its parameter had that value for that note, and for no other.
#[test]
fn polyphonic_modulation_moves_one_note_by_its_number() {
    let mut host = playing(RATE, 256);
    let tune = host.param("Tune").expect("it has a tune");
    // Three semitones as a share of the parameter's range, which CLAP sees from 0 to 1.
    let (min_st, max_st) = ictus::params::Param::Tune.spec().range_si();
    let amount = 3.0 / (max_st - min_st) * (tune.max - tune.min);
    let modulated = Event::Modulate { id: tune.id, amount, note: NoteOf::id(LOW.1) };
    let (plain, moved) = (plain(), said(modulated));
    let at = |sound: &Rendered, hz| amplitude(&sound.left, hz);
    assert!(at(&moved, hz(60.0)) > 20.0 * at(&plain, hz(60.0)), "{}", at(&moved, hz(60.0)));
    let high = hz(f64::from(HIGH.0));
    assert!((at(&moved, high) / at(&plain, high) - 1.0).abs() < 0.02, "the other note stays");
    let nobody = Event::Modulate { id: tune.id, amount, note: NoteOf::id(99) };
    assert_eq!(first_difference(&said(nobody), &plain), None, "an unused id");
}

#[test]
fn note_messages_act_at_their_sample() {
    for (what, value) in [(Spoken::Tuning, 2.0), (Spoken::Volume, 0.3), (Spoken::Pan, 0.9)] {
        let difference = first_difference(&said(say(what, value)), &plain());
        let latency = playing(RATE, 256).latency().expect("a latency") as usize;
        assert_eq!(difference, Some(2000 + latency), "{what:?}");
    }
}

/// A note on each member channel of a zone, the same key on all of them; bends of all channels, and
/// every note-off takes effect.
#[test]
fn no_note_off_of_mpe_is_lost_through_midi() {
    let mut host = guarded();
    let names = [("MPE", 1.0), ("Note off", 1.0)];
    let values = names.map(|(name, value)| (host.param(name).expect("it is there").id, value));
    host.set(&values).expect("they can be set");
    let hand = host.param("Hand damping").expect("it has a hand");
    host.set(&[(hand.id, hand.min)]).expect("it can be set");
    host.activate(RATE, 256).expect("it can be activated");
    let mut score = Score::new();
    for round in 0..4u64 {
        for channel in 1..16u8 {
            let at = round * 5000 + 11 * u64::from(channel);
            let bend = 8192 + 100 * u16::from(channel);
            let bend = [(bend & 0x7f) as u8, (bend >> 7) as u8];
            score.push(at, Event::Midi([0x90 | channel, 60, 90]));
            score.push(at + 5, Event::Midi([0xe0 | channel, bend[0], bend[1]]));
            score.push(at + 9, Event::Midi([0xd0 | channel, 80, 0]));
            score.push(at + 12, Event::Midi([0xb0 | channel, 74, 100]));
            // As a note-off, or as a note-on without velocity.
            let off =
                if channel % 2 == 0 { [0x80 | channel, 60, 64] } else { [0x90 | channel, 60, 0] };
            score.push(at + 2500, Event::Midi(off));
        }
    }
    let heard = host.render(&score, &fixed_blocks(2 * LENGTH, 256)).expect("plays");
    let ends =
        heard.events.iter().filter(|(_, event)| matches!(event, Output::NoteEnd { .. })).count();
    assert_eq!(ends, 60, "each of 60 notes ends once its key is let go");
    assert!(heard.peak() <= CEILING);
    let end = &heard.left[heard.left.len() - 2000..];
    assert!(end.iter().all(|x| x.abs() < 1e-6), "something still sounds");
}
