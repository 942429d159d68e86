//! A note sounds at its sample, not before, in every dialect. Otherwise it would play at the start
//! of the block, which is heard as uneven timing; or later than the reported latency.

use crate::common::{assert_same, playing};
use crate::support::clap_host::{ClapHost, Event, Score, fixed_blocks};
use std::sync::atomic::Ordering;

#[test]
fn a_note_sounds_at_its_sample_and_not_before() {
    for (at, block) in [
        (0, 512),
        (1, 512),
        (100, 512),
        (511, 512),
        (512, 512),
        (4321, 512),
        (4321, 1),
        (4321, 8192),
    ] {
        let mut host = playing(48_000.0, 8192);
        let heard =
            host.render(&Score::new().on(at, 69, 0.9), &fixed_blocks(8192, block)).expect("plays");
        let (onset, latency) =
            (heard.onset().expect("a sound"), host.latency().expect("a latency"));
        // In the sample of the impact the force acts for a part of it, so it sounds at its end.
        assert_eq!(onset, (at as u32 + latency) as usize, "blocks of {block}");
    }
}

/// Whether the plug-in has requested a restart, and reported another latency, since the last call.
fn asked(host: &mut ClapHost) -> (bool, bool) {
    host.instance().access_shared_handler(|shared| {
        (
            shared.restart.swap(false, Ordering::SeqCst),
            shared.latency_changed.swap(false, Ordering::SeqCst),
        )
    })
}

#[test]
fn the_limiter_s_latency_is_reported_and_changes_by_a_restart() {
    for (rate_hz, samples) in [(44_100.0, 66), (48_000.0, 72), (192_000.0, 288)] {
        let mut host = playing(rate_hz, 512);
        let limiter = host.param("Limiter").expect("a limiter").id;
        assert_eq!(
            (host.latency().expect("a latency"), asked(&mut host)),
            (samples, (false, false))
        );
        let switch = |host: &mut ClapHost, value: f64, samples: u32| {
            host.set(&[(limiter, value)]).expect("sets");
            host.render(&Score::new(), &[512]).expect("plays");
            assert_eq!(asked(host), (true, false), "a restart");
            host.activate(rate_hz, 512).expect("it can be activated");
            assert_eq!((host.latency().expect("a latency"), asked(host)), (samples, (false, true)));
            let heard =
                host.render(&Score::new().on(0, 69, 0.9), &fixed_blocks(4096, 512)).expect("plays");
            assert_eq!(heard.onset(), Some(samples as usize));
        };
        switch(&mut host, 0.0, 0);
        switch(&mut host, 1.0, samples);
    }
}

#[test]
fn automation_leaves_trim_alone() {
    let mut host = playing(48_000.0, 512);
    let (mass, trim) =
        (host.param("Mass").expect("a mass"), host.param("Trim").expect("a trim").id);
    let before = host.value(trim).expect("a value");
    let mut score = Score::new().on(0, 60, 0.9);
    for step in 0..20 {
        let value = mass.min + (mass.max - mass.min) * f64::from(step) / 20.0;
        score = score.with(u64::from(step as u32) * 1000, Event::Param { id: mass.id, value });
    }
    host.render(&score, &fixed_blocks(48_000, 512)).expect("plays");
    assert_eq!(host.value(trim).expect("a value"), before);
}

#[test]
fn midi_bytes_play_what_clap_notes_play() {
    let blocks = fixed_blocks(24_000, 128);
    let midi = Score::new()
        .with(300, Event::Midi([0x92, 64, 100]))
        .with(5000, Event::Midi([0x92, 71, 1]))
        .with(9000, Event::Midi([0x82, 64, 0]));
    let on = |key, velocity: f64| Event::NoteOn {
        key,
        velocity: velocity / 127.0,
        channel: 2,
        id: None,
    };
    let off = Event::NoteOff { key: 64, velocity: 0.0, channel: 2, id: None };
    let clap = Score::new().with(300, on(64, 100.0)).with(5000, on(71, 1.0)).with(9000, off);
    let ours = playing(48_000.0, 128).render(&midi, &blocks).expect("plays");
    assert!(ours.peak() > 0.01);
    assert_same(
        "MIDI and CLAP",
        &ours,
        &playing(48_000.0, 128).render(&clap, &blocks).expect("plays"),
    );
}

#[test]
fn a_midi_note_on_without_velocity_is_a_release() {
    let score = Score::new().with(10, Event::Midi([0x90, 64, 0]));
    let heard = playing(48_000.0, 512).render(&score, &fixed_blocks(4096, 512)).expect("plays");
    assert_eq!(heard.onset(), None);
}

#[test]
fn harder_is_louder() {
    let peak = |velocity| {
        let score = Score::new().on(0, 60, velocity);
        playing(48_000.0, 512).render(&score, &fixed_blocks(9600, 512)).expect("plays").peak()
    };
    let peaks = [0.1, 0.4, 0.7, 1.0].map(peak);
    assert!(peaks.windows(2).all(|p| p[1] > 1.2 * p[0]), "{peaks:?}");
}
