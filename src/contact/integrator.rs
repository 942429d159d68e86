//! One step of the motion in contact, by five methods.
//!
//! A step computes the motion after `h_s`; [`RigidContact`](super::rigid::RigidContact) applies
//! corrections and release.

pub mod passive;

use super::closed_form::Curve;
use super::law::Spring;
use super::settings::Integrator;

/// Constants of a contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Medium {
    /// The law.
    pub spring: Spring,
    /// The mass, kg.
    pub mass_kg: f64,
    /// Acceleration towards the surface in contact, m/s^2. Only Passive uses it.
    pub gravity_m_per_s2: f64,
    /// The closed forms of this contact.
    pub curve: Curve,
}

/// Motion of the mass.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ContactMotion {
    /// Compression, m.
    pub x_m: f64,
    /// Its velocity, m/s, positive into the surface.
    pub v_m_per_s: f64,
    /// `v_in - v`, m/s, summed separately: near onset the difference would lose its digits.
    pub lost_m_per_s: f64,
    /// Force that a method carries into its next step, N.
    pub carried_n: f64,
    /// An iteration did not converge within its bound.
    pub unsettled: bool,
}

impl ContactMotion {
    /// Advances by `dx_m` and `dv_m_per_s`, with a new carried force.
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

/// One step of `h_s` seconds. Exact is [solved](super::force_profile) instead, and falls back to
/// RK4 here.
#[inline]
pub fn step(
    integrator: Integrator,
    medium: &Medium,
    motion: &ContactMotion,
    h_s: f64,
) -> ContactMotion {
    match integrator {
        Integrator::Am1 => step_am1(medium, motion, h_s),
        Integrator::Verlet => step_verlet(medium, motion, h_s),
        Integrator::Heun => step_heun(medium, motion, h_s),
        Integrator::Rk4 | Integrator::Exact => step_rk4(medium, motion, h_s),
        Integrator::Passive => passive::step(medium, motion, h_s),
    }
}

/// Maximum Newton steps of AM1. Five or six are usual; bisection alone takes about fifty.
const MAX_AM1_ITERATIONS: u32 = 60;

/// One step of one-step Adams–Moulton (trapezoid rule), eq. (23), with its delay-free loop solved
/// for the force (K-method). `f = F(x(f), v(f))` is solved by Newton inside a bracket: F falls as f
/// rises, so the root lies between 0 and F at no force, and a Newton step out of the bracket is
/// replaced by bisection.
#[inline]
fn step_am1(medium: &Medium, motion: &ContactMotion, h_s: f64) -> ContactMotion {
    let spring = &medium.spring;
    let before_n = motion.carried_n;
    let to_v = 0.5 * h_s / medium.mass_kg;
    let to_x = 0.5 * h_s * to_v;
    let place = |f: f64| {
        let sum = before_n + f;
        (motion.x_m + h_s * motion.v_m_per_s - to_x * sum, motion.v_m_per_s - to_v * sum)
    };
    let (x_free, v_free) = place(0.0);
    let mut low = 0.0;
    let mut high = spring.force_n(x_free, v_free);
    let mut force_n = before_n.min(high);
    let mut settled = high == 0.0;
    if settled {
        force_n = 0.0;
    }
    for _ in 0..MAX_AM1_ITERATIONS {
        if settled {
            break;
        }
        let (x, v) = place(force_n);
        let elastic = spring.elastic_n(x);
        let damping = (1.0 + spring.mu_s_per_m() * v).max(0.0);
        let pushing_n = spring.force_n(x, v);
        let residual = force_n - pushing_n;
        if residual > 0.0 {
            high = force_n
        } else {
            low = force_n
        }
        let mut slope = 1.0;
        if x > 0.0 && pushing_n > 0.0 {
            let per_velocity = elastic * spring.mu_s_per_m() + spring.damper_n_s_per_m();
            slope += elastic * to_x * spring.alpha() / x * damping + to_v * per_velocity;
        }
        let mut next = force_n - residual / slope;
        if !(next >= low && next <= high) {
            next = 0.5 * (low + high);
        }
        settled = (next - force_n).abs() <= 1e-15 * next.abs() || high - low <= 1e-15 * high;
        force_n = next;
    }
    let sum = before_n + force_n;
    let mut after = motion.moved(h_s * motion.v_m_per_s - to_x * sum, -to_v * sum, force_n);
    after.unsettled |= !settled;
    after
}

/// One step of velocity Verlet, eq. (24). The force at the half-step velocity is the next step's
/// `f_n`, as in (24); evaluating it again at the corrected velocity is another method.
#[inline]
fn step_verlet(medium: &Medium, motion: &ContactMotion, h_s: f64) -> ContactMotion {
    let rate = h_s / medium.mass_kg;
    let half_dv = -0.5 * rate * motion.carried_n;
    let dx = h_s * (motion.v_m_per_s + half_dv);
    let force_n = medium.spring.force_n(motion.x_m + dx, motion.v_m_per_s + half_dv);
    motion.moved(dx, half_dv - 0.5 * rate * force_n, force_n)
}

/// One step of Heun, eq. (25). As with Verlet, the force at the predicted velocity is carried on.
#[inline]
fn step_heun(medium: &Medium, motion: &ContactMotion, h_s: f64) -> ContactMotion {
    let rate = h_s / medium.mass_kg;
    let predicted = motion.v_m_per_s - rate * motion.carried_n;
    let dx = 0.5 * h_s * (motion.v_m_per_s + predicted);
    let force_n = medium.spring.force_n(motion.x_m + dx, predicted);
    motion.moved(dx, -0.5 * rate * (motion.carried_n + force_n), force_n)
}

/// One step of fourth-order Runge–Kutta, eq. (26).
#[inline]
fn step_rk4(medium: &Medium, motion: &ContactMotion, h_s: f64) -> ContactMotion {
    let rate = -h_s / medium.mass_kg;
    let (x, v) = (motion.x_m, motion.v_m_per_s);
    let force = |dx: f64, dv: f64| rate * medium.spring.force_n(x + dx, v + dv);
    let (l1, k1) = (h_s * v, force(0.0, 0.0));
    let (l2, k2) = (h_s * (v + 0.5 * k1), force(0.5 * l1, 0.5 * k1));
    let (l3, k3) = (h_s * (v + 0.5 * k2), force(0.5 * l2, 0.5 * k2));
    let (l4, k4) = (h_s * (v + k3), force(l3, k3));
    motion.moved((l1 + 2.0 * (l2 + l3) + l4) / 6.0, (k1 + 2.0 * (k2 + k3) + k4) / 6.0, 0.0)
}
