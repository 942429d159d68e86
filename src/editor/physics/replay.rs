//! The last contact once more, step by step: the same code that sounded, run for the eye.

use super::course::Course;
use crate::contact::ContactSettings;
use crate::contact::closed_form::Curve;
use crate::contact::touch::Touch;
use crate::contact::trial::{Trial, Verdict};

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
