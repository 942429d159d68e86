//! One strike on a body at rest.

use ictus::contact::trial::{CoupledTrial, CoupledTrialResult};
use ictus::contact::{ContactSettings, HuntCrossley, Law, release};

use super::body::Body;

const RATES: [f64; 2] = [44_100.0, 192_000.0];

fn trial(stiffness: f64, mu_s_per_m: f64, v_in_m_per_s: f64, fs: f64) -> CoupledTrial {
    let law = HuntCrossley { stiffness, mu_s_per_m, alpha: 1.5 };
    let settings = ContactSettings { law, ..ContactSettings::default() };
    CoupledTrial { settings, v_in_m_per_s, dt_s: 1.0 / fs, onset: 0.0, watch_s: 3e-3 }
}

fn strike(body: &Body, trial: &CoupledTrial) -> CoupledTrialResult {
    trial.run(&mut body.clone().ground())
}

/// Strikes at `offsets` onsets within the sample; the energy must not grow, and the mass must
/// separate.
fn at_onsets(body: &Body, trial: &CoupledTrial, offsets: u32) -> (f64, Vec<CoupledTrialResult>) {
    let runs: Vec<CoupledTrialResult> = (0..offsets)
        .map(|n| strike(body, &CoupledTrial { onset: f64::from(n) / f64::from(offsets), ..*trial }))
        .collect();
    for (n, run) in runs.iter().enumerate() {
        assert!(run.max_energy_growth <= 1e-12, "{trial:?} offset {n}: {run:?}");
        assert!(!run.stuck && run.energy_ratio <= 1.0 + 1e-12, "{trial:?} offset {n}: {run:?}");
        assert!(run.first_contact_steps >= 24, "{trial:?} offset {n}: {run:?}");
    }
    (runs.iter().map(|run| run.max_energy_growth).fold(0.0, f64::max), runs)
}

/// Largest error of the velocity at the first separation, as a share of the reference, or of 5 % of
/// the impact velocity if the mass is nearly stopped.
fn error_of_first(body: &Body, trial: &CoupledTrial, runs: &[CoupledTrialResult]) -> f64 {
    let max_steps = runs.iter().map(|run| run.max_steps).max().unwrap();
    let reference = strike(body, &trial.finer(64, max_steps)).v_first;
    runs.iter()
        .map(|run| (run.v_first - reference).abs() / reference.abs().max(0.05))
        .fold(0.0, f64::max)
}

#[test]
fn energy_never_grows_and_the_mass_comes_off() {
    let mut worst = 0.0f64;
    for count in [1, 2, 6, 17, 32, 64, 128] {
        // Lossless: damping would hide energy that the steps add.
        let body = Body::new(count, 200.0, 18_000.0, 0.1, 0.0);
        for (i, stiffness) in [1e6, 1e8, 1e9, 2e10].into_iter().enumerate() {
            for (j, v) in [0.1, 1.0, 10.0].into_iter().enumerate() {
                for (l, mu) in [0.0, 0.3, 1.0].into_iter().enumerate() {
                    // Many modes at few onsets; the test below does the opposite.
                    let fs = RATES[(i + j + l + count) % 2];
                    worst = worst.max(
                        at_onsets(
                            &body,
                            &trial(stiffness, mu, v, fs),
                            if count > 32 { 1 } else { 3 },
                        )
                        .0,
                    );
                }
            }
        }
    }
    println!("largest growth in one step: {worst:e}");
}

#[test]
fn a_thousand_onsets_change_nothing() {
    let cases = [
        (1, 1e9, 0.5, 1.0),
        (6, 2e10, 1.0, 1.0),
        (6, 1e8, 0.0, 10.0),
        (32, 1e6, 0.5, 0.1),
        (32, 2e10, 0.2, 0.1),
        (128, 1e9, 0.5, 0.1),
    ];
    for (count, stiffness, mu, v) in cases {
        let body = Body::generic(count);
        for fs in RATES {
            let trial = CoupledTrial { watch_s: 0.0, ..trial(stiffness, mu, v, fs) };
            let (growth, runs) = at_onsets(&body, &trial, 1000);
            let error = error_of_first(&body, &trial, &runs);
            println!(
                "{count} modes, k {stiffness:e}, mu {mu}, v {v}, {fs} Hz: growth {growth:.1e}, v_first off by {error:.1e}"
            );
            assert!(error <= 3e-3, "{error}");
        }
    }
}

