//! `cargo xtask bench --gate`, `--notes` and `--update`: instruction counts against a baseline.
//!
//! Callgrind counts depend only on the code, the compiler and the instruction set. Valgrind stops
//! at AVX2, so every x86-64 machine of the last ten years runs the same code.

use super::BUILD;
use crate::process;
use crate::progress::Done;
use crate::workspace::Workspace;
use anyhow::{Context, Result, bail};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

fn file(workspace: &Workspace) -> PathBuf {
    workspace.root.join("benches").join("baseline.txt")
}

fn read(workspace: &Workspace) -> Result<Baseline> {
    let text =
        std::fs::read_to_string(file(workspace)).context("cannot read benches/baseline.txt")?;
    Baseline::parse(&text).context("benches/baseline.txt")
}

/// The result of the gate where nothing can be counted.
///
/// On x86-64 Linux the set-up step installs valgrind. Unattended (`CI`) it must be present, or the
/// gate would pass unnoticed.
fn uncounted(counts_here: bool, unattended: bool) -> Result<Done> {
    if !counts_here {
        return Ok(Done::Skipped("instructions are counted on x86-64 Linux only".into()));
    }
    let how = "valgrind is missing; `cargo xtask test --only set-up` installs it";
    if unattended { bail!("{how}") } else { Ok(Done::Skipped(how.into())) }
}

/// Fails if any work takes more instructions than the baseline allows.
pub fn gate(workspace: &Workspace) -> Result<Done> {
    if !can_count() {
        return uncounted(COUNTS_HERE, std::env::var_os("CI").is_some());
    }
    let baseline = read(workspace)?;
    let (kernel, counts) = count(workspace)?;
    if kernel != baseline.kernel {
        let reason = format!("this machine has {kernel}, the baseline is for {}", baseline.kernel);
        return Ok(Done::Skipped(reason));
    }
    let costly = costly_ring_downs(&counts);
    if !costly.is_empty() {
        bail!("{} (1.2 is allowed)", costly.join("; "));
    }
    check_notes(workspace, false)?;
    let (table, wrong) = baseline.compare(&counts);
    eprintln!("  {:44} {:>12} {:>12}", "work", "baseline", "today");
    eprint!("{table}");
    if wrong.is_empty() {
        return Ok(Done::Passed);
    }
    let now = compiler();
    if now != baseline.compiler {
        eprintln!("  The baseline was counted with {}, this is {now}.", baseline.compiler);
    }
    let list = wrong.join("; ");
    bail!(
        "{list} ({:.0} % are allowed). If this is intended: cargo xtask bench --update \"why\"",
        100.0 * MAX_GROWTH
    )
}

/// Fails if one more note of a preset takes too many instructions: of the gated presets, or of all.
pub fn check_notes(workspace: &Workspace, all: bool) -> Result<()> {
    let costly = costly_notes(&notes(workspace, all)?);
    if !costly.is_empty() {
        bail!("one more note takes too many instructions: {}", costly.join("; "));
    }
    Ok(())
}

/// Prints the cost of one more note, and returns the presets above their bound.
fn costly_notes(notes: &[Note]) -> Vec<String> {
    let mut costly = Vec::new();
    eprintln!("  {:44} {:>12} {:>12}", "one more note, first 20 ms", "bound", "today");
    for Note { preset, count, most } in notes {
        eprintln!("  {preset:44} {most:>12} {count:>12}");
        if count > most {
            costly.push(format!("{preset} {count} of {most}"));
        }
    }
    costly
}

