//! Chain of balls (Newton's cradle): count, spacing, strings and release.
//!
//! The balls strike each other, not the instrument's body. The force of each contact excites the
//! body at a position that depends on the pair of neighbours; the positions spread over the body
//! from the strike point.
//!
//! Alternatively every ball is a resonating body of its own size, and a contact excites the two
//! balls that meet.
//!
//! The released balls reach the others with the speed of a strike. On strings they are pulled back
//! by the distance that this requires, `v sqrt(L/g)` (small swings, at most 1 m), or start next to
//! their neighbours with that speed.

use crate::body::macros::BodyScale;
use crate::body::{Parts, Point};
use crate::contact::closed_form::Curve;
use crate::contact::{HuntCrossley, Law, contact_time};
use crate::exciter::Gesture;
use crate::math::reflect;
use crate::params::{Param, Patch};
use crate::random::signed_unit_of;
use crate::rigid_body::chain::{Chain, ChainDamping, ChainSettings, MAX_BALLS};

/// Shortest simulated contact, s. Stiffer balls are softened to it: the difference is inaudible,
/// and steps are expensive.
const SHORTEST_CONTACT_S: f64 = 20e-6;

/// Random stream of the ball sizes.
const SIZES: u64 = 0x5126;

/// A chain of balls to be released.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Launch {
    settings: ChainSettings,
    pulled: usize,
    back_m: f64,
    v_m_per_s: f64,
    /// Speed of the released balls at the first contact, m/s.
    pub speed_m_per_s: f64,
    /// Period of the pendulum, s, if the balls hang on strings.
    pub swing_s: Option<f64>,
}

/// Creates the chain of a note with velocity 0…1.
pub fn of_note(patch: &Patch, scale: &BodyScale, velocity: f64) -> Launch {
    let contact = patch.contact_of(scale).within_limits();
    let HuntCrossley { stiffness, alpha, mu_s_per_m } = contact.law;
    let (gravity_m_per_s2, speed) =
        (patch.get(Param::Gravity), patch.impact_speed_m_per_s(velocity));
    let string_m =
        (patch.choice(Param::Swing) == 1).then(|| patch.get(Param::Cord) * scale.length());
    let balls = patch.get(Param::Balls) as usize;
    let lossless = HuntCrossley { mu_s_per_m: 0.0, ..contact.law };
    let curve = Curve::new(&lossless, 0.5 * contact.mass_kg, 2.0 * speed);
    let shortest_s = contact_time::predict(&curve).total_s();
    // T scales with k^(-1/(alpha+1)), so c must too for the same rebound; mu does not depend on k.
    let slower = (shortest_s / SHORTEST_CONTACT_S).min(1.0);
    let damping = match (contact.restitution, contact.kind) {
        (Some(e), _) => ChainDamping::Restitution(e, contact.fit),
        (None, Law::HuntCrossley) => ChainDamping::Fixed(mu_s_per_m),
        (None, Law::HertzDamper) => ChainDamping::Fixed(contact.damper_n_s_per_m * slower),
    };
    let settings = ChainSettings {
        balls,
        mass_kg: contact.mass_kg,
        sizes: sizes(patch),
        stiffness: stiffness * slower.powf(alpha + 1.0),
        alpha,
        law: contact.kind,
        damping,
        gap_m: patch.get(Param::BallGap) * scale.length(),
        string_m,
        gravity_m_per_s2,
    }
    .within_limits();
    let at_once = patch.choice(Param::FirstHit) == 1;
    let (back_m, v_m_per_s) = match settings.string_m {
        Some(length_m) if !at_once => (speed * (length_m / gravity_m_per_s2).sqrt(), 0.0),
        _ => (0.0, speed),
    };
    Launch {
        settings,
        pulled: (patch.get(Param::Pulled) as usize).clamp(1, settings.balls - 1),
        back_m,
        v_m_per_s,
        speed_m_per_s: speed,
        swing_s: settings
            .string_m
            .map(|length_m| std::f64::consts::TAU * (length_m / gravity_m_per_s2).sqrt()),
    }
}

impl Launch {
    /// The chain in its initial state.
    pub fn chain(&self) -> Chain {
        let mut chain = Chain::new(&self.settings);
        chain.launch(self.pulled, self.back_m, self.v_m_per_s);
        chain
    }
}

/// Size of each ball as a multiple of the body size, from the seed.
fn sizes(patch: &Patch) -> [f64; MAX_BALLS] {
    let (spread, seed) = (patch.get(Param::BallSpread), patch.get(Param::Seed) as u64);
    std::array::from_fn(|ball| 1.0 + spread * signed_unit_of(seed, SIZES, ball as u64))
}

/// The balls as resonating bodies of a voice, if `BallsRing` is on.
pub fn ball_parts(patch: &Patch) -> Option<Parts> {
    (patch.gesture() == Gesture::Chain && patch.choice(Param::BallsRing) == 1)
        .then(|| Parts::Sizes { count: patch.get(Param::Balls) as usize, sizes: sizes(patch) })
}

/// Contact points of a ball with the next and with the previous ball.
pub fn faces(patch: &Patch) -> [Point; 2] {
    let (x, y) = (patch.get(Param::Position), patch.get(Param::PositionY));
    [patch.place(x, y), patch.place(1.0 - x, y)]
}

/// Position along the body excited by contact number `contact` of `contacts`, 0…1.
pub fn place(patch: &Patch, contact: usize, contacts: usize) -> f64 {
    reflect(patch.get(Param::Position) + contact as f64 / contacts.max(1) as f64)
}
