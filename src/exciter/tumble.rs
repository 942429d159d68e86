//! A thrown body: what is thrown and how, and what its corners do to the sounding body.
//!
//! The [rigid body](crate::rigid_body::tumble) decides when, where and how fast each corner comes
//! down; each is then a blow of its own, with the mass `1/A_zz` that the ground feels there and the
//! corner's own speed along the normal. The blow is over at its release: it does not bounce, since
//! the rigid body has bounced already, and restitution counts once. Both agree about it: with a
//! wanted restitution the rigid body takes it, with fixed damping what the contact law makes of
//! that corner's speed and mass; and the blow is damped for what the rigid body took.
//!
//! **What rings** is the ground, the thing, or both: then the thing is a second body of the voice
//! (see [`Parts`](crate::body::Parts)), struck at its corner by the opposite force.
//!
//! **Corners at one instant** share the body: their masses together are no more than its own. Blows
//! nearer to each other than `NEAR` become one, with the sum of their masses and momenta (which
//! cannot add energy), and then the nearest go together until [`MAX_BLOWS`] are left. A corner
//! slower than `SLOWEST_M_PER_S` is only pressed down by the others, and makes no blow.
//!
//! **Friction.** The push along the surface is heard as so much more of the push into it: `1 +
//! share |I_t|/I_n`.

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

/// Most blows of one impact.
pub const MAX_BLOWS: usize = 4;

/// Blows of one impact that are nearer to each other than this share of the body, along and across
/// it, are one.
const NEAR: f64 = 0.02;

/// Slowest corner that makes a blow, m/s.
const SLOWEST_M_PER_S: f64 = 1e-3;

/// How far the axis of the spin strays from straight across the way, at most.
const WOBBLE: f64 = 0.5;

/// How a corner of the thrown body lies on it when it rings itself: a slanting look at it, in which
/// all corners of a box are apart.
const LOOK: [[f64; 3]; 2] = [[0.62, 0.27, 0.11], [0.11, 0.62, 0.27]];

/// Where a thing that rings besides the body is heard: near its edge, where all modes move.
const EARS: [[f64; 2]; 2] = [[0.02, 0.2], [0.93, 0.35]];

/// Least that is heard of either, where both ring: the voice is levelled by the first.
const SOFTEST: f64 = 1e-3;

/// A corner that comes down.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// When, from the throw, s.
    pub time_s: f64,
    /// Where on the body, by the knobs: 0…1 along and across.
    pub place: [f64; 2],
    /// Which corner of the thing that is, likewise.
    pub corner: [f64; 2],
    /// With what mass, kg.
    pub mass_kg: f64,
    /// How fast, m/s.
    pub speed_m_per_s: f64,
    /// Impulse of friction over that of pressure.
    pub slip: f64,
    /// How much of its speed the corner gives back; 0 where it is captured.
    pub restitution: f64,
}

/// What rings.
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

/// The make of a thing that rings besides the body: the nearest that there is a shape for.
fn make_of(kind: RigidShapeKind) -> (Make, f64) {
    match kind {
        RigidShapeKind::Die => (Make::FreePlate, 1.0),
        RigidShapeKind::Brick => (Make::FreePlate, 2.0),
        RigidShapeKind::Stone => (Make::FreePlate, 1.3),
        RigidShapeKind::Coin => (Make::FreeDisc, 1.0),
        RigidShapeKind::Rod | RigidShapeKind::BowlingPin => (Make::FreeBar, 1.0),
    }
}

/// A place on it, 0…1 along and across.
fn place_on(make: Make, place: [f64; 2]) -> Point {
    match make {
        // From rim to rim.
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

/// The thrown body as the second one of a voice, if both ring.
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

/// A body in the air or on the ground.
#[derive(Clone, Debug)]
pub struct TumblingBody {
    /// Its motion.
    pub tumble: Tumble,
    rings: Rings,
    make: Make,
    /// Where on the ground it comes down, and how many lengths of it a metre is.
    start: [f64; 2],
    lengths_per_m: f64,
    /// A metre of the thing is so many of its halves along each axis.
    halves_per_m: [f64; 3],
    scale: BodyScale,
}

impl TumblingBody {
    /// The body of note number `count` since the last reset, with velocity 0…1.
    pub fn of_note(patch: &Patch, scale: &BodyScale, velocity: f64, count: u64) -> Self {
        let seed = patch.get(Param::Seed) as u64;
        let own_seed = seed.wrapping_mul(1_000_003).wrapping_add(count);
        let kind = kind_of(patch);
        let mass_kg = patch.get(Param::Mass) * scale.mass();
        // A stone is the same stone at every note.
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

    /// Where on the ground a corner comes down.
    fn place(&self, strike: &Strike) -> [f64; 2] {
        [0, 1].map(|axis| reflect(self.start[axis] + self.lengths_per_m * strike.plane_m[axis]))
    }

    /// Which place of the thing that corner is.
    fn corner(&self, strike: &Strike) -> [f64; 2] {
        LOOK.map(|row| {
            let look =
                |axis: usize| row[axis] * strike.body_point_m[axis] * self.halves_per_m[axis];
            (0.5 + 0.5 * (look(0) + look(1) + look(2))).clamp(0.0, 1.0)
        })
    }

    /// The blows of one impact, from its strikes.
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
        // Each round leaves one fewer.
        while let Some((i, j, apart)) = nearest(&hits)
            && (apart < NEAR || hits.len() > MAX_BLOWS)
        {
            let other = hits.remove(j);
            hits[i] = hits[i].with(&other);
        }
        hits
    }

    /// The blow of a hit, `delay_s` from now, by the settings of this moment.
    pub fn blow(&self, hit: &Hit, delay_s: f64, patch: &Patch) -> Blow {
        let contact = patch.contact_of(&self.scale);
        // The law as entered gives the same, as long as nobody turns it; a captured corner stays
        // with the law.
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

    /// Where a hit falls, by the settings of this moment.
    pub fn point(&self, hit: &Hit, patch: &Patch) -> Point {
        patch.place(hit.place[0], hit.place[1])
    }
}

impl Hit {
    /// Both in one.
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
            // One that is captured has none to speak of.
            restitution: match (self.restitution > 0.0, other.restitution > 0.0) {
                (true, true) => mean(self.restitution, other.restitution),
                _ => self.restitution.max(other.restitution),
            },
        }
    }
}

/// What the rigid body's restitution follows from.
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

/// The two hits that are nearest to each other, and how far they are apart.
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
