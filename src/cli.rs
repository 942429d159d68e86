//! The command line: the engine without a host.

pub mod body;
pub mod couple;
pub mod events;
pub mod impact;
pub mod picture;
pub mod presets;
pub mod render;
pub mod settings;
pub mod strike3d;

use anyhow::{Result, ensure};
use clap::{Parser, Subcommand};
use plotters::style::RGBColor;
use serde::Serialize;

use crate::params::{Group, Param};
use crate::research::{soak, study};

/// Ink of curves in pictures.
const DARK_BLUE: RGBColor = RGBColor(0x1b, 0x4f, 0x9c);
/// Ink of marks in pictures.
const DARK_RED: RGBColor = RGBColor(0xc2, 0x3b, 0x22);

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
    /// List presets, or check preset files.
    Presets(presets::Args),
    /// List the modes of a body: frequencies, decay times, shapes.
    #[command(allow_negative_numbers = true)]
    Body(body::Args),
    /// List the contacts of a note with their times, speeds, points and energies.
    #[command(allow_negative_numbers = true)]
    Events(events::Args),
    /// Let one mass hit a rigid surface, and report the accuracy of the integrator.
    #[command(allow_negative_numbers = true)]
    Impact(impact::Args),
    /// Let one mass hit a vibrating body, at many onsets inside the sample, and check the energy.
    #[command(allow_negative_numbers = true)]
    Couple(couple::Args),
    /// Solve impacts of rigid bodies in three dimensions, case by case from a file.
    Strike3d(strike3d::Args),
    /// Play at random for minutes or hours, and fail if memory or time grows.
    #[command(hide = true)]
    Soak(soak::Args),
    /// Recompute the tables and figures of the papers.
    Study(study::Args),
}

impl Cli {
    /// Runs the command.
    pub fn run(self) -> Result<()> {
        match self.command {
            Command::Render(args) => render::run(args),
            Command::Picture(args) => picture::run(&args),
            Command::Params => {
                list_params();
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

/// Lists every parameter with its identifier, default and range.
fn list_params() {
    for group in Group::ALL {
        println!("{}", group.name());
        for spec in Param::ALL.map(Param::spec).into_iter().filter(|spec| spec.group == group) {
            let default = spec.format_stored(spec.default_stored());
            println!("  {:8} {:18} {:14} {}", spec.id, spec.name, default, spec.range_text());
            println!("  {:8} {}", "", spec.help);
        }
    }
}

/// Fails unless a value is within its range; `name` is the option or field in the error.
fn within(name: &str, value: f64, low: f64, high: f64) -> Result<()> {
    ensure!((low..=high).contains(&value), "{name} {value} is not within {low} to {high}");
    Ok(())
}

/// Prints a report as JSON, or as one line per field with names of `width` characters.
fn print_report(report: &impl Serialize, json: bool, width: usize) -> Result<()> {
    if json {
        println!("{}", serde_json::to_string_pretty(report)?);
    } else if let Some(fields) = serde_json::to_value(report)?.as_object() {
        for (name, value) in fields {
            println!("{name:>width$}  {value}");
        }
    }
    Ok(())
}
