//! `cargo xtask test`: everything that must hold, one step after the other.
use crate::packages::Purpose;
use crate::progress::{Done, Steps};
use crate::workspace::Workspace;
use crate::{bench, bundle, demo, editor, process, python, setup, supply};
use anyhow::{Context, Result, bail};
use std::path::PathBuf;
use std::process::ExitCode;

type Work = fn(&Workspace) -> Result<Done>;

/// The quick ones that find the most come first. Cargo builds the dependencies four times in all:
/// checked (lints and documentation), release (the plug-in as it is shipped), and the dev profile,
/// whose dependencies the guarded plug-in and the tests share up to the framework. The gate builds
/// the core once more, as the benches have it.
const STEPS: &[(&str, Work)] = &[
    ("set-up", |workspace| must(set_up(workspace))),
    ("format", |workspace| must(cargo(workspace, &["fmt", "--all", "--check"]))),
    ("supply", |workspace| must(supply::check(workspace))),
    ("lints", |workspace| must(lints(workspace))),
    // The core must not need the framework; nothing but one small dependency is built for this.
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
    // Shipped code has no debug assertions, and the allocation guard is one of them: hence a second
    // plug-in.
    ("guarded", |workspace| must(bundle::build_guarded(workspace))),
    ("tests", |workspace| must(tests(workspace))),
    ("python", |workspace| {
        must(python::run_tests(workspace, &built(workspace, &["ICTUS_CLAP", "ICTUS_VST3"])?))
    }),
    ("gate", bench::gate),
    ("editor", |workspace| must(editor::screenshot(workspace))),
    ("demo", |workspace| must(demo::demo(workspace))),
    ("docs", |workspace| must(docs(workspace))),
];

/// A step that is never skipped.
fn must(result: Result<()>) -> Result<Done> {
    result.map(Done::from)
}

/// The names of all steps, in their order.
pub fn names() -> Vec<&'static str> {
    STEPS.iter().map(|(name, _)| *name).collect()
}

/// Runs all steps, or those after `--only`, and sums up.
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
    // A toolchain may come without these two.
    for (component, probe) in [("rustfmt", "fmt"), ("clippy", "clippy")] {
        let there = process::cargo(&workspace.root).args([probe, "--version"]).output();
        if !there.is_ok_and(|output| output.status.success()) {
            let mut rustup = std::process::Command::new("rustup");
            process::run(rustup.args(["component", "add", component]))
                .with_context(|| format!("the toolchain has no {component}; please install it"))?;
        }
    }
    Ok(())
}

fn lints(workspace: &Workspace) -> Result<()> {
    // With the standalone's features, as in the release build: otherwise that program would not be
    // looked at.
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

/// What the tests load, by the variables in which they look for it. Whatever is `needed` must have
/// been built.
fn built(workspace: &Workspace, needed: &[&str]) -> Result<Vec<(&'static str, PathBuf)>> {
    let files = vec![
        ("ICTUS_CLAP", workspace.clap()),
        ("ICTUS_VST3", workspace.vst3()),
        ("ICTUS_GUARDED_CLAP", workspace.guarded_clap()),
        ("ICTUS_STANDALONE", workspace.standalone()),
        ("ICTUS_CLI", workspace.cli()),
        ("ICTUS_XTASK", std::env::current_exe().context("this program does not know where it is")?),
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
}
