//! A contact with a wall once more, step by step: the same code that sounded, run for the eye.

use super::contact_curves::ContactCurves;
use super::figures::Figure;
use crate::contact::closed_form::Curve;
use crate::contact::trial::RigidTrialResult;
use crate::contact::{ContactReport, ReplayInputs};
use crate::editor::chart::axis::quantity;

/// Points of the analytic curves.
const FINE: usize = 160;

/// One contact.
#[derive(Clone, Debug)]
pub struct Replay {
    /// What decided it.
    pub of: ReplayInputs,
    /// As it was stepped.
    pub curves: ContactCurves,
    /// Compression (um) and velocity (m/s) by the analysis.
    pub exact_portrait: Vec<[f64; 2]>,
    /// Energy at onset and at release by the analysis, J.
    pub levels_j: [f64; 2],
    /// What it was like; none if it lasted too long to be followed to its end.
    pub report: Option<ContactReport>,
    /// What is wrong with it.
    pub verdict: RigidTrialResult,
    /// Release velocity by the analysis, m/s.
    pub v_out_exact: f64,
}

impl Replay {
    /// Run a contact.
    pub fn new(of: &ReplayInputs) -> Self {
        let (trial, v_in, mass_kg) = (of.trial(), of.v_in_m_per_s, of.settings.mass_kg);
        let (onset, v_out_exact) = (trial.onset(), trial.v_out_exact());
        let curve = Curve::new(&onset.law, mass_kg, v_in);
        let velocity = |i: usize| v_in + (v_out_exact - v_in) * i as f64 / FINE as f64;
        // Beside a linear damper there is no curve.
        let points = if onset.damper_n_s_per_m.is_none() { 0..FINE + 1 } else { 0..0 };
        let exact_portrait =
            points.map(|i| [1e6 * curve.compression_m(velocity(i)), velocity(i)]).collect();
        let levels_j = [v_in, v_out_exact].map(|v| 0.5 * mass_kg * v * v);
        let (curves, report, verdict) = ContactCurves::again(of);
        Self { of: *of, curves, exact_portrait, levels_j, report, verdict, v_out_exact }
    }

    /// What there is to say of it.
    pub fn figures(&self) -> [Figure; 8] {
        let (verdict, exact, v_in) = (&self.verdict, self.v_out_exact, self.of.v_in_m_per_s);
        let error_pct = if exact == 0.0 { 0.0 } else { 100.0 * (verdict.v_out / exact - 1.0) };
        [
            Figure::new(
                "Speed in",
                format!("{v_in:.3} m/s"),
                "Speed of the striker as it met a rigid wall.",
            ),
            Figure::new(
                "Speed out",
                format!("{:.3} m/s", -verdict.v_out),
                "Speed with which the wall threw it back.",
            ),
            Figure::new(
                "Restitution",
                format!("{:.4}", -verdict.v_out / v_in),
                "Speed out over speed in: the effective coefficient of restitution.",
            ),
            Figure::new(
                "Contact",
                quantity(verdict.contact_time_s, "s"),
                "From the first touch to the release.",
            ),
            Figure::new(
                "Impulse",
                quantity(verdict.impulse_ns, "N s"),
                "The area under the force over time.",
            ),
            Figure::error(
                "dev x",
                verdict.dev_x_pct,
                "How far the steps are at most from the analytic compression, in percent of the largest one.",
            ),
            Figure::error(
                "dev H",
                verdict.dev_h_pct,
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
