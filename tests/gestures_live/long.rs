//! An hour.

use std::time::Instant;

use ictus::engine::NoteEnds;

use crate::common::{RATE_HZ, engine, on, patch};

const BLOCK: usize = 256;

/// Roll for `seconds` with a speed that swings ten times; the level of each tenth, dB, and what each block cost, s.
fn roll(seconds: f64) -> (Vec<f64>, Vec<f64>) {
    let mut patch =
        patch(&[("gest", "Roll"), ("speed", "0.5"), ("offc", "3 %"), ("body", "Supported plate"), ("span", "0.7")]);
    let mut engine = engine(&patch, RATE_HZ);
    let (mut left, mut right) = (vec![0.0f32; BLOCK], vec![0.0f32; BLOCK]);
    let mut ends = NoteEnds::new();
    let blocks = (seconds * RATE_HZ) as usize / BLOCK;
    let (mut levels, mut costs_s, mut sum) = (vec![0.0; 10], Vec::with_capacity(blocks), 0.0);
    for block in 0..blocks {
        let phase = (block * 10) as f64 / blocks as f64 * 2.0 * std::f64::consts::PI;
        patch.set(ictus::patch::Param::Speed, 0.5 + 0.3 * phase.sin());
        let first = [on(0, 45, 1.0)];
        let began = Instant::now();
        let events = if block == 0 { &first[..] } else { &[] };
        engine.process(&patch, events, &mut left, &mut right, &mut ends);
        costs_s.push(began.elapsed().as_secs_f64());
        for x in left.iter().chain(&right) {
            assert!(x.is_finite() && x.abs() < 0.9, "block {block}: {x}");
            sum += f64::from(*x);
            levels[block * 10 / blocks] += f64::from(x * x);
        }
    }
    assert!(ends.is_empty(), "it goes on");
    let mean = sum / (blocks * BLOCK * 2) as f64;
    println!("{seconds} s: mean of the output {mean:.1e}");
    assert!(mean.abs() < 1e-5, "the output drifts: {mean}");
    (levels.iter().map(|power: &f64| 10.0 * power.log10()).collect(), costs_s)
}

fn tell(costs_s: &[f64]) {
    let mean_s = costs_s.iter().sum::<f64>() / costs_s.len() as f64;
    let mut sorted = costs_s.to_vec();
    sorted.sort_by(f64::total_cmp);
    println!(
        "blocks of {BLOCK}: mean {:.1} us, 99.99 % below {:.1} us, worst {:.1} us, ratio {:.1}",
        1e6 * mean_s,
        1e6 * sorted[sorted.len() * 9999 / 10_000],
        1e6 * sorted[sorted.len() - 1],
        sorted[sorted.len() - 1] / mean_s
    );
}

fn no_drift(levels: &[f64]) {
    println!("{levels:.2?}");
    // The first tenth begins from rest.
    assert!(levels[1..].iter().all(|level| (level - levels[1]).abs() < 1.0), "{levels:?}");
}

#[test]
fn twenty_seconds_of_rolling_stay_as_they_are() {
    let (levels, _) = roll(20.0);
    println!("{levels:.2?}");
    assert!(levels[1..].iter().all(|level| (level - levels[1]).abs() < 3.0), "{levels:?}");
}

/// The same each time, so the least that a block ever cost is what it costs without the machine's other business.
#[test]
#[ignore = "measures"]
fn what_the_blocks_of_a_roll_cost() {
    let mut least_s = roll(60.0).1;
    for _ in 0..4 {
        for (least, again) in least_s.iter_mut().zip(roll(60.0).1) {
            *least = least.min(again);
        }
    }
    tell(&least_s);
}

#[test]
#[ignore = "an hour of sound"]
fn an_hour_of_rolling_stays_as_it_is() {
    let (levels, costs_s) = roll(3600.0);
    tell(&costs_s);
    no_drift(&levels);
}
