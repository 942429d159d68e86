//! The blow that is levelled: as a pulse against a wall, and as it meets a body that gives way.

use std::f64::consts::PI;

use super::super::macros;
use super::super::shape::Point;
use super::rehearsal::Meeting;
use crate::contact::restitution::{damping_unit_n_s_per_m, grid};
use crate::contact::{ContactSettings, HuntCrossley, Law, release};

/// Energy of the blow that is levelled, J: 20 g at 3 m/s.
pub const REFERENCE_J: f64 = 0.09;
/// Hardness of the blow that is levelled.
const REFERENCE_HARDNESS: f64 = 0.5;
/// Its contact at 1 m/s lasts no longer than this share of a period of the body's pitch. A felt of the reference hardness on
/// something tiny would be all but silent; made up for, a hard blow on it would be fifty times too loud.
const LONGEST_PERIODS: f64 = 0.75;
/// Contacts whose times are not further apart than this ratio are equally hard.
const ALIKE: f64 = 0.98;
/// A striker of more than this share of the body's mass is heavy.
const HEAVY: f64 = 0.2;
/// Slowest blow that is rehearsed, m/s: one that only grazes is levelled as if it were this.
const SLOWEST_M_PER_S: f64 = 1e-3;
/// How much of what dissipation takes is heard, in decibels. A dissipating contact gives less, but begins more abruptly, which makes
/// up for about a tenth of it.
const HEARD_OF_LOSS: f64 = 0.9;

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
    /// Nominal pitch of the body, Hz.
    pub pitch_hz: f64,
    /// Dissipation mu of the contact, s/m; 0 where the loss does not depend on the speed.
    pub mu_s_per_m: f64,
    /// Where it falls.
    pub point: Point,
    /// How long it is on a wall at 1 m/s, s, if it may be louder for that than the reference: see [`own_at_1_s`].
    pub own_at_1_s: Option<f64>,
    /// The striker that feels the body give way; none against a wall.
    pub felt: Option<FeltBlow>,
}

/// How long a contact takes against a wall at 1 m/s, without dissipation, s, if it may be louder than one of the reference hardness:
/// one that is shorter, and on a body of `felt_kg` that gives way any. A heavy striker takes back from a light body what it gave, and
/// a softer one may take back less. `length` and `pitch_hz` as in [`ReferenceBlow`].
pub fn own_at_1_s(contact: &ContactSettings, length: f64, pitch_hz: f64, felt_kg: Option<f64>) -> Option<f64> {
    let contact = contact.within_limits();
    let HuntCrossley { stiffness, alpha, .. } = contact.law;
    let own_s = macros::contact_of_stiffness_s(stiffness, contact.mass_kg, alpha);
    let share = own_s / contact_at_1_s(length, pitch_hz);
    let is_light = felt_kg.is_some_and(|body_kg| contact.mass_kg > HEAVY * body_kg);
    (share < ALIKE || is_light && share > 1.0 / ALIKE).then_some(own_s)
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
        let rebound = |speed_m_per_s: f64| 1.0 + release::exact(self.mu_s_per_m * speed_m_per_s).restitution;
        let speed_m_per_s = self.speed_m_per_s();
        let lost = rebound(speed_m_per_s) / rebound(speed_m_per_s * self.length.powf(1.5));
        2.0 * self.striker_kg * speed_m_per_s * lost.sqrt()
    }

    /// Duration of the half-sine that stands for the contact with a wall, s.
    pub(super) fn pulse_s(&self) -> f64 {
        self.pulse_of_s(contact_at_1_s(self.length, self.pitch_hz))
    }

    /// The same of its own contact, if that may be louder than the reference.
    pub(super) fn own_pulse_s(&self) -> Option<f64> {
        self.own_at_1_s.map(|at_1_s| self.pulse_of_s(at_1_s))
    }

    fn pulse_of_s(&self, at_1_s: f64) -> f64 {
        pulse_s(self.alpha, contact_s(self.alpha, at_1_s, self.speed_m_per_s()))
    }
}

/// How long a striker that suits the body is on a wall at 1 m/s, without dissipation, s.
fn contact_at_1_s(length: f64, pitch_hz: f64) -> f64 {
    (macros::contact_time_s(REFERENCE_HARDNESS) * length).min(LONGEST_PERIODS / pitch_hz)
}

/// The same at another speed.
fn contact_s(alpha: f64, at_1_s: f64, speed_m_per_s: f64) -> f64 {
    at_1_s * speed_m_per_s.powf((1.0 - alpha) / (1.0 + alpha))
}

/// Duration of the half-sine that stands for a contact, s.
///
/// The force goes about as `sin^alpha`, which is narrower than a half-sine of the same duration; its variance is
/// `psi'(1 + alpha/2)/(2 pi^2)` of the duration squared, and the half-sine is given the same.
fn pulse_s(alpha: f64, contact_s: f64) -> f64 {
    contact_s * (trigamma(1.0 + 0.5 * alpha) / trigamma(1.5)).sqrt()
}

