//! The factory presets, which are part of the program.

use anyhow::{Context, Result};

use super::{About, Preset};

/// Key (file name without extension) and text, sorted by key. `build.rs` generates the list from
/// `plugin-assets/presets`.
pub const ALL: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/factory_presets.rs"));

/// Loads the preset with this key (`church-bell`).
pub fn load(key: &str) -> Result<Preset> {
    let (key, text) = ALL
        .iter()
        .find(|(known, _)| *known == key)
        .with_context(|| format!("no factory preset '{key}'"))?;
    Preset::read(text, key).with_context(|| format!("factory preset '{key}'"))
}

/// The key of the preset with this name or key, ignoring case, spaces and hyphens.
pub fn find(name: &str) -> Option<&'static str> {
    let plain = |text: &str| text.trim().to_lowercase().replace([' ', '_'], "-");
    let wanted = plain(name);
    let by_name =
        |text: &str| About::read(text, "").is_ok_and(|about| plain(&about.name) == wanted);
    ALL.iter().find(|(key, text)| *key == wanted || by_name(text)).map(|(key, _)| *key)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::io::presets::format::CURRENT_FORMAT;
    use crate::io::presets::library::files;
    use std::collections::HashSet;

    #[test]
    fn every_factory_preset_is_valid_and_described() {
        assert!(ALL.len() >= 48, "{}", ALL.len());
        let mut names = HashSet::new();
        for (key, text) in ALL {
            let format =
                serde_json::from_str::<serde_json::Value>(text).unwrap()["format"].as_u64();
            assert_eq!(format, Some(CURRENT_FORMAT as u64), "{key}: the format");
            let about = load(key).unwrap_or_else(|error| panic!("{error:#}")).about;
            assert!(
                names.insert(about.name.clone()),
                "{key}: two presets are called {}",
                about.name
            );
            assert_eq!(files::stem(&about.name), *key, "the file has the name of the preset");
            assert!(!about.category.is_empty() && !about.tags.is_empty(), "{key}");
            assert!(!about.author.is_empty() && !about.description.is_empty(), "{key}");
        }
    }

    #[test]
    fn presets_are_found_by_name_and_by_key() {
        for name in ["church-bell", "Church bell", " CHURCH BELL "] {
            assert_eq!(find(name), Some("church-bell"), "{name}");
        }
        assert_eq!(find("no such thing"), None);
    }
}
