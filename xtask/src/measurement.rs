//! Files in `docs/measurements`, which commands write and nobody edits.
use crate::workspace::Workspace;
use anyhow::{Context, Result};
use std::fs;
use std::path::Path;
use std::process::Command;

/// The head of such a file: what it is, and on which commit, machine and day it was measured.
pub fn head(title: &str, workspace: &Workspace) -> Result<String> {
    let command: Vec<String> =
        std::env::args().skip(1).map(|argument| base_name(&argument)).collect();
    Ok(format!(
        "# {title}\n\nWritten by `cargo xtask {}`. Commit {}, {}, {}, {}.\n",
        command.join(" "),
        ask(workspace, "git", &["describe", "--always", "--dirty"])?,
        processor(),
        ask(workspace, "rustc", &["--version"])?,
        ask(workspace, "date", &["-u", "+%Y-%m-%d"])?,
    ))
}

/// Writes a file below the repository.
pub fn write(workspace: &Workspace, path: &str, text: &str) -> Result<()> {
    let path = workspace.root.join(path);
    let folder = path.parent().context("a file has a folder")?;
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))
}

/// `NAME=/somewhere/PROGRAM` without the folder, which is this machine's.
fn base_name(argument: &str) -> String {
    match argument.split_once('=') {
        Some((name, path)) => {
            let file =
                Path::new(path).file_name().map_or(path.into(), |file| file.to_string_lossy());
            format!("{name}={file}")
        }
        None => argument.to_owned(),
    }
}

fn ask(workspace: &Workspace, program: &str, args: &[&str]) -> Result<String> {
    let output = Command::new(program).args(args).current_dir(&workspace.root).output();
    let output = output.with_context(|| format!("cannot run {program}"))?;
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// The processor and its cores.
fn processor() -> String {
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = info.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    format!("{}, {cores} cores", name.map_or("unknown processor", |(_, name)| name.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_path_of_a_machine_is_kept() {
        assert_eq!(base_name("pluginval=/somewhere/bin/pluginval"), "pluginval=pluginval");
        assert_eq!(base_name("--record"), "--record");
    }
}
