//! `cargo deny`: the rules of `deny.toml`, kept over everything that any build of the workspace
//! uses on any system.
use crate::process;
use crate::workspace::Workspace;
use anyhow::{Context, Result};
use std::path::{Path, PathBuf};

/// What is installed where there is none. Another version might read the rules otherwise.
const VERSION: &str = "0.20.2";

/// Of its checks those that need nothing but the crates themselves; advisories are a database on
/// the net, which changes by the day, and so would the result.
const CHECKS: [&str; 3] = ["bans", "licenses", "sources"];

/// Fails when a rule is broken; cargo-deny says which.
pub fn check(workspace: &Workspace) -> Result<()> {
    let mut command = std::process::Command::new(program(workspace)?);
    command.current_dir(&workspace.root).args([
        "--workspace",
        "--all-features",
        "--locked",
        "check",
    ]);
    process::run(command.args(CHECKS))
}

/// The one on the PATH, or else one of our own in `target/tools`, which is built if need be.
fn program(workspace: &Workspace) -> Result<PathBuf> {
    const NAME: &str = "cargo-deny";
    if process::succeeds(NAME, &["--version"]) {
        return Ok(NAME.into());
    }
    let tools = workspace.target.join("tools");
    let ours = tools.join("bin").join(format!("{NAME}{}", std::env::consts::EXE_SUFFIX));
    if !is_version(&ours, VERSION) {
        eprintln!(
            "  missing: {NAME} (licences, bans and sources); {VERSION} is built into {}",
            workspace.shown(&tools)
        );
        install(workspace, &tools)
            .with_context(|| format!("cannot install {NAME}; try by hand: cargo install {NAME}"))?;
    }
    Ok(ours)
}

fn install(workspace: &Workspace, tools: &Path) -> Result<()> {
    let mut command = process::cargo(&workspace.root);
    command
        .args(["install", "cargo-deny", "--version", VERSION, "--locked", "--force", "--root"])
        .arg(tools);
    // Without optimisation, which is link-time and in one piece: a minute or two to build, and
    // three seconds to run.
    command.arg("--debug").env("CARGO_PROFILE_DEV_DEBUG", "0");
    // A folder of its own: what it needs has other versions and features than what the plug-in
    // needs. It is kept where the build was cut short, so that the next one goes on from there.
    let build = tools.join("build");
    process::run(command.env("CARGO_TARGET_DIR", &build))?;
    std::fs::remove_dir_all(&build)
        .with_context(|| format!("cannot clear {}", workspace.shown(&build)))
}

/// Whether the program is there and says that it is of this version.
fn is_version(program: &Path, version: &str) -> bool {
    let told = std::process::Command::new(program).arg("--version").output();
    told.is_ok_and(|told| {
        String::from_utf8_lossy(&told.stdout).split_whitespace().last() == Some(version)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_of_another_version_and_one_that_is_not_there_are_not_ours() {
        assert!(!is_version(Path::new("rustc"), VERSION));
        assert!(!is_version(Path::new("surely-no-such-program"), VERSION));
    }
}
