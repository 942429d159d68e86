//! One note, one ball: let go over the body, it falls, bounces and settles.
//!
//! **Release.** The ball is let go at `Height` and thrown down with the speed that a strike of the
//! same velocity would have; it lands with `sqrt(throw^2 + 2 g height)`. So the height sets the
//! softest note and its gaps, and the velocity adds to both. A gap in note lengths turns this round
//! ([`sync`]).
//!
//! **Aslant.** Thrown at an angle it comes down with the part of its speed that points down; the
//! rest carries it along the body, of which one length is `Way`. Each impact changes that speed and
//! the spin by friction ([`oblique`]).
//!
//! **Flight** is exact, and so is the landing inside the sample. **Rest** comes by the rule of
//! [`Touch::departure`](crate::contact::rigid::RigidContact::departure); on the way there the blows
//! fade ([`Ball::weight`]).

pub mod sync;

use super::oblique::{self, ObliqueContact};
use super::strike::WIDEST_SCATTER;
use crate::body::Point;
use crate::body::macros::BodyScale;
use crate::contact::rigid::SHORTEST_FLIGHT_S;
use crate::contact::{ContactReport, ContactSettings, Integrator};
use crate::math::{reflect, smoothstep};
use crate::params::{Param, Patch, note_length_s};
use crate::random::signed_unit_of;
use sync::Synced;

/// At full scatter the effective mass of a bounce is up to this many octaves off.
const WIDEST_MASS_OCTAVES: f64 = 1.0;
/// Blows fade from this many contact times of flight between them, to none at one.
const FADE_FROM: f64 = 4.0;

/// A ball about to be let go.
#[derive(Clone, Copy, Debug)]
pub struct Throw {
    /// The ball.
    pub ball: Ball,
    /// How long it falls before it first lands, s.
    pub fall_s: f64,
    /// How fast it is then, m/s.
    pub landing_m_per_s: f64,
}

impl Throw {
    /// The ball of note number `count` since the last reset, with velocity 0…1.
    pub fn of_note(
        patch: &Patch,
        scale: &BodyScale,
        velocity: f64,
        count: u64,
        tempo_bpm: f64,
    ) -> Self {
        let thrown = patch.impact_speed_m_per_s(velocity);
        let (sin, cos) = patch.get(Param::Angle).to_radians().sin_cos();
        let speed = thrown * cos;
        let mut ball = Ball {
            scale: *scale,
            seed: patch.get(Param::Seed) as u64,
            note: count,
            bounces: 0,
            wandered: 0.0,
            synced: None,
            slide: ObliqueContact {
                speed_m_per_s: thrown * sin,
                skin_m_per_s: patch.get(Param::Spin) * patch.get(Param::Span),
            },
        };
        let gap_s = note_length_s(patch.choice(Param::Gap), tempo_bpm);
        let (fall_s, landing_m_per_s) = match gap_s {
            Some(gap_s) => {
                ball.synced = Some(Synced::new(&ball.contact(patch), speed, gap_s));
                (gap_s, speed)
            }
            None => fall(patch.get(Param::Height), speed, patch.get(Param::Gravity)),
        };
        let on_the_note = patch.choice(Param::FirstHit) == 1;
        Self { ball, fall_s: if on_the_note { 0.0 } else { fall_s }, landing_m_per_s }
    }
}

/// Time (s) and landing speed (m/s) of a ball thrown down from a height.
fn fall(height_m: f64, throw_m_per_s: f64, gravity_m_per_s2: f64) -> (f64, f64) {
    let landing = (throw_m_per_s * throw_m_per_s + 2.0 * gravity_m_per_s2 * height_m).sqrt();
    (2.0 * height_m / (throw_m_per_s + landing), landing)
}

/// A ball that bounces: what makes each of its contacts differ from the last.
///
/// Everything but its way is read from the patch as it is at each landing, so that knobs act on a
/// ball in the air.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ball {
    scale: BodyScale,
    seed: u64,
    note: u64,
    /// Contacts that are over.
    bounces: u64,
    /// Way along the body since the first landing, in lengths of it.
    wandered: f64,
    /// Gravity of its own, if its gap is synced.
    synced: Option<Synced>,
    /// How it moves along the body, drift apart.
    slide: ObliqueContact,
}

impl Ball {
    /// The contact that the next landing will make.
    pub fn contact(&self, patch: &Patch) -> ContactSettings {
        let settings = patch.contact_of(&self.scale);
        let octaves = WIDEST_MASS_OCTAVES * patch.get(Param::MassScatter) * self.random(1);
        ContactSettings {
            mass_kg: settings.mass_kg * octaves.exp2(),
            gravity_m_per_s2: self
                .synced
                .map_or(patch.get(Param::Gravity), |synced| synced.gravity_m_per_s2()),
            ..settings
        }
    }

