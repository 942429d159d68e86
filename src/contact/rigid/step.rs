//! One step of a rigid contact: solved, stepped and corrected, or with a linear damper.

use super::super::ForceMoments;
use super::super::closed_form::Curve;
use super::super::integrator::{self, ContactMotion};
use super::super::settings::{Integrator, SPEED_LIMIT_M_PER_S};
use super::{ContactStep, RigidContact};

/// Difference from the release velocity, as a share of it, below which rounding hides the
/// compression: the hybrid correction does not act there.
pub(super) const MIN_DISTANCE: f64 = 1e-14;
/// The same for the change of velocity in a step: the end of a very soft contact would not advance.
const MIN_CHANGE: f64 = 1e-15;

/// Minimum steps of a contact with a damper for the paper's methods: with fewer their damper would
/// dissipate nothing.
const MIN_STEPS: f64 = 2.0;

impl RigidContact {
    /// Advances by `h_s`, or until release if that comes first.
    pub fn step(&mut self, h_s: f64) -> ContactStep {
        if self.resting {
            self.elapsed_s += h_s;
            let weight_n = self.medium.mass_kg * self.medium.gravity_m_per_s2;
            return ContactStep {
                duration_s: h_s,
                force_n: weight_n,
                moments: ForceMoments::constant(weight_n, h_s),
                released: false,
            };
        }
        if self.profile.is_some() {
            return self.step_solved(h_s);
        }
        if self.damped {
            return self.step_damped(h_s);
        }
        let before = self.motion;
        let mut after = integrator::step(self.integrator, &self.medium, &before, h_s);
        if self.integrator == Integrator::Passive {
            return self.accept_passive(after, h_s);
        }
        let mut off = after.x_m <= 0.0 || !after.v_m_per_s.is_finite();
        if self.hybrid && !off {
            self.off_curve = !self.onto_curve(&before, &mut after);
            off = after.x_m <= 0.0;
        }
        // A coarse step may exceed the release velocity before the compression is zero. It is
        // limited here, as at release the last force would have to be negative. On the curve this
        // is the release, unless it is rounding: under heavy damping the mass has its release
        // velocity to the last digit during most of the expansion.
        if let Some(target) = self.target_m_per_s
            && after.v_m_per_s < target
        {
            off |= self.hybrid
                && target - after.v_m_per_s > MIN_DISTANCE * self.medium.curve.v_in_m_per_s;
            after.v_m_per_s = target;
        }
        // A contact that lasts this long has stalled numerically.
        off |= self.elapsed_s > 16.0 * (self.predicted.total_s() + h_s);
        if off {
            return self.release(&before, &after, h_s);
        }
        self.motion = after;
        self.elapsed_s += h_s;
        self.constant_force_step(&before, h_s, false)
    }

    /// Advances a contact that [is smooth](Self::is_smooth) by one sample; `None` if it is not.
    #[inline]
    pub(in crate::contact) fn step_smooth(&mut self, dt_s: f64) -> Option<ForceMoments> {
        if !self.is_smooth(dt_s) {
            return None;
        }
        let profile = self.profile.as_mut()?;
        let moments = profile.step_smooth(dt_s);
        self.elapsed_s = profile.elapsed_s();
        Some(moments)
    }

    /// One step of Exact.
    fn step_solved(&mut self, h_s: f64) -> ContactStep {
        let Some(profile) = &mut self.profile else { return ContactStep::default() };
        let step = profile.step(h_s);
        self.elapsed_s = profile.elapsed_s();
        let Curve { mass_kg, v_in_m_per_s, v_out_m_per_s, .. } = self.medium.curve;
        let impulse_ns = step.moments.impulse_ns();
        self.off_curve =
            impulse_ns < -MIN_CHANGE * mass_kg * v_out_m_per_s && !profile.is_compressing();
        if step.released {
            let (x_m, v_m_per_s) = profile.motion();
            self.separation_m = if self.damped { x_m.max(0.0) } else { 0.0 };
            let v_m_per_s = if self.damped { v_m_per_s.min(0.0) } else { v_out_m_per_s };
            self.motion = ContactMotion { x_m: self.separation_m, v_m_per_s, ..self.motion };
            self.released = true;
        }
        // Where a strong damper has left only the last digits of the speed, rounding may yield a
        // negative force.
        let is_rounding = impulse_ns < 0.0 && impulse_ns > -MIN_CHANGE * mass_kg * v_in_m_per_s;
        if is_rounding {
            return ContactStep {
                duration_s: step.duration_s,
                released: step.released,
                ..ContactStep::default()
            };
        }
        let force_n = impulse_ns / step.duration_s;
        ContactStep {
            duration_s: step.duration_s,
            force_n,
            moments: step.moments,
            released: step.released,
        }
    }

