//! Contacts between a mass and a surface: the contact laws, the integrators that step them, the
//! coefficient of restitution, and contacts that are coupled to a vibrating body.

#![cfg(feature = "cli")]

mod closed_forms;
mod coupled;
mod exact_integrator;
mod grid;
mod live;
mod modes;
mod passive;
mod properties;
mod replay;
mod restitution;
mod snapshots;
mod tables;

#[path = "../support/number_snapshots.rs"]
mod number_snapshots;
#[path = "../support/patches.rs"]
mod patches;
#[path = "../support/playing.rs"]
mod playing;
#[path = "../support/random.rs"]
mod random;
#[path = "../support/storm.rs"]
mod storm;

// The guard of `assert_no_alloc`. The crate has none without debug assertions.
#[cfg(debug_assertions)]
#[global_allocator]
static GUARD: assert_no_alloc::AllocDisabler = assert_no_alloc::AllocDisabler;
