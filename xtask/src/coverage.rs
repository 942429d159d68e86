//! `cargo xtask coverage`: which lines of the core no test runs.

mod lines;

use crate::process;
use crate::workspace::Workspace;
use anyhow::{Context, Result, bail};
use lines::Lines;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

/// What is not the core: it has other proofs (hosts, screenshots), or is run by a person.
const SHELL: [&str; 6] = ["plugin", "shared_state", "editor", "cli", "research", "bin"];

/// Targets that need a built plug-in, a window or a quiet machine: they run no line of the core
/// that others do not.
const NEVER: [&str; 5] = ["editor", "hosts", "window", "rigid_cost", "storm_cost"];

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
    // Counters make frames larger: engines on the stack of a test no longer fit into the usual 2
    // MiB.
    command.env("RUST_MIN_STACK", "16777216");
    // A test of full disks leaves counters that are cut off.
    command.args(["--failure-mode", "all"]);
    process::run(command.arg("--lcov").arg("--output-path").arg(&report))?;
    let text = std::fs::read_to_string(&report)
        .with_context(|| format!("cannot read {}", workspace.shown(&report)))?;
    print!("{}", table(&core(&text, &workspace.root)?));
    Ok(())
}

/// All targets of integration tests that count: files in `tests`, and folders with a `main.rs`.
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

/// The part of the source that a file belongs to (`body`, `contact` …), or nothing for the shell
/// and for tests.
fn part(file: &Path, root: &Path) -> Option<String> {
    let inside = file.strip_prefix(root.join("src")).ok()?;
    let first = Path::new(inside.iter().next()?).file_stem()?.to_str()?;
    let tests =
        inside.iter().any(|name| Path::new(name).file_stem().is_some_and(|stem| stem == "tests"));
    (!SHELL.contains(&first) && !tests).then(|| first.to_owned())
}

/// What the report says of the core's own lines, by file; without the tests at the end of a file.
fn core(report: &str, root: &Path) -> Result<BTreeMap<String, Vec<(String, Lines)>>> {
    let mut parts: BTreeMap<String, Vec<(String, Lines)>> = BTreeMap::new();
    for (file, all) in lines::read(report) {
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

/// One row for each part, and after that what no test runs.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shell_and_tests_are_no_part_of_the_core() {
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
            names.iter().any(|name| name == "matrix") && names.iter().any(|name| name == "robust")
        );
        assert!(!names.iter().any(|name| ["support", "data", "window"].contains(&name.as_str())));
    }

    #[test]
    fn parts_are_summed() {
        let report = "SF:a\nDA:1,1\nDA:2,0\nDA:4,0\nend_of_record\n";
        let (_, lines) = lines::read(report).remove(0);
        let text = table(&BTreeMap::from([("body".to_owned(), vec![("a.rs".to_owned(), lines)])]));
        assert!(text.contains("| body | 3 | 2 | 33.3 % |") && text.contains("a.rs: 2-4"), "{text}");
    }
}
