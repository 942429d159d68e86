//! Coupled contact: strikers and a compliant surface that move each other.
//!
//! Compression is `eta = x_striker - sum of phi_i q_i`. Over one sub-step all forces are constant,
//! so strikers (with gravity) and modes (with their damping) have exact linear solutions, and the
//! work of each force is exactly the force times the change of its eta. With the
//! [Passive](super::integrator::passive) law for each force the total physical energy can only
//! fall, at any sample rate, stiffness and number of modes.
//!
//! A [`ContactBody`], such as a [`FreeMass`], presses on a [`CompliantSurface`] at one of up to
//! [`MAX_CONTACT_SLOTS`] points. A [`CoupledSolver`] holds the free masses of one surface and
//! advances all of them together, sample by sample.

pub mod budget;
pub mod coast;
pub mod free_mass;
mod recording;
mod sample;
pub mod solve;
pub mod step_size;

use super::integrator::passive::{Push, Reach};
use super::law::Spring;
use super::settings::ContactSettings;
pub use budget::{StepBudget, StepLevel};
use coast::Coast;
pub use free_mass::FreeMass;
pub use sample::SingleSlotSurface;

/// Maximum number of points at which a surface may be pressed at the same time.
pub const MAX_CONTACT_SLOTS: usize = 8;

/// Maximum sub-steps of one sample, a power of four: the shortest contact that can be entered, of
/// 0.3 us, gets 24 of them at 44.1 kHz.
pub const MAX_STEPS: u32 = 16_384;

/// Bounds of the motion of a surface point. Without forces, reach and speed can only shrink.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MotionBounds {
    /// Displacement, m, positive away from the striker.
    pub displacement_m: f64,
    /// Maximum displacement, m.
    pub reach_m: f64,
    /// Maximum speed, m/s.
    pub speed_m_per_s: f64,
}

/// Inverse effective mass (1/kg) of a surface point for a push of the given duration (s).
pub type InverseMassFn<'a> = &'a dyn Fn(f64) -> f64;

/// A surface that yields at several contact slots.
///
/// Only [`push`](CompliantSurface::push) and its variants advance its time, by one prepared step.
pub trait CompliantSurface {
    /// Prepares for steps of `dt_s/steps`.
    fn prepare(&mut self, steps: u32, dt_s: f64);
    /// Change of the displacement of a slot over the next step without forces, m.
    fn free_m(&self, slot: usize) -> f64;
    /// Change of the displacement of slot `at` per newton held at slot `from` over a step, m/N.
    fn mobility_m_per_n(&self, at: usize, from: usize) -> f64;
    /// Advances by one step under a constant force on every slot.
    fn push(&mut self, forces_n: &[f64; MAX_CONTACT_SLOTS]);
    /// [`mobility_m_per_n`](CompliantSurface::mobility_m_per_n) of a slot at itself; a surface may
    /// cache it.
    fn own_mobility_m_per_n(&mut self, slot: usize) -> f64 {
        self.mobility_m_per_n(slot, slot)
    }
    /// Advances by one step under a constant force on one slot.
    fn push_one(&mut self, slot: usize, force_n: f64) {
        let mut forces_n = [0.0; MAX_CONTACT_SLOTS];
        forces_n[slot] = force_n;
        self.push(&forces_n);
    }
    /// Displacement of a slot, m.
    fn displacement_m(&self, slot: usize) -> f64;
    /// Bounds of the motion of a slot from now on, without forces.
    fn motion_bounds(&self, slot: usize) -> MotionBounds;
    /// Maximum acceleration of a slot from now on, without forces, m/s^2.
    fn max_acceleration_m_per_s2(&self, slot: usize) -> f64;
    /// Inverse effective mass of a slot for a push of `time_s`, 1/kg; within a few per cent, and
    /// not too small.
    fn per_mass_per_kg(&self, slot: usize, time_s: f64) -> f64;
    /// Total energy, J.
    fn energy_j(&self) -> f64;
    /// Returns and resets the work counter, in passes over eight modes.
    fn take_work(&mut self) -> u32 {
        1
    }
}

/// A body that presses on a compliant surface.
///
/// It keeps its compression (negative: a gap) by summing the changes passed to
/// [`accept`](ContactBody::accept), and does not know the absolute displacement of the surface. So
/// a surface that is retuned or read at another point never causes a jump. The rise of a profile
/// that moves under the body is part of the result of [`reach`](ContactBody::reach).
pub trait ContactBody {
    /// Target sub-steps of the next sample of `dt_s`; `None` if no contact is possible in it.
    fn target_substeps(
        &mut self,
        motion_bounds: &MotionBounds,
        inverse_mass: InverseMassFn<'_>,
        dt_s: f64,
    ) -> Option<u32>;
    /// Sub-steps per sample at a step level, given the target number.
    fn substeps(&self, target: u32, level: StepLevel, _dt_s: f64) -> u32 {
        match level {
            StepLevel::Target => target,
            StepLevel::Minimum => target.div_ceil(2),
            StepLevel::Coarse => target.div_ceil(4),
            StepLevel::Single => 1,
        }
    }
    /// Gap after `h_s` without a push, m, if the surface moves away by `surface_m`; 0 or less means
    /// contact. A body that always touches keeps the default.
    fn gap_after_m(&self, _surface_m: f64, _h_s: f64) -> f64 {
        0.0
    }
    /// The body's part of a step of `h_s`, while the surface moves away by `surface_m`. `free_m` is
    /// the change of compression without a force: its own displacement less `surface_m`.
    /// `mobility_m_per_n` is its own, `h^2/(2m)` for a free mass.
    fn reach(&mut self, surface_m: f64, h_s: f64) -> Reach;
    /// The contact law, as of the last [`reach`](ContactBody::reach).
    fn spring(&self) -> &Spring;
    /// Takes over the result of a step.
    fn accept(&mut self, push: &Push, h_s: f64);
    /// Removes kinetic energy, J, at most what there is. Called only after a step that did not
    /// converge and would have gained it.
    fn dissipate(&mut self, energy_j: f64);
}

