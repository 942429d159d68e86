//! Validators that the user has built and names with `--with`.
use super::HostReport;
use crate::display;
use crate::process::KillOnDrop;
use crate::workspace::Workspace;
use anyhow::{Context, Result, bail, ensure};
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Seeds of pluginval's random order of calls.
const SEEDS: [&str; 10] =
    ["0x1234", "0x2", "0x3", "0x20", "0x1", "0xbeef", "0x21", "0x22", "0x7", "0x42"];
/// Time limit of one run, s.
const LIMIT: &str = "1200";

/// Runs the validator of this name.
pub fn run(name: &str, program: &Path, workspace: &Workspace, seeds: usize) -> Result<HostReport> {
    ensure!(program.is_file(), "{}: there is no such program", program.display());
    let lines = match name {
        "pluginval" => pluginval(program, workspace, &SEEDS[..seeds.clamp(1, SEEDS.len())])?,
        "validator" => vec![vst3_validator(program, workspace)?],
        "clap-validator" => vec![clap_validator(program, workspace)?],
        other => bail!("{other:?} is not known; there are pluginval, validator and clap-validator"),
    };
    Ok(Some(lines))
}

/// Whether a program succeeds, and its output.
///
/// The output goes to a file: a pipe would stay open while a child of the program still runs.
fn output_of(command: &mut Command, workspace: &Workspace) -> Result<(bool, String)> {
    let path = workspace.target.join("hosts").join("output.txt");
    std::fs::create_dir_all(workspace.target.join("hosts"))?;
    let file =
        std::fs::File::create(&path).with_context(|| format!("cannot write {}", path.display()))?;
    let status = command.stdout(file.try_clone()?).stderr(file).status();
    let status = status.with_context(|| format!("cannot start {command:?}"))?;
    Ok((status.success(), String::from_utf8_lossy(&std::fs::read(&path)?).into_owned()))
}

fn limited(program: &Path) -> Command {
    let mut command = Command::new("timeout");
    command.arg(LIMIT).arg(program);
    command
}

/// The last line that contains all of these words.
fn line<'a>(text: &'a str, words: &[&str]) -> Option<&'a str> {
    text.lines().rev().find(|line| words.iter().all(|word| line.contains(word))).map(str::trim)
}

/// Runs pluginval at strictness 10 with windows, while busy threads occupy every core.
fn pluginval(program: &Path, workspace: &Workspace, seeds: &[&str]) -> Result<Vec<String>> {
    let folder = workspace.target.join("hosts");
    let (display, _server) = display::start(&folder)?;
    // JUCE hosts fail without a window manager.
    let manager = Command::new("openbox").env("DISPLAY", &display).spawn();
    let _manager = manager
        .map(KillOnDrop)
        .context("cannot start openbox (Debian: apt-get install openbox)")?;
    std::thread::sleep(Duration::from_secs(2));
    let (_, version) = output_of(limited(program).arg("--version"), workspace)?;
    let is_over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        for _ in 0..cores {
            scope.spawn(|| {
                while !is_over.load(Ordering::Relaxed) {
                    std::hint::spin_loop();
                }
            });
        }
        let start = Instant::now();
        let run = |seed: &&str| {
            let mut command = limited(program);
            command
                .args(["--strictness-level", "10", "--random-seed", seed, "--validate"])
                .arg(workspace.vst3());
            let (is_good, text) = output_of(command.env("DISPLAY", &display), workspace)?;
            ensure!(
                is_good && line(&text, &["SUCCESS"]).is_some(),
                "pluginval, seed {seed}:\n{text}"
            );
            // pluginval ignores unknown options.
            ensure!(
                line(&text, &["Random seed:", seed]).is_some(),
                "pluginval did not take seed {seed}:\n{text}"
            );
            eprintln!("  seed {seed}: passed");
            Ok(())
        };
        let result: Result<()> = seeds.iter().try_for_each(run);
        is_over.store(true, Ordering::Relaxed);
        result?;
        let (seeds, minutes) = (seeds.join(" "), start.elapsed().as_secs() / 60);
        let version = version.trim();
        Ok(vec![format!(
            "{version}, VST3, strictness 10 with windows, {cores} busy threads beside it, seeds {seeds}: \
             all passed ({minutes} min)"
        )])
    })
}

fn vst3_validator(program: &Path, workspace: &Workspace) -> Result<String> {
    let (is_good, text) = output_of(limited(program).arg("-e").arg(workspace.vst3()), workspace)?;
    let result =
        line(&text, &["tests passed", "tests failed"]).context("the validator gives no result")?;
    ensure!(is_good && result.contains(" 0 tests failed"), "Steinberg's validator:\n{text}");
    Ok(format!("Steinberg's, all tests: {result}"))
}

/// Runs clap-validator. Two of its tests deadlock for plug-ins with more than one preset.
fn clap_validator(program: &Path, workspace: &Workspace) -> Result<String> {
    const KNOWN: usize = 2;
    let mut command = limited(program);
    command.args(["validate", "-j1", "--only-failed"]).arg(workspace.clap());
    let (_, text) = output_of(&mut command, workspace)?;
    let result = line(&text, &["tests run", "passed"]).context("clap-validator gives no result")?;
    let plain: String = plain(result);
    let of_presets = text.matches("preset-discovery-crawl").count().min(1)
        + text.matches("preset-discovery-load").count().min(1);
    ensure!(
        plain.contains(&format!("{of_presets} failed")) && of_presets <= KNOWN,
        "clap-validator:\n{text}"
    );
    Ok(format!("{plain} (those that failed crawl presets: it locks its own mutex twice)"))
}

/// Removes ANSI colours.
fn plain(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('\u{1b}') {
        plain.push_str(before);
        rest = after.split_once('m').map_or("", |(_, after)| after);
    }
    plain + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_found_and_printed_without_colours() {
        let text = "1 tests run\n81 tests run, \u{1b}[1;32m70\u{1b}[0m passed\nend";
        let found = line(text, &["tests run", "passed"]).expect("there");
        assert_eq!(plain(found), "81 tests run, 70 passed");
        assert!(line(text, &["failed"]).is_none());
    }
}
