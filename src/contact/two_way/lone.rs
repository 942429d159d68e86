//! One striker in contact, and nothing else near: the usual blow.
//!
//! The same steps as with several, without what several ask for: no list of who is near, one mobility, which the ground keeps for
//! the length of step, and a force that Newton's method finds from the last one.

use super::super::integrator::passive::{self, Push, Reach};
use super::super::law::Spring;
use super::plan::Plan;
use super::sample::Sample;
use super::{Beater, Ground, MOST_STEPS, Rider, SEATS, TwoWay, drift};

impl TwoWay {
    /// The seat of the one beater there is; none if there are several, or none.
    pub(super) fn lone_seat(&self) -> Option<usize> {
        let mut active =
            self.seated().iter().enumerate().filter(|(_, beater)| beater.is_active()).map(|(seat, _)| seat);
        active.next().filter(|_| active.next().is_none())
    }

    /// One sample of the only beater there is, which touches at its beginning.
    pub(super) fn follow<G: Ground>(
        &mut self,
        ground: &mut G,
        dt_s: f64,
        seat: usize,
        watch: &mut impl FnMut(&[Beater; SEATS], &G),
    ) {
        let mut plans = [None; SEATS];
        self.beaters[seat].begin_sample();
        plans[seat] = Plan::of(&mut self.beaters[seat], ground, seat, dt_s);
        let mut sample = Sample::new(dt_s, plans);
        while sample.stride.room() > 0 && self.beaters[seat].is_in_contact() {
            self.press_alone(ground, seat, &mut sample);
            watch(&self.beaters, ground);
        }
        if sample.stride.room() > 0 {
            self.play(ground, &mut sample, Some(seat), &mut [], watch);
        }
        (self.steps, self.finest) = (sample.stride.steps, MOST_STEPS / sample.stride.shortest);
        self.beaters[seat].check();
    }

    /// Let a sample go by in which the only beater there is comes near and does not touch, if it is such a sample. Nothing has to be
    /// planned then. The steps are prepared for one in a sample.
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
        ground.push(&[0.0; SEATS]);
        self.allowance.spend(1);
        (self.steps, self.finest) = (1, 1);
        true
    }

    /// One step of the only beater near, which touches.
    pub(super) fn press_alone(&mut self, ground: &mut impl Ground, seat: usize, sample: &mut Sample) {
        let beater = &self.beaters[seat];
        let (wanted, needed) = sample.plans[seat].map_or((1, 1), |plan| (plan.wanted, plan.needed));
        let steps =
            self.allowance.finest(wanted, needed, || beater.steps_owed(needed, sample.dt_s), 1, sample.stride.room());
        let step = sample.stride.touching(MOST_STEPS / steps);
        self.press_by(ground, seat, sample, step);
    }

    /// The same of a given length, in which it may begin to touch.
    pub(super) fn press_by(&mut self, ground: &mut impl Ground, seat: usize, sample: &mut Sample, step: u32) {
        let beater = &mut self.beaters[seat];
        let touched = beater.is_in_contact();
        let steps = MOST_STEPS / step;
        let h_s = sample.dt_s / f64::from(steps);
        let amended = beater.is_amended(h_s);
        if amended {
            ground.prepare_amended(steps, sample.dt_s);
        } else {
            ground.prepare(steps, sample.dt_s);
        }
        let ground_m_per_n = ground.own_mobility_m_per_n(seat);
        if amended && !touched {
            beater.offer(h_s, ground_m_per_n, ground.lean_m(seat), ground.motion(seat));
        }
        // What begins at once moves both sides by hand, which has to be paid for should it make energy.
        let paid_j = (amended && !touched && beater.is_damper()).then(|| ground.energy_j() + beater.energy_j());
        let mut reach = beater.reach(ground.free_m(seat), h_s);
        reach.mobility_m_per_n += ground_m_per_n;
        if amended {
            reach.mobility_m_per_n *= beater.touching_share(h_s);
        }
        let mut push = passive::follow(beater.spring(), &reach);
        if amended && let Some((share, force_n)) = beater.letting_go() {
            let given = given(beater.spring(), &reach, force_n);
            // A surface that comes after it does not let go.
            if given.change_m < 0.0 {
                push = given;
                beater.set_let_go(share);
            }
        }
        ground.push_one(seat, push.force_n);
        if amended {
            beater.set_lean(ground.lean_m(seat), h_s);
        }
        let unpaid_j = |spring: &Spring| {
            let stored_j = spring.potential_j(reach.x_m + push.change_m) - spring.potential_j(reach.x_m);
            (stored_j - push.force_n * push.change_m).max(0.0)
        };
        let unsettled_j = (!push.settled).then(|| unpaid_j(beater.spring()));
        beater.accept(&push, h_s);
        if amended && let Some(later_n_s2) = beater.begun() {
            ground.set_back(seat, later_n_s2);
        }
        if let Some(paid_j) = paid_j.filter(|_| beater.is_in_contact()) {
            beater.pay((ground.energy_j() + beater.energy_j() - paid_j).max(0.0));
        }
        if let Some(unsettled_j) = unsettled_j {
            self.unsettled = true;
            beater.pay(unsettled_j);
        }
        self.allowance.spend(1);
        sample.pressed(step);
        if beater.is_in_contact() != touched {
            sample.plan_again(beater, ground, seat, &[0.0; SEATS], step);
        } else if beater.looks_again() {
            sample.look_again(beater, ground, seat, &[0.0; SEATS], step);
        }
    }
}

/// A step with a given force. No more than the spring has at its end: what it then gives back is less than it had.
fn given(spring: &Spring, reach: &Reach, force_n: f64) -> Push {
    let after = |force_n: f64| reach.free_m - reach.mobility_m_per_n * force_n;
    let force_n = force_n.min(spring.elastic_n(reach.x_m + after(force_n)));
    Push { force_n, change_m: after(force_n), settled: true }
}
