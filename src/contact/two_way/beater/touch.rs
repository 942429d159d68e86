//! A contact of a free mass, under way.

use super::super::pace::{FEWEST_ON_THE_WAY_IN, Pace, WayIn};

/// A contact under way.
#[derive(Clone, Copy, Debug)]
pub struct Touch {
    /// Time of its steps, s.
    pub time_s: f64,
    /// How much of the first was over before it touched, s.
    pub late_s: f64,
    /// What its way in was predicted to take, s.
    pub way_in_s: f64,
    /// Steps it has had.
    pub steps: u32,
    /// What its steps were last settled by, and when, s.
    pub settled: Option<(WayIn, f64)>,
    /// The surface swings back: how long after the onset, or the last look, s.
    pub graze_s: f64,
    /// What was pushed so far, N s.
    pub impulse_ns: f64,
    /// Its damper is a linear one.
    pub by_damper: bool,
    /// Steps since its force ended.
    pub tail: u32,
    /// Nothing has pushed since. With a linear damper the mass is then still in its dent, and may be caught up by the surface once more
    /// before it is out of it: that is the same contact.
    pub left: Option<Left>,
}

/// How a mass was when its force ended.
#[derive(Clone, Copy, Debug)]
pub struct Left {
    /// After the steps of the contact began, s.
    pub time_s: f64,
    /// Its own velocity, m/s.
    pub v_m_per_s: f64,
    /// Compression, m.
    pub x_m: f64,
    /// Height, m.
    pub height_m: f64,
}

impl Touch {
    /// Way in by which its steps are to be chosen, if its spring turns it within `way_in_s`: the spring and a surface that swings back end it
    /// together, s. A linear damper lets go as soon as the surface falls back, which is half of that.
    pub fn predicted_s(&self, way_in_s: f64) -> f64 {
        let way_in_s = 1.0 / (1.0 / way_in_s + 1.0 / self.graze_s);
        if self.by_damper { 0.5 * way_in_s } else { way_in_s }
    }

    /// Sub-steps per sample with which it has 24 or more, if its spring turns it within `way_in_s`. Once it has had enough steps, what it has lasted for is the measure, however stiff it is.
    pub fn fewest(&self, way_in_s: f64, pace: &Pace, dt_s: f64, most: u32) -> u32 {
        if f64::from(self.steps) < 2.0 * FEWEST_ON_THE_WAY_IN {
            pace.fewest(self.predicted_s(way_in_s), dt_s, most)
        } else {
            pace.fewest(way_in_s.max(0.5 * self.time_s), dt_s, most)
        }
    }
}
