//! One sample of the coupled solver, sub-step by sub-step.

use super::super::integrator::passive;
use super::solve::Problem;
use super::step_size::SubstepCursor;
use super::{
    CompliantSurface, ContactBody, CoupledSolver, FreeMass, MAX_CONTACT_SLOTS, MAX_STEPS,
    MotionBounds, OccupiedSlot, StepLevel, drift, gained_energy_j,
};

type ContactBodies<'a> = arrayvec::ArrayVec<OccupiedSlot<'a>, MAX_CONTACT_SLOTS>;

/// Work of a sub-step besides its passes over the modes, for one contact; it grows with the square
/// of their number.
const SOLVE_WORK: u32 = 12;

/// A surface for a single contact body.
pub trait SingleSlotSurface: CompliantSurface {
    /// Makes the last step of a sample, under a force on one slot, and then moves the slot along
    /// the surface, if it travels.
    fn push_last(&mut self, slot: usize, force_n: f64);
}

/// A sample under way.
struct Sample {
    dt_s: f64,
    /// Target sub-steps of each slot that may touch within it.
    targets: [Option<u32>; MAX_CONTACT_SLOTS],
    cursor: SubstepCursor,
    /// Length of step and its mobilities.
    problem: Option<(u32, Problem)>,
    /// Maximum accelerations of the surface without forces, m/s^2.
    max_acceleration: Option<[f64; MAX_CONTACT_SLOTS]>,
}

/// Target sub-steps of a contact body; `None` if it cannot touch within the next sample.
pub(super) fn plan(
    contact_body: &mut dyn ContactBody,
    motion_bounds: &MotionBounds,
    surface: &impl CompliantSurface,
    slot: usize,
    dt_s: f64,
) -> Option<u32> {
    let inverse_mass = |time_s: f64| surface.per_mass_per_kg(slot, time_s);
    contact_body
        .target_substeps(motion_bounds, &inverse_mass, dt_s)
        .map(|steps| steps.clamp(1, MAX_STEPS))
}

