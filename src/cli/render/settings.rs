//! A patch from a preset file and from `ID=VALUE` on the command line, with errors that name the field and
//! what is allowed.

use std::path::Path;

use anyhow::{Context, Result, bail};
use serde::Deserialize;
use std::collections::BTreeMap;

use crate::body::UserModes;
use crate::lists;
use crate::patch::{Param, Patch};

/// A preset is a page of text; anything much larger is something else.
const LARGEST_BYTES: u64 = 1 << 20;

/// A preset file: values in SI units, or as text with a unit.
#[derive(Deserialize)]
struct Preset {
    /// Version of Ictus that wrote it.
    ictus: String,
    params: BTreeMap<String, serde_json::Value>,
    /// The modes of a body that is a list of them.
    modes: Option<Vec<lists::Written>>,
}

/// Defaults, then the preset, then the single settings.
pub fn patch(preset: Option<&Path>, settings: &[String]) -> Result<Patch> {
    Ok(sound(preset, settings)?.0)
}

/// The same with the list of modes that the preset may hold.
pub fn sound(preset: Option<&Path>, settings: &[String]) -> Result<(Patch, UserModes)> {
    let (mut patch, mut list) = (Patch::default(), UserModes::default());
    if let Some(path) = preset {
        list = read_preset(path, &mut patch).with_context(|| path.display().to_string())?;
    }
    for setting in settings {
        let Some((id, value)) = setting.split_once('=') else {
            bail!("setting '{setting}': expected ID=VALUE, such as k=4e7");
        };
        set(&mut patch, find(id)?, value).with_context(|| format!("setting '{setting}'"))?;
    }
    Ok((patch, list))
}

fn read_preset(path: &Path, patch: &mut Patch) -> Result<UserModes> {
    let size = std::fs::metadata(path).context("cannot be read")?.len();
    if size > LARGEST_BYTES {
        bail!("has {size} bytes; a preset has at most {LARGEST_BYTES}");
    }
    let text = std::fs::read_to_string(path).context("cannot be read")?;
    let preset: Preset = serde_json::from_str(&text).context("is not a preset")?;
    if preset.ictus.is_empty() {
        bail!("field 'ictus': expected the version that wrote the file");
    }
    for (id, value) in &preset.params {
        let param = find(id)?;
        match value {
            // Without a unit a number is in SI, also where people read per cent.
            serde_json::Value::Number(number) => set_si(patch, param, number.as_f64(), &number.to_string()),
            serde_json::Value::String(text) => set(patch, param, text),
            serde_json::Value::Bool(on) => set(patch, param, if *on { "on" } else { "off" }),
            other => set(patch, param, &other.to_string()),
        }
        .with_context(|| format!("field 'params.{id}'"))?;
    }
    preset.modes.map_or(Ok(UserModes::default()), |modes| lists::check("modes", &modes))
}

fn find(id: &str) -> Result<Param> {
    Param::from_id(id).with_context(|| {
        let known: Vec<_> = Param::ALL.iter().map(|param| param.spec().id).collect();
        format!("no parameter '{id}'; there are {}", known.join(", "))
    })
}

/// Set one value from text. What is out of range is an error here: nobody is served by a silent correction of
/// what was typed.
pub fn set(patch: &mut Patch, param: Param, text: &str) -> Result<()> {
    set_si(patch, param, param.spec().parse_si(text), text)
}

fn set_si(patch: &mut Patch, param: Param, si: Option<f64>, text: &str) -> Result<()> {
    let spec = param.spec();
    let allowed = || format!("'{text}' is not allowed for {}: {}", spec.name, spec.range_text());
    let si = si.with_context(allowed)?;
    let (min, max) = spec.range_si();
    // The ends as they are shown may be rounded.
    let slack = 1e-4 * (max - min).abs().min(si.abs());
    if !(min - slack..=max + slack).contains(&si) {
        bail!(allowed());
    }
    patch.set(param, si);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_name_the_field_and_the_range() {
        for (setting, expected) in [
            ("k=1e30", "1000 N/m^a to 1.000e11 N/m^a"),
            ("mass=heavy", "0.1000 g to 5.000 kg"),
            ("integ=euler", "one of AM1, Verlet"),
            ("hybrid=maybe", "on or off"),
            ("seed=-1", "a whole number from 0 to 9999"),
            ("colour=red", "no parameter 'colour'"),
            ("k", "expected ID=VALUE"),
        ] {
            let error = format!("{:#}", patch(None, &[setting.to_string()]).unwrap_err());
            assert!(error.contains(expected), "{setting}: {error}");
        }
    }

    #[test]
    fn numbers_in_a_preset_are_si_where_people_read_per_cent() {
        let path = std::env::temp_dir().join(format!("ictus-preset-{}.json", std::process::id()));
        std::fs::write(&path, r#"{"ictus": "0.1.0", "params": {"pos": 0.25, "posy": "40 %", "body": 3}}"#).unwrap();
        let patch = patch(Some(&path), &[]);
        std::fs::remove_file(&path).unwrap();
        let patch = patch.unwrap();
        assert!((patch.get(Param::Position) - 0.25).abs() < 1e-6);
        assert!((patch.get(Param::PositionY) - 0.4).abs() < 1e-6);
        assert_eq!(patch.choice(Param::Body), 3);
    }

    #[test]
    fn settings_reach_the_patch_in_order() {
        let patch = patch(None, &["mass=20 g".into(), "mass=0.5kg".into(), "integ=passive".into()]).unwrap();
        assert!((patch.get(Param::Mass) - 0.5).abs() < 1e-7);
        assert_eq!(patch.choice(Param::Integrator), 5);
    }
}
