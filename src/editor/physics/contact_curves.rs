//! The four curves of a contact.

use crate::contact::recorder::ContactRecording;
use crate::contact::rigid::{ContactStep, RigidContact};
use crate::contact::trial::{RigidTrial, RigidTrialResult};

/// Maximum points of a simulated contact: enough for any window. Of a longer one every second step
/// is drawn, every fourth and so on.
const MAX_POINTS: usize = 4000;

/// Approximate number of points of a faintly drawn previous contact.
const THINNED_POINTS: usize = 64;

/// Maximum steps of a simulated contact, about 0.1 s of work. A strike has a hundred.
const MAX_STEPS: u32 = 1 << 20;

/// Points of the charts of one contact.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ContactCurves {
    /// Compression (um) and velocity (m/s).
    pub portrait: Vec<[f64; 2]>,
    /// Time (us) and force (N).
    pub force: Vec<[f64; 2]>,
    /// Compression (um) and force (N).
    pub hysteresis: Vec<[f64; 2]>,
    /// Time (us) and energy (J).
    pub energy: Vec<[f64; 2]>,
}

impl ContactCurves {
    /// The curves of a recorded contact: force and speed are means between two points.
    pub fn of(recording: &ContactRecording) -> Self {
        let report = &recording.report;
        let mut curves = Self::default();
        curves.portrait.push([0.0, report.v_in_m_per_s]);
        curves.force.push([0.0, 0.0]);
        curves.hysteresis.push([0.0, 0.0]);
        for pair in recording.points.windows(2) {
            let [[t_0, x_0, p_0, _], [t_1, x_1, p_1, _]] = [pair[0], pair[1]].map(|point| {
                [point.time_s, point.compression_m, point.impulse_ns, point.energy_j].map(f64::from)
            });
            let step_s = t_1 - t_0;
            let (x_m, v_m_per_s, force_n) =
                (0.5 * (x_0 + x_1), (x_1 - x_0) / step_s, (p_1 - p_0) / step_s);
            // The last interval may be empty.
            if v_m_per_s.is_finite() && force_n.is_finite() {
                curves.portrait.push([1e6 * x_m, v_m_per_s]);
                curves.force.push([1e6 * 0.5 * (t_0 + t_1), force_n]);
                curves.hysteresis.push([1e6 * x_m, force_n]);
            }
        }
        curves.force.push([1e6 * report.duration_s, 0.0]);
        curves.hysteresis.push([1e6 * report.separation_m, 0.0]);
        let energies = recording
            .points
            .iter()
            .map(|point| [1e6 * f64::from(point.time_s), f64::from(point.energy_j)]);
        curves.energy.extend(energies.filter(|[_, energy_j]| energy_j.is_finite()));
        curves
    }

    /// Simulates a contact with a wall, and returns its curves and its result.
    pub fn simulate(trial: &RigidTrial) -> (Self, RigidTrialResult) {
        let mut drawn = SimulatedCurves::begin(trial);
        let result = trial.run_watched(MAX_STEPS, &mut |contact, step| drawn.step(contact, step));
        (drawn.end(), result)
    }

    /// Energy at onset and at release, J.
    pub fn levels_j(&self) -> [f64; 2] {
        [self.energy.first(), self.energy.last()].map(|point| point.map_or(0.0, |point| point[1]))
    }

    /// True if there are few enough points to mark each.
    pub fn is_coarse(&self) -> bool {
        self.portrait.len() < 120
    }

    /// Keeps only as many points as a faint line needs.
    pub fn thinned(mut self) -> Self {
        let every = self.portrait.len().div_ceil(THINNED_POINTS).max(1);
        for points in self.all_mut() {
            let (mut index, last) = (0usize, points.len().saturating_sub(1));
            points.retain(|_| {
                index += 1;
                (index - 1).is_multiple_of(every) || index - 1 == last
            });
        }
        self
    }

    fn all_mut(&mut self) -> [&mut Vec<[f64; 2]>; 4] {
        [&mut self.portrait, &mut self.force, &mut self.hysteresis, &mut self.energy]
    }
}

/// Curves of a contact that is being simulated.
struct SimulatedCurves {
    curves: ContactCurves,
    time_s: f64,
    x_m: f64,
    /// One step in this many is drawn, and the steps since the last one drawn.
    every: u32,
    since: u32,
}

impl SimulatedCurves {
    fn begin(trial: &RigidTrial) -> Self {
        let v_in_m_per_s = trial.v_in_m_per_s;
        let contact =
            RigidContact::begin(&trial.settings, v_in_m_per_s, 1.0 / trial.sample_rate_hz);
        let curves = ContactCurves {
            portrait: vec![[0.0, v_in_m_per_s]],
            force: vec![[0.0, 0.0]],
            hysteresis: vec![[0.0, 0.0]],
            energy: vec![[0.0, contact.energy_j()]],
        };
        Self { curves, time_s: 0.0, x_m: 0.0, every: 1, since: 0 }
    }

    fn step(&mut self, contact: &RigidContact, step: &ContactStep) {
        let motion = contact.motion();
        let x_before = std::mem::replace(&mut self.x_m, motion.x_m);
        self.time_s += step.duration_s;
        self.since += 1;
        if self.since < self.every && !step.released {
            return;
        }
        self.since = 0;
        let curves = &mut self.curves;
        curves.portrait.push([1e6 * motion.x_m.max(0.0), motion.v_m_per_s]);
        curves.force.push([1e6 * (self.time_s - 0.5 * step.duration_s), step.force_n]);
        curves.hysteresis.push([1e6 * 0.5 * (x_before + motion.x_m).max(0.0), step.force_n]);
        curves.energy.push([1e6 * self.time_s, contact.energy_j()]);
        if curves.portrait.len() > MAX_POINTS {
            for points in curves.all_mut() {
                let mut index = 0usize;
                points.retain(|_| {
                    index += 1;
                    index % 2 == 1
                });
            }
            self.every *= 2;
        }
    }

    fn end(mut self) -> ContactCurves {
        self.curves.force.push([1e6 * self.time_s, 0.0]);
        self.curves.hysteresis.push([1e6 * self.x_m.max(0.0), 0.0]);
        self.curves
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::ContactSettings;

    #[test]
    fn thinned_curves_keep_their_ends() {
        let (whole, _) =
            ContactCurves::simulate(&RigidTrial::single(ContactSettings::default(), 1.0, 1e6));
        let thin = whole.clone().thinned();
        assert!(
            whole.portrait.len() > 4 * THINNED_POINTS && thin.portrait.len() <= THINNED_POINTS + 1,
            "{}",
            thin.portrait.len()
        );
        for (whole, thin) in
            [(&whole.portrait, &thin.portrait), (&whole.hysteresis, &thin.hysteresis)]
        {
            assert_eq!((whole.first(), whole.last()), (thin.first(), thin.last()));
        }
        let short =
            ContactCurves { portrait: vec![[0.0, 1.0], [1.0, 0.0]], ..ContactCurves::default() };
        assert_eq!(short.clone().thinned(), short);
    }
}
