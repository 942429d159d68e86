//! Injected faults: NaN and infinity in a voice, and disks that fail.

#[cfg(unix)]
mod disk;
mod memory;
mod scenario;
mod voice;
mod voice_isolation;
