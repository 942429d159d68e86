//! One rider on a ground, and nothing else: what rolls, most of the time.
//!
//! The same steps as with several, without what several ask for: one length of step for the whole
//! sample, one mobility, and one pass over the ground per step.

use super::super::integrator::passive;
use super::{CompliantSurface, ContactBody, CoupledSolver, MAX_STEPS, MotionBounds};

/// A ground on which one rider may stand alone.
pub trait SingleSlotSurface: CompliantSurface {
    /// The last step of a sample, under a force on one seat alone:
    /// [`push_one`](CompliantSurface::push_one), and then the seat moves on, if it is on its way to
    /// another place.
    fn push_last(&mut self, slot: usize, force_n: f64);
}

impl CoupledSolver {
    /// One sample of a ground with one rider that always touches or may, on a claimed seat, while
    /// there are no beaters. It has as many steps as it asks for and the budget has: not only
    /// powers of two.
    pub fn advance_single(
        &mut self,
        ground: &mut impl SingleSlotSurface,
        dt_s: f64,
        slot: usize,
        contact_body: &mut impl ContactBody,
    ) {
        self.land(ground);
        let inverse_mass = |time_s: f64| ground.per_mass_per_kg(slot, time_s);
        let wanted = contact_body
            .target_substeps(&MotionBounds::default(), &inverse_mass, dt_s)
            .unwrap_or(1);
        let steps = contact_body.substeps(wanted.clamp(1, MAX_STEPS), self.budget.level(), dt_s);
        (self.steps, self.finest) = (steps, steps);
        ground.prepare(steps, dt_s);
        let h_s = dt_s / f64::from(steps);
        let mobility_m_per_n = ground.own_mobility_m_per_n(slot);
        for step in 1..=steps {
            let mut reach = contact_body.reach(ground.free_m(slot), h_s);
            reach.mobility_m_per_n += mobility_m_per_n;
            let push = passive::follow(contact_body.spring(), &reach);
            if step < steps {
                ground.push_one(slot, push.force_n);
            } else {
                ground.push_last(slot, push.force_n);
            }
            contact_body.accept(&push, h_s);
            if !push.settled {
                self.unsettled = true;
                let (spring, x_m) = (contact_body.spring(), reach.x_m);
                let stored_j = spring.potential_j(x_m + push.change_m) - spring.potential_j(x_m);
                contact_body.dissipate((stored_j - push.force_n * push.change_m).max(0.0));
            }
        }
        self.count(ground, steps);
    }
}
