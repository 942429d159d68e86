//! How far an interval may go before a slip has stopped or turned too much.

use super::{ImpactSettings, length};

/// Share of an interval, 0...1, after which a slip that goes from `from` by `change` is to be
/// looked at anew.
///
/// Closest approach to zero, eq. (2.13), where it is below the transition speed; else the turn by
/// `theta_max`, eq. (2.14). A slip that ends below the transition speed needs no stop on its way.
pub fn share(from: [f64; 2], change: [f64; 2], settings: &ImpactSettings) -> f64 {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rigid_body::simultaneous::Cor;

    const COR: Cor = Cor { e_min: 0.5, v_capture_m_per_s: 0.0, v_plastic_m_per_s: 1.0 };
    const SETTINGS: ImpactSettings = ImpactSettings {
        cor: COR,
        v_transition_m_per_s: 1e-2,
        theta_max_rad: 0.3,
        alpha_min: 1e-3,
    };

    #[test]
    fn a_slip_is_looked_at_where_it_has_turned_as_far_as_it_may() {
        for (from, change) in
            [([1.0, 0.0], [0.0, 2.0]), ([1.0, 0.5], [1.5, -3.0]), ([-0.2, 0.4], [-1.0, -0.3])]
        {
            let alpha = share(from, change, &SETTINGS);
            let to = [from[0] + alpha * change[0], from[1] + alpha * change[1]];
            let turn = (from[0] * to[1] - from[1] * to[0]).atan2(from[0] * to[0] + from[1] * to[1]);
            assert!(
                alpha < 1.0 && (turn.abs() - 0.3).abs() < 1e-12,
                "{from:?} {change:?}: {turn} rad at {alpha}"
            );
        }
    }

    #[test]
    fn a_slip_is_looked_at_where_it_all_but_stops() {
        // It passes zero at a distance of 5 mm/s, half way.
        assert!((share([1.0, 5e-3], [-2.0, 0.0], &SETTINGS) - 0.5).abs() < 1e-12);
        assert!((share([3e-3, 0.8], [4e-3, -3.2], &SETTINGS) - 0.25).abs() < 1e-2);
        // It ends there, or goes straight on.
        assert_eq!(share([1.0, 0.0], [-0.995, 0.0], &SETTINGS), 1.0);
        assert_eq!(share([1.0, 0.5], [2.0, 1.0], &SETTINGS), 1.0);
    }
}
