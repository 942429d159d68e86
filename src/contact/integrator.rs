//! One step of the motion in contact, by five methods.
//!
//! A step proposes where the mass is after `h_s`; corrections and release are the
//! [rigid_contact](super::rigid_contact)'s business.

pub mod am1;
pub mod heun;
pub mod passive;
pub mod rk4;
pub mod verlet;

use super::closed_form::Curve;
use super::law::Spring;
use super::settings::Integrator;

/// What a step is made with; constant during a contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Medium {
    /// The law.
    pub spring: Spring,
    /// The mass, kg.
    pub mass_kg: f64,
    /// Acceleration towards the surface while in contact, m/s^2. Only Passive heeds it.
    pub gravity_m_per_s2: f64,
    /// The closed forms of this contact.
    pub curve: Curve,
}

/// Where the mass is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ContactMotion {
    /// Compression, m.
    pub x_m: f64,
    /// Its velocity, m/s, positive into the surface.
    pub v_m_per_s: f64,
    /// `v_in - v`, m/s, added up on its own: near onset the difference of the two has no digits
    /// left.
    pub lost_m_per_s: f64,
    /// The force a method carries into its next step, N.
    pub carried_n: f64,
    /// An iteration that did not settle within its bound.
    pub unsettled: bool,
}

impl ContactMotion {
    /// Moved on by `dx_m` and `dv_m_per_s`, with a new carried force.
    #[inline]
    fn moved(&self, dx_m: f64, dv_m_per_s: f64, carried_n: f64) -> Self {
        Self {
            x_m: self.x_m + dx_m,
            v_m_per_s: self.v_m_per_s + dv_m_per_s,
            lost_m_per_s: self.lost_m_per_s - dv_m_per_s,
            carried_n,
            ..*self
        }
    }
}

/// One step of `h_s` seconds. Exact has none of its own: it is [solved](super::force_profile), and
/// takes that of RK4 if asked.
#[inline]
pub fn step(
    integrator: Integrator,
    medium: &Medium,
    motion: &ContactMotion,
    h_s: f64,
) -> ContactMotion {
    match integrator {
        Integrator::Am1 => am1::step(medium, motion, h_s),
        Integrator::Verlet => verlet::step(medium, motion, h_s),
        Integrator::Heun => heun::step(medium, motion, h_s),
        Integrator::Rk4 | Integrator::Exact => rk4::step(medium, motion, h_s),
        Integrator::Passive => passive::step(medium, motion, h_s),
    }
}
