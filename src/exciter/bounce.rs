//! A bouncing ball: one note releases one ball, which falls, bounces and settles.
//!
//! **Release.** The ball starts at `Height` with a downward speed equal to that of a strike of the
//! same velocity, and lands with `sqrt(throw^2 + 2 g height)`. The height therefore sets the
//! softest note and its gaps; the velocity adds to both. If the first gap is a note length, gravity
//! follows from the gap instead ([`Synced`]).
//!
//! **Angle.** A ball thrown at an angle lands with the vertical component of its speed. The
//! tangential component carries it along the body, whose length is `Way`. Each impact changes the
//! tangential speed and the spin by friction ([`oblique`]).
//!
//! **Flight** is exact, including the landing time inside the sample. **Rest** follows from
//! [`RigidContact::departure`](crate::contact::rigid::RigidContact::departure); before that the
//! strikes fade ([`Ball::weight`]).

use super::oblique::{self, ObliqueContact};
use super::strike::WIDEST_SCATTER;
use crate::body::Point;
use crate::body::macros::BodyScale;
use crate::contact::rigid::SHORTEST_FLIGHT_S;
use crate::contact::{ContactReport, ContactSettings, Dent, Integrator, contact_time, release};
use crate::math::{reflect, smoothstep};
use crate::params::{Param, Patch, note_length_s};
use crate::random::signed_unit_of;

/// Range of the effective mass at full scatter, octaves either way.
const WIDEST_MASS_OCTAVES: f64 = 1.0;
/// Strikes fade between this ratio of flight time to contact time and 1, where they are silent.
const FADE_FROM: f64 = 4.0;

/// A ball to be released.
#[derive(Clone, Copy, Debug)]
pub struct Throw {
    /// The ball in flight.
    pub ball: Ball,
    /// Time until the first landing, s.
    pub fall_s: f64,
    /// Speed of the first landing, m/s.
    pub landing_m_per_s: f64,
}

impl Throw {
    /// Creates the ball of note number `count` since the last reset, with velocity 0…1.
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

/// A bouncing ball, with the state that makes each contact differ from the last.
///
/// Everything except its position is read from the patch at each landing, so that parameters act on
/// a ball in flight.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ball {
    scale: BodyScale,
    seed: u64,
    note: u64,
    /// Number of completed contacts.
    bounces: u64,
    /// Distance along the body since the first landing, in body lengths.
    wandered: f64,
    /// Gravity of this ball, if its gap is synced.
    synced: Option<Synced>,
    /// Tangential speed and spin, without the drift.
    slide: ObliqueContact,
}

impl Ball {
    /// Settings of the next contact.
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

    /// Returns the synced gravity, if the first gap is a note length.
    pub fn synced(&mut self) -> Option<&mut Synced> {
        self.synced.as_mut()
    }

    /// Remaining flight time of a synced ball within its first gap, s.
    ///
    /// `since_s` is the time since first touch; `is_first` marks the first separation.
    pub fn flight_left_s(&self, since_s: f64, is_first: bool) -> Option<f64> {
        self.synced?.flight_left_s(since_s, is_first)
    }

    /// Mass of the ball without scatter, kg.
    pub fn own_mass_kg(&self, patch: &Patch) -> f64 {
        patch.contact_of(&self.scale).mass_kg
    }

    /// Position of the next landing on the body.
    pub fn point(&self, patch: &Patch) -> Point {
        let aside = WIDEST_SCATTER * patch.get(Param::Scatter) * self.random(0);
        patch.place(
            reflect(patch.get(Param::Position) + self.wandered + aside),
            patch.get(Param::PositionY),
        )
    }

