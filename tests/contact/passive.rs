//! Passive never gains energy at any rate, with gravity, in contact and down to rest; its release
//! speed is right; and its result does not depend on the onset within the sample.

use ictus::contact::rigid::RigidContact;
use ictus::contact::trial::{Grid, RigidTrial};
use ictus::contact::{ContactSettings, HuntCrossley, Integrator, Oversampling, Striker, Wall};

const CASE_1: HuntCrossley = HuntCrossley { stiffness: 1e7, mu_s_per_m: 0.01, alpha: 1.3 };
const CASE_2: HuntCrossley = HuntCrossley { stiffness: 1e9, mu_s_per_m: 0.5, alpha: 1.5 };

fn passive(law: HuntCrossley) -> ContactSettings {
    ContactSettings { law, integrator: Integrator::Passive, ..ContactSettings::default() }
}

#[test]
fn energy_never_grows_at_any_rate() {
    let mut worst: f64 = 0.0;
    for law in [CASE_1, CASE_2, HuntCrossley { stiffness: 1e11, mu_s_per_m: 0.0, alpha: 1.0 }] {
        for rate in [1e3, 8e3, 44_100.0, 192e3, 768e3] {
            for steps_per_sample in [Oversampling::Times(1), Oversampling::Auto] {
                for gravity_m_per_s2 in [0.0, 9.81, 100.0] {
                    for v_in in [0.01, 1.0, 20.0] {
                        let settings =
                            ContactSettings { steps_per_sample, gravity_m_per_s2, ..passive(law) };
                        let start_j = 0.5 * settings.mass_kg * v_in * v_in;
                        let mut touch = RigidContact::begin(&settings, v_in, 1.0 / rate);
                        let h_s = 1.0 / (rate * f64::from(touch.steps_per_sample()));
                        // A lossless mass under gravity may hop forever below the length of a step.
                        for _ in 0..20_000 {
                            let before_j = touch.energy_j();
                            let step = touch.step(h_s);
                            worst = worst.max((touch.energy_j() - before_j) / start_j);
                            assert!(step.force_n >= 0.0);
                            if step.released || touch.is_resting() {
                                break;
                            }
                        }
                        assert!(!touch.motion().unsettled, "{law:?} {rate} {v_in}");
                        if gravity_m_per_s2 == 0.0 {
                            assert!(touch.motion().v_m_per_s < 0.0, "does not come off: {touch:?}");
                        }
                    }
                }
            }
        }
    }
    println!("largest growth in one step: {worst:e}");
    assert!(worst < 1e-12, "{worst:e}");
}

#[test]
fn release_is_accurate_at_24_steps_and_independent_of_the_onset() {
    let time_s = 1.328_982_359_258_666e-4;
    let settings = ContactSettings { steps_per_sample: Oversampling::Times(1), ..passive(CASE_2) };
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    for n in 0..1000 {
        let trial = RigidTrial {
            onset: f64::from(n) / 1000.0,
            ..RigidTrial::single(settings, 1.0, 24.0 / time_s)
        };
        let error = 100.0 * (trial.run().v_out / trial.v_out_exact() - 1.0);
        (low, high) = (low.min(error), high.max(error));
    }
    println!("error {low:.5} ... {high:.5} %, spread {:.2e}", high - low);
    assert!(low.abs().max(high.abs()) <= 0.11, "{low} {high}");
    assert!(high - low < 0.001, "{}", high - low);
}

#[test]
fn the_error_is_of_second_order() {
    let error = |rate: f64| {
        let settings =
            ContactSettings { steps_per_sample: Oversampling::Times(1), ..passive(CASE_2) };
        let trial = RigidTrial::single(settings, 1.0, rate);
        (trial.run().v_out / trial.v_out_exact() - 1.0).abs()
    };
    let fall = error(400e3) / error(800e3);
    assert!((3.5..4.5).contains(&fall), "{fall}");
}

#[test]
fn a_ball_comes_to_rest_and_lies_there_with_its_weight() {
    for (law, rate) in [
        (HuntCrossley { stiffness: 1e6, mu_s_per_m: 4.0, alpha: 1.5 }, 48_000.0),
        (CASE_2, 8_000.0),
    ] {
        let settings = ContactSettings { gravity_m_per_s2: 9.81, ..passive(law) };
        let mut striker = Striker::new();
        let mut wall = Wall::default();
        striker.throw(&settings, 0.02, 0.0);
        let start_j = 0.01 * 9.81 * 0.02;
        let (mut before_j, mut growth, mut samples) = (start_j, 0.0f64, 0u64);
        while !striker.is_resting() && samples < 60 * rate as u64 {
            striker.advance_watched(1.0 / rate, &mut wall, &mut |touch, _| {
                growth = growth.max((touch.energy_j() - before_j) / start_j);
                before_j = touch.energy_j();
            });
            samples += 1;
        }
        println!(
            "at rest after {:.2} s, {} contacts, growth {growth:e}",
            samples as f64 / rate,
            striker.contacts()
        );
        assert!(striker.is_resting(), "{law:?}: still moving");
        assert!(growth < 1e-12, "{growth:e}");
        striker.advance(1.0 / rate, &mut wall);
        assert!((striker.force_n() / (0.01 * 9.81) - 1.0).abs() < 1e-12);
    }
}

#[test]
fn rebounds_of_the_corrected_engines_end_too() {
    for integrator in [Integrator::Verlet, Integrator::Rk4, Integrator::Exact] {
        let law = HuntCrossley { stiffness: 1e7, mu_s_per_m: 2.0, alpha: 1.5 };
        let settings = ContactSettings {
            law,
            integrator,
            gravity_m_per_s2: 9.81,
            ..ContactSettings::default()
        };
        let trial = RigidTrial {
            rebounds: 1_000_000,
            grid: Grid::Samples,
            ..RigidTrial::single(settings, 1.0, 44_100.0)
        };
        let got = trial.run();
        assert!((10..100_000).contains(&got.contacts), "{integrator:?}: {}", got.contacts);
        assert!(got.last_speed_m_per_s < 0.01, "{integrator:?}: {}", got.last_speed_m_per_s);
    }
}
