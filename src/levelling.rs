//! A closed-form estimate of the loudness of a strike, and the gain to the common level.
//!
//! Levelling acts on the sound, not on the physics. The reference strike of a patch is its own
//! striker at full velocity: mass, hardness and speed as set. Its force is a pulse of impulse `P =
//! m v (1 + e)` with the duration of the contact with a wall; mode i of a body of mass M gets a
//! velocity `P phi_strike phi_pickup/M` times the spectrum of the pulse. The squares are K-weighted
//! (ITU-R BS.1770) and summed over the 400 ms of momentary loudness ([`Kernel::loudness`]).
//!
//! A compliant body (two-way contact) is in series with the contact. With `x_i = omega_i T/2`,
//! modes that are slow compared with the contact time T act as masses, `1/m_b = sum(phi_i^2/M/(1 +
//! x_i^4))`, which reduce the effective mass and shorten the contact; fast modes act as springs,
//! `1/k_b = T^2/4 sum(phi_i^2/M x_i^2/(1 + x_i^4))`, which soften and lengthen it. The contact's
//! own spring is linearised: `1/k = T_wall^2/(pi^2 m)`.
//!
//! The estimate leaves out beating, the first milliseconds and repeated contacts. It levels the
//! keys of a patch, and bodies, sizes and materials, to within a few dB. *Trim* sets the level of
//! each patch exactly.

use std::f64::consts::PI;

use crate::body::kernel::LoudnessRows;
use crate::body::macros::contact_of_stiffness_s;
use crate::body::shape::Point;
use crate::body::{Kernel, Modes};
use crate::contact::restitution::{damping_unit_n_s_per_m, grid};
use crate::contact::{ContactSettings, Law, release};

/// The common level of all reference strikes, m/s (K-weighted): a plain steel bar of 400 g at A4.
const TARGET_M_PER_S: f64 = 0.25;
/// Range of the gain; beyond it almost nothing would be audible.
const GAIN: (f64, f64) = (1e-9, 1e4);
/// Minimum loudness of a strike or pickup on a node, as a share of the mean over the body (power,
/// -17 dB): the next strike may fall beside the node.
const FLOOR: f64 = 1.0 / 50.0;
/// Minimum speed of the reference strike, m/s.
const MIN_SPEED_M_PER_S: f64 = 1e-3;
/// Fixed-point iterations for the contact time and the modes that are compliant within it, which
/// depend on each other. More iterations change the spread over bodies by less than 1 dB.
const ROUNDS: usize = 5;

/// The strike whose loudness is estimated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReferenceBlow {
    /// Mass of the striker, kg.
    pub striker_kg: f64,
    /// Mass of the body, kg.
    pub body_kg: f64,
    /// Speed of the striker, m/s.
    pub speed_m_per_s: f64,
    /// Exponent of the contact law.
    pub alpha: f64,
    /// Duration of the contact with a wall without dissipation, s.
    pub contact_s: f64,
    /// Restitution against a wall.
    pub restitution: f64,
    /// Strike point.
    pub point: Point,
    /// Whether the body is compliant (two-way contact).
    pub is_coupled: bool,
}

/// Duration and effective mass of a contact.
struct ReferenceContact {
    time_s: f64,
    mass_kg: f64,
}

impl ReferenceBlow {
    /// Creates the strike of a striker with this contact and speed on a body of `body_kg`.
    pub fn new(
        contact: &ContactSettings,
        speed_m_per_s: f64,
        body_kg: f64,
        point: Point,
        is_coupled: bool,
    ) -> Self {
        let contact = contact.within_limits();
        // Also catches NaN.
        let speed_m_per_s = speed_m_per_s.max(MIN_SPEED_M_PER_S);
        let (mass_kg, alpha) = (contact.mass_kg, contact.law.alpha);
        let at_1_s = contact_of_stiffness_s(contact.law.stiffness, mass_kg, alpha);
        Self {
            striker_kg: mass_kg,
            body_kg,
            speed_m_per_s,
            alpha,
            contact_s: at_1_s * speed_m_per_s.powf((1.0 - alpha) / (1.0 + alpha)),
            restitution: restitution(&contact, speed_m_per_s),
            point,
            is_coupled,
        }
    }

