//! The contact shown in the Physics view: simulated against a wall, or recorded by the engine.

use super::Figure;
use super::contact_curves::ContactCurves;
use crate::contact::closed_form::Curve;
use crate::contact::recorder::{ContactRecording, ContactWith};
use crate::contact::trial::{RigidTrial, RigidTrialResult};
use crate::contact::{ContactReport, ContactSettings, Coupling};
use crate::editor::chart::axis::quantity;

/// Points of the analytic curves.
const ANALYTIC_POINTS: usize = 160;

/// A contact with a wall, simulated from its settings and its speed.
#[derive(Clone, Debug)]
pub struct SimulatedContact {
    /// The contact.
    pub trial: RigidTrial,
    /// Its curves.
    pub curves: ContactCurves,
    /// Compression (um) and velocity (m/s) by the closed form; empty with a linear damper.
    pub exact_portrait: Vec<[f64; 2]>,
    /// Energy at onset and at release by the closed form, J.
    pub levels_j: [f64; 2],
    result: RigidTrialResult,
    v_out_exact: f64,
}

impl SimulatedContact {
    /// Simulates a contact.
    pub fn new(trial: &RigidTrial) -> Self {
        let (v_in, mass_kg) = (trial.v_in_m_per_s, trial.settings.mass_kg);
        let (onset, v_out_exact) = (trial.onset(), trial.v_out_exact());
        let curve = Curve::new(&onset.law, mass_kg, v_in);
        let velocity = |i: usize| v_in + (v_out_exact - v_in) * i as f64 / ANALYTIC_POINTS as f64;
        let points = if onset.damper_n_s_per_m.is_none() { 0..ANALYTIC_POINTS + 1 } else { 0..0 };
        let exact_portrait =
            points.map(|i| [1e6 * curve.compression_m(velocity(i)), velocity(i)]).collect();
        let levels_j = [v_in, v_out_exact].map(|v| 0.5 * mass_kg * v * v);
        let (curves, result) = ContactCurves::simulate(trial);
        Self { trial: *trial, curves, exact_portrait, levels_j, result, v_out_exact }
    }

    /// False if the contact was too long to be simulated to its end.
    pub fn has_ended(&self) -> bool {
        self.result.contacts > 0
    }

    /// Its figures.
    pub fn figures(&self) -> [Figure; 8] {
        let (result, exact, v_in) = (&self.result, self.v_out_exact, self.trial.v_in_m_per_s);
        let error_pct = if exact == 0.0 { 0.0 } else { 100.0 * (result.v_out / exact - 1.0) };
        [
            Figure::new(
                "Speed in",
                format!("{v_in:.3} m/s"),
                "Speed of the striker as it met a rigid wall.",
            ),
            Figure::new(
                "Speed out",
                format!("{:.3} m/s", -result.v_out),
                "Speed with which the wall threw it back.",
            ),
            Figure::new(
                "Restitution",
                format!("{:.4}", -result.v_out / v_in),
                "Speed out over speed in: the effective coefficient of restitution.",
            ),
            Figure::new(
                "Contact",
                quantity(result.contact_time_s, "s"),
                "From the first touch to the release.",
            ),
            Figure::new(
                "Impulse",
                quantity(result.impulse_ns, "N s"),
                "The area under the force over time.",
            ),
            Figure::error(
                "dev x",
                result.dev_x_pct,
                "How far the steps are at most from the analytic compression, in percent of the largest one.",
            ),
            Figure::error(
                "dev H",
                result.dev_h_pct,
                "How far the steps are at most from the analytic energy, in percent of what is lost.",
            ),
            Figure::error(
                "err v out",
                error_pct,
                "How far the speed out is from the analysis, in percent of it.",
            ),
        ]
    }
}

/// A contact with a compliant body, or of two balls of a chain, as the engine recorded it.
pub struct RecordedContact {
    contact_with: ContactWith,
    report: ContactReport,
    impulse_ns: f64,
    /// The recorded curves.
    pub curves: ContactCurves,
    /// The same contact with a wall, or of the two balls alone.
    pub reference: ContactCurves,
}

