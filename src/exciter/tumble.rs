//! Thrown bodies: throw parameters, and the strikes of their corners on the resonating body.
//!
//! The [rigid body](crate::rigid_body::tumble) determines when, where and how fast each corner
//! lands. Each landing is a separate strike with the effective mass `1/A_zz` at that corner and the
//! corner's normal speed. The strike ends at its release and does not bounce: the rigid body has
//! already bounced, and restitution must count once. Both use the same restitution: the target
//! restitution if one is set, otherwise what the contact law gives for the corner's speed and mass.
//! The strike is damped for the restitution that the rigid body used.
//!
//! **Resonator.** The ground, the thrown body, or both ring. If both ring, the thrown body is a
//! second body of the voice (see [`Parts`](crate::body::Parts)), struck at its corner by the
//! opposite force.
//!
//! **Simultaneous corners** share the body's mass: their masses add up to no more than its mass.
//! Strikes closer than `NEAR` merge into one, with the sum of their masses and momenta (which
//! cannot add energy); then the nearest merge until [`MAX_BLOWS`] are left. A corner slower than
//! `SLOWEST_M_PER_S` is only pressed down by the others and makes no strike.
//!
//! **Friction.** The tangential force is modelled as an increase of the normal force by `1 + share
//! |I_t|/I_n`.

use arrayvec::ArrayVec;

use crate::body::macros::BodyScale;
use crate::body::parts::SecondBody;
use crate::body::{BodyKind as Make, Geometry, Listening, Point};
use crate::contact::{ContactSettings, DamperFit, Law};
use crate::exciter::{Blow, Gesture};
use crate::math::reflect;
use crate::params::{Param, Patch};
use crate::random::signed_unit_of;
use crate::rigid_body::shape::{RigidShape, RigidShapeKind};
use crate::rigid_body::simultaneous::{Cor, MAX_POINTS};
use crate::rigid_body::tumble::{Rebound, Strike, Tumble, TumbleSettings, TumbleThrow};
use crate::rigid_body::vector::{norm, scale};

/// Maximum number of strikes per impact.
pub const MAX_BLOWS: usize = 4;

/// Strikes of one impact closer than this share of the body, along and across, merge.
const NEAR: f64 = 0.02;

/// Minimum speed of a corner that makes a strike, m/s.
const SLOWEST_M_PER_S: f64 = 1e-3;

/// Largest deviation of the spin axis from perpendicular to the direction of travel.
const WOBBLE: f64 = 0.5;

/// Maps a corner to a position on the thrown body when that body rings: an oblique projection that
/// keeps all corners of a box apart.
const LOOK: [[f64; 3]; 2] = [[0.62, 0.27, 0.11], [0.11, 0.62, 0.27]];

/// Pickup positions on the thrown body if both ring: near its edge, where all modes move.
const EARS: [[f64; 2]; 2] = [[0.02, 0.2], [0.93, 0.35]];

/// Minimum gain of either body if both ring: the voice is levelled by the first.
const SOFTEST: f64 = 1e-3;

/// A corner's landing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// Time since the throw, s.
    pub time_s: f64,
    /// Position on the body, 0…1 along and across.
    pub place: [f64; 2],
    /// Position of the corner on the thrown body, 0…1 along and across.
    pub corner: [f64; 2],
    /// Effective mass, kg.
    pub mass_kg: f64,
    /// Normal speed, m/s.
    pub speed_m_per_s: f64,
    /// Ratio of friction impulse to normal impulse.
    pub slip: f64,
    /// Restitution of the corner; 0 where it is captured.
    pub restitution: f64,
}

/// Which bodies ring.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rings {
    Struck,
    TumblingBodies,
    Both,
}

impl Rings {
    fn of(patch: &Patch) -> Self {
        [Rings::Struck, Rings::TumblingBodies, Rings::Both][patch.choice(Param::Rings).min(2)]
    }
}

/// Body kind and aspect that approximate the thrown shape.
fn make_of(kind: RigidShapeKind) -> (Make, f64) {
    match kind {
        RigidShapeKind::Die => (Make::FreePlate, 1.0),
        RigidShapeKind::Brick => (Make::FreePlate, 2.0),
        RigidShapeKind::Stone => (Make::FreePlate, 1.3),
        RigidShapeKind::Coin => (Make::FreeDisc, 1.0),
        RigidShapeKind::Rod | RigidShapeKind::BowlingPin => (Make::FreeBar, 1.0),
    }
}

/// Converts a position, 0…1 along and across, to a point of that body kind.
fn place_on(make: Make, place: [f64; 2]) -> Point {
    match make {
        // The first coordinate runs across the whole disc, from rim to rim.
        Make::FreeDisc => Point::new(
            (2.0 * place[0] - 1.0).abs(),
            (place[1] + if place[0] > 0.5 { 0.5 } else { 0.0 }).fract(),
        ),
        _ => Point::new(place[0], place[1]),
    }
}

