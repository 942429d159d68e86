//! Voices: how notes share them, and how they end.

mod alloc;
mod bursts;
mod clicks;
mod common;
mod count;
mod groups;
mod pedals;
mod storm;
