//! Two-way contact: striker and body move each other, and together they never make energy.

mod body;
mod bounded;
mod crowd;
mod first;
mod life;
mod order;
#[path = "../support/patches.rs"]
mod patches;
mod rest;
mod seen;
mod strike;
