//! A single strike per note.
//!
//! At an angle, the body is struck with the normal component of the speed, `v cos(angle)`. The
//! tangential component and the spin cause friction, which is modelled as an increase of the normal
//! force ([`Blow::weight`]).

use super::oblique::{self, ObliqueContact};
use crate::body::Point;
use crate::body::macros::BodyScale;
use crate::contact::ContactSettings;
use crate::params::{Param, Patch};
use crate::random::signed_unit;

/// Largest distance between a scattered strike and the strike point, in body lengths.
pub const WIDEST_SCATTER: f64 = 0.1;

/// A scheduled strike: its contact, speed and point.
#[derive(Clone, Copy, Debug)]
pub struct Blow {
    /// Settings of the contact.
    pub contact: ContactSettings,
    /// Speed at first touch, m/s.
    pub speed_m_per_s: f64,
    /// Position on the body.
    pub point: Point,
    /// Position on a second resonating body, if there is one.
    pub other: Option<Point>,
    /// Time until the strike, s.
    pub delay_s: f64,
    /// Factor on the force that excites the body; ignored by coupled bodies.
    pub weight: f64,
}

impl Blow {
    /// Creates the strike of note number `count` since the last reset, with velocity 0…1.
    pub fn of_note(patch: &Patch, scale: &BodyScale, velocity: f64, count: u64) -> Self {
        let seed = patch.get(Param::Seed) as u64;
        let (contact, speed) = (patch.contact_of(scale), patch.impact_speed_m_per_s(velocity));
        let (sin, cos) = patch.get(Param::Angle).to_radians().sin_cos();
        let (normal, mu) = (speed * cos, patch.get(Param::SlipFriction));
        let slide = ObliqueContact {
            speed_m_per_s: speed * sin,
            skin_m_per_s: patch.get(Param::Spin) * patch.get(Param::Span),
        };
        let weight = if slide.is_none() {
            1.0
        } else {
            let (_, slip) =
                slide.after(normal, oblique::expected_restitution(&contact, normal), mu);
            1.0 + patch.get(Param::FrictionShare) * slip
        };
        let aside = WIDEST_SCATTER * patch.get(Param::Scatter) * signed_unit(seed, count);
        Self {
            contact,
            speed_m_per_s: normal,
            point: patch.place(
                (patch.get(Param::Position) + aside).clamp(0.0, 1.0),
                patch.get(Param::PositionY),
            ),
            other: None,
            delay_s: 0.0,
            weight,
        }
    }
}
