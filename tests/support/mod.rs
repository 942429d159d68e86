//! What the tests that load the built plug-in share.
// Every test target compiles this module for itself and uses its own part of it.
#![allow(dead_code)]

pub mod child;
pub mod clap_host;

use std::path::PathBuf;

/// The built file that the environment variable `name` points to (`ICTUS_CLAP`, `ICTUS_VST3`,
/// `ICTUS_GUARDED_CLAP`, `ICTUS_STANDALONE` or `ICTUS_CLI`).
///
/// # Panics
/// When the variable is not set or the file is not there: a test that cannot load the plug-in has
/// not passed.
pub fn built(name: &str) -> PathBuf {
    let how = "`cargo xtask test` builds the bundles and sets it; `cargo xtask test --only tests` skips the other steps";
    let path = std::env::var_os(name).unwrap_or_else(|| panic!("{name} is not set: {how}"));
    let path = PathBuf::from(path);
    assert!(path.exists(), "{name} points to {}, which does not exist: {how}", path.display());
    path
}
