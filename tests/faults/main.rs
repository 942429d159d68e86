//! What has no business to happen, made to happen: numbers in a voice that are none, and disks that do not do what they
//! should.

#![cfg(feature = "cli")]

#[cfg(unix)]
mod disk;
mod voice;
