//! Two-way contact: striker and body move each other, and together they never make energy.

mod body;
mod bounded;
mod first_contact;
mod lifecycle;
mod many_strikers;
mod order;
#[path = "../support/patches.rs"]
mod patches;
mod recording;
mod rest;
mod strike;
