//! Settings of a chain, and the ranges in which its state stays finite.

use super::MAX_BALLS;
use crate::contact::restitution::{self, fit, grid, hunt_crossley};
use crate::contact::{DamperFit, HuntCrossley, Law};
use crate::rigid_body::motion::GRAVITY_M_PER_S2;

/// Smallest gap, m; far below the size of an atom. With a gap of zero, an impact would reach the
/// end of a touching chain within one step, through forces of the size of rounding errors.
const MIN_GAP_M: f64 = 1e-12;

/// How a contact loses energy.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ChainDamping {
    /// Coefficient of restitution that every contact has at its own onset speed, 1e-4...1.
    Restitution(f64, DamperFit),
    /// Fixed coefficient: mu of Hunt and Crossley's law, 0...5 s/m, or c of the linear damper,
    /// 0...1e6 N s/m.
    Fixed(f64),
}

/// Settings of a chain of balls.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChainSettings {
    /// Number of balls, 2...16.
    pub balls: usize,
    /// Mass of a ball of size 1, kg.
    pub mass_kg: f64,
    /// Diameter of each ball relative to a ball of size 1, 0.5...2; the mass scales with its cube.
    pub sizes: [f64; MAX_BALLS],
    /// Stiffness between two balls of size 1, N/m^alpha.
    pub stiffness: f64,
    /// Exponent: 1.5 for spheres.
    pub alpha: f64,
    /// Force law of the contacts.
    pub law: Law,
    /// Damping of the contacts.
    pub damping: ChainDamping,
    /// Gap between neighbours in their rest positions, m.
    ///
    /// If the gap is below about twice the compression, an impact spreads over several balls.
    pub gap_m: f64,
    /// Length of the strings, m; `None` for freely rolling balls.
    pub string_m: Option<f64>,
    /// Gravity, m/s^2.
    pub gravity_m_per_s2: f64,
}

impl Default for ChainSettings {
    /// Steel balls of 25 mm diameter with gaps of 0.1 mm.
    fn default() -> Self {
        Self {
            balls: 5,
            mass_kg: 0.064,
            sizes: [1.0; MAX_BALLS],
            stiffness: 8.5e9,
            alpha: 1.5,
            law: Law::HuntCrossley,
            damping: ChainDamping::Restitution(0.98, DamperFit::Exact),
            gap_m: 1e-4,
            string_m: None,
            gravity_m_per_s2: GRAVITY_M_PER_S2,
        }
    }
}

impl ChainSettings {
    /// Clamps every value to its range.
    ///
    /// Mass 10 mg...100 kg, sizes 0.5...2, k 1e3...1e11, alpha 1...3.5, gap 0...0.1 m, strings 1
    /// cm...10 m, gravity 0...1000 m/s^2.
    pub fn within_limits(&self) -> Self {
        let default = Self::default();
        let keep = |value: f64, low: f64, high: f64, otherwise: f64| {
            if value.is_nan() { otherwise } else { value.clamp(low, high) }
        };
        Self {
            balls: self.balls.clamp(2, MAX_BALLS),
            mass_kg: keep(self.mass_kg, 1e-5, 1e2, default.mass_kg),
            stiffness: keep(self.stiffness, 1e3, 1e11, default.stiffness),
            alpha: keep(self.alpha, 1.0, 3.5, default.alpha),
            sizes: self.sizes.map(|size| keep(size, 0.5, 2.0, 1.0)),
            law: self.law,
            damping: match (self.damping, self.law) {
                (ChainDamping::Restitution(e, fit), _) => {
                    ChainDamping::Restitution(restitution::within_limits(e), fit)
                }
                (ChainDamping::Fixed(mu), Law::HuntCrossley) => {
                    ChainDamping::Fixed(keep(mu, 0.0, 5.0, 0.0))
                }
                (ChainDamping::Fixed(c), Law::HertzDamper) => {
                    ChainDamping::Fixed(keep(c, 0.0, 1e6, 0.0))
                }
            },
            gap_m: keep(self.gap_m, MIN_GAP_M, 0.1, default.gap_m),
            string_m: self.string_m.map(|length| keep(length, 0.01, 10.0, 1.0)),
            gravity_m_per_s2: keep(self.gravity_m_per_s2, 0.0, 1000.0, default.gravity_m_per_s2),
        }
    }

    /// Mass of a ball, kg.
    pub fn ball_kg(&self, ball: usize) -> f64 {
        self.mass_kg * self.sizes[ball].powi(3)
    }

    /// The elastic part of the law between a ball and the next.
    ///
    /// It depends on the mean of the two curvatures. The stiffness scales with the `2 - alpha`
    /// power of the size, as in any uniformly scaled contact.
    pub fn elastic(&self, contact: usize) -> HuntCrossley {
        let (one, other) = (self.sizes[contact], self.sizes[contact + 1]);
        let size = 2.0 * one * other / (one + other);
        HuntCrossley {
            stiffness: self.stiffness * size.powf(2.0 - self.alpha),
            mu_s_per_m: 0.0,
            alpha: self.alpha,
        }
    }

    /// Dimensionless damping (mu v or C) for the target restitution; `None` if the damping is
    /// fixed.
    ///
    /// It is the same for every contact and every speed.
    pub fn bare_damping(&self) -> Option<f64> {
        let ChainDamping::Restitution(e, fitted) = self.damping else { return None };
        Some(match (self.law, fitted) {
            (Law::HuntCrossley, _) => hunt_crossley::u_of_restitution(e),
            (Law::HertzDamper, DamperFit::Exact) => grid::damping(e, self.alpha),
            (Law::HertzDamper, DamperFit::ClosedForm) => fit::damping(e, self.alpha),
        })
    }
}
