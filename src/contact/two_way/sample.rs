//! One sample of all that presses on a ground, step by step.

use super::allowance::Allowance;
use super::plan::{self, Plan};
use super::solve::Problem;
use super::stride::Stride;
use super::{Beater, Ground, MOST_STEPS, Rider, SEATS, Seated, TwoWay, drift};

type Riders<'a> = arrayvec::ArrayVec<Seated<'a>, SEATS>;

/// A sample under way.
pub(super) struct Sample {
    pub dt_s: f64,
    /// What may touch within it, and how finely.
    pub plans: [Option<Plan>; SEATS],
    pub stride: Stride,
    /// Mobilities for the length of step they were made for.
    problem: Option<(u32, Problem)>,
    /// Bounds of the ground's acceleration, as long as nothing pushes it, m/s^2.
    unrest: Option<[f64; SEATS]>,
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
        self.allowance.pass(1);
        let lone = self.lone_seat().filter(|_| guests.is_empty());
        if let Some(seat) = lone.filter(|&seat| self.beaters[seat].is_in_contact()) {
            return self.follow(ground, dt_s, seat, watch);
        }
        ground.prepare(1, dt_s);
        if let Some(seat) = lone.filter(|&seat| self.flies_by(ground, dt_s, seat)) {
            watch(&self.beaters, ground);
            return self.beaters[seat].check();
        }
        let mut plans = [None; SEATS];
        for (seat, beater) in self.seated_mut().iter_mut().enumerate().filter(|(_, beater)| beater.is_active()) {
            beater.begin_sample();
            plans[seat] = Plan::of(beater, ground, seat, dt_s);
        }
        for Seated { seat, rider } in guests.iter_mut() {
            plans[*seat] = Plan::new(*rider, &ground.outlook(*seat), ground, *seat, dt_s);
        }
        let near = plans.map(|plan| plan.is_some());
        let lone = lone.or_else(|| only(&near).filter(|seat| guests.iter().all(|guest| guest.seat != *seat)));
        let mut before_m = [0.0; SEATS];
        let beaters = self.seated().iter().enumerate().filter(|(_, beater)| beater.is_active()).map(|(seat, _)| seat);
        for seat in beaters.chain(guests.iter().map(|guest| guest.seat)).filter(|seat| !near[*seat]) {
            before_m[seat] = ground.displacement_m(seat);
        }
        let mut sample = Sample::new(dt_s, plans);
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

