//! `cargo xtask bench`: what everything costs, in one table; and the gate that keeps it from
//! growing unseen.
mod baseline;
mod counts;
mod gate;
mod peers;

use crate::process;
use crate::progress::Done;
use crate::workspace::Workspace;
use anyhow::{Context, Result, bail};
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

pub use gate::gate;

/// Without the framework: the benches need the core, and the presets that come with the command
/// line.
const BUILD: [&str; 4] = ["bench", "--locked", "--package", "ictus-bench"];

/// Prints the tables, or checks or renews the baseline of instructions.
pub fn bench(workspace: &Workspace, args: &[String]) -> Result<()> {
    match args.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => tables(workspace),
        ["--blocks", ..] => {
            let run = ["--features", "presets", "--bench", "blocks", "--"];
            shown(process::cargo(&workspace.root).args(BUILD).args(run).args(&args[1..]))
                .map(|_| ())
        }
        ["--gate"] => {
            if let Done::Skipped(reason) = gate(workspace)? {
                println!("skipped: {reason}");
            }
            Ok(())
        }
        ["--notes"] => gate::check_notes(workspace, true),
        ["--update", reason] if !reason.trim().is_empty() => gate::update(workspace, reason.trim()),
        ["--update"] => {
            bail!("the baseline changes with a reason only: cargo xtask bench --update \"why\"")
        }
        _ => bail!(
            "`cargo xtask bench` takes --blocks, --gate, --notes, or --update with a reason, but was given {}",
            args.join(" ")
        ),
    }
}

/// Everything in one run, as Markdown.
fn tables(workspace: &Workspace) -> Result<()> {
    let day = baseline::today();
    println!("Measured on {day} with {}.", counts::compiler());
    let bank = shown(process::cargo(&workspace.root).args(BUILD).args(["--bench", "bank"]))?;
    println!();
    shown(process::cargo(&workspace.root).args(BUILD).args(["--bench", "engine"]))?;
    println!("\n### Beside what else there is\n");
    peers::print(&workspace.target.join("peers"), &bank)
}

/// Runs a command, and hands on what it prints when it has been shown.
fn shown(command: &mut Command) -> Result<String> {
    let mut child = command.stdout(Stdio::piped()).spawn().context("cannot start cargo")?;
    let out = child.stdout.take().context("cargo has no output")?;
    let mut text = String::new();
    for line in BufReader::new(out).lines() {
        let line = line.context("cannot read what cargo prints")?;
        println!("{line}");
        text.push_str(&line);
        text.push('\n');
    }
    let status = child.wait().context("cargo was lost")?;
    if !status.success() {
        bail!("the bench failed ({status})");
    }
    Ok(text)
}
