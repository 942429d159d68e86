//! A contact as four curves.

use crate::contact::recording::ContactRecording;
use crate::contact::rigid::{ContactStep, RigidContact};
use crate::contact::trial::RigidTrialResult;
use crate::contact::{ContactReport, ReplayInputs};

/// Most steps of a contact that are drawn. Of a longer one every second is, every fourth and so on.
const MAX_POINTS: usize = 4000;

/// Points with which a contact that is only faintly seen is drawn, about.
const THINNED_POINTS: usize = 64;

/// What the charts show of a contact.
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
    /// Of a contact that the engine has told of: between two moments the mean force, and the mean
    /// speed of the compression.
    pub fn of(trace: &ContactRecording) -> Self {
        let report = &trace.report;
        let mut curves = Self::default();
        curves.portrait.push([0.0, report.v_in_m_per_s]);
        curves.force.push([0.0, 0.0]);
        curves.hysteresis.push([0.0, 0.0]);
        for pair in trace.moments.windows(2) {
            let [[t_0, x_0, p_0, _], [t_1, x_1, p_1, _]] = [pair[0], pair[1]].map(|moment| {
                [moment.time_s, moment.compression_m, moment.impulse_ns, moment.energy_j]
                    .map(f64::from)
            });
            let step_s = t_1 - t_0;
            let (x_m, v_m_per_s, force_n) =
                (0.5 * (x_0 + x_1), (x_1 - x_0) / step_s, (p_1 - p_0) / step_s);
            // The last one may have no length.
            if v_m_per_s.is_finite() && force_n.is_finite() {
                curves.portrait.push([1e6 * x_m, v_m_per_s]);
                curves.force.push([1e6 * 0.5 * (t_0 + t_1), force_n]);
                curves.hysteresis.push([1e6 * x_m, force_n]);
            }
        }
        curves.force.push([1e6 * report.duration_s, 0.0]);
        curves.hysteresis.push([1e6 * report.separation_m, 0.0]);
        let energies = trace
            .moments
            .iter()
            .map(|moment| [1e6 * f64::from(moment.time_s), f64::from(moment.energy_j)]);
        curves.energy.extend(energies.filter(|[_, energy_j]| energy_j.is_finite()));
        curves
    }

    /// Of a contact with a wall, stepped once more; what it was like, if it came off, and how far
    /// from the truth it was.
    pub fn again(replay_inputs: &ReplayInputs) -> (Self, Option<ContactReport>, RigidTrialResult) {
        let mut stepping = CurveRecorder::begin(&replay_inputs.begin(), replay_inputs.v_in_m_per_s);
        let (report, verdict) = replay_inputs.run(&mut |touch, step| stepping.step(touch, step));
        (stepping.end(), report, verdict)
    }

    /// Energy at onset and at release, J.
    pub fn levels_j(&self) -> [f64; 2] {
        [self.energy.first(), self.energy.last()].map(|point| point.map_or(0.0, |point| point[1]))
    }

    /// Few enough points that each can be marked.
    pub fn is_coarse(&self) -> bool {
        self.portrait.len() < 120
    }

    /// With no more points than are needed for a faint line.
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

/// A contact that is being stepped.
struct CurveRecorder {
    curves: ContactCurves,
    time_s: f64,
    x_m: f64,
    /// One step of so many is drawn, and so many have gone by since the last.
    every: u32,
    since: u32,
}

impl CurveRecorder {
    fn begin(touch: &RigidContact, v_in_m_per_s: f64) -> Self {
        let curves = ContactCurves {
            portrait: vec![[0.0, v_in_m_per_s]],
            force: vec![[0.0, 0.0]],
            hysteresis: vec![[0.0, 0.0]],
            energy: vec![[0.0, touch.energy_j()]],
        };
        Self { curves, time_s: 0.0, x_m: 0.0, every: 1, since: 0 }
    }

    fn step(&mut self, touch: &RigidContact, step: &ContactStep) {
        let motion = touch.motion();
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
        curves.energy.push([1e6 * self.time_s, touch.energy_j()]);
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
    fn a_thinned_course_keeps_its_ends() {
        let (whole, ..) =
            ContactCurves::again(&ReplayInputs::on_a_sample(&ContactSettings::default(), 1.0, 1e6));
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
