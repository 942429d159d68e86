//! Long rolls.

use assert_no_alloc::assert_no_alloc;
use ictus::engine::{Engine, NoteEnds};
use ictus::params::{Param, Patch};

use super::common::{RATE_HZ, engine, on, patch};
use crate::costs::{self, Costs};

const BLOCK: usize = 256;

/// The state that one block leaves to the next.
#[derive(Clone)]
struct Roll {
    engine: Engine,
    patch: Patch,
    left: Vec<f32>,
    right: Vec<f32>,
    ends: NoteEnds,
}

/// The laws and dampings besides the default.
const LAWS: [(&str, &[(&str, &str)]); 3] = [
    ("restitution", &[("dmode", "Restitution"), ("rest", "0.8")]),
    ("restitution, damper", &[("dmode", "Restitution"), ("rest", "0.8"), ("law", "Hertz-damper")]),
    ("damper", &[("law", "Hertz-damper"), ("damper", "2")]),
];

/// Rolls for `seconds` with a speed that oscillates ten times; returns the level of each tenth, dB,
/// and the block costs.
fn roll(seconds: f64, again: usize, more: &[(&str, &str)]) -> (Vec<f64>, Costs) {
    // 16 modes: an hour costs a fraction of what 64 would, and the ball takes no fewer steps.
    let plate = [
        ("gest", "Roll"),
        ("body", "Supported plate"),
        ("modes", "16"),
        ("speed", "0.5"),
        ("span", "0.7"),
    ];
    let patch = patch(&[&plate[..], more].concat());
    let engine = engine(&patch, RATE_HZ);
    let (left, right) = (vec![0.0f32; BLOCK], vec![0.0f32; BLOCK]);
    let start = Roll { engine, patch, left, right, ends: NoteEnds::new() };
    let blocks = (seconds * RATE_HZ) as usize / BLOCK;
    let (mut levels, mut sums) = (vec![0.0; 10], vec![0.0; 10]);
    let costs = Costs::of(
        start,
        (blocks, BLOCK as f64 / RATE_HZ),
        again,
        |state, block| {
            let phase = (block * 10) as f64 / blocks as f64 * 2.0 * std::f64::consts::PI;
            assert_no_alloc(|| {
                state.patch.set(Param::Speed, 0.5 + 0.3 * phase.sin());
                let first = [on(0, 45, 1.0)];
                let events = if block == 0 { &first[..] } else { &[] };
                state.engine.process(
                    &state.patch,
                    events,
                    &mut state.left,
                    &mut state.right,
                    &mut state.ends,
                );
            });
        },
        |state, block| {
            for x in state.left.iter().chain(&state.right) {
                assert!(x.is_finite() && x.abs() < 0.9, "block {block}: {x}");
                sums[block * 10 / blocks] += f64::from(*x);
                levels[block * 10 / blocks] += f64::from(x * x);
            }
            assert!(state.ends.is_empty(), "it goes on");
        },
    );
    let means: Vec<f64> = sums.iter().map(|sum| sum / (blocks * BLOCK * 2 / 10) as f64).collect();
    let largest = means.iter().fold(0.0f64, |largest, mean| largest.max(mean.abs()));
    println!("{seconds} s: largest mean of a tenth {largest:.1e}");
    assert!(
        means.iter().sum::<f64>().abs() < 1e-4 && largest < 2e-5,
        "the output drifts: {means:?}"
    );
    (levels.iter().map(|power: &f64| 10.0 * power.log10()).collect(), costs)
}

/// The first tenth begins from rest. Every other is within `bound` of the mean of all, and the
/// halves within half of it.
fn no_drift(levels: &[f64], within_db: f64) {
    let mean = |levels: &[f64]| levels.iter().sum::<f64>() / levels.len() as f64;
    let (all, drift) = (mean(&levels[1..]), mean(&levels[6..]) - mean(&levels[1..5]));
    let farthest =
        levels[1..].iter().fold(0.0f64, |farthest, level| farthest.max((level - all).abs()));
    println!(
        "{levels:.2?}: {farthest:.2} dB from the mean at most, the second half {drift:+.2} dB"
    );
    assert!(farthest < within_db && drift.abs() < 0.5 * within_db, "{levels:?}");
}

/// A tenth is 12 s. The lowest modes decay by 2.4 per second, so its level varies by about 0.3 dB;
/// in the hour by a fifth of that.
#[test]
fn two_minutes_of_rolling_stay_constant() {
    no_drift(&roll(120.0, 0, &[]).0, 0.75);
}

#[test]
fn a_minute_of_rolling_with_every_law_stays_constant() {
    for (name, more) in LAWS {
        println!("{name}");
        // Wood: its modes decay faster, so 6 s are as good as a minute.
        no_drift(&roll(60.0, 0, &[more, &[("mater", "Wood")]].concat()).0, 0.6);
    }
}

#[test]
#[ignore = "long rolls, level over time and rate, and block costs: cargo xtask measure roll"]
fn what_the_blocks_of_a_roll_cost() {
    roll(60.0, costs::AGAIN, &[]).1.print();
}

#[test]
#[ignore = "long rolls, level over time and rate, and block costs: cargo xtask measure roll"]
fn an_hour_of_rolling_stays_constant() {
    let (levels, costs) = roll(3600.0, costs::AGAIN, &[]);
    costs.print();
    no_drift(&levels, 0.5);
}

#[test]
#[ignore = "long rolls, level over time and rate, and block costs: cargo xtask measure roll"]
fn ten_minutes_of_rolling_with_every_law_stay_constant() {
    for (name, more) in LAWS {
        println!("{name}");
        let (levels, costs) = roll(600.0, costs::AGAIN, more);
        costs.print();
        no_drift(&levels, 0.7);
    }
}
