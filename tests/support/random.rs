//! Pseudo-random numbers of the tests: reproducible, and without an allocation.
// Every test program compiles this module for itself and uses a part of it.
#![allow(dead_code)]

/// Advances a linear congruential generator (Knuth's MMIX).
fn advance(state: &mut u64) -> u64 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    *state
}

/// 31 random bits.
pub fn next(state: &mut u64) -> u64 {
    advance(state) >> 33
}

/// A uniform number in [0, 1).
pub fn unit(state: &mut u64) -> f64 {
    (advance(state) >> 11) as f64 / (1u64 << 53) as f64
}
