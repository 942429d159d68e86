//! `cargo xtask coverage`: the lines of the core that no test runs.

use crate::process;
use crate::workspace::Workspace;
use anyhow::{Context, Result, bail};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

/// Top-level modules outside the core, which hosts and screenshots test.
const SHELL: [&str; 6] = ["plugin", "shared_state", "editor", "cli", "research", "bin"];

/// Targets that need a built plug-in, a window or a quiet machine. They add no lines of the core.
const NEVER: [&str; 3] = ["editor", "hosts", "window"];

/// `cargo xtask coverage [--leave-out TARGET[,TARGET…]]`.
pub fn coverage(workspace: &Workspace, args: &[String]) -> Result<()> {
    let left_out: Vec<&str> = match args.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => Vec::new(),
        ["--leave-out", list] => list.split(',').collect(),
        _ => bail!(
            "`cargo xtask coverage` takes --leave-out with names of test targets, but was given {args:?}"
        ),
    };
    if !process::succeeds("cargo", &["llvm-cov", "--version"]) {
        println!(
            "there is no cargo-llvm-cov (`rustup component add llvm-tools; cargo install cargo-llvm-cov --locked`): skipped"
        );
        return Ok(());
    }
    let report = workspace.target.join("coverage.lcov");
    let mut command = Command::new("cargo");
    command.current_dir(&workspace.root).args([
        "llvm-cov",
        "test",
        "--locked",
        "--package",
        "ictus",
    ]);
    command.args([
        "--no-default-features",
        "--features",
        "cli",
        "--no-fail-fast",
        "--lib",
        "--bins",
    ]);
    for target in
        targets(&workspace.root)?.iter().filter(|target| !left_out.contains(&target.as_str()))
    {
        command.args(["--test", target]);
    }
    // Coverage counters enlarge stack frames: an engine no longer fits into the usual 2 MiB.
    command.env("RUST_MIN_STACK", "16777216");
    // The test of full disks leaves a truncated profile.
    command.args(["--failure-mode", "all"]);
    process::run(command.arg("--lcov").arg("--output-path").arg(&report))?;
    let text = std::fs::read_to_string(&report)
        .with_context(|| format!("cannot read {}", workspace.shown(&report)))?;
    print!("{}", table(&core(&text, &workspace.root)?));
    Ok(())
}

/// The integration tests that count: files in `tests`, and folders with a `main.rs`.
fn targets(root: &Path) -> Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in root.join("tests").read_dir().context("there is no folder of tests")? {
        let path = entry?.path();
        let is_target =
            path.extension().is_some_and(|end| end == "rs") || path.join("main.rs").exists();
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if is_target && !NEVER.contains(&name.as_str()) {
            names.push(name);
        }
    }
    names.sort();
    Ok(names)
}

/// The top-level module of a file of the core (`body`, `contact` …); `None` for the shell and
/// tests.
fn part(file: &Path, root: &Path) -> Option<String> {
    let inside = file.strip_prefix(root.join("src")).ok()?;
    let first = Path::new(inside.iter().next()?).file_stem()?.to_str()?;
    let tests =
        inside.iter().any(|name| Path::new(name).file_stem().is_some_and(|stem| stem == "tests"));
    (!SHELL.contains(&first) && !tests).then(|| first.to_owned())
}

/// The lines of the core by module and file, without the unit tests.
fn core(report: &str, root: &Path) -> Result<BTreeMap<String, Vec<(String, Lines)>>> {
    let mut parts: BTreeMap<String, Vec<(String, Lines)>> = BTreeMap::new();
    for (file, all) in read_report(report) {
        let Some(part) = part(Path::new(file), root) else { continue };
        let source =
            std::fs::read_to_string(file).with_context(|| format!("cannot read {file}"))?;
        let name = Path::new(file)
            .strip_prefix(root)
            .map_or(file.into(), |path| path.display().to_string());
        parts.entry(part).or_default().push((name, all.before_tests(&source)));
    }
    Ok(parts)
}

/// One row per module, and then the lines that no test runs.
fn table(parts: &BTreeMap<String, Vec<(String, Lines)>>) -> String {
    let row = |name: &str, run: usize, all: usize| {
        format!(
            "| {name} | {all} | {} | {:.1} % |\n",
            all - run,
            100.0 * run as f64 / all.max(1) as f64
        )
    };
    let sum = |files: &[(String, Lines)]| {
        files.iter().fold((0, 0), |(run, all), (_, lines)| (run + lines.run(), all + lines.all()))
    };
    let mut text = String::from("| part | lines | never run | coverage |\n|---|---|---|---|\n");
    let (mut run, mut all) = (0, 0);
    for (part, files) in parts {
        let (some, of) = sum(files);
        text += &row(part, some, of);
        (run, all) = (run + some, all + of);
    }
    text += &row("all", run, all);
    text += "\nNever run:\n";
    for (name, lines) in parts.values().flatten() {
        let missed = lines.missed();
        if !missed.is_empty() {
            text += &format!("{name}: {missed}\n");
        }
    }
    text
}

