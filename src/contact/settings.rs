//! Settings of a contact, and the ranges in which it stays finite.

use super::law::HuntCrossley;
use super::restitution;

/// How the motion in contact is integrated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Integrator {
    /// One-step Adams–Moulton (trapezoid rule, K-method with Newton), eq. (23).
    Am1,
    /// Velocity Verlet, eq. (24).
    Verlet,
    /// Heun, eq. (25).
    Heun,
    /// Fourth-order Runge–Kutta, eq. (26).
    Rk4,
    /// Power series in dimensionless units, with the closed forms at both ends.
    #[default]
    Exact,
    /// Exact flow under a constant force with a discrete gradient: never gains energy, and gravity
    /// acts in contact.
    Passive,
}

impl Integrator {
    /// All integrators, the paper's four first.
    pub const ALL: [Integrator; 6] = [
        Integrator::Am1,
        Integrator::Verlet,
        Integrator::Heun,
        Integrator::Rk4,
        Integrator::Exact,
        Integrator::Passive,
    ];
}

/// Constraint on the release velocity.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Release {
    /// None: the result of the integrator.
    Free,
    /// The paper's approximation, eq. (7), where its error is below the threshold; else none.
    Approximate,
    /// The exact root of eq. (6).
    #[default]
    Exact,
}

/// Force law.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Law {
    /// `f = k x^alpha (1 + mu v)`.
    #[default]
    HuntCrossley,
    /// `f = c v + k x^alpha` until the force is zero: a Hertz spring with a linear damper.
    HertzDamper,
}

/// How the linear damper's c is computed from a wanted restitution.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DamperFit {
    /// The solution of the equation of motion: restitution within 1e-6.
    #[default]
    Exact,
    /// The closed form of Poursina and Nikravesh: within 0.0035.
    ClosedForm,
}

/// Fate of the dent that the linear damper leaves at zero force: the paper's two interpretations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dent {
    /// It recovers: when the mass returns, the surface is where it was.
    #[default]
    Recovers,
    /// It stays: the surface is where the mass left it.
    Stays,
}

/// Whether the surface pushes the striker back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Coupling {
    /// The striker meets a wall, and the force on the wall drives the body.
    #[default]
    Rigid,
    /// Striker and body move each other ([`CoupledSolver`](super::CoupledSolver)), always with the
    /// Passive scheme.
    CoupledSolver,
}

/// Steps per sample during contact.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Oversampling {
    /// One for the paper's four, as in the paper; for Passive depending on the contact time; for
    /// Exact one or two.
    #[default]
    Auto,
    /// A fixed number, rounded up to a power of two.
    Times(u32),
}

/// Settings of a contact. They are latched at onset: a change acts from the next contact on, so
/// that it never disrupts a contact under way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactSettings {
    /// Force law.
    pub kind: Law,
    /// k and alpha of either law, mu of Hunt–Crossley.
    pub law: HuntCrossley,
    /// c of the linear damper, N s/m.
    pub damper_n_s_per_m: f64,
    /// Wanted restitution, 0...1. If set, mu or c follows at each onset from the speed there;
    /// otherwise they are fixed.
    pub restitution: Option<f64>,
    /// How c is computed from a wanted restitution.
    pub fit: DamperFit,
    /// Fate of the dent of the linear damper.
    pub dent: Dent,
    /// Whether the surface pushes back: selects the solver, and is not used by it.
    pub coupling: Coupling,
    /// Striker mass, kg.
    pub mass_kg: f64,
    /// Integrator of a rigid contact.
    pub integrator: Integrator,
    /// Compute the compression from the velocity by eq. (3). Passive ignores it.
    pub hybrid: bool,
    /// Constraint on the release velocity. Passive ignores it.
    pub release: Release,
    /// Largest error (%) of eq. (7) up to which [`Release::Approximate`] acts.
    pub threshold_pct: f64,
    /// Steps per sample.
    pub steps_per_sample: Oversampling,
    /// Acceleration towards the surface, m/s^2: in flight, and in contact with Passive only.
    pub gravity_m_per_s2: f64,
}

