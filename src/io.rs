//! Everything that reads or writes files: presets, mode lists, surfaces, tunings, sound and MIDI.

#[cfg(feature = "cli")]
pub mod midi_file;
pub mod mode_lists;
pub mod presets;
pub mod surfaces;
pub mod tunings;
#[cfg(feature = "cli")]
pub mod wav;
