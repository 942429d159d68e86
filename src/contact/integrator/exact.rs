//! The Exact integrator: Runge–Kutta on the lossless form of the contact.

use super::{Medium, Motion};

/// One step of `dx/dt = v(a)`, `da/dt = k x^alpha/m` with a the elastic impulse per mass.
///
/// The damping of eq. (1) sits inside `v(a)`, in closed form, so that heavy damping is not stiff and the
/// velocity never crosses `-1/mu`. The touch chooses h so small that fourth order is all but exact.
#[inline]
pub fn step(medium: &Medium, motion: &Motion, h_s: f64) -> Motion {
    let curve = &medium.curve;
    let (x, a) = (motion.x_m, motion.elastic_m_per_s);
    let rate = h_s / medium.mass_kg;
    let velocity = |da: f64| h_s * (curve.v_in_m_per_s - curve.lost_of_elastic(a + da));
    let pull = |dx: f64| rate * medium.spring.elastic_n(x + dx);
    let (l1, k1) = (h_s * motion.v_m_per_s, pull(0.0));
    let (l2, k2) = (velocity(0.5 * k1), pull(0.5 * l1));
    let (l3, k3) = (velocity(0.5 * k2), pull(0.5 * l2));
    let (l4, k4) = (velocity(k3), pull(l3));
    let elastic = a + (k1 + 2.0 * (k2 + k3) + k4) / 6.0;
    let lost = curve.lost_of_elastic(elastic);
    Motion {
        x_m: x + (l1 + 2.0 * (l2 + l3) + l4) / 6.0,
        v_m_per_s: curve.v_in_m_per_s - lost,
        lost_m_per_s: lost,
        elastic_m_per_s: elastic,
        ..*motion
    }
}
