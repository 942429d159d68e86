//! Gestures, coupling and bodies through the whole instrument.

#![cfg(feature = "cli")]

#[path = "../support/costs.rs"]
mod costs;
#[path = "../support/k_weighting.rs"]
mod k_weighting;
#[path = "../support/patches.rs"]
mod patches;
#[path = "../roll/sound.rs"]
mod sound;

mod bounce;
mod common;
mod coupling;
mod everything;
mod knobs;
mod level;
mod long;
mod moving;
mod rates;
mod roll;
mod scrape;

// The crate leaves it out where there are no debug assertions.
#[cfg(debug_assertions)]
#[global_allocator]
static GUARD: assert_no_alloc::AllocDisabler = assert_no_alloc::AllocDisabler;
