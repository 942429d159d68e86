//! `cargo xtask measure`: measurements outside the tests, and the files in `docs/measurements`.
//!
//! A measurement is a bench, the soak, or ignored tests. An ignored test names its measurement in
//! the reason: `#[ignore = "what it measures: cargo xtask measure NAME"]`. Every other ignored test
//! is a measurement by the name of its function, and a test target runs all of its ignored tests.
use crate::process::{self, output_of};
use crate::verification::{self, CORE_FEATURES};
use crate::workspace::Workspace;
use anyhow::{Context, Result, bail};
use std::fs;
use std::path::{Path, PathBuf};

/// Measurements that are benches: name, bench, feature, arguments, what they measure.
const BENCHES: [(&str, &str, &str, &[&str], &str); 4] = [
    ("bank", "bank", "", &[], "the modal bank by instruction set, contacts, a voice"),
    ("scenes", "bank", "", &["scenes"], "mean and worst block of scenes of the engine"),
    ("engine", "engine", "", &[], "gestures by number of voices, growth of cost, start, memory"),
    ("blocks", "blocks", "presets", &[], "worst block of chords on presets, and of random patches"),
];

/// The soak among the measurements.
const SOAK: (&str, &str) = ("soak", "growth of memory and time while 64 voices play at random");

/// How the reason of an ignored test names its measurement.
const LABEL: &str = "cargo xtask measure ";

/// Reasons of ignored tests that other tests and commands run.
const NOT_MEASURED: [&str; 2] =
    ["played on a display of its own", "run by another test on a virtual display"];

/// An ignored test.
#[derive(Clone, Debug, PartialEq)]
struct IgnoredTest {
    /// Test target.
    target: String,
    /// Name of the function.
    function: String,
    /// Reason of the attribute.
    reason: String,
}

impl IgnoredTest {
    /// The measurement that the reason names, or the function.
    fn name(&self) -> &str {
        let label = self.reason.split_once(LABEL).and_then(|(_, rest)| rest.split(' ').next());
        label.unwrap_or(&self.function)
    }

    /// The reason without the label.
    fn about(&self) -> &str {
        self.reason.split(LABEL).next().unwrap_or_default().trim_end_matches([':', ' ', '`'])
    }
}

/// `cargo xtask measure [--list | NAME [--record] [-- OPTIONS]]`.
pub fn measure(workspace: &Workspace, args: &[String]) -> Result<()> {
    let split = args.iter().position(|argument| argument == "--").unwrap_or(args.len());
    let (own, options) = (&args[..split], args.get(split + 1..).unwrap_or_default());
    let tests = ignored_tests(&workspace.root.join("tests"))?;
    let (name, is_recorded) = match own.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] | ["--list"] => {
            print!("{}", list(&tests));
            return Ok(());
        }
        ["--help" | "-h"] => {
            println!("{}\n\n{}", crate::about("measure"), list(&tests));
            return Ok(());
        }
        [name] => (name, false),
        [name, "--record"] | ["--record", name] => (name, true),
        _ => bail!("`cargo xtask measure` takes --list, or a NAME and --record"),
    };
    if name == SOAK.0 {
        return verification::soak(workspace, options);
    }
    let mut command = process::cargo(&workspace.root);
    if let Some((_, bench, feature, arguments, _)) = BENCHES.iter().find(|row| row.0 == name) {
        command.args(["bench", "--locked", "--package", "ictus-bench", "--bench", bench]);
        command.args((!feature.is_empty()).then_some(["--features", feature]).iter().flatten());
        command.arg("--").args(*arguments).args(options);
    } else {
        let (target, filters) = select(&tests, name)?;
        command.args(["test", "--release", "--locked", "--package", "ictus", "--test", target]);
        if !needs_plugin(&workspace.root, target) {
            command.args(CORE_FEATURES);
        }
        // One at a time, so that they do not take processor time from each other.
        command.args(["--", "--ignored", "--nocapture", "--test-threads=1"]);
        command.args(filters).args(options);
    }
    let output = output_of(&mut command)?;
    if is_recorded {
        let text = format!("{}\n{}", head(name, workspace)?, figures(&output));
        write(workspace, &format!("docs/measurements/{name}.md"), &text)?;
    }
    Ok(())
}

