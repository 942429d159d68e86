//! The sound depends on the notes and the settings only: not on the block sizes, the notes before a
//! reset, or the time at which a note begins.
//!
//! An engine that derives anything from the block (a control rate, a ramp, the position of a note)
//! fails here at the last bit.

use ictus::cli::render::{Length, render};
use ictus::engine::{Engine, NoteEnds};
use ictus::modulation::slots::SLOTS;
use ictus::modulation::{Destination, Source};
use ictus::params::event::{Event, EventKind, NoteAddress};
use ictus::params::{Param, Patch};

const RATE_HZ: f64 = 48_000.0;

fn note(key: u8) -> NoteAddress {
    NoteAddress { id: None, channel: Some(0), key: Some(key) }
}

fn phrase() -> Vec<Event> {
    let mut events = Vec::new();
    for i in 0..40usize {
        let key = 40 + (i * 7 % 36) as u8;
        let offset = i * 977;
        let velocity = 0.2 + 0.02 * i as f32;
        events.push(Event { offset, note: note(key), kind: EventKind::NoteOn { velocity } });
        events.push(Event { offset: offset + 500, note: note(key), kind: EventKind::NoteOff });
        if i % 9 == 8 {
            events.push(Event { offset: offset + 700, note: note(key), kind: EventKind::Choke });
        }
    }
    events.sort_by_key(|event| event.offset);
    events
}

fn patch() -> Patch {
    let mut patch = Patch::default();
    patch.set(Param::Scatter, 0.6);
    patch.set(Param::NoteOff, 1.0);
    patch
}

#[test]
fn blocks_of_any_size_give_the_same_bits() {
    let length = Length::Fixed(48_000);
    let reference = render(&patch(), &phrase(), length, RATE_HZ, 48_000, |_| {});
    assert!(reference[0].iter().any(|x| x.abs() > 0.01));
    for block in [1, 17, 64, 255, 256, 257, 512, 4096] {
        let other = render(&patch(), &phrase(), length, RATE_HZ, block, |_| {});
        assert!(reference == other, "blocks of {block} sound different");
    }
}

#[test]
fn automation_between_random_blocks_gives_the_same_bits() {
    // A sweep of every continuous parameter in steps at block borders of both divisions.
    let run = |sizes: &mut dyn FnMut() -> usize| {
        let mut engine = Engine::new();
        engine.prepare(RATE_HZ);
        let mut sound = Vec::new();
        let mut ends = NoteEnds::new();
        for step in 0..120 {
            let mut patch = patch();
            patch.set(Param::StiffnessMode, 1.0);
            for param in
                [Param::Tune, Param::PickupLeft, Param::Friction, Param::Level, Param::Stiffness]
            {
                let position = 0.5 + 0.4 * (f64::from(step) * 0.3 + f64::from(param as u8)).sin();
                patch.set_stored(param, param.spec().position_to_stored(position));
            }
            let mut left_over = 480;
            let mut first = true;
            while left_over > 0 {
                let n = sizes().clamp(1, left_over);
                let key = 50 + (step % 30) as u8;
                let on =
                    Event { offset: 0, note: note(key), kind: EventKind::NoteOn { velocity: 0.7 } };
                let events: &[Event] = if first && step % 3 == 0 { &[on] } else { &[] };
                first = false;
                let (mut l, mut r) = (vec![0.0; n], vec![0.0; n]);
                engine.process(&patch, events, &mut l, &mut r, &mut ends);
                ends.clear();
                sound.extend(l.iter().zip(&r).map(|(l, r)| (l.to_bits(), r.to_bits())));
                left_over -= n;
            }
        }
        sound
    };
    let fixed = run(&mut || 480);
    let mut state = 12345u32;
    let random = run(&mut || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        1 + (state >> 24) as usize
    });
    assert!(fixed == random);
}

