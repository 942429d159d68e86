//! The Exact integrator: Runge–Kutta on the lossless form of the contact.

use super::super::special::exp_ratio;
use super::{Medium, Motion};

/// One step of `dx/dt = v(a)`, `da/dt = k x^alpha/m` with a the elastic impulse per mass.
///
/// The damping of eq. (1) sits inside `v(a)`, in closed form, so that heavy damping is not stiff and the
/// velocity never crosses `-1/mu`. The carried force is the elastic one where the step begins. The touch chooses h so small that fourth order is all but exact.
#[inline]
pub fn step(medium: &Medium, motion: &Motion, h_s: f64) -> Motion {
    let mu = medium.spring.mu_s_per_m();
    let (x, v, damping) = (motion.x_m, motion.v_m_per_s, motion.damping);
    let rate = h_s / medium.mass_kg;
    // Seen from the step's own start the exponent is small, and a few terms of its series are exact.
    let velocity = |da: f64| h_s * (v - damping * da * exp_ratio(-mu * da));
    let elastic = |dx: f64| rate * medium.spring.elastic_n(x + dx);
    let (l1, k1) = (h_s * v, rate * motion.carried_n);
    let (l2, k2) = (velocity(0.5 * k1), elastic(0.5 * l1));
    let (l3, k3) = (velocity(0.5 * k2), elastic(0.5 * l2));
    let (l4, k4) = (velocity(k3), elastic(l3));
    let da = (k1 + 2.0 * (k2 + k3) + k4) / 6.0;
    let a = motion.elastic_m_per_s + da;
    let lost = medium.curve.lost_of_elastic(a);
    Motion {
        x_m: x + (l1 + 2.0 * (l2 + l3) + l4) / 6.0,
        v_m_per_s: medium.curve.v_in_m_per_s - lost,
        lost_m_per_s: lost,
        elastic_m_per_s: a,
        damping: damping * (1.0 - mu * da * exp_ratio(-mu * da)),
        ..*motion
    }
}

/// Put a stepped motion back on the curve x(v) by its compression, where that says more than its velocity:
/// towards both ends, where the velocity hardly moves and a little of it is a lot of time.
pub fn hold(medium: &Medium, before: &Motion, after: &mut Motion) {
    const NEAR_THE_ENDS: f64 = 0.3;
    let curve = &medium.curve;
    let (v, a) = (after.v_m_per_s, after.elastic_m_per_s);
    let gap = medium.spring.potential_j(after.x_m) / medium.mass_kg;
    // At the largest compression the velocity is 0 and the gap at its largest.
    if gap > NEAR_THE_ENDS * curve.gap_max() || v * v < 0.25 * curve.v_out_m_per_s * curve.v_out_m_per_s {
        return;
    }
    let held = curve.elastic_of_gap(gap, a, v);
    // Outside, the guess was too far off for one slope: coarse steps only.
    if !(held >= before.elastic_m_per_s && held <= curve.elastic_end_m_per_s) {
        return;
    }
    let turn = medium.spring.mu_s_per_m() * (held - a);
    after.damping *= 1.0 - turn * exp_ratio(-turn);
    after.elastic_m_per_s = held;
    after.lost_m_per_s = curve.lost_of_elastic(held);
    after.v_m_per_s = curve.v_in_m_per_s - after.lost_m_per_s;
}
