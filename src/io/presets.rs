//! Presets: files with sounds, which are checked completely before anything changes.
//!
//! [`mod@format`] defines the file, [`factory`] holds the built-in presets, and [`library`] adds
//! the user's folder.

pub mod factory;
pub mod format;
pub mod library;
pub mod sound;

pub use format::{About, Preset};
pub use library::{Entry, Library, Origin};
pub use sound::Sound;
