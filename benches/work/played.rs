//! The whole engine: every gesture on a few keys, and silence.

use crate::Work;
use ictus_bench::bench_engine::BenchEngine;
use ictus_bench::gestures::{GESTURES, Gesture};

/// Keys that are played.
const VOICES: usize = 4;
/// Blocks that are counted of what rolls: every one of them is work.
const HELD_BLOCKS: usize = 25;
/// And of what is played again and again, at least.
const MIN_BLOCKS: usize = 75;
/// Of an engine that plays nothing.
const IDLE_BLOCKS: usize = 1000;
const IDLE: &str = "engine idle";

fn name(gesture: &Gesture) -> String {
    format!("engine {}", gesture.name)
}

/// What can be counted here.
pub fn names() -> Vec<String> {
    [IDLE.to_owned()].into_iter().chain(GESTURES.iter().map(name)).collect()
}

/// The work of this name.
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
