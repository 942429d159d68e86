//! A hundred thousand notes at random times, down to 50 us apart: none is lost, and each begins at
//! its own sample.

use super::common::{note, on, play, play_changing};
use crate::bursts::crisp;
use ictus::params::event::Event;

fn bursts(count: usize) -> Vec<Event> {
    let event = |(id, struck): (usize, crate::bursts::TimedStrike)| {
        on(struck.at, note(id as i32, struck.key), struck.velocity)
    };
    crate::bursts::bursts(count).into_iter().enumerate().map(event).collect()
}

#[test]
fn none_is_lost_and_each_begins_at_its_own_sample() {
    const COUNT: usize = 100_000;
    let events = bursts(COUNT);
    let end = events.last().map_or(0, |event| event.offset);
    let played = play_changing(&crisp(), &events, end + 48_000, || 64, |_, _| {});
    let mut struck = vec![0; COUNT];
    for (onset, note) in &played.onsets {
        let id = note.id.expect("every note has a number") as usize;
        let late = onset - events[id].offset as f64;
        assert!((-1e-6..=1.0).contains(&late), "note {id} is {late} samples late");
        struck[id] += 1;
    }
    let lost = struck.iter().filter(|&&count| count != 1).count();
    assert_eq!(lost, 0, "notes that did not strike exactly once");
    assert_eq!(played.ended(), (0..COUNT as i32).collect::<Vec<_>>(), "each ends exactly once");
    assert_eq!(played.voices, 0);
}

#[test]
fn the_sound_changes_at_the_sample_of_the_note() {
    let events = bursts(60);
    let end = events[59].offset + 480;
    let all = play(&crisp(), &events, end);
    for left_out in [0, 1, 7, 23, 42, 59] {
        let mut fewer = events.clone();
        let missing = fewer.remove(left_out);
        let fewer = play(&crisp(), &fewer, end);
        let first =
            all.left.iter().zip(&fewer.left).position(|(a, b)| a != b).expect("it is heard");
        let late = first as i64 - missing.offset as i64;
        assert!((0..=1).contains(&late), "note {left_out} is heard {late} samples late");
    }
}
