//! One sample of everything that presses on a ground, sub-step by sub-step.

use super::cursor::SubstepCursor;
use super::solve::Problem;
use super::{Beater, Ground, MOST_STEPS, Outlook, Rider, SEATS, Seated, StepLevel, TwoWay, drift};

type Riders<'a> = arrayvec::ArrayVec<Seated<'a>, SEATS>;

/// Work of a sub-step besides its passes over the modes: the force of one contact, which grows with the square of their number.
const SOLVE_WORK: u32 = 12;

/// A sample under way.
pub(super) struct Sample {
    pub dt_s: f64,
    /// Target sub-steps of each that may touch within it.
    wanted: [Option<u32>; SEATS],
    pub cursor: SubstepCursor,
    /// Mobilities for the length of step they were made for.
    problem: Option<(u32, Problem)>,
    /// Bounds of the ground's acceleration, as long as nothing pushes it, m/s^2.
    unrest: Option<[f64; SEATS]>,
}

impl Beater {
    /// Target sub-steps of a free mass; none if it cannot touch within a sample from now. It may find that it is gone.
    pub(super) fn plan(&mut self, ground: &impl Ground, seat: usize, dt_s: f64) -> Option<u32> {
        // In contact the sub-steps follow from what is, and not from what may come.
        let outlook = if self.is_in_contact() { Outlook::default() } else { ground.outlook(seat) };
        self.leave_for_good(&outlook);
        if self.is_active() { plan(self, &outlook, ground, seat, dt_s) } else { None }
    }
}

/// Target sub-steps of a rider; none if it cannot touch within a sample from now.
fn plan(rider: &mut dyn Rider, outlook: &Outlook, ground: &impl Ground, seat: usize, dt_s: f64) -> Option<u32> {
    let lightness = |time_s: f64| ground.per_mass_per_kg(seat, time_s);
    rider.steps_wanted(outlook, &lightness, dt_s).map(|steps| steps.clamp(1, MOST_STEPS))
}

