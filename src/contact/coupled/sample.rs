//! One sample of everything that presses on a ground, sub-step by sub-step.

use super::cursor::SubstepCursor;
use super::solve::Problem;
use super::{
    CompliantSurface, ContactBody, CoupledSolver, FreeMass, MAX_CONTACT_SLOTS, MAX_STEPS,
    MotionBounds, OccupiedSlot, StepLevel, drift,
};

type ContactBodies<'a> = arrayvec::ArrayVec<OccupiedSlot<'a>, MAX_CONTACT_SLOTS>;

/// Work of a sub-step besides its passes over the modes: the force of one contact, which grows with
/// the square of their number.
const SOLVE_WORK: u32 = 12;

/// A sample under way.
pub(super) struct Sample {
    pub dt_s: f64,
    /// Target sub-steps of each that may touch within it.
    wanted: [Option<u32>; MAX_CONTACT_SLOTS],
    pub cursor: SubstepCursor,
    /// Mobilities for the length of step they were made for.
    problem: Option<(u32, Problem)>,
    /// Bounds of the ground's acceleration, as long as nothing pushes it, m/s^2.
    max_acceleration: Option<[f64; MAX_CONTACT_SLOTS]>,
}

impl FreeMass {
    /// Target sub-steps of a free mass; none if it cannot touch within a sample from now. It may
    /// find that it is gone.
    pub(super) fn plan(
        &mut self,
        ground: &impl CompliantSurface,
        slot: usize,
        dt_s: f64,
    ) -> Option<u32> {
        // In contact the sub-steps follow from what is, and not from what may come.
        let motion_bounds =
            if self.is_in_contact() { MotionBounds::default() } else { ground.motion_bounds(slot) };
        self.leave_for_good(&motion_bounds);
        if self.is_active() { plan(self, &motion_bounds, ground, slot, dt_s) } else { None }
    }
}

/// Target sub-steps of a rider; none if it cannot touch within a sample from now.
fn plan(
    contact_body: &mut dyn ContactBody,
    motion_bounds: &MotionBounds,
    ground: &impl CompliantSurface,
    slot: usize,
    dt_s: f64,
) -> Option<u32> {
    let inverse_mass = |time_s: f64| ground.per_mass_per_kg(slot, time_s);
    contact_body
        .target_substeps(motion_bounds, &inverse_mass, dt_s)
        .map(|steps| steps.clamp(1, MAX_STEPS))
}

