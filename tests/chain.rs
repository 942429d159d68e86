//! A row of balls as the engine plays it: who leaves, when it is over, and that none of it depends on the blocks.

#![cfg(feature = "cli")]

use assert_no_alloc::assert_no_alloc;
use ictus::cli::events::{Contact, Report, Score, listen};
use ictus::engine::{Engine, NoteEnds};
use ictus::event::{Event, EventKind, NoteAddress};
use ictus::patch::{Param, Patch};

// The crate leaves it out where there are no debug assertions.
#[cfg(debug_assertions)]
#[global_allocator]
static GUARD: assert_no_alloc::AllocDisabler = assert_no_alloc::AllocDisabler;

/// A patch with a row of balls and some parameters set from text. Contacts lie at 0, 1/(n-1), ... along the body.
fn patch(settings: &[(&str, &str)]) -> Patch {
    let mut patch = Patch::default();
    for (id, text) in [("gest", "Chain"), ("pos", "0 %")].iter().chain(settings) {
        let param = Param::from_id(id).unwrap_or_else(|| panic!("{id}"));
        patch.set(param, param.spec().parse_si(text).unwrap_or_else(|| panic!("{id}={text}")));
    }
    patch
}

fn score(rate_hz: f64) -> Score {
    Score { key: 69, velocity: 0.8, hold_s: None, sample_rate_hz: rate_hz, tempo_bpm: 120.0, most_s: 60.0 }
}

fn row(patch: &Patch, rate_hz: f64) -> Report {
    listen(patch, &score(rate_hz))
}

/// Speeds of all balls after the contacts, from the speeds before and what the list says of each contact.
fn speeds_after(contacts: &[Contact], mut speeds: Vec<f64>) -> Vec<f64> {
    let pairs = speeds.len() - 1;
    for contact in contacts {
        let i = (contact.point * pairs as f64).round() as usize;
        assert!((contact.point * pairs as f64 - i as f64).abs() < 1e-6);
        let approach = speeds[i] - speeds[i + 1];
        assert!((approach - contact.speed_in_m_per_s).abs() < 1e-6, "{approach} {contact:?}");
        let mean = 0.5 * (speeds[i] + speeds[i + 1]);
        speeds[i] = mean - 0.5 * contact.speed_out_m_per_s;
        speeds[i + 1] = mean + 0.5 * contact.speed_out_m_per_s;
    }
    speeds
}

#[test]
fn as_many_leave_as_come() {
    for pulled in 1..=4 {
        let patch = patch(&[("rest", "1"), ("swing", "Single shot"), ("pulled", &pulled.to_string())]);
        let v = patch.impact_speed_m_per_s(f64::from(0.8f32));
        let got = row(&patch, 48_000.0);
        let before: Vec<f64> = (0..5).map(|ball| if ball < pulled { v } else { 0.0 }).collect();
        let after = speeds_after(&got.contacts, before);
        println!("{pulled} in: {after:?}");
        for (ball, speed) in after.iter().enumerate() {
            let expected = if ball >= 5 - pulled { v } else { 0.0 };
            assert!((speed - expected).abs() < 1e-6 * v, "{pulled} in: {after:?}");
        }
        assert!(got.rest_s.is_some() && got.note_end_s > got.rest_s);
    }
}

#[test]
fn a_cradle_swings_in_its_time_and_comes_to_an_end() {
    let patch = patch(&[("rest", "0.95"), ("supp", "50"), ("cord", "0.25 m")]);
    let got = row(&patch, 48_000.0);
    let swing_s = std::f64::consts::TAU * (patch.get(Param::Cord) / patch.get(Param::Gravity)).sqrt();
    // A quarter of a swing down, then a blow every half swing, a little longer for the way through the gaps.
    assert!((got.contacts[0].time_s / (0.25 * swing_s) - 1.0).abs() < 0.01, "{:?}", got.contacts[0]);
    assert!((got.contacts[4].time_s / (0.75 * swing_s) - 1.0).abs() < 0.01, "{:?}", got.contacts[4]);
    let energies: Vec<f64> = got.contacts.iter().map(|contact| contact.energy_before_j).collect();
    assert!(energies.iter().all(|&energy| energy <= energies[0] * (1.0 + 1e-9)));
    assert!(got.rest_s.is_some() && got.note_end_s > got.rest_s);
    for contact in &got.contacts {
        assert!(contact.energy_after_j <= contact.energy_before_j * (1.0 + 1e-9));
    }
    // The row's restitution is that of its contacts.
    let first = got.contacts[0];
    assert!((first.speed_out_m_per_s / first.speed_in_m_per_s - 0.95).abs() < 1e-3, "{first:?}");
}

