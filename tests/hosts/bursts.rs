//! A hundred thousand notes at random times, down to 50 us apart, through the host: none is lost,
//! and the sound equals, to the last bit, that of the engine with notes at these samples.
//! `tests/engine/voices/bursts.rs` shows that each begins within one sample of its event.

#[path = "../support/bursts.rs"]
mod notes;

use crate::common::{assert_same, guarded, state_of};
use crate::support::clap_host::{Event as Sent, Output, Rendered, Score, random_blocks};
use ictus::engine::{Engine, NoteEnds};
use ictus::params::event::{Event, EventKind, NoteAddress};
use notes::{RATE_HZ, TimedStrike, bursts, crisp};

const COUNT: usize = 100_000;

/// The engine's sound, in its own blocks.
fn by_the_engine(notes: &[TimedStrike], samples: usize) -> Rendered {
    let mut engine = Engine::new();
    engine.prepare(RATE_HZ);
    let (patch, mut ends, mut next) = (crisp(), NoteEnds::new(), 0);
    let mut heard =
        Rendered { left: vec![0.0; samples], right: vec![0.0; samples], ..Rendered::default() };
    for start in (0..samples).step_by(100) {
        let piece = start..(start + 100).min(samples);
        let count = notes[next..].iter().take_while(|struck| struck.at < piece.end).count();
        let event = |(id, struck): (usize, &TimedStrike)| {
            let note = NoteAddress { id: Some(id as i32), channel: Some(0), key: Some(struck.key) };
            Event {
                offset: struck.at - start,
                note,
                kind: EventKind::NoteOn { velocity: struck.velocity },
            }
        };
        let events: Vec<_> = notes.iter().enumerate().skip(next).take(count).map(event).collect();
        next += count;
        engine.process(
            &patch,
            &events,
            &mut heard.left[piece.clone()],
            &mut heard.right[piece],
            &mut ends,
        );
        ends.clear();
    }
    heard
}

#[test]
fn none_is_lost_and_each_is_heard_at_its_own_sample() {
    let notes = bursts(COUNT);
    let samples = notes[COUNT - 1].at + 48_000;
    let mut score = Score::new();
    for (id, struck) in notes.iter().enumerate() {
        let velocity = f64::from(struck.velocity);
        score.push(
            struck.at as u64,
            Sent::NoteOn { key: struck.key.into(), velocity, channel: 0, id: Some(id as u32) },
        );
    }
    let mut host = guarded();
    host.restore(&state_of(&crisp())).expect("the state is taken");
    host.activate(RATE_HZ, 512).expect("it can be activated");
    let heard = host.render(&score, &random_blocks(samples as u64, 512, 5)).expect("plays");
    let mut ended = vec![0; COUNT];
    for (time, event) in &heard.events {
        if let Output::NoteEnd { id, .. } = event {
            let id = id.expect("notes with an id end by their id") as usize;
            assert!(*time >= notes[id].at as u64, "note {id} ends before it begins");
            ended[id] += 1;
        }
    }
    assert_eq!(
        ended.iter().filter(|&&count| count != 1).count(),
        0,
        "notes that did not end exactly once"
    );
    assert_same("the host and the engine", &heard, &by_the_engine(&notes, samples));
}
