//! Saved states and presets, and how they reach the parameters.
//!
//! The framework passes on any number that it can parse, 1e30 and infinity included. A state with a
//! value that this instrument cannot have saved is foreign or damaged: it is refused as a whole,
//! and the current sound stays.
//!
//! A whole sound reaches the parameters in two ways. The editor sets every changed parameter in a
//! gesture of its own, so that hosts record it and every format works alike; the host passes the
//! changes on one by one. A host's browser (CLAP) uses the framework's own way of restoring a
//! state, exact to the last bit. In both cases the audio thread keeps its patch until all changes
//! have arrived.

use std::collections::BTreeMap;

use anyhow::{Result, bail, ensure};
use nice_plug::context::gui::ParamSetter;
use nice_plug::plugin::{ParamValue, PluginState};

use super::extras;
use super::params::{BYPASS, HostParams};
use crate::history::Step;
use crate::io::presets::{Preset, Sound};
use crate::params::{Param, ParamKind};

/// Allowed rounding of a value that was stored as text, as a share of its range.
const TOLERANCE: f32 = 1e-4;

/// The only field of a refused state: the reason. (The framework has no way to refuse a state
/// here.)
const REFUSED: &str = "refused";

/// Empties a state that is refused, and completes a valid one: parameters that an earlier version
/// did not have take their `default`, whatever the current sound. A state of version 0.1 has no
/// *Trim*: it is measured, and *Level* is set to 0 dB.
pub fn filter(state: &mut PluginState, default: impl Fn(Param) -> f32) {
    state.fields.remove(REFUSED);
    if let Err(reason) = check(state) {
        let reason = format!("{reason:#}");
        nice_plug::nice_log!("The saved state was refused: {reason}");
        state.params.clear();
        state.fields = BTreeMap::from([(REFUSED.to_string(), reason)]);
        return;
    }
    let has_trim = state.params.contains_key(Param::Trim.spec().id);
    for param in Param::ALL {
        state
            .params
            .entry(param.spec().id.to_string())
            .or_insert_with(|| value(param, default(param)));
    }
    if !has_trim {
        let mut sound = sound(state);
        sound.relevel();
        for param in [Param::Level, Param::Trim] {
            state
                .params
                .insert(param.spec().id.to_string(), value(param, sound.patch.stored(param)));
        }
    }
    if !is_preset(&state.fields) {
        state.params.entry(BYPASS.to_string()).or_insert(ParamValue::Bool(false));
    }
}

/// The sound of a complete state.
fn sound(state: &PluginState) -> Sound {
    let mut sound = Sound { extras: extras::read(&state.fields), ..Sound::default() };
    for param in Param::ALL {
        let stored = match state.params.get(param.spec().id) {
            Some(ParamValue::F32(stored)) => *stored,
            Some(ParamValue::I32(stored)) => *stored as f32,
            Some(ParamValue::Bool(on)) => f32::from(*on),
            _ => continue,
        };
        sound.patch.set_stored(param, stored);
    }
    sound
}

/// A stored value in the framework's form.
pub fn value(param: Param, stored: f32) -> ParamValue {
    match param.spec().kind {
        ParamKind::Float { .. } => ParamValue::F32(stored),
        ParamKind::Choice(_) | ParamKind::Whole { .. } => ParamValue::I32(stored as i32),
        ParamKind::Toggle => ParamValue::Bool(stored >= 0.5),
    }
}

/// Why a state was refused, if it was. Then nothing must change.
pub fn refusal(fields: &BTreeMap<String, String>) -> Option<&str> {
    fields.get(REFUSED).map(String::as_str)
}

/// Checks that the state is this instrument's, and that every known parameter has a value of its
/// kind and range. Unknown parameters and fields (of a later version) are ignored, and some may be
/// missing (in an earlier one).
fn check(state: &PluginState) -> Result<()> {
    let mut known = 0;
    for param in Param::ALL {
        let spec = param.spec();
        let Some(value) = state.params.get(spec.id) else {
            continue;
        };
        known += 1;
        let (min, max) = spec.range_stored();
        let is_valid = match (spec.kind, value) {
            (ParamKind::Float { .. }, ParamValue::F32(stored)) => {
                let tolerance = TOLERANCE * (max - min);
                (min - tolerance..=max + tolerance).contains(stored)
            }
            // Integers are not rounded, and an excess of one would be within the tolerance of a
            // wide range.
            (ParamKind::Choice(_) | ParamKind::Whole { .. }, ParamValue::I32(stored)) => {
                (min as i32..=max as i32).contains(stored)
            }
            (ParamKind::Toggle, ParamValue::Bool(_)) => true,
            _ => false,
        };
        if !is_valid {
            bail!(
                "parameter '{}' ({}): {value:?} is not allowed; the stored range is {min} to {max}",
                spec.id,
                spec.name
            );
        }
    }
    ensure!(known > 0, "it holds none of this instrument's parameters");
    extras::check(&state.fields)
}

