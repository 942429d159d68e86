//! A hundred rebounds on the sample grid keep the energy of the exact chain, for every onset within
//! the first sample. A contact that begins at the first sample inside the surface is wrong by 45 to
//! 340 % here.

use ictus::contact::trial::{Grid, RigidTrial};
use ictus::contact::{ContactSettings, HuntCrossley, Integrator};

const CASES: [(HuntCrossley, f64); 2] = [
    (HuntCrossley { stiffness: 1e7, mu_s_per_m: 0.01, alpha: 1.3 }, 0.5),
    (HuntCrossley { stiffness: 1e9, mu_s_per_m: 0.5, alpha: 1.5 }, 1.0),
];

fn worst_over_onsets(integrator: Integrator, onsets: u32) -> f64 {
    let mut worst: f64 = 0.0;
    for (law, v_in_m_per_s) in CASES {
        for n in 0..onsets {
            let trial = RigidTrial {
                settings: ContactSettings {
                    law,
                    integrator,
                    gravity_m_per_s2: 9.81,
                    ..ContactSettings::default()
                },
                v_in_m_per_s,
                sample_rate_hz: 44_100.0,
                onset: f64::from(n) / f64::from(onsets),
                rebounds: 100,
                grid: Grid::Samples,
            };
            let got = trial.run();
            assert_eq!(got.contacts, 100, "{integrator:?} onset {}", trial.onset);
            assert!(got.dev_x_pct < 1e-9 && got.max_dev_h_pct < 1e-9, "{integrator:?} {got:?}");
            worst = worst.max(got.accumulated_err_pct.abs());
        }
    }
    worst
}

#[test]
fn every_onset_gives_the_same_hundred_rebounds() {
    for integrator in
        [Integrator::Verlet, Integrator::Exact, Integrator::Am1, Integrator::Heun, Integrator::Rk4]
    {
        let worst = worst_over_onsets(integrator, 1000);
        println!("{integrator:?}: {worst:e} %");
        assert!(worst < 1e-9, "{integrator:?}: {worst:e} %");
    }
}
