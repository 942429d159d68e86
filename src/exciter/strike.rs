//! One note, one blow.
//!
//! At an angle the body is struck with the part of the speed that is normal to it, `v cos(angle)`.
//! The rest, and spin, rub: what friction pushes along the body is heard as so much more of the
//! push into it ([`Blow::weight`]).

use super::oblique::{self, ObliqueContact};
use crate::body::Point;
use crate::body::macros::BodyScale;
use crate::contact::ContactSettings;
use crate::params::{Param, Patch};
use crate::random::signed_unit;

/// Largest distance between a scattered blow and the strike point, in lengths of the body.
pub const WIDEST_SCATTER: f64 = 0.1;

/// A strike to come: its contact, speed and point.
#[derive(Clone, Copy, Debug)]
pub struct Blow {
    /// The contact it will make.
    pub contact: ContactSettings,
    /// Speed at first touch, m/s.
    pub speed_m_per_s: f64,
    /// Where on the body.
    pub point: Point,
    /// Where on a second body that it belongs to and that rings too.
    pub other: Option<Point>,
    /// When it falls, from now, s.
    pub delay_s: f64,
    /// How much of its push the body gets. A body that gives way heeds no weight.
    pub weight: f64,
}

impl Blow {
    /// The blow of note number `count` since the last reset, with velocity 0…1.
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
