//! A contact with a wall once more, for whoever wants to see it.
//!
//! Such a contact depends on what was latched at its onset, on its speed, and on where in the sample it began, as its steps lie on
//! a grid of the sample's. These few numbers are all that need be told of it: stepped again by the same code it is the same, to
//! the bit. A course of it kept while it sounds would be larger, and would cost something where nobody looks on.

use super::Wall;
use super::report::ContactReport;
use super::settings::ContactSettings;
use super::striker::contact;
use super::touch::{Touch, TouchStep};
use super::trial::{Grid, Tally, Trial, Verdict};

/// Steps after which a contact is given up: a tenth of a second of work. A blow has a hundred.
const MOST_STEPS: u32 = 1 << 20;

/// All that decides a contact with a wall.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Again {
    /// What it was told at its onset.
    pub settings: ContactSettings,
    /// Speed at onset, m/s.
    pub v_in_m_per_s: f64,
    /// From the start of the sample in which it began to its onset, s.
    pub onset_s: f64,
    /// Interval between samples, s.
    pub sample_s: f64,
}

impl Again {
    /// The same, begun on a sample.
    pub fn on_a_sample(settings: &ContactSettings, v_in_m_per_s: f64, sample_rate_hz: f64) -> Self {
        Self { settings: settings.within_limits(), v_in_m_per_s, onset_s: 0.0, sample_s: 1.0 / sample_rate_hz }
    }

    /// The contact as it begins.
    pub fn begin(&self) -> Touch {
        Touch::begin(&self.settings, self.v_in_m_per_s, self.sample_s)
    }

    /// The same as a trial, which knows what the law says of it.
    pub fn trial(&self) -> Trial {
        Trial {
            onset: self.onset_s / self.sample_s,
            grid: Grid::Samples,
            ..Trial::single(self.settings, self.v_in_m_per_s, 1.0 / self.sample_s)
        }
    }

    /// Let it take place, telling `watch` of every step. What it was like, if it came off, and how far from the truth it was.
    pub fn run(&self, watch: &mut impl FnMut(&Touch, &TouchStep)) -> (Option<ContactReport>, Verdict) {
        let mut touch = self.begin();
        let mut tally = Tally::new(&touch);
        let (mut now_s, mut steps, mut report) = (self.onset_s, 0, None);
        if touch.is_solved() {
            // Its steps are as long as one likes: many enough for a picture.
            let (mut touch, h_s) = (touch, self.sample_s / f64::from(touch.steps_per_sample()));
            let mut released = false;
            while steps < MOST_STEPS && !released {
                let step = touch.step(h_s);
                tally.watch(&touch, &step);
                watch(&touch, &step);
                (steps, released) = (steps + 1, step.released);
            }
            steps = 0;
        }
        while steps < MOST_STEPS && report.is_none() && !touch.is_resting() {
            let (released, is_solved) = (&mut false, touch.is_solved());
            (now_s, *released) =
                contact(&mut touch, now_s, self.sample_s, &mut Wall::default(), &mut 0.0, &mut |touch, step| {
                    steps += 1;
                    if !is_solved {
                        tally.watch(touch, step);
                        watch(touch, step);
                    }
                });
            report = released.then(|| ContactReport::of(&touch, &self.settings, now_s));
            now_s = 0.0;
        }
        (report, tally.verdict(&self.settings, self.v_in_m_per_s))
    }
}