impl CoupledSolver {
    /// Advances by one sample with other contact bodies on claimed slots, and calls `watch` after
    /// every sub-step.
    pub fn advance_with<G: CompliantSurface>(
        &mut self,
        surface: &mut G,
        dt_s: f64,
        others: &mut [OccupiedSlot<'_>],
        watch: &mut impl FnMut(&[FreeMass; MAX_CONTACT_SLOTS], &G),
    ) {
        self.land(surface);
        let single = self.only_slot().filter(|_| others.is_empty());
        if let Some(slot) = single.filter(|&slot| self.free_masses[slot].is_in_contact()) {
            return self.advance_contact(surface, dt_s, slot, watch);
        }
        surface.prepare(1, dt_s);
        if let Some(slot) = single.filter(|&slot| self.advance_flight(surface, dt_s, slot)) {
            watch(&self.free_masses, surface);
            return self.free_masses[slot].check();
        }
        let mut targets = [None; MAX_CONTACT_SLOTS];
        for (slot, free_mass) in self
            .occupied_mut()
            .iter_mut()
            .enumerate()
            .filter(|(_, free_mass)| free_mass.is_active())
        {
            free_mass.begin_sample();
            targets[slot] = free_mass.plan(surface, slot, dt_s);
        }
        for OccupiedSlot { slot, contact_body } in others.iter_mut() {
            targets[*slot] =
                plan(*contact_body, &surface.motion_bounds(*slot), surface, *slot, dt_s);
        }
        let near = targets.map(|target| target.is_some());
        let single = single
            .or_else(|| only(&near).filter(|slot| others.iter().all(|other| other.slot != *slot)));
        let mut before_m = [0.0; MAX_CONTACT_SLOTS];
        let free_masses = self
            .occupied()
            .iter()
            .enumerate()
            .filter(|(_, free_mass)| free_mass.is_active())
            .map(|(slot, _)| slot);
        for slot in
            free_masses.chain(others.iter().map(|other| other.slot)).filter(|slot| !near[*slot])
        {
            before_m[slot] = surface.displacement_m(slot);
        }
        let mut sample = Sample::new(dt_s, targets);
        self.advance_rest(surface, &mut sample, single, others, watch);
        for (slot, free_mass) in self.occupied_mut().iter_mut().enumerate() {
            if free_mass.is_active() && !near[slot] {
                drift(free_mass, surface.displacement_m(slot) - before_m[slot], dt_s);
            }
            free_mass.check();
        }
        for other in others.iter_mut().filter(|other| !near[other.slot]) {
            drift(
                other.contact_body,
                surface.displacement_m(other.slot) - before_m[other.slot],
                dt_s,
            );
        }
    }

    /// Advances by the rest of a sample. `single` is the slot of the free mass, if only one contact
    /// body is near.
    fn advance_rest<G: CompliantSurface>(
        &mut self,
        surface: &mut G,
        sample: &mut Sample,
        single: Option<usize>,
        others: &mut [OccupiedSlot<'_>],
        watch: &mut impl FnMut(&[FreeMass; MAX_CONTACT_SLOTS], &G),
    ) {
        let near = sample.targets.map(|target| target.is_some());
        // Each round uses up some of the sample: at most MAX_STEPS rounds.
        while sample.cursor.room() > 0 {
            let level = self.budget.level();
            if let Some(slot) = single.filter(|&slot| self.free_masses[slot].is_in_contact()) {
                let step =
                    sample.cursor.touching(sample.fine_of(&self.free_masses[slot], slot, level));
                self.press_single(surface, slot, sample, step);
                watch(&self.free_masses, surface);
                continue;
            }
            let touched: [bool; MAX_CONTACT_SLOTS] =
                std::array::from_fn(|slot| self.free_masses[slot].is_in_contact());
            let mut contact_bodies = ContactBodies::new();
            for (slot, free_mass) in self
                .free_masses
                .iter_mut()
                .enumerate()
                .filter(|(slot, b)| near[*slot] && b.is_active())
            {
                contact_bodies.push(OccupiedSlot { slot, contact_body: free_mass });
            }
            for other in others.iter_mut().filter(|other| near[other.slot]) {
                // There are at most as many contact bodies as slots.
                let _ = contact_bodies.try_push(OccupiedSlot {
                    slot: other.slot,
                    contact_body: &mut *other.contact_body,
                });
            }
            let (step, flies) = sample.choose(&contact_bodies, surface, level);
            // `None` if the mass has left meanwhile.
            let pressing = contact_bodies
                .first()
                .map(|occupied| occupied.slot)
                .filter(|slot| !flies && single == Some(*slot));
            if let Some(slot) = pressing {
                drop(contact_bodies);
                self.press_single(surface, slot, sample, step);
                watch(&self.free_masses, surface);
                continue;
            }
            let count = contact_bodies.len() as u32;
            if flies {
                sample.fly(&mut contact_bodies, surface, step);
            } else {
                self.unsettled |= !sample.press(&mut contact_bodies, surface, step);
            }
            drop(contact_bodies);
            sample.cursor.pass(step);
            for (slot, free_mass) in self
                .free_masses
                .iter_mut()
                .enumerate()
                .filter(|(slot, b)| near[*slot] && b.is_active())
            {
                // The target changes where a contact begins or ends.
                if free_mass.is_in_contact() != touched[slot] {
                    sample.plan_next(free_mass, surface, slot);
                }
            }
            self.count(surface, if flies { 0 } else { count * count });
            watch(&self.free_masses, surface);
        }
        (self.steps, self.finest) = (sample.cursor.steps, MAX_STEPS / sample.cursor.shortest);
    }

    /// Counts the work of a sub-step with `solved` forces.
    fn count(&mut self, surface: &mut impl CompliantSurface, solved: u32) {
        self.budget.spend(surface.take_work().saturating_add(SOLVE_WORK * solved.max(1)));
    }

    /// The slot of the only active free mass; `None` if there are several or none.
    fn only_slot(&self) -> Option<usize> {
        let mut active = self
            .occupied()
            .iter()
            .enumerate()
            .filter(|(_, free_mass)| free_mass.is_active())
            .map(|(slot, _)| slot);
        active.next().filter(|_| active.next().is_none())
    }

    /// Advances by one sample of the only active free mass, which is in contact: the usual strike.
    fn advance_contact<G: CompliantSurface>(
        &mut self,
        surface: &mut G,
        dt_s: f64,
        slot: usize,
        watch: &mut impl FnMut(&[FreeMass; MAX_CONTACT_SLOTS], &G),
    ) {
        let mut targets = [None; MAX_CONTACT_SLOTS];
        self.free_masses[slot].begin_sample();
        targets[slot] = self.free_masses[slot].plan(surface, slot, dt_s);
        let mut sample = Sample::new(dt_s, targets);
        self.advance_rest(surface, &mut sample, Some(slot), &mut [], watch);
        self.free_masses[slot].check();
    }

    /// Advances by one sample if the only active free mass does not touch within it, and returns
    /// whether it did. The surface must be prepared for one step per sample.
    fn advance_flight(
        &mut self,
        surface: &mut impl CompliantSurface,
        dt_s: f64,
        slot: usize,
    ) -> bool {
        let free_mass = &mut self.free_masses[slot];
        let bend_m = surface.max_acceleration_m_per_s2(slot) * dt_s * dt_s / 8.0;
        if free_mass.gap_after_m(0.0, 0.0) <= bend_m {
            return false;
        }
        let surface_m = surface.free_m(slot);
        if free_mass.gap_after_m(surface_m, dt_s) <= bend_m {
            return false;
        }
        free_mass.begin_sample();
        if free_mass.may_leave() {
            free_mass.leave_for_good(&surface.motion_bounds(slot));
        }
        if free_mass.is_active() {
            drift(free_mass, surface_m, dt_s);
        }
        // This call also computes the free displacement over the next sample.
        surface.push_one(slot, 0.0);
        self.count(surface, 1);
        (self.steps, self.finest) = (1, 1);
        true
    }

    /// Makes a sub-step of the only free mass near, which touches or may begin to: one mobility,
    /// which the surface caches, and one pass over the modes.
    fn press_single(
        &mut self,
        surface: &mut impl CompliantSurface,
        slot: usize,
        sample: &mut Sample,
        step: u32,
    ) {
        let free_mass = &mut self.free_masses[slot];
        let touched = free_mass.is_in_contact();
        let steps = MAX_STEPS / step;
        let h_s = sample.dt_s / f64::from(steps);
        surface.prepare(steps, sample.dt_s);
        let mut reach = free_mass.reach(surface.free_m(slot), h_s);
        reach.mobility_m_per_n += surface.own_mobility_m_per_n(slot);
        let push = passive::follow(free_mass.spring(), &reach);
        surface.push_one(slot, push.force_n);
        free_mass.accept(&push, h_s);
        if !push.settled {
            self.unsettled = true;
            let gained_j = gained_energy_j(free_mass.spring(), reach.x_m, &push);
            free_mass.dissipate(gained_j);
        }
        sample.pressed(step);
        if free_mass.is_in_contact() != touched {
            sample.plan_next(free_mass, surface, slot);
        }
        self.count(surface, 1);
    }

    /// Advances by one sample of a surface with one contact body on a claimed slot and no free
    /// masses, such as a rolling body. The number of steps need not be a power of two.
    pub fn advance_single(
        &mut self,
        surface: &mut impl SingleSlotSurface,
        dt_s: f64,
        slot: usize,
        contact_body: &mut impl ContactBody,
    ) {
        self.land(surface);
        let inverse_mass = |time_s: f64| surface.per_mass_per_kg(slot, time_s);
        let target = contact_body
            .target_substeps(&MotionBounds::default(), &inverse_mass, dt_s)
            .unwrap_or(1);
        let steps = contact_body.substeps(target.clamp(1, MAX_STEPS), self.budget.level(), dt_s);
        (self.steps, self.finest) = (steps, steps);
        surface.prepare(steps, dt_s);
        let h_s = dt_s / f64::from(steps);
        let mobility_m_per_n = surface.own_mobility_m_per_n(slot);
        for step in 1..=steps {
            let mut reach = contact_body.reach(surface.free_m(slot), h_s);
            reach.mobility_m_per_n += mobility_m_per_n;
            let push = passive::follow(contact_body.spring(), &reach);
            if step < steps {
                surface.push_one(slot, push.force_n);
            } else {
                surface.push_last(slot, push.force_n);
            }
            contact_body.accept(&push, h_s);
            if !push.settled {
                self.unsettled = true;
                let gained_j = gained_energy_j(contact_body.spring(), reach.x_m, &push);
                contact_body.dissipate(gained_j);
            }
        }
        self.count(surface, steps);
    }
}

/// The only slot that is near; `None` if there are several or none.
fn only(near: &[bool; MAX_CONTACT_SLOTS]) -> Option<usize> {
    let mut slots = (0..MAX_CONTACT_SLOTS).filter(|slot| near[*slot]);
    slots.next().filter(|_| slots.next().is_none())
}

/// True if no contact body can touch within a sub-step without forces. Both ends of the sub-step
/// are known exactly, and between them no gap is narrower than the straight line by more than `a
/// h^2/8`, with the maximum acceleration a of the surface. (Gravity bends it the other way.)
fn is_clear(
    contact_bodies: &[OccupiedSlot<'_>],
    surface: &mut impl CompliantSurface,
    max_acceleration_m_per_s2: &[f64; MAX_CONTACT_SLOTS],
    step: u32,
    dt_s: f64,
) -> bool {
    let h_s = dt_s / f64::from(MAX_STEPS / step);
    let bend_m = |slot: usize| max_acceleration_m_per_s2[slot] * h_s * h_s / 8.0;
    // The cheap test first.
    if contact_bodies.iter().any(|OccupiedSlot { slot, contact_body }| {
        contact_body.gap_after_m(0.0, 0.0) <= bend_m(*slot)
    }) {
        return false;
    }
    surface.prepare(MAX_STEPS / step, dt_s);
    contact_bodies.iter().all(|OccupiedSlot { slot, contact_body }| {
        contact_body.gap_after_m(surface.free_m(*slot), h_s) > bend_m(*slot)
    })
}

impl Sample {
    /// A sample that begins.
    fn new(dt_s: f64, targets: [Option<u32>; MAX_CONTACT_SLOTS]) -> Self {
        Self {
            dt_s,
            targets,
            cursor: SubstepCursor::default(),
            problem: None,
            max_acceleration: None,
        }
    }

    /// Length of the sub-steps of one contact body at a step level, a power of two.
    fn fine_of(&self, contact_body: &dyn ContactBody, slot: usize, level: StepLevel) -> u32 {
        let substeps = contact_body.substeps(self.targets[slot].unwrap_or(1), level, self.dt_s);
        MAX_STEPS / substeps.clamp(1, MAX_STEPS).next_power_of_two()
    }

    /// Length of the next sub-step, and whether it is free of contact.
    fn choose(
        &mut self,
        contact_bodies: &[OccupiedSlot<'_>],
        surface: &mut impl CompliantSurface,
        level: StepLevel,
    ) -> (u32, bool) {
        let fine = contact_bodies
            .iter()
            .map(|OccupiedSlot { slot, contact_body }| self.fine_of(*contact_body, *slot, level))
            .min();
        let fine = fine.unwrap_or(MAX_STEPS);
        if !contact_bodies.iter().any(|occupied| occupied.contact_body.gap_after_m(0.0, 0.0) <= 0.0)
        {
            let max_acceleration = *self.max_acceleration.get_or_insert_with(|| {
                let mut all = [0.0; MAX_CONTACT_SLOTS];
                contact_bodies.iter().for_each(|occupied| {
                    all[occupied.slot] = surface.max_acceleration_m_per_s2(occupied.slot)
                });
                all
            });
            let clear =
                |step: u32| is_clear(contact_bodies, surface, &max_acceleration, step, self.dt_s);
            if let Some(step) = self.cursor.flying(fine, clear) {
                return (step, true);
            }
        }
        (self.cursor.touching(fine), false)
    }

    /// Makes a sub-step without contact.
    fn fly(
        &mut self,
        contact_bodies: &mut [OccupiedSlot<'_>],
        surface: &mut impl CompliantSurface,
        step: u32,
    ) {
        let steps = MAX_STEPS / step;
        surface.prepare(steps, self.dt_s);
        for OccupiedSlot { slot, contact_body } in contact_bodies {
            drift(*contact_body, surface.free_m(*slot), self.dt_s / f64::from(steps));
        }
        surface.push(&[0.0; MAX_CONTACT_SLOTS]);
    }

    /// Makes a sub-step with forces. Returns false if it did not converge.
    fn press(
        &mut self,
        contact_bodies: &mut [OccupiedSlot<'_>],
        surface: &mut impl CompliantSurface,
        step: u32,
    ) -> bool {
        let steps = MAX_STEPS / step;
        surface.prepare(steps, self.dt_s);
        self.max_acceleration = None;
        // Rebuilt only where the length has changed.
        if self.problem.as_ref().is_some_and(|(made_for, _)| *made_for != step) {
            self.problem = None;
        }
        let near = || self.targets.map(|target| target.is_some());
        let (_, problem) =
            self.problem.get_or_insert_with(|| (step, Problem::new(surface, &near())));
        problem.step(surface, contact_bodies, self.dt_s / f64::from(steps))
    }

    /// Advances the cursor after a sub-step with forces, which invalidates the maximum
    /// accelerations.
    fn pressed(&mut self, step: u32) {
        self.max_acceleration = None;
        self.cursor.pass(step);
    }

    /// Updates the target after a contact has begun or ended in the last sub-step.
    fn plan_next(
        &mut self,
        free_mass: &mut FreeMass,
        surface: &impl CompliantSurface,
        slot: usize,
    ) {
        self.targets[slot] = free_mass.plan(surface, slot, self.dt_s).or(self.targets[slot]);
    }
}
