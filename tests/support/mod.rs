//! Shared by the tests that load the built plug-in.
// Every test program compiles this module for itself and uses a part of it.
#![allow(dead_code)]

pub mod child;
pub mod clap_host;

use std::path::PathBuf;

/// The built file that the environment variable `name` points to (`ICTUS_CLAP`, `ICTUS_VST3`,
/// `ICTUS_GUARDED_CLAP`, `ICTUS_STANDALONE` or `ICTUS_CLI`).
///
/// # Panics
/// If the variable is not set or the file does not exist: a test that cannot load the plug-in has
/// failed.
pub fn built(name: &str) -> PathBuf {
    let how = "`cargo xtask test` builds the bundles and sets it; `cargo xtask test --only tests` skips the other steps";
    let path = std::env::var_os(name).unwrap_or_else(|| panic!("{name} is not set: {how}"));
    let path = PathBuf::from(path);
    assert!(path.exists(), "{name} points to {}, which does not exist: {how}", path.display());
    path
}
