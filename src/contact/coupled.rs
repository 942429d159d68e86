//! Two-way contact: strikers that feel what they strike.
//!
//! Compression is `eta = x_striker - sum of phi_i q_i`. Over one sub-step all forces are constant,
//! so strikers (with gravity) and modes (with their damping) have exact linear solutions, and the
//! work of each force is exactly the force times the change of its eta. With the
//! [Passive](super::integrator::passive) law for each force the total physical energy can only
//! fall, at any rate, stiffness, and number of modes.
//!
//! What presses is a [`ContactBody`]; a [`FreeMass`] is a free mass, and others may be written
//! elsewhere. What gives way is a [`CompliantSurface`], at up to [`MAX_CONTACT_SLOTS`] points. A
//! [`CoupledSolver`] holds the beaters of one ground and moves all of it on, sample by sample.

pub mod budget;
pub mod coast;
mod cursor;
pub mod free_mass;
pub mod recorder;
mod sample;
mod simultaneous;
mod single_body;
mod single_free_mass;
pub mod solve;
pub mod step_size;
pub mod trial;

use super::integrator::passive::{Push, Reach};
use super::law::Spring;
use super::settings::ContactSettings;
pub use budget::{StepBudget, StepLevel};
use coast::Coast;
pub use free_mass::FreeMass;
pub use single_body::SingleSlotSurface;

/// Points at which a ground may be pressed at the same time.
pub const MAX_CONTACT_SLOTS: usize = 8;

/// Most sub-steps of one sample, a power of four: the shortest contact that can be typed, of 0.3
/// us, has 24 of them at 44.1 kHz.
pub const MAX_STEPS: u32 = 16_384;

/// What may be said of a ground before it is pressed on. Without forces, the second and third only
/// shrink.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MotionBounds {
    /// Where the surface is, m, positive away from the striker.
    pub displacement_m: f64,
    /// How far from its rest it can get, m.
    pub reach_m: f64,
    /// How fast it can get, m/s.
    pub speed_m_per_s: f64,
}

/// How light a surface is: one over the mass (1/kg) that a push of so many seconds feels. The
/// shorter, the lighter.
pub type InverseMassFn<'a> = &'a dyn Fn(f64) -> f64;

/// A surface that gives way, at several seats.
///
/// Time in it runs by [`push`](CompliantSurface::push) alone, one prepared step at a time.
pub trait CompliantSurface {
    /// Make ready for steps of `dt_s/steps`.
    fn prepare(&mut self, steps: u32, dt_s: f64);
    /// What the displacement of a seat will change by over the next step without any force, m.
    fn free_m(&self, slot: usize) -> f64;
    /// What one newton at the seat `from`, held over a step, adds to the displacement of the seat
    /// `at`, m/N.
    fn mobility_m_per_n(&self, at: usize, from: usize) -> f64;
    /// Move on by one step under a constant force on every seat.
    fn push(&mut self, forces_n: &[f64; MAX_CONTACT_SLOTS]);
    /// What one newton at a seat adds to its own displacement:
    /// [`mobility_m_per_n`](CompliantSurface::mobility_m_per_n), which a ground may keep.
    fn own_mobility_m_per_n(&mut self, slot: usize) -> f64 {
        self.mobility_m_per_n(slot, slot)
    }
    /// Move on by one step under a constant force on one seat alone.
    fn push_one(&mut self, slot: usize, force_n: f64) {
        let mut forces_n = [0.0; MAX_CONTACT_SLOTS];
        forces_n[slot] = force_n;
        self.push(&forces_n);
    }
    /// Displacement of a seat, m.
    fn displacement_m(&self, slot: usize) -> f64;
    /// What may be said of a seat now.
    fn motion_bounds(&self, slot: usize) -> MotionBounds;
    /// The largest acceleration of a seat from now on, while nothing pushes the ground, m/s^2.
    fn max_acceleration_m_per_s2(&self, slot: usize) -> f64;
    /// One over the mass that a push of `time_s` on a seat feels, 1/kg; to a few per cent, and
    /// rather too light.
    fn per_mass_per_kg(&self, slot: usize, time_s: f64) -> f64;
    /// All the energy in it, J.
    fn energy_j(&self) -> f64;
    /// Work since the last call, in passes over eight modes.
    fn take_work(&mut self) -> u32 {
        1
    }
}

/// Something that presses on a ground.
///
/// It knows its compression (negative: a gap) and keeps it by adding up what it is told in
/// [`accept`](ContactBody::accept); where the ground is in the world it need not know. A ground
/// that is re-tuned, or read at another point, therefore never jumps into it. If a profile passes
/// under it, its rise over the step is part of what [`reach`](ContactBody::reach) answers.
pub trait ContactBody {
    /// Sub-steps that the coming sample of `dt_s` asks for; none if no contact is possible in it.
    fn target_substeps(
        &mut self,
        motion_bounds: &MotionBounds,
        inverse_mass: InverseMassFn<'_>,
        dt_s: f64,
    ) -> Option<u32>;
    /// Sub-steps per sample at a level, where `wanted` were asked for.
    fn substeps(&self, wanted: u32, level: StepLevel, _dt_s: f64) -> u32 {
        match level {
            StepLevel::Target => wanted,
            StepLevel::Minimum => wanted.div_ceil(2),
            StepLevel::Coarse => wanted.div_ceil(4),
            StepLevel::Single => 1,
        }
    }
    /// How far it would be from a surface that has gone `surface_m` away, after `h_s` without a
    /// push, m; 0 or less: it would touch. What always touches may leave this as it is.
    fn gap_after_m(&self, _surface_m: f64, _h_s: f64) -> f64 {
        0.0
    }
    /// Where it would get in a step of `h_s` if nothing pushed it, while the surface goes
    /// `surface_m` away from it. `free_m` is the change of compression: its own way, less
    /// `surface_m`, with whatever else is imposed on it. `mobility_m_per_n` is its own, `h^2/(2m)`
    /// for a free mass.
    fn reach(&mut self, surface_m: f64, h_s: f64) -> Reach;
    /// The law of the contact, as of the last [`reach`](ContactBody::reach).
    fn spring(&self) -> &Spring;
    /// What came of the step: the force on it, and the change of compression.
    fn accept(&mut self, push: &Push, h_s: f64);
    /// Give up that much kinetic energy, or as much as there is, J. Asked for only where a step of
    /// several riders did not settle, and would have made it.
    fn dissipate(&mut self, energy_j: f64);
}

