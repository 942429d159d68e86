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
}

impl Touch {
    /// Sub-steps per sample with which it has 24 or more, if its spring turns it within `way_in_s`. The spring and a surface that swings
    /// back end it together. Once it has had enough steps, what it has lasted for is the measure, however stiff it is.
    pub fn fewest(&self, way_in_s: f64, pace: &Pace, dt_s: f64, most: u32) -> u32 {
        if f64::from(self.steps) < 2.0 * FEWEST_ON_THE_WAY_IN {
            pace.fewest(1.0 / (1.0 / way_in_s + 1.0 / self.graze_s), dt_s, most)
        } else {
            pace.fewest(way_in_s.max(0.5 * self.time_s), dt_s, most)
        }
    }
}
