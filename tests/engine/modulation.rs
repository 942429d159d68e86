//! Modulation of a note's settings, from controllers and modulators to the sound.

mod blocks;
mod common;
mod human;
mod mpe;
mod notes;
mod pitch;
mod samples;
mod sources;
mod time;