/// Whether the thrown body rings beside the struck one.
pub fn both_ring(patch: &Patch) -> bool {
    patch.gesture() == Gesture::Tumble && Rings::of(patch) == Rings::Both
}

/// The thrown body as the second body of a voice, if both ring.
pub fn thrown_part(patch: &Patch, scale: &BodyScale) -> Option<SecondBody> {
    if !both_ring(patch) {
        return None;
    }
    let (make, aspect) = make_of(kind_of(patch));
    let share = patch.get(Param::ThrownShare);
    Some(SecondBody {
        geometry: Geometry { kind: make, aspect, ..patch.geometry() }.within_limits(),
        pitch_hz: patch.get(Param::ThrownPitch) / scale.length(),
        listening: Listening { left: place_on(make, EARS[0]), right: place_on(make, EARS[1]) },
        heard: [2.0 - 2.0 * share, 2.0 * share].map(|heard| heard.clamp(SOFTEST, 1.0)),
    })
}

fn kind_of(patch: &Patch) -> RigidShapeKind {
    RigidShapeKind::ALL[patch.choice(Param::TumblingBodies).min(RigidShapeKind::ALL.len() - 1)]
}

/// A thrown body and its mapping to strike positions.
#[derive(Clone, Debug)]
pub struct TumblingBody {
    /// Motion of the rigid body.
    pub tumble: Tumble,
    rings: Rings,
    make: Make,
    /// Landing position on the ground; body lengths per metre.
    start: [f64; 2],
    lengths_per_m: f64,
    /// Reciprocal half-extent along each axis, 1/m.
    halves_per_m: [f64; 3],
    scale: BodyScale,
}

impl TumblingBody {
    /// Creates the body of note number `count` since the last reset, with velocity 0…1.
    pub fn of_note(patch: &Patch, scale: &BodyScale, velocity: f64, count: u64) -> Self {
        let seed = patch.get(Param::Seed) as u64;
        let own_seed = seed.wrapping_mul(1_000_003).wrapping_add(count);
        let kind = kind_of(patch);
        let mass_kg = patch.get(Param::Mass) * scale.mass();
        // The seed alone shapes a stone, so that it is the same at every note.
        let shape =
            RigidShape::new(kind, patch.get(Param::ThrownSize) * scale.length(), mass_kg, seed);
        let settings = TumbleSettings {
            mu: patch.get(Param::SlipFriction),
            cor: Cor { e_min: patch.get(Param::Restitution), ..TumbleSettings::default().cor },
            rebound: rebound_of(&patch.contact_of(scale).within_limits()),
            gravity_m_per_s2: patch.get(Param::Gravity),
            ..TumbleSettings::default()
        };
        let (sin, cos) = patch.get(Param::Angle).to_radians().sin_cos();
        let speed = patch.impact_speed_m_per_s(velocity);
        let stray = |which| WOBBLE * signed_unit_of(seed, count.wrapping_add(1), which);
        let axis = [stray(0), 1.0, stray(1)];
        let throw = TumbleThrow {
            height_m: patch.get(Param::Height),
            velocity_m_per_s: [speed * sin, 0.0, -speed * cos],
            spin_rad_per_s: scale_to(axis, std::f64::consts::TAU * patch.get(Param::Tumbling)),
            seed: own_seed,
        };
        let half = |axis: usize| {
            shape.corners_m.iter().fold(0.0f64, |max, corner| max.max(corner[axis].abs()))
        };
        Self {
            rings: Rings::of(patch),
            make: make_of(kind).0,
            start: [patch.get(Param::Position), patch.get(Param::PositionY)],
            lengths_per_m: 1.0 / patch.get(Param::Span),
            halves_per_m: [0, 1, 2].map(|axis| 1.0 / half(axis)),
            tumble: Tumble::new(shape, &settings, &throw),
            scale: *scale,
        }
    }

    /// Landing position of a corner on the ground, 0…1.
    fn place(&self, strike: &Strike) -> [f64; 2] {
        [0, 1].map(|axis| reflect(self.start[axis] + self.lengths_per_m * strike.plane_m[axis]))
    }

    /// Position of a corner on the thrown body, 0…1.
    fn corner(&self, strike: &Strike) -> [f64; 2] {
        LOOK.map(|row| {
            let look =
                |axis: usize| row[axis] * strike.body_point_m[axis] * self.halves_per_m[axis];
            (0.5 + 0.5 * (look(0) + look(1) + look(2))).clamp(0.0, 1.0)
        })
    }

