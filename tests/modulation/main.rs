//! What moves a note's settings, from the player's hands to the sound.

#![cfg(feature = "cli")]

mod blocks;
mod common;
mod human;
mod mpe;
mod notes;
#[path = "../support/patches.rs"]
mod patches;
mod pitch;
mod samples;
mod sources;
mod time;
