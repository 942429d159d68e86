//! The Exact integrator is accurate in time, not only in phase: its contact time and force match a
//! run a thousand times finer, for contacts from a third of a sample to two thousand samples, and
//! its impulse equals the change of momentum. Ending a contact on the grid instead of inside the
//! step fails for the short ones.

use ictus::contact::rigid::RigidContact;
use ictus::contact::{
    ContactSettings, HuntCrossley, Integrator, Oversampling, Release, Striker, Wall, contact_time,
};

/// Time and velocity after each step of a contact that begins `onset` into a sample.
fn history(settings: &ContactSettings, v_in: f64, dt_s: f64, onset: f64) -> Vec<(f64, f64)> {
    let mut striker = Striker::new();
    let mut wall = Wall::default();
    let mut points = vec![(0.0, v_in)];
    striker.strike(settings, v_in, onset * dt_s);
    while striker.is_active() {
        striker.advance_watched(dt_s, &mut wall, &mut |touch: &RigidContact, _| {
            points.push((touch.elapsed_s(), touch.motion().v_m_per_s));
        });
    }
    points
}

fn velocity_at(points: &[(f64, f64)], time_s: f64) -> f64 {
    let after = points.partition_point(|p| p.0 < time_s);
    if after == 0 || after == points.len() {
        return points[after.min(points.len() - 1)].1;
    }
    let ((t0, v0), (t1, v1)) = (points[after - 1], points[after]);
    v0 + (v1 - v0) * (time_s - t0) / (t1 - t0)
}

#[test]
fn length_force_and_impulse_are_those_of_a_far_finer_run() {
    let dt_s = 1e-3;
    let (mut worst_time, mut worst_force): (f64, f64) = (0.0, 0.0);
    for (alpha, mu, v_in) in [(1.5, 0.3, 2.0), (1.0, 0.0, 1.0), (1.3, 0.01, 0.5), (2.5, 1.0, 5.0)] {
        for samples in [0.3, 0.9, 2.6, 7.0, 31.0, 210.0, 2000.0] {
            let mut settings = ContactSettings { mass_kg: 0.1, ..ContactSettings::default() };
            settings.law = HuntCrossley { stiffness: 1e5, mu_s_per_m: mu, alpha };
            let factor = (contact_time::exact(&settings.law, 0.1, v_in) / (samples * dt_s))
                .powf(alpha + 1.0);
            let stiffness = (1e5 * factor).clamp(1e3, 1e11);
            settings.mass_kg *= (stiffness / (1e5 * factor)).clamp(1e-3, 50.0);
            settings.law.stiffness = stiffness;
            let true_time = contact_time::exact(&settings.law, settings.mass_kg, v_in);
            let fine = ContactSettings {
                integrator: Integrator::Rk4,
                hybrid: false,
                release: Release::Free,
                steps_per_sample: Oversampling::Times(1),
                ..settings
            };
            let reference = history(&fine, v_in, dt_s / 1000.0, 0.0);
            let reference_time = reference.last().unwrap().0;
            let peak = reference
                .windows(2)
                .map(|w| (w[0].1 - w[1].1) / (w[1].0 - w[0].0))
                .fold(0.0, f64::max);
            for onset in [0.0, 0.3, 0.77] {
                let ours = history(&settings, v_in, dt_s, onset);
                let time = ours.last().unwrap().0;
                worst_time = worst_time
                    .max((time / true_time - 1.0).abs())
                    .max((time / reference_time - 1.0).abs());
                for pair in ours.windows(2) {
                    let ((t0, v0), (t1, v1)) = (pair[0], pair[1]);
                    let force = (v0 - v1) / (t1 - t0);
                    let other =
                        (velocity_at(&reference, t0) - velocity_at(&reference, t1)) / (t1 - t0);
                    let off = (force - other).abs() / peak;
                    worst_force = worst_force.max(off);
                    assert!(
                        off < 1e-3,
                        "alpha {alpha} T {samples} onset {onset} at {t0:e}: force off by {off:e}"
                    );
                }
            }
        }
    }
    println!("contact time within {worst_time:e}, force curve within {worst_force:e} of its peak");
    assert!(worst_time < 1e-3, "{worst_time:e}");
}

#[test]
fn impulse_is_the_change_of_momentum() {
    let mut worst: f64 = 0.0;
    for integrator in Integrator::ALL {
        for k in [1e4, 1e6, 1e8, 1e10] {
            for n in 0..200 {
                let onset = f64::from(n) / 200.0;
                let law = HuntCrossley { stiffness: k, mu_s_per_m: 0.4, alpha: 1.5 };
                let settings = ContactSettings { integrator, law, ..ContactSettings::default() };
                let mut striker = Striker::new();
                let mut wall = Wall::default();
                let dt_s = 1.0 / 48_000.0;
                striker.strike(&settings, 1.5, onset * dt_s);
                let mut count = 0;
                while striker.is_active() {
                    striker.advance(dt_s, &mut wall);
                    count += 1;
                }
                let report = striker.last_contact();
                let momentum = settings.mass_kg * (1.5 - report.v_out_m_per_s);
                worst = worst.max((wall.impulse_ns / momentum - 1.0).abs());
                assert!((wall.time_s / (f64::from(count) * dt_s) - 1.0).abs() < 1e-12);
            }
        }
    }
    println!("impulse within {worst:e}");
    assert!(worst < 1e-12, "{worst:e}");
}
