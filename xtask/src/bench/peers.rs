//! What a mode costs in what one would otherwise use, as far as it is installed.
mod score;

use crate::process::succeeds;
use anyhow::{Context, Result, bail};
use std::fs;
use std::path::Path;
use std::process::Command;

/// One row of the table.
struct Row {
    what: String,
    ns: f64,
    modes: usize,
    remark: &'static str,
}

/// Something to compare with.
struct Peer {
    name: &'static str,
    /// Debian packages that bring it.
    packages: &'static str,
    /// How one sees that it is there.
    is_there: fn() -> bool,
    measure: fn(&Path) -> Result<Vec<Row>>,
}

const PEERS: [Peer; 3] = [
    Peer {
        name: "Faust",
        packages: "faust g++",
        is_there: || compiles() && succeeds("faust", &["--version"]),
        measure: faust,
    },
    Peer {
        name: "STK",
        packages: "libstk-dev g++",
        is_there: || compiles() && Path::new("/usr/include/stk/ModalBar.h").exists(),
        measure: stk,
    },
    Peer {
        name: "SuperCollider",
        packages: "supercollider-server",
        is_there: || succeeds("scsynth", &["-v"]),
        measure: klank,
    },
];

/// Prints the table; `bank` is what the bench of the bank printed in the same run.
pub fn print(folder: &Path, bank: &str) -> Result<()> {
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    println!(
        "Filter banks alone, 48 kHz, blocks of 64 samples; C++ with -O3 -march=native, SuperCollider as Debian builds it.\n"
    );
    println!("| | modes | ns per mode and sample | over Ictus | |\n|---|---|---|---|---|");
    let own = own_ns(bank).context("the bench of the bank prints no figure")?;
    println!("| Ictus, the bank | 64 | {own:.3} | 1 | two pickups, state in `f64`, no contact |");
    let mut skipped = Vec::new();
    for Peer { name, packages, is_there, measure } in PEERS {
        if !is_there() {
            skipped.push(format!("{name}: not installed (Debian: {packages})"));
            continue;
        }
        match measure(folder) {
            Ok(rows) => rows.iter().for_each(|row| {
                println!(
                    "| {name}, {} | {} | {:.3} | {:.0} | {} |",
                    row.what,
                    row.modes,
                    row.ns,
                    row.ns / own,
                    row.remark
                );
            }),
            Err(error) => skipped.push(format!("{name}: {error:#}")),
        }
    }
    if !skipped.is_empty() {
        println!("\nSkipped: {}.", skipped.join("; "));
    }
    Ok(())
}

/// The figure of the best instruction set at 64 modes.
fn own_ns(bank: &str) -> Option<f64> {
    let rows = bank.lines().filter(|line| line.contains("GFLOP/s"));
    rows.filter_map(|row| row.split('|').nth(3)?.trim().parse().ok()).next_back()
}

fn compiles() -> bool {
    succeeds("g++", &["--version"])
}

fn compile(folder: &Path, source: &str, out: &str, libraries: &[&str]) -> Result<()> {
    let mut command = Command::new("g++");
    command.current_dir(folder).args(["-O3", "-march=native", source, "-o", out]).args(libraries);
    finished(&mut command).map(|_| ())
}