#[test]
fn a_ringing_body_takes_a_change_at_its_very_sample() {
    let at = 777;
    let play = |change: Option<(Param, f64)>| {
        let mut engine = Engine::new();
        engine.prepare(RATE_HZ);
        let mut patch = Patch::default();
        // Without its delay.
        patch.set(Param::Limiter, 0.0);
        let on = Event { offset: 5, note: note(57), kind: EventKind::NoteOn { velocity: 0.9 } };
        let (mut l, mut r) = (vec![0.0; 2000], vec![0.0; 2000]);
        engine.process(&patch, &[on], &mut l[..at], &mut r[..at], &mut NoteEnds::new());
        if let Some((param, si)) = change {
            patch.set(param, si);
        }
        engine.process(&patch, &[], &mut l[at..], &mut r[at..], &mut NoteEnds::new());
        l.into_iter().zip(r).collect::<Vec<_>>()
    };
    let untouched = play(None);
    for (param, si) in [
        (Param::Tune, 7.0),
        (Param::Support, 100.0),
        (Param::Friction, 0.1),
        (Param::PickupLeft, 0.4),
        (Param::PickupRight, 0.4),
        (Param::Level, -20.0),
    ] {
        let changed = play(Some((param, si)));
        let first = untouched.iter().zip(&changed).position(|(a, b)| a != b);
        assert_eq!(first, Some(at), "{param:?}");
    }
}

/// Random delays its onset and the envelope lowers it: both begin at samples of their own,
/// independent of the blocks.
#[test]
fn a_key_let_go_before_its_delayed_onset_gives_the_same_bits_in_all_blocks() {
    let mut patch = Patch::default();
    patch.set(Param::HumanTime, 0.03);
    patch.set(Param::EnvAttack, 0.0);
    let [from, to, depth] = SLOTS[0];
    patch.set(from, Source::Envelope as usize as f64);
    patch.set(
        to,
        Destination::NAMES.iter().position(|name| *name == "Volume").expect("Volume") as f64,
    );
    patch.set(depth, 1.0);
    let mut events = Vec::new();
    for n in 0..12usize {
        // The same key: the ringing body is struck again, and its control clock continues.
        events.push(Event {
            offset: 401 * n,
            note: note(60),
            kind: EventKind::NoteOn { velocity: 0.8 },
        });
        events.push(Event { offset: 401 * n + 1, note: note(60), kind: EventKind::NoteOff });
    }
    let whole = render(&patch, &events, Length::Fixed(5200), RATE_HZ, 5200, |_| {});
    assert!(whole[0].iter().any(|x| x.abs() > 0.01));
    for block in [1, 17, 64] {
        let other = render(&patch, &events, Length::Fixed(5200), RATE_HZ, block, |_| {});
        assert!(whole == other, "blocks of {block} sound different");
    }
}

#[test]
fn a_note_sounds_the_same_whenever_it_comes() {
    let late = 12_345;
    let at = |offset| {
        let on = Event { offset, note: note(62), kind: EventKind::NoteOn { velocity: 0.9 } };
        render(&Patch::default(), &[on], Length::Fixed(late + 20_000), RATE_HZ, 512, |_| {})
    };
    let (early, later) = (at(0), at(late));
    assert!(later[0][..late].iter().all(|x| *x == 0.0), "silent before the note");
    assert_ne!(later[0][late], 0.0, "no latency: the first sample of the note already moves");
    assert!(early[0][..20_000] == later[0][late..]);
}

#[test]
fn reset_and_prepare_leave_a_fresh_instrument() {
    let mut engine = Engine::new();
    let play = |engine: &mut Engine| {
        let on = Event { offset: 3, note: note(60), kind: EventKind::NoteOn { velocity: 0.9 } };
        let (mut l, mut r) = (vec![0.0; 5000], vec![0.0; 5000]);
        engine.process(&patch(), &[on], &mut l, &mut r, &mut NoteEnds::new());
        l
    };
    engine.prepare(RATE_HZ);
    let fresh = play(&mut engine);
    engine.reset();
    assert!(play(&mut engine) == fresh, "after reset");
    engine.prepare(96_000.0);
    play(&mut engine);
    engine.prepare(RATE_HZ);
    assert!(play(&mut engine) == fresh, "after another sample rate");
}

#[test]
fn the_seed_decides_the_scatter() {
    let with_seed = |seed| {
        let mut patch = patch();
        patch.set(Param::Seed, seed);
        render(&patch, &phrase(), Length::Fixed(20_000), RATE_HZ, 512, |_| {})
    };
    assert!(with_seed(1.0) == with_seed(1.0));
    assert!(with_seed(1.0) != with_seed(2.0));
}
