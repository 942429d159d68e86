//! What the audio thread must never do: allocate, lock or wait.
//!
//! `cargo xtask rtsan` builds this target with RealtimeSanitizer, and then only [`sanitizer`] is in
//! it.

#![cfg_attr(rtsan, feature(sanitize))]

#[cfg(not(rtsan))]
mod no_alloc;
#[cfg(rtsan)]
mod sanitizer;
#[cfg(all(feature = "cli", not(rtsan)))]
mod storm_cost;

#[cfg(all(feature = "cli", not(rtsan)))]
#[path = "../support/patches.rs"]
mod patches;
#[cfg(all(feature = "cli", not(rtsan)))]
#[path = "../support/playing.rs"]
mod playing;
#[cfg(not(rtsan))]
#[path = "../support/random.rs"]
mod random;
#[cfg(not(rtsan))]
#[path = "../support/storm.rs"]
mod storm;

// The guard of `assert_no_alloc`. The crate has none without debug assertions.
#[cfg(all(debug_assertions, not(rtsan)))]
#[global_allocator]
static GUARD: assert_no_alloc::AllocDisabler = assert_no_alloc::AllocDisabler;