    /// Gravity of its own, if its first gap is a note length.
    pub fn synced(&mut self) -> Option<&mut Synced> {
        self.synced.as_mut()
    }

    /// How long it is still to fly, s, where it comes off `since_s` after its first touch, perhaps
    /// for the first time: if its gap is synced, and this is part of the first.
    pub fn flight_left_s(&self, since_s: f64, is_first: bool) -> Option<f64> {
        self.synced?.flight_left_s(since_s, is_first)
    }

    /// Its mass, without what makes each landing differ, kg.
    pub fn own_mass_kg(&self, patch: &Patch) -> f64 {
        patch.contact_of(&self.scale).mass_kg
    }

    /// Where on the body the next landing will be.
    pub fn point(&self, patch: &Patch) -> Point {
        let aside = WIDEST_SCATTER * patch.get(Param::Scatter) * self.random(0);
        patch.place(
            reflect(patch.get(Param::Position) + self.wandered + aside),
            patch.get(Param::PositionY),
        )
    }

    /// How much of its push the next contact gives to the body, after a flight of `flight_s` from
    /// the contact `last`.
    ///
    /// A ball that hardly leaves the body any more presses on it with its weight, which is not
    /// heard, instead of knocking. In the corrected engines, which suspend gravity in contact, the
    /// knocks fade for it: from flights four contacts long down to nothing at one contact, where
    /// the rest rule ends them. So a train does not break off. Passive keeps gravity and needs no
    /// such help.
    pub fn weight(&self, settings: &ContactSettings, flight_s: f64, last: &ContactReport) -> f64 {
        if self.bounces == 0 || settings.integrator == Integrator::Passive {
            return 1.0;
        }
        let ratio = flight_s / last.duration_s.max(SHORTEST_FLIGHT_S);
        smoothstep(((ratio - 1.0) / (FADE_FROM - 1.0)).clamp(0.0, 1.0))
    }

    /// How much more of its push friction makes of a landing at this speed.
    pub fn rub(&self, settings: &ContactSettings, landing_m_per_s: f64, patch: &Patch) -> f64 {
        if self.slide.is_none() || landing_m_per_s <= 0.0 {
            return 1.0;
        }
        let e = oblique::expected_restitution(settings, landing_m_per_s);
        let (_, slip) = self.slide.after(landing_m_per_s, e, patch.get(Param::SlipFriction));
        1.0 + patch.get(Param::FrictionShare) * slip
    }

    /// It has come off from the contact `last` and will land again after `flight_s`.
    pub fn leave(&mut self, patch: &Patch, last: &ContactReport, flight_s: f64) {
        self.bounces += 1;
        let e = -last.v_out_m_per_s / last.v_in_m_per_s;
        (self.slide, _) = self.slide.after(last.v_in_m_per_s, e, patch.get(Param::SlipFriction));
        let sideways_per_s =
            patch.get(Param::Drift) + self.slide.speed_m_per_s / patch.get(Param::Span);
        self.wandered = (self.wandered + sideways_per_s * flight_s).rem_euclid(2.0);
    }

    fn random(&self, which: u64) -> f64 {
        signed_unit_of(self.seed, self.note.wrapping_add(1), 2 * self.bounces + which)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn velocity_throws_and_height_drops() {
        let mut patch = Patch::default();
        patch.set(Param::Gesture, 1.0);
        patch.set(Param::Dynamics, 60.0);
        let throw = |velocity: f64, first: f64| {
            let mut patch = patch.clone();
            patch.set(Param::FirstHit, first);
            Throw::of_note(&patch, &patch.scale(), velocity, 0, 120.0)
        };
        let landing = |velocity, first| throw(velocity, first).landing_m_per_s;
        let dropped = (2.0 * patch.get(Param::Gravity) * patch.get(Param::Height)).sqrt();
        assert!((landing(0.0, 0.0) / dropped - 1.0).abs() < 1e-5);
        assert!((landing(1.0, 0.0) - dropped.hypot(patch.get(Param::Speed))).abs() < 1e-9);
        assert_eq!(landing(0.6, 1.0), landing(0.6, 0.0), "on the note it hits as hard");
        assert!(throw(0.6, 1.0).fall_s == 0.0 && throw(0.6, 0.0).fall_s > throw(1.0, 0.0).fall_s);
    }
}
