//! A note sounds at its sample, not before, and by whichever dialect it comes. A wrong plug-in would play at the
//! start of the block, which is heard as a limp; or late, which nothing makes up for, as it reports no delay.

use crate::common::{assert_same, playing};
use crate::support::clap_host::{Event, Score, fixed_blocks};

#[test]
fn a_note_sounds_at_its_sample_and_not_before() {
    for (at, block) in [(0, 512), (1, 512), (100, 512), (511, 512), (512, 512), (4321, 512), (4321, 1), (4321, 8192)] {
        let mut host = playing(48_000.0, 8192);
        let heard = host.render(&Score::new().on(at, 69, 0.9), &fixed_blocks(8192, block)).expect("plays");
        let onset = heard.onset().expect("a sound");
        // Of the sample in which the mass arrives the force has part to act in: it sounds at the end of it.
        assert_eq!(onset, at as usize, "blocks of {block}");
    }
}

#[test]
fn it_reports_no_delay() {
    assert_eq!(playing(48_000.0, 64).latency().unwrap_or(0), 0);
}

#[test]
fn midi_bytes_play_what_clap_notes_play() {
    let blocks = fixed_blocks(24_000, 128);
    let midi = Score::new()
        .with(300, Event::Midi([0x92, 64, 100]))
        .with(5000, Event::Midi([0x92, 71, 1]))
        .with(9000, Event::Midi([0x82, 64, 0]));
    let on = |key, velocity: f64| Event::NoteOn { key, velocity: velocity / 127.0, channel: 2, id: None };
    let off = Event::NoteOff { key: 64, velocity: 0.0, channel: 2, id: None };
    let clap = Score::new().with(300, on(64, 100.0)).with(5000, on(71, 1.0)).with(9000, off);
    let ours = playing(48_000.0, 128).render(&midi, &blocks).expect("plays");
    assert!(ours.peak() > 0.01);
    assert_same("MIDI and CLAP", &ours, &playing(48_000.0, 128).render(&clap, &blocks).expect("plays"));
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
