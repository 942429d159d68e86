//! The free mass as a contact body.

use super::super::super::integrator::passive::{Push, Reach};
use super::super::super::law::Spring;
use super::super::super::settings::{ContactSettings, Dent, Law};
use super::super::step_size::MIN_SUBSTEPS;
use super::super::{ContactBody, InverseMassFn, MAX_STEPS, MotionBounds, StepLevel};
use super::{CoupledContact, FreeMass, Separation};

/// Maximum steps per sample of a mass that stays in contact; a resting one needs one.
const STAYING_STEPS: u32 = 16;

/// A ball on a body this many times as heavy gets this many times the steps, within the budget: the
/// error of each release grows during the next flight. On a lighter body the landings are chaotic,
/// and no step is fine enough.
const HEAVY: f64 = 100.0;
const FINER_ON_HEAVY: f64 = 16.0;

impl ContactBody for FreeMass {
    fn target_substeps(
        &mut self,
        motion_bounds: &MotionBounds,
        inverse_mass: InverseMassFn<'_>,
        dt_s: f64,
    ) -> Option<u32> {
        let closing = (self.v_m_per_s + self.settings.gravity_m_per_s2 * dt_s).max(0.0)
            + motion_bounds.speed_m_per_s;
        if self.contact.is_none() && self.x_m + (1.0 + 1e-9) * closing * dt_s < 0.0 {
            return None;
        }
        // Before contact the maximum speed, in contact the current one: a contact that has lost its
        // energy needs fewer steps.
        let in_contact = self.contact.is_some();
        let speed = if in_contact {
            self.rate_m_per_s
        } else {
            self.v_m_per_s.abs() + motion_bounds.speed_m_per_s
        };
        let stored_j = self.spring.potential_j(self.x_m);
        let returns = self.settings.gravity_m_per_s2 > 0.0 && !self.is_staying();
        let finest = if returns { FINER_ON_HEAVY } else { 1.0 };
        let (mass_kg, enough_s) =
            (self.settings.mass_kg, finest * self.step_size.single_step_s(dt_s));
        let prediction = self.contact.and_then(|CoupledContact { time_s, prediction, .. }| {
            prediction.filter(|(compression_time, at_s)| {
                compression_time.holds(time_s - at_s, speed, stored_j, enough_s)
            })
        });
        let compression_time_s = match prediction {
            Some((compression_time, _)) => compression_time.time_s,
            None => {
                let compression_time = self.step_size.compression_time(
                    &self.spring,
                    mass_kg,
                    inverse_mass,
                    speed,
                    stored_j,
                    enough_s,
                );
                if let Some(coupled_contact) = &mut self.contact {
                    coupled_contact.prediction = Some((compression_time, coupled_contact.time_s));
                }
                compression_time.time_s
            }
        };
        let is_fine = returns && HEAVY * mass_kg * inverse_mass(compression_time_s) < 1.0;
        self.compression_time_s = compression_time_s;
        self.max_substeps = match (self.is_resting(), self.is_staying()) {
            (true, _) => 1,
            (false, true) => STAYING_STEPS,
            (false, false) => MAX_STEPS,
        };
        let finer = if is_fine { FINER_ON_HEAVY } else { 1.0 };
        Some(self.step_size.substeps(
            StepLevel::Target,
            compression_time_s / finer,
            dt_s,
            self.max_substeps,
        ))
    }

    fn substeps(&self, target: u32, level: StepLevel, dt_s: f64) -> u32 {
        if level == StepLevel::Target {
            return target;
        }
        // After its sub-steps a contact is stepped by the time it has lasted.
        let is_long = |coupled_contact: &&CoupledContact| {
            f64::from(coupled_contact.steps) >= 2.0 * MIN_SUBSTEPS
        };
        let lasted_s = self
            .contact
            .as_ref()
            .filter(is_long)
            .map_or(0.0, |coupled_contact| 0.5 * coupled_contact.time_s);
        self.step_size
            .substeps(level, self.compression_time_s.max(lasted_s), dt_s, self.max_substeps)
            .min(target)
    }

