//! How a whole sound reaches the parameters.
//!
//! From the editor: every parameter that changes is taken hold of, set and let go, as if a hand had done it, so that hosts
//! record it and every format works alike; hosts hand the changes to the audio thread as they come, and that keeps to what
//! was until all of them are there. From a host's browser (CLAP): through the framework's own way of restoring a
//! state, in the last bit, while the audio thread keeps to what was until all of it is there.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use nice_plug::context::gui::ParamSetter;
use nice_plug::plugin::PluginState;
use nice_plug::prelude::{Plugin, TaskExecutor};

use super::Ictus;
use super::params::HostParams;
use crate::history::Step;
use crate::patch::Param;
use crate::presets::{Preset, Sound};

/// A field that tells a preset from a project: the project's other side and what can be taken back stay as they are.
const MARK: &str = "preset";

/// Whether the fields are those of a preset that is on its way.
pub fn is_preset(fields: &BTreeMap<String, String>) -> bool {
    fields.contains_key(MARK)
}

/// Do a step to the parameters, as a hand would.
pub fn carry_out(step: &Step, params: &HostParams, setter: &ParamSetter) {
    params.load_surface_after(step);
    params.expect(step);
    if let Some((_, extras)) = &step.extras {
        params.extras().set_all(extras);
    }
    for change in &step.changes {
        params.slot(change.param).jump(setter, change.after);
    }
}

/// What comes through the framework's wrapper: the two ends of a preset from a host's browser, and bad news.
pub enum Task {
    /// It is about to be set.
    Begin,
    /// All of it is set.
    End(Box<Preset>),
    /// A state was refused, for this reason.
    Refuse(String),
}

/// Carries out tasks. The framework keeps it where the wrapper can reach it, which has no other way to the parameters.
pub fn executor(params: Arc<HostParams>) -> TaskExecutor<Ictus> {
    let before: Mutex<Option<Sound>> = Mutex::new(None);
    Box::new(move |task| {
        let mut before = before.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        match task {
            Task::Begin => {
                *before = Some(params.sound());
                params.unsettle();
            }
            Task::Refuse(reason) => params.session().tell(format!("The saved state was refused: {reason}"), false),
            Task::End(preset) => {
                params.extras().set_all(&preset.sound.extras);
                params.load_surface();
                params.settle();
                if let Some(before) = before.take() {
                    params.session().load(&preset, &before);
                }
            }
        }
    })
}

/// A sound as the framework restores it.
pub fn state(sound: &Sound) -> PluginState {
    let value = |param: Param| (param.spec().id.to_string(), super::state::value(param, sound.patch.stored(param)));
    let params: BTreeMap<_, _> = Param::ALL.into_iter().map(value).collect();
    // What is no parameter follows at the end of the task.
    let fields = BTreeMap::from([(MARK.to_string(), String::new())]);
    PluginState { version: Ictus::VERSION.to_string(), params, fields }
}