/// A blow as it falls at full velocity: where the body gives way, what comes of it is not in proportion to its speed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FeltBlow {
    /// Mass, law and damping of the contact, of the reference hardness.
    contact: ContactSettings,
    length: f64,
    contact_at_1_s: f64,
    speed_m_per_s: f64,
}

impl FeltBlow {
    /// Of a striker of this mass, law and damping, made `length` times as large as at size 1, on a body of this pitch.
    pub fn new(contact: &ContactSettings, length: f64, pitch_hz: f64, speed_m_per_s: f64) -> Self {
        let ContactSettings { kind, law, damper_n_s_per_m, restitution, fit, dent, mass_kg, .. } = *contact;
        let contact_at_1_s = contact_at_1_s(length, pitch_hz);
        let law = HuntCrossley { stiffness: macros::stiffness(contact_at_1_s, mass_kg, law.alpha), ..law };
        // What has no say is left alone, so that turning it changes nothing here either.
        let mut felt = ContactSettings { kind, law, restitution, fit, dent, mass_kg, ..ContactSettings::default() };
        match (kind, restitution) {
            (Law::HuntCrossley, None) => {}
            (Law::HertzDamper, None) => (felt.damper_n_s_per_m, felt.law.mu_s_per_m) = (damper_n_s_per_m, 0.0),
            (_, Some(_)) => felt.law.mu_s_per_m = 0.0,
        }
        let speed_m_per_s = speed_m_per_s.max(SLOWEST_M_PER_S);
        Self { contact: felt.within_limits(), length, contact_at_1_s, speed_m_per_s }
    }

    /// The same with a contact that lasts so long against a wall at 1 m/s.
    pub(super) fn lasting(&self, at_1_s: Option<f64>) -> Option<Self> {
        let contact_at_1_s = at_1_s?;
        let ContactSettings { law, mass_kg, .. } = self.contact;
        let law = HuntCrossley { stiffness: macros::stiffness(contact_at_1_s, mass_kg, law.alpha), ..law };
        Some(Self { contact: ContactSettings { law, ..self.contact }.within_limits(), contact_at_1_s, ..*self })
    }

    pub(super) fn contact(&self) -> &ContactSettings {
        &self.contact
    }

    pub(super) fn speed_m_per_s(&self) -> f64 {
        self.speed_m_per_s
    }

    /// How long it would be on a wall, without dissipation, s.
    pub(super) fn contact_s(&self) -> f64 {
        contact_s(self.contact.law.alpha, self.contact_at_1_s, self.speed_m_per_s)
    }

    /// Duration of the half-sine that stands for its contact with a wall, s.
    pub(super) fn pulse_s(&self) -> f64 {
        pulse_s(self.contact.law.alpha, self.contact_s())
    }

    /// Duration of the half-sine that stands for its contact with what it meets, s, and its impulse, N s.
    pub(super) fn pulse_of(&self, meeting: &Meeting) -> (f64, f64) {
        let impulse_ns = 2.0 * self.contact.mass_kg * self.speed_m_per_s / (1.0 + meeting.lightness);
        (pulse_s(self.contact.law.alpha, meeting.contact_s), impulse_ns)
    }

    /// What it would be heard at, had it the reference energy and lost nothing to a wall at size 1, per what it is heard at:
    /// loudness goes with the root of the energy, and dissipation keeps its effect.
    pub(super) fn to_reference(self) -> f64 {
        let energy_j = 0.5 * self.contact.mass_kg * self.speed_m_per_s * self.speed_m_per_s;
        (REFERENCE_J / energy_j).sqrt() * (2.0 / (1.0 + self.restitution_at_size_1())).powf(HEARD_OF_LOSS)
    }

    /// Of a wall.
    fn restitution_at_size_1(&self) -> f64 {
        let ContactSettings { kind, law, damper_n_s_per_m, restitution, mass_kg, .. } = self.contact;
        // The same energy at size 1: masses go with the cube.
        let speed_m_per_s = self.speed_m_per_s * self.length.powf(1.5);
        match (restitution, kind) {
            (Some(e), _) => e,
            (None, Law::HuntCrossley) => release::exact(law.mu_s_per_m * speed_m_per_s).restitution,
            (None, Law::HertzDamper) => {
                let (stiffness, mass_kg) =
                    (law.stiffness * self.length.powf(law.alpha - 2.0), mass_kg / self.length.powi(3));
                let unit_n_s_per_m = damping_unit_n_s_per_m(stiffness, law.alpha, mass_kg, speed_m_per_s);
                grid::restitution(damper_n_s_per_m / unit_n_s_per_m, law.alpha)
            }
        }
    }
}

/// Duration of the half-sine whose variance is `variance_s2`, s: that of a half-sine is `psi'(3/2)/(2 pi^2)` of its duration
/// squared.
pub(super) fn half_sine_of_s(variance_s2: f64) -> f64 {
    (2.0 * PI * PI * variance_s2 / trigamma(1.5)).sqrt()
}
