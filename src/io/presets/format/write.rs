//! The text of a preset: always the same for the same sound, so that versions of a file can be
//! compared.

use serde::Serialize;
use serde_json::{Map, Value};

use super::{Preset, migrate, value};
use crate::io::mode_lists;
use crate::io::surfaces;
use crate::params::Param;

/// What is at its default is left out; parameters come in the order of the table.
pub fn write(preset: &Preset) -> String {
    let about = &preset.about;
    let mut fields = vec![
        ("ictus", json(env!("CARGO_PKG_VERSION"))),
        ("format", json(&migrate::CURRENT)),
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
                json(&value::write(param, patch.stored(param)))
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
            .map(|mode| format!("    {}", json(&short(mode))))
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

/// A mode without what is at its default.
fn short(mode: &mode_lists::StoredMode) -> Map<String, Value> {
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

/// Nothing here can fail to be written; should it, the reader will say so.
fn json(value: &(impl Serialize + ?Sized)) -> String {
    serde_json::to_string(value).unwrap_or_default()
}
