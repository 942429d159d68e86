//! Scala scales and the master tune, as heard.

use std::f64::consts::PI;

use ictus::engine::{Engine, NoteEnds};
use ictus::params::event::{Event, EventKind, NoteAddress};
use ictus::params::{Param, Patch};
use ictus::tuning::{Keyboard, ScalaScale, Tuning};

const RATE_HZ: f64 = 48_000.0;

fn one_mode() -> Patch {
    let mut patch = Patch::default();
    patch.set(Param::Modes, 1.0);
    patch.set(Param::Support, 0.5);
    patch.set(Param::Friction, 1e-5);
    patch.set(Param::Viscosity, 1e-10);
    patch
}

fn note_on(key: u8) -> Event {
    let note = NoteAddress { id: Some(i32::from(key)), channel: Some(0), key: Some(key) };
    Event { offset: 0, note, kind: EventKind::NoteOn { velocity: 0.8 } }
}

fn play(
    engine: &mut Engine,
    patch: &Patch,
    events: &[Event],
    samples: usize,
) -> (Vec<f64>, NoteEnds) {
    let (mut left, mut right, mut ends) = (vec![0.0; samples], vec![0.0; samples], NoteEnds::new());
    engine.process(patch, events, &mut left, &mut right, &mut ends);
    (left.into_iter().map(f64::from).collect(), ends)
}

/// Frequency from the phase advance of a single sine between two windows, near `guess_hz`.
fn frequency_hz(sound: &[f64], guess_hz: f64) -> f64 {
    let (window, hop) = ((0.4 * RATE_HZ) as usize, (0.1 * RATE_HZ) as usize);
    let phase = |start: usize| {
        let (mut re, mut im) = (0.0, 0.0);
        for (i, x) in sound[start..start + window].iter().enumerate() {
            let weight = (PI * (i as f64 + 0.5) / window as f64).sin().powi(2);
            let (sin, cos) = (2.0 * PI * guess_hz * (start + i) as f64 / RATE_HZ).sin_cos();
            re += weight * x * cos;
            im -= weight * x * sin;
        }
        im.atan2(re)
    };
    let turned = (phase(hop) - phase(0) + PI).rem_euclid(2.0 * PI) - PI;
    guess_hz + turned / (2.0 * PI * hop as f64 / RATE_HZ)
}

fn in_tune(tuning: &Tuning, patch: &Patch, key: u8, wanted_hz: f64) {
    let mut engine = Engine::new();
    engine.prepare(RATE_HZ);
    engine.set_tuning(tuning);
    let (sound, _) = play(&mut engine, patch, &[note_on(key)], (0.6 * RATE_HZ) as usize);
    let cents = 1200.0 * (frequency_hz(&sound[2400..], wanted_hz) / wanted_hz).log2();
    assert!(cents.abs() < 0.1, "key {key}: {cents} cents off {wanted_hz} Hz");
}

fn tuning(scl: &str, kbm: Option<&str>) -> Tuning {
    let keyboard = kbm.map_or_else(Keyboard::default, |text| Keyboard::parse(text).unwrap());
    Tuning::new(&ScalaScale::parse(scl).unwrap(), &keyboard).unwrap()
}

#[test]
fn every_note_has_the_pitch_of_its_scale() {
    let c4 = 440.0 * (-0.75f64).exp2();
    let just = tuning("just\n7\n9/8\n5/4\n4/3\n3/2\n5/3\n15/8\n2/1\n", None);
    for (key, ratio) in
        [(53, 0.5), (60, 1.0), (61, 9.0 / 8.0), (62, 1.25), (64, 1.5), (67, 2.0), (70, 8.0 / 3.0)]
    {
        in_tune(&just, &one_mode(), key, c4 * ratio);
    }
    let pierce = tuning("13th root of 3\n1\n146.304\n", Some("0\n0\n127\n60\n69\n432.5\n1\n"));
    for key in [40, 60, 69, 85] {
        in_tune(
            &pierce,
            &one_mode(),
            key,
            432.5 * (f64::from(i16::from(key) - 69) * 1.46304 / 12.0).exp2(),
        );
    }
}

#[test]
fn the_master_tune_moves_every_tuning() {
    let mut patch = one_mode();
    patch.set(Param::MasterTune, 415.0);
    in_tune(&Tuning::default(), &patch, 69, 415.0);
    in_tune(&Tuning::default(), &patch, 45, 415.0 / 4.0);
    in_tune(
        &tuning("octaves\n1\n2/1\n", Some("0\n0\n127\n69\n69\n330\n1\n")),
        &patch,
        70,
        660.0 * 415.0 / 440.0,
    );
}

#[test]
fn equal_temperament_from_a_file_is_the_same_to_the_last_bit() {
    let steps: String = (1..=12).map(|step| format!("{step}00.0\n")).collect();
    let equal = tuning(&format!("equal\n12\n{steps}"), None);
    let heard = |tuning: Option<&Tuning>| {
        let mut engine = Engine::new();
        engine.prepare(RATE_HZ);
        if let Some(tuning) = tuning {
            engine.set_tuning(tuning);
        }
        play(&mut engine, &Patch::default(), &[note_on(43), note_on(71)], 4800).0
    };
    assert_eq!(heard(Some(&equal)), heard(None));
}

#[test]
fn a_key_that_is_left_out_has_no_sound_and_its_note_ends_at_once() {
    let white = tuning("white\n1\n100.0\n", Some("2\n0\n127\n60\n60\n261.6\n1\n0\nx\n"));
    let mut engine = Engine::new();
    engine.prepare(RATE_HZ);
    engine.set_tuning(&white);
    let (sound, ends) = play(&mut engine, &Patch::default(), &[note_on(61)], 480);
    assert!(sound.iter().all(|x| *x == 0.0));
    assert_eq!(ends.len(), 1);
    assert_eq!((ends[0].offset, ends[0].note.id), (0, Some(61)));
    assert!(play(&mut engine, &Patch::default(), &[note_on(62)], 480).0.iter().any(|x| *x != 0.0));
}

#[test]
fn ringing_notes_glide_to_another_tuning_or_fade_where_their_key_is_unmapped() {
    let patch = one_mode();
    let step =
        |sound: &[f64]| sound.windows(2).fold(0.0, |most: f64, x| most.max((x[1] - x[0]).abs()));
    let ringing = || {
        let mut engine = Engine::new();
        engine.prepare(RATE_HZ);
        let (sound, _) = play(&mut engine, &patch, &[note_on(61)], 9600);
        (engine, sound)
    };
    let white = tuning("white\n1\n100.0\n", Some("2\n0\n127\n60\n60\n261.6\n1\n0\nx\n"));
    let higher = tuning("equal\n1\n100.0\n", Some("0\n0\n127\n69\n69\n523.25\n1\n"));
    for (other, rings) in [(&higher, true), (&white, false)] {
        let (mut engine, before) = ringing();
        engine.set_tuning(other);
        let (after, ends) = play(&mut engine, &patch, &[], 9600);
        let joint = [before[before.len() - 1], after[0]];
        let (usual, most) = (step(&before[4800..]), step(&after).max(step(&joint)));
        // A minor third up, a sine of the same amplitude has steps 1.19 times as large.
        assert!(most < 1.25 * usual, "{most} after steps of {usual}");
        // After the fade only the output's DC block still has state.
        assert_eq!(step(&after[4800..]) > 0.5 * usual, rings);
        assert_eq!(ends.len(), usize::from(!rings));
    }
}
