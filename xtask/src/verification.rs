//! Checks outside `cargo xtask test`: soak, goldens, fuzzing, Miri and RealtimeSanitizer.

use crate::process;
use crate::workspace::Workspace;
use anyhow::{Context, Result, bail, ensure};
use std::path::Path;
use std::process::Command;

/// Cargo arguments that build the core and the command line alone.
pub const CORE_FEATURES: [&str; 3] = ["--no-default-features", "--features", "cli"];

/// Seed corpus of every fuzz target.
const CORPUS: &str = "tests/data/corpus";

/// Fuzz targets that need the plug-in feature.
const PLUGIN_TARGETS: [&str; 1] = ["state"];

/// Thread orders that Miri tries, and the stricter pointer rules.
const MIRI_FLAGS: &str = "-Zmiri-many-seeds=0..16 -Zmiri-strict-provenance";

/// The value of the option `name`. Options outside `known` are errors.
pub fn option<'a>(args: &'a [String], name: &str, known: &[&str]) -> Result<Option<&'a str>> {
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
    command.args(["run", "--release", "--locked"]).args(CORE_FEATURES);
    process::run(command.args(["--bin", "ictus", "--", "soak", "--minutes", minutes]))
}

/// `cargo xtask goldens [--update REASON]`.
pub fn goldens(workspace: &Workspace, args: &[String]) -> Result<()> {
    let reason = option(args, "--update", &["--update"])?;
    let mut command = process::cargo(&workspace.root);
    command.args(["test", "--locked"]).args(CORE_FEATURES).args([
        "--test",
        "goldens",
        "--",
        "--nocapture",
    ]);
    if let Some(reason) = reason {
        ensure!(reason.trim().len() >= 8, "--update needs a reason in words");
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
    if PLUGIN_TARGETS.contains(&target) {
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

/// Tests that Miri runs: data shared between threads, and the event queue.
const MIRI_TESTS: [&str; 4] =
    ["sync::", "event::", "shared_state::params::tests::", "shared_state::telemetry::"];

/// `cargo xtask miri`.
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

/// `cargo xtask rtsan`: runs `tests/realtime` with RealtimeSanitizer, or says why it cannot.
pub fn rtsan(workspace: &Workspace) -> Result<()> {
    let Some(host) = host() else {
        println!("skipped: there is no nightly toolchain (rustup toolchain install nightly)");
        return Ok(());
    };
    if !has_runtime(&host) {
        println!("skipped: the nightly toolchain has no RealtimeSanitizer for {host}");
        return Ok(());
    }
    let mut command = Command::new("rustup");
    command.current_dir(&workspace.root).args([
        "run",
        "nightly",
        "cargo",
        "test",
        "--locked",
        "--package",
        "ictus",
    ]);
    // With an explicit target, build scripts and macros are built without the sanitizer.
    command.args(["--no-default-features", "--test", "realtime", "--target", &host]);
    command.arg("--target-dir").arg(workspace.target.join("rtsan"));
    command
        .env("RUSTFLAGS", "-Zsanitizer=realtime --cfg rtsan")
        .env_remove("CARGO")
        .env_remove("RUSTC");
    process::run(command.env_remove("RUSTUP_TOOLCHAIN"))
}

fn nightly(args: &[&str]) -> Option<String> {
    let output =
        Command::new("rustup").args(["run", "nightly", "rustc"]).args(args).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

fn host() -> Option<String> {
    nightly(&["-vV"])?.lines().find_map(|line| line.strip_prefix("host: ")).map(str::to_owned)
}

/// Whether the toolchain contains the sanitizer, a library whose name contains `rtsan`.
fn has_runtime(host: &str) -> bool {
    let Some(folder) = nightly(&["--print", "target-libdir", "--target", host]) else {
        return false;
    };
    let Ok(files) = Path::new(folder.trim()).read_dir() else { return false };
    files.flatten().any(|file| file.file_name().to_string_lossy().contains("rtsan"))
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
