//! `cargo xtask play`: from a fresh clone to the instrument under one's fingers.
use crate::packages::Purpose;
use crate::progress::Steps;
use crate::workspace::Workspace;
use crate::{bundle, demo, devices, process, setup};
use anyhow::{Result, bail};
use std::process::Command;

/// Sets up, builds, and opens the instrument; or plays the demo where that is not possible.
pub fn play(workspace: &Workspace, args: &[String]) -> Result<()> {
    let (own, passed_on) = match args.iter().position(|argument| argument == "--") {
        Some(place) => (&args[..place], &args[place + 1..]),
        None => (args, &[][..]),
    };
    let forced = match own {
        [] => false,
        [one] if one == "--demo" => true,
        _ => bail!(
            "`cargo xtask play` takes --demo, and options of the instrument after `--`, but was given {}",
            own.join(" ")
        ),
    };
    let asks_for_help = passed_on.iter().any(|argument| argument == "--help" || argument == "-h");
    let lacking = [devices::no_display(), devices::no_audio()];
    let demo = forced || (!asks_for_help && lacking.iter().any(Option::is_some));

    let last = if demo { "demo" } else { "instrument" };
    let mut steps = Steps::new(&["system libraries", "build", "bundle", last]);
    steps.run(|| setup::set_up(Purpose::Play));
    steps.run(|| bundle::build_release(workspace));
    steps.run(|| bundle::bundle_release(workspace));
    steps.run(|| {
        if !demo {
            return open(workspace, passed_on);
        }
        if !forced {
            for reason in lacking.iter().flatten() {
                eprintln!("  {reason}");
            }
            eprintln!(
                "  So the instrument is not opened; the plug-in plays a phrase into a file instead."
            );
        }
        demo::demo(workspace)
    });
    steps.into_result()
}

fn open(workspace: &Workspace, args: &[String]) -> Result<()> {
    let mut command = Command::new(workspace.standalone());
    command.args(args);
    let chosen = args.iter().any(|argument| argument.starts_with("--midi-input"));
    if let Some(keyboard) = devices::midi_keyboard().filter(|_| !chosen) {
        eprintln!("  MIDI keyboard: {keyboard} (another: cargo xtask play -- --midi-input NAME)");
        command.args(["--midi-input", &keyboard]);
    }
    eprintln!("  The instrument is open; it ends when its window is closed.");
    process::run(&mut command)
}
