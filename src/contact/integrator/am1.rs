//! One-step Adams–Moulton (trapezoid rule), eq. (23), its delay-free loop solved for the force
//! (K-method).

use super::{ContactMotion, Medium};

/// Most Newton steps. Five or six are usual; bisection alone would need about fifty.
pub const MAX_ITERATIONS: u32 = 60;

/// One step. `f = F(x(f), v(f))` is solved by Newton inside a bracket: F falls as f rises, so the
/// root lies between 0 and F at no force, and a Newton step out of the bracket is replaced by
/// bisection.
#[inline]
pub fn step(medium: &Medium, motion: &ContactMotion, h_s: f64) -> ContactMotion {
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
    for _ in 0..MAX_ITERATIONS {
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
