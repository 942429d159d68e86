//! One rider on a ground, and nothing else: what rolls, most of the time.
//!
//! The same steps as with several, without what several ask for: one length of step for the whole sample, one mobility, and one
//! pass over the ground per step, which moves it on and looks ahead at once.

use super::super::integrator::passive;
use super::{Ground, MOST_STEPS, Outlook, Rider, TwoWay};

impl TwoWay {
    /// One sample of a ground with one rider that always touches or may, on a claimed seat, while there are no beaters.
    pub fn advance_alone(&mut self, ground: &mut impl Ground, dt_s: f64, seat: usize, rider: &mut impl Rider) {
        self.land(ground);
        self.allowance.pass(1);
        let lightness = |time_s: f64| ground.per_mass_per_kg(seat, time_s);
        let wanted = rider.steps_wanted(&Outlook::default(), &lightness, dt_s).unwrap_or(1);
        let needed = rider.steps_needed(wanted);
        let [wanted, needed] = [wanted, needed].map(|steps| steps.clamp(1, MOST_STEPS).next_power_of_two());
        let steps = self.allowance.finest(wanted, needed, 1, MOST_STEPS);
        self.allowance.spend(steps);
        (self.steps, self.finest) = (steps, steps);
        ground.prepare(steps, dt_s);
        let h_s = dt_s / f64::from(steps);
        let mobility_m_per_n = ground.mobility_m_per_n(seat, seat);
        let mut free_m = ground.free_m(seat);
        for _ in 0..steps {
            let mut reach = rider.reach(free_m, h_s);
            reach.mobility_m_per_n += mobility_m_per_n;
            let push = passive::follow(rider.spring(), &reach);
            free_m = ground.push_alone(seat, push.force_n);
            rider.accept(&push, h_s);
            if !push.settled {
                self.unsettled = true;
                let (spring, x_m) = (rider.spring(), reach.x_m);
                let stored_j = spring.potential_j(x_m + push.change_m) - spring.potential_j(x_m);
                rider.pay((stored_j - push.force_n * push.change_m).max(0.0));
            }
        }
    }
}
