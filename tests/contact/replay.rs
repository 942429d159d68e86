//! The reported inputs of a contact are enough to compute it again: whatever modulated its
//! settings, the same code with these inputs yields the contact that sounded. Contacts of a ball
//! chain, which cannot be computed again, are recorded.

use std::collections::BTreeSet;

use crate::patches::patch;
use ictus::contact::recording::{ContactRecording, ContactWith};
use ictus::contact::{ReplayInputs, contact_time};
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

/// Plays notes (sample, key, velocity) for some seconds, with or without recording for the editor.
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

/// Computes a contact again from its reported inputs and asserts that it equals the one that
/// sounded, to the bit. Returns the inputs.
fn replays_equal(reported: &ContactEvent, contact: &FinishedContact, what: &str) -> ReplayInputs {
    let replay_inputs =
        contact.replay_inputs.unwrap_or_else(|| panic!("{what}: nothing decides {contact:?}"));
    let mut impulse_ns = 0.0;
    let (report, verdict) =
        replay_inputs.run(&mut |_, step| impulse_ns += step.force_n * step.duration_s);
    let report = report.unwrap_or_else(|| panic!("{what}: it did not come off: {contact:?}"));
    let bits = |numbers: [f64; 5]| numbers.map(f64::to_bits);
    assert_eq!(
        bits([
            report.duration_s,
            -report.v_out_m_per_s,
            report.v_in_m_per_s,
            report.mass_kg,
            report.ended_s
        ]),
        bits([
            contact.duration_s,
            contact.speed_out_m_per_s,
            contact.speed_in_m_per_s,
            contact.mass_kg,
            reported.after_s
        ]),
        "{what}: {contact:?}"
    );
    // The read-outs are of the same contact.
    assert_eq!(
        (verdict.contact_time_s, verdict.v_out),
        (report.duration_s, report.v_out_m_per_s),
        "{what}"
    );
    assert!((verdict.impulse_ns / impulse_ns - 1.0).abs() < 1e-12, "{what}");
    replay_inputs
}

/// Computes every contact of some notes within one second again.
fn replay_all(
    settings: &[(&str, &str)],
    notes: &[(usize, u8, f32)],
    rate_hz: f64,
) -> Vec<ReplayInputs> {
    replay_all_within(1.0, settings, notes, rate_hz)
}

fn replay_all_within(
    s: f64,
    settings: &[(&str, &str)],
    notes: &[(usize, u8, f32)],
    rate_hz: f64,
) -> Vec<ReplayInputs> {
    let heard = play(&patch(settings), notes, rate_hz, s, false);
    let what = format!("{settings:?} at {rate_hz}");
    let all: Vec<_> = heard
        .contacts()
        .map(|(reported, contact)| replays_equal(reported, &contact, &what))
        .collect();
    assert!(!all.is_empty(), "{what}: nothing happened");
    all
}

#[test]
fn modulated_mass_and_stiffness_are_reported() {
    let settings = [
        ("kmode", "k"),
        ("s1src", "Velocity"),
        ("s1dst", "Stiffness"),
        ("s1amt", "40 %"),
        ("s2src", "Velocity"),
        ("s2dst", "Mass"),
        ("s2amt", "-30 %"),
    ];
    let [soft, hard] = replay_all(&settings, &[(10, 60, 0.3), (9_000, 67, 1.0)], RATE_HZ)
        .try_into()
        .expect("two contacts");
    assert!(hard.settings.law.stiffness > 10.0 * soft.settings.law.stiffness);
    assert!(hard.settings.mass_kg < 0.5 * soft.settings.mass_kg);
    // With the unmodulated parameters the contact differs greatly.
    let knobs = ReplayInputs { settings: patch(&settings).contact(), ..hard };
    let [told_s, knobs_s] = [hard, knobs]
        .map(|replay_inputs| replay_inputs.run(&mut |_, _| {}).0.expect("it comes off").duration_s);
    assert!(told_s < 0.5 * knobs_s, "{told_s} {knobs_s}");
    let by_law_s =
        contact_time::exact(&hard.settings.law, hard.settings.mass_kg, hard.v_in_m_per_s);
    assert!((told_s / by_law_s - 1.0).abs() < 1e-3, "{told_s} {by_law_s}");
}

#[test]
fn keys_that_resize_and_velocity_that_hardens_are_reported() {
    let settings = [("keytrk", "Resize"), ("velhrd", "50 %")];
    let [low, high, soft] =
        replay_all(&settings, &[(10, 48, 0.9), (9_000, 72, 0.9), (18_000, 72, 0.2)], RATE_HZ)
            .try_into()
            .expect("three contacts");
    // Two octaves are a quarter of the length and 1/64 of the mass.
    assert!((low.settings.mass_kg / high.settings.mass_kg / 64.0 - 1.0).abs() < 1e-3);
    assert!(
        high.settings.law.stiffness > soft.settings.law.stiffness
            && high.v_in_m_per_s > soft.v_in_m_per_s
    );
}

