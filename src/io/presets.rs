//! Presets: sounds in files, read whole and checked before anything changes.
//!
//! [`mod@format`] is the file, [`factory`] what comes with the instrument, [`library`] the user's
//! folder beside it.

pub mod factory;
pub mod format;
pub mod library;
pub mod sound;

pub use format::{About, Preset};
pub use library::{Entry, Library, Origin};
pub use sound::Sound;
