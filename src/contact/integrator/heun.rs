//! Heun, eq. (25).

use super::{ContactMotion, Medium};

/// One step. As in [Verlet](super::verlet), the force at the predicted velocity is carried on.
#[inline]
pub fn step(medium: &Medium, motion: &ContactMotion, h_s: f64) -> ContactMotion {
    let rate = h_s / medium.mass_kg;
    let predicted = motion.v_m_per_s - rate * motion.carried_n;
    let dx = 0.5 * h_s * (motion.v_m_per_s + predicted);
    let force_n = medium.spring.force_n(motion.x_m + dx, predicted);
    motion.moved(dx, -0.5 * rate * (motion.carried_n + force_n), force_n)
}