/// The table of all measurements.
fn list(tests: &[IgnoredTest]) -> String {
    let mut rows: Vec<(&str, String)> = vec![(SOAK.0, SOAK.1.to_owned())];
    rows.extend(BENCHES.map(|(name, .., about)| (name, about.to_owned())));
    for test in tests {
        rows.push((test.name(), format!("{} (tests: {})", test.about(), test.target)));
    }
    let width = rows.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    rows.iter().map(|(name, about)| format!("  {name:width$}  {about}\n")).collect()
}

/// The target and the test filters of a measurement; no filters for a whole target.
fn select<'a>(tests: &'a [IgnoredTest], name: &str) -> Result<(&'a str, Vec<&'a str>)> {
    let named: Vec<_> = tests.iter().filter(|test| test.name() == name).collect();
    if let [first, rest @ ..] = &named[..] {
        if let Some(other) = rest.iter().find(|test| test.target != first.target) {
            bail!("{name} is in the targets {} and {}", first.target, other.target);
        }
        return Ok((&first.target, named.iter().map(|test| test.function.as_str()).collect()));
    }
    let of_target = tests.iter().find(|test| test.target == name);
    let test = of_target
        .with_context(|| format!("there is no measurement {name:?}; there are\n{}", list(tests)))?;
    Ok((&test.target, Vec::new()))
}

/// All ignored tests below the folder of the integration tests that are measurements.
fn ignored_tests(folder: &Path) -> Result<Vec<IgnoredTest>> {
    let mut found = Vec::new();
    let mut open: Vec<PathBuf> = vec![folder.to_owned()];
    while let Some(path) = open.pop() {
        if path.is_dir() {
            let entries =
                fs::read_dir(&path).with_context(|| format!("cannot read {}", path.display()))?;
            open.extend(entries.filter_map(|entry| Some(entry.ok()?.path())));
        } else if path.extension().is_some_and(|end| end == "rs") {
            let inside = path.strip_prefix(folder).unwrap_or(&path);
            let target = inside.iter().next().map(Path::new).and_then(Path::file_stem);
            let target = target.unwrap_or_default().to_string_lossy();
            found.extend(ignored_in(&fs::read_to_string(&path)?, &target));
        }
    }
    found.sort_by(|a, b| (&a.target, &a.function).cmp(&(&b.target, &b.function)));
    Ok(found)
}

/// The ignored tests of one source file.
fn ignored_in(source: &str, target: &str) -> Vec<IgnoredTest> {
    let attributes = source.split("#[ignore = \"").skip(1);
    let test = |rest: &str| {
        let (reason, after) = rest.split_once("\"]")?;
        let function = after.split_once("fn ")?.1.split('(').next()?;
        Some(IgnoredTest {
            target: target.to_owned(),
            function: function.to_owned(),
            reason: reason.to_owned(),
        })
    };
    let mut tests: Vec<_> = attributes.filter_map(test).collect();
    tests.retain(|test| !NOT_MEASURED.iter().any(|known| test.reason.contains(known)));
    tests
}

/// Whether a test target is built with the plug-in only.
fn needs_plugin(root: &Path, target: &str) -> bool {
    let folder = root.join("tests");
    [folder.join(target).join("main.rs"), folder.join(format!("{target}.rs"))].iter().any(|file| {
        let source = fs::read_to_string(file).unwrap_or_default();
        source.lines().any(|line| line.starts_with("#![cfg") && line.contains("\"plugin\""))
    })
}

