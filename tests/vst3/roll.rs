//! A rolling ball needs a surface, which is built on another thread. However it is requested, the
//! first block has it: every run is the same, and none is silent.

use crate::clap_state_parity::load_preset;
use crate::common::assert_same;
use crate::helpers::{BLOCK, RATE, clap, id, playing, vst3};
use crate::programs::program;
use crate::support::child::run_isolated;
use crate::support::clap_host::{Rendered, Score, fixed_blocks};

const RUNS: usize = 50;

/// Asserts that fifty runs are alike and not silent.
#[track_caller]
fn assert_all_alike(mut run: impl FnMut() -> Rendered) {
    let first = run();
    assert!(first.peak() > 1e-4, "the first run is silent");
    let runs: Vec<_> = (1..RUNS).map(|_| run()).collect();
    let silent = runs.iter().filter(|heard| heard.peak() < 1e-4).count();
    let different = runs
        .iter()
        .filter(|heard| crate::common::first_difference(heard, &first).is_some())
        .count();
    assert_eq!((silent, different), (0, 0), "silent and different ones of {RUNS}");
}

fn blocks() -> Vec<u32> {
    fixed_blocks(4800, BLOCK)
}

fn held() -> Score {
    Score::new().on(0, 60, 0.9)
}

#[test]
fn marble_roll_as_a_program_in_the_same_block() {
    run_isolated(|| {
        assert_all_alike(|| {
            let host = playing();
            let (id, value) = program(&host, "Marble roll");
            host.set_value(id, value);
            let steps = host
                .params()
                .iter()
                .find(|param| param.id == id)
                .map_or(1, |param| param.step_count);
            let score =
                Score::new().param(0, id, (value * f64::from(steps)).round()).on(0, 60, 0.9);
            host.render(&score, &blocks()).expect("plays")
        });
    });
}

#[test]
fn marble_roll_as_a_state_before_and_after_activation() {
    run_isolated(|| {
        let mut theirs = clap();
        load_preset(&mut theirs, "marble-roll");
        let state = theirs.save().expect("saves");
        theirs.activate(RATE, BLOCK).expect("it can be activated");
        let expected = theirs.render(&held(), &blocks()).expect("plays");
        assert_all_alike(|| {
            let host = vst3();
            host.restore(&state).expect("it opens");
            host.activate(RATE, BLOCK).expect("it can be activated");
            let heard = host.render(&held(), &blocks()).expect("plays");
            assert_same("before activation, as in the CLAP", &heard, &expected);
            heard
        });
        assert_all_alike(|| {
            let host = playing();
            host.restore(&state).expect("it opens");
            host.render(&held(), &blocks()).expect("plays")
        });
    });
}

#[test]
fn the_gesture_as_a_parameter_in_the_same_block() {
    run_isolated(|| {
        assert_all_alike(|| {
            let score = Score::new().param(0, id("gest"), 2.0).on(0, 60, 0.9);
            playing().render(&score, &blocks()).expect("plays")
        });
    });
}
