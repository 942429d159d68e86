//! One rider on a ground, and nothing else: what rolls, most of the time.
//!
//! The same steps as with several, without what several ask for: one length of step for the whole sample, one mobility, and one
//! pass over the ground per step.

use super::super::integrator::passive;
use super::{Ground, MOST_STEPS, Outlook, Rider, TwoWay};

/// A ground on which one rider may stand alone.
pub trait Footing: Ground {
    /// The last step of a sample, under a force on one seat alone: [`push_one`](Ground::push_one), and then the seat moves on, if
    /// it is on its way to another place.
    fn push_last(&mut self, seat: usize, force_n: f64);
}

impl TwoWay {
    /// One sample of a ground with one rider that always touches or may, on a claimed seat, while there are no beaters. It has as many
    /// steps as it asks for and the budget has: not only powers of two.
    pub fn advance_alone(&mut self, ground: &mut impl Footing, dt_s: f64, seat: usize, rider: &mut impl Rider) {
        self.land(ground);
        let lightness = |time_s: f64| ground.per_mass_per_kg(seat, time_s);
        let wanted = rider.steps_wanted(&Outlook::default(), &lightness, dt_s).unwrap_or(1);
        let steps = rider.substeps(wanted.clamp(1, MOST_STEPS), self.budget.level(), dt_s);
        (self.steps, self.finest) = (steps, steps);
        ground.prepare(steps, dt_s);
        let h_s = dt_s / f64::from(steps);
        let mobility_m_per_n = ground.own_mobility_m_per_n(seat);
        for step in 1..=steps {
            let mut reach = rider.reach(ground.free_m(seat), h_s);
            reach.mobility_m_per_n += mobility_m_per_n;
            let push = passive::follow(rider.spring(), &reach);
            if step < steps {
                ground.push_one(seat, push.force_n);
            } else {
                ground.push_last(seat, push.force_n);
            }
            rider.accept(&push, h_s);
            if !push.settled {
                self.unsettled = true;
                let (spring, x_m) = (rider.spring(), reach.x_m);
                let stored_j = spring.potential_j(x_m + push.change_m) - spring.potential_j(x_m);
                rider.pay((stored_j - push.force_n * push.change_m).max(0.0));
            }
        }
        self.count(ground, steps);
    }
}