/// What a command prints, if it ends well.
fn finished(command: &mut Command) -> Result<String> {
    let output =
        command.output().with_context(|| format!("cannot start {:?}", command.get_program()))?;
    if !output.status.success() {
        bail!(
            "{:?} failed: {}",
            command.get_program(),
            String::from_utf8_lossy(&output.stderr).trim()
        );
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

fn faust(folder: &Path) -> Result<Vec<Row>> {
    fs::write(folder.join("timing.h"), include_str!("peers/timing.h"))?;
    fs::write(folder.join("modes.dsp"), include_str!("peers/modes.dsp"))?;
    fs::write(folder.join("faust.cpp"), include_str!("peers/faust.cpp"))?;
    let kinds: [(&str, &[&str]); 2] =
        [("scalar code", &[]), ("-vec -vs 64 -lv 1", &["-vec", "-vs", "64", "-lv", "1"])];
    let row = |(what, options): (&str, &[&str])| {
        let mut make = Command::new("faust");
        make.current_dir(folder).args(options).args([
            "-a",
            "faust.cpp",
            "modes.dsp",
            "-o",
            "made.cpp",
        ]);
        finished(&mut make)?;
        compile(folder, "made.cpp", "made", &[])?;
        let ns = finished(&mut Command::new(folder.join("made")))?
            .trim()
            .parse()
            .context("no figure")?;
        Ok(Row {
            what: format!("pm.modeFilter, {what}"),
            ns,
            modes: 64,
            remark: "one output, `f32`",
        })
    };
    kinds.into_iter().map(row).collect()
}

fn stk(folder: &Path) -> Result<Vec<Row>> {
    fs::write(folder.join("timing.h"), include_str!("peers/timing.h"))?;
    fs::write(folder.join("stk.cpp"), include_str!("peers/stk.cpp"))?;
    compile(folder, "stk.cpp", "stk", &["-lstk"])?;
    let told = finished(Command::new(folder.join("stk")).arg(folder))?;
    let row = |line: &str| {
        let (what, ns) = line.split_once('\t').context("no figure")?;
        let modes = if what.contains("64") { 64 } else { 4 };
        let ns = ns.parse().context("no figure")?;
        Ok(Row {
            what: what.to_owned(),
            ns,
            modes,
            remark: "one output, `f64`, stick and envelope included",
        })
    };
    told.lines().map(row).collect()
}

/// Sounds that are timed together, and the length of the score.
const SOUNDS: usize = 16;
const SECONDS: u32 = 20;

fn klank(folder: &Path) -> Result<Vec<Row>> {
    let seconds = |sounds: usize| -> Result<f64> {
        fs::write(folder.join("score.osc"), score::of(sounds, SECONDS))?;
        // The shell tells the time that its children had of a core.
        let line = "scsynth -N score.osc _ score.wav 48000 WAV float -o 1 >&2 && times";
        let told = finished(Command::new("sh").current_dir(folder).args(["-c", line]))?;
        told.lines().last().and_then(user_s).with_context(|| format!("no time in {told:?}"))
    };
    let best = |sounds| {
        (0..3).map(|_| seconds(sounds)).try_fold(f64::MAX, |best, s| s.map(|s| best.min(s)))
    };
    // Less one sound, which takes along all that is not a sound.
    let s = best(1 + SOUNDS)? - best(1)?;
    let mode_samples = (SOUNDS * score::MODES) as f64 * 48_000.0 * f64::from(SECONDS);
    Ok(vec![Row {
        what: "Klank".into(),
        ns: 1e9 * s / mode_samples,
        modes: 64,
        remark: "one output, `f32`, scsynth offline",
    }])
}

/// Seconds of "0m1.23s 0m0.04s": the first.
fn user_s(line: &str) -> Option<f64> {
    let (minutes, seconds) = line.split_whitespace().next()?.split_once('m')?;
    Some(60.0 * minutes.parse::<f64>().ok()? + seconds.strip_suffix('s')?.parse::<f64>().ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_figure_of_the_best_instruction_set_is_the_last() {
        let bank = "| portable | 1 | 0.300 | 1 | 1 | 31 GFLOP/s | 78 % |\n| AVX2 | 1 | 0.120 | 1 | 1 | 96 GFLOP/s | 70 % |\n\
            | plain loop, AVX2, `f32` | 1 | 0.500 | 1 | 1 | | |\n";
        assert_eq!(own_ns(bank), Some(0.12));
        assert_eq!(own_ns(""), None);
    }

    #[test]
    fn the_shell_tells_minutes_and_seconds() {
        assert_eq!(user_s("1m2.500s 0m0.040s"), Some(62.5));
        assert_eq!(user_s("nothing"), None);
    }
}
