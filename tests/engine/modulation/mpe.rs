//! MPE: a channel for each note.

use ictus::engine::Engine;
use ictus::modulation::Source;
use ictus::params::event::EventKind;

use super::common::{
    RATE_HZ, at, bend, cents, channel, connect, keyed, off, on, one_mode, patch, pitch_hz, play,
    play_in, turn,
};

#[test]
fn two_notes_are_bent_apart() {
    for (zone, master) in [("Lower zone", 0), ("Upper zone", 15)] {
        let patch = one_mode(&[("mpe", zone)]);
        let (low, high) = (keyed(4, 69), keyed(9, 81));
        // One down by 3 semitones, the other up by 5; the master lifts both by 1.
        let events = [
            on(0, low, 1.0),
            on(0, high, 1.0),
            bend(3000, 4, -3.0 / 48.0),
            bend(3001, 9, 5.0 / 48.0),
            bend(4000, master, 0.5),
        ];
        let sound = play(&patch, &events, 1.5, RATE_HZ);
        for (key_hz, wanted_st) in [(440.0, -2.0), (880.0, 6.0)] {
            let wanted_hz = key_hz * f64::exp2(wanted_st / 12.0);
            let off = cents(pitch_hz(&sound[0], RATE_HZ, wanted_hz, 0.15, 0.6), wanted_hz);
            println!("{zone}, {key_hz} Hz: {off:+.4} cents off");
            assert!(off.abs() < 0.1, "{zone}: {off} cents");
        }
    }
}

#[test]
fn without_a_zone_channels_are_independent() {
    let patch = one_mode(&[]);
    let events = [
        on(0, keyed(4, 69), 1.0),
        on(0, keyed(9, 81), 1.0),
        bend(3000, 9, 1.0),
        bend(3000, 0, 1.0),
    ];
    let sound = play(&patch, &events, 1.5, RATE_HZ);
    for (key_hz, wanted_cents) in [(440.0, 0.0), (880.0, 200.0)] {
        let got = cents(pitch_hz(&sound[0], RATE_HZ, key_hz, 0.15, 0.2), key_hz);
        let got = if wanted_cents == 0.0 {
            got
        } else {
            cents(pitch_hz(&sound[0], RATE_HZ, 988.0, 0.15, 0.6), key_hz)
        };
        assert!((got - wanted_cents).abs() < 0.1, "{key_hz}: {got}");
    }
}

#[test]
fn pressure_and_timbre_of_a_member_move_its_note_alone() {
    let mut patch = one_mode(&[("mpe", "Lower zone")]);
    connect(&mut patch, 0, Source::Pressure, "Pitch", 0.5);
    connect(&mut patch, 1, Source::Timbre, "Pitch", -0.25);
    let events = [
        on(0, keyed(1, 69), 1.0),
        on(0, keyed(2, 81), 1.0),
        at(2000, channel(1), EventKind::Pressure { value: 0.5 }),
        turn(2000, 2, 74, 1.0),
    ];
    let sound = play(&patch, &events, 1.4, RATE_HZ);
    for (key_hz, wanted_st) in [(440.0, 3.0), (880.0, -3.0)] {
        let wanted_hz = key_hz * f64::exp2(wanted_st / 12.0);
        let off = cents(pitch_hz(&sound[0], RATE_HZ, wanted_hz, 0.15, 0.55), wanted_hz);
        assert!(off.abs() < 0.1, "{key_hz}: {off} cents");
    }
}

#[test]
fn no_note_off_is_lost_on_any_channel_in_any_zone() {
    for zone in ["Off", "Lower zone", "Upper zone"] {
        let patch = patch(&[
            ("mpe", zone),
            ("noff", "Damp"),
            ("hand", "10 ms"),
            ("supp", "0.05"),
            ("mater", "Steel"),
        ]);
        let mut events = Vec::new();
        for member in 0..16 {
            // The same key on every channel; bends, pressure and timbre in between.
            events.push(on(10 * usize::from(member), keyed(member, 60), 0.8));
            events.push(bend(500 + usize::from(member), member, 0.1));
            events.push(at(
                600 + usize::from(member),
                channel(member),
                EventKind::Pressure { value: 0.5 },
            ));
        }
        events.extend((0..16).map(|member| off(4000 + 7 * usize::from(member), keyed(member, 60))));
        events.sort_by_key(|event| event.offset);
        let mut engine = Engine::new();
        engine.prepare(RATE_HZ);
        let (_, ends) = play_in(&mut engine, &patch, &events, 24_000, || 128);
        let mut ended: Vec<_> = ends.iter().filter_map(|end| end.note.channel).collect();
        ended.sort_unstable();
        assert_eq!(ended, (0..16).collect::<Vec<_>>(), "{zone}");
    }
}

#[test]
fn the_masters_pedal_holds_the_members_notes() {
    let patch = patch(&[
        ("mpe", "Lower zone"),
        ("noff", "Damp"),
        ("hand", "10 ms"),
        ("supp", "0.05"),
        ("mater", "Steel"),
    ]);
    let note = keyed(6, 60);
    let held = [turn(0, 0, 64, 1.0), on(0, note, 0.8), off(1000, note), turn(12_000, 0, 64, 0.0)];
    let mut engine = Engine::new();
    engine.prepare(RATE_HZ);
    let (_, ends) = play_in(&mut engine, &patch, &held, 30_000, || 128);
    assert!(ends.len() == 1 && ends[0].offset > 12_000, "{ends:?}");
}

/// An MPE controller sends its configuration: a zone on its master channel, and its bend ranges.
#[test]
fn a_zone_and_its_ranges_may_come_with_the_notes() {
    let said = |member: u8, number: u8, data: u8| {
        [(101, 0), (100, number), (6, data)]
            .map(|(cc, value)| turn(0, member, cc, f32::from(value) / 127.0))
    };
    let (low, high) = (keyed(4, 69), keyed(9, 81));
    let bent = [
        on(10, low, 1.0),
        on(10, high, 1.0),
        bend(3000, 4, -0.25),
        bend(3001, 9, 0.5),
        bend(4000, 0, 0.5),
    ];
    for (what, message, wanted_st) in [
        // Without a zone each channel bends by the two semitones of the parameter, and channel 1
        // bends no other.
        ("nothing", vec![], [-0.5, 1.0]),
        // The zone: 48 for the members, 2 for the master.
        ("a zone", said(0, 6, 15).to_vec(), [-12.0 + 1.0, 24.0 + 1.0]),
        (
            "a zone and its range",
            [said(0, 6, 15), said(7, 0, 12)].concat(),
            [-3.0 + 1.0, 6.0 + 1.0],
        ),
        ("a range of one channel", said(9, 0, 7).to_vec(), [-0.5, 3.5]),
        ("a zone, and none", [said(0, 6, 15), said(0, 6, 0)].concat(), [-0.5, 1.0]),
    ] {
        let patch = one_mode(&[]);
        let events: Vec<_> = message.into_iter().chain(bent).collect();
        let sound = play(&patch, &events, 1.5, RATE_HZ);
        for (key_hz, wanted_st) in [440.0, 880.0].into_iter().zip(wanted_st) {
            let wanted_hz = key_hz * f64::exp2(wanted_st / 12.0);
            let off = cents(pitch_hz(&sound[0], RATE_HZ, wanted_hz, 0.15, 0.6), wanted_hz);
            assert!(off.abs() < 0.1, "{what}, {key_hz} Hz: {off} cents");
        }
    }
}