#[test]
fn the_first_separation_is_that_of_the_reference() {
    let mut worst = 0.0f64;
    for count in [1, 6, 32] {
        let body = Body::generic(count);
        for stiffness in [1e6, 1e8, 1e9, 2e10] {
            for v in [0.1, 1.0, 10.0] {
                for mu in [0.0, 0.5, 1.0] {
                    for fs in RATES {
                        let trial = CoupledTrial { watch_s: 0.0, ..trial(stiffness, mu, v, fs) };
                        let (_, runs) = at_onsets(&body, &trial, 3);
                        let error = error_of_first(&body, &trial, &runs);
                        assert!(error <= 3e-3, "{count} {trial:?}: {error}");
                        worst = worst.max(error);
                    }
                }
            }
        }
    }
    println!("velocity at first separation off by {:.4} %", 100.0 * worst);
}

#[test]
fn a_linear_damper_and_a_wanted_restitution_make_no_energy_either() {
    let (mut worst, mut off) = (0.0f64, 0.0f64);
    for (kind, restitution) in [
        (Law::HertzDamper, None),
        (Law::HertzDamper, Some(0.6)),
        (Law::HuntCrossley, Some(0.3)),
        (Law::HuntCrossley, Some(0.95)),
    ] {
        for count in [1, 8, 32] {
            let body = Body::generic(count);
            for (stiffness, v) in [(1e6, 5.0), (1e8, 0.1), (1e9, 1.0), (2e10, 10.0)] {
                for fs in RATES {
                    let mut trial = trial(stiffness, 0.0, v, fs);
                    trial.settings = ContactSettings {
                        kind,
                        restitution,
                        damper_n_s_per_m: 20.0,
                        ..trial.settings
                    };
                    let (growth, runs) = at_onsets(&body, &trial, 3);
                    worst = worst.max(growth);
                    let first = CoupledTrial { watch_s: 0.0, ..trial };
                    let error = error_of_first(&body, &first, &runs);
                    off = off.max(error);
                    println!(
                        "{kind:?} {restitution:?} {count} k {stiffness:e} v {v} {fs}: {error:.1e}"
                    );
                }
            }
        }
    }
    println!("growth {worst:e}, v_first off by {off:.1e}");
    assert!(off <= 3e-3, "{off}");
}

#[test]
fn a_body_too_heavy_to_move_is_a_wall() {
    let body = Body::new(8, 100.0, 5_000.0, 1e6, 0.001);
    for (mu, v) in [(0.0, 1.0), (0.5, 1.0), (0.5, 8.0)] {
        let got = strike(&body, &trial(1e9, mu, v, 44_100.0)).v_first;
        let wanted = -release::exact(mu * v).restitution;
        assert!((got / wanted - 1.0).abs() < 5e-4, "mu {mu} v {v}: {got} instead of {wanted}");
    }
}

#[test]
fn a_body_that_hardly_swings_is_a_free_mass() {
    // Elastic collision of two free masses: v' = (m - M)/(m + M) v.
    for mass_kg in [0.002, 0.01, 0.5] {
        let body = Body::new(1, 0.01, 0.01, mass_kg, 0.0);
        let got = strike(&body, &trial(1e9, 0.0, 1.0, 44_100.0)).v_first;
        let wanted = (0.01 - mass_kg) / (0.01 + mass_kg);
        assert!((got - wanted).abs() < 1e-4, "{mass_kg} kg: {got} instead of {wanted}");
    }
}

#[test]
fn any_number_of_steps_is_passive() {
    for steps in [1, 4, 1024] {
        let mut trial = trial(2e10, 0.0, 10.0, 44_100.0);
        trial.settings.steps_per_sample = ictus::contact::Oversampling::Times(steps);
        let run = strike(&Body::generic(6), &trial);
        assert!(run.max_energy_growth <= 1e-12 && !run.stuck && run.max_steps == steps, "{run:?}");
    }
}
