//! What a player expects of keys, pedals and presets, on the whole engine.

use ictus::cli::render::{Length, render};
use ictus::engine::{Engine, NoteEnds};
use ictus::params::event::{Event, EventKind, NoteAddress};
use ictus::params::{Param, Patch};

const RATE_HZ: f64 = 48_000.0;
/// As many as in the default patch.
const VOICES: usize = 32;

fn on(offset: usize, key: u8, velocity: f32) -> Event {
    let note = NoteAddress {
        id: Some(i32::from(key) + 1000 * offset as i32),
        channel: Some(0),
        key: Some(key),
    };
    Event { offset, note, kind: EventKind::NoteOn { velocity } }
}

fn energy(sound: &[f32]) -> f64 {
    sound.iter().map(|x| f64::from(x * x)).sum()
}

#[test]
fn the_same_key_strikes_the_same_bar_again() {
    let mut engine = Engine::new();
    engine.prepare(RATE_HZ);
    let (mut l, mut r) = (vec![0.0; 9600], vec![0.0; 9600]);
    let mut ends = NoteEnds::new();
    let blows: Vec<_> = (0..8).map(|i| on(i * 1200, 60, 0.8)).collect();
    let status = engine.process(&Patch::default(), &blows, &mut l, &mut r, &mut ends);
    assert_eq!(status.voices, 1, "eight blows, one bar");
    // Each strike ends the previous note, because both use the same bar.
    assert_eq!(ends.len(), 7);
}

#[test]
fn a_second_blow_adds_to_what_rings_like_a_linear_body() {
    let patch = Patch::default();
    let alone =
        |offset| render(&patch, &[on(offset, 60, 0.3)], Length::Fixed(4800), RATE_HZ, 512, |_| {});
    let (first, second) = (alone(0), alone(1000));
    let both = render(
        &patch,
        &[on(0, 60, 0.3), on(1000, 60, 0.3)],
        Length::Fixed(4800),
        RATE_HZ,
        512,
        |_| {},
    );
    for i in 0..4800 {
        let sum = first[0][i] + second[0][i];
        assert!((both[0][i] - sum).abs() < 1e-6, "sample {i}");
    }
}

#[test]
fn blows_that_come_faster_than_a_soft_contact_ends_do_not_knock() {
    // Contacts of a fifth of a second, struck every 10 ms. Regression: a striker that was cut off
    // during a contact was 25 dB louder than all others.
    let mut patch = Patch::default();
    patch.set(Param::StiffnessMode, 1.0);
    patch.set(Param::Stiffness, 1e3);
    patch.set(Param::Mass, 5.0);
    let peak = |count: usize| {
        let blows: Vec<_> = (0..count).map(|i| on(i * 480, 48, 0.8)).collect();
        let [left, _] = render(&patch, &blows, Length::Fixed(9600), RATE_HZ, 512, |_| {});
        left.iter().fold(0f32, |peak, x| peak.max(x.abs()))
    };
    let few = peak(4);
    for count in [5, 6, 8, 20] {
        let many = peak(count);
        assert!(many < 3.0 * few, "{count} blows: {many}, four: {few}");
    }
}

#[test]
fn harder_is_louder_and_brighter() {
    let share_above = |velocity: f32| {
        let [sound, _] = render(
            &Patch::default(),
            &[on(0, 57, velocity)],
            Length::Fixed(9600),
            RATE_HZ,
            512,
            |_| {},
        );
        // First difference, which emphasises high frequencies.
        let high: f64 = sound.windows(2).map(|w| f64::from(w[1] - w[0]).powi(2)).sum();
        (energy(&sound), high / energy(&sound))
    };
    let (mut loudness, mut brightness) = (0.0, 0.0);
    for velocity in [0.1, 0.3, 0.5, 0.7, 1.0] {
        let (loud, bright) = share_above(velocity);
        assert!(loud > loudness && bright > brightness, "velocity {velocity}");
        (loudness, brightness) = (loud, bright);
    }
}

