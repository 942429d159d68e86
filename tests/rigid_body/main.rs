//! Rigid bodies: impacts at one point and at several, tumbling, and chains of balls.

#![cfg(feature = "cli")]

mod chain;
mod cost;
mod several_points;
mod single_point;
mod snapshots;
mod tumble;

#[path = "../support/number_snapshots.rs"]
mod number_snapshots;

// The guard of `assert_no_alloc`. The crate has none without debug assertions.
#[cfg(debug_assertions)]
#[global_allocator]
static GUARD: assert_no_alloc::AllocDisabler = assert_no_alloc::AllocDisabler;