    /// Converts the strikes of one impact to merged hits.
    pub fn hits(&self, strikes: &[Strike]) -> ArrayVec<Hit, MAX_POINTS> {
        let mut hits: ArrayVec<Hit, MAX_POINTS> = strikes
            .iter()
            .filter(|strike| strike.normal_m_per_s >= SLOWEST_M_PER_S)
            .take(MAX_POINTS)
            .map(|strike| Hit {
                time_s: strike.time_s,
                place: if self.rings == Rings::TumblingBodies {
                    self.corner(strike)
                } else {
                    self.place(strike)
                },
                corner: self.corner(strike),
                mass_kg: strike.effective_mass_kg,
                speed_m_per_s: strike.normal_m_per_s,
                slip: strike.friction_ns[0].hypot(strike.friction_ns[1]) / strike.impulse_ns,
                restitution: strike.restitution,
            })
            .collect();
        let whole_kg = self.tumble.shape().inertia.mass_kg;
        let together_kg: f64 = hits.iter().map(|hit| hit.mass_kg).sum();
        if together_kg > whole_kg {
            hits.iter_mut().for_each(|hit| hit.mass_kg *= whole_kg / together_kg);
        }
        // Each iteration removes one hit.
        while let Some((i, j, apart)) = nearest(&hits)
            && (apart < NEAR || hits.len() > MAX_BLOWS)
        {
            let other = hits.remove(j);
            hits[i] = hits[i].with(&other);
        }
        hits
    }

    /// Creates the strike of a hit, `delay_s` from now, from the current patch.
    pub fn blow(&self, hit: &Hit, delay_s: f64, patch: &Patch) -> Blow {
        let contact = patch.contact_of(&self.scale);
        // Equals the law as entered while the patch is unchanged; a captured corner keeps the law.
        let fit = if contact.restitution.is_some() { contact.fit } else { DamperFit::Exact };
        let restitution =
            if hit.restitution > 0.0 { Some(hit.restitution) } else { contact.restitution };
        Blow {
            contact: ContactSettings { mass_kg: hit.mass_kg, restitution, fit, ..contact },
            speed_m_per_s: hit.speed_m_per_s,
            point: self.point(hit, patch),
            other: (self.rings == Rings::Both).then(|| place_on(self.make, hit.corner)),
            delay_s,
            weight: 1.0 + patch.get(Param::FrictionShare) * hit.slip,
        }
    }

    /// Position of a hit on the body, from the current patch.
    pub fn point(&self, hit: &Hit, patch: &Patch) -> Point {
        patch.place(hit.place[0], hit.place[1])
    }
}

impl Hit {
    /// Merges two hits; speeds and positions are weighted by mass.
    fn with(&self, other: &Self) -> Self {
        let mass_kg = self.mass_kg + other.mass_kg;
        let mean = |mine: f64, its: f64| (self.mass_kg * mine + other.mass_kg * its) / mass_kg;
        Self {
            time_s: self.time_s,
            place: [0, 1].map(|axis| mean(self.place[axis], other.place[axis])),
            corner: [0, 1].map(|axis| mean(self.corner[axis], other.corner[axis])),
            mass_kg,
            speed_m_per_s: mean(self.speed_m_per_s, other.speed_m_per_s),
            slip: mean(self.slip, other.slip),
            // A captured corner has no restitution to average.
            restitution: match (self.restitution > 0.0, other.restitution > 0.0) {
                (true, true) => mean(self.restitution, other.restitution),
                _ => self.restitution.max(other.restitution),
            },
        }
    }
}

/// Source of the rigid body's restitution.
fn rebound_of(contact: &ContactSettings) -> Rebound {
    match (contact.restitution, contact.kind) {
        (Some(_), _) => Rebound::Given,
        (None, Law::HuntCrossley) => Rebound::HuntCrossley { mu_s_per_m: contact.law.mu_s_per_m },
        (None, Law::HertzDamper) => Rebound::HertzDamper {
            stiffness: contact.law.stiffness,
            alpha: contact.law.alpha,
            damper_n_s_per_m: contact.damper_n_s_per_m,
        },
    }
}

/// The two nearest hits and their distance.
fn nearest(hits: &[Hit]) -> Option<(usize, usize, f64)> {
    let apart = |i: usize, j: usize| {
        let along = |axis: usize| (hits[i].place[axis] - hits[j].place[axis]).abs();
        along(0).max(along(1))
    };
    let pairs = (0..hits.len()).flat_map(|j| (0..j).map(move |i| (i, j)));
    pairs.map(|(i, j)| (i, j, apart(i, j))).min_by(|a, b| a.2.total_cmp(&b.2))
}

fn scale_to(axis: [f64; 3], length: f64) -> [f64; 3] {
    scale(length / norm(axis), axis)
}
