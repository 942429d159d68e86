//! One striker in contact, and nothing else near: the usual blow.
//!
//! The same steps as with several, without what several ask for: no list of who is near, one
//! mobility, which the ground keeps for the length of step, and one pass over the modes per
//! sub-step.

use super::super::integrator::passive;
use super::sample::Sample;
use super::{
    CompliantSurface, ContactBody, CoupledSolver, FreeMass, MAX_CONTACT_SLOTS, MAX_STEPS, drift,
};

impl CoupledSolver {
    /// The slot of the one free mass there is; none if there are several, or none.
    pub(super) fn only_slot(&self) -> Option<usize> {
        let mut active = self
            .occupied()
            .iter()
            .enumerate()
            .filter(|(_, free_mass)| free_mass.is_active())
            .map(|(slot, _)| slot);
        active.next().filter(|_| active.next().is_none())
    }

    /// One sample of the only free mass there is, which touches at its beginning.
    pub(super) fn follow<G: CompliantSurface>(
        &mut self,
        ground: &mut G,
        dt_s: f64,
        slot: usize,
        watch: &mut impl FnMut(&[FreeMass; MAX_CONTACT_SLOTS], &G),
    ) {
        let mut wanted = [None; MAX_CONTACT_SLOTS];
        self.free_masses[slot].begin_sample();
        wanted[slot] = self.free_masses[slot].plan(ground, slot, dt_s);
        let mut sample = Sample::new(dt_s, wanted);
        self.play(ground, &mut sample, Some(slot), &mut [], watch);
        self.free_masses[slot].check();
    }

    /// Lets a sample go by in which the only free mass comes near and does not touch, if it is such
    /// a sample. Nothing has to be planned then. The ground is prepared for one step per sample.
    pub(super) fn flies_by(
        &mut self,
        ground: &mut impl CompliantSurface,
        dt_s: f64,
        slot: usize,
    ) -> bool {
        let free_mass = &mut self.free_masses[slot];
        let bend_m = ground.max_acceleration_m_per_s2(slot) * dt_s * dt_s / 8.0;
        if free_mass.gap_after_m(0.0, 0.0) <= bend_m {
            return false;
        }
        let surface_m = ground.free_m(slot);
        if free_mass.gap_after_m(surface_m, dt_s) <= bend_m {
            return false;
        }
        free_mass.begin_sample();
        if free_mass.may_leave() {
            free_mass.leave_for_good(&ground.motion_bounds(slot));
        }
        if free_mass.is_active() {
            drift(free_mass, surface_m, dt_s);
        }
        // The pass that moves the modes also tells where they go in the next sample.
        ground.push_one(slot, 0.0);
        self.count(ground, 1);
        (self.steps, self.finest) = (1, 1);
        true
    }

    /// One sub-step of the only free mass near, which touches or may begin to.
    pub(super) fn press_single(
        &mut self,
        ground: &mut impl CompliantSurface,
        slot: usize,
        sample: &mut Sample,
        step: u32,
    ) {
        let free_mass = &mut self.free_masses[slot];
        let touched = free_mass.is_in_contact();
        let steps = MAX_STEPS / step;
        let h_s = sample.dt_s / f64::from(steps);
        ground.prepare(steps, sample.dt_s);
        let mut reach = free_mass.reach(ground.free_m(slot), h_s);
        reach.mobility_m_per_n += ground.own_mobility_m_per_n(slot);
        let push = passive::follow(free_mass.spring(), &reach);
        ground.push_one(slot, push.force_n);
        free_mass.accept(&push, h_s);
        if !push.settled {
            self.unsettled = true;
            let (spring, x_m) = (free_mass.spring(), reach.x_m);
            let stored_j = spring.potential_j(x_m + push.change_m) - spring.potential_j(x_m);
            free_mass.dissipate((stored_j - push.force_n * push.change_m).max(0.0));
        }
        sample.pressed(step);
        if free_mass.is_in_contact() != touched {
            sample.plan_next(free_mass, ground, slot);
        }
        self.count(ground, 1);
    }
}