    /// Gain that brings this strike on a body with these modes to the common level. NaN gives 1.
    pub fn gain(&self, modes: &mut Modes) -> f64 {
        let level = self.level_m_per_s(modes);
        if level > 0.0 { (TARGET_M_PER_S / level).clamp(GAIN.0, GAIN.1) } else { 1.0 }
    }

    /// K-weighted level of the first 400 ms, m/s, both pickups added.
    ///
    /// Of several bodies only the first is struck, and it counts at full gain.
    pub fn level_m_per_s(&self, modes: &mut Modes) -> f64 {
        modes.expect_strike_at(self.point);
        let len = modes.len.min(modes.parts().lanes());
        let rows = LoudnessRows {
            decay_per_s: &modes.decay_per_s[..len],
            omega: &modes.omega[..len],
            presence: &modes.presence[..len],
            struck: &modes.strike_spectrum().values()[..len],
            heard: [&modes.left.targets()[..len], &modes.right.targets()[..len]],
        };
        let contact = if self.is_coupled {
            self.contact_in_series(modes.kernel, &rows)
        } else {
            self.rigid()
        };
        // The amplitudes of a mode list do not depend on the strike point.
        let heard = modes.parts().first_heard();
        let floor = if modes.spectrum().geometry().kind.is_mode_list() {
            0.0
        } else {
            FLOOR * heard * heard
        };
        let power = 0.5 * modes.kernel.loudness(&rows, self.variance_s2(contact.time_s), floor);
        let impulse_ns = self.speed_m_per_s * (1.0 + self.restitution) * contact.mass_kg;
        power.sqrt() * impulse_ns / (self.body_kg * heard)
    }

    fn rigid(&self) -> ReferenceContact {
        ReferenceContact { time_s: self.contact_s, mass_kg: self.striker_kg }
    }

    /// Contact time and effective mass with a compliant body; see the module documentation.
    fn contact_in_series(&self, kernel: Kernel, rows: &LoudnessRows<'_>) -> ReferenceContact {
        let per_body = self.striker_kg / self.body_kg;
        // (T/T_wall)^2, and the striker's mass divided by the effective mass.
        let (mut stretch, mut lighter) = (1.0f64, 1.0);
        for _ in 0..ROUNDS {
            let half_s = 0.5 * self.contact_s * stretch.sqrt();
            let (as_mass, as_spring) = kernel.giving_way(rows, half_s);
            lighter = 1.0 + per_body * as_mass;
            let softer = 1.0 + 0.25 * PI * PI * per_body * as_spring * stretch;
            stretch = softer / lighter;
        }
        ReferenceContact {
            time_s: self.contact_s * stretch.sqrt(),
            mass_kg: self.striker_kg / lighter,
        }
    }

    /// Variance of the force pulse, s^2.
    ///
    /// The force resembles `sin^alpha`, whose variance is `psi'(1 + alpha/2)/(2 pi^2)` of the
    /// duration squared. Dissipation moves it towards the onset: the last factor is fitted to
    /// Hunt-Crossley contacts, within 10 % for e of 0.2 and above.
    fn variance_s2(&self, contact_s: f64) -> f64 {
        let elastic = trigamma(1.0 + 0.5 * self.alpha) / (2.0 * PI * PI);
        elastic * contact_s * contact_s * (1.0 - (1.0 - self.restitution).powi(4))
    }
}

/// psi'(x) for x of 1 and above, to 1e-3.
fn trigamma(x: f64) -> f64 {
    1.0 / x + 0.5 / (x * x) + (1.0 / 6.0) / (x * x * x) - (1.0 / 30.0) / x.powi(5)
}

/// Restitution of a contact with a wall.
fn restitution(contact: &ContactSettings, speed_m_per_s: f64) -> f64 {
    let ContactSettings { kind, law, damper_n_s_per_m, restitution, mass_kg, .. } = *contact;
    match (restitution, kind) {
        (Some(e), _) => e,
        (None, Law::HuntCrossley) => release::exact(law.mu_s_per_m * speed_m_per_s).restitution,
        (None, Law::HertzDamper) => {
            let unit_n_s_per_m =
                damping_unit_n_s_per_m(law.stiffness, law.alpha, mass_kg, speed_m_per_s);
            grid::restitution(damper_n_s_per_m / unit_n_s_per_m, law.alpha)
        }
    }
}
