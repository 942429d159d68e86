//! A force from outside on the body.

use super::rigid_contacts::ContactContext;
use crate::body::{Drive, Row, Steps};
use crate::contact::Surface;

/// A body that has not been pushed for so long is left to itself, s.
const PATIENCE_S: f64 = 0.1;

/// What drives the body of a voice, if anything does.
#[derive(Clone, Debug)]
pub struct ExternalForce {
    drive: Drive,
    is_on: bool,
    /// Samples since the last push.
    silent: u64,
}

impl ExternalForce {
    /// Not driven. Room for `capacity` modes; allocates.
    pub fn new(capacity: usize) -> Self {
        Self { drive: Drive::new(capacity), is_on: false, silent: 0 }
    }

    /// As new, whatever it held.
    pub fn renew(&mut self) {
        self.drive.renew();
        (self.is_on, self.silent) = (false, 0);
    }

    /// All that is kept for each mode.
    pub(super) fn rows_in_memory(&mut self) -> [&mut Row; 3] {
        self.drive.rows_in_memory()
    }

    /// Be driven from now on, where a force moves the modes by `gains`.
    pub fn begin(&mut self, gains: &[f64]) {
        (self.is_on, self.silent) = (true, 0);
        self.set_gains(gains);
    }

    /// Be driven no more.
    pub fn end(&mut self) {
        self.is_on = false;
    }

    /// The body, or the place of the force on it, has changed.
    pub fn set_gains(&mut self, gains: &[f64]) {
        self.drive.set_gains(gains);
    }

    /// Whether it is driven, be it by silence.
    pub fn is_on(&self) -> bool {
        self.is_on
    }

    /// Whether it is pushed, or was of late.
    pub fn is_touching(&self, dt_s: f64) -> bool {
        self.is_on && (self.silent as f64) * dt_s < PATIENCE_S
    }

    /// How many of the next samples, `max` at most, no force is in.
    pub fn silent_samples(&self, forces_n: &[f64], max: usize) -> usize {
        if !self.is_on {
            return max;
        }
        forces_n.iter().take(max).position(|force_n| *force_n != 0.0).unwrap_or(max)
    }

    /// So many samples have gone by without a force.
    pub fn pass(&mut self, samples: usize) {
        self.silent += samples as u64;
    }

    /// One sample of a force that is constant in it; `take` is given what it leaves in the modes.
    pub fn advance(
        &mut self,
        force_n: f64,
        contact_context: &ContactContext,
        steps: &mut Steps,
        take: impl FnOnce(&Drive),
    ) {
        if !self.is_on || force_n == 0.0 {
            return self.pass(1);
        }
        self.silent = 0;
        self.drive.begin_sample();
        self.drive.on(contact_context.modes, steps).push(force_n, contact_context.dt_s);
        take(&self.drive);
    }
}