impl TwoWay {
    /// One sample with riders of other kinds on claimed seats, telling `watch` of every sub-step.
    pub fn advance_with<G: Ground>(
        &mut self,
        ground: &mut G,
        dt_s: f64,
        guests: &mut [Seated<'_>],
        watch: &mut impl FnMut(&[Beater; SEATS], &G),
    ) {
        self.land(ground);
        let lone = self.lone_seat().filter(|_| guests.is_empty());
        if let Some(seat) = lone.filter(|&seat| self.beaters[seat].is_in_contact()) {
            return self.follow(ground, dt_s, seat, watch);
        }
        ground.prepare(1, dt_s);
        if let Some(seat) = lone.filter(|&seat| self.flies_by(ground, dt_s, seat)) {
            watch(&self.beaters, ground);
            return self.beaters[seat].check();
        }
        let mut wanted = [None; SEATS];
        for (seat, beater) in self.seated_mut().iter_mut().enumerate().filter(|(_, beater)| beater.is_active()) {
            beater.begin_sample();
            wanted[seat] = beater.plan(ground, seat, dt_s);
        }
        for Seated { seat, rider } in guests.iter_mut() {
            wanted[*seat] = plan(*rider, &ground.outlook(*seat), ground, *seat, dt_s);
        }
        let near = wanted.map(|wanted| wanted.is_some());
        let lone = lone.or_else(|| only(&near).filter(|seat| guests.iter().all(|guest| guest.seat != *seat)));
        let mut before_m = [0.0; SEATS];
        let beaters = self.seated().iter().enumerate().filter(|(_, beater)| beater.is_active()).map(|(seat, _)| seat);
        for seat in beaters.chain(guests.iter().map(|guest| guest.seat)).filter(|seat| !near[*seat]) {
            before_m[seat] = ground.displacement_m(seat);
        }
        let mut sample = Sample::new(dt_s, wanted);
        self.play(ground, &mut sample, lone, guests, watch);
        for (seat, beater) in self.seated_mut().iter_mut().enumerate() {
            if beater.is_active() && !near[seat] {
                drift(beater, ground.displacement_m(seat) - before_m[seat], dt_s);
            }
            beater.check();
        }
        for guest in guests.iter_mut().filter(|guest| !near[guest.seat]) {
            drift(guest.rider, ground.displacement_m(guest.seat) - before_m[guest.seat], dt_s);
        }
    }

    /// What is left of a sample. If nothing but one free mass is near it sits on the seat `lone`.
    pub(super) fn play<G: Ground>(
        &mut self,
        ground: &mut G,
        sample: &mut Sample,
        lone: Option<usize>,
        guests: &mut [Seated<'_>],
        watch: &mut impl FnMut(&[Beater; SEATS], &G),
    ) {
        let near = sample.wanted.map(|wanted| wanted.is_some());
        // Each round takes some of the room: no more of them than the sample has of the shortest sub-steps.
        while sample.cursor.room() > 0 {
            let level = self.budget.level();
            if let Some(seat) = lone.filter(|&seat| self.beaters[seat].is_in_contact()) {
                let step = sample.cursor.touching(sample.fine_of(&self.beaters[seat], seat, level));
                self.press_alone(ground, seat, sample, step);
                watch(&self.beaters, ground);
                continue;
            }
            let touched: [bool; SEATS] = std::array::from_fn(|seat| self.beaters[seat].is_in_contact());
            let mut riders = Riders::new();
            for (seat, beater) in self.beaters.iter_mut().enumerate().filter(|(seat, b)| near[*seat] && b.is_active()) {
                riders.push(Seated { seat, rider: beater });
            }
            for guest in guests.iter_mut().filter(|guest| near[guest.seat]) {
                // More riders than seats would be two on one seat: the first has it.
                let _ = riders.try_push(Seated { seat: guest.seat, rider: &mut *guest.rider });
            }
            let (step, flies) = sample.choose(&riders, ground, level);
            // None, if it has left meanwhile.
            let pressing = riders.first().map(|seated| seated.seat).filter(|seat| !flies && lone == Some(*seat));
            if let Some(seat) = pressing {
                drop(riders);
                self.press_alone(ground, seat, sample, step);
                watch(&self.beaters, ground);
                continue;
            }
            let count = riders.len() as u32;
            if flies {
                sample.fly(&mut riders, ground, step);
            } else {
                self.unsettled |= !sample.press(&mut riders, ground, step);
            }
            drop(riders);
            sample.cursor.pass(step);
            for (seat, beater) in self.beaters.iter_mut().enumerate().filter(|(seat, b)| near[*seat] && b.is_active()) {
                // Where a contact begins or ends, more is known of what comes.
                if beater.is_in_contact() != touched[seat] {
                    sample.plan_again(beater, ground, seat);
                }
            }
            self.count(ground, if flies { 0 } else { count * count });
            watch(&self.beaters, ground);
        }
        (self.steps, self.finest) = (sample.cursor.steps, MOST_STEPS / sample.cursor.shortest);
    }

    /// Counts the work of a sub-step with so many forces to solve for.
    pub(super) fn count(&mut self, ground: &mut impl Ground, solved: u32) {
        self.budget.spend(ground.take_work().saturating_add(SOLVE_WORK * solved.max(1)));
    }
}

/// The one seat that is near; none if there are several, or none.
fn only(near: &[bool; SEATS]) -> Option<usize> {
    let mut seats = (0..SEATS).filter(|seat| near[*seat]);
    seats.next().filter(|_| seats.next().is_none())
}

/// Whether no rider can touch within a sub-step that nothing pushes. Both ends of it are known exactly, and between them
/// no gap is narrower than the straight line by more than `a h^2/8`, where the surface is never accelerated by more than a.
/// (Weight bends it the other way.)
fn is_clear(
    riders: &[Seated<'_>],
    ground: &mut impl Ground,
    unrest_m_per_s2: &[f64; SEATS],
    step: u32,
    dt_s: f64,
) -> bool {
    let h_s = dt_s / f64::from(MOST_STEPS / step);
    let bend_m = |seat: usize| unrest_m_per_s2[seat] * h_s * h_s / 8.0;
    // What costs nothing first.
    if riders.iter().any(|Seated { seat, rider }| rider.gap_after_m(0.0, 0.0) <= bend_m(*seat)) {
        return false;
    }
    ground.prepare(MOST_STEPS / step, dt_s);
    riders.iter().all(|Seated { seat, rider }| rider.gap_after_m(ground.free_m(*seat), h_s) > bend_m(*seat))
}

impl Sample {
    /// Nothing of it has passed.
    pub fn new(dt_s: f64, wanted: [Option<u32>; SEATS]) -> Self {
        Self { dt_s, wanted, cursor: SubstepCursor::default(), problem: None, unrest: None }
    }

    /// Length of the sub-steps of one rider at a level, a power of two.
    fn fine_of(&self, rider: &dyn Rider, seat: usize, level: StepLevel) -> u32 {
        let substeps = rider.substeps(self.wanted[seat].unwrap_or(1), level, self.dt_s);
        MOST_STEPS / substeps.clamp(1, MOST_STEPS).next_power_of_two()
    }

    /// How long the next sub-step is, and whether it is one in which nothing touches.
    fn choose(&mut self, riders: &[Seated<'_>], ground: &mut impl Ground, level: StepLevel) -> (u32, bool) {
        let fine = riders.iter().map(|Seated { seat, rider }| self.fine_of(*rider, *seat, level)).min();
        let fine = fine.unwrap_or(MOST_STEPS);
        if !riders.iter().any(|seated| seated.rider.gap_after_m(0.0, 0.0) <= 0.0) {
            let unrest = *self.unrest.get_or_insert_with(|| {
                let mut all = [0.0; SEATS];
                riders.iter().for_each(|seated| all[seated.seat] = ground.unrest_m_per_s2(seated.seat));
                all
            });
            let clear = |step: u32| is_clear(riders, ground, &unrest, step, self.dt_s);
            if let Some(step) = self.cursor.flying(fine, clear) {
                return (step, true);
            }
        }
        (self.cursor.touching(fine), false)
    }

    /// A sub-step in which nothing touches.
    fn fly(&mut self, riders: &mut [Seated<'_>], ground: &mut impl Ground, step: u32) {
        let steps = MOST_STEPS / step;
        ground.prepare(steps, self.dt_s);
        for Seated { seat, rider } in riders {
            drift(*rider, ground.free_m(*seat), self.dt_s / f64::from(steps));
        }
        ground.push(&[0.0; SEATS]);
    }

    /// A sub-step with forces. Says no if it did not settle.
    fn press(&mut self, riders: &mut [Seated<'_>], ground: &mut impl Ground, step: u32) -> bool {
        let steps = MOST_STEPS / step;
        ground.prepare(steps, self.dt_s);
        self.unrest = None;
        // Made anew only where the length has changed.
        if self.problem.as_ref().is_some_and(|(made_for, _)| *made_for != step) {
            self.problem = None;
        }
        let near = || self.wanted.map(|wanted| wanted.is_some());
        let (_, problem) = self.problem.get_or_insert_with(|| (step, Problem::new(ground, &near())));
        problem.step(ground, riders, self.dt_s / f64::from(steps))
    }

    /// A sub-step with forces is over: what was known of the ground left alone is no longer so.
    pub(super) fn pressed(&mut self, step: u32) {
        self.unrest = None;
        self.cursor.pass(step);
    }

    /// A contact has begun or ended in the last sub-step.
    pub(super) fn plan_again(&mut self, beater: &mut Beater, ground: &impl Ground, seat: usize) {
        self.wanted[seat] = beater.plan(ground, seat, self.dt_s).or(self.wanted[seat]);
    }
}
