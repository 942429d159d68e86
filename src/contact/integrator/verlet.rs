//! Velocity Verlet, eq. (24).

use super::{ContactMotion, Medium};

/// One step. The force found at the half-step velocity is the next step's `f_n`, as (24) reads;
/// finding it anew at the corrected velocity is another method with other errors.
#[inline]
pub fn step(medium: &Medium, motion: &ContactMotion, h_s: f64) -> ContactMotion {
    let rate = h_s / medium.mass_kg;
    let half_dv = -0.5 * rate * motion.carried_n;
    let dx = h_s * (motion.v_m_per_s + half_dv);
    let force_n = medium.spring.force_n(motion.x_m + dx, motion.v_m_per_s + half_dv);
    motion.moved(dx, half_dv - 0.5 * rate * force_n, force_n)
}
