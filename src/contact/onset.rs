//! The damping of one contact, settled when it begins.

use super::law::{HuntCrossley, Spring};
use super::restitution::rebound::{self, Rebound};
use super::restitution::{self, fit, grid, hunt_crossley};
use super::settings::{ContactSettings, DamperFit, Law};

/// The law as one contact has it: no longer "how bouncy", but with its coefficient.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Onset {
    /// k and alpha; mu, which is 0 beside a linear damper.
    pub law: HuntCrossley,
    /// c of the linear damper, N s/m; none with Hunt–Crossley.
    pub damper_n_s_per_m: Option<f64>,
}

impl ContactSettings {
    /// Settle the damping for a contact that begins with `v_in_m_per_s > 0`. For settings within
    /// their limits.
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

impl Onset {
    /// The coefficient of the law: mu in s/m, or c in N s/m.
    pub fn damping(&self) -> f64 {
        self.damper_n_s_per_m.unwrap_or(self.law.mu_s_per_m)
    }

    /// Ready for evaluation.
    pub fn spring(&self) -> Spring {
        self.law.prepare().with_damper(self.damper_n_s_per_m.unwrap_or(0.0))
    }

    /// The whole contact of spring and linear damper, solved ahead with the given error, in SI
    /// units: times in s, compressions in m, e without a unit.
    pub fn rebound(&self, mass_kg: f64, v_in_m_per_s: f64, tolerance: f64) -> Rebound {
        let HuntCrossley { stiffness, alpha, .. } = self.law;
        let length_m = restitution::length_unit_m(stiffness, alpha, mass_kg, v_in_m_per_s);
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
