//! Presets as files and folders: what is written comes back, what is damaged changes nothing, and
//! two who write at once lose nothing.

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

use std::path::PathBuf;

/// An empty folder of its own for a test.
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("presets").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    folder
}
