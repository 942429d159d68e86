//! Two-way contact: strikers that feel what they strike.
//!
//! Compression is `eta = x_striker - sum of phi_i q_i`. Over one sub-step all forces are constant, so strikers (with
//! gravity) and modes (with their damping) have exact linear solutions, and the work of each force is exactly the
//! force times the change of its eta. With the [Passive](super::integrator::passive) law for each force the total
//! physical energy can only fall, at any rate, stiffness, and number of modes.
//!
//! What presses is a [`Rider`]; a [`Beater`] is a free mass, and others may be written elsewhere. What gives way is a
//! [`Ground`], at up to [`SEATS`] points. A [`TwoWay`] holds the beaters of one ground and moves all of it on, sample
//! by sample.

pub mod allowance;
pub mod beater;
pub mod coast;
pub mod pace;
pub mod solve;
mod stride;
pub mod trial;

use super::integrator::passive::{Push, Reach};
use super::law::Spring;
use super::settings::ContactSettings;
use allowance::Allowance;
pub use beater::Beater;
use coast::Coast;
use solve::Problem;
use stride::Stride;

/// Points at which a ground may be pressed at the same time.
pub const SEATS: usize = 8;

/// Most sub-steps of one sample, a power of two.
pub const MOST_STEPS: u32 = 1024;

/// What may be said of a ground before it is pressed on. Without forces, the second and third only shrink.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Outlook {
    /// Where the surface is, m, positive away from the striker.
    pub displacement_m: f64,
    /// How far from its rest it can get, m.
    pub reach_m: f64,
    /// How fast it can get, m/s.
    pub speed_m_per_s: f64,
}

/// How light a surface is: one over the mass (1/kg) that a push of so many seconds feels. The shorter, the lighter.
pub type Lightness<'a> = &'a dyn Fn(f64) -> f64;

/// A surface that gives way, at several seats.
///
/// Time in it runs by [`push`](Ground::push) alone, one prepared step at a time.
pub trait Ground {
    /// Make ready for steps of `dt_s/steps`.
    fn prepare(&mut self, steps: u32, dt_s: f64);
    /// What the displacement of a seat will change by over the next step without any force, m.
    fn free_m(&self, seat: usize) -> f64;
    /// What one newton at the seat `from`, held over a step, adds to the displacement of the seat `at`, m/N.
    fn mobility_m_per_n(&self, at: usize, from: usize) -> f64;
    /// Move on by one step under a constant force on every seat.
    fn push(&mut self, forces_n: &[f64; SEATS]);
    /// Displacement of a seat, m.
    fn displacement_m(&self, seat: usize) -> f64;
    /// What may be said of a seat now.
    fn outlook(&self, seat: usize) -> Outlook;
    /// The largest acceleration of a seat from now on, while nothing pushes the ground, m/s^2.
    fn unrest_m_per_s2(&self, seat: usize) -> f64;
    /// One over the mass that a push of `time_s` on a seat feels, 1/kg; to a few per cent, and rather too light.
    fn per_mass_per_kg(&self, seat: usize, time_s: f64) -> f64;
    /// All the energy in it, J.
    fn energy_j(&self) -> f64;
}