impl RecordedContact {
    /// Shows a recording.
    pub fn new(recording: &ContactRecording, sample_rate_hz: f64) -> Self {
        // Without gravity: the weight could keep a mass on a wall for ever.
        let settings = ContactSettings {
            coupling: Coupling::Rigid,
            gravity_m_per_s2: 0.0,
            ..recording.settings
        };
        let v_in_m_per_s = recording.report.v_in_m_per_s.max(1e-6);
        let trial = RigidTrial::single(settings, v_in_m_per_s, sample_rate_hz);
        Self {
            contact_with: recording.contact_with,
            report: recording.report,
            impulse_ns: recording.impulse_ns().into(),
            curves: ContactCurves::of(recording),
            reference: ContactCurves::simulate(&trial).0,
        }
    }

    /// Names of the contact and of its reference.
    pub fn names(&self) -> [&'static str; 2] {
        match self.contact_with {
            ContactWith::Body => ["body", "wall"],
            ContactWith::Ball => ["row", "two alone"],
        }
    }

    /// A remark in words.
    pub fn note(&self) -> Option<&'static str> {
        match self.contact_with {
            ContactWith::Body => None,
            ContactWith::Ball => Some(
                "Two neighbours of the row, as they met; beside it the same two without the others.",
            ),
        }
    }

    /// Its figures.
    pub fn figures(&self) -> [Figure; 6] {
        let report = &self.report;
        let (v_in, v_out) = (report.own_in_m_per_s, -report.v_out_m_per_s);
        let [before_j, after_j] = self.curves.levels_j();
        let left_pct = if before_j == 0.0 { 0.0 } else { 100.0 * after_j / before_j };
        let [of_in, of_out, of_e, of_energy] = match self.contact_with {
            ContactWith::Body => [
                "Speed of the striker as it met the body.",
                "Speed with which the body threw it back.",
                "Speed out over speed in, with a body that gives way.",
                "What the striker keeps of its energy.",
            ],
            ContactWith::Ball => [
                "How fast the two balls approached each other as they met.",
                "How fast they came apart.",
                "Speed out over speed in, with balls beside them.",
                "What is left of the energy of their motion towards each other: the rest is lost, or passed on.",
            ],
        };
        [
            Figure::new("Speed in", format!("{v_in:.3} m/s"), of_in),
            Figure::new("Speed out", format!("{v_out:.3} m/s"), of_out),
            Figure::new(
                "Restitution",
                format!("{:.4}", if v_in == 0.0 { 0.0 } else { v_out / v_in }),
                of_e,
            ),
            Figure::new(
                "Contact",
                quantity(report.duration_s, "s"),
                "From the first touch to the release.",
            ),
            Figure::new(
                "Impulse",
                quantity(self.impulse_ns, "N s"),
                "The area under the force over time.",
            ),
            Figure::new("Energy left", format!("{left_pct:.1} %"), of_energy),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::recorder::RecordedPoint;

    #[test]
    fn the_wall_is_met_by_the_same_striker_at_the_same_speed() {
        let settings = ContactSettings {
            mass_kg: 0.003,
            gravity_m_per_s2: 9.81,
            ..ContactSettings::default()
        };
        let report =
            ContactReport { v_in_m_per_s: 1.5, own_in_m_per_s: 1.2, ..ContactReport::default() };
        let mut recording = ContactRecording { settings, report, ..ContactRecording::default() };
        recording.points.push(RecordedPoint::default());
        let contact = RecordedContact::new(&recording, 48_000.0);
        let [before_j, after_j] = contact.reference.levels_j();
        assert!((before_j / (0.5 * 0.003 * 1.5 * 1.5) - 1.0).abs() < 1e-12, "{before_j}");
        assert!(after_j < before_j && after_j > 0.0 && contact.reference.portrait.len() > 20);
        assert_eq!(contact.names(), ["body", "wall"]);
    }
}