    fn gap_after_m(&self, surface_m: f64, h_s: f64) -> f64 {
        surface_m - self.x_m - h_s * (self.v_m_per_s + 0.5 * self.settings.gravity_m_per_s2 * h_s)
    }

    fn reach(&mut self, surface_m: f64, h_s: f64) -> Reach {
        let ContactSettings { mass_kg, gravity_m_per_s2, .. } = self.settings;
        self.ease(h_s);
        let free_m = h_s * (self.v_m_per_s + 0.5 * gravity_m_per_s2 * h_s) - surface_m;
        if self.contact.is_none() && self.x_m <= 0.0 && self.x_m + free_m > 0.0 {
            // Without a force before onset the mass falls; the surface is assumed to move uniformly
            // within the step.
            let (gap_m, closing) = (-self.x_m, self.v_m_per_s - surface_m / h_s);
            let speed = (closing * closing + 2.0 * gravity_m_per_s2 * gap_m).sqrt();
            let late_s = if gap_m > 0.0 { (2.0 * gap_m / (closing + speed)).min(h_s) } else { 0.0 };
            self.begin(speed, late_s);
        }
        let mobility_m_per_n = 0.5 * h_s * h_s / mass_kg;
        Reach { x_m: self.x_m, free_m, mobility_m_per_n, h_s, guess_n: self.guess_n }
    }

    fn spring(&self) -> &Spring {
        &self.spring
    }

    fn accept(&mut self, push: &Push, h_s: f64) {
        let ContactSettings { mass_kg, gravity_m_per_s2, .. } = self.settings;
        let dv = gravity_m_per_s2 * h_s - push.force_n * h_s / mass_kg;
        let before = (self.v_m_per_s, self.from_m - self.way_m);
        self.way_m += h_s * (self.v_m_per_s + 0.5 * dv);
        self.v_m_per_s += dv;
        self.x_m += push.change_m;
        self.guess_n = (2.0 * push.force_n - self.force_n).max(0.0);
        self.force_n = push.force_n;
        self.now_s += h_s;
        self.rate_m_per_s = push.change_m / h_s;
        if self.contact.is_none() && push.force_n > 0.0 {
            // Other bodies pressed the surface against it, or it returned into a dent. The force of
            // this step is part of the contact.
            self.begin(push.change_m / h_s, 0.0);
            if let Some(coupled_contact) = &mut self.contact {
                (coupled_contact.own_in_m_per_s, coupled_contact.height_in_m) = before;
            }
        }
        if let Some(mut coupled_contact) = self.contact {
            let force_ended = self.settings.kind == Law::HertzDamper
                && push.force_n == 0.0
                && push.change_m < 0.0;
            if push.force_n > 0.0 {
                coupled_contact.left = None;
            } else if force_ended && coupled_contact.left.is_none() {
                // The state before the first step without a force.
                coupled_contact.left =
                    Some(Separation { time_s: coupled_contact.time_s, ..self.separation() });
            }
            coupled_contact.time_s += h_s;
            coupled_contact.steps += 1;
            coupled_contact.tail =
                if coupled_contact.left.is_some() { coupled_contact.tail + 1 } else { 0 };
            coupled_contact.impulse_ns += push.force_n * h_s;
            self.contact = Some(coupled_contact);
            if self.x_m <= 0.0 && self.is_negligible(&coupled_contact) {
                self.contact = None;
                // Out of its dent, or off a permanent one.
            } else if self.x_m <= 0.0
                || coupled_contact.left.is_some() && self.settings.dent == Dent::Stays
            {
                let early_s = if push.change_m < 0.0 {
                    h_s * (self.x_m / push.change_m).min(1.0)
                } else {
                    0.0
                };
                let left = coupled_contact.left.unwrap_or(Separation {
                    time_s: coupled_contact.time_s - early_s,
                    ..self.separation()
                });
                self.end(&coupled_contact, left);
            }
        }
    }

    fn dissipate(&mut self, energy_j: f64) {
        let square = self.v_m_per_s * self.v_m_per_s - 2.0 * energy_j / self.settings.mass_kg;
        self.v_m_per_s = square.max(0.0).sqrt().copysign(self.v_m_per_s);
    }
}
