//! What has no business to happen, made to happen: numbers in a voice that are none, and disks that
//! do not do what they should.

#![cfg(feature = "cli")]

#[cfg(unix)]
mod disk;
mod memory;
#[path = "../support/patches.rs"]
mod patches;
mod scenario;
mod voice;
mod voice_isolation;

// The crate leaves it out where there are no debug assertions, and with it the guard.
#[cfg(debug_assertions)]
#[global_allocator]
static GUARD: assert_no_alloc::AllocDisabler = assert_no_alloc::AllocDisabler;
