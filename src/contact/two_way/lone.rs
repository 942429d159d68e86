//! One striker in contact, and nothing else near: the usual blow.
//!
//! The same steps as with several, without what several ask for: no list of who is near, one mobility, which the ground
//! keeps for the length of step, and one pass over the modes per sub-step.

use super::super::integrator::passive;
use super::sample::Sample;
use super::{Beater, Ground, MOST_STEPS, Rider, SEATS, TwoWay, drift};

impl TwoWay {
    /// The slot of the one free mass there is; none if there are several, or none.
    pub(super) fn lone_seat(&self) -> Option<usize> {
        let mut active =
            self.seated().iter().enumerate().filter(|(_, beater)| beater.is_active()).map(|(seat, _)| seat);
        active.next().filter(|_| active.next().is_none())
    }

    /// One sample of the only free mass there is, which touches at its beginning.
    pub(super) fn follow<G: Ground>(
        &mut self,
        ground: &mut G,
        dt_s: f64,
        seat: usize,
        watch: &mut impl FnMut(&[Beater; SEATS], &G),
    ) {
        let mut wanted = [None; SEATS];
        self.beaters[seat].begin_sample();
        wanted[seat] = self.beaters[seat].plan(ground, seat, dt_s);
        let mut sample = Sample::new(dt_s, wanted);
        self.play(ground, &mut sample, Some(seat), &mut [], watch);
        self.beaters[seat].check();
    }

    /// Lets a sample go by in which the only free mass comes near and does not touch, if it is such a sample. Nothing has to
    /// be planned then. The ground is prepared for one step per sample.
    pub(super) fn flies_by(&mut self, ground: &mut impl Ground, dt_s: f64, seat: usize) -> bool {
        let beater = &mut self.beaters[seat];
        let bend_m = ground.unrest_m_per_s2(seat) * dt_s * dt_s / 8.0;
        if beater.gap_after_m(0.0, 0.0) <= bend_m {
            return false;
        }
        let surface_m = ground.free_m(seat);
        if beater.gap_after_m(surface_m, dt_s) <= bend_m {
            return false;
        }
        beater.begin_sample();
        if beater.may_leave() {
            beater.leave_for_good(&ground.outlook(seat));
        }
        if beater.is_active() {
            drift(beater, surface_m, dt_s);
        }
        // The pass that moves the modes also tells where they go in the next sample.
        ground.push_one(seat, 0.0);
        self.count(ground, 1);
        (self.steps, self.finest) = (1, 1);
        true
    }

    /// One sub-step of the only free mass near, which touches or may begin to.
    pub(super) fn press_alone(&mut self, ground: &mut impl Ground, seat: usize, sample: &mut Sample, step: u32) {
        let beater = &mut self.beaters[seat];
        let touched = beater.is_in_contact();
        let steps = MOST_STEPS / step;
        let h_s = sample.dt_s / f64::from(steps);
        ground.prepare(steps, sample.dt_s);
        let mut reach = beater.reach(ground.free_m(seat), h_s);
        reach.mobility_m_per_n += ground.own_mobility_m_per_n(seat);
        let push = passive::follow(beater.spring(), &reach);
        ground.push_one(seat, push.force_n);
        beater.accept(&push, h_s);
        if !push.settled {
            self.unsettled = true;
            let (spring, x_m) = (beater.spring(), reach.x_m);
            let stored_j = spring.potential_j(x_m + push.change_m) - spring.potential_j(x_m);
            beater.pay((stored_j - push.force_n * push.change_m).max(0.0));
        }
        sample.pressed(step);
        if beater.is_in_contact() != touched {
            sample.plan_again(beater, ground, seat);
        }
        self.count(ground, 1);
    }
}
