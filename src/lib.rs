//! Ictus: the sound of things hitting things.
pub mod contact;
#[cfg(feature = "cli")]
pub mod cli;
