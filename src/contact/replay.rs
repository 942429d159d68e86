//! A contact with a wall once more, for whoever wants to see it.
//!
//! Such a contact depends on what was latched at its onset, on its speed, and on where in the
//! sample it began, as its steps lie on a grid of the sample's. These few numbers are all that need
//! be told of it: stepped again by the same code it is the same, to the bit. A course of it kept
//! while it sounds would be larger, and would cost something where nobody looks on.

use super::Wall;
use super::report::ContactReport;
use super::rigid::{ContactStep, RigidContact};
use super::settings::ContactSettings;
use super::striker::contact;
use super::trial::{Grid, RigidTrial, RigidTrialResult, Tally};

/// Steps after which a contact is given up: a tenth of a second of work. A blow has a hundred.
const MAX_STEPS: u32 = 1 << 20;

/// All that decides a contact with a wall.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReplayInputs {
    /// What it was told at its onset.
    pub settings: ContactSettings,
    /// Speed at onset, m/s.
    pub v_in_m_per_s: f64,
    /// From the start of the sample in which it began to its onset, s.
    pub onset_s: f64,
    /// Interval between samples, s.
    pub sample_s: f64,
}

impl ReplayInputs {
    /// The same, begun on a sample.
    pub fn on_a_sample(settings: &ContactSettings, v_in_m_per_s: f64, sample_rate_hz: f64) -> Self {
        Self {
            settings: settings.within_limits(),
            v_in_m_per_s,
            onset_s: 0.0,
            sample_s: 1.0 / sample_rate_hz,
        }
    }

    /// The contact as it begins.
    pub fn begin(&self) -> RigidContact {
        RigidContact::begin(&self.settings, self.v_in_m_per_s, self.sample_s)
    }

    /// The same as a trial, which knows what the law says of it.
    pub fn trial(&self) -> RigidTrial {
        RigidTrial {
            onset: self.onset_s / self.sample_s,
            grid: Grid::Samples,
            ..RigidTrial::single(self.settings, self.v_in_m_per_s, 1.0 / self.sample_s)
        }
    }

    /// Let it take place, telling `watch` of every step. What it was like, if it came off, and how
    /// far from the truth it was.
    pub fn run(
        &self,
        watch: &mut impl FnMut(&RigidContact, &ContactStep),
    ) -> (Option<ContactReport>, RigidTrialResult) {
        let mut rigid_contact = self.begin();
        let mut tally = Tally::new(&rigid_contact);
        let (mut now_s, mut steps, mut report) = (self.onset_s, 0, None);
        if rigid_contact.is_solved() {
            // Its steps are as long as one likes: many enough for a picture.
            let (mut rigid_contact, h_s) =
                (rigid_contact, self.sample_s / f64::from(rigid_contact.steps_per_sample()));
            let mut released = false;
            while steps < MAX_STEPS && !released {
                let step = rigid_contact.step(h_s);
                tally.watch(&rigid_contact, &step);
                watch(&rigid_contact, &step);
                (steps, released) = (steps + 1, step.released);
            }
            steps = 0;
        }
        while steps < MAX_STEPS && report.is_none() && !rigid_contact.is_resting() {
            let (released, is_solved) = (&mut false, rigid_contact.is_solved());
            (now_s, *released) = contact(
                &mut rigid_contact,
                now_s,
                self.sample_s,
                &mut Wall::default(),
                &mut 0.0,
                &mut |rigid_contact, step| {
                    steps += 1;
                    if !is_solved {
                        tally.watch(rigid_contact, step);
                        watch(rigid_contact, step);
                    }
                },
            );
            report = released.then(|| ContactReport::of(&rigid_contact, &self.settings, now_s));
            now_s = 0.0;
        }
        (report, tally.verdict(&self.settings, self.v_in_m_per_s))
    }
}
