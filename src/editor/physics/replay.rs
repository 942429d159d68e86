//! The last contact once more, step by step: the same code that sounded, run for the eye.

use super::course::Course;
use super::figures::Figure;
use crate::contact::ContactSettings;
use crate::contact::closed_form::Curve;
use crate::contact::touch::Touch;
use crate::contact::trial::{Trial, Verdict};
use crate::editor::chart::axis::quantity;

/// More steps are not drawn.
const MOST_STEPS: usize = 4000;
/// Points of the analytic curves.
const FINE: usize = 160;

/// One contact.
#[derive(Clone, Debug, Default)]
pub struct Replay {
    /// Of these settings, speed (m/s) and sample rate (Hz).
    pub of: Option<(ContactSettings, f64, f64)>,
    /// As it was stepped.
    pub course: Course,
    /// Compression (um) and velocity (m/s) by the analysis.
    pub exact_portrait: Vec<[f64; 2]>,
    /// Energy at onset and at release by the analysis, J.
    pub levels_j: [f64; 2],
    /// What is wrong with it.
    pub verdict: Verdict,
    /// Release velocity by the analysis, m/s.
    pub v_out_exact: f64,
}

impl Replay {
    /// Run a contact, unless it is the one at hand.
    pub fn run(&mut self, settings: &ContactSettings, speed_m_per_s: f64, sample_rate_hz: f64) {
        let of = (settings.within_limits(), speed_m_per_s, sample_rate_hz);
        if self.of == Some(of) {
            return;
        }
        let settings = of.0;
        let trial = Trial::single(settings, speed_m_per_s, sample_rate_hz);
        *self = Self { of: Some(of), verdict: trial.run(), v_out_exact: trial.v_out_exact(), ..Self::default() };
        let onset = trial.onset();
        let curve = Curve::new(&onset.law, settings.mass_kg, speed_m_per_s);
        if onset.damper_n_s_per_m.is_none() {
            let velocity = |i: usize| speed_m_per_s + (self.v_out_exact - speed_m_per_s) * i as f64 / FINE as f64;
            self.exact_portrait = (0..=FINE).map(|i| [1e6 * curve.compression_m(velocity(i)), velocity(i)]).collect();
        }
        let energy_j = |v: f64| 0.5 * settings.mass_kg * v * v;
        self.levels_j = [energy_j(speed_m_per_s), energy_j(self.v_out_exact)];
        self.step(&settings, speed_m_per_s, 1.0 / sample_rate_hz);
    }

    /// What there is to say of it, at this speed (m/s).
    pub fn figures(&self, speed_m_per_s: f64) -> [Figure; 8] {
        let (verdict, exact) = (&self.verdict, self.v_out_exact);
        let error_pct = if exact == 0.0 { 0.0 } else { 100.0 * (verdict.v_out / exact - 1.0) };
        [
            Figure::new("Speed in", format!("{speed_m_per_s:.3} m/s"), "Speed of the striker as it met a rigid wall."),
            Figure::new("Speed out", format!("{:.3} m/s", -verdict.v_out), "Speed with which the wall threw it back."),
            Figure::new(
                "Restitution",
                format!("{:.4}", -verdict.v_out / speed_m_per_s),
                "Speed out over speed in: the effective coefficient of restitution.",
            ),
            Figure::new("Contact", quantity(verdict.contact_time_s, "s"), "From the first touch to the release."),
            Figure::new("Impulse", quantity(verdict.impulse_ns, "N s"), "The area under the force over time."),
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
            Figure::error("err v out", error_pct, "How far the speed out is from the analysis, in percent of it."),
        ]
    }

    fn step(&mut self, settings: &ContactSettings, speed_m_per_s: f64, dt_s: f64) {
        let mut touch = Touch::begin(settings, speed_m_per_s, dt_s);
        let h_s = dt_s / f64::from(touch.steps_per_sample());
        let mut time_s = 0.0;
        let course = &mut self.course;
        course.portrait.push([0.0, speed_m_per_s]);
        course.force.push([0.0, 0.0]);
        course.hysteresis.push([0.0, 0.0]);
        course.energy.push([0.0, touch.energy_j()]);
        for _ in 0..MOST_STEPS {
            let x_before = touch.motion().x_m;
            let step = touch.step(h_s);
            let motion = *touch.motion();
            time_s += step.duration_s;
            course.portrait.push([1e6 * motion.x_m.max(0.0), motion.v_m_per_s]);
            course.force.push([1e6 * (time_s - 0.5 * step.duration_s), step.force_n]);
            course.hysteresis.push([1e6 * 0.5 * (x_before + motion.x_m).max(0.0), step.force_n]);
            course.energy.push([1e6 * time_s, touch.energy_j()]);
            if step.released || touch.is_resting() {
                break;
            }
        }
        course.force.push([1e6 * time_s, 0.0]);
        course.hysteresis.push([1e6 * touch.motion().x_m.max(0.0), 0.0]);
    }
}
