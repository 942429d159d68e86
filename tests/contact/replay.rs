//! Recordings of the contacts of a ball chain agree with their reports, and recording does not
//! change the sound.

use crate::patches::patch;
use ictus::contact::recorder::{ContactRecording, ContactWith};
use ictus::contact::trial::RigidTrial;
use ictus::engine::{Engine, NoteEnds};
use ictus::params::Patch;
use ictus::params::event::{Event, EventKind, NoteAddress};
use ictus::voice::events::{ContactEvent, ContactEventKind, FinishedContact};

const RATE_HZ: f64 = 48_000.0;

/// The result of some notes.
#[derive(Default)]
struct Recording {
    reported: Vec<ContactEvent>,
    traces: Vec<ContactRecording>,
    sound: Vec<f32>,
}

impl Recording {
    fn contacts(&self) -> impl Iterator<Item = (&ContactEvent, FinishedContact)> {
        self.reported.iter().filter_map(|reported| match reported.what {
            ContactEventKind::Contact(contact) => Some((reported, contact)),
            ContactEventKind::Rest => None,
        })
    }
}

/// Plays notes (sample, key, velocity) for some seconds, with recording on or off.
fn play(
    patch: &Patch,
    notes: &[(usize, u8, f32)],
    rate_hz: f64,
    seconds: f64,
    is_watched: bool,
) -> Recording {
    let mut engine = Box::new(Engine::new());
    engine.prepare(rate_hz);
    engine.watch(is_watched);
    let mut heard = Recording::default();
    let mut start = 0;
    while (start as f64) < seconds * rate_hz {
        let now = |&&(at, ..): &&(usize, u8, f32)| (start..start + 64).contains(&at);
        let on = |&(at, key, velocity): &(usize, u8, f32)| Event {
            offset: at - start,
            note: NoteAddress { id: None, channel: Some(0), key: Some(key) },
            kind: EventKind::NoteOn { velocity },
        };
        let events: Vec<Event> = notes.iter().filter(now).map(on).collect();
        let (mut left, mut right) = ([0.0; 64], [0.0; 64]);
        engine.process(patch, &events, &mut left, &mut right, &mut NoteEnds::new());
        heard.sound.extend(left.iter().chain(&right));
        heard.reported.extend(engine.contact_events());
        let trace = engine.snapshot().voice.and_then(|voice| voice.contact);
        heard.traces.extend(trace.filter(|trace| heard.traces.last() != Some(trace)));
        start += 64;
    }
    heard
}

const ROWS: [&[(&str, &str)]; 4] = [
    &[("gest", "Chain"), ("swing", "Single shot")],
    &[("gest", "Chain"), ("law", "Hertz-damper"), ("dmode", "Restitution"), ("rest", "0.8")],
    &[("gest", "Chain"), ("balls", "9"), ("bsprd", "20 %"), ("bgap", "0")],
    &[
        ("gest", "Chain"),
        ("swing", "Single shot"),
        ("s1src", "Velocity"),
        ("s1dst", "Mass"),
        ("s1amt", "20 %"),
    ],
];

#[test]
fn a_recording_agrees_with_the_report_of_its_contact() {
    for settings in ROWS {
        let heard = play(&patch(settings), &[(10, 60, 0.8)], RATE_HZ, 2.0, true);
        assert!(!heard.traces.is_empty(), "{settings:?}");
        for trace in &heard.traces {
            assert_eq!(trace.contact_with, ContactWith::Ball, "{settings:?}");
            let (report, moments) = (&trace.report, &trace.points);
            // It was reported.
            let is_reported = heard.contacts().any(|(reported, contact)| {
                let (one, other) = (
                    [contact.duration_s, contact.speed_out_m_per_s, contact.speed_in_m_per_s],
                    [report.duration_s, -report.v_out_m_per_s, report.v_in_m_per_s],
                );
                one == other
                    && reported.after_s == report.ended_s
                    && contact.mass_kg == report.mass_kg
            });
            assert!(is_reported, "{settings:?}: {report:?}");
            assert_eq!(trace.settings.mass_kg, report.mass_kg, "{settings:?}");
            // From onset to release, with the energy at both ends.
            let [first, last] = [moments[0], moments[moments.len() - 1]];
            let near = |a: f32, b: f64| (f64::from(a) - b).abs() <= 1e-5 * b.abs().max(1e-12);
            assert!(
                moments.len() > 12 && moments.is_sorted_by(|a, b| a.time_s <= b.time_s),
                "{settings:?}"
            );
            assert!(near(last.time_s, report.duration_s), "{settings:?}: {last:?} {report:?}");
            let energy_j = |v: f64| 0.5 * report.mass_kg * v * v;
            assert!(near(first.energy_j, energy_j(report.v_in_m_per_s)), "{settings:?}");
            assert!(near(last.energy_j, energy_j(report.v_out_m_per_s)), "{settings:?}");
            assert!(
                moments.windows(2).all(|pair| pair[1].impulse_ns >= pair[0].impulse_ns),
                "{settings:?}"
            );
        }
    }
}

