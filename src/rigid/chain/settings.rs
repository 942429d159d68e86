//! What a row is told, and the ranges in which it is sure to stay finite.

use super::MOST_BALLS;
use crate::contact::HuntCrossley;
use crate::contact::restitution;
use crate::rigid::motion::GRAVITY_M_PER_S2;

/// A row of equal balls.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// How many, 2...16.
    pub balls: usize,
    /// Mass of each, kg.
    pub mass_kg: f64,
    /// Stiffness between two, N/m^alpha.
    pub stiffness: f64,
    /// Exponent: 1.5 for spheres.
    pub alpha: f64,
    /// Restitution of one contact, 1e-4...1.
    pub restitution: f64,
    /// Gap between neighbours in their places, m. Below about twice the compression a blow spreads.
    pub gap_m: f64,
    /// Length of the strings they hang by, m; without, they roll freely.
    pub string_m: Option<f64>,
    /// Gravity, m/s^2.
    pub gravity_m_per_s2: f64,
}

impl Default for Settings {
    /// Steel balls of 25 mm, a tenth of a millimetre apart.
    fn default() -> Self {
        Self {
            balls: 5,
            mass_kg: 0.064,
            stiffness: 8.5e9,
            alpha: 1.5,
            restitution: 0.98,
            gap_m: 1e-4,
            string_m: None,
            gravity_m_per_s2: GRAVITY_M_PER_S2,
        }
    }
}

impl Settings {
    /// The same with every number in range: mass 10 mg...100 kg, k 1e3...1e11, alpha 1...3.5, gap 0...0.1 m,
    /// strings 1 cm...10 m, gravity 0...1000 m/s^2.
    pub fn within_limits(&self) -> Self {
        let default = Self::default();
        let keep = |value: f64, low: f64, high: f64, otherwise: f64| {
            if value.is_nan() { otherwise } else { value.clamp(low, high) }
        };
        Self {
            balls: self.balls.clamp(2, MOST_BALLS),
            mass_kg: keep(self.mass_kg, 1e-5, 1e2, default.mass_kg),
            stiffness: keep(self.stiffness, 1e3, 1e11, default.stiffness),
            alpha: keep(self.alpha, 1.0, 3.5, default.alpha),
            restitution: restitution::within_limits(self.restitution),
            gap_m: keep(self.gap_m, 0.0, 0.1, default.gap_m),
            string_m: self.string_m.map(|length| keep(length, 0.01, 10.0, 1.0)),
            gravity_m_per_s2: keep(self.gravity_m_per_s2, 0.0, 1000.0, default.gravity_m_per_s2),
        }
    }

    /// The law of one contact with this dissipation.
    pub fn law(&self, mu_s_per_m: f64) -> HuntCrossley {
        HuntCrossley { stiffness: self.stiffness, mu_s_per_m, alpha: self.alpha }
    }
}
