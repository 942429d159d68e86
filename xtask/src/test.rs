//! `cargo xtask test`: all checks, step by step.

use crate::progress::{Done, Steps};
use crate::setup::{self, Purpose};
use crate::workspace::Workspace;
use crate::{bench, bundle, editor, process, render, supply};
use anyhow::{Context, Result, bail};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

type Work = fn(&Workspace) -> Result<Done>;

/// The steps, with the quick ones first.
///
/// Cargo builds the dependencies four times: checked (lints and documentation), release (the
/// shipped plug-in), dev (shared by the guarded plug-in and the tests) and bench (the gate).
const STEPS: &[(&str, Work)] = &[
    ("set-up", |workspace| must(set_up(workspace))),
    ("format", |workspace| must(cargo(workspace, &["fmt", "--all", "--check"]))),
    ("supply", |workspace| must(supply::check(workspace))),
    ("lints", |workspace| must(lints(workspace))),
    // The core builds without the framework.
    ("core", |workspace| {
        must(cargo(
            workspace,
            &["build", "--locked", "--package", "ictus", "--lib", "--no-default-features"],
        ))
    }),
    ("release", |workspace| {
        bundle::build_release(workspace)?;
        must(bundle::bundle_release(workspace))
    }),
    // The allocation guard is a debug assertion, which the shipped plug-in does not have.
    ("guarded", |workspace| must(bundle::build_guarded(workspace))),
    ("tests", |workspace| must(tests(workspace))),
    ("python", |workspace| {
        must(run_python_tests(workspace, &built(workspace, &["ICTUS_CLAP", "ICTUS_VST3"])?))
    }),
    ("gate", bench::gate),
    ("editor", |workspace| must(editor::screenshot(workspace))),
    ("demo", |workspace| must(render::demo(workspace))),
    ("docs", |workspace| must(docs(workspace))),
];

/// The result of a step that is never skipped.
fn must(result: Result<()>) -> Result<Done> {
    result.map(Done::from)
}

/// The names of all steps, in order.
pub fn names() -> Vec<&'static str> {
    STEPS.iter().map(|(name, _)| *name).collect()
}

