//! A contact as four curves.

use crate::contact::two_way::trace::Trace;

/// What the charts show of a contact.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Course {
    /// Compression (um) and velocity (m/s).
    pub portrait: Vec<[f64; 2]>,
    /// Time (us) and force (N).
    pub force: Vec<[f64; 2]>,
    /// Compression (um) and force (N).
    pub hysteresis: Vec<[f64; 2]>,
    /// Time (us) and energy (J).
    pub energy: Vec<[f64; 2]>,
}

impl Course {
    /// Of a contact that the engine has told of: between two moments the mean force, and the mean speed of the compression.
    pub fn of(trace: &Trace) -> Self {
        let report = &trace.report;
        let mut course = Self::default();
        course.portrait.push([0.0, report.v_in_m_per_s]);
        course.force.push([0.0, 0.0]);
        course.hysteresis.push([0.0, 0.0]);
        for pair in trace.moments.windows(2) {
            let [[t_0, x_0, p_0, _], [t_1, x_1, p_1, _]] = [pair[0], pair[1]]
                .map(|moment| [moment.time_s, moment.compression_m, moment.impulse_ns, moment.energy_j].map(f64::from));
            let step_s = t_1 - t_0;
            let (x_m, v_m_per_s, force_n) = (0.5 * (x_0 + x_1), (x_1 - x_0) / step_s, (p_1 - p_0) / step_s);
            // The last one may have no length.
            if v_m_per_s.is_finite() && force_n.is_finite() {
                course.portrait.push([1e6 * x_m, v_m_per_s]);
                course.force.push([1e6 * 0.5 * (t_0 + t_1), force_n]);
                course.hysteresis.push([1e6 * x_m, force_n]);
            }
        }
        course.force.push([1e6 * report.duration_s, 0.0]);
        course.hysteresis.push([1e6 * report.separation_m, 0.0]);
        let energies = trace.moments.iter().map(|moment| [1e6 * f64::from(moment.time_s), f64::from(moment.energy_j)]);
        course.energy.extend(energies.filter(|[_, energy_j]| energy_j.is_finite()));
        course
    }

    /// Energy at onset and at release, J.
    pub fn levels_j(&self) -> [f64; 2] {
        [self.energy.first(), self.energy.last()].map(|point| point.map_or(0.0, |point| point[1]))
    }

    /// Few enough points that each can be marked.
    pub fn is_coarse(&self) -> bool {
        self.portrait.len() < 120
    }
}
