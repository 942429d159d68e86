//! Hostile input, injected faults, and every pair of choices: the engine stays finite and files
//! stay whole.

#![cfg(feature = "cli")]

mod faults;
mod fuzz;
mod hostile_patches;
mod matrix;

#[path = "../support/patches.rs"]
mod patches;
#[path = "../support/random.rs"]
mod random;
#[path = "../support/storm.rs"]
mod storm;

// The guard of `assert_no_alloc`. The crate has none without debug assertions.
#[cfg(debug_assertions)]
#[global_allocator]
static GUARD: assert_no_alloc::AllocDisabler = assert_no_alloc::AllocDisabler;
