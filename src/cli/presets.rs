//! `ictus presets`: lists, checks and prints presets.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::Subcommand;
use serde_json::json;

use super::settings;
use crate::engine::auto_level;
use crate::io::presets::library::Query;
use crate::io::presets::library::files;
use crate::io::presets::{About, Entry, Library, Origin, Preset};
use crate::params::Param;

/// Arguments of `ictus presets`.
#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// List the presets of the instrument and your own.
    List {
        /// As JSON.
        #[arg(long)]
        json: bool,
        /// Only those in which all these words occur.
        #[arg(long, value_name = "WORDS", default_value = "")]
        search: String,
        /// Only this category.
        #[arg(long, value_name = "NAME")]
        category: Option<String>,
    },
    /// Check files: print the name of each, or its error.
    Check {
        /// The files.
        #[arg(required = true)]
        files: Vec<PathBuf>,
    },
    /// Print a preset as Ictus writes it: values that differ from the default, with units.
    Show {
        /// A file, or the name of a preset.
        preset: PathBuf,
    },
    /// Measure all presets of a folder and set their Trim to the common loudness.
    #[command(hide = true)]
    Trim {
        /// The folder.
        folder: PathBuf,
    },
}

/// Runs the command.
pub fn run(args: Args) -> Result<()> {
    match args.what {
        What::List { json, search, category } => {
            let query = Query { text: search, category, favourites: false };
            let entries: Vec<_> =
                Library::default().entries().into_iter().filter(|e| query.matches(e)).collect();
            if json {
                let list: Vec<_> = entries.iter().map(to_json).collect();
                println!("{}", serde_json::to_string_pretty(&list)?);
            } else {
                let width = |of: fn(&Entry) -> &str| {
                    entries.iter().map(|e| of(e).chars().count()).max().unwrap_or(0)
                };
                let widths =
                    (width(|entry| &entry.about.name), width(|entry| &entry.about.category));
                entries.iter().for_each(|entry| print(entry, widths));
            }
            Ok(())
        }
        What::Check { files } => {
            let mut damaged = 0;
            for path in &files {
                match About::load(path) {
                    Ok(about) => println!("{}: {}", path.display(), about.name),
                    Err(error) => {
                        damaged += 1;
                        println!("{error:#}");
                    }
                }
            }
            if damaged > 0 {
                bail!("{damaged} of {} cannot be loaded", files.len());
            }
            Ok(())
        }
        What::Show { preset } => {
            print!("{}", settings::load(&preset)?.write());
            Ok(())
        }
        What::Trim { folder } => trim(&folder),
    }
}

/// Sets *Trim* of all presets in a folder.
fn trim(folder: &Path) -> Result<()> {
    let files = std::fs::read_dir(folder).with_context(|| folder.display().to_string())?;
    let mut paths: Vec<_> = files.filter_map(|file| Some(file.ok()?.path())).collect();
    paths.retain(|path| path.extension().is_some_and(|ending| ending == "json"));
    paths.sort();
    for path in paths {
        let mut preset = Preset::load(&path)?;
        let Some(lufs) = preset.sound.loudness_lufs() else {
            bail!("{}: is silent", path.display())
        };
        preset.sound.patch.set(Param::Trim, auto_level::trim_db(lufs));
        files::write(&path, preset.write().as_bytes())?;
        let trim_db = preset.sound.patch.get(Param::Trim);
        println!("{}: {lufs:.1} LUFS, Trim {trim_db:.1} dB", path.display());
    }
    Ok(())
}

fn to_json(entry: &Entry) -> serde_json::Value {
    let about = &entry.about;
    let (key, path) = match &entry.origin {
        Origin::Factory(key) => (Some(*key), None),
        Origin::User(path) => (None, Some(path.display().to_string())),
    };
    json!({
        "name": about.name, "category": about.category, "tags": about.tags, "author": about.author,
        "description": about.description, "key": key, "file": path, "favourite": entry.favourite,
        "fault": entry.fault,
    })
}

/// Prints one entry, with the widths of the columns `name` and `category`.
fn print(entry: &Entry, (name, category): (usize, usize)) {
    let about = &entry.about;
    let place = match &entry.origin {
        Origin::Factory(_) => String::new(),
        Origin::User(path) => format!("  ({})", path.display()),
    };
    let star = if entry.favourite { "*" } else { " " };
    match &entry.fault {
        Some(fault) => println!("! {:name$} {fault}", about.name),
        None => println!(
            "{star} {:name$} {:category$} {}{place}",
            about.name, about.category, about.description
        ),
    }
}
