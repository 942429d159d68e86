//! Thousands of simultaneous notes are handled, and each of them ends exactly once. A host keeps
//! the data of a note until then: a lost end is a leak, a second one frees data in use.

use crate::common::{CEILING, TestRng, playing};
use crate::support::clap_host::{
    ClapHost, Event, NoteOf, Output, Rendered, Score, Spoken, fixed_blocks,
};
use std::collections::HashMap;

const RATE: f64 = 48_000.0;
const BLOCK: u32 = 256;

/// Notes, releases and chokes on all keys and channels, each note with its own id.
fn storm(events: u32, within: u64, seed: u64) -> (Score, u32) {
    let mut chance = TestRng(seed);
    let mut score = Score::new();
    let mut notes = 0;
    for _ in 0..events {
        // Many at the same few samples.
        let at = if chance.below(2) == 0 {
            chance.below(within)
        } else {
            chance.below(within / 32 + 1) * 32 % within
        };
        let (key, channel) = (chance.below(128) as u16, chance.below(16) as u16);
        let id = Some(chance.below(u64::from(notes) + 1) as u32);
        let event = match chance.below(10) {
            0..7 => {
                notes += 1;
                Event::NoteOn { key, velocity: chance.unit(), channel, id: Some(notes - 1) }
            }
            7 => Event::NoteOff { key, velocity: 0.5, channel, id },
            8 => Event::NoteOff { key, velocity: 0.5, channel, id: None },
            _ => Event::Choke { key: Some(key) },
        };
        score.push(at, event);
    }
    (score, notes)
}

/// Ends everything, and plays on until silence.
fn silence(host: &mut ClapHost) -> Rendered {
    let blocks = fixed_blocks(RATE as u64, BLOCK);
    let heard =
        host.render(&Score::new().with(0, Event::Choke { key: None }), &blocks).expect("plays");
    let end = &heard.left[heard.left.len() - 512..];
    assert!(end.iter().all(|x| x.abs() < 1e-7), "it still sounds a second after the choke");
    heard
}

fn ends(heard: &Rendered) -> Vec<(u64, Option<u16>, Option<u32>)> {
    let end = |(time, event): &(u64, Output)| match *event {
        Output::NoteEnd { key, id } => Some((*time, key, id)),
        _ => None,
    };
    heard.events.iter().filter_map(end).collect()
}

#[track_caller]
fn assert_each_note_ends_once(score: &Score, notes: u32, mut heard: Rendered, rest: Rendered) {
    assert!(heard.peak() <= CEILING, "{}", heard.peak());
    let before = heard.left.len() as u64;
    heard.append(rest);
    let begins: HashMap<u32, u64> = score
        .events()
        .iter()
        .filter_map(|(at, event)| match event {
            Event::NoteOn { id: Some(id), .. } => Some((*id, *at)),
            _ => None,
        })
        .collect();
    assert_eq!(begins.len(), notes as usize, "the storm itself is wrong");
    let mut counts: HashMap<u32, u32> = HashMap::new();
    let ends = ends(&heard);
    for (time, _, id) in &ends {
        let id = id.expect("notes with an id end by their id");
        *counts.entry(id).or_default() += 1;
        assert!(*time >= begins[&id], "note {id} ends at {time}, before it begins");
        assert!(*time < before + RATE as u64);
    }
    let wrong = (0..notes).filter(|id| counts.get(id) != Some(&1)).collect::<Vec<_>>();
    assert!(wrong.is_empty(), "of {notes} notes these do not end once: {wrong:?}");
    assert!(
        ends.windows(2).all(|pair| pair[0].0 <= pair[1].0),
        "CLAP wants events in the order of time"
    );
}

#[test]
fn every_note_of_a_long_storm_ends_once() {
    for seed in [1, 2] {
        let mut host = playing(RATE, BLOCK);
        let (score, notes) = storm(6000, RATE as u64, seed);
        let heard = host.render(&score, &fixed_blocks(RATE as u64, BLOCK)).expect("plays");
        let rest = silence(&mut host);
        assert_each_note_ends_once(&score, notes, heard, rest);
    }
}

#[test]
fn a_block_with_more_events_than_any_queue_holds_loses_none() {
    // The engine's queue holds 512, the framework's 8192.
    for (events, within) in [(513, 1), (3000, 256), (9000, 256), (9000, 1)] {
        let mut host = playing(RATE, BLOCK);
        let (score, notes) = storm(events, within, 7);
        let heard = host.render(&score, &fixed_blocks(RATE as u64 / 4, BLOCK)).expect("plays");
        let rest = silence(&mut host);
        assert_each_note_ends_once(&score, notes, heard, rest);
    }
}

#[test]
fn notes_without_an_id_end_by_their_key() {
    let mut host = playing(RATE, BLOCK);
    let keys = (0..200u16).map(|n| 30 + n * 7 % 60);
    let score = keys
        .clone()
        .zip(0..)
        .fold(Score::new(), |score, (key, n)| score.note(n * 200, 5000, key, 0.7));
    let mut heard = host.render(&score, &fixed_blocks(RATE as u64, BLOCK)).expect("plays");
    heard.append(silence(&mut host));
    for key in 30..90 {
        let struck = keys.clone().filter(|k| *k == key).count();
        let ended = ends(&heard).iter().filter(|(_, k, _)| *k == Some(key)).count();
        assert_eq!(ended, struck, "key {key}");
    }
}

/// How a host addresses a note.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Dialect {
    /// By id, key and channel.
    Whole,
    /// By id alone.
    Number,
    /// By key and channel.
    Key,
    /// In MIDI.
    Midi,
}

