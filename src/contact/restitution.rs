//! Damping from restitution: computes the damping coefficient that yields a wanted restitution.
//!
//! Start at [`ContactSettings::at_onset`], which every contact calls once when it begins. For a
//! wanted restitution e it chooses by the force law:
//!
//! - Hunt–Crossley `f = k x^alpha (1 + mu v)`: the exact mu, [`hunt_crossley::mu_s_per_m`], eqs.
//!   (18)–(19);
//! - Hertz spring with a linear damper `f = c v + k x^n`, which releases at zero force: the exact c
//!   from a table of solved contacts, [`grid::damper_n_s_per_m`], or the closed form of the paper,
//!   [`fit::damper_n_s_per_m`], eqs. (46)–(49).
//!
//! "The paper" is Poursina and Nikravesh, "Optimal damping coefficient for a class of continuous
//! contact models". [`rebound`] solves the second contact numerically; the table is made with it.
//! [`Estimate`] and [`kelvin_voigt`] are results of the literature, for comparison only.

pub mod grid;
mod literature;
pub mod rebound;

use super::law::{HuntCrossley, Spring};
use super::settings::{ContactSettings, DamperFit, Law};
pub use literature::{Estimate, kelvin_voigt};
use rebound::Rebound;

/// Lowest restitution; lower ones are raised to it.
///
/// At e = 0 both laws need an infinite coefficient. 1e-4 of the speed is 1e-8 of the energy (-80
/// dB), which is inaudible, and every coefficient stays finite.
pub const LOWEST_E: f64 = 1e-4;

/// Clamps a wanted restitution to `LOWEST_E ... 1`; NaN becomes 1.
pub fn within_limits(e: f64) -> f64 {
    if e.is_nan() { 1.0 } else { e.clamp(LOWEST_E, 1.0) }
}

impl ContactSettings {
    /// Chooses the damping of a contact that begins with `v_in_m_per_s > 0`. The settings must be
    /// within their limits.
    pub fn at_onset(&self, v_in_m_per_s: f64) -> Onset {
        match self.kind {
            Law::HuntCrossley => {
                let mu_s_per_m = self
                    .restitution
                    .map_or(self.law.mu_s_per_m, |e| hunt_crossley::mu_s_per_m(e, v_in_m_per_s));
                Onset { law: HuntCrossley { mu_s_per_m, ..self.law }, damper_n_s_per_m: None }
            }
            Law::HertzDamper => {
                let HuntCrossley { stiffness, alpha, .. } = self.law;
                let damper = self.restitution.map_or(self.damper_n_s_per_m, |e| {
                    let of_e = match self.fit {
                        DamperFit::Exact => grid::damper_n_s_per_m,
                        DamperFit::ClosedForm => fit::damper_n_s_per_m,
                    };
                    of_e(e, stiffness, alpha, self.mass_kg, v_in_m_per_s)
                });
                Onset {
                    law: HuntCrossley { mu_s_per_m: 0.0, ..self.law },
                    damper_n_s_per_m: Some(damper),
                }
            }
        }
    }
}

/// The force law of one contact, with the damping coefficient chosen at its onset.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Onset {
    /// k and alpha; mu, which is 0 with a linear damper.
    pub law: HuntCrossley,
    /// c of the linear damper, N s/m; `None` with Hunt–Crossley.
    pub damper_n_s_per_m: Option<f64>,
}

impl Onset {
    /// The damping coefficient of the law: mu in s/m, or c in N s/m.
    pub fn damping(&self) -> f64 {
        self.damper_n_s_per_m.unwrap_or(self.law.mu_s_per_m)
    }

    /// The law prepared for evaluation.
    pub fn spring(&self) -> Spring {
        self.law.prepare().with_damper(self.damper_n_s_per_m.unwrap_or(0.0))
    }

    /// Solves the whole contact of spring and linear damper with the given error, in SI units.
    pub fn rebound(&self, mass_kg: f64, v_in_m_per_s: f64, tolerance: f64) -> Rebound {
        let HuntCrossley { stiffness, alpha, .. } = self.law;
        let length_m = length_unit_m(stiffness, alpha, mass_kg, v_in_m_per_s);
        let time_s = length_m / v_in_m_per_s;
        let c = self.damper_n_s_per_m.unwrap_or(0.0) * time_s / mass_kg;
        let bare = rebound::solve(c, alpha, tolerance);
        Rebound {
            e: bare.e,
            time_in: bare.time_in * time_s,
            time: bare.time * time_s,
            x_max: bare.x_max * length_m,
            x_separation: bare.x_separation * length_m,
        }
    }
}

