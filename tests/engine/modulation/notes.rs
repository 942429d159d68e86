//! Messages for one note by its id do not reach another note.

use ictus::params::Param;
use ictus::params::event::{EventKind, ExpressionKind, NoteAddress};

use super::common::{
    RATE_HZ, at, cents, express, levels, named, on, one_mode, patch, pitch_hz, play,
};

#[test]
fn volume_and_pan_place_one_note() {
    let patch = one_mode(&[]);
    let (a, b) = (named(1, 0, 69), named(2, 0, 81));
    let plain = play(&patch, &[on(0, a, 1.0)], 0.5, RATE_HZ);
    for (kind, value, wanted) in [
        (ExpressionKind::Volume, 0.5, [0.5, 0.5]),
        (ExpressionKind::Volume, 0.0, [0.0, 0.0]),
        (ExpressionKind::Pan, -1.0, [2f64.sqrt(), 0.0]),
        (ExpressionKind::Pan, 0.5, [2f64.sqrt() * 0.382_683_4, 2f64.sqrt() * 0.923_879_5]),
    ] {
        let placed = play(&patch, &[on(0, a, 1.0), express(0, a, kind, value)], 0.5, RATE_HZ);
        let other = play(&patch, &[on(0, a, 1.0), express(0, b, kind, value)], 0.5, RATE_HZ);
        assert!(other == plain, "{kind:?} of another id");
        for side in 0..2 {
            let gain = levels(&placed[side], 12_000)[1] / levels(&plain[side], 12_000)[1];
            assert!((gain - wanted[side]).abs() < 1e-5, "{kind:?} {value}: {gain}");
        }
    }
}

#[test]
fn tuning_one_of_two_notes_leaves_the_other() {
    let patch = one_mode(&[]);
    let (a, b) = (named(1, 0, 69), named(2, 0, 81));
    let events = [on(0, a, 1.0), on(0, b, 1.0), express(2001, b, ExpressionKind::Tuning, -0.5)];
    let sound = play(&patch, &events, 1.4, RATE_HZ);
    for (key_hz, wanted) in [(440.0, 0.0), (880.0, -50.0)] {
        let wanted_hz = key_hz * f64::exp2(wanted / 1200.0);
        let off = cents(pitch_hz(&sound[0], RATE_HZ, wanted_hz, 0.15, 0.6), wanted_hz);
        assert!(off.abs() < 0.1, "{key_hz}: {off} cents off");
    }
}

#[test]
fn modulation_of_one_note_leaves_the_other_to_the_last_bit() {
    // The first note is modulated, and silent: only the second is heard.
    let patch = patch(&[("level", "-12")]);
    let (a, b) = (named(1, 0, 60), named(2, 0, 67));
    let alone = play(&patch, &[on(500, b, 0.9)], 0.6, RATE_HZ);
    let mut events = vec![on(0, a, 1.0), express(0, a, ExpressionKind::Volume, 0.0)];
    for (n, param) in
        [Param::Tune, Param::Hardness, Param::Support, Param::PickupLeft].into_iter().enumerate()
    {
        events.push(at(100 + 301 * n, a, EventKind::Modulation { param, offset: 0.2 }));
    }
    events.push(on(500, b, 0.9));
    events.sort_by_key(|event| event.offset);
    assert!(play(&patch, &events, 0.6, RATE_HZ) == alone);
    assert!(alone[0].iter().any(|x| x.abs() > 0.01));
}

#[test]
fn modulation_at_the_notes_own_sample_is_in_its_blow() {
    // Hardness matters only at the contact; hosts send it after the note, at the same sample.
    let note = named(5, 0, 60);
    let modulated = EventKind::Modulation { param: Param::Hardness, offset: 0.25 };
    let by_host = play(
        &patch(&[("hard", "50 %")]),
        &[on(77, note, 0.8), at(77, note, modulated)],
        0.2,
        RATE_HZ,
    );
    let by_knob = play(&patch(&[("hard", "75 %")]), &[on(77, note, 0.8)], 0.2, RATE_HZ);
    let late = play(
        &patch(&[("hard", "50 %")]),
        &[on(77, note, 0.8), at(3000, note, modulated)],
        0.2,
        RATE_HZ,
    );
    let plain = play(&patch(&[("hard", "50 %")]), &[on(77, note, 0.8)], 0.2, RATE_HZ);
    // Except for the level, which follows the parameter and not its modulation.
    let peak = |sound: &[Vec<f32>; 2]| sound[0].iter().fold(0.0f32, |peak, x| peak.max(x.abs()));
    let gain = peak(&by_knob) / peak(&by_host);
    let off =
        by_host[0].iter().zip(&by_knob[0]).map(|(a, b)| (gain * a - b).abs()).fold(0.0, f32::max);
    assert!(off < 1e-5 * peak(&by_knob), "{off}");
    assert!(late == plain && plain != by_knob);
}

#[test]
fn an_open_address_means_every_note() {
    let patch = one_mode(&[]);
    let (a, b) = (named(1, 0, 69), named(2, 3, 81));
    let everyone = NoteAddress::default();
    let events =
        [on(0, a, 1.0), on(0, b, 1.0), express(2000, everyone, ExpressionKind::Tuning, 1.0)];
    let sound = play(&patch, &events, 1.4, RATE_HZ);
    for key_hz in [440.0, 880.0] {
        let wanted_hz = key_hz * f64::exp2(1.0 / 12.0);
        assert!(cents(pitch_hz(&sound[0], RATE_HZ, wanted_hz, 0.15, 0.6), wanted_hz).abs() < 0.1);
    }
}

#[test]
fn parameters_that_are_no_destination_cannot_be_modulated() {
    let (patch, note) = (patch(&[]), named(1, 0, 60));
    let plain = play(&patch, &[on(0, note, 0.8)], 0.2, RATE_HZ);
    for param in [Param::Gesture, Param::Level, Param::Body, Param::Seed] {
        let events = [on(0, note, 0.8), at(0, note, EventKind::Modulation { param, offset: 1.0 })];
        assert!(play(&patch, &events, 0.2, RATE_HZ) == plain, "{param:?}");
    }
}
