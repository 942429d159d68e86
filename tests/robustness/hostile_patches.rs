//! With any patch, notes and sample rate, every sample of the engine is finite and below the
//! ceiling. Otherwise a loudspeaker is at risk, or a filter that holds a NaN mutes a track.

use ictus::body::UserModes;
use ictus::body::bank::CHUNK;
use ictus::engine::Io;
use ictus::engine::pool::Pool;
use ictus::engine::{Engine, NoteEnds, Status};
use ictus::engine::{VoiceRoom, VoiceSet};
use ictus::exciter::Blow;
use ictus::exciter::external::Input;
use ictus::params::event::{Event, EventKind, NoteAddress};
use ictus::params::{Param, Patch};
use ictus::voice::events::ContactEvents;
use ictus::voice::{VoiceContext, fault};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

/// -1 dBFS at the sound card.
const CEILING: f32 = 0.891_250_9;

const HOSTILE: [f32; 10] = [
    f32::NAN,
    f32::INFINITY,
    f32::NEG_INFINITY,
    1e30,
    -1e30,
    f32::MAX,
    f32::MIN,
    f32::MIN_POSITIVE,
    1e-45,
    -0.0,
];

fn note(key: u8) -> NoteAddress {
    NoteAddress { id: None, channel: Some(0), key: Some(key) }
}

fn strike(offset: usize, key: u8, velocity: f32) -> Event {
    Event { offset, note: note(key), kind: EventKind::NoteOn { velocity } }
}

/// Positions of all parameters. Many at an end of their range, where extremes combine.
fn knobs() -> impl Strategy<Value = Vec<f64>> {
    proptest::collection::vec(
        prop_oneof![Just(0.0), Just(1.0), 0.0..1.0f64, 0.0..1.0f64],
        Param::COUNT,
    )
}

fn patch_of(knobs: &[f64]) -> Patch {
    let mut patch = Patch::default();
    for (param, position) in Param::ALL.into_iter().zip(knobs) {
        patch.set_stored(param, param.spec().position_to_stored(*position));
    }
    patch
}

fn events() -> impl Strategy<Value = Vec<Event>> {
    let kind = prop_oneof![
        4 => prop_oneof![(0.0..=1.0f32), proptest::sample::select(&HOSTILE[..])]
            .prop_map(|velocity| EventKind::NoteOn { velocity }),
        1 => Just(EventKind::NoteOff),
        1 => Just(EventKind::Choke),
    ];
    let address = (
        proptest::option::of(0..9i32),
        proptest::option::of(0..16u8),
        proptest::option::of(any::<u8>()),
    )
        .prop_map(|(id, channel, key)| NoteAddress { id, channel, key });
    // Offsets beyond the block, too.
    let event =
        (0..3000usize, address, kind).prop_map(|(offset, note, kind)| Event { offset, note, kind });
    proptest::collection::vec(event, 1..24).prop_map(|mut events| {
        events.sort_by_key(|event| event.offset);
        events
    })
}

fn rates() -> impl Strategy<Value = f64> {
    prop_oneof![
        proptest::sample::select(vec![1000.0, 8000.0, 44_100.0, 48_000.0, 96_000.0, 768_000.0]),
        1000.0..200_000.0f64,
        proptest::sample::select(vec![f64::NAN, f64::INFINITY, 0.0, -1.0, 1e30]),
    ]
}