/// A contact body and its slot.
pub struct OccupiedSlot<'a> {
    /// Its slot, below [`MAX_CONTACT_SLOTS`].
    pub slot: usize,
    /// The body.
    pub contact_body: &'a mut dyn ContactBody,
}

/// The free masses over one surface.
#[derive(Clone, Copy, Debug, Default)]
pub struct CoupledSolver {
    free_masses: [FreeMass; MAX_CONTACT_SLOTS],
    /// Slots from here on have no free mass. Usually there is one mass, which is looked up several
    /// times per sample.
    end: usize,
    claimed: [bool; MAX_CONTACT_SLOTS],
    coast: Coast,
    steps: u32,
    finest: u32,
    budget: StepBudget,
    unsettled: bool,
    /// A free mass has been used since the last reset.
    struck: bool,
}

impl CoupledSolver {
    /// Resets to no free masses.
    pub fn reset(&mut self) {
        if self.struck {
            *self = Self::default();
        }
        // Without a strike the free masses are still in their initial state.
        (self.claimed, self.coast, self.steps, self.finest) =
            ([false; MAX_CONTACT_SLOTS], Coast::default(), 0, 0);
        self.end = 0;
        (self.budget, self.unsettled) = (StepBudget::default(), false);
    }

    /// Bounds the work until the next call. Without a call only [`MAX_STEPS`] bounds it.
    pub fn set_share(&mut self, work: u32) {
        self.budget.set_share(work);
    }

    /// Returns and resets the work counter.
    pub fn take_work(&mut self) -> u32 {
        self.budget.take_spent()
    }

    /// The lowest free slot; `None` if all are taken.
    pub fn free_slot(&self) -> Option<usize> {
        (0..MAX_CONTACT_SLOTS)
            .find(|&slot| !self.claimed[slot] && !self.free_masses[slot].is_active())
    }

    /// Reserves a slot for a contact body of the caller, or frees it. There is no coasting while a
    /// slot is reserved.
    pub fn claim(&mut self, slot: usize, claimed: bool) {
        self.claimed[slot] = claimed;
    }

    /// Starts a mass on `slot` that touches after `delay_s` with `v_in_m_per_s > 0`, if the surface
    /// does not move.
    pub fn strike(
        &mut self,
        surface: &mut impl CompliantSurface,
        slot: usize,
        settings: &ContactSettings,
        v_in_m_per_s: f64,
        delay_s: f64,
    ) {
        self.land(surface);
        *self.free_mass_mut(slot) = FreeMass::striking(settings, v_in_m_per_s, delay_s);
    }

    /// Starts a mass on `slot` at `height_m` above the surface, with a velocity towards it that may
    /// be negative.
    pub fn throw(
        &mut self,
        surface: &mut impl CompliantSurface,
        slot: usize,
        settings: &ContactSettings,
        height_m: f64,
        towards_m_per_s: f64,
    ) {
        self.land(surface);
        *self.free_mass_mut(slot) = FreeMass::thrown(settings, height_m, towards_m_per_s);
    }

    /// True if any free mass is active.
    pub fn is_active(&self) -> bool {
        self.occupied().iter().any(FreeMass::is_active)
    }

    /// True if all active free masses rest.
    pub fn is_at_rest(&self) -> bool {
        self.occupied().iter().all(|free_mass| !free_mass.is_active() || free_mass.is_resting())
    }

    /// The free masses of all slots up to the last one used.
    pub fn occupied(&self) -> &[FreeMass] {
        &self.free_masses[..self.end]
    }

    fn occupied_mut(&mut self) -> &mut [FreeMass] {
        &mut self.free_masses[..self.end]
    }

    /// The free mass of a slot.
    pub fn free_mass(&self, slot: usize) -> &FreeMass {
        &self.free_masses[slot]
    }

    /// The free mass of a slot, mutable.
    pub fn free_mass_mut(&mut self, slot: usize) -> &mut FreeMass {
        self.struck = true;
        self.end = self.end.max(slot + 1);
        &mut self.free_masses[slot]
    }

    /// Sub-steps of the last sample.
    pub fn steps(&self) -> u32 {
        self.steps
    }

    /// Sub-steps per sample of the shortest length in the last sample.
    pub fn finest(&self) -> u32 {
        self.finest
    }

    /// True if a step did not converge within its bound since the last reset.
    pub fn is_unsettled(&self) -> bool {
        self.unsettled
    }

    /// Advances all free masses and the surface by one sample of `dt_s`.
    pub fn advance(&mut self, surface: &mut impl CompliantSurface, dt_s: f64) {
        self.advance_with(surface, dt_s, &mut [], &mut |_, _| {});
    }
}

/// Advances without contact, over a surface that moved away by `surface_m`.
fn drift(contact_body: &mut dyn ContactBody, surface_m: f64, time_s: f64) {
    let free_m = contact_body.reach(surface_m, time_s).free_m;
    contact_body.accept(&Push { force_n: 0.0, change_m: free_m, settled: true }, time_s);
}

/// Energy gained by a step that did not converge, J.
fn gained_energy_j(spring: &Spring, x_m: f64, push: &Push) -> f64 {
    let stored_j = spring.potential_j(x_m + push.change_m) - spring.potential_j(x_m);
    (stored_j - push.force_n * push.change_m).max(0.0)
}