/// Something that presses on a ground.
///
/// It knows its compression (negative: a gap) and keeps it by adding up what it is told in [`accept`](Rider::accept);
/// where the ground is in the world it need not know. A ground that is re-tuned, or read at another point, therefore
/// never jumps into it. If a profile passes under it, its rise over the step is part of what
/// [`reach`](Rider::reach) answers.
pub trait Rider {
    /// Sub-steps the coming sample of `dt_s` needs; none if no contact is possible in it.
    fn steps_wanted(&mut self, outlook: &Outlook, lightness: Lightness<'_>, dt_s: f64) -> Option<u32>;
    /// With how many of those a contact would still have 24, where not all can be had.
    fn steps_needed(&self, wanted: u32) -> u32 {
        wanted
    }
    /// How far it would be from a surface that has gone `surface_m` away, after `h_s` without a push, m; 0 or less: it would touch.
    /// What always touches may leave this as it is.
    fn gap_after_m(&self, _surface_m: f64, _h_s: f64) -> f64 {
        0.0
    }
    /// Where it would get in a step of `h_s` if nothing pushed it, while the surface goes `surface_m` away from it.
    /// `free_m` is the change of compression: its own way, less `surface_m`, with whatever else is imposed on it.
    /// `mobility_m_per_n` is its own, `h^2/(2m)` for a free mass.
    fn reach(&mut self, surface_m: f64, h_s: f64) -> Reach;
    /// The law of the contact, as of the last [`reach`](Rider::reach).
    fn spring(&self) -> &Spring;
    /// What came of the step: the force on it, and the change of compression.
    fn accept(&mut self, push: &Push, h_s: f64);
    /// Give up that much kinetic energy, or as much as there is, J. Asked for only where a step of several riders did
    /// not settle, and would have made it.
    fn pay(&mut self, energy_j: f64);
}

/// A rider and where it sits.
pub struct Seated<'a> {
    /// Its seat, below [`SEATS`].
    pub seat: usize,
    /// The rider.
    pub rider: &'a mut dyn Rider,
}

/// Beaters over one ground.
#[derive(Clone, Copy, Debug, Default)]
pub struct TwoWay {
    beaters: [Beater; SEATS],
    claimed: [bool; SEATS],
    coast: Coast,
    steps: u32,
    finest: u32,
    allowance: Allowance,
    unsettled: bool,
}

impl TwoWay {
    /// Nothing is near.
    pub fn reset(&mut self) {
        *self = Self { allowance: self.allowance.full(), ..Self::default() };
    }

    /// Bound the work: sub-steps that every sample allows, and that may be saved up. Without this there is no bound but
    /// [`MOST_STEPS`].
    pub fn set_allowance(&mut self, per_sample: u32, most: u32) {
        self.allowance.set(per_sample, most);
    }

    /// A seat that is free; none if all are taken.
    pub fn free_seat(&self) -> Option<usize> {
        (0..SEATS).find(|&seat| !self.claimed[seat] && !self.beaters[seat].is_active())
    }

    /// Keep a seat for a rider of one's own, or give it back. While one is kept there is no coasting.
    pub fn claim(&mut self, seat: usize, claimed: bool) {
        self.claimed[seat] = claimed;
    }

    /// A mass on `seat` that will touch after `delay_s` with `v_in_m_per_s > 0`, should the surface stay where it is.
    pub fn strike(
        &mut self,
        ground: &mut impl Ground,
        seat: usize,
        settings: &ContactSettings,
        v_in_m_per_s: f64,
        delay_s: f64,
    ) {
        self.land(ground);
        self.allowance.welcome();
        self.beaters[seat] = Beater::striking(settings, v_in_m_per_s, delay_s);
    }

    /// A mass on `seat` let go at `height_m` over the surface, with a velocity towards it that may be negative.
    pub fn throw(
        &mut self,
        ground: &mut impl Ground,
        seat: usize,
        settings: &ContactSettings,
        height_m: f64,
        towards_m_per_s: f64,
    ) {
        self.land(ground);
        self.allowance.welcome();
        self.beaters[seat] = Beater::thrown(settings, height_m, towards_m_per_s);
    }

    /// Something is on the ground, or on its way.
    pub fn is_active(&self) -> bool {
        self.beaters.iter().any(Beater::is_active)
    }

    /// All that is on the ground lies still, or there is nothing.
    pub fn is_at_rest(&self) -> bool {
        self.beaters.iter().all(|beater| !beater.is_active() || beater.is_resting())
    }

    /// The mass on a seat.
    pub fn beater(&self, seat: usize) -> &Beater {
        &self.beaters[seat]
    }

    /// The same, to be told things.
    pub fn beater_mut(&mut self, seat: usize) -> &mut Beater {
        &mut self.beaters[seat]
    }

    /// Sub-steps of the last sample.
    pub fn steps(&self) -> u32 {
        self.steps
    }