/// Runs all steps, or those named by `--only`, and prints a summary.
pub fn test(workspace: &Workspace, args: &[String]) -> Result<ExitCode> {
    let names = names();
    let chosen = match args.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => names,
        ["--help" | "-h"] => {
            println!("{}", crate::about("test"));
            return Ok(ExitCode::SUCCESS);
        }
        ["--list"] => {
            println!("{}", names.join("\n"));
            return Ok(ExitCode::SUCCESS);
        }
        ["--only", list] => choose(&names, list)?,
        _ => bail!(
            "`cargo xtask test` takes --list, or --only with names of steps, but was given {}",
            args.join(" ")
        ),
    };
    let mut steps = Steps::new(&chosen);
    for (_, work) in STEPS.iter().filter(|(name, _)| chosen.contains(name)) {
        steps.run(|| work(workspace));
    }
    let (summary, good) = steps.summary();
    println!("\n{summary}");
    Ok(if good { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The named steps, in the order in which they run.
fn choose(names: &[&'static str], list: &str) -> Result<Vec<&'static str>> {
    let wanted: Vec<_> = list.split(',').map(str::trim).collect();
    if let Some(unknown) = wanted.iter().find(|name| !names.contains(name)) {
        bail!("there is no step {unknown:?}; there are {}", names.join(", "));
    }
    Ok(names.iter().filter(|name| wanted.contains(name)).copied().collect())
}

fn cargo(workspace: &Workspace, args: &[&str]) -> Result<()> {
    process::run(process::cargo(&workspace.root).args(args))
}

fn set_up(workspace: &Workspace) -> Result<()> {
    setup::set_up(Purpose::Test)?;
    // Minimal toolchains lack these two.
    for (component, probe) in [("rustfmt", "fmt"), ("clippy", "clippy")] {
        let there = process::cargo(&workspace.root).args([probe, "--version"]).output();
        if !there.is_ok_and(|output| output.status.success()) {
            let mut rustup = Command::new("rustup");
            process::run(rustup.args(["component", "add", component]))
                .with_context(|| format!("the toolchain has no {component}; please install it"))?;
        }
    }
    Ok(())
}

fn lints(workspace: &Workspace) -> Result<()> {
    // The standalone program is checked only with its feature.
    cargo(
        workspace,
        &[
            "clippy",
            "--locked",
            "--workspace",
            "--all-targets",
            "--features",
            "ictus/standalone",
            "--",
            "--deny",
            "warnings",
        ],
    )
}

fn tests(workspace: &Workspace) -> Result<()> {
    let needed =
        ["ICTUS_CLAP", "ICTUS_VST3", "ICTUS_GUARDED_CLAP", "ICTUS_STANDALONE", "ICTUS_CLI"];
    let mut command = process::cargo(&workspace.root);
    command
        .args(["test", "--locked", "--workspace", "--no-fail-fast"])
        .envs(built(workspace, &needed)?);
    process::run(&mut command)
}

fn docs(workspace: &Workspace) -> Result<()> {
    let mut command = process::cargo(&workspace.root);
    command.args(["doc", "--locked", "--workspace", "--no-deps", "--features", "ictus/standalone"]);
    process::run(command.env("RUSTDOCFLAGS", "--deny warnings"))
}

/// The built files by the environment variables through which the tests find them.
///
/// # Errors
/// One of the `needed` files is missing.
fn built(workspace: &Workspace, needed: &[&str]) -> Result<Vec<(&'static str, PathBuf)>> {
    let files = vec![
        ("ICTUS_CLAP", workspace.clap()),
        ("ICTUS_VST3", workspace.vst3()),
        ("ICTUS_GUARDED_CLAP", workspace.guarded_clap()),
        ("ICTUS_STANDALONE", workspace.standalone()),
        ("ICTUS_CLI", workspace.cli()),
        ("ICTUS_XTASK", std::env::current_exe().context("the path of xtask is unknown")?),
    ];
    for (name, path) in files.iter().filter(|(name, _)| needed.contains(name)) {
        if !path.exists() {
            let step = if *name == "ICTUS_GUARDED_CLAP" { "guarded" } else { "release" };
            bail!(
                "there is no {}: `cargo xtask test --only {step}` builds it",
                workspace.shown(path)
            );
        }
    }
    Ok(files)
}

/// The system's Python.
pub const SYSTEM_PYTHON: &str = if cfg!(windows) { "python" } else { "python3" };

/// Runs every `tests/python/test_*.py` in the environment, with `variables` set.
fn run_python_tests(workspace: &Workspace, variables: &[(&str, PathBuf)]) -> Result<()> {
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
        // -B: no compiled files beside the sources, which git would report as untracked.
        command.arg("-B").arg(script).envs(variables.iter().cloned());
        process::run(&mut command)?;
    }
    Ok(())
}

fn is_test(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.starts_with("test_") && name.ends_with(".py")
}

/// The Python of the environment in `target/venv`, which is rebuilt when its requirements change.
fn environment(workspace: &Workspace, requirements: &Path) -> Result<PathBuf> {
    let venv = workspace.target.join("venv");
    let python = if cfg!(windows) {
        venv.join("Scripts").join("python.exe")
    } else {
        venv.join("bin").join("python")
    };
    let wanted = fs::read_to_string(requirements)
        .with_context(|| format!("cannot read {}", requirements.display()))?;
    // Written last, so that an interrupted installation does not count as complete.
    let stamp = venv.join("installed-requirements.txt");
    if python.exists() && fs::read_to_string(&stamp).is_ok_and(|installed| installed == wanted) {
        return Ok(python);
    }
    process::run(Command::new(SYSTEM_PYTHON).args(["-m", "venv", "--clear"]).arg(&venv))?;
    let install = || {
        let mut pip = Command::new(&python);
        pip.args(["-m", "pip", "install", "--disable-pip-version-check", "--requirement"])
            .arg(requirements);
        process::run(&mut pip)
    };
    // A download may fail temporarily.
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
    fn steps_are_chosen_by_name_and_keep_their_order() {
        let names = ["format", "lints", "docs"];
        assert_eq!(choose(&names, "docs, format").expect("known"), ["format", "docs"]);
        let error = choose(&names, "dcos").expect_err("unknown").to_string();
        assert!(error.contains("\"dcos\"") && error.contains("lints"), "{error}");
    }

    #[test]
    fn only_test_scripts_are_run() {
        assert!(is_test(Path::new("tests/python/test_vst3.py")));
        assert!(!is_test(Path::new("tests/python/phrase.py")));
        assert!(!is_test(Path::new("tests/python/test_vst3.pyc")));
    }
}
