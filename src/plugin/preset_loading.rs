//! How a whole sound reaches the parameters.
//!
//! From the editor: every parameter that changes is taken hold of, set and let go, as if a hand had
//! done it, so that hosts record it and every format works alike; hosts hand the changes to the
//! audio thread as they come, and that keeps to what was until all of them are there. From a host's
//! browser (CLAP): through the framework's own way of restoring a state, in the last bit, while the
//! audio thread keeps to what was until all of it is there.

use std::collections::BTreeMap;

use nice_plug::context::gui::ParamSetter;
use nice_plug::plugin::PluginState;
use nice_plug::prelude::Plugin;

use super::Ictus;
use super::params::HostParams;
use crate::history::Step;
use crate::io::presets::{Preset, Sound};
use crate::params::Param;

/// A field that tells a preset from a project: the project's other side and what can be taken back
/// stay as they are.
const PRESET_FIELD: &str = "preset";

/// Whether the fields are those of a preset that is on its way.
pub fn is_preset(fields: &BTreeMap<String, String>) -> bool {
    fields.contains_key(PRESET_FIELD)
}

/// Do a step to the parameters, as a hand would.
pub fn apply_step(step: &Step, params: &HostParams, setter: &ParamSetter) {
    params.load_surface_after(step);
    params.expect(step);
    if let Some((_, extras)) = &step.extras {
        params.extras().set_all(extras);
    }
    for change in &step.changes {
        params.slot(change.param).jump(setter, change.after);
    }
}

/// Takes over a preset from a host's browser. `restore` sets all parameters from a state; the audio
/// thread keeps to what was until all of it is there.
pub fn load(
    params: &HostParams,
    preset: &Preset,
    restore: impl FnOnce(&PluginState) -> bool,
) -> bool {
    let before = params.sound();
    params.begin_write();
    let is_taken = restore(&state(&preset.sound));
    if is_taken {
        params.extras().set_all(&preset.sound.extras);
        params.load_surface();
    }
    params.end_write();
    if is_taken {
        params.session().load(preset, &before);
    }
    is_taken
}

/// A sound as the framework restores it.
pub fn state(sound: &Sound) -> PluginState {
    let value = |param: Param| {
        (param.spec().id.to_string(), super::state::value(param, sound.patch.stored(param)))
    };
    let params: BTreeMap<_, _> = Param::ALL.into_iter().map(value).collect();
    // The rest of the preset follows when all parameters are set.
    let fields = BTreeMap::from([(PRESET_FIELD.to_string(), String::new())]);
    PluginState { version: Ictus::VERSION.to_string(), params, fields }
}