/// A rider and where it sits.
pub struct OccupiedSlot<'a> {
    /// Its seat, below [`MAX_CONTACT_SLOTS`].
    pub slot: usize,
    /// The rider.
    pub contact_body: &'a mut dyn ContactBody,
}

/// Beaters over one ground.
#[derive(Clone, Copy, Debug, Default)]
pub struct CoupledSolver {
    free_masses: [FreeMass; MAX_CONTACT_SLOTS],
    /// Seats from here on have no beater. Most of the time there is but one, and it is looked for
    /// several times in every sample.
    reach: usize,
    claimed: [bool; MAX_CONTACT_SLOTS],
    coast: Coast,
    steps: u32,
    finest: u32,
    budget: StepBudget,
    unsettled: bool,
    /// Something has struck since the last reset.
    struck: bool,
}

impl CoupledSolver {
    /// Nothing is near.
    pub fn reset(&mut self) {
        if self.struck {
            *self = Self::default();
        }
        // Beaters that nobody has touched are as they were.
        (self.claimed, self.coast, self.steps, self.finest) =
            ([false; MAX_CONTACT_SLOTS], Coast::default(), 0, 0);
        self.reach = 0;
        (self.budget, self.unsettled) = (StepBudget::default(), false);
    }

    /// Bounds the work until the next call. Without a share there is no bound but [`MAX_STEPS`].
    pub fn set_share(&mut self, work: u32) {
        self.budget.set_share(work);
    }

    /// Work since the last call.
    pub fn take_work(&mut self) -> u32 {
        self.budget.take_spent()
    }

    /// A seat that is free; none if all are taken.
    pub fn free_slot(&self) -> Option<usize> {
        (0..MAX_CONTACT_SLOTS)
            .find(|&slot| !self.claimed[slot] && !self.free_masses[slot].is_active())
    }

    /// Keep a seat for a rider of one's own, or give it back. While one is kept there is no
    /// coasting.
    pub fn claim(&mut self, slot: usize, claimed: bool) {
        self.claimed[slot] = claimed;
    }

    /// A mass on `slot` that will touch after `delay_s` with `v_in_m_per_s > 0`, should the surface
    /// stay where it is.
    pub fn strike(
        &mut self,
        ground: &mut impl CompliantSurface,
        slot: usize,
        settings: &ContactSettings,
        v_in_m_per_s: f64,
        delay_s: f64,
    ) {
        self.land(ground);
        *self.free_mass_mut(slot) = FreeMass::striking(settings, v_in_m_per_s, delay_s);
    }

    /// A mass on `slot` let go at `height_m` over the surface, with a velocity towards it that may
    /// be negative.
    pub fn throw(
        &mut self,
        ground: &mut impl CompliantSurface,
        slot: usize,
        settings: &ContactSettings,
        height_m: f64,
        towards_m_per_s: f64,
    ) {
        self.land(ground);
        *self.free_mass_mut(slot) = FreeMass::thrown(settings, height_m, towards_m_per_s);
    }

    /// Something is on the ground, or on its way.
    pub fn is_active(&self) -> bool {
        self.occupied().iter().any(FreeMass::is_active)
    }

    /// All that is on the ground lies still, or there is nothing.
    pub fn is_at_rest(&self) -> bool {
        self.occupied().iter().all(|free_mass| !free_mass.is_active() || free_mass.is_resting())
    }

    /// The masses on all seats up to the last that is taken.
    pub fn occupied(&self) -> &[FreeMass] {
        &self.free_masses[..self.reach]
    }

    fn occupied_mut(&mut self) -> &mut [FreeMass] {
        &mut self.free_masses[..self.reach]
    }

    /// The mass on a seat.
    pub fn free_mass(&self, slot: usize) -> &FreeMass {
        &self.free_masses[slot]
    }

    /// The same, to be told things.
    pub fn free_mass_mut(&mut self, slot: usize) -> &mut FreeMass {
        self.struck = true;
        self.reach = self.reach.max(slot + 1);
        &mut self.free_masses[slot]
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
    pub fn advance(&mut self, ground: &mut impl CompliantSurface, dt_s: f64) {
        self.advance_with(ground, dt_s, &mut [], &mut |_, _| {});
    }
}

/// Move on without contact, over a surface that went `surface_m` away.
fn drift(contact_body: &mut dyn ContactBody, surface_m: f64, time_s: f64) {
    let free_m = contact_body.reach(surface_m, time_s).free_m;
    contact_body.accept(&Push { force_n: 0.0, change_m: free_m, settled: true }, time_s);
}
