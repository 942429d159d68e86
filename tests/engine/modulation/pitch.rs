//! Pitch bends, as heard.

use ictus::modulation::Source;
use ictus::params::event::ExpressionKind;

use super::common::{
    RATE_HZ, bend, cents, connect, express, keyed, largest_step, named, on, one_mode, pitch_hz,
    play,
};

#[test]
fn a_bend_is_as_wide_as_its_range_says() {
    for (range, value, wanted_st) in
        [("2", 1.0, 2.0), ("2", -1.0, -2.0), ("48", 0.25, 12.0), ("0", 1.0, 0.0), ("12", 0.5, 6.0)]
    {
        let patch = one_mode(&[("bend", range)]);
        for at in [0, 5555] {
            let sound = play(&patch, &[on(0, keyed(0, 69), 1.0), bend(at, 0, value)], 1.3, RATE_HZ);
            let wanted_hz = 440.0 * f64::exp2(wanted_st / 12.0);
            let got_hz = pitch_hz(&sound[0], RATE_HZ, wanted_hz, 0.15, 0.5);
            let off = cents(got_hz, wanted_hz);
            println!("range {range} st, wheel {value}, at sample {at}: {off:+.4} cents off");
            assert!(off.abs() < 0.1, "{off} cents");
        }
    }
}

#[test]
fn a_bend_before_the_note_counts_and_one_on_another_channel_does_not() {
    let patch = one_mode(&[]);
    for (channel, wanted_st) in [(3, 1.0), (4, 0.0)] {
        let sound =
            play(&patch, &[bend(0, channel, 0.5), on(100, keyed(3, 69), 1.0)], 1.2, RATE_HZ);
        let wanted_hz = 440.0 * f64::exp2(wanted_st / 12.0);
        let off = cents(pitch_hz(&sound[0], RATE_HZ, wanted_hz, 0.1, 0.4), wanted_hz);
        assert!(off.abs() < 0.1, "channel {channel}: {off} cents");
    }
}

#[test]
fn tuning_of_a_note_is_in_semitones() {
    let (patch, note) = (one_mode(&[]), named(7, 0, 69));
    for tuning_st in [-24.0, 0.37, 3.0, 19.0] {
        let events = [on(0, note, 1.0), express(0, note, ExpressionKind::Tuning, tuning_st)];
        let wanted_hz = 440.0 * f64::exp2(f64::from(tuning_st) / 12.0);
        let off = cents(
            pitch_hz(&play(&patch, &events, 1.2, RATE_HZ)[0], RATE_HZ, wanted_hz, 0.1, 0.5),
            wanted_hz,
        );
        assert!(off.abs() < 0.1, "{tuning_st} st: {off} cents");
    }
}

#[test]
fn a_bend_does_not_click() {
    // A jump of an octave within a sample, and one as sent by a wheel, of a body with all its
    // modes.
    let patch = super::common::patch(&[("bend", "12"), ("level", "-12"), ("tune", "-12")]);
    let note = keyed(0, 60);
    let jump = vec![on(0, note, 1.0), bend(9600, 0, 1.0)];
    let mut slide = vec![on(0, note, 1.0)];
    slide.extend((0..100).map(|n| bend(9600 + 48 * n, 0, (n + 1) as f32 / 100.0)));
    for events in [jump, slide] {
        let sound = play(&patch, &events, 0.4, RATE_HZ);
        for side in &sound {
            let (before, after) =
                (largest_step(&side[8600..9600]), largest_step(&side[9600..14_800]));
            let strike = largest_step(&side[..500]);
            println!("steps: {before:.5} before, {after:.5} after, {strike:.5} in the strike");
            // An octave up every slope is twice as steep.
            assert!(after < 2.2 * before, "{before} before and {after} after");
            assert!(after < strike);
        }
    }
}

#[test]
fn the_oscillator_bends_by_its_depth_up_and_down() {
    let mut patch = one_mode(&[("lfoshp", "Square"), ("lforat", "1")]);
    connect(&mut patch, 0, Source::Lfo, "Pitch", 0.05);
    let sound = play(&patch, &[on(0, keyed(0, 69), 1.0)], 1.2, RATE_HZ);
    for (first_s, wanted_st) in [(0.05, 0.6), (0.55, -0.6)] {
        let wanted_hz = 440.0 * f64::exp2(wanted_st / 12.0);
        let off = cents(pitch_hz(&sound[0], RATE_HZ, wanted_hz, first_s, 0.2), wanted_hz);
        assert!(off.abs() < 0.1, "{wanted_st} st: {off} cents off");
    }
}