/// Unit of damping of a contact, `[k v_in^(n-1) m^n]^(1/(n+1))` of eq. (34), N s/m.
///
/// With lengths in `(m v_in^2/k)^(1/(n+1))` and velocities in v_in the contact obeys
/// `x'' + C x' + x^n = 0`, `x'(0) = 1`, and `c` is `C` times this unit.
pub fn damping_unit_n_s_per_m(
    stiffness: f64,
    exponent: f64,
    mass_kg: f64,
    v_in_m_per_s: f64,
) -> f64 {
    mass_kg * v_in_m_per_s / length_unit_m(stiffness, exponent, mass_kg, v_in_m_per_s)
}

/// Unit of length of a contact, `(m v_in^2/k)^(1/(n+1))`, m.
pub fn length_unit_m(stiffness: f64, exponent: f64, mass_kg: f64, v_in_m_per_s: f64) -> f64 {
    (mass_kg * v_in_m_per_s * v_in_m_per_s / stiffness).powf(1.0 / (exponent + 1.0))
}

/// The exact mu of the Hunt–Crossley law, eqs. (18)–(19) of the paper.
pub mod hunt_crossley {
    use crate::contact::release;

    /// Newton steps. Three reach rounding from this start for every e; two are spare.
    const STEPS: u32 = 5;

    /// mu (s/m) for a wanted e at `v_in_m_per_s`, `0 < e <= 1`.
    pub fn mu_s_per_m(e: f64, v_in_m_per_s: f64) -> f64 {
        u_of_restitution(e) / v_in_m_per_s
    }

    /// `u = mu v_in` that yields restitution e, for `0 < e <= 1`.
    ///
    /// Eqs. (18)–(19) with d = e u are the release equation `ln((1+u)/(1-e u)) = u (1+e)`, which
    /// [`release::exact`] solves for e. This function inverts it: 1/E is nearly straight in u (its
    /// slope goes from 2/3 to 1), so Newton's method on `1/E(u) - 1/e` always converges. The result
    /// is exact to rounding for every e down to 1e-4, where u is 1/e to all digits; (19) itself has
    /// lost `1 - d` to rounding below e = 0.03.
    pub fn u_of_restitution(e: f64) -> f64 {
        if e >= 1.0 {
            return 0.0;
        }
        let mut u = (1.0 - e) * (1.0 / e + 0.5);
        for _ in 0..STEPS {
            let point = release::exact(u);
            let got = point.restitution;
            let step = (got - e) / (got * e) / inverse_slope(u, got, point.remainder);
            u = (u + step).max(0.0);
            // Each step squares the error: the next one would be rounding.
            if step.abs() < 1e-9 * u {
                break;
            }
        }
        u
    }

    /// d(1/E)/du, from `z dz/(1-z) = u du/(1+u)` with z = u E.
    fn inverse_slope(u: f64, e: f64, remainder: f64) -> f64 {
        if u < 1e-4 {
            // E = 1 - 2u/3 + 4u^2/9 - ...; the difference below would be rounding.
            return 2.0 / 3.0;
        }
        (e - remainder / (e * (1.0 + u))) / (u * e * e)
    }
}

/// The paper's closed form for the linear damper, eqs. (46)–(49).
pub mod fit {
    /// Range of the exponents that were fitted; the polynomials diverge beyond it, so others are
    /// clamped.
    pub const EXPONENTS: (f64, f64) = (1.0, 2.0);

    /// alpha of eq. (46).
    pub fn alpha(n: f64) -> f64 {
        let n = n.clamp(EXPONENTS.0, EXPONENTS.1);
        1.794 + n * (-2.306 + n * (3.077 + n * (-1.48 + n * 0.3331)))
    }

    /// beta of eq. (47).
    pub fn beta(n: f64) -> f64 {
        1.285 * n.clamp(EXPONENTS.0, EXPONENTS.1).powf(0.2553) - 1.725
    }

    /// Dimensionless damping `C = alpha (e^beta - 1)`, eq. (45); `0 < e <= 1`.
    ///
    /// The restitution is within 0.0035 of e for e from 0.01 to 0.99 and n from 1 to 2 (the
    /// authors' Fig. 8).
    pub fn damping(e: f64, n: f64) -> f64 {
        alpha(n) * (e.powf(beta(n)) - 1.0)
    }

    /// `c_opt` of eq. (49), N s/m.
    pub fn damper_n_s_per_m(
        e: f64,
        stiffness: f64,
        n: f64,
        mass_kg: f64,
        v_in_m_per_s: f64,
    ) -> f64 {
        damping(e, n) * super::damping_unit_n_s_per_m(stiffness, n, mass_kg, v_in_m_per_s)
    }
}
