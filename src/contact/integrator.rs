//! One step of the motion in contact, by six methods.
//!
//! A step proposes where the mass is after `h_s`; corrections and release are the
//! [touch](super::touch)'s business.

pub mod am1;
pub mod exact;
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
pub struct Motion {
    /// Compression, m.
    pub x_m: f64,
    /// Its velocity, m/s, positive into the surface.
    pub v_m_per_s: f64,
    /// `v_in - v`, m/s, added up on its own: near onset the difference of the two has no digits left.
    pub lost_m_per_s: f64,
    /// The force a method carries into its next step, N.
    pub carried_n: f64,
    /// Elastic impulse per mass so far, m/s. Kept by Exact only.
    pub elastic_m_per_s: f64,
    /// `1 + mu v`, with all its digits when it is small. Kept by Exact only.
    pub damping: f64,
    /// The next stride of Exact beside a linear damper, s.
    pub stride_s: f64,
    /// An iteration that did not settle within its bound.
    pub unsettled: bool,
}

impl Motion {
    /// At onset.
    pub fn onset(mu_s_per_m: f64, v_in_m_per_s: f64) -> Self {
        Self { damping: 1.0 + mu_s_per_m * v_in_m_per_s, v_m_per_s: v_in_m_per_s, ..Self::default() }
    }

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

/// One step of `h_s` seconds.
#[inline]
pub fn step(integrator: Integrator, medium: &Medium, motion: &Motion, h_s: f64) -> Motion {
    match integrator {
        Integrator::Am1 => am1::step(medium, motion, h_s),
        Integrator::Verlet => verlet::step(medium, motion, h_s),
        Integrator::Heun => heun::step(medium, motion, h_s),
        Integrator::Rk4 => rk4::step(medium, motion, h_s),
        Integrator::Exact => exact::step(medium, motion, h_s),
        Integrator::Passive => passive::step(medium, motion, h_s),
    }
}
