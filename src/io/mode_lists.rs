//! Lists of modes in files and presets, with errors that name the field and the range.

use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use serde::{Deserialize, Serialize};

use super::read_text;
use crate::body::shape::UserMode;
use crate::body::{MAX_MODES, UserModes};

/// Largest file, bytes; a list of 256 modes has some tens of kilobytes.
const MAX_BYTES: u64 = 1 << 20;

/// The stored form of a mode. Only the ratio is mandatory.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct StoredMode {
    /// Frequency over the nominal pitch.
    pub ratio: f64,
    /// Signed amplitude at the strike point.
    #[serde(default = "one")]
    pub strike: f64,
    /// Signed amplitude at the left pickup.
    #[serde(default = "one")]
    pub left: f64,
    /// Signed amplitude at the right pickup.
    #[serde(default = "one")]
    pub right: f64,
    /// Factor on the decay time.
    #[serde(default = "one")]
    pub decay: f64,
}

fn one() -> f64 {
    1.0
}

impl From<&UserMode> for StoredMode {
    fn from(mode: &UserMode) -> Self {
        let UserMode { ratio, strike, left, right, decay } = *mode;
        Self { ratio, strike, left, right, decay }
    }
}

/// The stored form of a list.
pub fn write(modes: &UserModes) -> Vec<StoredMode> {
    modes.modes().iter().map(StoredMode::from).collect()
}

/// Checks a stored list; `field` is its name in error messages.
pub fn check(field: &str, modes: &[StoredMode]) -> Result<UserModes> {
    ensure!(
        (1..=MAX_MODES).contains(&modes.len()),
        "field '{field}': {} modes; allowed are 1 to {MAX_MODES}",
        modes.len()
    );
    let mut checked = Vec::with_capacity(modes.len());
    for (i, mode) in modes.iter().enumerate() {
        for (name, value, (low, high)) in [
            ("ratio", mode.ratio, UserMode::RATIO),
            ("strike", mode.strike, UserMode::AMPLITUDE),
            ("left", mode.left, UserMode::AMPLITUDE),
            ("right", mode.right, UserMode::AMPLITUDE),
            ("decay", mode.decay, UserMode::DECAY),
        ] {
            if !(low..=high).contains(&value) {
                bail!("field '{field}[{i}].{name}': {value} is not allowed: {low} to {high}");
            }
        }
        let StoredMode { ratio, strike, left, right, decay } = *mode;
        checked.push(UserMode { ratio, strike, left, right, decay });
    }
    Ok(UserModes::new(&checked))
}

/// Reads a list from a file: an array of objects, `[{"ratio": 1}, {"ratio": 2.76, "left": -0.5,
/// "decay": 0.7}]`.
pub fn read(path: &Path) -> Result<UserModes> {
    let list = || -> Result<UserModes> {
        let text = read_text(path, MAX_BYTES, "a list of modes")?;
        let modes: Vec<StoredMode> =
            serde_json::from_str(&text).context("is not a list of modes")?;
        check("modes", &modes)
    };
    list().with_context(|| path.display().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<UserModes> {
        check(
            "modes",
            &serde_json::from_str::<Vec<StoredMode>>(text).context("is not a list of modes")?,
        )
    }

    #[test]
    fn a_written_list_reads_back_unchanged() {
        let list = parse(r#"[{"ratio": 2.76, "left": -0.5, "decay": 0.7}, {"ratio": 1}]"#).unwrap();
        assert_eq!(list.modes().len(), 2);
        assert_eq!(
            list.modes()[1],
            UserMode { ratio: 2.76, left: -0.5, decay: 0.7, ..UserMode::default() }
        );
        let text = serde_json::to_string(&write(&list)).unwrap();
        assert_eq!(parse(&text).unwrap(), list);
    }

    #[test]
    fn errors_name_the_field_and_the_range() {
        for (text, expected) in [
            (r#"[{"ratio": 1}, {"ratio": 0}]"#, "'modes[1].ratio': 0 is not allowed: 0.01 to 1000"),
            (
                r#"[{"ratio": 1, "decay": 1e9}]"#,
                "'modes[0].decay': 1000000000 is not allowed: 0.01 to 100",
            ),
            (r#"[{"ratio": 1, "left": -11}]"#, "'modes[0].left': -11 is not allowed: -10 to 10"),
            (r#"[]"#, "0 modes; allowed are 1 to 256"),
            (r#"[{"pitch": 1}]"#, "is not a list of modes"),
        ] {
            let error = format!("{:#}", parse(text).unwrap_err());
            assert!(error.contains(expected), "{text}: {error}");
        }
    }
}
