//! One rider on a ground, and nothing else: what rolls, most of the time.
//!
//! The same steps as with several, without what several ask for: one length of step for the whole sample, one mobility, and one
//! pass over the ground per step, which moves it on and looks ahead at once.

use super::super::integrator::passive;
use super::{Ground, MOST_STEPS, Outlook, Rider, TwoWay};

/// What one rider has to know of the ground under it, for steps of the prepared length.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Stance {
    /// What the displacement will change by over the next step without a force, m, ...
    pub free_m: f64,
    /// ... and over the one after, m.
    pub later_m: f64,
    /// What one newton, held over a step, adds to its change in that step, m/N, ...
    pub mobility_m_per_n: f64,
    /// ... and in the one after, m/N.
    pub echo_m_per_n: f64,
}

/// A ground on which one rider stands alone.
///
/// It looks two steps ahead. So the force of a step needs nothing that waits for the last one to have moved the whole ground, and
/// the processor does both at once.
pub trait Footing: Ground {
    /// What is known of a seat now.
    fn stance(&self, seat: usize) -> Stance;
    /// Move on by one step under a force on one seat alone. Returns the new [`Stance::later_m`].
    fn push_alone(&mut self, seat: usize, force_n: f64) -> f64;
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
        let Stance { mut free_m, mut later_m, mobility_m_per_n, echo_m_per_n } = ground.stance(seat);
        for _ in 0..steps {
            let mut reach = rider.reach(free_m, h_s);
            reach.mobility_m_per_n += mobility_m_per_n;
            let push = passive::follow(rider.spring(), &reach);
            free_m = later_m + echo_m_per_n * push.force_n;
            later_m = ground.push_alone(seat, push.force_n);
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
