//! Old files, brought up to date one format after the other.

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Map, Value};

/// The format that is written.
pub const CURRENT: usize = STEPS.len();

/// Brings a file of one format to the next; gets the file's name without its ending.
type Step = fn(&mut Map<String, Value>, &str);

/// The step at index n leads from format n to n + 1. Steps are added at the end and never changed:
/// any file ever written goes through all that came after it.
const STEPS: [Step; 2] = [add_missing_name, keep_for_measuring];

/// Files before this format do not know *Trim*: it is measured once they are read.
pub const WITH_TRIM: usize = 2;

/// Files of format 0 have no field `format`, and the name may be missing: then the file's name says
/// it.
fn add_missing_name(map: &mut Map<String, Value>, stem: &str) {
    map.entry("name").or_insert_with(|| {
        let mut words = stem.replace(['-', '_'], " ");
        if let Some(first) = words.get_mut(..1) {
            first.make_ascii_uppercase();
        }
        let name = words.trim().chars().take(super::fields::MAX_LINE_CHARS).collect::<String>();
        Value::String(if name.is_empty() { "Unnamed".to_string() } else { name })
    });
}

/// The text stays as it is; *Trim* needs the whole sound ([`WITH_TRIM`]).
fn keep_for_measuring(_: &mut Map<String, Value>, _: &str) {}

/// Bring a file up to date, and take its field `format` away. Returns the format that it had.
pub fn migrate(map: &mut Map<String, Value>, stem: &str) -> Result<usize> {
    let format = match map.remove("format") {
        None => 0,
        Some(format) => {
            let number = format
                .as_u64()
                .with_context(|| format!("field 'format': {format} is no whole number"))?;
            ensure!(number > 0, "field 'format': 0 is not written; allowed is 1 to {CURRENT}");
            usize::try_from(number).unwrap_or(usize::MAX)
        }
    };
    if format > CURRENT {
        bail!(
            "field 'format': the file has format {format}, and this version ({}) reads up to {CURRENT}",
            env!("CARGO_PKG_VERSION")
        );
    }
    for step in &STEPS[format..] {
        step(map, stem);
    }
    Ok(format)
}
