//! A long stream of random balls: finite, without drift, without an allocation, and no block much dearer than others.
//!
//! Two minutes in the ordinary run. The hour is asked for: `cargo test --release --test bounce_stream -- --ignored
//! --nocapture`. Block costs are printed, not judged; the guard against allocations needs debug assertions.

use std::time::Instant;

use assert_no_alloc::assert_no_alloc;
use ictus::engine::{Engine, NoteEnds};
use ictus::event::{Event, EventKind, NoteAddress};
use ictus::patch::{Param, Patch};

#[cfg(debug_assertions)]
#[global_allocator]
static GUARD: assert_no_alloc::AllocDisabler = assert_no_alloc::AllocDisabler;

const RATE_HZ: f64 = 48_000.0;
const BLOCK: usize = 256;

/// Numbers that look random, without a crate that might allocate.
fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    *state >> 33
}

/// A share from 0 to 1.
fn share(state: &mut u64) -> f64 {
    (next(state) % 10_001) as f64 / 10_000.0
}

/// Turn what makes balls differ: everything of the gesture and the contact, anywhere in its range.
fn turn(patch: &mut Patch, state: &mut u64) {
    const TURNED: [Param; 19] = [
        Param::Mass,
        Param::Speed,
        Param::Position,
        Param::Scatter,
        Param::Height,
        Param::Gap,
        Param::FirstHit,
        Param::Gravity,
        Param::MassScatter,
        Param::Drift,
        Param::Spin,
        Param::Stiffness,
        Param::Mu,
        Param::Alpha,
        Param::Law,
        Param::DampingMode,
        Param::Restitution,
        Param::Dent,
        Param::NoteOff,
    ];
    let param = TURNED[next(state) as usize % TURNED.len()];
    patch.set_stored(param, param.spec().position_to_stored(share(state)));
}

/// Play it; returns what each block cost, s.
fn stream(seconds: f64) -> Vec<f64> {
    let mut state = 11;
    let mut engine = Engine::new();
    engine.prepare(RATE_HZ);
    let mut patch = Patch::default();
    patch.set(Param::Gesture, 1.0);
    patch.set(Param::StiffnessMode, 1.0);
    patch.set(Param::Support, 10.0);
    let (mut left, mut right) = (vec![0.0f32; BLOCK], vec![0.0f32; BLOCK]);
    let mut ends = NoteEnds::new();
    let (mut notes, mut ended, mut contacts, mut playing) = (0u64, 0u64, 0u64, 0u64);
    let blocks = (seconds * RATE_HZ) as u64 / BLOCK as u64;
    let mut costs_s = Vec::with_capacity(blocks as usize);
    let (mut sum, mut peak) = (0.0f64, 0.0f32);
    for block in 0..blocks {
        let begin = Instant::now();
        assert_no_alloc(|| {
            let mut events = arrayvec::ArrayVec::<Event, 2>::new();
            if next(&mut state).is_multiple_of(60) {
                turn(&mut patch, &mut state);
                let key = 40 + (next(&mut state) % 48) as u8;
                let note = NoteAddress { id: None, channel: Some(0), key: Some(key) };
                let velocity = share(&mut state) as f32;
                events.push(Event { offset: 0, note, kind: EventKind::NoteOn { velocity } });
                notes += 1;
            }
            if next(&mut state).is_multiple_of(90) {
                let note = NoteAddress { key: Some(40 + (next(&mut state) % 48) as u8), ..NoteAddress::default() };
                events.push(Event { offset: BLOCK / 2, note, kind: EventKind::NoteOff });
            }
            let status = engine.process(&patch, &events, &mut left, &mut right, &mut ends);
            playing += status.voices as u64;
            ended += ends.len() as u64;
            ends.clear();
            contacts += engine.happenings().len() as u64;
        });
        let cost_s = begin.elapsed().as_secs_f64();
        costs_s.push(cost_s);
        for x in left.iter().chain(&right) {
            assert!(x.is_finite() && x.abs() <= 0.8913, "block {block}: {x}");
            peak = peak.max(x.abs());
            sum += f64::from(*x);
        }
    }
    println!(
        "{seconds} s: {notes} balls, {contacts} contacts, {:.1} voices; peak {peak:.3}, mean of the output {:.1e}",
        playing as f64 / blocks as f64,
        sum / (seconds * RATE_HZ * 2.0)
    );
    assert!(contacts > notes && ended > 0 && notes - ended <= 24, "{notes} notes, {ended} ends, {contacts} contacts");
    assert!(peak > 0.1);
    assert!((sum / (seconds * RATE_HZ * 2.0)).abs() < 1e-5, "the output drifts");
    costs_s
}

fn print_costs(costs_s: &[f64]) {
    let mean_s = costs_s.iter().sum::<f64>() / costs_s.len() as f64;
    let worst_s = costs_s.iter().fold(0.0, |worst: f64, cost| worst.max(*cost));
    println!(
        "blocks of {BLOCK} samples: mean {:.1} us, worst {:.1} us, ratio {:.1}",
        1e6 * mean_s,
        1e6 * worst_s,
        worst_s / mean_s
    );
}

#[test]
fn two_minutes_of_random_balls() {
    stream(120.0);
}

/// The stream is the same each time, so the least that a block ever cost is what it costs without the machine's other
/// business.
#[test]
#[ignore = "measures"]
fn what_the_blocks_cost() {
    let mut least_s = stream(120.0);
    for _ in 0..4 {
        for (least, again) in least_s.iter_mut().zip(stream(120.0)) {
            *least = least.min(again);
        }
    }
    print_costs(&least_s);
}

#[test]
#[ignore = "an hour of sound"]
fn an_hour_of_random_balls() {
    print_costs(&stream(3600.0));
}
