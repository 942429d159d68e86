//! The contacts of a ball chain: their reports, their fade when another chain takes the place, and
//! their recording for the editor.

use super::super::events::{self, ContactEventKind};
use crate::body::Point;
use crate::contact::ContactReport;
use crate::contact::recorder::RecordedPoint;
use crate::rigid_body::chain::{Chain, Forces, MAX_CONTACTS};

/// A contact under way.
#[derive(Clone, Copy, Debug)]
pub struct ChainContact {
    /// Since its onset, s.
    pub duration_s: f64,
    pub speed_in_m_per_s: f64,
    /// Momentum passed on so far, N s.
    pub impulse_ns: f64,
    point: Point,
    pub is_heard: bool,
}

/// One step of a contact: compression and approach before and after it, and the force.
pub struct ChainStep {
    pub before: (f64, f64),
    pub after: (f64, f64),
    pub force_n: f64,
    pub h_s: f64,
}

impl ChainStep {
    /// How long before its end the two separated, s, if they did.
    pub fn separated_s(&self) -> Option<f64> {
        let (x_m, approach) = self.after;
        let ago_s = if approach < 0.0 { (x_m.min(0.0) / approach).min(self.h_s) } else { 0.0 };
        (self.force_n == 0.0 || x_m <= 0.0).then_some(ago_s)
    }
}

impl ChainContact {
    /// A contact that begins within `step`.
    pub fn begin(step: &ChainStep, point: Point, is_heard: bool) -> Self {
        let (gap_m, speed) = (-step.before.0.min(0.0), step.before.1);
        // Without the part of the step before the gap closed.
        let wait_s = if speed > 0.0 { (gap_m / speed).min(step.h_s) } else { 0.0 };
        Self {
            duration_s: -wait_s,
            speed_in_m_per_s: speed.max(0.0),
            impulse_ns: 0.0,
            point,
            is_heard,
        }
    }

    /// The report of the contact. `reduced_kg`: reduced mass; `ago_s`: time from the separation to
    /// the end of the `last` step; `ended_s`: time from the start of the sample.
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

    /// The event to report.
    pub fn event(&self, report: &ContactReport) -> ContactEventKind {
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

/// A chain that another has replaced. Only the contacts of that moment are left of it.
#[derive(Clone, Debug)]
pub struct FadingChain {
    pub chain: Chain,
    /// Which contacts have not separated yet.
    pub touch: [bool; MAX_CONTACTS],
    /// Progress of the lift-off, 1 to 0.
    pub hold: f64,
}

impl FadingChain {
    /// One step. Returns the remaining forces.
    pub fn step(&mut self, h_s: f64) -> Forces {
        self.chain.step(h_s);
        let share = crate::math::smoothstep(self.hold);
        std::array::from_fn(|i| {
            self.touch[i] &= self.chain.forces_n()[i] > 0.0;
            if self.touch[i] { share * self.chain.forces_n()[i] } else { 0.0 }
        })
    }
}
