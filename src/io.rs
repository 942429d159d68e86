//! Everything that reads or writes files: presets, mode lists, surfaces, tunings, sound and MIDI.

#[cfg(feature = "cli")]
pub mod midi_file;
pub mod mode_lists;
pub mod presets;
pub mod surfaces;
pub mod tunings;
#[cfg(feature = "cli")]
pub mod wav;

use std::path::Path;

use anyhow::{Context, Result, ensure};

/// Reads a file of at most `max_bytes`; `what` names the kind of file in the error.
fn read_limited(path: &Path, max_bytes: u64, what: &str) -> Result<Vec<u8>> {
    let size = std::fs::metadata(path).context("cannot be read")?.len();
    ensure!(size <= max_bytes, "has {size} bytes; {what} has at most {max_bytes}");
    std::fs::read(path).context("cannot be read")
}

/// Reads a text file of at most `max_bytes`.
fn read_text(path: &Path, max_bytes: u64, what: &str) -> Result<String> {
    String::from_utf8(read_limited(path, max_bytes, what)?).context("cannot be read")
}
