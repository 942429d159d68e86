//! A first gap in note lengths.
//!
//! The ball lands with the speed that a strike of the same velocity has, so that velocity plays the
//! loudness as ever. What has to give way is gravity: from the first impact to the second are the
//! contact, the way out of a dent that recovers, and a flight of `2 v_out/g`, so `g = 2 v_out/(gap
//! - contact - way out)`. All gaps after it follow from the contact, as ever: by e each, or
//! lingering.
//!
//! The fall takes one gap as well, as if the ball had been tossed for it: key, first and
//! second impact lie on the grid.
//!
//! A body that gives way throws the ball back by itself, or swallows it. How fast it comes off is
//! known only then, and gravity is settled once more ([`Synced::aim`]).

use crate::contact::{ContactSettings, Dent, contact_time, release};

/// A contact that fills nearly all of the gap leaves the flight this share of it. Then the gap is
/// longer than asked.
const MIN_FLIGHT: f64 = 0.1;
/// A ball that comes off with less than this share of its speed is back sooner: it would hang in
/// the air without weight.
const MIN_REBOUND: f64 = 0.01;
/// Error of the solution for a linear damper, as a share of the speed.
const TOLERANCE: f64 = 1e-9;

/// Gravity that follows a gap.
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