#[test]
fn letting_go_damps_only_when_asked_to() {
    let mut patch = Patch::default();
    let off = Event { kind: EventKind::NoteOff, offset: 4800, ..on(0, 60, 0.8) };
    let tail = |patch: &Patch| {
        let [sound, _] =
            render(patch, &[on(0, 60, 0.8), off], Length::Fixed(24_000), RATE_HZ, 512, |_| {});
        energy(&sound[14_400..])
    };
    let ringing = tail(&patch);
    patch.set(Param::NoteOff, 1.0);
    patch.set(Param::Hand, 0.1);
    let damped = tail(&patch);
    // 0.2 s with damping that takes 60 dB in 0.1 s
    assert!(damped < 1e-10 * ringing, "{damped} of {ringing}");
}

#[test]
fn the_pedal_keeps_a_note_until_it_is_lifted() {
    let mut patch = Patch::default();
    patch.set(Param::NoteOff, 1.0);
    patch.set(Param::Hand, 0.1);
    let pedal = |offset, channel, value| {
        let note = NoteAddress { channel: Some(channel), ..NoteAddress::default() };
        Event { offset, note, kind: EventKind::Controller { number: 64, value } }
    };
    let off = Event { kind: EventKind::NoteOff, offset: 4800, ..on(0, 60, 0.8) };
    let tail = |events: &[Event]| {
        let [sound, _] = render(&patch, events, Length::Fixed(38_400), RATE_HZ, 512, |_| {});
        (energy(&sound[14_400..19_200]), energy(&sound[28_800..]))
    };
    let undamped = tail(&[on(0, 60, 0.8)]);
    assert_eq!(tail(&[on(0, 60, 0.8), pedal(2400, 0, 1.0), off]), undamped, "kept");
    let (kept, lifted) = tail(&[on(0, 60, 0.8), pedal(2400, 0, 0.6), off, pedal(19_200, 0, 0.4)]);
    assert_eq!(kept, undamped.0, "kept as long as the pedal is down");
    assert!(
        lifted < 1e-10 * undamped.1,
        "and damped when it is lifted: {lifted} of {}",
        undamped.1
    );
    let (other, _) = tail(&[on(0, 60, 0.8), pedal(2400, 1, 1.0), off]);
    assert!(other < 1e-10 * undamped.0, "the pedal of another channel does nothing");
    let held = tail(&[on(0, 60, 0.8), pedal(2400, 0, 1.0), pedal(4800, 0, 0.0)]);
    assert_eq!(held, undamped, "a key that is still down is not let go by the pedal");
}

#[test]
fn the_soft_pedal_mutes_while_it_is_down() {
    let mut patch = Patch::default();
    patch.set(Param::Hand, 0.1);
    let pedal = |offset, value| {
        let note = NoteAddress { channel: Some(0), ..NoteAddress::default() };
        Event { offset, note, kind: EventKind::Controller { number: 67, value } }
    };
    let tail = |events: &[Event]| {
        let [sound, _] = render(&patch, events, Length::Fixed(24_000), RATE_HZ, 512, |_| {});
        energy(&sound[14_400..])
    };
    let ringing = tail(&[on(0, 60, 0.8)]);
    assert!(tail(&[on(0, 60, 0.8), pedal(4800, 1.0)]) < 1e-10 * ringing, "a hand on what rings");
    assert!(
        tail(&[pedal(0, 1.0), on(10, 60, 0.8)]) < 1e-10 * ringing,
        "and on what is struck after"
    );
    let lifted = tail(&[pedal(0, 1.0), pedal(5, 0.0), on(10, 60, 0.8)]);
    assert!((lifted / ringing - 1.0).abs() < 0.01, "taken off again: {lifted} of {ringing}");
}

#[test]
fn a_choke_is_over_within_six_milliseconds_and_does_not_click() {
    let choke = Event { kind: EventKind::Choke, offset: 4800, ..on(0, 60, 0.8) };
    let plain =
        render(&Patch::default(), &[on(0, 60, 0.8)], Length::Fixed(9600), RATE_HZ, 512, |_| {});
    let choked = render(
        &Patch::default(),
        &[on(0, 60, 0.8), choke],
        Length::Fixed(9600),
        RATE_HZ,
        512,
        |_| {},
    );
    // By differences: the DC block's own memory, an inaudible 5 Hz tail, does not belong to the
    // note.
    let heard = |sound: &[f32]| {
        energy(&sound[4800 + 288..].windows(2).map(|w| w[1] - w[0]).collect::<Vec<_>>())
    };
    assert!(heard(&choked[0]) < 1e-8 * heard(&plain[0]));
    // The fade is a ramp: what it removes never jumps by more than a step of the sound itself.
    for i in 4800..5100 {
        let taken = |i: usize| plain[0][i] - choked[0][i];
        assert!((taken(i + 1) - taken(i)).abs() < 0.05, "sample {i}");
    }
}

