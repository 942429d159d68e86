//! `cargo xtask rtsan`: the core under RealtimeSanitizer, where a nightly toolchain has it.
use crate::process;
use crate::workspace::Workspace;
use anyhow::Result;
use std::path::Path;
use std::process::Command;

/// Builds the engine and its test (`tests/realtime.rs`) with the sanitizer and runs it; says why if
/// it cannot.
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
    // With a target named, build scripts and macros are built without it.
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

/// The sanitizer is a library of the toolchain; its name differs from system to system, but for one
/// part.
fn has_runtime(host: &str) -> bool {
    let Some(folder) = nightly(&["--print", "target-libdir", "--target", host]) else {
        return false;
    };
    let Ok(files) = Path::new(folder.trim()).read_dir() else { return false };
    files.flatten().any(|file| file.file_name().to_string_lossy().contains("rtsan"))
}
