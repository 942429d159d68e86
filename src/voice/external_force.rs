//! An external force on the body: an audio input drives the modes.

use super::body::Object;
use super::exciters::{Exciter, FreeBody, Sample};
use crate::body::{Drive, Row};
use crate::contact::Surface;

/// Without a force for so long, the body counts as untouched, s.
const RELEASE_S: f64 = 0.1;

/// The external force on one body.
#[derive(Clone, Debug)]
pub struct ExternalForce {
    drive: Drive,
    is_on: bool,
    /// Samples since the last force.
    silent: u64,
}

impl ExternalForce {
    /// Off. Room for `capacity` modes; allocates.
    pub fn new(capacity: usize) -> Self {
        Self { drive: Drive::new(capacity), is_on: false, silent: 0 }
    }

    /// Switches it on, where a force drives the modes by `gains`.
    pub fn begin(&mut self, gains: &[f64]) {
        (self.is_on, self.silent) = (true, 0);
        self.drive.set_gains(gains);
    }

    /// Number of samples, up to `max`, without a force.
    pub fn silent_samples(&self, forces_n: &[f64], max: usize) -> usize {
        if !self.is_on {
            return max;
        }
        forces_n.iter().take(max).position(|force_n| *force_n != 0.0).unwrap_or(max)
    }
}

impl Exciter for ExternalForce {
    fn reset(&mut self) {
        self.is_on = false;
    }

    fn rebuild(&mut self) {
        self.drive.renew();
        (self.is_on, self.silent) = (false, 0);
    }

    fn rows_in_memory(&mut self) -> Vec<&mut Row> {
        self.drive.rows_in_memory().into()
    }

    fn is_active(&self) -> bool {
        self.is_on
    }

    fn is_touching(&self, dt_s: f64) -> bool {
        self.is_on && (self.silent as f64) * dt_s < RELEASE_S
    }

    fn may_strike(&self) -> bool {
        false
    }

    /// The input goes on over a preset change.
    fn preset_change(&mut self) {}

    fn set_body(&mut self, object: &Object) {
        if self.is_on {
            let (point, weight_kg) = (object.settings.blow.point, object.settings.weight_kg);
            self.drive.set_gains(&object.modes.drive_gains(point, weight_kg));
        }
    }

    fn skip(&mut self, samples: usize, _body: &mut FreeBody) {
        self.silent += samples as u64;
    }

    /// The force is constant within the sample.
    fn advance(&mut self, sample: &mut Sample) {
        if !self.is_on || sample.force_n == 0.0 {
            self.silent += 1;
            return;
        }
        self.silent = 0;
        self.drive.begin_sample();
        let Object { modes, .. } = &*sample.object;
        self.drive.on(modes, sample.steps).push(sample.force_n, sample.object.dt_s());
        sample.bank.take(modes, &self.drive);
    }
}
