//! How much of an impact comes back at a corner.

use crate::contact::release;
use crate::contact::restitution::{damping_unit_n_s_per_m, grid};
use crate::rigid::simultaneous::Cor;

/// What the restitution of a corner follows from. Below the capture speed nothing comes back, whatever it is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Rebound {
    /// The speed alone, as [`Cor`] has it.
    #[default]
    Given,
    /// Hunt and Crossley's law with a fixed mu: `E(mu v)`, whatever the mass. Slow corners come back the better.
    HuntCrossley {
        /// Dissipation, s/m.
        mu_s_per_m: f64,
    },
    /// A Hertz spring with a fixed linear damper: by the mass that the plane feels, too. Slow corners come back the
    /// worse, unless the exponent is 1.
    HertzDamper {
        /// Stiffness k, N/m^alpha.
        stiffness: f64,
        /// Exponent.
        alpha: f64,
        /// Damper c, N s/m.
        damper_n_s_per_m: f64,
    },
}

impl Rebound {
    /// The same with every number in range: mu 0...5 s/m, k 1e3...1e11, exponent 1...3.5, c 0...1e6 N s/m.
    pub fn within_limits(self) -> Self {
        let keep = |value: f64, low: f64, high: f64| if value.is_nan() { low } else { value.clamp(low, high) };
        match self {
            Rebound::Given => self,
            Rebound::HuntCrossley { mu_s_per_m } => Rebound::HuntCrossley { mu_s_per_m: keep(mu_s_per_m, 0.0, 5.0) },
            Rebound::HertzDamper { stiffness, alpha, damper_n_s_per_m } => Rebound::HertzDamper {
                stiffness: keep(stiffness, 1e3, 1e11),
                alpha: keep(alpha, 1.0, 3.5),
                damper_n_s_per_m: keep(damper_n_s_per_m, 0.0, 1e6),
            },
        }
    }

    /// Restitution of a corner that the plane feels as `mass_kg` and that comes at `v_m_per_s`.
    pub fn at(&self, cor: &Cor, mass_kg: f64, v_m_per_s: f64) -> f64 {
        if v_m_per_s < cor.v_capture_m_per_s {
            return 0.0;
        }
        match *self {
            Rebound::Given => cor.at(v_m_per_s),
            Rebound::HuntCrossley { mu_s_per_m } => release::exact(mu_s_per_m * v_m_per_s).restitution,
            Rebound::HertzDamper { stiffness, alpha, damper_n_s_per_m } => {
                let unit = damping_unit_n_s_per_m(stiffness, alpha, mass_kg, v_m_per_s);
                grid::restitution(damper_n_s_per_m / unit, alpha)
            }
        }
    }
}
