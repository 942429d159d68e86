//! The blow that is levelled, as a pulse against a wall.

use std::f64::consts::PI;

use super::super::macros;
use super::super::shape::Point;
use crate::contact::{HuntCrossley, release};

/// Energy of the blow that is levelled, J: 20 g at 3 m/s.
pub const REFERENCE_J: f64 = 0.09;
/// Hardness of the blow that is levelled.
const REFERENCE_HARDNESS: f64 = 0.5;

/// Spectrum of a half-sine of duration T at `turns` = f T, 1 at 0: `cos(pi x)/(1 - 4 x^2)`.
pub(super) fn half_sine(turns: f64) -> f64 {
    let away = 1.0 - 4.0 * turns * turns;
    if away.abs() < 1e-6 { 0.25 * PI } else { (PI * turns).cos() / away }
}

/// psi'(x) for x of 1 and above, to 1e-3.
fn trigamma(x: f64) -> f64 {
    1.0 / x + 0.5 / (x * x) + (1.0 / 6.0) / (x * x * x) - (1.0 / 30.0) / x.powi(5)
}

/// The blow that is levelled.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReferenceBlow {
    /// The striking mass, kg.
    pub striker_kg: f64,
    /// Mass of the body, kg.
    pub body_kg: f64,
    /// Exponent of the contact.
    pub alpha: f64,
    /// Length scale of striker and body.
    pub length: f64,
    /// Dissipation mu of the contact, s/m; 0 where the loss does not depend on the speed.
    pub mu_s_per_m: f64,
    /// Where it falls.
    pub point: Point,
    /// The body gives way to it.
    pub two_way: bool,
}

impl ReferenceBlow {
    /// Speed at which it falls, m/s.
    pub(super) fn speed_m_per_s(&self) -> f64 {
        (2.0 * REFERENCE_J / self.striker_kg).sqrt()
    }

    /// Impulse of a full rebound from a wall, N s, less what Size takes from it.
    ///
    /// A small striker of the same energy is fast, and `f = k x^alpha (1 + mu v)` takes more from a fast one: its impulse is
    /// `(1 + e)/(1 + e_1)` of that at size 1, e and e_1 the restitutions. Its push begins the more abruptly, which makes up for
    /// none of that in a dull body and for most of it in a bright one: counted is half, in decibels. Dissipation itself
    /// keeps its effect.
    pub(super) fn impulse_ns(&self) -> f64 {
        let own = 1.0 + release::exact(self.mu_s_per_m * self.speed_m_per_s()).restitution;
        2.0 * self.striker_kg * self.speed_m_per_s() * (own / self.rebound_at_size_1()).sqrt()
    }

    /// 1 + e of the same blow at size 1.
    pub(super) fn rebound_at_size_1(&self) -> f64 {
        let speed_m_per_s = self.speed_m_per_s() * self.length.powf(1.5);
        1.0 + release::exact(self.mu_s_per_m * speed_m_per_s).restitution
    }

    /// How long the striker is on a wall, without dissipation, s.
    pub(super) fn contact_s(&self) -> f64 {
        let faster = self.speed_m_per_s().powf((1.0 - self.alpha) / (1.0 + self.alpha));
        macros::contact_time_s(REFERENCE_HARDNESS) * self.length * faster
    }

    /// Duration of the half-sine that stands for the contact, s.
    ///
    /// The force goes about as `sin^alpha`, which is narrower than a half-sine of the same duration; its variance is
    /// `psi'(1 + alpha/2)/(2 pi^2)` of the duration squared, and the half-sine is given the same.
    pub(super) fn pulse_s(&self) -> f64 {
        self.contact_s() * (trigamma(1.0 + 0.5 * self.alpha) / trigamma(1.5)).sqrt()
    }

    /// The law of its contact.
    pub(super) fn law(&self) -> HuntCrossley {
        let contact_s = macros::contact_time_s(REFERENCE_HARDNESS) * self.length;
        let stiffness = macros::stiffness(contact_s, self.striker_kg, self.alpha);
        HuntCrossley { stiffness, mu_s_per_m: self.mu_s_per_m, alpha: self.alpha }
    }
}

/// Duration of the half-sine whose variance is `variance_s2`, s: that of a half-sine is `psi'(3/2)/(2 pi^2)` of its duration
/// squared.
pub(super) fn half_sine_of_s(variance_s2: f64) -> f64 {
    (2.0 * PI * PI * variance_s2 / trigamma(1.5)).sqrt()
}
