//! A contact with what gives way, as the engine had it, beside the same with what does not.

use super::contact_curves::ContactCurves;
use super::figures::Figure;
use crate::contact::recording::{ContactRecording, ContactWith};
use crate::contact::{ContactReport, ContactSettings, Coupling, ReplayInputs};
use crate::editor::chart::axis::quantity;

/// A contact with a body, or of two balls in a row.
pub struct CoupledContact {
    met: ContactWith,
    report: ContactReport,
    impulse_ns: f64,
    /// As the engine told of it.
    pub curves: ContactCurves,
    /// With a wall; of two balls, without those beside them.
    pub reference: ContactCurves,
}

impl CoupledContact {
    /// Of a contact that the engine told of.
    pub fn new(trace: &ContactRecording, sample_rate_hz: f64) -> Self {
        // Without its weight: held down by it, a mass on a wall might never come off.
        let settings =
            ContactSettings { coupling: Coupling::Rigid, gravity_m_per_s2: 0.0, ..trace.settings };
        let replay_inputs = ReplayInputs::on_a_sample(
            &settings,
            trace.report.v_in_m_per_s.max(1e-6),
            sample_rate_hz,
        );
        Self {
            met: trace.contact_with,
            report: trace.report,
            impulse_ns: trace.impulse_ns().into(),
            curves: ContactCurves::of(trace),
            reference: ContactCurves::again(&replay_inputs).0,
        }
    }

    /// What it is called, and what is beside it.
    pub fn names(&self) -> [&'static str; 2] {
        match self.met {
            ContactWith::Body => ["body", "wall"],
            ContactWith::Ball => ["row", "two alone"],
        }
    }

    /// What is to be said of it in words.
    pub fn note(&self) -> Option<&'static str> {
        match self.met {
            ContactWith::Body => None,
            ContactWith::Ball => Some(
                "Two neighbours of the row, as they met; beside it the same two without the others.",
            ),
        }
    }

    /// What there is to say of it in numbers.
    pub fn figures(&self) -> [Figure; 6] {
        let report = &self.report;
        let (v_in, v_out) = (report.own_in_m_per_s, -report.v_out_m_per_s);
        let [before_j, after_j] = self.curves.levels_j();
        let left = if before_j == 0.0 { 0.0 } else { 100.0 * after_j / before_j };
        let [of_in, of_out, of_e, of_energy] = match self.met {
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
            Figure::new("Energy left", format!("{left:.1} %"), of_energy),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::recording::RecordedPoint;

    #[test]
    fn the_wall_is_met_by_the_same_striker_at_the_same_speed() {
        let settings = ContactSettings {
            mass_kg: 0.003,
            gravity_m_per_s2: 9.81,
            ..ContactSettings::default()
        };
        let report =
            ContactReport { v_in_m_per_s: 1.5, own_in_m_per_s: 1.2, ..ContactReport::default() };
        let mut trace = ContactRecording { settings, report, ..ContactRecording::default() };
        trace.moments.push(RecordedPoint::default());
        let coupled = CoupledContact::new(&trace, 48_000.0);
        let [before_j, after_j] = coupled.reference.levels_j();
        assert!((before_j / (0.5 * 0.003 * 1.5 * 1.5) - 1.0).abs() < 1e-12, "{before_j}");
        assert!(after_j < before_j && after_j > 0.0 && coupled.reference.portrait.len() > 20);
        assert_eq!(coupled.names(), ["body", "wall"]);
    }
}
