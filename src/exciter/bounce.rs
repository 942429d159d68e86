//! One note, one ball: let go over the body, it falls, bounces and settles.
//!
//! **Release.** The ball is let go at `Height` and thrown down with the speed that a strike of the
//! same velocity would have; it lands with `sqrt(throw^2 + 2 g height)`. So the height sets the
//! softest note and its gaps, and the velocity adds to both. A gap in note lengths turns this round
//! ([`Synced`]).
//!
//! **Aslant.** Thrown at an angle it comes down with the part of its speed that points down; the
//! rest carries it along the body, of which one length is `Way`. Each impact changes that speed and
//! the spin by friction ([`oblique`]).
//!
//! **Flight** is exact, and so is the landing inside the sample. **Rest** comes by the rule of
//! [`Touch::departure`](crate::contact::rigid::RigidContact::departure); on the way there the blows
//! fade ([`Ball::weight`]).

use super::oblique::{self, ObliqueContact};
use super::strike::WIDEST_SCATTER;
use crate::body::Point;
use crate::body::macros::BodyScale;
use crate::contact::rigid::SHORTEST_FLIGHT_S;
use crate::contact::{ContactReport, ContactSettings, Dent, Integrator, contact_time, release};
use crate::math::{reflect, smoothstep};
use crate::params::{Param, Patch, note_length_s};
use crate::random::signed_unit_of;

/// At full scatter the effective mass of a bounce is up to this many octaves off.
const WIDEST_MASS_OCTAVES: f64 = 1.0;
/// Blows fade from this many contact times of flight between them, to none at one.
const FADE_FROM: f64 = 4.0;

/// A ball to be released.
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

/// A contact that fills nearly all of the gap leaves the flight this share of it. Then the gap is
/// longer than asked.
const MIN_FLIGHT: f64 = 0.1;
/// A ball that comes off with less than this share of its speed is back sooner: it would hang in
/// the air without weight.
const MIN_REBOUND: f64 = 0.01;
/// Error of the solution for a linear damper, as a share of the speed.
const TOLERANCE: f64 = 1e-9;

/// Gravity that follows from a first gap given as a note length.
///
/// The ball lands with the speed of a strike of the same velocity. The first gap consists of the
/// contact, the recovery of the dent if it recovers, and a flight of `2 v_out/g`, so `g = 2
/// v_out/(gap - contact - recovery)`. All further gaps follow from the contact. The fall takes one
/// gap as well, so key, first and second impact lie on the grid.
///
/// A coupled body changes the rebound speed, which is known only at release; gravity is then set
/// again ([`Synced::aim`]).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Synced {
    gap_s: f64,
    landing_m_per_s: f64,
    gravity_m_per_s2: f64,
}

impl Synced {
    /// For a ball that lands with `v_in_m_per_s` on a wall, and again after `gap_s`.
    pub fn new(contact: &ContactSettings, v_in_m_per_s: f64, gap_s: f64) -> Self {
        let contact = contact.within_limits();
        let onset = contact.at_onset(v_in_m_per_s);
        let (v_out, busy_s) = match onset.damper_n_s_per_m {
            Some(_) => {
                let rebound = onset.rebound(contact.mass_kg, v_in_m_per_s, TOLERANCE);
                let v_out = rebound.e * v_in_m_per_s;
                let way_out_s =
                    if contact.dent == Dent::Recovers { rebound.x_separation / v_out } else { 0.0 };
                (v_out, rebound.time + way_out_s)
            }
            None => {
                let v_out = -release::v_out_exact(onset.law.mu_s_per_m, v_in_m_per_s);
                (v_out, contact_time::exact(&onset.law, contact.mass_kg, v_in_m_per_s))
            }
        };
        let mut synced = Self { gap_s, landing_m_per_s: v_in_m_per_s, gravity_m_per_s2: 0.0 };
        synced.set_flight((gap_s - busy_s).max(MIN_FLIGHT * gap_s), v_out, 0.0);
        synced
    }

    /// What it comes to, m/s^2.
    pub fn gravity_m_per_s2(&self) -> f64 {
        self.gravity_m_per_s2
    }

    /// How long it is still to fly where it comes off `since_s` after its first touch, s. None
    /// where that is no longer part of the first gap: a light body touches a ball several times
    /// before it is off, but what comes off in the second half of the gap, and not for the first
    /// time, has bounced once more.
    pub fn flight_left_s(&self, since_s: f64, is_first: bool) -> Option<f64> {
        let is_part = is_first || since_s < 0.5 * self.gap_s;
        is_part.then(|| (self.gap_s - since_s).max(MIN_FLIGHT * self.gap_s))
    }

    /// It goes up with `away_m_per_s` from `height_m` over where the body rests: settle the
    /// gravity, m/s^2, with which it is down after `flight_s`.
    pub fn aim(&mut self, flight_s: f64, away_m_per_s: f64, height_m: f64) -> f64 {
        self.set_flight(flight_s, away_m_per_s, height_m);
        self.gravity_m_per_s2
    }

    /// It goes up with `away_m_per_s` at `height_m`, and is down after `flight_s`. One that was
    /// struck meanwhile, and is faster than it came, takes longer: else its weight would be more
    /// with every stroke.
    fn set_flight(&mut self, flight_s: f64, away_m_per_s: f64, height_m: f64) {
        let max_m_per_s = self.landing_m_per_s;
        let rise_m_per_s =
            (away_m_per_s + height_m / flight_s).max(MIN_REBOUND * max_m_per_s).min(max_m_per_s);
        self.gravity_m_per_s2 = 2.0 * rise_m_per_s / flight_s;
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

#[cfg(test)]
mod sync_tests {
    use super::*;

    /// A soft ball on a light body may be on it for longer than the gap. Its weight was once
    /// settled anew at every release, and was more each time.
    #[test]
    fn a_ball_that_is_late_gains_no_weight() {
        let (landing, gap_s) = (3.0, 0.25);
        let mut synced = Synced::new(&ContactSettings::default(), landing, gap_s);
        let by_a_wall = synced.gravity_m_per_s2();
        assert!(by_a_wall > 0.0 && by_a_wall < 2.0 * landing / (0.9 * gap_s));
        assert_eq!(
            synced.flight_left_s(0.4 * gap_s, false),
            Some(0.6 * gap_s),
            "one knock of several"
        );
        assert_eq!(synced.flight_left_s(0.6 * gap_s, false), None, "another bounce");
        let late_s =
            synced.flight_left_s(3.0 * gap_s, true).expect("the first contact, however long");
        assert_eq!(late_s, MIN_FLIGHT * gap_s);
        let max = 2.0 * landing / late_s;
        for away in [0.5 * landing, landing, 30.0 * landing] {
            assert_eq!(synced.aim(late_s, away, 0.0), max.min(2.0 * away / late_s), "{away}");
        }
        assert_eq!(synced.aim(late_s, 1e-9, -0.1), MIN_REBOUND * max, "it would hang in the air");
    }
}