impl CoupledSolver {
    /// One sample with riders of other kinds on claimed seats, telling `watch` of every sub-step.
    pub fn advance_with<G: CompliantSurface>(
        &mut self,
        ground: &mut G,
        dt_s: f64,
        guests: &mut [OccupiedSlot<'_>],
        watch: &mut impl FnMut(&[FreeMass; MAX_CONTACT_SLOTS], &G),
    ) {
        self.land(ground);
        let single = self.only_slot().filter(|_| guests.is_empty());
        if let Some(slot) = single.filter(|&slot| self.free_masses[slot].is_in_contact()) {
            return self.follow(ground, dt_s, slot, watch);
        }
        ground.prepare(1, dt_s);
        if let Some(slot) = single.filter(|&slot| self.flies_by(ground, dt_s, slot)) {
            watch(&self.free_masses, ground);
            return self.free_masses[slot].check();
        }
        let mut wanted = [None; MAX_CONTACT_SLOTS];
        for (slot, free_mass) in self
            .occupied_mut()
            .iter_mut()
            .enumerate()
            .filter(|(_, free_mass)| free_mass.is_active())
        {
            free_mass.begin_sample();
            wanted[slot] = free_mass.plan(ground, slot, dt_s);
        }
        for OccupiedSlot { slot, contact_body } in guests.iter_mut() {
            wanted[*slot] = plan(*contact_body, &ground.motion_bounds(*slot), ground, *slot, dt_s);
        }
        let near = wanted.map(|wanted| wanted.is_some());
        let single = single
            .or_else(|| only(&near).filter(|slot| guests.iter().all(|guest| guest.slot != *slot)));
        let mut before_m = [0.0; MAX_CONTACT_SLOTS];
        let free_masses = self
            .occupied()
            .iter()
            .enumerate()
            .filter(|(_, free_mass)| free_mass.is_active())
            .map(|(slot, _)| slot);
        for slot in
            free_masses.chain(guests.iter().map(|guest| guest.slot)).filter(|slot| !near[*slot])
        {
            before_m[slot] = ground.displacement_m(slot);
        }
        let mut sample = Sample::new(dt_s, wanted);
        self.play(ground, &mut sample, single, guests, watch);
        for (slot, free_mass) in self.occupied_mut().iter_mut().enumerate() {
            if free_mass.is_active() && !near[slot] {
                drift(free_mass, ground.displacement_m(slot) - before_m[slot], dt_s);
            }
            free_mass.check();
        }
        for guest in guests.iter_mut().filter(|guest| !near[guest.slot]) {
            drift(
                guest.contact_body,
                ground.displacement_m(guest.slot) - before_m[guest.slot],
                dt_s,
            );
        }
    }

    /// What is left of a sample. If nothing but one free mass is near it sits on the seat `single`.
    pub(super) fn play<G: CompliantSurface>(
        &mut self,
        ground: &mut G,
        sample: &mut Sample,
        single: Option<usize>,
        guests: &mut [OccupiedSlot<'_>],
        watch: &mut impl FnMut(&[FreeMass; MAX_CONTACT_SLOTS], &G),
    ) {
        let near = sample.wanted.map(|wanted| wanted.is_some());
        // Each round takes some of the room: no more of them than the sample has of the shortest
        // sub-steps.
        while sample.cursor.room() > 0 {
            let level = self.budget.level();
            if let Some(slot) = single.filter(|&slot| self.free_masses[slot].is_in_contact()) {
                let step =
                    sample.cursor.touching(sample.fine_of(&self.free_masses[slot], slot, level));
                self.press_single(ground, slot, sample, step);
                watch(&self.free_masses, ground);
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
            for guest in guests.iter_mut().filter(|guest| near[guest.slot]) {
                // More riders than seats would be two on one seat: the first has it.
                let _ = contact_bodies.try_push(OccupiedSlot {
                    slot: guest.slot,
                    contact_body: &mut *guest.contact_body,
                });
            }
            let (step, flies) = sample.choose(&contact_bodies, ground, level);
            // None, if it has left meanwhile.
            let pressing = contact_bodies
                .first()
                .map(|occupied| occupied.slot)
                .filter(|slot| !flies && single == Some(*slot));
            if let Some(slot) = pressing {
                drop(contact_bodies);
                self.press_single(ground, slot, sample, step);
                watch(&self.free_masses, ground);
                continue;
            }
            let count = contact_bodies.len() as u32;
            if flies {
                sample.fly(&mut contact_bodies, ground, step);
            } else {
                self.unsettled |= !sample.press(&mut contact_bodies, ground, step);
            }
            drop(contact_bodies);
            sample.cursor.pass(step);
            for (slot, free_mass) in self
                .free_masses
                .iter_mut()
                .enumerate()
                .filter(|(slot, b)| near[*slot] && b.is_active())
            {
                // Where a contact begins or ends, more is known of what comes.
                if free_mass.is_in_contact() != touched[slot] {
                    sample.plan_next(free_mass, ground, slot);
                }
            }
            self.count(ground, if flies { 0 } else { count * count });
            watch(&self.free_masses, ground);
        }
        (self.steps, self.finest) = (sample.cursor.steps, MAX_STEPS / sample.cursor.shortest);
    }

    /// Counts the work of a sub-step with so many forces to solve for.
    pub(super) fn count(&mut self, ground: &mut impl CompliantSurface, solved: u32) {
        self.budget.spend(ground.take_work().saturating_add(SOLVE_WORK * solved.max(1)));
    }
}

/// The one seat that is near; none if there are several, or none.
fn only(near: &[bool; MAX_CONTACT_SLOTS]) -> Option<usize> {
    let mut slots = (0..MAX_CONTACT_SLOTS).filter(|slot| near[*slot]);
    slots.next().filter(|_| slots.next().is_none())
}

/// Whether no rider can touch within a sub-step that nothing pushes. Both ends of it are known
/// exactly, and between them no gap is narrower than the straight line by more than `a h^2/8`,
/// where the surface is never accelerated by more than a. (Weight bends it the other way.)
fn is_clear(
    contact_bodies: &[OccupiedSlot<'_>],
    ground: &mut impl CompliantSurface,
    max_acceleration_m_per_s2: &[f64; MAX_CONTACT_SLOTS],
    step: u32,
    dt_s: f64,
) -> bool {
    let h_s = dt_s / f64::from(MAX_STEPS / step);
    let bend_m = |slot: usize| max_acceleration_m_per_s2[slot] * h_s * h_s / 8.0;
    // What costs nothing first.
    if contact_bodies.iter().any(|OccupiedSlot { slot, contact_body }| {
        contact_body.gap_after_m(0.0, 0.0) <= bend_m(*slot)
    }) {
        return false;
    }
    ground.prepare(MAX_STEPS / step, dt_s);
    contact_bodies.iter().all(|OccupiedSlot { slot, contact_body }| {
        contact_body.gap_after_m(ground.free_m(*slot), h_s) > bend_m(*slot)
    })
}

impl Sample {
    /// Nothing of it has passed.
    pub fn new(dt_s: f64, wanted: [Option<u32>; MAX_CONTACT_SLOTS]) -> Self {
        Self {
            dt_s,
            wanted,
            cursor: SubstepCursor::default(),
            problem: None,
            max_acceleration: None,
        }
    }

    /// Length of the sub-steps of one rider at a level, a power of two.
    fn fine_of(&self, contact_body: &dyn ContactBody, slot: usize, level: StepLevel) -> u32 {
        let substeps = contact_body.substeps(self.wanted[slot].unwrap_or(1), level, self.dt_s);
        MAX_STEPS / substeps.clamp(1, MAX_STEPS).next_power_of_two()
    }

    /// How long the next sub-step is, and whether it is one in which nothing touches.
    fn choose(
        &mut self,
        contact_bodies: &[OccupiedSlot<'_>],
        ground: &mut impl CompliantSurface,
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
                    all[occupied.slot] = ground.max_acceleration_m_per_s2(occupied.slot)
                });
                all
            });
            let clear =
                |step: u32| is_clear(contact_bodies, ground, &max_acceleration, step, self.dt_s);
            if let Some(step) = self.cursor.flying(fine, clear) {
                return (step, true);
            }
        }
        (self.cursor.touching(fine), false)
    }