/// Plays a block and checks its output.
fn block(engine: &mut Engine, patch: &Patch, events: &[Event]) -> Result<Status, TestCaseError> {
    let (mut left, mut right) = (vec![f32::NAN; 2500], vec![f32::NAN; 2500]);
    // Non-finite external sound, which matters only where the patch uses it.
    let input: Vec<f32> =
        (0..2500).map(|n| if n % 7 < 3 { HOSTILE[n / 7 % HOSTILE.len()] } else { 0.3 }).collect();
    let from = Input { left: &input, right: &input[..2000] };
    let io = Io { input: from, left: &mut left, right: &mut right, groups: None };
    let status = engine.process_io(patch, events, io, &mut NoteEnds::new());
    for (n, x) in left.iter().chain(&right).enumerate() {
        prop_assert!(x.is_finite() && x.abs() <= CEILING, "sample {} is {x}", n % 2500);
    }
    prop_assert!(
        status.limiter_gain > 0.0 && status.limiter_gain <= 1.0,
        "{}",
        status.limiter_gain
    );
    Ok(status)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, rng_seed: RngSeed::Fixed(1), ..ProptestConfig::default() })]

    #[test]
    fn any_patch_and_any_notes_stay_finite_and_below_the_ceiling(
        first in knobs(), second in knobs(), events in events(), rate in rates()
    ) {
        let mut engine = Engine::new();
        engine.prepare(rate);
        block(&mut engine, &patch_of(&first), &events)?;
        // All parameters change at once while it rings.
        block(&mut engine, &patch_of(&second), &events)?;
        block(&mut engine, &patch_of(&second), &[])?;
        // It still works: after a reset a default note sounds as in a new engine.
        engine.reset();
        let mut fresh = Engine::new();
        fresh.prepare(rate);
        let blow = [strike(0, 48, 0.8)];
        // Without the limiter, which at the highest rates looks further ahead than a block.
        let mut plain = Patch::default();
        plain.set(Param::Limiter, 0.0);
        let (ours, theirs) = (block(&mut engine, &plain, &blow)?, block(&mut fresh, &plain, &blow)?);
        prop_assert_eq!(ours, theirs);
        prop_assert!(ours.peak[0] > 1e-4);
    }

    #[test]
    fn a_hostile_patch_is_a_patch_at_the_ends_of_its_ranges(
        values in proptest::collection::vec(proptest::sample::select(&HOSTILE[..]), Param::COUNT), key in 0..128u8
    ) {
        let mut patch = Patch::default();
        for (param, value) in Param::ALL.into_iter().zip(&values) {
            patch.set_stored(param, *value);
        }
        let mut engine = Engine::new();
        block(&mut engine, &patch, &[strike(0, key, 1.0), strike(5, key, 1.0), strike(900, 69, f32::NAN)])?;
    }
}

/// All corners of two parameters, the others at their defaults.
#[test]
fn every_pair_of_extremes_stays_finite() {
    let mut engine = Engine::new();
    for (n, a) in Param::ALL.into_iter().enumerate() {
        for b in Param::ALL.into_iter().skip(n + 1) {
            for (x, y) in [(0.0, 0.0), (0.0, 1.0), (1.0, 0.0), (1.0, 1.0)] {
                let mut patch = Patch::default();
                patch.set_stored(a, a.spec().position_to_stored(x));
                patch.set_stored(b, b.spec().position_to_stored(y));
                engine.reset();
                let result =
                    block(&mut engine, &patch, &[strike(0, 57, 1.0), strike(700, 57, 0.3)]);
                assert!(result.is_ok(), "{a:?} {x}, {b:?} {y}: {result:?}");
            }
        }
    }
}

/// Validation keeps such values out, so this test sets them below it.
#[test]
fn a_non_finite_voice_ends_and_leaves_the_others_unchanged() {
    let (patch, list) = (Patch::default(), UserModes::default());
    let context = VoiceContext {
        patch: &patch,
        knobs: &patch,
        table: None,
        list: &list,
        list_number: 0,
        tuning: &ictus::tuning::Tuning::EQUAL,
        forces_n: &[],
        tempo_bpm: 120.0,
    };
    let play = |damaged: bool| {
        let mut pool = Pool::new(VoiceSet::new(VoiceRoom::USUAL, 48_000.0));
        pool.prepare(48_000.0);
        let blow = Blow::of_note(&patch, &patch.scale(), 0.8, 0);
        let mut ended = Vec::new();
        if damaged {
            let damaged = pool.voice_for(note(40), &context).0;
            damaged.strike(&blow, &patch);
            fault::put_nan(damaged);
        }
        pool.voice_for(note(69), &context).0.strike(&blow, &patch);
        let (mut left, mut right) = (vec![0.0; 20 * CHUNK], vec![0.0; 20 * CHUNK]);
        for voice in pool.sounding() {
            ended.extend(voice.process(&context, &mut left, &mut right, &mut ContactEvents::new()));
        }
        (left, right, ended, pool.playing())
    };
    let (left, right, ended, playing) = play(true);
    let (healthy_left, healthy_right, none, alone) = play(false);
    assert!(healthy_left.iter().any(|x| x.abs() > 1e-3), "there is nothing to disturb");
    assert!(left == healthy_left && right == healthy_right, "the others sound differently");
    assert_eq!(playing, alone);
    assert_eq!(
        (ended.len(), ended[0].1),
        (1, note(40)),
        "the end of the damaged voice is reported"
    );
    assert!(none.is_empty());
}
