//! What may enter an impact, and what may leave it.

use super::{Impact, Restitution};
use crate::rigid_body::vector::{Vec3, add, dot, mul};

/// Largest coefficient of friction.
pub const MAX_MU: f64 = 100.0;

/// The impact with its numbers in range; `None` if there is none to solve.
pub fn admit(impact: &Impact) -> Option<Impact> {
    let w = &impact.w;
    let finite = w.iter().flatten().chain(&impact.v_m_per_s).all(|value| value.is_finite());
    let minor = w[0][0] * w[1][1] - w[0][1] * w[0][1];
    if !finite || impact.v_m_per_s[2] >= 0.0 || w[0][0] <= 0.0 || w[2][2] <= 0.0 || minor <= 0.0 {
        return None;
    }
    let keep = |value: f64, max: f64| if value.is_nan() { 0.0 } else { value.clamp(0.0, max) };
    let restitution = match impact.restitution {
        Restitution::Stronge(e) => Restitution::Stronge(keep(e, 1.0)),
        Restitution::Poisson(e) => Restitution::Poisson(keep(e, 1.0)),
    };
    Some(Impact { mu: keep(impact.mu, MAX_MU), restitution, ..*impact })
}

/// Total impulse and velocity after it, with the friction cone, the energy and the normal velocity
/// held to what steps of finite length and rounding may have missed.
pub fn release(impact: &Impact, impulse_ns: Vec3) -> (Vec3, Vec3) {
    let mut impulse = impulse_ns;
    if !impulse.iter().all(|value| value.is_finite()) || impulse[2] < 0.0 {
        impulse = [0.0; 3];
    }
    let tangential = impulse[0].hypot(impulse[1]);
    let max = impact.mu * impulse[2];
    if tangential > max {
        let shrink = max / tangential;
        impulse[0] *= shrink;
        impulse[1] *= shrink;
    }
    let before = impact.v_m_per_s;
    stop_approach(impact, &mut impulse);
    // The change of energy v.I + I.W I/2 is negative up to a known multiple of I.
    let (linear, square) = (dot(before, impulse), dot(impulse, mul(&impact.w, impulse)));
    if linear + 0.5 * square > 0.0 {
        let shrink = (-2.0 * linear / square).clamp(0.0, 1.0);
        impulse = impulse.map(|value| shrink * value);
        stop_approach(impact, &mut impulse);
    }
    (impulse, add(before, mul(&impact.w, impulse)))
}

/// More push along the normal where the bodies would still approach; it only takes energy.
fn stop_approach(impact: &Impact, impulse: &mut Vec3) {
    let v_z = impact.v_m_per_s[2] + dot(impact.w[2], *impulse);
    if v_z < 0.0 {
        impulse[2] -= v_z / impact.w[2][2];
    }
}