/// Counts again and writes the baseline with a reason.
pub fn update(workspace: &Workspace, reason: &str) -> Result<()> {
    if !can_count() {
        bail!("instructions are counted by valgrind on x86-64 Linux, which is missing here");
    }
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

/// Largest allowed growth over the baseline.
const MAX_GROWTH: f64 = 0.05;

/// Largest cost of a ring-down relative to a loud block.
const MAX_OF_LOUD: f64 = 1.2;

const HEAD: &str = "\
# Instructions of each piece of work (benches/work.rs), counted by callgrind in the bench profile.
# `cargo xtask bench --gate` fails when one grows by more than 5 %. `cargo xtask bench --update \"reason\"` renews
# them all, and adds its reason below.
";

/// The contents of `benches/baseline.txt`.
#[derive(Clone, Debug, Default, PartialEq)]
struct Baseline {
    /// Instruction set of the counts.
    pub kernel: String,
    /// Compiler of the counts.
    pub compiler: String,
    /// Date and reason of every change, oldest first.
    pub reasons: Vec<String>,
    /// Work and its instructions.
    pub counts: Vec<(String, u64)>,
}

impl Baseline {
    fn parse(text: &str) -> Result<Self> {
        let mut baseline = Self::default();
        for line in text.lines() {
            if let Some(reason) = line.strip_prefix("# changed ") {
                baseline.reasons.push(reason.to_owned());
            } else if let Some(kernel) = line.strip_prefix("# kernel ") {
                baseline.kernel = kernel.to_owned();
            } else if let Some(compiler) = line.strip_prefix("# compiler ") {
                baseline.compiler = compiler.to_owned();
            } else if !line.starts_with('#') && !line.trim().is_empty() {
                let (count, name) =
                    line.trim().split_once(' ').with_context(|| format!("no name in {line:?}"))?;
                let count = count.parse().with_context(|| format!("no count in {line:?}"))?;
                baseline.counts.push((name.trim().to_owned(), count));
            }
        }
        Ok(baseline)
    }

    fn text(&self) -> String {
        let mut text = HEAD.to_owned();
        for reason in &self.reasons {
            let _ = writeln!(text, "# changed {reason}");
        }
        let _ = writeln!(text, "# kernel {}\n# compiler {}", self.kernel, self.compiler);
        for (name, count) in &self.counts {
            let _ = writeln!(text, "{count:>12}  {name}");
        }
        text
    }

    /// A table of both counts, and the faults of today's counts.
    fn compare(&self, today: &[(String, u64)]) -> (String, Vec<String>) {
        let (mut table, mut wrong) = (String::new(), Vec::new());
        for (name, count) in today {
            let Some((_, before)) = self.counts.iter().find(|(known, _)| known == name) else {
                wrong.push(format!("{name}: not in the baseline"));
                continue;
            };
            let growth = *count as f64 / *before as f64 - 1.0;
            let _ =
                writeln!(table, "  {name:44} {before:>12} {count:>12} {:>+7.2} %", 100.0 * growth);
            if *count as f64 > (1.0 + MAX_GROWTH) * *before as f64 {
                wrong.push(format!("{name}: {:.1} % more instructions", 100.0 * growth));
            }
        }
        let gone =
            self.counts.iter().filter(|(known, _)| !today.iter().any(|(name, _)| name == known));
        wrong.extend(
            gone.map(|(name, _)| format!("{name}: in the baseline, but no longer counted")),
        );
        (table, wrong)
    }
}

/// Parts of a ring-down that cost too much relative to a loud block.
fn costly_ring_downs(today: &[(String, u64)]) -> Vec<String> {
    let pieces = || {
        today
            .iter()
            .filter_map(|(name, count)| Some((name.strip_prefix("ring-down, ")?, *count as f64)))
    };
    let Some((_, loud)) = pieces().find(|(piece, _)| *piece == "loud") else {
        return vec!["ring-down: no loud piece is counted".into()];
    };
    let costly = pieces().filter(|(_, count)| *count > MAX_OF_LOUD * loud);
    costly
        .map(|(piece, count)| format!("ring-down, {piece}: {:.2} of a loud piece", count / loud))
        .collect()
}

/// Today's date, as 2026-11-16.
pub fn today() -> String {
    let since =
        std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    date(since.as_secs() / 86_400)
}

/// The date `days` after 1970-01-01, computed in years that begin in March.
fn date(days: u64) -> String {
    let days = days + 719_468;
    let (era, of_era) = (days / 146_097, days % 146_097);
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let (month, over) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    format!("{:04}-{month:02}-{day:02}", 400 * era + year + over)
}

/// Counts inside this function only.
const COUNTED: &str = "--toggle-collect=*work::counted*";

/// Whether the baseline applies to machines like this one.
const COUNTS_HERE: bool = cfg!(all(target_os = "linux", target_arch = "x86_64"));

/// Whether callgrind is available.
fn can_count() -> bool {
    COUNTS_HERE && process::succeeds("valgrind", &["--version"])
}

/// The version line of the compiler.
pub fn compiler() -> String {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc).arg("--version").output();
    output.map_or("an unknown compiler".into(), |output| {
        String::from_utf8_lossy(&output.stdout).trim().to_owned()
    })
}

/// The instruction set, and the count of every piece of work.
fn count(workspace: &Workspace) -> Result<(String, Vec<(String, u64)>)> {
    let program = build(workspace)?;
    let list = Command::new("valgrind")
        .args(["--tool=none", "--quiet"])
        .arg(&program)
        .arg("--list")
        .output();
    let list = list.context("cannot start valgrind")?;
    let list = String::from_utf8_lossy(&list.stdout).into_owned();
    let mut lines = list.lines().map(str::to_owned);
    let kernel = lines.next().context("the bench names no instruction set")?;
    let counted = lines.map(|name| {
        eprintln!("  counting: {name}");
        Ok((name.clone(), instructions(&program, &name).with_context(|| name.clone())?))
    });
    Ok((kernel, counted.collect::<Result<_>>()?))
}