/// Two balls alone behave like one mass and a wall.
#[test]
fn two_balls_alone_behave_like_a_mass_and_a_wall() {
    for law in ["Hunt-Crossley", "Hertz-damper"] {
        for (damping, spread) in [("Restitution", "0 %"), ("Fixed", "20 %")] {
            let settings = [
                ("gest", "Chain"),
                ("balls", "2"),
                ("swing", "Single shot"),
                ("law", law),
                ("dmode", damping),
                ("rest", "0.7"),
                ("bsprd", spread),
            ];
            let heard = play(&patch(&settings), &[(10, 60, 0.8)], RATE_HZ, 0.2, true);
            let trace = heard.traces.first().unwrap_or_else(|| panic!("{settings:?}"));
            let v_in_m_per_s = trace.report.v_in_m_per_s;
            let alone = RigidTrial::single(trace.settings, v_in_m_per_s, 100.0 * RATE_HZ).run();
            let off = |a: f64, b: f64| (a / b - 1.0).abs();
            let (time, speed) = (
                off(trace.report.duration_s, alone.contact_time_s),
                off(trace.report.v_out_m_per_s, alone.v_out),
            );
            println!("{law}, {damping}: contact time off by {time:.1e}, speed out by {speed:.1e}");
            assert!(time < 0.02 && speed < 0.01, "{settings:?}: {time} {speed}");
        }
    }
}

/// A cradle clicks once per half swing, and the inner balls continue to touch: the recorder keeps
/// the click. (Later, when all balls swing together, clicks and other contacts are alike.)
#[test]
fn the_strongest_contact_of_each_click_of_a_cradle_is_kept() {
    let patch = patch(&[("gest", "Chain"), ("swing", "Cradle")]);
    let heard = play(&patch, &[(10, 60, 0.8)], RATE_HZ, 0.9, true);
    let all: Vec<f64> = heard.contacts().map(|(_, contact)| contact.speed_in_m_per_s).collect();
    let kept: Vec<f64> = heard.traces.iter().map(|trace| trace.report.v_in_m_per_s).collect();
    println!("{kept:?} of {} contacts", all.len());
    let strongest = all.iter().fold(0.0f64, |most, speed| most.max(*speed));
    assert!(kept.len() > 1 && all.len() > 5 * kept.len(), "{} of {}", kept.len(), all.len());
    assert!(all.iter().any(|speed| *speed < 0.05 * strongest), "no weak ones");
    assert!(kept.iter().all(|speed| *speed > 0.3 * strongest), "{kept:?} of {strongest}");
}

#[test]
fn recording_a_chain_does_not_change_the_sound() {
    for settings in ROWS {
        let [seen, unseen] = [true, false].map(|is_watched| {
            play(&patch(settings), &[(10, 60, 0.8), (20_000, 60, 0.5)], RATE_HZ, 1.0, is_watched)
        });
        assert!(seen.sound.iter().any(|x| x.abs() > 1e-4), "{settings:?}");
        assert!(
            seen.sound.iter().zip(&unseen.sound).all(|(a, b)| a.to_bits() == b.to_bits()),
            "{settings:?}"
        );
        assert!(
            seen.reported == unseen.reported && !seen.traces.is_empty() && unseen.traces.is_empty(),
            "{settings:?}"
        );
    }
}
