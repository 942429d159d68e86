//! `cargo xtask bench --gate` and `--update`.
use super::baseline::{Baseline, MOST_GROWTH, dear_ring_downs, today};
use super::counts::{can_count, compiler, count};
use crate::workspace::Workspace;
use anyhow::{Context, Result, bail};
use std::path::PathBuf;

fn file(workspace: &Workspace) -> PathBuf {
    workspace.root.join("benches").join("baseline.txt")
}

fn read(workspace: &Workspace) -> Result<Baseline> {
    let text = std::fs::read_to_string(file(workspace)).context("cannot read benches/baseline.txt")?;
    Baseline::parse(&text).context("benches/baseline.txt")
}

/// Fails when any work takes more instructions than the baseline allows.
pub fn gate(workspace: &Workspace) -> Result<()> {
    if !can_count() {
        eprintln!("  skipped: instructions are counted by valgrind on x86-64 Linux, which is not here");
        return Ok(());
    }
    let baseline = read(workspace)?;
    let (kernel, counts) = count(workspace)?;
    if kernel != baseline.kernel {
        eprintln!("  skipped: this machine runs it on {kernel}, and the baseline is of {}", baseline.kernel);
        return Ok(());
    }
    let dear = dear_ring_downs(&counts);
    if !dear.is_empty() {
        bail!("{} (1.2 is allowed)", dear.join("; "));
    }
    let (table, wrong) = baseline.compare(&counts);
    eprintln!("  {:44} {:>12} {:>12}", "work", "baseline", "today");
    eprint!("{table}");
    if wrong.is_empty() {
        return Ok(());
    }
    let now = compiler();
    if now != baseline.compiler {
        eprintln!("  The baseline is of {}, this is {now}.", baseline.compiler);
    }
    let list = wrong.join("; ");
    bail!("{list} ({:.0} % are allowed). If that is wanted: cargo xtask bench --update \"why\"", 100.0 * MOST_GROWTH)
}

/// Counts anew and writes the baseline, with a reason.
pub fn update(workspace: &Workspace, reason: &str) -> Result<()> {
    if !can_count() {
        bail!("instructions are counted by valgrind on x86-64 Linux, which is not here");
    }
    // The first time there is none.
    let before = if file(workspace).exists() { read(workspace)? } else { Baseline::default() };
    let (kernel, counts) = count(workspace)?;
    eprint!("{}", before.compare(&counts).0);
    let mut reasons = before.reasons;
    reasons.push(format!("{}: {}", today(), reason.replace('\n', " ")));
    let baseline = Baseline { kernel, compiler: compiler(), reasons, counts };
    std::fs::write(file(workspace), baseline.text()).context("cannot write benches/baseline.txt")?;
    println!("{}", baseline.text());
    Ok(())
}
