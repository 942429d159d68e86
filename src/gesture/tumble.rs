//! A thrown body: what is thrown and how, and what its corners do to the sounding body.
//!
//! The [rigid body](crate::rigid::tumble) decides when, where and how fast each corner comes down; each is then a blow
//! of its own, with the mass `1/A_zz` that the ground feels there and the corner's own speed along the normal. The blow is
//! over at its release: it does not bounce, since the rigid body has bounced already, and restitution counts once.
//!
//! **Corners at one instant** share the body: their masses together are no more than its own. Blows nearer to each other
//! than `NEAR` become one, with the sum of their masses and momenta (which cannot add energy), and then the nearest
//! go together until [`MOST_BLOWS`] are left. A corner slower than `SLOWEST_M_PER_S` is only pressed down by the others,
//! and makes no blow.
//!
//! **Friction.** The push along the surface is heard as so much more of the push into it: `1 + share |I_t|/I_n`.

use arrayvec::ArrayVec;

use super::bounce::fold;
use crate::body::Point;
use crate::body::macros::Scale;
use crate::contact::ContactSettings;
use crate::gesture::Blow;
use crate::gesture::random::signed_unit_of;
use crate::patch::{Param, Patch};
use crate::rigid::shape::{Kind, Shape};
use crate::rigid::simultaneous::{Cor, MOST_POINTS};
use crate::rigid::tumble::{Settings, Strike, Throw, Tumble};
use crate::rigid::vector::{norm, scale};

/// Most blows of one impact.
pub const MOST_BLOWS: usize = 4;

/// Blows of one impact that are nearer to each other than this share of the body, along and across it, are one.
const NEAR: f64 = 0.02;

/// Slowest corner that makes a blow, m/s.
const SLOWEST_M_PER_S: f64 = 1e-3;

/// How far the axis of the spin strays from straight across the way, at most.
const WOBBLE: f64 = 0.5;

/// How a corner of the thrown body lies on it when it rings itself: a slanting look at it, in which all corners of a box
/// are apart.
const LOOK: [[f64; 3]; 2] = [[0.62, 0.27, 0.11], [0.11, 0.62, 0.27]];

/// A corner that comes down.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// When, from the throw, s.
    pub time_s: f64,
    /// Where on the body, by the knobs: 0…1 along and across.
    pub place: [f64; 2],
    /// With what mass, kg.
    pub mass_kg: f64,
    /// How fast, m/s.
    pub speed_m_per_s: f64,
    /// Impulse of friction over that of pressure.
    pub slip: f64,
}

/// What is struck, and where.
#[derive(Clone, Copy, Debug)]
enum Target {
    /// The ground: a metre is so many lengths of it, from this place on.
    Struck { start: [f64; 2], per_m: f64 },
    /// The thing itself: a metre is so many of its halves along each axis.
    Thrown { per_m: [f64; 3] },
}

/// A body in the air or on the ground.
#[derive(Clone, Debug)]
pub struct Toss {
    /// Its motion.
    pub tumble: Tumble,
    target: Target,
    scale: Scale,
}

impl Toss {
    /// The body of note number `count` since the last reset, with velocity 0…1.
    pub fn of_note(patch: &Patch, scale: &Scale, velocity: f64, count: u64) -> Self {
        let seed = patch.get(Param::Seed) as u64;
        let own_seed = seed.wrapping_mul(1_000_003).wrapping_add(count);
        let kind = Kind::ALL[patch.choice(Param::Thrown).min(Kind::ALL.len() - 1)];
        let mass_kg = patch.get(Param::Mass) * scale.mass();
        // A stone is the same stone at every note.
        let shape = Shape::new(kind, patch.get(Param::ThrownSize) * scale.length(), mass_kg, seed);
        let settings = Settings {
            mu: patch.get(Param::SlipFriction),
            cor: Cor { e_min: patch.get(Param::Restitution), ..Settings::default().cor },
            gravity_m_per_s2: patch.get(Param::Gravity),
            ..Settings::default()
        };
        let (sin, cos) = patch.get(Param::Angle).to_radians().sin_cos();
        let speed = patch.impact_speed_m_per_s(velocity);
        let stray = |which| WOBBLE * signed_unit_of(seed, count.wrapping_add(1), which);
        let axis = [stray(0), 1.0, stray(1)];
        let throw = Throw {
            height_m: patch.get(Param::Height),
            velocity_m_per_s: [speed * sin, 0.0, -speed * cos],
            spin_rad_per_s: scale_to(axis, std::f64::consts::TAU * patch.get(Param::Tumbling)),
            seed: own_seed,
        };
        let target = if patch.choice(Param::Rings) == 1 {
            let half = |axis: usize| shape.corners_m.iter().fold(0.0f64, |most, corner| most.max(corner[axis].abs()));
            Target::Thrown { per_m: [0, 1, 2].map(|axis| 1.0 / half(axis)) }
        } else {
            let start = [patch.get(Param::Position), patch.get(Param::PositionY)];
            Target::Struck { start, per_m: 1.0 / patch.get(Param::Span) }
        };
        Self { tumble: Tumble::new(shape, &settings, &throw), target, scale: *scale }
    }

    fn place(&self, strike: &Strike) -> [f64; 2] {
        match self.target {
            Target::Struck { start, per_m } => [0, 1].map(|axis| fold(start[axis] + per_m * strike.plane_m[axis])),
            Target::Thrown { per_m } => LOOK.map(|row| {
                let look = |axis: usize| row[axis] * strike.body_point_m[axis] * per_m[axis];
                (0.5 + 0.5 * (look(0) + look(1) + look(2))).clamp(0.0, 1.0)
            }),
        }
    }

    /// The blows of one impact, from its strikes.
    pub fn hits(&self, strikes: &[Strike]) -> ArrayVec<Hit, MOST_POINTS> {
        let mut hits: ArrayVec<Hit, MOST_POINTS> = strikes
            .iter()
            .filter(|strike| strike.normal_m_per_s >= SLOWEST_M_PER_S)
            .take(MOST_POINTS)
            .map(|strike| Hit {
                time_s: strike.time_s,
                place: self.place(strike),
                mass_kg: strike.effective_mass_kg,
                speed_m_per_s: strike.normal_m_per_s,
                slip: strike.friction_ns[0].hypot(strike.friction_ns[1]) / strike.impulse_ns,
            })
            .collect();
        let whole_kg = self.tumble.shape().inertia.mass_kg;
        let together_kg: f64 = hits.iter().map(|hit| hit.mass_kg).sum();
        if together_kg > whole_kg {
            hits.iter_mut().for_each(|hit| hit.mass_kg *= whole_kg / together_kg);
        }
        while let Some((i, j, apart)) = nearest(&hits)
            && (apart < NEAR || hits.len() > MOST_BLOWS)
        {
            let other = hits.remove(j);
            hits[i] = hits[i].with(&other);
        }
        hits
    }

    /// The blow of a hit, `delay_s` from now, by the settings of this moment.
    pub fn blow(&self, hit: &Hit, delay_s: f64, patch: &Patch) -> Blow {
        Blow {
            contact: ContactSettings { mass_kg: hit.mass_kg, ..patch.contact_of(&self.scale) },
            speed_m_per_s: hit.speed_m_per_s,
            point: self.point(hit, patch),
            delay_s,
            weight: 1.0 + patch.get(Param::FrictionShare) * hit.slip,
        }
    }

    fn point(&self, hit: &Hit, patch: &Patch) -> Point {
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
            mass_kg,
            speed_m_per_s: mean(self.speed_m_per_s, other.speed_m_per_s),
            slip: mean(self.slip, other.slip),
        }
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
