//! Runs of the contact, as trials or as trajectories.

use super::paper::{Case, MASS_KG, RATE_HZ};
use crate::contact::rigid::RigidContact;
use crate::contact::trial::RigidTrial;
use crate::contact::{ContactSettings, Integrator, Oversampling, Release};

/// Without corrections, at one step per sample.
pub fn plain(case: &Case, integrator: Integrator) -> ContactSettings {
    ContactSettings {
        law: case.law,
        mass_kg: MASS_KG,
        integrator,
        hybrid: false,
        release: Release::Free,
        ..ContactSettings::default()
    }
}

/// With the hybrid correction and the given release.
pub fn corrected(case: &Case, integrator: Integrator, release: Release) -> ContactSettings {
    ContactSettings { hybrid: true, release, ..plain(case, integrator) }
}

/// A trial at the paper's rate.
pub fn trial(case: &Case, settings: ContactSettings, rebounds: u32) -> RigidTrial {
    RigidTrial { rebounds, ..RigidTrial::single(settings, case.v_in_m_per_s, RATE_HZ) }
}

/// One point of a contact.
#[derive(Clone, Copy)]
pub struct Point {
    /// Compression, m.
    pub x_m: f64,
    /// Velocity, m/s.
    pub v_m_per_s: f64,
    /// Energy, J.
    pub energy_j: f64,
}

/// Every step of one contact that begins on a sample.
pub fn trajectory(settings: &ContactSettings, v_in_m_per_s: f64, rate_hz: f64) -> Vec<Point> {
    let mut touch = RigidContact::begin(settings, v_in_m_per_s, 1.0 / rate_hz);
    let h_s = 1.0 / (rate_hz * f64::from(touch.steps_per_sample()));
    let point = |touch: &RigidContact| Point {
        x_m: touch.motion().x_m,
        v_m_per_s: touch.motion().v_m_per_s,
        energy_j: touch.energy_j(),
    };
    let mut points = vec![point(&touch)];
    for _ in 0..1_000_000 {
        let released = touch.step(h_s).released;
        points.push(point(&touch));
        if released {
            break;
        }
    }
    points
}

/// Release error (%) of one contact at `steps` steps per contact, beginning at `onset` of a step.
pub fn release_error_pct(case: &Case, settings: ContactSettings, steps: f64, onset: f64) -> f64 {
    let settings = ContactSettings { steps_per_sample: Oversampling::Times(1), ..settings };
    let mut trial = RigidTrial::single(settings, case.v_in_m_per_s, RATE_HZ);
    trial.sample_rate_hz = steps / trial.contact_time_exact_s();
    trial.onset = onset;
    100.0 * (trial.run().v_out / trial.v_out_exact() - 1.0)
}
