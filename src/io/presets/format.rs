//! The preset file: JSON that people can read and write.
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
//! Missing parameters have their default. A number is in SI units; a text may carry any unit of the
//! parameter. A file with an unknown field, an unknown parameter or a value out of range is refused
//! with a message that names the field and the allowed values, because ignoring a misspelt
//! parameter would give a different sound. Files of a later format are refused; older ones are
//! migrated.

mod fields;

use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result, bail, ensure};
use serde::Serialize;
use serde_json::{Map, Value};

use super::sound::{Extras, Sound};
use crate::io::{mode_lists, read_text, surfaces, tunings};
use crate::params::Param;
use fields::Fields;
pub use fields::{duplicate_key, set_text};

/// A preset with 256 modes and a surface has some hundred kilobytes.
pub const MAX_BYTES: u64 = 1 << 20;

/// Name and description of a preset.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct About {
    /// Displayed name.
    pub name: String,
    /// Category in the browser.
    pub category: String,
    /// Words for the search.
    pub tags: Vec<String>,
    /// Author.
    pub author: String,
    /// Description.
    pub description: String,
}

/// A sound with a name.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Preset {
    /// Name and description.
    pub about: About,
    /// Parameters and other data.
    pub sound: Sound,
}

impl About {
    /// Reads the description from a file. The whole file is checked, but *Trim* is not measured.
    pub fn load(path: &Path) -> Result<Self> {
        read_file(path, Preset::parse).map(|(preset, _)| preset.about)
    }

    /// Reads the description from the text of a file.
    pub fn read(text: &str, stem: &str) -> Result<Self> {
        Preset::parse(text, stem).map(|(preset, _)| preset.about)
    }
}

/// Parses the text and the name (without extension) of a file. Errors begin with its path.
fn read_file<T>(path: &Path, parse: impl FnOnce(&str, &str) -> Result<T>) -> Result<T> {
    let read = || -> Result<T> {
        let text = read_text(path, MAX_BYTES, "a preset")?;
        parse(&text, &path.file_stem().unwrap_or_default().to_string_lossy())
    };
    read().with_context(|| path.display().to_string())
}

impl Preset {
    /// Reads a file. Errors begin with its path.
    pub fn load(path: &Path) -> Result<Self> {
        read_file(path, Self::read)
    }

    /// Reads the text of a file.
    ///
    /// `stem` is the file name without extension, for files without a name. A file of version 0.1
    /// has no *Trim*: it is measured here, and *Level* becomes 0 dB.
    pub fn read(text: &str, stem: &str) -> Result<Self> {
        let (mut preset, format) = Self::parse(text, stem)?;
        if format < FORMAT_WITH_TRIM {
            preset.sound.relevel();
        }
        Ok(preset)
    }

