//! Instructions of a piece of work, counted by callgrind.
//!
//! Counts do not depend on what else the machine does, only on the code, the compiler and the
//! instruction set. Valgrind knows nothing beyond AVX2, so on every x86-64 machine of the last ten
//! years the work runs on AVX2.
use super::BUILD;
use crate::process;
use crate::workspace::Workspace;
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The function in which counting is on.
const COUNTED: &str = "--toggle-collect=*work::counted*";

/// Whether the baseline is of machines like this one.
pub const COUNTS_HERE: bool = cfg!(all(target_os = "linux", target_arch = "x86_64"));

/// Whether callgrind can be had.
pub fn can_count() -> bool {
    COUNTS_HERE && process::succeeds("valgrind", &["--version"])
}

/// The compiler, as it names itself.
pub fn compiler() -> String {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc).arg("--version").output();
    output.map_or("an unknown compiler".into(), |output| {
        String::from_utf8_lossy(&output.stdout).trim().to_owned()
    })
}

/// The instruction set, and every piece of work with its count.
pub fn count(workspace: &Workspace) -> Result<(String, Vec<(String, u64)>)> {
    let program = build(workspace)?;
    let list = Command::new("valgrind")
        .args(["--tool=none", "--quiet"])
        .arg(&program)
        .arg("--list")
        .output();
    let list = list.context("cannot start valgrind")?;
    let list = String::from_utf8_lossy(&list.stdout).into_owned();
    let mut lines = list.lines().map(str::to_owned);
    let kernel = lines.next().context("the work names no instruction set")?;
    let counted = lines.map(|name| {
        eprintln!("  counting: {name}");
        Ok((name.clone(), instructions(&program, &name).with_context(|| name.clone())?))
    });
    Ok((kernel, counted.collect::<Result<_>>()?))
}

/// What one more note of a factory preset takes in its first 20 ms, and what it may take.
#[derive(Debug)]
pub struct Note {
    /// The preset.
    pub preset: String,
    /// Instructions by which two notes take more than one.
    pub count: u64,
    /// The bound.
    pub most: u64,
}

/// Counts one more note of the factory presets that the gate watches, or of all.
pub fn notes(workspace: &Workspace, all: bool) -> Result<Vec<Note>> {
    let program = build(workspace)?;
    let list = Command::new(&program)
        .arg(if all { "--all-notes" } else { "--notes" })
        .output()
        .context("cannot list the notes")?;
    let list = String::from_utf8_lossy(&list.stdout).into_owned();
    let counted = list.lines().map(|line| {
        let (preset, most) =
            line.split_once(' ').with_context(|| format!("no bound in {line:?}"))?;
        let [one, two] = [1, 2].map(|notes| instructions(&program, &format!("{preset} {notes}")));
        let count = two?.saturating_sub(one?);
        Ok(Note {
            preset: preset.into(),
            count,
            most: most.parse().context("the bound is no number")?,
        })
    });
    counted.collect()
}

/// Builds the work and says where it is.
fn build(workspace: &Workspace) -> Result<PathBuf> {
    let args = ["--bench", "work", "--no-run", "--message-format=json-render-diagnostics"];
    let mut command = process::cargo(&workspace.root);
    let output = command.args(BUILD).args(args).stderr(std::process::Stdio::inherit()).output();
    let output = output.context("cannot start cargo")?;
    if !output.status.success() {
        bail!("the work does not build ({})", output.status);
    }
    let messages = String::from_utf8_lossy(&output.stdout).into_owned();
    let program = messages
        .lines()
        .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok())
        .find_map(|message| {
            let is_work = message["target"]["name"] == "work";
            message["executable"].as_str().filter(|_| is_work).map(PathBuf::from)
        });
    program.context("cargo does not say what it has built")
}

fn instructions(program: &Path, name: &str) -> Result<u64> {
    let mut command = Command::new("valgrind");
    command
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null", COUNTED])
        .arg(program)
        .arg(name);
    let output = command.output().context("cannot start valgrind")?;
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    if !output.status.success() {
        bail!("it failed under valgrind:\n{told}");
    }
    let count = told.lines().find_map(|line| line.split_once("Collected :")?.1.trim().parse().ok());
    // Nothing counted means that the function was not found by its name.
    count.filter(|count| *count > 0).with_context(|| format!("callgrind tells no count:\n{told}"))
}
