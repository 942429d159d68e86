//! `cargo xtask`: the commands of this repository.

mod bench;
mod bundle;
#[path = "../../tests/support/clap_host.rs"]
mod clap_host;
mod coverage;
mod display;
mod editor;
mod hosts;
mod measure;
mod mutants;
mod play;
mod process;
mod progress;
mod render;
mod setup;
mod supply;
mod test;
mod verification;
mod workspace;

use anyhow::{Result, bail};
use std::process::ExitCode;
use workspace::Workspace;

const HELP: &str = "\
The commands of this repository.

  cargo xtask play [--demo] [-- OPTIONS]
      Builds the plug-in and opens the standalone instrument, playable by MIDI and by the computer keyboard.
      On Debian and Ubuntu it installs missing system libraries; elsewhere it names them. Without a display
      or an audio device, or with --demo, it plays a phrase through the built CLAP plug-in into
      target/demo/demo.wav, with a spectrogram in target/demo/demo.png. OPTIONS go to the instrument:
      `cargo xtask play -- --help` lists them.

  cargo xtask test [--only STEP[,STEP…]]
      All checks, from a clean clone. Stops at the first failure. --only runs the named steps on what earlier
      runs have built; --list names the steps. Steps that cannot run here are reported as skipped:
        set-up   missing system libraries and programs
        format   rustfmt
        supply   licences, bans and sources of all dependencies
        lints    clippy
        core     the core without the framework
        release  the plug-in, the instrument and the command line in release
        guarded  the plug-in with debug assertions and the guard against allocations
        tests    all tests
        python   the built plug-in in pedalboard and dawdreamer
        gate     instruction counts, by valgrind, against benches/baseline.txt
        editor   a screenshot of the window
        demo     a phrase, as a sound and a picture
        docs     the documentation of the code

  cargo xtask bundle
      Builds Ictus.clap and Ictus.vst3 in release into target/bundled.

  cargo xtask install
      Builds both bundles and copies them to where hosts look: ~/.clap and ~/.vst3 (macOS:
      ~/Library/Audio/Plug-Ins, Windows: %LOCALAPPDATA%\\Programs\\Common).

  cargo xtask render --phrase FILE.json --out FILE.f32 [--rate HZ] [--block N] [--clap BUNDLE]
      Plays a phrase through the built CLAP plug-in into interleaved 32-bit float samples. The tests compare
      other hosts with it.

  cargo xtask bench [--record | --blocks [PART…] | --gate | --notes | --update REASON]
      Prints the cost of everything as Markdown: the modal bank by instruction set, contacts by integrator,
      a voice, the engine by gesture and number of voices, and Faust, STK and SuperCollider where installed.
      --record writes docs/measurements/cost.md. --blocks prints the worst block of chords on every factory
      preset as shipped and with Two-way, and of 1000 random patches; PART is presets, two-way, random or
      the name of a preset. --gate counts instructions by callgrind and fails if any work takes 5 % more than
      benches/baseline.txt; --notes counts one more note of every preset; --update renews the baseline.

  cargo xtask measure [--list | NAME [--record] [-- OPTIONS]]
      Runs a measurement that is too long for the tests: a bench, the soak, or ignored tests. --list names
      all of them. --record writes the figures to docs/measurements/NAME.md.

  cargo xtask editor [--cost | --pictures]
      Opens the built instrument on a virtual display and writes its window to target/editor.png. --cost
      prints the time of a frame; --pictures renders the pictures of the manual from the built plug-in.

  cargo xtask rtsan
      Runs every gesture, law, integrator and body under RealtimeSanitizer, if a nightly toolchain has it,
      and stops at the first call that may block.

  cargo xtask hosts [--with NAME=PATH]… [--seeds N] [--record]
      Tests the built bundles in Ardour and Qtractor, where installed: scan, load, notes, recording,
      automation, saving, loading, export. Their home is target/hosts. --with adds a validator: pluginval
      (with N of its ten seeds), validator (Steinberg's) or clap-validator. --record writes
      docs/measurements/hosts.md.

  cargo xtask soak [--minutes N]
      Plays 64 voices at random for N minutes of sound (60); fails if memory or time grows.

  cargo xtask goldens [--update REASON]
      Compares every factory preset with its stored sound; with a reason, stores the present sound.

  cargo xtask fuzz --target NAME [--seconds N]
      Runs a target of fuzz/fuzz_targets with cargo-fuzz on a nightly toolchain.

  cargo xtask miri
      Runs the code that crosses threads under Miri with several thread orders.

  cargo xtask coverage [--leave-out TARGET[,TARGET…]]
      Lists the lines of the core that no test runs, by module, with cargo-llvm-cov. Slow test targets may
      be left out.

  cargo xtask mutants [--part contact|body|rigid_body] [--sample N] [--seed N]
      Changes the code at N random places (50) and reports whether the tests of the module notice, with
      cargo-mutants.

  cargo xtask --help
      This text.

It needs a Rust toolchain with a C linker (Debian, Ubuntu: gcc) and installs or names everything else.";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match run(&args) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("\nerror: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(args: &[String]) -> Result<ExitCode> {
    let Some((command, rest)) = args.split_first() else {
        bail!("no command given\n\n{HELP}");
    };
    if matches!(command.as_str(), "--help" | "-h" | "help") {
        println!("{HELP}");
        return Ok(ExitCode::SUCCESS);
    }
    let workspace = Workspace::find()?;
    match command.as_str() {
        "play" => play::play(&workspace, rest)?,
        "test" => return test::test(&workspace, rest),
        "bundle" => {
            no_arguments(command, rest)?;
            bundle::set_up_and_bundle(&workspace)?;
        }
        "install" => {
            no_arguments(command, rest)?;
            bundle::set_up_and_bundle(&workspace)?;
            bundle::install(&workspace)?;
        }
        "bench" => bench::bench(&workspace, rest)?,
        "editor" => editor::editor(&workspace, rest)?,
        "hosts" => hosts::hosts(&workspace, rest)?,
        "rtsan" => {
            no_arguments(command, rest)?;
            verification::rtsan(&workspace)?;
        }
        "render" => render::render(&workspace, rest)?,
        "soak" => verification::soak(&workspace, rest)?,
        "measure" => measure::measure(&workspace, rest)?,
        "goldens" => verification::goldens(&workspace, rest)?,
        "fuzz" => verification::fuzz(&workspace, rest)?,
        "coverage" => coverage::coverage(&workspace, rest)?,
        "mutants" => mutants::mutants(&workspace, rest)?,
        "miri" => {
            no_arguments(command, rest)?;
            verification::miri(&workspace)?;
        }
        other => bail!("there is no command {other:?}\n\n{HELP}"),
    }
    Ok(ExitCode::SUCCESS)
}

/// The part of the help on one command.
fn about(command: &str) -> String {
    let begins = format!("  cargo xtask {command}");
    let is_other = |line: &&str| !line.starts_with("  cargo xtask ") && !line.is_empty();
    let mut lines = HELP.lines().skip_while(|line| !line.starts_with(&begins));
    lines.next().into_iter().chain(lines.take_while(is_other)).collect::<Vec<_>>().join("\n")
}

fn no_arguments(command: &str, rest: &[String]) -> Result<()> {
    match rest.first() {
        None => Ok(()),
        Some(argument) => {
            bail!("`cargo xtask {command}` takes no arguments, but was given {argument:?}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<String> {
        line.split_whitespace().map(String::from).collect()
    }

    #[test]
    fn an_unknown_command_prints_the_help() {
        let error = run(&words("paly")).expect_err("no such command").to_string();
        assert!(error.contains("\"paly\"") && error.contains("cargo xtask play"), "{error}");
    }

    #[test]
    fn the_help_explains_every_command() {
        for command in [
            "play", "test", "bundle", "install", "render", "bench", "editor", "hosts", "rtsan",
            "measure", "soak", "goldens", "fuzz", "miri", "coverage", "mutants",
        ] {
            assert!(HELP.contains(&format!("cargo xtask {command}")), "{command}");
        }
    }

    #[test]
    fn the_help_explains_every_step_of_the_tests() {
        let text = about("test");
        assert!(
            text.starts_with("  cargo xtask test") && !text.contains("cargo xtask bundle"),
            "{text}"
        );
        // Each step has one line, in order, that begins with its name.
        let lines: Vec<_> = text.lines().filter(|line| line.starts_with("        ")).collect();
        let named: Vec<_> =
            lines.iter().filter_map(|line| line.split_whitespace().next()).collect();
        assert_eq!(named, test::names());
        assert!(lines.iter().all(|line| line.split_whitespace().count() > 1), "{text}");
        assert!(run(&words("test --help")).is_ok());
    }

    #[test]
    fn bundle_takes_no_arguments() {
        assert!(run(&words("bundle --debug")).is_err());
    }
}