/// Cost of one more note of a factory preset in its first 20 ms.
#[derive(Debug)]
struct Note {
    preset: String,
    /// Instructions of two notes less those of one.
    count: u64,
    /// Upper bound.
    most: u64,
}

/// Counts one more note of the gated presets, or of all.
fn notes(workspace: &Workspace, all: bool) -> Result<Vec<Note>> {
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
            most: most.parse().context("the bound is not a number")?,
        })
    });
    counted.collect()
}

/// Builds the bench and returns the path of its program.
fn build(workspace: &Workspace) -> Result<PathBuf> {
    let args = ["--bench", "work", "--no-run", "--message-format=json-render-diagnostics"];
    let mut command = process::cargo(&workspace.root);
    let output = command.args(BUILD).args(args).stderr(std::process::Stdio::inherit()).output();
    let output = output.context("cannot start cargo")?;
    if !output.status.success() {
        bail!("the bench does not build ({})", output.status);
    }
    let messages = String::from_utf8_lossy(&output.stdout).into_owned();
    let program = messages
        .lines()
        .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok())
        .find_map(|message| {
            let is_work = message["target"]["name"] == "work";
            message["executable"].as_str().filter(|_| is_work).map(PathBuf::from)
        });
    program.context("cargo reports no program")
}

fn instructions(program: &Path, name: &str) -> Result<u64> {
    let mut command = Command::new("valgrind");
    command
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null", COUNTED])
        .arg(program)
        .arg(name);
    let run = command.output().context("cannot start valgrind")?;
    let output = String::from_utf8_lossy(&run.stderr).into_owned();
    if !run.status.success() {
        bail!("the bench failed under valgrind:\n{output}");
    }
    let count =
        output.lines().find_map(|line| line.split_once("Collected :")?.1.trim().parse().ok());
    // Zero means that callgrind did not find the function by its name.
    count
        .filter(|count| *count > 0)
        .with_context(|| format!("callgrind reports no count:\n{output}"))
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
    fn a_gate_that_cannot_count_does_not_pass() {
        for unattended in [false, true] {
            let elsewhere = uncounted(false, unattended).expect("skipped");
            assert!(matches!(elsewhere, Done::Skipped(reason) if reason.contains("x86-64")));
        }
        let at_home = uncounted(true, false).expect("skipped with a hint");
        assert!(
            matches!(at_home, Done::Skipped(reason) if reason.contains("valgrind") && reason.contains("set-up"))
        );
        let error = uncounted(true, true).err().expect("an error").to_string();
        assert!(error.contains("valgrind"), "{error}");
    }

    fn baseline() -> Baseline {
        Baseline {
            kernel: "AVX2".into(),
            compiler: "rustc 1.95.0".into(),
            reasons: vec!["2026-01-02: first".into()],
            counts: vec![("bank best".into(), 1000), ("voice".into(), 2000)],
        }
    }

    #[test]
    fn a_written_baseline_can_be_read() {
        assert_eq!(Baseline::parse(&baseline().text()).expect("readable"), baseline());
        assert!(Baseline::parse("many voice").is_err());
    }

    #[test]
    fn growth_above_five_per_cent_is_refused() {
        let counts =
            |bank, voice| vec![("bank best".to_owned(), bank), ("voice".to_owned(), voice)];
        assert!(baseline().compare(&counts(1050, 100)).1.is_empty());
        assert_eq!(
            baseline().compare(&counts(1051, 2000)).1,
            ["bank best: 5.1 % more instructions"]
        );
    }

    #[test]
    fn new_and_missing_work_is_refused() {
        let (_, wrong) = baseline().compare(&[("voice".into(), 2000), ("engine".into(), 1)]);
        assert_eq!(
            wrong,
            ["engine: not in the baseline", "bank best: in the baseline, but no longer counted"]
        );
    }

    #[test]
    fn a_ring_down_that_costs_more_than_a_loud_block_is_refused() {
        let counts = |late| {
            vec![("ring-down, loud".to_owned(), 1000), ("ring-down, after 5 s".to_owned(), late)]
        };
        assert!(costly_ring_downs(&counts(1200)).is_empty());
        assert_eq!(
            costly_ring_downs(&counts(1201)),
            ["ring-down, after 5 s: 1.20 of a loud piece"]
        );
        assert_eq!(costly_ring_downs(&[]).len(), 1);
    }

    #[test]
    fn dates_are_right() {
        assert_eq!(date(0), "1970-01-01");
        assert_eq!(date(11_016), "2000-02-29");
        assert_eq!(date(20_773), "2026-11-16");
    }
}
