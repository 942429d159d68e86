//! *Auto level*: after an edit the sound is measured on a thread of its own, and *Trim* is set.
//!
//! *Trim* belongs to the step that made it necessary. So whatever the user does next waits for a
//! measurement that is under way, and the result does not depend on how fast the thread is.

use std::thread::JoinHandle;

use nice_plug::prelude::ParamSetter;

use crate::history::{Change, Step};
use crate::engine::auto_level;
use crate::params::Param;
use crate::shared_state::params::HostParams;

/// The measurement that is under way, if one is.
#[derive(Default)]
pub struct AutoLevel {
    measuring: Option<JoinHandle<Option<f64>>>,
}

impl AutoLevel {
    /// Whether a measurement is under way.
    pub fn is_measuring(&self) -> bool {
        self.measuring.is_some()
    }

    /// After steps of the user's: measures the sound that they lead to, if *Auto level* is on.
    pub fn follow(&mut self, steps: &[Step], params: &HostParams) {
        let changes = || steps.iter().flat_map(|step| &step.changes);
        let is_needed = steps.iter().any(|step| step.extras.is_some())
            || changes().any(|change| auto_level::is_measured(change.param));
        if !is_needed {
            return;
        }
        // A host may not have handed the values on yet.
        let mut sound = params.sound();
        changes().for_each(|change| _ = sound.patch.set_stored(change.param, change.after));
        if sound.patch.is_on(Param::AutoLevel) {
            self.measuring = sound.measure().ok();
        }
    }

    /// Sets *Trim* once the measurement is done, as a part of the last step; `wait` for it or not.
    pub fn finish(&mut self, params: &HostParams, setter: &ParamSetter, wait: bool) {
        let Some(measuring) = self.measuring.take_if(|measuring| wait || measuring.is_finished())
        else {
            return;
        };
        let Some(lufs) = measuring.join().ok().flatten() else { return };
        let spec = Param::Trim.spec();
        let change = Change {
            param: Param::Trim,
            before: params.sound().patch.stored(Param::Trim),
            after: spec.clamp_stored(spec.si_to_stored(auto_level::trim_db(lufs))),
        };
        if change.before.to_bits() != change.after.to_bits() {
            params.session().amend(change);
            params.slot(Param::Trim).jump(setter, change.after);
        }
    }
}

impl Drop for AutoLevel {
    fn drop(&mut self) {
        if let Some(measuring) = self.measuring.take() {
            let _ = measuring.join();
        }
    }
}