/// A field that marks a preset. Unlike a project, it leaves the other A/B side and the undo history
/// alone.
const PRESET_FIELD: &str = "preset";

/// Whether the fields are those of a preset that is being loaded.
pub fn is_preset(fields: &BTreeMap<String, String>) -> bool {
    fields.contains_key(PRESET_FIELD)
}

/// Applies a step from the editor, each parameter in a gesture of its own.
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

/// Loads a preset from a host's browser. `restore` sets all parameters from a state; the audio
/// thread keeps its patch until that is complete.
pub fn load_preset(
    params: &HostParams,
    preset: &Preset,
    restore: impl FnOnce(&PluginState) -> bool,
) -> bool {
    let before = params.sound();
    params.begin_write();
    let is_restored = restore(&state(&preset.sound));
    if is_restored {
        params.extras().set_all(&preset.sound.extras);
        params.load_surface();
    }
    params.end_write();
    if is_restored {
        params.session().load(preset, &before);
    }
    is_restored
}

/// A sound as a state for the framework to restore.
pub fn state(sound: &Sound) -> PluginState {
    let value =
        |param: Param| (param.spec().id.to_string(), value(param, sound.patch.stored(param)));
    let params: BTreeMap<_, _> = Param::ALL.into_iter().map(value).collect();
    // [`load_preset`] sets the rest of the preset once all parameters are set.
    let fields = BTreeMap::from([(PRESET_FIELD.to_string(), String::new())]);
    PluginState { version: env!("CARGO_PKG_VERSION").to_string(), params, fields }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    fn default(param: Param) -> f32 {
        param.spec().default_stored()
    }

    fn state(id: &str, value: ParamValue) -> PluginState {
        let level = ("level".to_string(), ParamValue::F32(-6.0));
        PluginState {
            version: "0.1.0".to_string(),
            params: BTreeMap::from([level, (id.to_string(), value)]),
            fields: BTreeMap::new(),
        }
    }

    #[test]
    fn one_impossible_value_refuses_the_whole_state() {
        for hostile in [f32::NAN, f32::INFINITY, -f32::INFINITY, 1e30, -1e30, 12.5] {
            let mut state = state("k", ParamValue::F32(hostile));
            filter(&mut state, default);
            assert!(state.params.is_empty(), "{hostile}");
        }
        for wrong in [
            ParamValue::Bool(true),
            ParamValue::String("loud".to_string()),
            ParamValue::I32(i32::MAX),
        ] {
            for id in ["k", "integ", "hybrid"] {
                if (id, matches!(wrong, ParamValue::Bool(_))) == ("hybrid", true) {
                    continue;
                }
                let mut state = state(id, wrong.clone());
                filter(&mut state, default);
                assert!(state.params.is_empty(), "{id}: {wrong:?}");
            }
        }
    }

    #[test]
    fn a_valid_state_is_kept() {
        for (id, value) in [
            ("k", ParamValue::F32(11.0)),
            ("integ", ParamValue::I32(5)),
            ("hybrid", ParamValue::Bool(false)),
            ("of a later version", ParamValue::F32(f32::NAN)),
        ] {
            let mut state = state(id, value);
            filter(&mut state, default);
            let known = usize::from(Param::from_id(id).is_some());
            assert_eq!(state.params.len(), Param::COUNT + 2 - known, "{id}");
            assert!(matches!(state.params["level"], ParamValue::F32(0.0)));
        }
    }

    #[test]
    fn parameters_unknown_to_an_earlier_version_take_their_defaults() {
        let mut state = state("k", ParamValue::F32(11.0));
        filter(&mut state, |param| if param == Param::ExternalMode { 1.0 } else { default(param) });
        assert!(!matches!(state.params["trim"], ParamValue::F32(0.0)), "it is measured");
        for param in Param::ALL
            .into_iter()
            .filter(|param| !["k", "level", "trim"].contains(&param.spec().id))
        {
            let expected = if param == Param::ExternalMode { 1.0 } else { default(param) };
            let (found, expected) = (&state.params[param.spec().id], value(param, expected));
            assert_eq!(format!("{found:?}"), format!("{expected:?}"), "{}", param.spec().id);
        }
    }
}
