//! The whole engine: every gesture on a few keys, and an idle engine.

use ictus_bench::BenchEngine;
use ictus_bench::{GESTURES, Gesture};

use crate::Work;

/// Number of keys.
const VOICES: usize = 4;
/// Counted blocks of held gestures.
const HELD_BLOCKS: usize = 25;
/// Least number of counted blocks of repeated gestures.
const MIN_BLOCKS: usize = 75;
/// Counted blocks of an idle engine.
const IDLE_BLOCKS: usize = 1000;
const IDLE: &str = "engine idle";

fn name(gesture: &Gesture) -> String {
    format!("engine {}", gesture.name)
}

/// Names of the work in this file.
pub fn names() -> Vec<String> {
    [IDLE.to_owned()].into_iter().chain(GESTURES.iter().map(name)).collect()
}

/// Sets up the work with this name.
pub fn set_up(wanted: &str) -> Work {
    if wanted == IDLE {
        let mut bench_engine = BenchEngine::new(&GESTURES[0], 1, &[], false);
        return Box::new(move || (0..IDLE_BLOCKS).for_each(|_| bench_engine.play(&[])));
    }
    let gesture = GESTURES.iter().find(|gesture| name(gesture) == wanted).expect("a gesture");
    // All keys are played in the first block.
    let mut bench_engine = BenchEngine::new(gesture, VOICES, &[], true);
    let blocks = if gesture.held { HELD_BLOCKS } else { gesture.period.max(MIN_BLOCKS) };
    Box::new(move || {
        for _ in 0..blocks {
            let events = bench_engine.events();
            bench_engine.play(&events);
        }
    })
}