    /// A sub-step in which nothing touches.
    fn fly(
        &mut self,
        contact_bodies: &mut [OccupiedSlot<'_>],
        ground: &mut impl CompliantSurface,
        step: u32,
    ) {
        let steps = MAX_STEPS / step;
        ground.prepare(steps, self.dt_s);
        for OccupiedSlot { slot, contact_body } in contact_bodies {
            drift(*contact_body, ground.free_m(*slot), self.dt_s / f64::from(steps));
        }
        ground.push(&[0.0; MAX_CONTACT_SLOTS]);
    }

    /// A sub-step with forces. Says no if it did not settle.
    fn press(
        &mut self,
        contact_bodies: &mut [OccupiedSlot<'_>],
        ground: &mut impl CompliantSurface,
        step: u32,
    ) -> bool {
        let steps = MAX_STEPS / step;
        ground.prepare(steps, self.dt_s);
        self.max_acceleration = None;
        // Made anew only where the length has changed.
        if self.problem.as_ref().is_some_and(|(made_for, _)| *made_for != step) {
            self.problem = None;
        }
        let near = || self.wanted.map(|wanted| wanted.is_some());
        let (_, problem) =
            self.problem.get_or_insert_with(|| (step, Problem::new(ground, &near())));
        problem.step(ground, contact_bodies, self.dt_s / f64::from(steps))
    }

    /// A sub-step with forces is over: what was known of the ground left alone is no longer so.
    pub(super) fn pressed(&mut self, step: u32) {
        self.max_acceleration = None;
        self.cursor.pass(step);
    }

    /// A contact has begun or ended in the last sub-step.
    pub(super) fn plan_next(
        &mut self,
        free_mass: &mut FreeMass,
        ground: &impl CompliantSurface,
        slot: usize,
    ) {
        self.wanted[slot] = free_mass.plan(ground, slot, self.dt_s).or(self.wanted[slot]);
    }
}
