//! How far an interval may go before a slip has stopped or turned too much.

use super::{Settings, length};

/// Share of an interval, 0...1, after which a slip that goes from `from` by `change` is to be looked at anew.
///
/// Closest approach to zero, eq. (2.13), where it is below the transition speed; else the turn by `theta_max`,
/// eq. (2.14). A slip that ends below the transition speed needs no stop on its way.
pub fn share(from: [f64; 2], change: [f64; 2], settings: &Settings) -> f64 {
    let dot = |a: [f64; 2], b: [f64; 2]| a[0] * b[0] + a[1] * b[1];
    let at = |alpha: f64| [from[0] + alpha * change[0], from[1] + alpha * change[1]];
    let speed_at = |alpha: f64| length(at(alpha));
    if speed_at(1.0) < settings.v_transition_m_per_s {
        return 1.0;
    }
    let square = dot(change, change);
    if square > 0.0 {
        let closest = -dot(from, change) / square;
        if closest > 0.0 && closest < 1.0 && speed_at(closest) < settings.v_transition_m_per_s {
            return closest.max(settings.alpha_min);
        }
    }
    let speed = length(from);
    let forward = dot(from, change) / speed;
    let sideways = ((from[0] * change[1] - from[1] * change[0]) / speed).abs();
    let tangent = settings.theta_max_rad.tan();
    // tan(theta) = alpha sideways/(speed + alpha forward), solved for alpha.
    let rest = sideways - forward * tangent;
    if rest <= 0.0 {
        return 1.0;
    }
    (speed * tangent / rest).clamp(settings.alpha_min, 1.0)
}
