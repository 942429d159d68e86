//! Gestures as the engine plays them: bounce, roll and scrape, tumble, chain, external force.

#![cfg(feature = "cli")]

mod bounce;
mod bounce_stream;
mod chain;
mod external;
mod live;
mod oblique;
mod roll;
mod tumble;

#[path = "../support/costs.rs"]
mod costs;
#[path = "../support/k_weighting.rs"]
mod k_weighting;
#[path = "../support/patches.rs"]
mod patches;
#[path = "../support/playing.rs"]
mod playing;
#[path = "../support/random.rs"]
mod random;
#[path = "../support/sound.rs"]
mod sound;

// The guard of `assert_no_alloc`. The crate has none without debug assertions.
#[cfg(debug_assertions)]
#[global_allocator]
static GUARD: assert_no_alloc::AllocDisabler = assert_no_alloc::AllocDisabler;
