//! Rolling and scraping: tables, physics, the same at every sample rate, and for as long as one
//! likes.

mod audit;
mod body;
mod landing;
#[cfg(feature = "cli")]
mod listen;
mod long;
mod physics;
mod rates;
mod sound;
mod table;
mod timbre;
mod turns;

// The crate leaves it out where there are no debug assertions.
#[cfg(debug_assertions)]
#[global_allocator]
static GUARD: assert_no_alloc::AllocDisabler = assert_no_alloc::AllocDisabler;
