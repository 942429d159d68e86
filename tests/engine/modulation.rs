//! What moves a note's settings, from the player's hands to the sound.

mod blocks;
mod common;
mod human;
mod mpe;
mod notes;
mod pitch;
mod samples;
mod sources;
mod time;
