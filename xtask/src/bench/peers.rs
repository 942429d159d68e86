//! Cost of a mode in Faust, STK and SuperCollider, where they are installed.

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

/// Another program to compare with.
struct Peer {
    name: &'static str,
    /// Debian packages that bring it.
    packages: &'static str,
    /// Whether it is installed.
    is_installed: fn() -> bool,
    measure: fn(&Path) -> Result<Vec<Row>>,
}

const PEERS: [Peer; 3] = [
    Peer {
        name: "Faust",
        packages: "faust g++",
        is_installed: || compiles() && succeeds("faust", &["--version"]),
        measure: faust,
    },
    Peer {
        name: "STK",
        packages: "libstk-dev g++",
        is_installed: || compiles() && Path::new("/usr/include/stk/ModalBar.h").exists(),
        measure: stk,
    },
    Peer {
        name: "SuperCollider",
        packages: "supercollider-server",
        is_installed: || succeeds("scsynth", &["-v"]),
        measure: klank,
    },
];

/// The table; `bank` is the output of the bank bench of the same run.
pub fn table(folder: &Path, bank: &str) -> Result<String> {
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let own = own_ns(bank).context("the bank bench prints no figure")?;
    let mut lines = vec![
        "Filter banks alone, 48 kHz, blocks of 64 samples; C++ with -O3 -march=native, SuperCollider \
         as Debian builds it.\n\n| | modes | ns per mode and sample | over Ictus | |\n|---|---|---|---|---|"
            .to_owned(),
        format!("| Ictus, the bank | 64 | {own:.3} | 1 | two pickups, state in `f64`, no contact |"),
    ];
    let mut skipped = Vec::new();
    for Peer { name, packages, is_installed, measure } in PEERS {
        if !is_installed() {
            skipped.push(format!("{name}: not installed (Debian: {packages})"));
            continue;
        }
        match measure(folder) {
            Ok(rows) => lines.extend(rows.iter().map(|Row { what, ns, modes, remark }| {
                let ratio = ns / own;
                format!("| {name}, {what} | {modes} | {ns:.3} | {ratio:.0} | {remark} |")
            })),
            Err(error) => skipped.push(format!("{name}: {error:#}")),
        }
    }
    if !skipped.is_empty() {
        lines.push(format!("\nSkipped: {}.", skipped.join("; ")));
    }
    Ok(lines.join("\n") + "\n")
}

/// The figure of the best instruction set at 64 modes, which is printed last.
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
    output_of(&mut command).map(|_| ())
}

/// The output of a command that succeeds.
fn output_of(command: &mut Command) -> Result<String> {
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
        output_of(&mut make)?;
        compile(folder, "made.cpp", "made", &[])?;
        let ns = output_of(&mut Command::new(folder.join("made")))?
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
    let output = output_of(Command::new(folder.join("stk")).arg(folder))?;
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
    output.lines().map(row).collect()
}

/// Sounds that are timed together, and the length of the score.
const SOUNDS: usize = 16;
const SECONDS: u32 = 20;