    /// The result of a step with a constant force.
    fn constant_force_step(
        &self,
        before: &ContactMotion,
        duration_s: f64,
        released: bool,
    ) -> ContactStep {
        let force_n = self.mean_force_n(before, duration_s);
        ContactStep {
            duration_s,
            force_n,
            moments: ForceMoments::constant(force_n, duration_s),
            released,
        }
    }

    /// The hybrid correction: puts a stepped motion back on the curve x(v). Returns false where it
    /// cannot: under heavy damping the velocity is that of release to the last digit during most of
    /// the expansion, and does not determine x.
    fn onto_curve(&self, before: &ContactMotion, after: &mut ContactMotion) -> bool {
        let is_undetermined = after.lost_m_per_s - before.lost_m_per_s
            < -MIN_CHANGE * self.medium.curve.v_out_m_per_s;
        let is_corrected = after.v_m_per_s >= 0.0 || !is_undetermined;
        if is_corrected {
            after.x_m = self.compression_by_curve_m(after);
        }
        is_corrected
    }

    fn release(&mut self, before: &ContactMotion, after: &ContactMotion, h_s: f64) -> ContactStep {
        let mut v_out = match self.target_m_per_s {
            Some(target) => target,
            None if !after.v_m_per_s.is_finite() => self.medium.curve.v_out_m_per_s,
            None if self.hybrid => {
                // The motion was on the curve; the last step must not gain energy.
                let energy = self.medium.spring.potential_j(before.x_m) / self.medium.mass_kg;
                after.v_m_per_s.max(-(before.v_m_per_s * before.v_m_per_s + 2.0 * energy).sqrt())
            }
            None => after.v_m_per_s,
        };
        v_out = v_out.clamp(-SPEED_LIMIT_M_PER_S, SPEED_LIMIT_M_PER_S);
        let duration_s = self.time_to_release_s(before, after, v_out, h_s).max(1e-6 * h_s).min(h_s);
        self.motion = ContactMotion { x_m: 0.0, v_m_per_s: v_out, ..*after };
        self.elapsed_s += duration_s;
        self.constant_force_step(before, duration_s, true)
    }

    /// Time from `before` until the compression is zero.
    fn time_to_release_s(
        &self,
        before: &ContactMotion,
        after: &ContactMotion,
        v_out: f64,
        h_s: f64,
    ) -> f64 {
        let corrected = self.hybrid || self.target_m_per_s.is_some();
        if corrected && before.v_m_per_s < 0.0 {
            // Near release v differs from v_out by c x^(alpha+1); the integral of dx/|v| is taken
            // to second order in that difference.
            let shortfall = 1.0 - before.v_m_per_s / v_out;
            return before.x_m / -v_out * (1.0 + shortfall / (self.medium.curve.alpha() + 2.0));
        }
        if before.v_m_per_s >= 0.0 {
            // The whole expansion is within one step, which does not resolve it.
            return self.predicted.total_s() - self.elapsed_s;
        }
        h_s * before.x_m / (before.x_m - after.x_m)
    }

    fn accept_passive(&mut self, after: ContactMotion, h_s: f64) -> ContactStep {
        self.motion = after;
        self.elapsed_s += h_s;
        let gravity = self.medium.gravity_m_per_s2;
        let ContactMotion { x_m, v_m_per_s: v, carried_n, .. } = after;
        let mut released = x_m <= 0.0 && v <= 0.0 || self.damped && v < 0.0 && carried_n == 0.0;
        if gravity > 0.0 {
            // The contact continues through a hop shorter than two steps.
            released &= (v * v - 2.0 * gravity * x_m).sqrt() - v > 2.0 * gravity * h_s;
            self.rest_if_spent();
        }
        ContactStep {
            duration_s: h_s,
            force_n: carried_n,
            moments: ForceMoments::constant(carried_n, h_s),
            released,
        }
    }

