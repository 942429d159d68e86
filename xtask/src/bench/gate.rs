//! `cargo xtask bench --gate`, `--notes` and `--update`.
use super::baseline::{Baseline, MAX_GROWTH, costly_ring_downs, today};
use super::counts::{COUNTS_HERE, Note, can_count, compiler, count, notes};
use crate::progress::Done;
use crate::workspace::Workspace;
use anyhow::{Context, Result, bail};
use std::path::PathBuf;

fn file(workspace: &Workspace) -> PathBuf {
    workspace.root.join("benches").join("baseline.txt")
}

fn read(workspace: &Workspace) -> Result<Baseline> {
    let text =
        std::fs::read_to_string(file(workspace)).context("cannot read benches/baseline.txt")?;
    Baseline::parse(&text).context("benches/baseline.txt")
}

/// What to say where nothing can be counted. On x86-64 Linux valgrind can be had, and set-up gets
/// it: where nobody looks on (`CI`) it must be there, or the gate would stand open unseen.
fn uncounted(counts_here: bool, unattended: bool) -> Result<Done> {
    if !counts_here {
        return Ok(Done::Skipped("instructions are counted on x86-64 Linux alone".into()));
    }
    let how =
        "there is no valgrind to count instructions with; `cargo xtask test --only set-up` gets it";
    if unattended { bail!("{how}") } else { Ok(Done::Skipped(how.into())) }
}

/// Fails when any work takes more instructions than the baseline allows.
pub fn gate(workspace: &Workspace) -> Result<Done> {
    if !can_count() {
        return uncounted(COUNTS_HERE, std::env::var_os("CI").is_some());
    }
    let baseline = read(workspace)?;
    let (kernel, counts) = count(workspace)?;
    if kernel != baseline.kernel {
        let reason =
            format!("this machine runs it on {kernel}, and the baseline is of {}", baseline.kernel);
        return Ok(Done::Skipped(reason));
    }
    let dear = costly_ring_downs(&counts);
    if !dear.is_empty() {
        bail!("{} (1.2 is allowed)", dear.join("; "));
    }
    check_notes(workspace, false)?;
    let (table, wrong) = baseline.compare(&counts);
    eprintln!("  {:44} {:>12} {:>12}", "work", "baseline", "today");
    eprint!("{table}");
    if wrong.is_empty() {
        return Ok(Done::RollContact);
    }
    let now = compiler();
    if now != baseline.compiler {
        eprintln!("  The baseline is of {}, this is {now}.", baseline.compiler);
    }
    let list = wrong.join("; ");
    bail!(
        "{list} ({:.0} % are allowed). If that is wanted: cargo xtask bench --update \"why\"",
        100.0 * MAX_GROWTH
    )
}

/// Fails when one more note of a preset takes too much: of those that the gate watches, or of any.
pub fn check_notes(workspace: &Workspace, all: bool) -> Result<()> {
    let dear = costly_notes(&notes(workspace, all)?);
    if !dear.is_empty() {
        bail!("one more note takes too many instructions: {}", dear.join("; "));
    }
    Ok(())
}

/// Shows what one more note takes, and names those that take too much.
fn costly_notes(notes: &[Note]) -> Vec<String> {
    let mut dear = Vec::new();
    eprintln!("  {:44} {:>12} {:>12}", "one more note, first 20 ms", "bound", "today");
    for Note { preset, count, most } in notes {
        eprintln!("  {preset:44} {most:>12} {count:>12}");
        if count > most {
            dear.push(format!("{preset} {count} of {most}"));
        }
    }
    dear
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
    std::fs::write(file(workspace), baseline.text())
        .context("cannot write benches/baseline.txt")?;
    println!("{}", baseline.text());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_over_its_bound_is_named() {
        let note = |preset: &str, count| Note { preset: preset.into(), count, most: 100 };
        assert_eq!(costly_notes(&[note("a", 100), note("b", 101)]), ["b 101 of 100"]);
    }

    #[test]
    fn a_gate_that_cannot_count_is_no_pass() {
        for unattended in [false, true] {
            let elsewhere = uncounted(false, unattended).expect("it cannot be helped");
            assert!(matches!(elsewhere, Done::Skipped(reason) if reason.contains("x86-64")));
        }
        let at_home = uncounted(true, false).expect("whoever looks on is told");
        assert!(
            matches!(at_home, Done::Skipped(reason) if reason.contains("valgrind") && reason.contains("set-up"))
        );
        let error = uncounted(true, true).err().expect("nobody would notice").to_string();
        assert!(error.contains("valgrind"), "{error}");
    }
}
