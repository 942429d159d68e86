//! The file: JSON that people can read and write.
//!
//! ```json
//! {
//!   "ictus": "0.1.0",
//!   "format": 2,
//!   "name": "Anvil",
//!   "category": "Metal",
//!   "tags": ["metal", "hard"],
//!   "author": "Ictus",
//!   "description": "A hammer rebounds from a heavy block and the block rings.",
//!   "params": { "body": "Free plate", "mass": "0.6 kg", "aspect": 2.4 }
//! }
//! ```
//!
//! What is not said is at its default. A number is in SI units, a text may carry any unit of the
//! parameter. A file is read whole or not at all: a field or parameter that is not known, a value
//! that is not allowed or of the wrong kind refuses it with a message that names the field and what
//! is allowed. Nothing is guessed, because a misspelt parameter that is passed over makes another
//! sound than the one that was meant. A file of a later format is refused as such; files of earlier
//! ones are brought up to date ([`migrate`]).

mod fields;
pub mod migrate;
mod strict;
mod value;
mod write;

use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use super::sound::{Extras, Sound};
use crate::io::mode_lists;
use crate::io::surfaces;
use crate::io::tunings;
use fields::Fields;
pub use strict::duplicate_key;
pub use value::set_text;

/// Anything larger is something else.
pub const MAX_BYTES: u64 = 1 << 20;

/// What a preset says of itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct About {
    /// As shown.
    pub name: String,
    /// One word to sort by.
    pub category: String,
    /// More words to find it by.
    pub tags: Vec<String>,
    /// Who made it.
    pub author: String,
    /// A sentence or two.
    pub description: String,
}

/// A sound with a name.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Preset {
    /// What it says of itself.
    pub about: About,
    /// What it sounds like.
    pub sound: Sound,
}

impl About {
    /// What a file says of itself. The whole file is checked, but *Trim* is not measured.
    pub fn load(path: &Path) -> Result<Self> {
        read_file(path, Preset::parse).map(|(preset, _)| preset.about)
    }

    /// The same of the text of a file.
    pub fn read(text: &str, stem: &str) -> Result<Self> {
        Preset::parse(text, stem).map(|(preset, _)| preset.about)
    }
}

/// Reads a file by its text and its name without the ending. Errors begin with its path.
fn read_file<T>(path: &Path, parse: impl FnOnce(&str, &str) -> Result<T>) -> Result<T> {
    let read = || -> Result<T> {
        let size = std::fs::metadata(path).context("cannot be read")?.len();
        ensure!(size <= MAX_BYTES, "has {size} bytes; a preset has at most {MAX_BYTES}");
        let text = std::fs::read_to_string(path).context("cannot be read")?;
        parse(&text, &path.file_stem().unwrap_or_default().to_string_lossy())
    };
    read().with_context(|| path.display().to_string())
}

impl Preset {
    /// Read a file, with errors that begin with its path.
    pub fn load(path: &Path) -> Result<Self> {
        read_file(path, Self::read)
    }

    /// Read the text of a file; `stem` is the file's name without its ending, for files that do not
    /// say their name. A file of version 0.1 has no *Trim*: it is measured here, and *Level* is 0
    /// dB.
    pub fn read(text: &str, stem: &str) -> Result<Self> {
        let (mut preset, format) = Self::parse(text, stem)?;
        if format < migrate::WITH_TRIM {
            preset.sound.relevel();
        }
        Ok(preset)
    }

    /// The preset as its text says, and the format of the text.
    fn parse(text: &str, stem: &str) -> Result<(Self, usize)> {
        ensure!(
            text.len() as u64 <= MAX_BYTES,
            "has {} bytes; a preset has at most {MAX_BYTES}",
            text.len()
        );
        let Value::Object(mut map) = strict::read(text)? else {
            anyhow::bail!("is not a preset: expected an object with fields")
        };
        let version = fields::version(&map)?;
        let format = migrate::migrate(&mut map, stem)
            .with_context(|| format!("written by Ictus {version}"))?;
        let mut fields = Fields::new(map);
        let about = About {
            name: fields.name("name")?,
            category: fields.line("category")?,
            tags: fields.tags()?,
            author: fields.line("author")?,
            description: fields.line("description")?,
        };
        let patch = fields.params(&version)?;
        let modes = match fields.take("modes") {
            Some(modes) => {
                let modes: Vec<mode_lists::StoredMode> =
                    serde_json::from_value(modes).context("field 'modes'")?;
                Some(Arc::new(mode_lists::check("modes", &modes)?))
            }
            None => None,
        };
        let surface = match fields.take("surface") {
            Some(surface) => {
                let written: surfaces::StoredSurface =
                    serde_json::from_value(surface).context("field 'surface'")?;
                Some(Arc::new(written.read().context("field 'surface'")?))
            }
            None => None,
        };
        let tuning = match fields.take("tuning") {
            Some(tuning) => {
                let written: tunings::StoredTuning =
                    serde_json::from_value(tuning).context("field 'tuning'")?;
                written.read().context("field 'tuning'")?;
                Some(Arc::new(written)).filter(|written| !written.is_empty())
            }
            None => None,
        };
        fields.end()?;
        Ok((
            Self { about, sound: Sound { patch, extras: Extras { modes, surface, tuning } } },
            format,
        ))
    }

    /// The text of a file. Reading it gives back every bit of every stored value.
    pub fn write(&self) -> String {
        write::write(self)
    }
}