/// The output of a measurement without the lines of the test harness.
fn figures(output: &str) -> String {
    let is_harness = |line: &str| {
        let line = line.trim();
        line == "ok" || line.starts_with("running ") || line.starts_with("test result: ")
    };
    let mut text = String::new();
    for line in output.lines().filter(|line| !is_harness(line)) {
        // With one thread, the first printed line follows the name of the test.
        let line = match line.strip_prefix("test ").and_then(|rest| rest.split_once(" ... ")) {
            Some((_, "ok")) => continue,
            Some((_, printed)) => printed,
            None => line,
        };
        text.push_str(line);
        text.push('\n');
    }
    format!("{}\n", text.trim_matches('\n'))
}

/// The head of a file in `docs/measurements`: title, command, commit, machine and date.
pub fn head(title: &str, workspace: &Workspace) -> Result<String> {
    let command: Vec<String> = std::env::args().skip(1).map(|word| base_name(&word)).collect();
    Ok(format!(
        "# {title}\n\nWritten by `cargo xtask {}`. Commit {}, {}, {}, {}.\n",
        command.join(" "),
        ask(workspace, "git", &["describe", "--always", "--dirty"])?,
        processor(),
        ask(workspace, "rustc", &["--version"])?,
        ask(workspace, "date", &["-u", "+%Y-%m-%d"])?,
    ))
}

/// Writes a file below the repository.
pub fn write(workspace: &Workspace, path: &str, text: &str) -> Result<()> {
    let path = workspace.root.join(path);
    let folder = path.parent().context("a file has a folder")?;
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
    println!("wrote {}", workspace.shown(&path));
    Ok(())
}

/// `NAME=/somewhere/PROGRAM` without the folder, which differs between machines.
fn base_name(argument: &str) -> String {
    match argument.split_once('=') {
        Some((name, path)) => {
            let file =
                Path::new(path).file_name().map_or(path.into(), |file| file.to_string_lossy());
            format!("{name}={file}")
        }
        None => argument.to_owned(),
    }
}

fn ask(workspace: &Workspace, program: &str, args: &[&str]) -> Result<String> {
    let output =
        std::process::Command::new(program).args(args).current_dir(&workspace.root).output();
    let output = output.with_context(|| format!("cannot run {program}"))?;
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// The processor and the number of cores.
fn processor() -> String {
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = info.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    format!("{}, {cores} cores", name.map_or("unknown processor", |(_, name)| name.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = "#[test]\n#[ignore = \"every knob at its ends: cargo xtask measure level\"]\n\
        fn knobs() {}\n#[test]\n#[ignore = \"prints times\"]\nfn strikes() {}\n\
        #[test]\n#[ignore = \"played on a display of its own by the tests\"]\nfn window() {}\n";

    #[test]
    fn measurements_are_named_by_the_reason_or_the_function() {
        let tests = ignored_in(SOURCE, "sounds");
        let named: Vec<_> = tests.iter().map(|test| (test.name(), test.about())).collect();
        assert_eq!(named, [("level", "every knob at its ends"), ("strikes", "prints times")]);
        assert_eq!(select(&tests, "level").expect("known"), ("sounds", vec!["knobs"]));
        assert_eq!(select(&tests, "sounds").expect("known"), ("sounds", vec![]));
        let error = select(&tests, "window").expect_err("not measured").to_string();
        assert!(error.contains("strikes") && error.contains("blocks"), "{error}");
    }

    #[test]
    fn the_tests_of_the_repository_are_found() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a folder above");
        let tests = ignored_tests(&root.join("tests")).expect("read");
        assert!(tests.iter().any(|test| test.name() == "level"), "{tests:?}");
    }

    #[test]
    fn the_test_harness_is_not_recorded() {
        let output = "\nrunning 1 test\ntest a::b ... | x | y |\n| 1 | 2 |\nok\n\ntest c ... ok\n\n\
            test result: ok. 1 passed\n\n";
        assert_eq!(figures(output), "| x | y |\n| 1 | 2 |\n");
    }

    #[test]
    fn no_path_of_a_machine_is_kept() {
        assert_eq!(base_name("pluginval=/somewhere/bin/pluginval"), "pluginval=pluginval");
        assert_eq!(base_name("--record"), "--record");
    }
}
