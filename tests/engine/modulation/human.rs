//! Random: as wide as set, with mean zero, and reproducible by its seed.

use ictus::modulation::{Controllers, Modulator, Onset, human};
use ictus::params::{Param, Patch};

use super::common::{engine, keyed, on, patch, play, play_in};

fn drawn(patch: &Patch, value: impl Fn(&Patch) -> f64) -> Vec<f64> {
    let mut modulator = Modulator::default();
    modulator.prepare(48_000.0);
    modulator.take(60, &Controllers::default());
    let draw = |count: u64| {
        modulator.begin(Onset { velocity: 1.0, count });
        modulator.ask(patch, 120.0);
        value(modulator.patch(patch))
    };
    (0..6000).map(draw).collect()
}

/// Mean, standard deviation and largest magnitude.
fn spread(values: &[f64]) -> (f64, f64, f64) {
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    let power = values.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / values.len() as f64;
    (mean, power.sqrt(), values.iter().fold(0.0, |most, x| most.max(x.abs())))
}

#[test]
fn random_offsets_have_the_set_spread_and_mean_zero() {
    for depth in [0.3, 1.0] {
        for (id, widest, value) in [
            (
                "hhard",
                0.25,
                (|patch: &Patch| patch.get(Param::Hardness) - 0.5) as fn(&Patch) -> f64,
            ),
            ("hmass", 1.0, |patch: &Patch| (patch.get(Param::Mass) / 0.02).log2()),
            ("hspeed", 6.0, |patch: &Patch| 20.0 * (patch.get(Param::Speed) / 3.0).log10()),
        ] {
            let mut patch =
                patch(&[("hard", "50 %"), ("mass", "20 g"), ("speed", "3"), ("seed", "7")]);
            patch.set(Param::from_id(id).expect(id), depth);
            let (mean, deviation, most) = spread(&drawn(&patch, value));
            let widest = depth * widest;
            println!(
                "{id} {depth}: mean {:+.4}, deviation {:.4}, most {:.4} of the widest",
                mean / widest,
                deviation / widest,
                most / widest
            );
            // Uniform: standard deviation 1/sqrt 3; within four standard errors of 6000 samples.
            assert!(mean.abs() < 0.03 * widest, "{id}: mean {mean}");
            assert!((deviation / widest - 1.0 / 3f64.sqrt()).abs() < 0.02, "{id}: {deviation}");
            assert!(most <= 1.0001 * widest && most > 0.99 * widest, "{id}: {most}");
        }
    }
}

/// Two independent draws have no correlation beyond 1/sqrt n; shared draws would have 1.
#[test]
fn hardness_mass_and_speed_are_drawn_apart() {
    let patch = patch(&[("hhard", "100 %"), ("hmass", "100 %"), ("hspeed", "100 %")]);
    let values = [
        drawn(&patch, |patch| patch.get(Param::Hardness)),
        drawn(&patch, |patch| patch.get(Param::Mass).log2()),
        drawn(&patch, |patch| patch.get(Param::Speed).log10()),
    ];
    let correlation = |a: &[f64], b: &[f64]| {
        let ((mean_a, deviation_a, _), (mean_b, deviation_b, _)) = (spread(a), spread(b));
        let together: f64 = a.iter().zip(b).map(|(a, b)| (a - mean_a) * (b - mean_b)).sum();
        together / (a.len() as f64 * deviation_a * deviation_b)
    };
    let chance = 4.0 / (values[0].len() as f64).sqrt();
    for (a, b) in [(0, 1), (0, 2), (1, 2)] {
        let found = correlation(&values[a], &values[b]);
        assert!(found.abs() < chance, "{a} and {b}: {found}");
        // Nor does one depend on the other's previous draw.
        let late = correlation(&values[a][1..], &values[b][..values[b].len() - 1]);
        assert!(late.abs() < chance, "{a} after {b}: {late}");
    }
    assert!((correlation(&values[0], &values[0]) - 1.0).abs() < 1e-9);
}

#[test]
fn a_note_comes_as_late_as_was_drawn_to_the_sample() {
    for rate_hz in [44_100.0, 192_000.0] {
        let mut delays = Vec::new();
        for seed in 0..12 {
            let patch = patch(&[("htime", "30 ms"), ("seed", &seed.to_string())]);
            let sound = play(&patch, &[on(100, keyed(0, 60), 0.9)], 0.05, rate_hz);
            let first = sound[0].iter().position(|x| *x != 0.0).expect("it sounds");
            let wanted_s = human::delay_s(&patch, 0);
            assert_eq!(first, 100 + (wanted_s * rate_hz).round() as usize, "seed {seed}");
            delays.push(wanted_s);
        }
        assert!(delays.iter().all(|delay_s| (0.0..=0.03).contains(delay_s)));
        assert!(
            delays.iter().any(|delay_s| *delay_s < 0.01)
                && delays.iter().any(|delay_s| *delay_s > 0.02)
        );
    }
    let exact = play(&patch(&[("hhard", "50 %")]), &[on(100, keyed(0, 60), 0.9)], 0.05, 48_000.0);
    assert_eq!(
        exact[0].iter().position(|x| *x != 0.0),
        Some(100),
        "without a spread a note is on its sample"
    );
}

#[test]
fn notes_that_are_late_are_all_struck_and_let_go() {
    // Faster than they start: up to thirty wait on one key.
    let patch = patch(&[("htime", "30 ms"), ("noff", "Damp"), ("hand", "10 ms")]);
    let note = keyed(0, 60);
    let mut events: Vec<_> = (0..40).map(|n| on(37 * n, note, 0.8)).collect();
    events.push(super::common::off(1500, note));
    let (sound, ends) = play_in(&mut engine(&patch, 48_000.0), &patch, &events, 24_000, || 64);
    assert!(sound[0].iter().any(|x| x.abs() > 0.01));
    assert_eq!(ends.len(), 40, "each note ends once");
}

#[test]
fn the_same_seed_gives_the_same_sound_and_chance_may_go_on() {
    let human = [
        ("hhard", "60 %"),
        ("hmass", "60 %"),
        ("hspeed", "60 %"),
        ("htime", "5 ms"),
        ("scat", "50 %"),
    ];
    let phrase: Vec<_> = (0..6).map(|n| on(2000 * n, keyed(0, 50 + n as u8), 0.8)).collect();
    let twice = |more: &[(&str, &str)]| {
        let patch = patch(&[&human[..], more].concat());
        let mut engine = engine(&patch, 48_000.0);
        let first = play_in(&mut engine, &patch, &phrase, 20_000, || 512).0;
        engine.reset();
        (first, play_in(&mut engine, &patch, &phrase, 20_000, || 512).0)
    };
    let (same, again) = twice(&[("fresh", "Same every time")]);
    assert!(same == again);
    let (new, newer) = twice(&[("fresh", "New every time")]);
    assert!(new != newer);
    assert!(twice(&[("fresh", "New every time")]) == (new, newer), "the seed decides that, too");
    assert!(twice(&[("seed", "1")]).0 != same);
}