    /// What is left of a sample. If nothing but one beater is near it sits on the seat `lone`.
    pub(super) fn play<G: Ground>(
        &mut self,
        ground: &mut G,
        sample: &mut Sample,
        lone: Option<usize>,
        guests: &mut [Seated<'_>],
        watch: &mut impl FnMut(&[Beater; SEATS], &G),
    ) {
        let near = sample.plans.map(|plan| plan.is_some());
        // Each round takes some of the room: no more of them than the sample has of the shortest steps.
        while sample.stride.room() > 0 {
            if let Some(seat) = lone.filter(|&seat| self.beaters[seat].is_in_contact()) {
                self.press_alone(ground, seat, sample);
                watch(&self.beaters, ground);
                continue;
            }
            let touched: [bool; SEATS] = std::array::from_fn(|seat| self.beaters[seat].is_in_contact());
            let pressing_n: [f64; SEATS] = std::array::from_fn(|seat| self.beaters[seat].force_n());
            let mut riders = Riders::new();
            for (seat, beater) in self.beaters.iter_mut().enumerate().filter(|(seat, b)| near[*seat] && b.is_active()) {
                riders.push(Seated { seat, rider: beater });
            }
            for guest in guests.iter_mut().filter(|guest| near[guest.seat]) {
                // More riders than seats would be two on one seat: the first has it.
                let _ = riders.try_push(Seated { seat: guest.seat, rider: &mut *guest.rider });
            }
            let (step, flies) = sample.choose(&riders, ground, &self.allowance, &pressing_n);
            // None, if it has left meanwhile.
            let pressing = riders.first().map(|seated| seated.seat).filter(|seat| !flies && lone == Some(*seat));
            if let Some(seat) = pressing {
                drop(riders);
                self.press_by(ground, seat, sample, step);
                watch(&self.beaters, ground);
                continue;
            }
            if flies {
                sample.fly(&mut riders, ground, step);
            } else {
                self.unsettled |= !sample.press(&mut riders, ground, step);
            }
            self.allowance.spend(cost(&riders, flies));
            drop(riders);
            sample.stride.pass(step);
            let pressing_n: [f64; SEATS] = std::array::from_fn(|seat| self.beaters[seat].force_n());
            for (seat, beater) in self.beaters.iter_mut().enumerate().filter(|(seat, b)| near[*seat] && b.is_active()) {
                // Where a contact begins or ends, more is known of what comes.
                if beater.is_in_contact() != touched[seat] {
                    sample.plan_again(beater, ground, seat, &pressing_n, step);
                } else if beater.looks_again() {
                    sample.look_again(beater, ground, seat, &pressing_n, step);
                }
            }
            watch(&self.beaters, ground);
        }
        (self.steps, self.finest) = (sample.stride.steps, MOST_STEPS / sample.stride.shortest);
    }
}

/// The one seat that is near; none if there are several, or none.
fn only(near: &[bool; SEATS]) -> Option<usize> {
    let mut seats = (0..SEATS).filter(|seat| near[*seat]);
    seats.next().filter(|_| seats.next().is_none())
}

/// What a step counts. The forces of several riders depend on each other: with forces, the square of their number.
fn cost(riders: &[Seated<'_>], flies: bool) -> u32 {
    let count = riders.len().max(1) as u32;
    if flies { count } else { count * count }
}

impl Sample {
    /// Nothing of it has passed.
    pub fn new(dt_s: f64, plans: [Option<Plan>; SEATS]) -> Self {
        Self { dt_s, plans, stride: Stride::default(), problem: None, unrest: None }
    }

    /// The shortest step that the riders ask for and the allowance has.
    fn fine(&self, riders: &[Seated<'_>], allowance: &Allowance, flies: bool) -> u32 {
        let plans = riders.iter().filter_map(|seated| self.plans[seated.seat]);
        let all = plans.fold(Plan { wanted: 1, needed: 1 }, |all, plan| Plan {
            wanted: all.wanted.max(plan.wanted),
            needed: all.needed.max(plan.needed),
        });
        let needed = |seat: usize| self.plans[seat].map_or(1, |plan| plan.needed);
        let owed =
            || riders.iter().map(|seated| seated.rider.steps_owed(needed(seated.seat), self.dt_s)).max().unwrap_or(1);
        MOST_STEPS / allowance.finest(all.wanted, all.needed, owed, cost(riders, flies), self.stride.room())
    }

    /// How long the next step is, and whether it is one in which nothing touches. `pressing_n`: the forces of the last one.
    fn choose(
        &mut self,
        riders: &[Seated<'_>],
        ground: &mut impl Ground,
        allowance: &Allowance,
        pressing_n: &[f64; SEATS],
    ) -> (u32, bool) {
        let touches = |seated: &Seated<'_>| seated.rider.gap_after_m(0.0, 0.0) <= 0.0;
        if riders.iter().any(touches) {
            let fine = |sample: &Self| sample.stride.touching(sample.fine(riders, allowance, false));
            let mut step = fine(self);
            // What comes down meanwhile may graze. No more rounds than lengths of step, as each is finer.
            loop {
                for Seated { seat, rider } in riders.iter().filter(|seated| !touches(seated)) {
                    let gap_m = plan::gap_after_m(*rider, ground, *seat, pressing_n, MOST_STEPS / step, self.dt_s);
                    if gap_m <= 0.0 {
                        let after_s = plan::graze_s(*rider, ground, *seat, pressing_n, step, self.dt_s);
                        let steps = rider.steps_for(after_s, self.dt_s);
                        self.plans[*seat] = self.plans[*seat].map(|plan| plan.at_least(steps));
                    }
                }
                let finer = fine(self);
                if finer >= step {
                    return (step, false);
                }
                step = finer;
            }
        }
        let unrest = *self.unrest.get_or_insert_with(|| {
            let mut all = [0.0; SEATS];
            riders.iter().for_each(|seated| all[seated.seat] = ground.unrest_m_per_s2(seated.seat));
            all
        });
        // Each round is finer than the one before, so that there are no more of them than lengths of step.
        let mut last = u32::MAX;
        loop {
            let fine = self.fine(riders, allowance, true);
            let clear = |step: u32| plan::is_clear(riders, ground, &unrest, step, self.dt_s);
            if let Some(step) = self.stride.flying(fine, clear) {
                return (step, true);
            }
            let step = self.stride.touching(self.fine(riders, allowance, false));
            if step >= last {
                return (step, false);
            }
            last = step;
            for Seated { seat, rider } in riders {
                let after_s = plan::graze_s(*rider, ground, *seat, &[0.0; SEATS], step, self.dt_s);
                let steps = rider.steps_for(after_s, self.dt_s);
                self.plans[*seat] = self.plans[*seat].map(|plan| plan.at_least(steps));
            }
        }
    }

    /// A step in which nothing touches.
    fn fly(&mut self, riders: &mut [Seated<'_>], ground: &mut impl Ground, step: u32) {
        let steps = MOST_STEPS / step;
        ground.prepare(steps, self.dt_s);
        for Seated { seat, rider } in riders {
            drift(*rider, ground.free_m(*seat), self.dt_s / f64::from(steps));
        }
        ground.push(&[0.0; SEATS]);
    }

    /// A step with forces. Says no if it did not settle.
    fn press(&mut self, riders: &mut [Seated<'_>], ground: &mut impl Ground, step: u32) -> bool {
        let steps = MOST_STEPS / step;
        ground.prepare(steps, self.dt_s);
        self.unrest = None;
        // Made anew only where the length has changed.
        if self.problem.as_ref().is_some_and(|(made_for, _)| *made_for != step) {
            self.problem = None;
        }
        let near = || self.plans.map(|plan| plan.is_some());
        let (_, problem) = self.problem.get_or_insert_with(|| (step, Problem::new(ground, &near())));
        problem.step(ground, riders, self.dt_s / f64::from(steps))
    }

    /// A step with forces is over: what was known of the ground left alone is no longer so.
    pub(super) fn pressed(&mut self, step: u32) {
        self.unrest = None;
        self.stride.pass(step);
    }

    /// A contact has begun or ended in the last step, while others press.
    pub(super) fn plan_again(
        &mut self,
        beater: &mut Beater,
        ground: &mut impl Ground,
        seat: usize,
        others_n: &[f64; SEATS],
        step: u32,
    ) {
        if beater.is_in_contact() {
            beater.set_graze(plan::graze_s(beater, ground, seat, others_n, step, self.dt_s));
        }
        self.plans[seat] = Plan::of(beater, ground, seat, self.dt_s).or(self.plans[seat]);
    }

    /// A contact has had some steps, while others press.
    pub(super) fn look_again(
        &mut self,
        beater: &mut Beater,
        ground: &mut impl Ground,
        seat: usize,
        others_n: &[f64; SEATS],
        step: u32,
    ) {
        let after_s = plan::graze_s(beater, ground, seat, others_n, step, self.dt_s);
        beater.set_graze(after_s);
        self.plans[seat] = self.plans[seat].map(|plan| plan.at_least(beater.steps_for(after_s, self.dt_s)));
    }
}
