//! A sound from a preset and from `ID=VALUE` on the command line, with errors that name the field
//! and what is allowed.

use std::path::Path;

use anyhow::{Context, Result, bail};

use crate::io::presets::format::set_text;
use crate::io::presets::{Library, Preset, Sound, factory};
use crate::params::{Param, Patch};

/// Defaults, then the preset, then the single settings.
pub fn patch(preset: Option<&Path>, settings: &[String]) -> Result<Patch> {
    Ok(sound(preset, settings)?.patch)
}

/// The same with what else the preset holds.
pub fn sound(preset: Option<&Path>, settings: &[String]) -> Result<Sound> {
    let mut sound = preset.map_or_else(
        || Ok(Sound::default()),
        |preset| Ok::<_, anyhow::Error>(load(preset)?.sound),
    )?;
    for setting in settings {
        let Some((id, value)) = setting.split_once('=') else {
            bail!("setting '{setting}': expected ID=VALUE, such as k=4e7");
        };
        set(&mut sound.patch, find(id)?, value).with_context(|| format!("setting '{setting}'"))?;
    }
    Ok(sound)
}

/// A preset by its file, or by its name: one of the instrument's own, or of the user's.
pub fn load(preset: &Path) -> Result<Preset> {
    if !preset.exists()
        && let Some(name) = preset.to_str()
    {
        if let Some(key) = factory::find(name) {
            return factory::load(key);
        }
        if let Some(origin) = Library::default().find(name) {
            return Library::default().load(&origin);
        }
    }
    Preset::load(preset).with_context(|| {
        format!(
            "--preset {}: neither a file that can be read nor the name of a preset",
            preset.display()
        )
    })
}

fn find(id: &str) -> Result<Param> {
    Param::from_id(id).with_context(|| {
        let known: Vec<_> = Param::ALL.iter().map(|param| param.spec().id).collect();
        format!("no parameter '{id}'; there are {}", known.join(", "))
    })
}

/// Set one value from text. What is out of range is an error here.
pub fn set(patch: &mut Patch, param: Param, text: &str) -> Result<()> {
    set_text(patch, param, text)
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
        std::fs::write(
            &path,
            r#"{"ictus": "0.1.0", "params": {"pos": 0.25, "posy": "40 %", "body": 3}}"#,
        )
        .unwrap();
        let patch = patch(Some(&path), &[]);
        std::fs::remove_file(&path).unwrap();
        let patch = patch.unwrap();
        assert!((patch.get(Param::Position) - 0.25).abs() < 1e-6);
        assert!((patch.get(Param::PositionY) - 0.4).abs() < 1e-6);
        assert_eq!(patch.choice(Param::Body), 3);
    }

    #[test]
    fn settings_reach_the_patch_in_order() {
        let patch = patch(None, &["mass=20 g".into(), "mass=0.5kg".into(), "integ=passive".into()])
            .unwrap();
        assert!((patch.get(Param::Mass) - 0.5).abs() < 1e-7);
        assert_eq!(patch.choice(Param::Integrator), 5);
    }
}