#[test]
fn the_masses_of_a_bounce_are_reported() {
    let settings = [("gest", "Bounce"), ("mscat", "100 %"), ("height", "2 cm")];
    let all = replay_all(&settings, &[(10, 60, 0.3)], RATE_HZ);
    let masses: BTreeSet<u64> =
        all.iter().map(|replay_inputs| replay_inputs.settings.mass_kg.to_bits()).collect();
    assert!(all.len() > 5 && masses.len() == all.len(), "{} of {}", masses.len(), all.len());
    let knob_kg = patch(&settings).contact().mass_kg;
    assert!(
        all.iter()
            .all(|replay_inputs| (0.5..=2.0).contains(&(replay_inputs.settings.mass_kg / knob_kg)))
    );
    // Each begins at its own onset within its sample.
    assert!(
        all.iter()
            .filter(|replay_inputs| replay_inputs.onset_s > 0.0
                && replay_inputs.onset_s < replay_inputs.sample_s)
            .count()
            > 4
    );
}

#[test]
fn the_corners_of_a_die_are_reported() {
    for damping in [("dmode", "Restitution"), ("dmode", "Fixed")] {
        let settings = [("gest", "Tumble"), ("thrown", "Die"), ("angle", "40"), damping];
        let all = replay_all(&settings, &[(10, 60, 0.8)], RATE_HZ);
        let whole_kg = patch(&settings).contact().mass_kg;
        assert!(
            all.len() > 5 && all.iter().all(|replay_inputs| replay_inputs.settings.mass_kg <= whole_kg * (1.0 + 1e-12))
        );
        assert!(
            all.iter()
                .filter(|replay_inputs| replay_inputs.settings.mass_kg < 0.9 * whole_kg)
                .count()
                > 3
        );
        let masses: BTreeSet<u64> =
            all.iter().map(|replay_inputs| replay_inputs.settings.mass_kg.to_bits()).collect();
        assert!(masses.len() > 3, "{}", masses.len());
    }
}

#[test]
fn every_integrator_and_step_size_is_reported() {
    for integrator in ["AM1", "Verlet", "Heun", "RK4", "Exact", "Passive"] {
        for (law, damping) in [
            ("Hunt-Crossley", "Fixed"),
            ("Hunt-Crossley", "Restitution"),
            ("Hertz-damper", "Fixed"),
        ] {
            for (hybrid, release) in [("On", "Exact"), ("Off", "Free"), ("On", "Approximate")] {
                for (gesture, rate_hz, over) in [
                    ("Strike", 44_100.0, "Auto"),
                    ("Bounce", RATE_HZ, "Auto"),
                    ("Bounce", 96_000.0, "4x"),
                ] {
                    let settings = [
                        ("integ", integrator),
                        ("law", law),
                        ("dmode", damping),
                        ("hybrid", hybrid),
                        ("relse", release),
                        ("gest", gesture),
                        ("over", over),
                        ("height", "1 cm"),
                        ("mscat", "50 %"),
                    ];
                    replay_all_within(0.15, &settings, &[(10, 60, 0.6)], rate_hz);
                }
            }
        }
    }
}

#[test]
fn the_contacts_of_a_chord_are_reported_alike() {
    let notes: Vec<_> = (0..12).map(|i| (100, 50 + i, 0.8)).collect();
    assert_eq!(replay_all(&[], &notes, RATE_HZ).len(), 12);
}

/// A contact that is not between a mass and a wall must not be reported as one.
#[test]
fn coupled_contacts_are_not_reported_as_contacts_with_a_wall() {
    for settings in [
        &[("gest", "Chain")][..],
        &[("coupl", "Two-way")],
        &[("coupl", "Two-way"), ("gest", "Tumble")],
    ] {
        let heard = play(&patch(settings), &[(10, 60, 0.8)], RATE_HZ, 1.0, true);
        assert!(
            heard.contacts().count() > 0
                && heard.contacts().all(|(_, contact)| contact.replay_inputs.is_none())
        );
        assert!(!heard.traces.is_empty(), "{settings:?}");
    }
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
fn a_contact_of_a_chain_is_recorded() {
    for settings in ROWS {
        let heard = play(&patch(settings), &[(10, 60, 0.8)], RATE_HZ, 2.0, true);
        assert!(!heard.traces.is_empty(), "{settings:?}");
        for trace in &heard.traces {
            assert_eq!(trace.contact_with, ContactWith::Ball, "{settings:?}");
            let (report, moments) = (&trace.report, &trace.moments);
            // It is one of the reported contacts.
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

/// Two balls alone equal a mass against a wall: the chain matches the law up to its step error.
#[test]
fn two_balls_alone_equal_a_mass_and_a_wall() {
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
            let replay_inputs = ReplayInputs::on_a_sample(
                &trace.settings,
                trace.report.v_in_m_per_s,
                100.0 * RATE_HZ,
            );
            let report = replay_inputs.run(&mut |_, _| {}).0.expect("it comes off");
            let off = |a: f64, b: f64| (a / b - 1.0).abs();
            let (time, speed) = (
                off(trace.report.duration_s, report.duration_s),
                off(trace.report.v_out_m_per_s, report.v_out_m_per_s),
            );
            println!("{law}, {damping}: contact time off by {time:.1e}, speed out by {speed:.1e}");
            assert!(time < 0.02 && speed < 0.01, "{settings:?}: {time} {speed}");
        }
    }
}

/// A cradle clicks once per half swing while the balls in between keep touching; the recorded
/// contact is the click. Later, when the balls swing together, clicks cannot be told from other
/// contacts.
#[test]
fn the_strongest_contact_of_each_click_of_a_cradle_is_recorded() {
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
