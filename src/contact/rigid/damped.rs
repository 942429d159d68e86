//! The contact of Hertz spring and linear damper, stepped.
//!
//! It ends at zero force with x > 0, so none of the closed forms of Hunt–Crossley apply. Passive
//! lets go in a step that needs no force; the paper's four are stepped as they are, and their end
//! is where the straight line between two steps has no force.

use super::{ContactStep, RigidContact};
use crate::contact::integrator::{self, ContactMotion};
use crate::contact::settings::Integrator;

/// A contact of fewer steps than this is none that the paper's methods could follow: their damper
/// would lose nothing.
const FEWEST_STEPS: f64 = 2.0;

impl RigidContact {
    pub(super) fn step_damped(&mut self, h_s: f64) -> ContactStep {
        let before = self.motion;
        match self.integrator {
            Integrator::Passive => {
                let after = integrator::step(self.integrator, &self.medium, &before, h_s);
                // Where it lets go is where the step without force began.
                self.separation_m = before.x_m.max(0.0);
                self.accept_passive(after, h_s)
            }
            _ => self.step_plainly(&before, h_s),
        }
    }

    fn step_plainly(&mut self, before: &ContactMotion, h_s: f64) -> ContactStep {
        let after = integrator::step(self.integrator, &self.medium, before, h_s);
        let force = |motion: &ContactMotion| {
            self.medium.spring.signed_force_n(motion.x_m, motion.v_m_per_s)
        };
        let (held, gone) = (force(before), force(&after));
        if !after.v_m_per_s.is_finite() || !after.x_m.is_finite() {
            // Thrown off by a step too coarse for the damper: leave as the law would.
            self.motion = ContactMotion {
                x_m: 0.0,
                v_m_per_s: -self.medium.curve.v_in_m_per_s * self.e_ahead,
                ..*before
            };
            return self.finish(before, h_s, true);
        }
        if !(after.v_m_per_s < 0.0 && gone <= 0.0 || self.has_stalled(h_s)) {
            self.motion = after;
            return self.finish(before, h_s, false);
        }
        let share = if held > 0.0 { (held / (held - gone)).clamp(1e-6, 1.0) } else { 1.0 };
        let all_in_one = before.v_m_per_s + share * (after.v_m_per_s - before.v_m_per_s) >= 0.0;
        if all_in_one || self.elapsed_s < FEWEST_STEPS * h_s {
            // Too few steps for the stepped motion to know anything of it. Leave as the law would.
            self.motion = ContactMotion {
                x_m: 0.0,
                v_m_per_s: -self.medium.curve.v_in_m_per_s * self.e_ahead,
                ..after
            };
            return self.finish(before, h_s, true);
        }
        // A wall gives back no more than it got; an explicit step may think otherwise of a stiff
        // damper.
        let v_in = self.medium.curve.v_in_m_per_s;
        self.motion = ContactMotion {
            x_m: (before.x_m + share * (after.x_m - before.x_m)).max(0.0),
            v_m_per_s: (before.v_m_per_s + share * (after.v_m_per_s - before.v_m_per_s))
                .max(-v_in)
                .min(0.0),
            ..after
        };
        self.finish(before, share * h_s, true)
    }

    fn has_stalled(&self, h_s: f64) -> bool {
        self.elapsed_s > 16.0 * (self.predicted.total_s() + h_s)
    }

    fn finish(&mut self, before: &ContactMotion, duration_s: f64, released: bool) -> ContactStep {
        self.elapsed_s += duration_s;
        if released {
            self.separation_m = self.motion.x_m;
        }
        self.held(before, duration_s, released)
    }

    /// Compression at which the force was gone, m; 0 with Hunt–Crossley.
    pub fn separation_m(&self) -> f64 {
        self.separation_m
    }
}
