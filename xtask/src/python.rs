//! The hosts that come as Python packages, in an environment of their own.
use crate::process;
use crate::workspace::Workspace;
use anyhow::{Context, Result, bail};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The system's Python.
pub const SYSTEM: &str = if cfg!(windows) { "python" } else { "python3" };

/// Runs every `tests/python/test_*.py` in the environment, with `variables` set.
pub fn run_tests(workspace: &Workspace, variables: &[(&str, PathBuf)]) -> Result<()> {
    let folder = workspace.root.join("tests").join("python");
    let python = environment(workspace, &folder.join("requirements.txt"))?;
    let mut scripts: Vec<PathBuf> = fs::read_dir(&folder)
        .with_context(|| format!("cannot read {}", folder.display()))?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| is_test(path))
        .collect();
    scripts.sort();
    if scripts.is_empty() {
        bail!("there is no test_*.py in {}", folder.display());
    }
    for script in scripts {
        let mut command = Command::new(&python);
        // Without compiled copies beside the sources, which would show up as untracked files.
        command.arg("-B").arg(script).envs(variables.iter().cloned());
        process::run(&mut command)?;
    }
    Ok(())
}

fn is_test(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.starts_with("test_") && name.ends_with(".py")
}

/// The Python of the environment in `target/venv`, which is made when it is missing or its
/// requirements changed.
fn environment(workspace: &Workspace, requirements: &Path) -> Result<PathBuf> {
    let venv = workspace.target.join("venv");
    let python = if cfg!(windows) {
        venv.join("Scripts").join("python.exe")
    } else {
        venv.join("bin").join("python")
    };
    let wanted = fs::read_to_string(requirements)
        .with_context(|| format!("cannot read {}", requirements.display()))?;
    // Written last, so an installation that was cut short does not pass for a whole one.
    let stamp = venv.join("installed-requirements.txt");
    if python.exists() && fs::read_to_string(&stamp).is_ok_and(|installed| installed == wanted) {
        return Ok(python);
    }
    process::run(Command::new(SYSTEM).args(["-m", "venv", "--clear"]).arg(&venv))?;
    let install = || {
        let mut pip = Command::new(&python);
        pip.args(["-m", "pip", "install", "--disable-pip-version-check", "--requirement"])
            .arg(requirements);
        process::run(&mut pip)
    };
    // Downloads fail now and then for no lasting reason.
    install().or_else(|error| {
        eprintln!("  {error:#}; trying once more");
        install()
    })?;
    fs::write(&stamp, wanted).with_context(|| format!("cannot write {}", stamp.display()))?;
    Ok(python)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_test_scripts_are_run() {
        assert!(is_test(Path::new("tests/python/test_vst3.py")));
        assert!(!is_test(Path::new("tests/python/phrase.py")));
        assert!(!is_test(Path::new("tests/python/test_vst3.pyc")));
    }
}
