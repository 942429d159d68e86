//! Ictus: the sound of things hitting things.
#[cfg(feature = "cli")]
pub mod cli;
pub mod contact;
