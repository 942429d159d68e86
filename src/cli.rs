//! The command line: the engine without a host.

pub mod body;
pub mod impact;
pub mod params;
pub mod render;
pub mod study;

use clap::{Parser, Subcommand};

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
    Render(render::Args),
    /// List all parameters with their identifiers, ranges and defaults.
    Params,
    /// List the modes of a body: frequencies, decay times, shapes.
    Body(body::Args),
    /// Let one mass hit a rigid surface, and report how well the integrator did.
    Impact(impact::Args),
    /// Recompute the tables and figures of the contact paper beside ours.
    Study(study::Args),
}

impl Cli {
    /// Carry out the command.
    pub fn run(self) -> anyhow::Result<()> {
        match self.command {
            Command::Render(args) => render::run(args),
            Command::Params => {
                params::run();
                Ok(())
            }
            Command::Body(args) => body::run(args),
            Command::Impact(args) => impact::run(args),
            Command::Study(args) => study::run(args),
        }
    }
}
