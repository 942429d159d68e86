//! The instrument reports how long it rings, and is silent after that time. Hosts stop calling a
//! plug-in after its tail, so one that is too short cuts off the end of a bounced track, or the
//! whole note.

use crate::common::playing;
use crate::support::clap_host::{ClapHost, Event, Score, fixed_blocks};
use clack_extensions::tail::TailLength;

const RATE: f64 = 48_000.0;
/// -120 dBFS: below this there is no sound.
const SOUND: f32 = 1e-6;

/// Plays block by block. Returns for each block the sample at which it ended and the reported tail,
/// and the last sample with sound.
fn watch(host: &mut ClapHost, score: &Score, blocks: &[u32]) -> (Vec<(u64, u64)>, u64) {
    let (mut promises, mut last, mut now) = (Vec::new(), 0, 0u64);
    let mut events = score.events();
    for block in blocks {
        let end = now + u64::from(*block);
        let (due, later) = events.split_at(events.partition_point(|(at, _)| *at < end));
        events = later;
        let part = due.iter().fold(Score::new(), |part, (at, event)| part.with(at - now, *event));
        let heard = host.render(&part, &[*block]).expect("plays");
        for (n, (l, r)) in heard.left.iter().zip(&heard.right).enumerate() {
            if l.abs().max(r.abs()) > SOUND {
                last = now + n as u64;
            }
        }
        now = end;
        let tail = match host.tail().expect("a tail") {
            TailLength::Finite(samples) => samples.into(),
            TailLength::Infinite => u64::MAX,
        };
        promises.push((now, tail));
    }
    (promises, last)
}

#[track_caller]
fn assert_honest(what: &str, host: &mut ClapHost, score: &Score, blocks: &[u32]) {
    let last_event = score.end();
    let (promises, last) = watch(host, score, blocks);
    assert!(last > last_event, "{what}: there is nothing to hear");
    let length = promises.last().expect("blocks").0;
    assert!(last + 4800 < length, "{what}: it rings to the end of the test");
    for (now, tail) in promises.iter().filter(|(now, _)| *now > last_event) {
        let over = now.saturating_add(*tail);
        assert!(
            last < over,
            "{what}: at {now} it promised silence from {over} on, but sounds until {last}"
        );
    }
    assert_eq!(promises.last().expect("blocks").1, 0, "{what}: it is silent and claims to ring");
}

/// Short blocks around the strike, where the tail is hardest to predict, and longer ones for the
/// rest.
fn blocks() -> Vec<u32> {
    [vec![1; 100], fixed_blocks(2000, 16), fixed_blocks(10 * RATE as u64, 2048)].concat()
}

fn host(settings: &[(&str, f64)]) -> ClapHost {
    let mut host = playing(RATE, 2048);
    for (name, position) in settings {
        let param = host.param(name).expect("it is there");
        host.set(&[(param.id, param.min + position * (param.max - param.min))]).expect("set");
    }
    host
}

#[test]
fn a_note_is_over_within_its_tail() {
    assert_honest("a note", &mut host(&[]), &Score::new().on(7, 60, 0.9), &blocks());
}

#[test]
fn a_note_that_is_struck_again_is_over_within_its_tail() {
    let score = Score::new().on(7, 60, 0.1).on(90, 60, 1.0);
    assert_honest("struck again", &mut host(&[]), &score, &blocks());
}

#[test]
fn a_slow_contact_is_over_within_its_tail() {
    let slow = [("Mass", 1.0), ("Stiffness", 0.0), ("Support loss", 0.9)];
    assert_honest("a slow contact", &mut host(&slow), &Score::new().on(7, 60, 1.0), &blocks());
}

#[test]
fn a_choked_note_is_over_within_its_tail() {
    let score = Score::new().on(7, 33, 1.0).with(1500, Event::Choke { key: None });
    assert_honest("choked", &mut host(&[]), &score, &blocks());
}

#[test]
fn a_dull_thud_is_over_within_its_tail() {
    let dull = [("Support loss", 1.0), ("Internal friction", 1.0), ("Level", 1.0)];
    assert_honest("a thud", &mut host(&dull), &Score::new().on(7, 24, 1.0), &blocks());
}

#[test]
fn an_instrument_at_rest_has_no_tail() {
    let mut host = host(&[]);
    let (promises, last) = watch(&mut host, &Score::new(), &[64, 64]);
    assert_eq!((promises, last), (vec![(64, 0), (128, 0)], 0));
}
