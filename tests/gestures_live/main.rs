//! Gestures, coupling and bodies through the whole instrument.

#![cfg(feature = "cli")]

#[path = "../support/k_weighting.rs"]
mod k_weighting;
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
mod roll;