    /// The preset as written, and the format of the text.
    fn parse(text: &str, stem: &str) -> Result<(Self, usize)> {
        ensure!(
            text.len() as u64 <= MAX_BYTES,
            "has {} bytes; a preset has at most {MAX_BYTES}",
            text.len()
        );
        let Value::Object(mut map) = fields::read_json(text)? else {
            anyhow::bail!("is not a preset: expected an object with fields")
        };
        let version = fields::version(&map)?;
        let format =
            migrate(&mut map, stem).with_context(|| format!("written by Ictus {version}"))?;
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

    /// The text of a file. Reading it restores every bit of every stored value.
    pub fn write(&self) -> String {
        write(self)
    }
}

/// The format that is written.
pub const CURRENT_FORMAT: usize = STEPS.len();

/// Migrates the fields of a file from one format to the next, given the name of the file.
type Step = fn(&mut Map<String, Value>, &str);

/// The step at index n migrates from format n to n + 1. Steps are appended and never changed,
/// because old files pass through all later steps.
const STEPS: [Step; 2] = [add_missing_name, keep_for_measuring];

/// Files before this format have no *Trim*, which is measured after reading.
const FORMAT_WITH_TRIM: usize = 2;

/// Files of format 0 have no field `format`, and their name may be missing: the file name replaces
/// it.
fn add_missing_name(map: &mut Map<String, Value>, stem: &str) {
    map.entry("name").or_insert_with(|| {
        let mut words = stem.replace(['-', '_'], " ");
        if let Some(first) = words.get_mut(..1) {
            first.make_ascii_uppercase();
        }
        let name = words.trim().chars().take(fields::MAX_LINE_CHARS).collect::<String>();
        Value::String(if name.is_empty() { "Unnamed".to_string() } else { name })
    });
}

/// Changes nothing: *Trim* needs the whole sound ([`FORMAT_WITH_TRIM`]).
fn keep_for_measuring(_: &mut Map<String, Value>, _: &str) {}

/// Migrates the fields to the current format, removes `format` and returns its value.
fn migrate(map: &mut Map<String, Value>, stem: &str) -> Result<usize> {
    let format = match map.remove("format") {
        None => 0,
        Some(format) => {
            let number = format
                .as_u64()
                .with_context(|| format!("field 'format': {format} is not a whole number"))?;
            ensure!(
                number > 0,
                "field 'format': 0 is not written; allowed is 1 to {CURRENT_FORMAT}"
            );
            usize::try_from(number).unwrap_or(usize::MAX)
        }
    };
    if format > CURRENT_FORMAT {
        bail!(
            "field 'format': the file has format {format}, and this version ({}) reads up to {CURRENT_FORMAT}",
            env!("CARGO_PKG_VERSION")
        );
    }
    for step in &STEPS[format..] {
        step(map, stem);
    }
    Ok(format)
}

/// Writes a preset without default values, with the parameters in the order of the table.
///
/// The same sound always gives the same text, so that versions of a file can be compared.
fn write(preset: &Preset) -> String {
    let about = &preset.about;
    let mut fields = vec![
        ("ictus", json(env!("CARGO_PKG_VERSION"))),
        ("format", json(&CURRENT_FORMAT)),
        ("name", json(&about.name)),
        ("category", json(&about.category)),
        ("tags", list(about.tags.iter().map(json))),
        ("author", json(&about.author)),
        ("description", json(&about.description)),
    ];
    let patch = &preset.sound.patch;
    let changed = Param::ALL.into_iter().filter(|param| {
        let default = param.spec().default_stored();
        patch.stored(*param).to_bits() != default.to_bits()
    });
    let lines: Vec<_> = changed
        .map(|param| {
            format!(
                "    {}: {}",
                json(param.spec().id),
                json(&fields::write_value(param, patch.stored(param)))
            )
        })
        .collect();
    let params = if lines.is_empty() {
        "{}".to_string()
    } else {
        format!("{{\n{}\n  }}", lines.join(",\n"))
    };
    fields.push(("params", params));
    if let Some(modes) = &preset.sound.extras.modes {
        let lines: Vec<_> = mode_lists::write(modes)
            .iter()
            .map(|mode| format!("    {}", json(&mode_fields(mode))))
            .collect();
        fields.push(("modes", format!("[\n{}\n  ]", lines.join(",\n"))));
    }
    if let Some(surface) = &preset.sound.extras.surface {
        fields.push(("surface", json(&surfaces::StoredSurface::of(surface))));
    }
    if let Some(tuning) = &preset.sound.extras.tuning {
        fields.push(("tuning", json(tuning.as_ref())));
    }
    let lines: Vec<_> =
        fields.iter().map(|(name, text)| format!("  {}: {text}", json(name))).collect();
    format!("{{\n{}\n}}\n", lines.join(",\n"))
}

/// The fields of a mode that differ from their defaults.
fn mode_fields(mode: &mode_lists::StoredMode) -> Map<String, Value> {
    let fields = [
        ("ratio", mode.ratio),
        ("strike", mode.strike),
        ("left", mode.left),
        ("right", mode.right),
    ];
    let mut map: Map<_, _> =
        fields.into_iter().map(|(name, value)| (name.to_string(), value.into())).collect();
    map.insert("decay".to_string(), mode.decay.into());
    map.retain(|name, value| name == "ratio" || value.as_f64() != Some(1.0));
    map
}

fn list(items: impl Iterator<Item = String>) -> String {
    format!("[{}]", items.collect::<Vec<_>>().join(", "))
}

/// JSON of a value. Serialising these types cannot fail.
fn json(value: &(impl Serialize + ?Sized)) -> String {
    serde_json::to_string(value).unwrap_or_default()
}