/// A hundred thousand notes, pedals, chokes and expressions; then every key and pedal is released.
fn everything(dialect: Dialect, events: u32) -> (Score, u32) {
    const EXPRESSIONS: [Spoken; 7] = [
        Spoken::Volume,
        Spoken::Pan,
        Spoken::Tuning,
        Spoken::Vibrato,
        Spoken::Expression,
        Spoken::Brightness,
        Spoken::Pressure,
    ];
    let (mut chance, mut score, mut notes, mut at) = (TestRng(29), Score::new(), 0, 0);
    // Keys that are down: channel, key and id.
    let mut down: Vec<(u16, u16, u32)> = Vec::new();
    for _ in 0..events {
        at += chance.below(21);
        let (channel, value) = (chance.below(4) as u16, chance.below(128) as u8);
        let one = (!down.is_empty()).then(|| chance.below(down.len().max(1) as u64) as usize);
        let meant = |(channel, key, id): (u16, u16, u32)| match dialect {
            Dialect::Whole => NoteOf { id: Some(id), key: Some(key), channel: Some(channel) },
            Dialect::Number => NoteOf::id(id),
            _ => NoteOf { id: None, key: Some(key), channel: Some(channel) },
        };
        match (chance.below(100), one) {
            (0..40, _) => {
                let key = 36 + chance.below(24) as u16;
                if down.iter().any(|(c, k, _)| (*c, *k) == (channel, key)) {
                    continue;
                }
                down.push((channel, key, notes));
                let id = (dialect != Dialect::Key).then_some(notes);
                notes += 1;
                score.push(
                    at,
                    match dialect {
                        Dialect::Midi => {
                            Event::Midi([0x90 | channel as u8, key as u8, value.max(1)])
                        }
                        _ => Event::NoteOn { key, velocity: f64::from(value) / 127.0, channel, id },
                    },
                );
            }
            (40..74, Some(one)) => {
                let (channel, key, id) = down.swap_remove(one);
                score.push(
                    at,
                    match dialect {
                        Dialect::Midi => Event::Midi([0x80 | channel as u8, key as u8, value]),
                        Dialect::Key => Event::NoteOff { key, velocity: 0.5, channel, id: None },
                        _ => Event::NoteOff { key, velocity: 0.5, channel, id: Some(id) },
                    },
                );
            }
            (74..78, Some(one)) if dialect != Dialect::Midi => {
                score.push(at, Event::ChokeOf(meant(down[one])));
            }
            (78..84, Some(one)) => {
                let (note, key) = (down[one], down[one].1 as u8);
                score.push(
                    at,
                    match dialect {
                        Dialect::Midi => Event::Midi([0xa0 | channel as u8, key, value]),
                        _ => {
                            let what = EXPRESSIONS[chance.below(7) as usize];
                            Event::Express {
                                what,
                                value: f64::from(value) / 127.0,
                                note: meant(note),
                            }
                        }
                    },
                );
            }
            (84..86, _) => {
                score.push(at, Event::Midi([0xe0 | channel as u8, value, 127 - value]));
            }
            (86..88, _) => {
                score.push(at, Event::Midi([0xd0 | channel as u8, value, 0]));
            }
            _ => {
                let number =
                    [64, 64, 64, 66, 66, 67, 1, 74, 120, 121, 123][chance.below(11) as usize];
                score.push(at, Event::Midi([0xb0 | channel as u8, number, value]));
            }
        }
    }
    for (channel, key, id) in down {
        score.push(
            at,
            match dialect {
                Dialect::Midi => Event::Midi([0x80 | channel as u8, key as u8, 0]),
                Dialect::Key => Event::NoteOff { key, velocity: 0.5, channel, id: None },
                _ => Event::NoteOff { key, velocity: 0.5, channel, id: Some(id) },
            },
        );
    }
    for channel in 0..4 {
        for pedal in [64, 66, 67] {
            score.push(at, Event::Midi([0xb0 | channel, pedal, 0]));
        }
    }
    (score, notes)
}

/// No chokes at the end: with damping on release, all notes must come to rest by themselves.
#[test]
fn no_note_of_a_hundred_thousand_events_is_stuck_in_any_dialect() {
    for dialect in [Dialect::Whole, Dialect::Number, Dialect::Key, Dialect::Midi] {
        let mut host = playing(RATE, BLOCK);
        let hand = host.param("Hand damping").expect("it has a hand");
        let held = host.param("Note off").expect("it knows keys that are let go");
        host.set(&[(hand.id, hand.min), (held.id, 1.0)]).expect("they can be set");
        let (score, notes) = everything(dialect, 100_000);
        let samples = score.end() + RATE as u64;
        let heard = host.render(&score, &fixed_blocks(samples, BLOCK)).expect("plays");
        assert!(heard.peak() <= CEILING, "{dialect:?}: {}", heard.peak());
        let ends = ends(&heard);
        assert_eq!(ends.len(), notes as usize, "{dialect:?}: each note ends once");
        if matches!(dialect, Dialect::Whole | Dialect::Number) {
            let mut ids: Vec<_> = ends.iter().filter_map(|(_, _, id)| *id).collect();
            ids.sort_unstable();
            assert_eq!(ids, (0..notes).collect::<Vec<_>>(), "{dialect:?}: each by its number");
        }
        let end = &heard.left[heard.left.len() - 512..];
        assert!(end.iter().all(|x| x.abs() < 1e-7), "{dialect:?}: it still sounds a second later");
    }
}
