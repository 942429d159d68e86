//! Each source moves each kind of destination by the stated amount.

use ictus::modulation::{Controllers, Destination, Modulator, Onset, Source, Zone};
use ictus::params::event::ExpressionKind;
use ictus::params::{Param, Patch};

use super::common::{connect, patch};

/// A note of velocity 0.6 on key 72, after `setup`.
fn moved(patch: &Patch, touch: impl Fn(&mut Modulator)) -> Modulator {
    let mut modulator = Modulator::default();
    modulator.prepare(48_000.0);
    modulator.take(72, &Controllers::default());
    modulator.begin(Onset { velocity: 0.6, count: 3 });
    touch(&mut modulator);
    modulator.ask(patch, 120.0);
    modulator
}

fn hold(change: impl Fn(&mut Controllers)) -> impl Fn(&mut Modulator) {
    move |modulator| {
        let mut controllers = Controllers::default();
        change(&mut controllers);
        modulator.feel(&controllers);
    }
}

#[test]
fn every_source_reaches_pitch_by_its_depth() {
    type Touch = Box<dyn Fn(&mut Modulator)>;
    let touches: Vec<(Source, Touch, f64)> = vec![
        (Source::Velocity, Box::new(|_| {}), 0.6),
        (Source::Key, Box::new(|_| {}), 0.2),
        (Source::Wheel, Box::new(hold(|held| held.wheel = 0.7)), 0.7),
        (Source::Pressure, Box::new(hold(|held| held.pressure = 0.4)), 0.4),
        (Source::Pressure, Box::new(|note| note.express(ExpressionKind::Pressure, 0.3)), 0.3),
        (Source::Timbre, Box::new(hold(|held| held.timbre = -0.5)), -0.5),
        (Source::Timbre, Box::new(|note| note.express(ExpressionKind::Brightness, 0.75)), 0.5),
        (Source::Expression, Box::new(hold(|held| held.expression = 0.9)), 0.9),
        (Source::Expression, Box::new(|note| note.express(ExpressionKind::Expression, 0.2)), 0.2),
        (Source::Breath, Box::new(hold(|held| held.breath = 0.8)), 0.8),
        (Source::Vibrato, Box::new(|note| note.express(ExpressionKind::Vibrato, 0.25)), 0.25),
        (Source::Envelope, Box::new(|note| note.pass(240)), 0.5),
        (Source::Lfo, Box::new(|note| note.pass(2400)), 1.0),
    ];
    for (source, touch, value) in touches {
        // The envelope is at half after 5 ms, the oscillator at its maximum after 50 ms.
        let mut patch = patch(&[("envatt", "10 ms"), ("lforat", "5")]);
        connect(&mut patch, 4, source, "Pitch", 0.5);
        let (before, after) = (
            moved(&patch, |_| {}),
            moved(&patch, |note| {
                note.ask(&patch, 120.0);
                touch(note);
            }),
        );
        let got_st = after.stand().pitch_st;
        assert!((got_st - 12.0 * 0.5 * value).abs() < 1e-6, "{source:?}: {got_st} st");
        assert!(!after.is_moved(), "{source:?}: no parameter is touched");
        if !matches!(source, Source::Velocity | Source::Key) {
            assert_eq!(before.stand().pitch_st, 0.0, "{source:?} is 0 at rest");
        }
    }
}

#[test]
fn bend_is_a_source_besides_bending() {
    let mut patch = patch(&[("bend", "0")]);
    connect(&mut patch, 0, Source::Bend, "Pan", 0.8);
    let note = moved(&patch, hold(|held| held.bend = -0.5));
    assert!(
        (note.stand().pan + 0.4).abs() < 1e-6 && note.stand().pitch_st == 0.0,
        "{:?}",
        note.stand()
    );
}

#[test]
fn random_differs_from_note_to_note_and_with_the_seed() {
    let draw = |seed: &str, count: u64| {
        let mut patch = patch(&[("seed", seed)]);
        connect(&mut patch, 0, Source::Random, "Pan", 1.0);
        let note = moved(&patch, |note| note.begin(Onset { velocity: 1.0, count }));
        note.stand().pan
    };
    assert_eq!(draw("1", 5), draw("1", 5));
    assert_ne!(draw("1", 5), draw("1", 6));
    assert_ne!(draw("1", 5), draw("2", 5));
}

#[test]
fn a_source_reaches_every_destination_by_its_depth() {
    for (destination, name) in Destination::ALL.into_iter().zip(Destination::NAMES) {
        let mut patch = Patch::default();
        // Away from the ends of its range.
        if let Destination::Param(param) = destination {
            patch.set_stored(param, param.spec().position_to_stored(0.5));
        }
        let plain = patch.clone();
        connect(&mut patch, 0, Source::Wheel, name, -0.4);
        let note = moved(&patch, hold(|held| held.wheel = 0.5));
        let stand = note.stand();
        match destination {
            Destination::None => assert!(!note.is_moved()),
            Destination::Pitch => assert!((stand.pitch_st + 2.4).abs() < 1e-6),
            Destination::Volume => assert!((20.0 * stand.gain.log10() + 4.8).abs() < 1e-5),
            Destination::Pan => assert!((stand.pan + 0.2).abs() < 1e-7),
            Destination::Param(param) => {
                let spec = param.spec();
                let got = note.patch(&patch).stored(param);
                let wanted = spec.position_to_stored(0.3);
                assert!(
                    (got - wanted).abs() <= 1e-5 * wanted.abs().max(0.1),
                    "{name}: {got} instead of {wanted}"
                );
                for other in Param::ALL.into_iter().filter(|other| *other != param) {
                    assert_eq!(
                        note.patch(&patch).stored(other).to_bits(),
                        patch.stored(other).to_bits(),
                        "{name}"
                    );
                }
                assert_eq!(
                    plain.stored(param),
                    patch.stored(param),
                    "the shared patch stays as it is"
                );
            }
        }
    }
}

#[test]
fn a_slot_sets_the_depth_of_a_later_one() {
    let mut patch = Patch::default();
    connect(&mut patch, 0, Source::Wheel, "Slot 2 depth", 0.5);
    connect(&mut patch, 1, Source::Velocity, "Pitch", 0.0);
    let pitch_st =
        |wheel: f64| moved(&patch, hold(move |held| held.wheel = wheel)).stand().pitch_st;
    assert_eq!(pitch_st(0.0), 0.0);
    // Depth runs from -1 to 1: half the range is 1.
    assert!((pitch_st(1.0) - 12.0 * 0.6).abs() < 1e-5, "{}", pitch_st(1.0));
}

#[test]
fn a_note_that_nothing_moves_reads_the_shared_patch_itself() {
    let patch = Patch::default();
    let note =
        moved(&patch, hold(|held| (held.wheel, held.pressure, held.timbre) = (1.0, 1.0, 1.0)));
    assert!(std::ptr::eq(note.patch(&patch), &patch) && !note.is_live());
    assert_eq!(Zone::of_patch(&patch), Zone::Off);
}

#[test]
fn modulation_from_hosts_adds_to_the_slots_and_stays_in_range() {
    let mut patch = patch(&[("hard", "50 %")]);
    connect(&mut patch, 0, Source::Velocity, "Hardness", 0.5);
    let hardness = |offset: f32| {
        moved(&patch, |note| note.modulate(Param::Hardness, offset))
            .patch(&patch)
            .get(Param::Hardness)
    };
    assert!((hardness(-0.2) - 0.6).abs() < 1e-6);
    assert_eq!(hardness(1.0), 1.0);
    assert!((hardness(f32::NAN) - 0.8).abs() < 1e-6);
}
