//! The command line: the engine without a host.

pub mod body;
mod contact_options;
pub mod couple;
pub mod events;
pub mod impact;
pub mod params;
pub mod picture;
pub mod presets;
pub mod render;
pub mod strike3d;

use clap::{Parser, Subcommand};

use crate::research::{soak, study};

/// Ictus on the command line: render notes and MIDI files, and study the contact.
#[derive(Parser)]
#[command(name = "ictus", version, about)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Render one note or a MIDI file to a 32-bit float WAV file.
    #[command(allow_negative_numbers = true)]
    Render(render::Args),
    /// Draw the spectrogram of a WAV file into a PNG file.
    Picture(picture::Args),
    /// List all parameters with their identifiers, ranges and defaults.
    Params,
    /// List presets, or check files of presets.
    Presets(presets::Args),
    /// List the modes of a body: frequencies, decay times, shapes.
    #[command(allow_negative_numbers = true)]
    Body(body::Args),
    /// List what happens when a note is played: contacts with their times, speeds, points and
    /// energies.
    #[command(allow_negative_numbers = true)]
    Events(events::Args),
    /// Let one mass hit a rigid surface, and report how well the integrator did.
    #[command(allow_negative_numbers = true)]
    Impact(impact::Args),
    /// Let one mass hit a body that gives way, at many places inside the sample, and account for
    /// the energy.
    #[command(allow_negative_numbers = true)]
    Couple(couple::Args),
    /// Solve impacts of rigid bodies in three dimensions, case by case from a file.
    Strike3d(strike3d::Args),
    /// Play at random for minutes or hours, and see whether anything gets worse.
    #[command(hide = true)]
    Soak(soak::Args),
    /// Recompute the tables and figures of the papers beside ours.
    Study(study::Args),
}

impl Cli {
    /// Carry out the command.
    pub fn run(self) -> anyhow::Result<()> {
        match self.command {
            Command::Render(args) => render::run(args),
            Command::Picture(args) => picture::run(&args),
            Command::Params => {
                params::run();
                Ok(())
            }
            Command::Presets(args) => presets::run(args),
            Command::Body(args) => body::run(args),
            Command::Events(args) => events::run(args),
            Command::Impact(args) => impact::run(args),
            Command::Couple(args) => couple::run(args),
            Command::Strike3d(args) => strike3d::run(args),
            Command::Soak(args) => soak::run(args),
            Command::Study(args) => study::run(args),
        }
    }
}