#[test]
fn on_the_note_means_at_once() {
    let got = row(&patch(&[("first", "On the note")]), 48_000.0);
    let gap_s = 1e-3 / patch(&[]).impact_speed_m_per_s(f64::from(0.8f32));
    assert!((got.contacts[0].time_s - gap_s).abs() < 1e-6, "{}", got.contacts[0].time_s);
}

#[test]
fn the_list_is_all_but_the_same_at_every_rate() {
    let patch = patch(&[("rest", "0.9"), ("supp", "50")]);
    let [first, others @ ..] = [44_100.0, 48_000.0, 96_000.0, 192_000.0].map(|rate_hz| row(&patch, rate_hz));
    for other in others {
        assert!(first.contacts.len().abs_diff(other.contacts.len()) <= 1);
        let worst = (first.contacts.iter().zip(&other.contacts).take(12))
            .fold(0.0f64, |worst, (a, b)| worst.max((a.time_s - b.time_s).abs()));
        println!("{} contacts, the first 12 {worst:.1e} s apart", first.contacts.len());
        assert!(worst < 1e-6, "{worst}");
    }
}

/// Play events through blocks of the given sizes; sound and the number of note ends.
fn play(patch: &Patch, events: &[Event], samples: usize, mut size: impl FnMut() -> usize) -> (Vec<f32>, usize) {
    let mut engine = Engine::new();
    engine.prepare(48_000.0);
    let (mut left, mut right) = (vec![0.0; samples], vec![0.0; samples]);
    let (mut ends, mut ended) = (NoteEnds::new(), 0);
    let mut start = 0;
    while start < samples {
        let end = (start + size()).min(samples);
        let now: Vec<_> = events
            .iter()
            .filter(|event| (start..end).contains(&event.offset))
            .map(|event| Event { offset: event.offset - start, ..*event })
            .collect();
        let (left, right) = (&mut left[start..end], &mut right[start..end]);
        assert_no_alloc(|| engine.process(patch, &now, left, right, &mut ends));
        ended += ends.drain(..).count();
        start = end;
    }
    (left, ended)
}

fn event(offset: usize, key: u8, kind: EventKind) -> Event {
    Event { offset, note: NoteAddress { id: None, channel: Some(0), key: Some(key) }, kind }
}

fn on(offset: usize, key: u8) -> Event {
    event(offset, key, EventKind::NoteOn { velocity: 0.8 })
}

#[test]
fn blocks_of_any_size_give_the_same_bits() {
    for more in [
        vec![("cord", "0.05 m")],
        vec![("balls", "12"), ("bgap", "0"), ("hard", "90 %")],
        vec![("noff", "Catch and damp"), ("swing", "Single shot"), ("bgap", "1 cm")],
    ] {
        let patch = patch(&more);
        let events = [on(5, 60), on(2_001, 67), on(9_001, 60), event(9_345, 60, EventKind::NoteOff)];
        let (whole, _) = play(&patch, &events, 40_000, || 40_000);
        assert!(whole.iter().any(|x| x.abs() > 0.01));
        let mut state = 3u64;
        let (cut, _) = play(&patch, &events, 40_000, || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % 700 + 1
        });
        assert!(whole == cut, "{more:?}");
        let (single, _) = play(&patch, &events, 40_000, || 1);
        assert!(whole == single, "{more:?}: sample by sample");
    }
}

#[test]
fn a_caught_row_is_silent_and_the_note_ends_once() {
    for bgap in ["1 mm", "0"] {
        let patch = patch(&[("noff", "Catch"), ("rest", "1"), ("supp", "100"), ("bgap", bgap)]);
        let caught = listen(&patch, &Score { hold_s: Some(0.3), ..score(48_000.0) });
        assert!(caught.contacts.iter().all(|contact| contact.time_s < 0.33), "{bgap}");
        let (_, ended) = play(&patch, &[on(0, 69), event(14_400, 69, EventKind::NoteOff)], 96_000, || 64);
        assert_eq!(ended, 1, "{bgap}");
    }
}

#[test]
fn rows_of_all_sizes_stay_finite() {
    for balls in ["2", "3", "16"] {
        for bgap in ["0", "0.01 mm", "1 cm"] {
            for hard in ["0 %", "100 %"] {
                let patch = patch(&[("balls", balls), ("bgap", bgap), ("hard", hard), ("cord", "2 cm")]);
                let events: Vec<_> = (0..20).map(|n| on(100 * n, 40 + (n % 18) as u8)).collect();
                let (sound, _) = play(&patch, &events, 12_000, || 64);
                assert!(sound.iter().all(|x| x.is_finite() && x.abs() < 0.9), "{balls} {bgap} {hard}");
                assert!(sound.iter().any(|x| x.abs() > 1e-3), "{balls} {bgap} {hard}: silent");
            }
        }
    }
}