/// Executable lines of a file, and how often each was run.
#[derive(Default)]
pub struct Lines(BTreeMap<usize, u64>);

/// The files of an lcov report. The counts of a file that several programs contain are added.
fn read_report(report: &str) -> Vec<(&str, Lines)> {
    let mut files: BTreeMap<&str, Lines> = BTreeMap::new();
    let mut file = "";
    for line in report.lines() {
        if let Some(name) = line.strip_prefix("SF:") {
            file = name;
        }
        let counted = line.strip_prefix("DA:").and_then(|counted| {
            let mut numbers = counted.split(',');
            Some((numbers.next()?.parse().ok()?, numbers.next()?.parse::<u64>().ok()?))
        });
        if let Some((number, count)) = counted {
            let runs = files.entry(file).or_default().0.entry(number).or_default();
            *runs = runs.saturating_add(count);
        }
    }
    files.into_iter().collect()
}

impl Lines {
    /// Removes the unit tests at the end of the file.
    fn before_tests(mut self, source: &str) -> Self {
        let mut pairs = source.lines().zip(source.lines().skip(1));
        if let Some(above) = pairs.position(|pair| pair == ("#[cfg(test)]", "mod tests {")) {
            self.0.retain(|number, _| *number <= above);
        }
        self
    }

    /// Number of executable lines.
    fn all(&self) -> usize {
        self.0.len()
    }

    /// Number of lines that were run.
    fn run(&self) -> usize {
        self.0.values().filter(|count| **count > 0).count()
    }

    /// Ranges of lines that were not run: `3, 7-9`. A range may include lines without code.
    fn missed(&self) -> String {
        let mut ranges: Vec<(usize, usize)> = Vec::new();
        let mut was_missed = false;
        for (number, count) in &self.0 {
            match ranges.last_mut() {
                Some((_, last)) if *count == 0 && was_missed => *last = *number,
                _ if *count == 0 => ranges.push((*number, *number)),
                _ => {}
            }
            was_missed = *count == 0;
        }
        let text = |(first, last): &(usize, usize)| {
            if first == last { first.to_string() } else { format!("{first}-{last}") }
        };
        ranges.iter().map(text).collect::<Vec<_>>().join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shell_and_tests_are_outside_the_core() {
        let root = Path::new("/r");
        let of = |file: &str| part(&root.join(file), root);
        assert_eq!(of("src/body/bank.rs").as_deref(), Some("body"));
        assert_eq!(of("src/body.rs").as_deref(), Some("body"));
        for file in [
            "src/research/soak.rs",
            "src/bin/ictus.rs",
            "src/plugin.rs",
            "src/voice/tests.rs",
            "src/body/tests/bars.rs",
            "tests/roll/main.rs",
        ] {
            assert_eq!(of(file), None, "{file}");
        }
    }

    #[test]
    fn targets_are_files_and_folders() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a folder above");
        let names = targets(root).expect("tests");
        assert!(
            names.iter().any(|name| name == "gestures")
                && names.iter().any(|name| name == "robustness")
        );
        assert!(!names.iter().any(|name| ["support", "data", "window"].contains(&name.as_str())));
    }

    #[test]
    fn parts_are_summed() {
        let report = "SF:a\nDA:1,1\nDA:2,0\nDA:4,0\nend_of_record\n";
        let (_, lines) = read_report(report).remove(0);
        let text = table(&BTreeMap::from([("body".to_owned(), vec![("a.rs".to_owned(), lines)])]));
        assert!(text.contains("| body | 3 | 2 | 33.3 % |") && text.contains("a.rs: 2-4"), "{text}");
    }

    const REPORT: &str = "SF:/a.rs\nDA:3,0\nDA:4,0\nDA:7,2\nDA:9,0\nend_of_record\nSF:/b.rs\nDA:1,1\nend_of_record\n\
                          SF:/a.rs\nDA:9,5\nend_of_record\n";

    #[test]
    fn runs_of_one_file_are_added() {
        let files = read_report(REPORT);
        assert_eq!(files.len(), 2);
        let (name, lines) = &files[0];
        assert_eq!((*name, lines.all(), lines.run()), ("/a.rs", 4, 2));
        assert_eq!(lines.missed(), "3-4");
    }

    #[test]
    fn tests_do_not_count() {
        let (_, lines) = read_report(REPORT).remove(0);
        let lines = lines.before_tests("\n\n\n\n#[cfg(test)]\nmod tests {\n\n}\n");
        assert_eq!((lines.all(), lines.run(), lines.missed()), (2, 0, "3-4".to_owned()));
    }
}
