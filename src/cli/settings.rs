//! Values from the command line: sounds from presets and `ID=VALUE`, and MIDI keys.

use std::path::Path;

use anyhow::{Context, Result, bail};

use crate::io::presets::format::set_text;
use crate::io::presets::{Library, Preset, Sound, factory};
use crate::params::{Param, Patch};

/// The parameters of [`sound`].
pub fn patch(preset: Option<&Path>, settings: &[String]) -> Result<Patch> {
    Ok(sound(preset, settings)?.patch)
}

/// The default sound, then the preset, then the single settings.
pub fn sound(preset: Option<&Path>, settings: &[String]) -> Result<Sound> {
    let mut sound = preset.map_or_else(
        || Ok(Sound::default()),
        |preset| Ok::<_, anyhow::Error>(load(preset)?.sound),
    )?;
    for setting in settings {
        let Some((id, value)) = setting.split_once('=') else {
            bail!("setting '{setting}': expected ID=VALUE, such as k=4e7");
        };
        set_text(&mut sound.patch, find(id)?, value)
            .with_context(|| format!("setting '{setting}'"))?;
    }
    Ok(sound)
}

/// Loads a preset by its file, or by the name of a factory or user preset.
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

/// Parses a MIDI key: `69`, `A4`, `c#3`, `Bb-1`; middle C is C4 = 60.
pub fn parse_key(text: &str) -> Result<u8, String> {
    let error = || {
        format!("'{text}' is not a key: give a MIDI number from 0 to 127, or a name from C-1 to G9")
    };
    if let Ok(number) = text.parse::<u8>() {
        return if number <= 127 { Ok(number) } else { Err(error()) };
    }
    let mut letters = text.chars();
    let semitone = match letters.next().map(|letter| letter.to_ascii_uppercase()) {
        Some('C') => 0,
        Some('D') => 2,
        Some('E') => 4,
        Some('F') => 5,
        Some('G') => 7,
        Some('A') => 9,
        Some('B') => 11,
        _ => return Err(error()),
    };
    let rest = letters.as_str();
    let (shift, octave) = match (rest.strip_prefix('#'), rest.strip_prefix('b')) {
        (Some(octave), _) => (1, octave),
        (_, Some(octave)) => (-1, octave),
        _ => (0, rest),
    };
    let octave: i32 =
        octave.parse().ok().filter(|octave| (-1..=9).contains(octave)).ok_or_else(error)?;
    u8::try_from(12 * (octave + 1) + semitone + shift)
        .ok()
        .filter(|key| *key <= 127)
        .ok_or_else(error)
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
    fn numbers_in_a_preset_are_in_si_units() {
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

    #[test]
    fn key_names_and_numbers_are_parsed() {
        for (text, key) in
            [("A4", 69), ("c4", 60), ("C#3", 49), ("Bb3", 58), ("C-1", 0), ("G9", 127), ("69", 69)]
        {
            assert_eq!(parse_key(text), Ok(key), "{text}");
        }
        for text in ["", "H4", "G#9", "Cb-1", "128", "-1", "A", "A99", "A4 "] {
            assert!(parse_key(text).is_err(), "{text}");
        }
    }
}
