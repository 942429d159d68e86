//! Presets as files and folders: a written preset reads back the same, a damaged one changes
//! nothing, and concurrent writers lose nothing.

#![cfg(any(feature = "plugin", feature = "cli"))]

#[cfg(feature = "cli")]
mod command;
#[cfg(feature = "cli")]
mod dice;
mod hostile;
mod library;
#[cfg(feature = "cli")]
mod loudness;
#[cfg(feature = "cli")]
mod preset_changes;
mod round_trip;

#[cfg(feature = "cli")]
#[path = "../support/random.rs"]
mod random;

use std::path::PathBuf;

/// An empty folder for one test.
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("presets").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    folder
}
