//! `cargo xtask`: everything one does with this repository, in one place.

mod bench;
mod bundle;
#[path = "../../tests/support/clap_host.rs"]
mod clap_host;
mod coverage;
mod demo;
mod devices;
mod display;
mod editor;
mod hosts;
mod install;
mod measurement;
mod mutants;
mod packages;
mod phrase;
mod play;
mod process;
mod progress;
mod python;
mod render;
mod rtsan;
mod setup;
mod supply;
mod test;
mod verification;
mod workspace;
mod xwd;

use anyhow::{Result, bail};
use std::process::ExitCode;
use workspace::Workspace;

const HELP: &str = "\
Ictus: everything one does with this repository.

  cargo xtask play [--demo] [-- OPTIONS]
      Builds and bundles the plug-in and opens the instrument with its editor, playable by MIDI and by the
      computer keyboard. On Debian and Ubuntu it first installs the system libraries that are missing and says
      which; elsewhere it names them. Without a display or an audio device, or with --demo, it plays a short
      phrase through the built CLAP plug-in instead, into target/demo/demo.wav with its spectrogram
      target/demo/demo.png. OPTIONS go to the instrument: `cargo xtask play -- --help` lists them.

  cargo xtask test [--only STEP[,STEP…]]
      Everything that must hold, from a clean clone. Stops at the first step that fails. --only runs just the named
      steps, on what earlier runs have built; --list names them all. Those that cannot be had here are skipped, and
      said to be. The steps:
        set-up   system libraries and programs that are missing
        format   rustfmt
        supply   licences, bans and sources of all that is used
        lints    clippy
        core     the core builds alone
        release  the plug-in, the instrument and the command line as they are shipped
        guarded  the plug-in with checks and the guard against allocations
        tests    all tests
        python   the built plug-in in pedalboard and dawdreamer
        gate     instructions of fixed work, counted by valgrind, against benches/baseline.txt
        editor   a screenshot of the window
        demo     a phrase, as a sound and a picture
        docs     the documentation

  cargo xtask bundle
      Builds in release and puts Ictus.clap and Ictus.vst3 into target/bundled.

  cargo xtask install
      The same, and copies both to where hosts look: ~/.clap and ~/.vst3 (macOS: ~/Library/Audio/Plug-Ins,
      Windows: %LOCALAPPDATA%\\Programs\\Common).

  cargo xtask render --phrase FILE.json --out FILE.f32 [--rate HZ] [--block N] [--clap BUNDLE]
      Plays a phrase through the built CLAP plug-in into raw 32-bit float samples, left and right in turn.
      The tests compare other hosts with it.

  cargo xtask bench [--blocks [PART…] | --gate | --update REASON]
      What everything costs, as Markdown in one run: the bank by instruction set, contacts by integrator, a voice,
      the engine by gesture and number of voices, how cost grows, start, memory and silence; and beside it Faust,
      STK and SuperCollider, where they are installed. --blocks tells the worst block of chords on every factory
      preset as shipped and with Two-way, and of 1000 patches at random; PART is presets, two-way, random or the
      name of a preset. --gate counts the instructions of fixed work by callgrind
      and fails when any takes 5 % more than benches/baseline.txt; --update renews that file, with a reason.

  cargo xtask editor [--cost | --pictures]
      Opens the built instrument on a display without a screen and writes what its window shows to
      target/editor.png. --cost tells what a frame of the editor takes; --pictures takes those of the documents
      anew, from the built plug-in in a host, into docs/manual/images.

  cargo xtask rtsan
      Builds the core with RealtimeSanitizer, where a nightly toolchain has it, and plays every gesture, law,
      integrator and body: it stops at the first call that may wait.

  cargo xtask hosts [--with NAME=PATH]… [--seeds N] [--record]
      What Ardour and Qtractor make of the built bundles, where they are installed: scan, load, notes, recording,
      automation, saving, loading, export. In a home of their own under target/hosts. --with adds a validator
      that you have built: pluginval (with N of its ten seeds), validator (Steinberg's), clap-validator. --record
      writes docs/measurements/hosts.md.

  cargo xtask soak [--minutes N]
      Plays 64 voices at random for N minutes of sound (60) and sees whether memory or time grows.

  cargo xtask measure level
      Turns every control of every factory preset to its ends and throws the dice 300 times: whether Auto level
      brings each sound within 2 LU of the common loudness.

  cargo xtask goldens [--update REASON]
      Compares every factory preset with how it sounded; with a reason, takes how it sounds now.

  cargo xtask fuzz --target NAME [--seconds N]
      Searches for input that does harm (fuzz/fuzz_targets), with cargo-fuzz on a nightly toolchain.

  cargo xtask miri
      What passes between threads under Miri, which tries orders that this machine would not.

  cargo xtask coverage [--leave-out TARGET[,TARGET…]]
      Which lines of the core no test runs, by part, with cargo-llvm-cov. Targets that take long may be left out.

  cargo xtask mutants [--part contact|body|rigid] [--sample N] [--seed N]
      Changes the code at N places (50) that chance draws, and sees whether the tests of the part notice, with
      cargo-mutants.

  cargo xtask --help
      This text.

It needs a Rust toolchain with a C linker (Debian, Ubuntu: gcc); the rest it gets or asks for by itself.";

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
            install::install(&workspace)?;
        }
        "bench" => bench::bench(&workspace, rest)?,
        "editor" => editor::editor(&workspace, rest)?,
        "hosts" => hosts::hosts(&workspace, rest)?,
        "rtsan" => {
            no_arguments(command, rest)?;
            rtsan::rtsan(&workspace)?;
        }
        "render" => render::render(&workspace, rest)?,
        "soak" => verification::soak(&workspace, rest)?,
        "measure" => verification::measure(&workspace, rest)?,
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

/// What the help says of one command.
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
    fn an_unknown_command_is_answered_with_the_help() {
        let error = run(&words("paly")).expect_err("no such command").to_string();
        assert!(error.contains("\"paly\"") && error.contains("cargo xtask play"), "{error}");
    }

    #[test]
    fn the_help_explains_every_command() {
        for command in [
            "play", "test", "bundle", "install", "render", "bench", "editor", "hosts", "rtsan",
            "soak", "goldens", "fuzz", "miri", "coverage", "mutants",
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
        // Each has a line of its own that begins with its name, in their order.
        let told: Vec<_> = text.lines().filter(|line| line.starts_with("        ")).collect();
        let named: Vec<_> = told.iter().filter_map(|line| line.split_whitespace().next()).collect();
        assert_eq!(named, test::names());
        assert!(told.iter().all(|line| line.split_whitespace().count() > 1), "{text}");
        assert!(run(&words("test --help")).is_ok());
    }

    #[test]
    fn bundle_takes_no_arguments() {
        assert!(run(&words("bundle --debug")).is_err());
    }
}