fn klank(folder: &Path) -> Result<Vec<Row>> {
    let seconds = |sounds: usize| -> Result<f64> {
        fs::write(folder.join("score.osc"), score(sounds, SECONDS))?;
        // `times` prints the processor time of the child processes.
        let line = "scsynth -N score.osc _ score.wav 48000 WAV float -o 1 >&2 && times";
        let output = output_of(Command::new("sh").current_dir(folder).args(["-c", line]))?;
        output.lines().last().and_then(user_s).with_context(|| format!("no time in {output:?}"))
    };
    let best = |sounds| {
        (0..3).map(|_| seconds(sounds)).try_fold(f64::MAX, |best, s| s.map(|s| best.min(s)))
    };
    // The run with one sound is subtracted, which removes the cost of starting.
    let s = best(1 + SOUNDS)? - best(1)?;
    let mode_samples = (SOUNDS * MODES) as f64 * 48_000.0 * f64::from(SECONDS);
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

/// Modes of one sound.
const MODES: usize = 64;

/// Rate of a unit that runs at the sample rate.
const AUDIO: u8 = 2;
/// Unit index of an input that is a constant.
const CONSTANT: i32 = -1;

/// An OSC score of `sounds` Klank instances with 64 modes each, struck ten times a second.
///
/// The server reads the Synth Definition File Format, version 2, and OSC. Writing both here avoids
/// installing the language.
fn score(sounds: usize, seconds: u32) -> Vec<u8> {
    let mut first = vec![message("/d_recv", &[Argument::Blob(definition())])];
    let new = |n: usize| {
        [
            Argument::Text("klank"),
            Argument::Whole(1000 + n as i32),
            Argument::Whole(0),
            Argument::Whole(0),
        ]
    };
    first.extend((0..sounds).map(|n| message("/s_new", &new(n))));
    let last = [message("/c_set", &[Argument::Whole(0), Argument::Whole(0)])];
    [bundle(0, &first), bundle(seconds, &last)].concat()
}

enum Argument {
    Whole(i32),
    Text(&'static str),
    Blob(Vec<u8>),
}

/// Pads to a multiple of four bytes, with at least one zero after text.
fn padded(mut bytes: Vec<u8>, is_text: bool) -> Vec<u8> {
    let length = bytes.len() + usize::from(is_text);
    bytes.resize(length.next_multiple_of(4), 0);
    bytes
}

fn sized(bytes: Vec<u8>) -> Vec<u8> {
    [&(bytes.len() as i32).to_be_bytes()[..], &bytes].concat()
}

fn message(address: &str, arguments: &[Argument]) -> Vec<u8> {
    let tag = |argument: &Argument| match argument {
        Argument::Whole(_) => 'i',
        Argument::Text(_) => 's',
        Argument::Blob(_) => 'b',
    };
    let tags: String = std::iter::once(',').chain(arguments.iter().map(tag)).collect();
    let bytes = arguments.iter().flat_map(|argument| match argument {
        Argument::Whole(number) => number.to_be_bytes().to_vec(),
        Argument::Text(text) => padded(text.as_bytes().to_vec(), true),
        Argument::Blob(blob) => padded(sized(blob.clone()), false),
    });
    padded(address.into(), true).into_iter().chain(padded(tags.into(), true)).chain(bytes).collect()
}

fn bundle(seconds: u32, messages: &[Vec<u8>]) -> Vec<u8> {
    let time = (u64::from(seconds) << 32).to_be_bytes();
    let elements = messages.iter().flat_map(|message| sized(message.clone()));
    sized(padded("#bundle".into(), true).into_iter().chain(time).chain(elements).collect())
}

/// Impulse.ar(10) into Klank.ar with 64 modes from 100 Hz to 16 kHz that decay in 2 s.
fn definition() -> Vec<u8> {
    let frequency = |i: usize| 100.0 + 15_900.0 * i as f32 / (MODES - 1) as f32;
    // The first five constants are shared by all modes.
    let mut constants = vec![0.0, 1.0, 10.0, 1.0 / MODES as f32, 2.0];
    constants.extend((0..MODES).map(frequency));
    let constant = |index: usize| (CONSTANT, index as i32);
    // Input, frequency factor, frequency offset, decay factor; then each mode.
    let mut klank = vec![(0, 0), constant(1), constant(0), constant(1)];
    klank.extend((0..MODES).flat_map(|i| [constant(5 + i), constant(3), constant(4)]));

    let mut bytes = b"SCgf".to_vec();
    bytes.extend(2i32.to_be_bytes());
    bytes.extend(1i16.to_be_bytes());
    bytes.extend(name("klank"));
    bytes.extend((constants.len() as i32).to_be_bytes());
    bytes.extend(constants.iter().flat_map(|constant| constant.to_be_bytes()));
    // No parameters and no parameter names.
    bytes.extend([0; 8]);
    bytes.extend(3i32.to_be_bytes());
    bytes.extend(unit("Impulse", &[constant(2), constant(0)], 1));
    bytes.extend(unit("Klank", &klank, 1));
    bytes.extend(unit("Out", &[constant(0), (1, 0)], 0));
    // No variants.
    bytes.extend([0; 2]);
    bytes
}

fn name(text: &str) -> Vec<u8> {
    [&[text.len() as u8], text.as_bytes()].concat()
}

fn unit(class: &str, inputs: &[(i32, i32)], outputs: usize) -> Vec<u8> {
    let mut bytes = name(class);
    bytes.push(AUDIO);
    bytes.extend((inputs.len() as i32).to_be_bytes());
    bytes.extend((outputs as i32).to_be_bytes());
    bytes.extend([0; 2]);
    bytes.extend(
        inputs
            .iter()
            .flat_map(|(unit, output)| [unit.to_be_bytes(), output.to_be_bytes()])
            .flatten(),
    );
    bytes.extend(vec![AUDIO; outputs]);
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_instruction_set_counts() {
        let bank = "| portable | 1 | 0.300 | 1 | 1 | 31 GFLOP/s | 78 % |\n| AVX2 | 1 | 0.120 | 1 | 1 | 96 GFLOP/s | 70 % |\n\
            | plain loop, AVX2, `f32` | 1 | 0.500 | 1 | 1 | | |\n";
        assert_eq!(own_ns(bank), Some(0.12));
        assert_eq!(own_ns(""), None);
    }

    #[test]
    fn shell_times_are_parsed() {
        assert_eq!(user_s("1m2.500s 0m0.040s"), Some(62.5));
        assert_eq!(user_s("nothing"), None);
    }

    #[test]
    fn every_bundle_has_the_stated_length() {
        let score = score(2, 3);
        let mut rest = &score[..];
        let mut bundles = 0;
        while let Some((length, after)) = rest.split_first_chunk::<4>() {
            let length = i32::from_be_bytes(*length) as usize;
            assert_eq!(length % 4, 0);
            assert!(after.starts_with(b"#bundle\0"));
            rest = &after[length..];
            bundles += 1;
        }
        assert_eq!(bundles, 2);
    }
}
