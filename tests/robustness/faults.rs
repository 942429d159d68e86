//! What has no business to happen, made to happen: numbers in a voice that are none, and disks that
//! do not do what they should.

#[cfg(unix)]
mod disk;
mod memory;
mod scenario;
mod voice;
mod voice_isolation;