    /// Share of the next contact's force that reaches the body, after a flight of `flight_s`.
    ///
    /// A ball that barely leaves the body presses on it with its weight, which is inaudible,
    /// instead of striking it. The corrected integrators suspend gravity during contact, so the
    /// strikes are faded instead: from flights four contacts long down to silence at one contact,
    /// where the rest rule ends the sequence. Without the fade the sequence would stop abruptly.
    /// The passive integrator keeps gravity and needs no fade.
    pub fn weight(&self, settings: &ContactSettings, flight_s: f64, last: &ContactReport) -> f64 {
        if self.bounces == 0 || settings.integrator == Integrator::Passive {
            return 1.0;
        }
        let ratio = flight_s / last.duration_s.max(SHORTEST_FLIGHT_S);
        smoothstep(((ratio - 1.0) / (FADE_FROM - 1.0)).clamp(0.0, 1.0))
    }

    /// Factor by which friction increases the force of a landing at this speed.
    pub fn rub(&self, settings: &ContactSettings, landing_m_per_s: f64, patch: &Patch) -> f64 {
        if self.slide.is_none() || landing_m_per_s <= 0.0 {
            return 1.0;
        }
        let e = oblique::expected_restitution(settings, landing_m_per_s);
        let (_, slip) = self.slide.after(landing_m_per_s, e, patch.get(Param::SlipFriction));
        1.0 + patch.get(Param::FrictionShare) * slip
    }

    /// Records the end of the contact `last`, followed by a flight of `flight_s`.
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

/// Minimum flight as a share of the gap. If the contact fills nearly all of the gap, the gap
/// becomes longer than requested.
const MIN_FLIGHT: f64 = 0.1;
/// Minimum rebound speed as a share of the landing speed. A slower rebound would need almost no
/// gravity to last a whole gap.
const MIN_REBOUND: f64 = 0.01;
/// Error of the rebound solution for a linear damper, as a share of the speed.
const TOLERANCE: f64 = 1e-9;

/// Gravity derived from a first gap given as a note length.
///
/// The ball lands with the speed of a strike of the same velocity. The first gap consists of the
/// contact, the recovery of the dent if it recovers, and a flight of `2 v_out/g`, so `g = 2
/// v_out/(gap - contact - recovery)`. The contact law determines all further gaps. The fall also
/// takes one gap, so note-on, first impact and second impact lie on the grid.
///
/// A coupled body changes the rebound speed, which is known only at release; [`Synced::aim`] then
/// sets gravity again.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Synced {
    gap_s: f64,
    landing_m_per_s: f64,
    gravity_m_per_s2: f64,
}

impl Synced {
    /// Creates the gravity of a ball that lands with `v_in_m_per_s` on a rigid wall and lands again
    /// after `gap_s`.
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

    /// The gravity of this ball, m/s^2.
    pub fn gravity_m_per_s2(&self) -> f64 {
        self.gravity_m_per_s2
    }

    /// Remaining flight time, s, for a separation `since_s` after first touch.
    ///
    /// None if the separation is not part of the first gap: a light body touches a ball several
    /// times before it separates, but a repeated separation in the second half of the gap belongs
    /// to a later bounce.
    pub fn flight_left_s(&self, since_s: f64, is_first: bool) -> Option<f64> {
        let is_part = is_first || since_s < 0.5 * self.gap_s;
        is_part.then(|| (self.gap_s - since_s).max(MIN_FLIGHT * self.gap_s))
    }

    /// Sets the gravity so that the ball lands after `flight_s`; returns it, m/s^2.
    ///
    /// The ball rises with `away_m_per_s` from `height_m` above the body at rest.
    pub fn aim(&mut self, flight_s: f64, away_m_per_s: f64, height_m: f64) -> f64 {
        self.set_flight(flight_s, away_m_per_s, height_m);
        self.gravity_m_per_s2
    }

    /// Sets the gravity for a rise with `away_m_per_s` from `height_m` and a landing after
    /// `flight_s`. The rise is limited to the landing speed: a ball struck again in flight then
    /// takes longer, otherwise each further strike would increase its gravity.
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

    /// A contact with a soft ball on a light body may outlast the gap; recomputing gravity at each
    /// release must not increase it.
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