#[test]
fn more_notes_than_voices_lose_the_quietest_without_a_click() {
    let mut engine = Engine::new();
    engine.prepare(RATE_HZ);
    let mut events: Vec<_> =
        (0..VOICES as u8).map(|i| on(0, 40 + i, if i == 5 { 0.05 } else { 0.9 })).collect();
    let (mut l, mut r) = (vec![0.0; 2400], vec![0.0; 2400]);
    let mut ends = NoteEnds::new();
    assert_eq!(
        engine.process(&Patch::default(), &events, &mut l, &mut r, &mut ends).voices,
        VOICES
    );
    events = vec![on(0, 90, 0.9)];
    let status = engine.process(&Patch::default(), &events, &mut l, &mut r, &mut ends);
    assert_eq!(status.voices, VOICES);
    assert_eq!(ends.len(), 1);
    assert_eq!(ends[0].note.key, Some(45), "the quietest goes");
}

#[test]
fn every_note_ends_exactly_once_and_in_silence() {
    let mut engine = Engine::new();
    engine.prepare(RATE_HZ);
    let mut patch = Patch::default();
    patch.set(Param::Support, 60.0);
    let mut expected = Vec::new();
    let mut seen = Vec::new();
    let mut ends = NoteEnds::new();
    let (mut l, mut r) = (vec![0.0; 1000], vec![0.0; 1000]);
    for block in 0..400 {
        let events: Vec<_> = if block < 100 {
            (0..3).map(|i| on(i * 300, 30 + ((block * 3 + i) * 13 % 70) as u8, 0.6)).collect()
        } else {
            Vec::new()
        };
        for event in &events {
            expected.push(event.note.key);
        }
        engine.process(&patch, &events, &mut l, &mut r, &mut ends);
        seen.extend(ends.drain(..).map(|end| end.note.key));
    }
    expected.sort();
    seen.sort();
    assert_eq!(seen, expected);
    assert!(l.iter().all(|x| x.abs() < 1e-5));
}

#[test]
fn ends_are_reported_in_the_order_of_time() {
    // Louder bars, struck first, last a few samples longer than quieter ones.
    let mut patch = Patch::default();
    patch.set(Param::Support, 500.0);
    let chord: Vec<_> =
        (0..VOICES as u8).map(|i| on(0, 60 + i, 1.0 - 0.03 * f32::from(i))).collect();
    let mut engine = Engine::new();
    engine.prepare(RATE_HZ);
    let (mut l, mut r) = (vec![0.0; 24_000], vec![0.0; 24_000]);
    let mut ends = NoteEnds::new();
    engine.process(&patch, &chord, &mut l, &mut r, &mut ends);
    assert_eq!(ends.len(), VOICES);
    assert!(ends.is_sorted_by_key(|end| end.offset), "{ends:?}");
    assert!(ends[0].offset < ends[VOICES - 1].offset);
}

#[test]
fn the_sound_ends_within_the_reported_tail() {
    let mut engine = Engine::new();
    engine.prepare(RATE_HZ);
    let mut patch = Patch::default();
    patch.set(Param::Support, 30.0);
    let (mut l, mut r) = (vec![0.0; 480], vec![0.0; 480]);
    let mut ends = NoteEnds::new();
    engine.process(&patch, &[on(0, 60, 1.0)], &mut l, &mut r, &mut ends);
    let reported = engine.process(&patch, &[], &mut l, &mut r, &mut ends).tail_samples as usize;
    assert!(reported > 0);
    let (mut l, mut r) = (vec![0.0; reported], vec![0.0; reported]);
    let status = engine.process(&patch, &[], &mut l, &mut r, &mut ends);
    assert_eq!(status.voices, 0);
    assert_eq!(status.tail_samples, 0);
}
