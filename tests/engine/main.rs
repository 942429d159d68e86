//! The engine as a whole: voices, levels, modulation, tuning, surfaces, and what must not change
//! the sound.

#![cfg(feature = "cli")]

mod auto_level;
mod instrument;
mod invariance;
mod levelling;
mod modulation;
mod output;
mod reset;
mod scala;
mod surface_files;
mod tuning;
mod voices;

#[path = "../support/bursts.rs"]
mod bursts;
#[path = "../support/k_weighting.rs"]
mod k_weighting;
#[path = "../support/patches.rs"]
mod patches;
#[path = "../support/random.rs"]
mod random;

// The guard of `assert_no_alloc`. The crate has none without debug assertions.
#[cfg(debug_assertions)]
#[global_allocator]
static GUARD: assert_no_alloc::AllocDisabler = assert_no_alloc::AllocDisabler;