    /// The rest rule of Passive: the mass rests once its energy above that of rest is below 1e-8 of
    /// what the weight stores in the spring.
    fn rest_if_spent(&mut self) {
        let v = self.motion.v_m_per_s;
        let weight_n = self.medium.mass_kg * self.medium.gravity_m_per_s2;
        let (rest_m, floor_j) = self.rest;
        let spent_j = 1e-8 * weight_n * rest_m;
        // The first condition is cheap and mostly decides.
        if 0.5 * self.medium.mass_kg * v * v < spent_j && self.energy_j() - floor_j < spent_j {
            self.motion.x_m = rest_m;
            self.motion.v_m_per_s = 0.0;
            self.resting = true;
        }
    }

    #[inline]
    fn mean_force_n(&self, before: &ContactMotion, duration_s: f64) -> f64 {
        (self.medium.mass_kg * (before.v_m_per_s - self.motion.v_m_per_s) / duration_s).max(0.0)
    }

    fn step_damped(&mut self, h_s: f64) -> ContactStep {
        let before = self.motion;
        match self.integrator {
            Integrator::Passive => {
                let after = integrator::step(self.integrator, &self.medium, &before, h_s);
                // The force ended where the step without a force began.
                self.separation_m = before.x_m.max(0.0);
                self.accept_passive(after, h_s)
            }
            _ => self.step_explicit(&before, h_s),
        }
    }

    fn step_explicit(&mut self, before: &ContactMotion, h_s: f64) -> ContactStep {
        let after = integrator::step(self.integrator, &self.medium, before, h_s);
        let force = |motion: &ContactMotion| {
            self.medium.spring.signed_force_n(motion.x_m, motion.v_m_per_s)
        };
        let (force_before, force_after) = (force(before), force(&after));
        if !after.v_m_per_s.is_finite() || !after.x_m.is_finite() {
            // A step too coarse for the damper: release with the restitution of the law.
            self.motion = ContactMotion {
                x_m: 0.0,
                v_m_per_s: -self.medium.curve.v_in_m_per_s * self.e_predicted,
                ..*before
            };
            return self.finish_damped(before, h_s, true);
        }
        if !(after.v_m_per_s < 0.0 && force_after <= 0.0 || self.has_stalled(h_s)) {
            self.motion = after;
            return self.finish_damped(before, h_s, false);
        }
        let share = if force_before > 0.0 {
            (force_before / (force_before - force_after)).clamp(1e-6, 1.0)
        } else {
            1.0
        };
        let all_in_one = before.v_m_per_s + share * (after.v_m_per_s - before.v_m_per_s) >= 0.0;
        if all_in_one || self.elapsed_s < MIN_STEPS * h_s {
            // Too few steps to resolve the contact: release with the restitution of the law.
            self.motion = ContactMotion {
                x_m: 0.0,
                v_m_per_s: -self.medium.curve.v_in_m_per_s * self.e_predicted,
                ..after
            };
            return self.finish_damped(before, h_s, true);
        }
        // An explicit step with a stiff damper may gain energy, which a wall cannot give.
        let v_in = self.medium.curve.v_in_m_per_s;
        self.motion = ContactMotion {
            x_m: (before.x_m + share * (after.x_m - before.x_m)).max(0.0),
            v_m_per_s: (before.v_m_per_s + share * (after.v_m_per_s - before.v_m_per_s))
                .max(-v_in)
                .min(0.0),
            ..after
        };
        self.finish_damped(before, share * h_s, true)
    }

    fn has_stalled(&self, h_s: f64) -> bool {
        self.elapsed_s > 16.0 * (self.predicted.total_s() + h_s)
    }

    fn finish_damped(
        &mut self,
        before: &ContactMotion,
        duration_s: f64,
        released: bool,
    ) -> ContactStep {
        self.elapsed_s += duration_s;
        if released {
            self.separation_m = self.motion.x_m;
        }
        self.constant_force_step(before, duration_s, released)
    }
}
