//! Oblique and spinning impacts of a solid ball on an immovable body, by the [impact in three
//! dimensions](crate::rigid_body::single_point).
//!
//! Friction acts along the direction of travel only; it changes the tangential speed and the spin,
//! and leaves the normal rebound to the contact law. With `W = diag(7/2, 7/2, 1)/m`, slip either
//! ends in rolling or continues.

use crate::contact::{ContactSettings, release};
use crate::rigid_body::inertia::Inertia;
use crate::rigid_body::inertia::{Side, inverse_inertia_per_kg};
use crate::rigid_body::single_point::{Accuracy, Impact, Restitution, solve};

/// Identity rotation.
const UPRIGHT: [[f64; 3]; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

/// Tangential motion of a ball.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ObliqueContact {
    /// Tangential speed of the centre, m/s.
    pub speed_m_per_s: f64,
    /// Surface speed due to spin alone, m/s; equal to the centre's speed when the ball rolls.
    pub skin_m_per_s: f64,
}

impl ObliqueContact {
    /// True without tangential motion: friction need not be computed.
    pub fn is_none(&self) -> bool {
        self.speed_m_per_s == 0.0 && self.skin_m_per_s == 0.0
    }

    /// The motion after an impact at `normal_m_per_s`, and the ratio of friction to normal impulse.
    ///
    /// The impact has restitution `e` and friction coefficient `mu`.
    pub fn after(&self, normal_m_per_s: f64, e: f64, mu: f64) -> (Self, f64) {
        if self.is_none() || normal_m_per_s.is_nan() || normal_m_per_s <= 0.0 {
            return (*self, 0.0);
        }
        // The result does not depend on mass and radius.
        let (mass_kg, radius_m) = (1.0, 1.0);
        let ball = Side {
            inertia: Inertia::ball(mass_kg, radius_m),
            axes: UPRIGHT,
            arm_m: [0.0, 0.0, -radius_m],
        };
        let ground = Side { inertia: Inertia::IMMOVABLE, axes: UPRIGHT, arm_m: [0.0; 3] };
        let outcome = solve(
            &Impact {
                w: inverse_inertia_per_kg(&ball, &ground),
                v_m_per_s: [self.speed_m_per_s - self.skin_m_per_s, 0.0, -normal_m_per_s],
                mu,
                restitution: Restitution::Stronge(e.clamp(0.0, 1.0)),
            },
            &Accuracy::DEFAULT,
        );
        let [along_ns, _, pressure_ns] = outcome.impulse_ns;
        if pressure_ns.is_nan() || pressure_ns <= 0.0 {
            return (*self, 0.0);
        }
        let after = Self {
            speed_m_per_s: self.speed_m_per_s + along_ns / mass_kg,
            skin_m_per_s: self.skin_m_per_s - 2.5 * along_ns / mass_kg,
        };
        (after, along_ns.abs() / pressure_ns)
    }
}

/// Expected restitution of a contact at this speed.
pub fn expected_restitution(contact: &ContactSettings, v_in_m_per_s: f64) -> f64 {
    let contact = contact.within_limits();
    let onset = contact.at_onset(v_in_m_per_s);
    if onset.damper_n_s_per_m.is_some() {
        return contact
            .restitution
            .unwrap_or_else(|| onset.rebound(contact.mass_kg, v_in_m_per_s, 1e-6).e);
    }
    -release::v_out_exact(onset.law.mu_s_per_m, v_in_m_per_s) / v_in_m_per_s
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ball_that_grips_leaves_rolling() {
        // Angular momentum about the contact point, speed + 2/5 skin, is conserved.
        for (speed_m_per_s, skin_m_per_s) in [(1.0, 0.0), (0.0, 1.0), (0.5, -0.3)] {
            let before = ObliqueContact { speed_m_per_s, skin_m_per_s };
            let (after, ratio) = before.after(3.0, 0.7, 1.0);
            let rolling = (5.0 * speed_m_per_s + 2.0 * skin_m_per_s) / 7.0;
            assert!((after.speed_m_per_s - rolling).abs() < 1e-6, "{after:?}");
            assert!((after.skin_m_per_s - rolling).abs() < 1e-6, "{after:?}");
            assert!(ratio > 0.0 && ratio < 1.0);
        }
    }

    #[test]
    fn a_ball_that_slips_loses_what_friction_takes() {
        let before = ObliqueContact { speed_m_per_s: 5.0, skin_m_per_s: 0.0 };
        let (after, ratio) = before.after(1.0, 0.5, 0.1);
        assert!((ratio - 0.1).abs() < 1e-9);
        assert!((after.speed_m_per_s - (5.0 - 0.1 * 1.5)).abs() < 1e-9, "{after:?}");
    }

    #[test]
    fn nothing_along_stays_nothing() {
        assert_eq!(
            ObliqueContact::default().after(2.0, 0.5, 0.8),
            (ObliqueContact::default(), 0.0)
        );
    }

    #[test]
    fn no_impact_adds_energy() {
        for n in 0..500 {
            let x = |k: u64| crate::random::signed_unit(k, n);
            let before = ObliqueContact { speed_m_per_s: 3.0 * x(1), skin_m_per_s: 3.0 * x(2) };
            let (after, _) = before.after(2.0 * x(3).abs() + 0.01, x(4).abs(), 1.5 * x(5).abs());
            let energy = |s: &ObliqueContact| {
                s.speed_m_per_s * s.speed_m_per_s + 0.4 * s.skin_m_per_s * s.skin_m_per_s
            };
            assert!(energy(&after) <= energy(&before) * (1.0 + 1e-9));
        }
    }
}
