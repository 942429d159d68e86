//! What a contact is told before it begins, and the ranges in which it is sure to stay finite.

use super::law::HuntCrossley;
use super::restitution;

/// How the motion is stepped while in contact.
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
    /// Solved by power series in the contact's own units, with the closed forms at both ends.
    #[default]
    Exact,
    /// Exact flow under a constant force with a discrete gradient: cannot make energy, keeps
    /// gravity.
    Passive,
}

impl Integrator {
    /// All of them, the paper's four first.
    pub const ALL: [Integrator; 6] = [
        Integrator::Am1,
        Integrator::Verlet,
        Integrator::Heun,
        Integrator::Rk4,
        Integrator::Exact,
        Integrator::Passive,
    ];
}

/// What the velocity is held to when the mass comes off.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Release {
    /// Nothing: whatever the integrator arrives at.
    Free,
    /// The paper's approximation, eq. (7), where its error is below the threshold; else nothing.
    Approximate,
    /// The exact root of eq. (6).
    #[default]
    Exact,
}

/// Which force law.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Law {
    /// `f = k x^alpha (1 + mu v)`.
    #[default]
    HuntCrossley,
    /// `f = c v + k x^alpha` until the force is gone: a Hertz spring beside a linear damper.
    HertzDamper,
}

/// Where the linear damper's c comes from when it follows a wanted restitution.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DamperFit {
    /// The solution of the equation of motion: restitution within 1e-6.
    #[default]
    Exact,
    /// The closed form of Poursina and Nikravesh: within 0.0035.
    ClosedForm,
}

/// What becomes of the dent that the linear damper leaves at zero force: the paper's two readings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dent {
    /// It goes on recovering behind the mass: the surface is where it was when the mass comes back.
    #[default]
    Recovers,
    /// It stays: the surface is from now on where the mass left it.
    Stays,
}

/// Whether a striker feels what it strikes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Coupling {
    /// It meets a wall; what the wall was given then drives the body.
    #[default]
    Rigid,
    /// Striker and body move each other: [`CoupledSolver`](super::CoupledSolver), by the Passive
    /// scheme whatever the integrator.
    CoupledSolver,
}

/// Steps per sample during contact.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Oversampling {
    /// One for the paper's four, as in the paper; for Passive as many as the contact's length asks,
    /// for Exact one or two.
    #[default]
    Auto,
    /// A fixed number, rounded up to a power of two.
    Times(u32),
}

/// Everything a contact is told. Latched at onset: a change acts from the next contact on, so that
/// none can tear a contact apart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactSettings {
    /// Which force law.
    pub kind: Law,
    /// Its numbers: k and alpha of either law, mu of Hunt–Crossley.
    pub law: HuntCrossley,
    /// c of the linear damper, N s/m.
    pub damper_n_s_per_m: f64,
    /// Wanted restitution, 0...1. With it mu or c is set anew at each onset from the speed there,
    /// whatever was entered for them; without it they are fixed.
    pub restitution: Option<f64>,
    /// How c follows a wanted restitution.
    pub fit: DamperFit,
    /// What the linear damper leaves behind.
    pub dent: Dent,
    /// Whether it feels what it strikes. Not heeded here: it says which engine the settings are
    /// for.
    pub coupling: Coupling,
    /// The striking mass, kg.
    pub mass_kg: f64,
    /// How it is stepped.
    pub integrator: Integrator,
    /// Take the compression from the velocity through eq. (3). Passive has no use for it.
    pub hybrid: bool,
    /// Constraint on the release velocity. Passive has no use for it.
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

/// Fastest a mass may arrive or leave, m/s. Coarse steps of a plain integrator can throw a mass off
/// at any speed; without an end to it the next contact would overflow.
pub const SPEED_LIMIT_M_PER_S: f64 = 1e3;

/// Slowest onset that is a contact at all, m/s.
pub const SLOWEST_ONSET_M_PER_S: f64 = 1e-9;

/// Most steps per sample: contacts of 1e-4 sample (the hardest allowed at 1 kHz) still get their 32
/// steps.
pub const MAX_STEPS_PER_SAMPLE: u32 = 1 << 22;

impl ContactSettings {
    /// The same with every number inside the range in which all of them together stay finite.
    ///
    /// k 1e3...1e11, mu 0...5 s/m, alpha 1...3.5, c 0...1e6 N s/m, e 1e-4...1, m 10 mg...100 kg,
    /// gravity 0...1e4 m/s^2; what is not a number becomes the default.
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
    fn numbers_come_to_the_ends_of_their_ranges_and_nan_to_the_default() {
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
        // Perfectly bouncy, where nobody can say how bouncy.
        assert_eq!(
            all(f64::NAN).within_limits(),
            ContactSettings { restitution: Some(1.0), ..ContactSettings::default() }
        );
        assert_eq!(ContactSettings::default().within_limits(), ContactSettings::default());
    }
}
