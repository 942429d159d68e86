//! The recording of a contact matches the contact, and recording does not change the sound.

use ictus::contact::recorder::ContactRecording;
use ictus::engine::{Engine, NoteEnds};
use ictus::params::event::{Event, EventKind, NoteAddress};
use ictus::params::{Param, Patch};

use crate::patches::patch;

const RATE_HZ: f64 = 48_000.0;

/// Plays some keys; returns the sound and the recordings.
fn play(patch: &Patch, is_watched: bool) -> (Vec<f32>, Vec<ContactRecording>) {
    let mut engine = Engine::new();
    engine.prepare(RATE_HZ);
    engine.watch(is_watched);
    let (mut heard, mut seen) = (Vec::new(), Vec::<ContactRecording>::new());
    for block in 0..80 {
        let note = NoteAddress { id: None, channel: Some(0), key: Some(55 + block % 3) };
        let on = Event { offset: 17, note, kind: EventKind::NoteOn { velocity: 0.7 } };
        let events = if block % 20 == 0 { vec![on] } else { vec![] };
        let (mut left, mut right) = ([0.0; 256], [0.0; 256]);
        engine.process(patch, &events, &mut left, &mut right, &mut NoteEnds::new());
        heard.extend_from_slice(&left);
        heard.extend_from_slice(&right);
        let trace = engine.snapshot().voice.and_then(|voice| voice.contact);
        seen.extend(trace.filter(|trace| seen.last() != Some(trace)));
    }
    (heard, seen)
}

const SOUNDS: [&[(&str, &str)]; 4] = [
    &[("coupl", "Two-way")],
    &[("coupl", "Two-way"), ("mass", "200 g"), ("hard", "0 %")],
    &[("coupl", "Two-way"), ("gest", "Bounce"), ("height", "2 mm")],
    &[("coupl", "Two-way"), ("law", "Hertz-damper"), ("body", "Membrane"), ("hard", "100 %")],
];

#[test]
fn recording_does_not_change_the_sound() {
    for settings in SOUNDS {
        let patch = patch(settings);
        let ((seen, traces), (unseen, none)) = (play(&patch, true), play(&patch, false));
        assert!(seen.iter().any(|x| x.abs() > 1e-4), "{settings:?}");
        assert!(seen.iter().zip(&unseen).all(|(a, b)| a.to_bits() == b.to_bits()), "{settings:?}");
        assert!(!traces.is_empty() && none.is_empty(), "{settings:?}");
    }
}

#[test]
fn a_recording_matches_its_contact() {
    for settings in SOUNDS {
        let patch = patch(settings);
        let falls = patch.choice(Param::Gesture) == 1;
        let gravity = if falls { patch.get(Param::Gravity) } else { 0.0 };
        for (number, trace) in play(&patch, true).1.into_iter().enumerate() {
            let (report, moments) = (&trace.report, &trace.points);
            let [first, last] = [moments[0], moments[moments.len() - 1]];
            assert!(moments.len() > 12, "{settings:?}: {}", moments.len());
            assert!(moments.is_sorted_by(|a, b| a.time_s <= b.time_s), "{settings:?}");
            assert!(moments.iter().all(|moment| moment.compression_m >= 0.0), "{settings:?}");
            let near = |a: f32, b: f64| (f64::from(a) - b).abs() <= 1e-4 * b.abs().max(1e-12);
            assert!(near(last.time_s, report.duration_s), "{settings:?}: {last:?} {report:?}");
            // Energy and momentum at the ends match the report.
            let half_m = 0.5 * report.mass_kg;
            assert!(
                near(first.energy_j, half_m * report.own_in_m_per_s.powi(2)),
                "{settings:?}: {first:?} {report:?}"
            );
            let risen_m = report.height_m - report.height_in_m;
            let after_j =
                half_m * report.v_out_m_per_s.powi(2) + report.mass_kg * gravity * risen_m;
            assert!(near(last.energy_j, after_j), "{settings:?}: {last:?} {report:?}");
            let passed_ns = report.mass_kg
                * (report.own_in_m_per_s - report.v_out_m_per_s + gravity * report.duration_s);
            assert!(
                (f64::from(last.impulse_ns) / passed_ns - 1.0).abs() < 1e-3,
                "{settings:?}: {last:?} {report:?}"
            );
            // A body at rest adds no energy; a ringing one may.
            assert!(number > 0 || last.energy_j < first.energy_j, "{settings:?}");
            let pushes = moments.windows(2).filter(|pair| pair[1].impulse_ns < pair[0].impulse_ns);
            assert_eq!(pushes.count(), 0, "{settings:?}: nothing pulls");
        }
    }
}
