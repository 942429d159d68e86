//! *Auto level*: measures the sound after an edit on a separate thread, and sets *Trim*.
//!
//! The change of *Trim* belongs to the undo step of the edit. So the next action of the user waits
//! for a pending measurement, and the result does not depend on the thread's speed.

use std::thread::JoinHandle;

use nice_plug::prelude::ParamSetter;

use crate::engine::auto_level;
use crate::history::{Change, Step};
use crate::params::Param;
use crate::shared_state::params::HostParams;

/// The pending measurement.
#[derive(Default)]
pub struct AutoLevel {
    measuring: Option<JoinHandle<Option<f64>>>,
}

impl AutoLevel {
    /// True while a measurement is pending.
    pub fn is_measuring(&self) -> bool {
        self.measuring.is_some()
    }

    /// Starts a measurement after steps of the user, if *Auto level* is on.
    pub fn start(&mut self, steps: &[Step], params: &HostParams) {
        let changes = || steps.iter().flat_map(|step| &step.changes);
        let is_needed = steps.iter().any(|step| step.extras.is_some())
            || changes().any(|change| auto_level::is_measured(change.param));
        if !is_needed {
            return;
        }
        // Applied here, because the host may not have returned the values yet.
        let mut sound = params.sound();
        changes().for_each(|change| _ = sound.patch.set_stored(change.param, change.after));
        if sound.patch.is_on(Param::AutoLevel) {
            self.measuring = sound.measure().ok();
        }
    }

    /// Sets *Trim* if the measurement is done, as a part of the last step. `wait` blocks until
    /// then.
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
