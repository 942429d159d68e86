//! How much of an impact comes back at a corner.

use crate::contact::release;
use crate::contact::restitution::{damping_unit_n_s_per_m, grid};
use crate::rigid_body::simultaneous::Cor;

/// What the restitution of a corner follows from. Below the capture speed nothing comes back,
/// whatever it is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Rebound {
    /// The speed alone, as [`Cor`] has it.
    #[default]
    Given,
    /// Hunt and Crossley's law with a fixed mu: `E(mu v)`, whatever the mass. Slow corners come
    /// back the better.
    HuntCrossley {
        /// Dissipation, s/m.
        mu_s_per_m: f64,
    },
    /// A Hertz spring with a fixed linear damper: by the mass that the plane feels, too. Slow
    /// corners come back the worse, unless the exponent is 1.
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
    /// The same with every number in range: mu 0...5 s/m, k 1e3...1e11, exponent 1...3.5, c 0...1e6
    /// N s/m.
    pub fn within_limits(self) -> Self {
        let keep = |value: f64, low: f64, high: f64| {
            if value.is_nan() { low } else { value.clamp(low, high) }
        };
        match self {
            Rebound::Given => self,
            Rebound::HuntCrossley { mu_s_per_m } => {
                Rebound::HuntCrossley { mu_s_per_m: keep(mu_s_per_m, 0.0, 5.0) }
            }
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
            Rebound::HuntCrossley { mu_s_per_m } => {
                release::exact(mu_s_per_m * v_m_per_s).restitution
            }
            Rebound::HertzDamper { stiffness, alpha, damper_n_s_per_m } => {
                let unit = damping_unit_n_s_per_m(stiffness, alpha, mass_kg, v_m_per_s);
                grid::restitution(damper_n_s_per_m / unit, alpha)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COR: Cor = Cor { e_min: 0.5, v_capture_m_per_s: 0.02, v_plastic_m_per_s: 0.1 };

    #[test]
    fn below_capture_nothing_comes_back() {
        let damper = Rebound::HertzDamper { stiffness: 1e7, alpha: 1.0, damper_n_s_per_m: 20.0 };
        for rebound in [Rebound::Given, Rebound::HuntCrossley { mu_s_per_m: 0.5 }, damper] {
            assert_eq!(rebound.at(&COR, 0.1, 0.0199), 0.0, "{rebound:?}");
            assert!(rebound.at(&COR, 0.1, 0.02) > 0.5, "{rebound:?}");
        }
    }

    #[test]
    fn each_kind_has_its_own_law() {
        assert_eq!(Rebound::Given.at(&COR, 0.1, 0.05), COR.at(0.05));
        // E = 1 - 2u/3 + 4u^2/9 - ... with u = mu v.
        let soft = Rebound::HuntCrossley { mu_s_per_m: 0.01 }.at(&COR, 0.1, 0.5);
        assert!(
            (soft - (1.0 - 2.0 / 3.0 * 0.005 + 4.0 / 9.0 * 0.005f64.powi(2))).abs() < 1e-7,
            "{soft}"
        );
        // The linear contact: e = exp(-2 xi acos(xi)/sqrt(1 - xi^2)), xi = c/(2 sqrt(k m)),
        // whatever the speed.
        let (stiffness, mass_kg, damper_n_s_per_m) = (1e6, 0.09, 60.0);
        let xi: f64 = damper_n_s_per_m / (2.0 * f64::sqrt(stiffness * mass_kg));
        let exact = (-2.0 * xi * xi.acos() / (1.0 - xi * xi).sqrt()).exp();
        for v in [0.03, 2.0] {
            let e = Rebound::HertzDamper { stiffness, alpha: 1.0, damper_n_s_per_m }
                .at(&COR, mass_kg, v);
            assert!((e - exact).abs() < 1e-5, "{e}, not {exact}");
        }
    }

    #[test]
    fn numbers_stay_in_range() {
        let of = |stiffness, alpha, damper_n_s_per_m| Rebound::HertzDamper {
            stiffness,
            alpha,
            damper_n_s_per_m,
        };
        assert_eq!(of(0.0, 0.0, -1.0).within_limits(), of(1e3, 1.0, 0.0));
        assert_eq!(of(1e12, 9.0, 1e9).within_limits(), of(1e11, 3.5, 1e6));
        assert_eq!(of(f64::NAN, f64::NAN, f64::NAN).within_limits(), of(1e3, 1.0, 0.0));
        assert_eq!(of(1e6, 2.0, 5.0).within_limits(), of(1e6, 2.0, 5.0));
        let mu = |mu_s_per_m| Rebound::HuntCrossley { mu_s_per_m };
        assert_eq!((mu(9.0).within_limits(), mu(-1.0).within_limits()), (mu(5.0), mu(0.0)));
    }
}
