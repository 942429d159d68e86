//! What takes too long, or needs too much, for `cargo xtask test`: soak, fuzz, Miri, and the
//! goldens.

use crate::process;
use crate::workspace::Workspace;
use anyhow::{Context, Result, bail, ensure};
use std::process::Command;

/// What these commands build: the core and the command line.
const FEATURES: [&str; 3] = ["--no-default-features", "--features", "cli"];

/// Where a search by `cargo fuzz` begins, besides what it has found itself.
const CORPUS: &str = "tests/data/corpus";

/// Programs of `fuzz/` that need the plug-in built.
const OF_THE_PLUGIN: [&str; 1] = ["state"];

/// Orders that Miri tries, and what it checks beyond its own rules.
const MIRI_FLAGS: &str = "-Zmiri-many-seeds=0..16 -Zmiri-strict-provenance";

/// The value after `name`, and nothing else but known names.
fn option<'a>(args: &'a [String], name: &str, known: &[&str]) -> Result<Option<&'a str>> {
    let mut found = None;
    for pair in args.chunks(2) {
        match pair {
            [key, value] if key == name => found = Some(value.as_str()),
            [key, _] if known.contains(&key.as_str()) => {}
            _ => bail!("{:?} is not one of {} with a value", pair[0], known.join(", ")),
        }
    }
    Ok(found)
}

/// `cargo xtask soak --minutes N`.
pub fn soak(workspace: &Workspace, args: &[String]) -> Result<()> {
    let minutes = option(args, "--minutes", &["--minutes"])?.unwrap_or("60");
    let mut command = process::cargo(&workspace.root);
    command.args(["run", "--release", "--locked"]).args(FEATURES);
    process::run(command.args(["--bin", "ictus", "--", "soak", "--minutes", minutes]))
}

/// `cargo xtask measure level`.
pub fn measure(workspace: &Workspace, args: &[String]) -> Result<()> {
    ensure!(args == ["level"], "what is measured is: level");
    let mut command = process::cargo(&workspace.root);
    command.args(["test", "--release", "--locked"]).args(FEATURES);
    process::run(command.args(["--test", "auto_level", "--", "--ignored", "--nocapture"]))
}

/// `cargo xtask goldens [--update REASON]`.
pub fn goldens(workspace: &Workspace, args: &[String]) -> Result<()> {
    let reason = option(args, "--update", &["--update"])?;
    let mut command = process::cargo(&workspace.root);
    command.args(["test", "--locked"]).args(FEATURES).args([
        "--test",
        "goldens",
        "--",
        "--nocapture",
    ]);
    if let Some(reason) = reason {
        ensure!(reason.trim().len() >= 8, "--update wants a reason, in some words");
        command.env("ICTUS_GOLDENS", reason);
    }
    process::run(&mut command)
}

/// `cargo xtask fuzz --target NAME [--seconds N]`.
pub fn fuzz(workspace: &Workspace, args: &[String]) -> Result<()> {
    let known = ["--target", "--seconds"];
    let target =
        option(args, "--target", &known)?.context("--target names a file of fuzz/fuzz_targets")?;
    let seconds = option(args, "--seconds", &known)?.unwrap_or("60");
    let seconds: u32 =
        seconds.parse().with_context(|| format!("--seconds {seconds}: a whole number"))?;
    if !process::succeeds("cargo", &["+nightly", "fuzz", "--version"]) {
        println!(
            "there is no cargo-fuzz on a nightly toolchain (`cargo install cargo-fuzz`): skipped"
        );
        return Ok(());
    }
    let found = format!("fuzz/corpus/{target}");
    std::fs::create_dir_all(&found).with_context(|| format!("cannot make {found}"))?;
    let mut command = Command::new("cargo");
    command.current_dir(&workspace.root).args(["+nightly", "fuzz", "run"]);
    if OF_THE_PLUGIN.contains(&target) {
        command.args(["--features", "plugin"]);
    }
    command.args([target, &found]);
    command.arg(format!("{CORPUS}/{target}"));
    command.args([
        "--",
        "-dict=fuzz/special.dict",
        "-max_len=65536",
        &format!("-max_total_time={seconds}"),
    ]);
    process::run(&mut command)
}

/// Tests that Miri runs: what passes between threads as the plug-in uses it, and the queue of
/// events.
const MIRI_TESTS: [&str; 4] =
    ["sync::", "event::", "shared_state::params::tests::", "shared_state::telemetry::"];

/// `cargo xtask miri`: what passes between threads, and the queue of events.
pub fn miri(workspace: &Workspace) -> Result<()> {
    if !process::succeeds("cargo", &["+nightly", "miri", "--version"]) {
        println!(
            "there is no Miri (`rustup component add --toolchain nightly miri rust-src`): skipped"
        );
        return Ok(());
    }
    let mut command = Command::new("cargo");
    command
        .current_dir(&workspace.root)
        .env("MIRIFLAGS", MIRI_FLAGS)
        .env("CARGO_TARGET_DIR", workspace.target.join("miri"));
    command.args([
        "+nightly",
        "miri",
        "test",
        "--package",
        "ictus",
        "--no-default-features",
        "--features",
        "plugin",
    ]);
    process::run(command.args(["--lib", "--"]).args(MIRI_TESTS))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_taken_by_name_and_others_are_refused() {
        let args = ["--target", "midi", "--seconds", "5"].map(String::from);
        let known = ["--target", "--seconds"];
        assert_eq!(option(&args, "--seconds", &known).expect("known"), Some("5"));
        assert_eq!(option(&args[..2], "--seconds", &known).expect("known"), None);
        assert!(option(&args, "--target", &["--target"]).is_err());
        assert!(option(&args[..3], "--target", &known).is_err(), "a name without a value");
    }
}
