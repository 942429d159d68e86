//! `cargo xtask bench`: tables of what everything costs, and the gate on instruction counts.
mod gate;
mod peers;

use crate::measure;
use crate::process::{self, output_of};
use crate::progress::Done;
use crate::workspace::Workspace;
use anyhow::{Result, bail};
use std::fmt::Write;

pub use gate::gate;

/// The benches build the core without the framework.
const BUILD: [&str; 4] = ["bench", "--locked", "--package", "ictus-bench"];

/// The file that `--record` writes.
const RECORD: &str = "docs/measurements/cost.md";

/// `cargo xtask bench [--record | --blocks [PART…] | --gate | --notes | --update REASON]`.
pub fn bench(workspace: &Workspace, args: &[String]) -> Result<()> {
    match args.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => tables(workspace).map(drop),
        ["--record"] => {
            let head = measure::head("Cost", workspace)?;
            measure::write(workspace, RECORD, &format!("{head}\n{}", tables(workspace)?))
        }
        ["--blocks", ..] => {
            let run = ["--features", "presets", "--bench", "blocks", "--"];
            let mut command = process::cargo(&workspace.root);
            output_of(command.args(BUILD).args(run).args(&args[1..])).map(drop)
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
            bail!("--update needs a reason: cargo xtask bench --update \"why\"")
        }
        _ => bail!(
            "`cargo xtask bench` takes --record, --blocks, --gate, --notes, or --update with a reason, but was given {}",
            args.join(" ")
        ),
    }
}

/// Prints all tables as Markdown and returns them.
fn tables(workspace: &Workspace) -> Result<String> {
    let run =
        |name: &str| output_of(process::cargo(&workspace.root).args(BUILD).args(["--bench", name]));
    let bank = run("bank")?;
    println!();
    let engine = run("engine")?;
    let peers = peers::table(&workspace.target.join("peers"), &bank)?;
    let peers = format!("### Other programs\n\n{peers}");
    println!("\n{peers}");
    let mut text = String::new();
    write!(text, "{bank}\n{engine}\n{peers}")?;
    Ok(text)
}
