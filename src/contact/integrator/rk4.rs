//! Fourth-order Runge–Kutta, eq. (26).

use super::{ContactMotion, Medium};

/// One step; four evaluations of the force.
#[inline]
pub fn step(medium: &Medium, motion: &ContactMotion, h_s: f64) -> ContactMotion {
    let rate = -h_s / medium.mass_kg;
    let (x, v) = (motion.x_m, motion.v_m_per_s);
    let force = |dx: f64, dv: f64| rate * medium.spring.force_n(x + dx, v + dv);
    let (l1, k1) = (h_s * v, force(0.0, 0.0));
    let (l2, k2) = (h_s * (v + 0.5 * k1), force(0.5 * l1, 0.5 * k1));
    let (l3, k3) = (h_s * (v + 0.5 * k2), force(0.5 * l2, 0.5 * k2));
    let (l4, k4) = (h_s * (v + k3), force(l3, k3));
    motion.moved((l1 + 2.0 * (l2 + l3) + l4) / 6.0, (k1 + 2.0 * (k2 + k3) + k4) / 6.0, 0.0)
}