impl Default for ContactSettings {
    fn default() -> Self {
        Self {
            kind: Law::HuntCrossley,
            law: HuntCrossley { stiffness: 1e7, mu_s_per_m: 0.5, alpha: 1.5 },
            damper_n_s_per_m: 50.0,
            restitution: None,
            fit: DamperFit::Exact,
            dent: Dent::Recovers,
            coupling: Coupling::Rigid,
            mass_kg: 0.01,
            integrator: Integrator::Exact,
            hybrid: true,
            release: Release::Exact,
            threshold_pct: 0.1,
            steps_per_sample: Oversampling::Auto,
            gravity_m_per_s2: 0.0,
        }
    }
}

/// Maximum speed of a mass, m/s. Coarse explicit steps can eject a mass at any speed, and the next
/// contact would overflow.
pub const SPEED_LIMIT_M_PER_S: f64 = 1e3;

/// Minimum speed of an onset, m/s.
pub const SLOWEST_ONSET_M_PER_S: f64 = 1e-9;

/// Maximum steps per sample: contacts of 1e-4 sample (the hardest allowed at 1 kHz) still get their
/// 32 steps.
pub const MAX_STEPS_PER_SAMPLE: u32 = 1 << 22;

impl ContactSettings {
    /// Clamps every number to the range in which all results stay finite.
    ///
    /// k 1e3...1e11, mu 0...5 s/m, alpha 1...3.5, c 0...1e6 N s/m, e 1e-4...1, m 10 mg...100 kg,
    /// gravity 0...1e4 m/s^2; NaN becomes the default.
    pub fn within_limits(&self) -> Self {
        let default = Self::default();
        let keep = |value: f64, low: f64, high: f64, otherwise: f64| {
            if value.is_nan() { otherwise } else { value.clamp(low, high) }
        };
        Self {
            law: HuntCrossley {
                stiffness: keep(self.law.stiffness, 1e3, 1e11, default.law.stiffness),
                mu_s_per_m: keep(self.law.mu_s_per_m, 0.0, 5.0, default.law.mu_s_per_m),
                alpha: keep(self.law.alpha, 1.0, 3.5, default.law.alpha),
            },
            damper_n_s_per_m: keep(self.damper_n_s_per_m, 0.0, 1e6, default.damper_n_s_per_m),
            restitution: self.restitution.map(restitution::within_limits),
            mass_kg: keep(self.mass_kg, 1e-5, 1e2, default.mass_kg),
            gravity_m_per_s2: keep(self.gravity_m_per_s2, 0.0, 1e4, default.gravity_m_per_s2),
            ..*self
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(value: f64) -> ContactSettings {
        ContactSettings {
            law: HuntCrossley { stiffness: value, mu_s_per_m: value, alpha: value },
            damper_n_s_per_m: value,
            restitution: Some(value),
            mass_kg: value,
            gravity_m_per_s2: value,
            ..ContactSettings::default()
        }
    }

    #[test]
    fn numbers_are_clamped_and_nan_becomes_the_default() {
        let high = ContactSettings {
            law: HuntCrossley { stiffness: 1e11, mu_s_per_m: 5.0, alpha: 3.5 },
            damper_n_s_per_m: 1e6,
            restitution: Some(1.0),
            mass_kg: 1e2,
            gravity_m_per_s2: 1e4,
            ..ContactSettings::default()
        };
        let low = ContactSettings {
            law: HuntCrossley { stiffness: 1e3, mu_s_per_m: 0.0, alpha: 1.0 },
            damper_n_s_per_m: 0.0,
            restitution: Some(1e-4),
            mass_kg: 1e-5,
            gravity_m_per_s2: 0.0,
            ..ContactSettings::default()
        };
        assert_eq!(all(1e20).within_limits(), high);
        assert_eq!(all(-1e20).within_limits(), low);
        // NaN restitution is perfectly bouncy.
        assert_eq!(
            all(f64::NAN).within_limits(),
            ContactSettings { restitution: Some(1.0), ..ContactSettings::default() }
        );
        assert_eq!(ContactSettings::default().within_limits(), ContactSettings::default());
    }
}