    /// How many of the shortest sub-step of the last sample it would have had room for.
    pub fn finest(&self) -> u32 {
        self.finest
    }

    /// A step of several riders did not settle within its bound since the last reset.
    pub fn is_unsettled(&self) -> bool {
        self.unsettled
    }

    /// One sample: all beaters, and the ground by `dt_s`.
    pub fn advance(&mut self, ground: &mut impl Ground, dt_s: f64) {
        self.advance_with(ground, dt_s, &mut [], &mut |_, _| {});
    }

    /// The same with riders of other kinds on claimed seats, telling `watch` of every sub-step.
    pub fn advance_with<G: Ground>(
        &mut self,
        ground: &mut G,
        dt_s: f64,
        guests: &mut [Seated<'_>],
        watch: &mut impl FnMut(&[Beater; SEATS], &G),
    ) {
        self.land(ground);
        ground.prepare(1, dt_s);
        self.allowance.pass(1);
        let mut plans = [None; SEATS];
        for (seat, beater) in self.beaters.iter_mut().enumerate().filter(|(_, beater)| beater.is_active()) {
            beater.begin_sample();
            plans[seat] = plan(beater, ground, seat, dt_s);
        }
        for Seated { seat, rider } in guests.iter_mut() {
            plans[*seat] = Plan::new(*rider, &ground.outlook(*seat), ground, *seat, dt_s);
        }
        let near = plans.map(|plan| plan.is_some());
        let mut before_m = [0.0; SEATS];
        let beaters = self.beaters.iter().enumerate().filter(|(_, beater)| beater.is_active()).map(|(seat, _)| seat);
        for seat in beaters.chain(guests.iter().map(|guest| guest.seat)).filter(|seat| !near[*seat]) {
            before_m[seat] = ground.displacement_m(seat);
        }
        let mut stride = Stride::default();
        let mut problem: Option<(u32, Problem)> = None;
        let mut unrest: Option<[f64; SEATS]> = None;
        while stride.room() > 0 {
            let touched = self.beaters.map(|beater| beater.is_in_contact());
            {
                let beaters = &mut self.beaters;
                let mut riders = arrayvec::ArrayVec::<Seated<'_>, SEATS>::new();
                for (seat, beater) in beaters.iter_mut().enumerate().filter(|(seat, b)| near[*seat] && b.is_active()) {
                    riders.push(Seated { seat, rider: beater });
                }
                for guest in guests.iter_mut().filter(|guest| near[guest.seat]) {
                    // More riders than seats would be two on one seat: the first has it.
                    let _ = riders.try_push(Seated { seat: guest.seat, rider: &mut *guest.rider });
                }
                // The forces of several riders depend on each other: a step with forces costs the square of their number.
                let count = riders.len().max(1) as u32;
                let fine = |each: u32| {
                    let wishes = riders.iter().filter_map(|seated| plans[seated.seat]);
                    let (wanted, needed) = wishes.fold((1, 1), |(a, b), plan| (plan.wanted.max(a), plan.needed.max(b)));
                    MOST_STEPS / self.allowance.finest(wanted, needed, each, stride.room())
                };
                let touches = riders.iter().any(|seated| seated.rider.gap_after_m(0.0, 0.0) <= 0.0);
                let mut free = None;
                if !touches {
                    let unrest = unrest.get_or_insert_with(|| {
                        let mut all = [0.0; SEATS];
                        riders.iter().for_each(|seated| all[seated.seat] = ground.unrest_m_per_s2(seated.seat));
                        all
                    });
                    free = stride.flying(fine(count), |step| is_clear(&riders, ground, unrest, step, dt_s));
                }
                let step = free.unwrap_or_else(|| stride.touching(fine(count * count)));
                let steps = MOST_STEPS / step;
                let h_s = dt_s / f64::from(steps);
                ground.prepare(steps, dt_s);
                if free.is_some() {
                    for Seated { seat, rider } in &mut riders {
                        drift(*rider, ground.free_m(*seat), h_s);
                    }
                    ground.push(&[0.0; SEATS]);
                    self.allowance.spend(count);
                } else {
                    if problem.as_ref().is_none_or(|(made_for, _)| *made_for != step) {
                        problem = Some((step, Problem::new(ground, &near)));
                    }
                    if let Some((_, problem)) = &mut problem {
                        self.unsettled |= !problem.step(ground, &mut riders, h_s);
                    }
                    unrest = None;
                    self.allowance.spend(count * count);
                }
                stride.pass(step);
            }
            for (seat, beater) in self.beaters.iter_mut().enumerate().filter(|(seat, _)| near[*seat]) {
                // Where a contact begins or ends, more is known of the next.
                if beater.is_in_contact() != touched[seat] && beater.is_active() && stride.room() > 0 {
                    plans[seat] = plan(beater, ground, seat, dt_s).or(plans[seat]);
                }
            }
            watch(&self.beaters, ground);
        }
        (self.steps, self.finest) = (stride.steps, MOST_STEPS / stride.shortest);
        for (seat, beater) in self.beaters.iter_mut().enumerate() {
            if beater.is_active() && !near[seat] {
                drift(beater, ground.displacement_m(seat) - before_m[seat], dt_s);
            }
            beater.check();
        }
        for guest in guests.iter_mut().filter(|guest| !near[guest.seat]) {
            drift(guest.rider, ground.displacement_m(guest.seat) - before_m[guest.seat], dt_s);
        }
    }
}

/// How finely a rider is to be stepped: sub-steps per sample that it asks for, and with which it would do; powers of two.
#[derive(Clone, Copy, Debug)]
struct Plan {
    wanted: u32,
    needed: u32,
}

impl Plan {
    /// None if it cannot touch within a sample from now.
    fn new(rider: &mut dyn Rider, outlook: &Outlook, ground: &impl Ground, seat: usize, dt_s: f64) -> Option<Self> {
        let lightness = |time_s: f64| ground.per_mass_per_kg(seat, time_s);
        let wanted = rider.steps_wanted(outlook, &lightness, dt_s)?;
        let needed = rider.steps_needed(wanted);
        let [wanted, needed] = [wanted, needed].map(|steps| steps.clamp(1, MOST_STEPS).next_power_of_two());
        Some(Self { wanted, needed })
    }
}

/// The plan of a beater, which may find that it is gone.
fn plan(beater: &mut Beater, ground: &impl Ground, seat: usize, dt_s: f64) -> Option<Plan> {
    // In contact the steps follow from what is, and not from what may come.
    let outlook = if beater.is_in_contact() { Outlook::default() } else { ground.outlook(seat) };
    beater.leave_for_good(&outlook);
    if beater.is_active() { Plan::new(beater, &outlook, ground, seat, dt_s) } else { None }
}

/// Whether none of the riders can touch within a step that nothing pushes. Both ends of it are known exactly, and between them no
/// gap is narrower than the straight line by more than `a h^2/8`, where the surface is never accelerated by more than a.
fn is_clear(riders: &[Seated<'_>], ground: &mut impl Ground, unrest: &[f64; SEATS], step: u32, dt_s: f64) -> bool {
    let h_s = dt_s / f64::from(MOST_STEPS / step);
    let bend_m = |seat: usize| unrest[seat] * h_s * h_s / 8.0;
    // What costs nothing first.
    if riders.iter().any(|Seated { seat, rider }| rider.gap_after_m(0.0, 0.0) <= bend_m(*seat)) {
        return false;
    }
    ground.prepare(MOST_STEPS / step, dt_s);
    riders.iter().all(|Seated { seat, rider }| rider.gap_after_m(ground.free_m(*seat), h_s) > bend_m(*seat))
}

/// Move on without contact, over a surface that went `surface_m` away.
fn drift(rider: &mut dyn Rider, surface_m: f64, time_s: f64) {
    let free_m = rider.reach(surface_m, time_s).free_m;
    rider.accept(&Push { force_n: 0.0, change_m: free_m, settled: true }, time_s);
}
