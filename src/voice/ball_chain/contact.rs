//! A contact of two balls, from its onset to its end.

use super::super::events::{self, ContactEventKind};
use crate::body::Point;
use crate::contact::ContactReport;
use crate::contact::recorder::RecordedPoint;
use crate::rigid_body::chain::Chain;

/// A contact under way.
#[derive(Clone, Copy, Debug)]
pub struct ChainContact {
    /// Since its onset, s.
    pub duration_s: f64,
    pub speed_in_m_per_s: f64,
    /// What it has passed on so far, N s.
    pub impulse_ns: f64,
    point: Point,
    pub heard: bool,
}

/// One step of a contact: compression and approach before and after it, and the force.
pub struct ChainStep {
    pub before: (f64, f64),
    pub after: (f64, f64),
    pub force_n: f64,
    pub h_s: f64,
}

impl ChainStep {
    /// How long before its end the two came off, s, if they did.
    pub fn came_off_s(&self) -> Option<f64> {
        let (x_m, approach) = self.after;
        let ago_s = if approach < 0.0 { (x_m.min(0.0) / approach).min(self.h_s) } else { 0.0 };
        (self.force_n == 0.0 || x_m <= 0.0).then_some(ago_s)
    }
}

impl ChainContact {
    /// A contact that begins within `step`.
    pub fn begin(step: &ChainStep, point: Point, heard: bool) -> Self {
        let (gap_m, speed) = (-step.before.0.min(0.0), step.before.1);
        // The part of the step that came before the gap closed is none of it.
        let wait_s = if speed > 0.0 { (gap_m / speed).min(step.h_s) } else { 0.0 };
        Self {
            duration_s: -wait_s,
            speed_in_m_per_s: speed.max(0.0),
            impulse_ns: 0.0,
            point,
            heard,
        }
    }

    /// What it was like, with masses of `reduced_kg` together: it came apart `ago_s` before the end
    /// of `last`, and `ended_s` after the start of the sample.
    pub fn report(
        &self,
        last: &ChainStep,
        ago_s: f64,
        reduced_kg: f64,
        ended_s: f64,
    ) -> ContactReport {
        ContactReport {
            ended_s,
            mass_kg: reduced_kg,
            v_in_m_per_s: self.speed_in_m_per_s,
            own_in_m_per_s: self.speed_in_m_per_s,
            v_out_m_per_s: -(-last.after.1).max(0.0),
            duration_s: (self.duration_s - ago_s).max(0.0),
            separation_m: last.after.0.max(0.0),
            ..ContactReport::default()
        }
    }

    /// The same, for whoever listens.
    pub fn reported(&self, report: &ContactReport) -> ContactEventKind {
        events::ended(report, self.point, report.mass_kg, 0.0, None)
    }

    /// Kinetic energy of the relative motion at onset, J.
    pub fn onset_energy_j(&self, reduced_kg: f64) -> f64 {
        0.5 * reduced_kg * self.speed_in_m_per_s * self.speed_in_m_per_s
    }

    /// Its state after a step, for the recorder.
    pub fn recorded_point(&self, chain: &Chain, contact: usize) -> RecordedPoint {
        RecordedPoint {
            time_s: self.duration_s as f32,
            compression_m: chain.compression_m(contact) as f32,
            impulse_ns: self.impulse_ns as f32,
            energy_j: chain.energy_between_j(contact) as f32,
        }
    }

    /// Its state at release, for the recorder.
    pub fn release_point(&self, report: &ContactReport) -> RecordedPoint {
        RecordedPoint {
            time_s: report.duration_s as f32,
            compression_m: report.separation_m as f32,
            impulse_ns: self.impulse_ns as f32,
            energy_j: (0.5 * report.mass_kg * report.v_out_m_per_s * report.v_out_m_per_s) as f32,
        }
    }
}
