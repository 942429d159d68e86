//! The integrators reproduce the paper's Tables I–III digit by digit, and the corrections work as
//! stated. A force at the wrong velocity, or a release one sample off, changes these values by tens
//! of per cent.

use ictus::contact::rigid::RigidContact;
use ictus::contact::trial::{Grid, RigidTrial, RigidTrialResult};
use ictus::contact::{ContactSettings, HuntCrossley, Integrator, Release};
use serde_json::Value;

const FOUR: [(&str, Integrator); 4] = [
    ("am1", Integrator::Am1),
    ("verlet", Integrator::Verlet),
    ("heun", Integrator::Heun),
    ("rk4", Integrator::Rk4),
];

fn tables() -> Value {
    serde_json::from_str(include_str!("../data/contact_tables.json"))
        .expect("the table file is JSON")
}

fn number(table: &Value, path: &[&str]) -> f64 {
    path.iter().fold(table, |at, key| &at[*key]).as_f64().expect("a number")
}

fn trial(table: &Value, integrator: Integrator) -> RigidTrial {
    let p = |key: &str| number(table, &["params", key]);
    let settings = ContactSettings {
        law: HuntCrossley { stiffness: p("k"), mu_s_per_m: p("mu"), alpha: p("alpha") },
        mass_kg: p("m"),
        integrator,
        hybrid: false,
        release: Release::Free,
        ..ContactSettings::default()
    };
    let rebounds = table["params"]["rebounds"].as_u64().unwrap_or(1) as u32;
    RigidTrial { rebounds, ..RigidTrial::single(settings, p("v_in"), p("fs")) }
}

#[track_caller]
fn close(what: &str, ours: f64, theirs: f64) {
    assert!((ours / theirs - 1.0).abs() < 0.005, "{what}: {ours:e} against {theirs:e}");
}

#[test]
fn tables_1_and_2_come_out_for_all_four() {
    let tables = tables();
    for name in ["table_1", "table_2a", "table_2b"] {
        let table = &tables[name];
        for (key, integrator) in FOUR {
            let trial = trial(table, integrator);
            let got = trial.run();
            let what = |field: &str| format!("{name} {key} {field}");
            let v_out = trial.v_out_exact();
            close(&what("dev_x"), got.dev_x_pct, number(table, &[key, "dev_x"]));
            close(&what("dev_h"), got.dev_h_pct, number(table, &[key, "dev_h"]));
            let err = 100.0 * (got.v_out / v_out - 1.0);
            close(&what("err"), err, number(table, &[key, "err_v_out"]));
            assert_eq!(
                u64::from(got.contact_samples),
                table[key]["samples"].as_u64().unwrap(),
                "{name} {key}"
            );
            close("time", trial.contact_time_exact_s(), number(table, &["contact_time_s"]));
        }
    }
}

#[test]
fn table_3_comes_out_after_100_rebounds() {
    let tables = tables();
    for name in ["table_3a", "table_3b"] {
        for (key, integrator) in FOUR {
            let got: RigidTrialResult = trial(&tables[name], integrator).run();
            close(
                &format!("{name} {key}"),
                got.accumulated_err_pct,
                number(&tables[name], &[key, "accumulated_err"]),
            );
            close(
                &format!("{name} {key}"),
                got.max_dev_h_pct,
                number(&tables[name], &[key, "max_dev_h"]),
            );
        }
    }
}

#[test]
fn corrected_chains_keep_their_energy() {
    let tables = tables();
    for (name, limit_approx) in [("table_3a", 1e-7), ("table_3b", 0.0012)] {
        for (key, integrator) in FOUR.into_iter().chain([("exact", Integrator::Exact)]) {
            for (release, limit) in [(Release::Approximate, limit_approx), (Release::Exact, 1e-9)] {
                let mut trial = trial(&tables[name], integrator);
                trial.settings.hybrid = true;
                trial.settings.release = release;
                trial.grid = Grid::Ideal;
                let got = trial.run();
                println!(
                    "{name} {key} {release:?}: {:e} dev_x {:e} dev_h {:e}",
                    got.accumulated_err_pct, got.dev_x_pct, got.max_dev_h_pct
                );
                assert_eq!(got.contacts, 100);
                assert!(
                    got.accumulated_err_pct.abs() <= limit,
                    "{name} {key} {release:?} {}",
                    got.accumulated_err_pct
                );
                assert!(got.dev_x_pct < 1e-9 && got.max_dev_h_pct < 1e-9, "{name} {key}: {got:?}");
            }
        }
    }
}

/// The correction against eq. (3) as printed in the paper, without any code of the library.
#[test]
fn the_hybrid_compression_is_that_of_equation_3() {
    let tables = tables();
    for name in ["table_2a", "table_2b"] {
        for integrator in [Integrator::Verlet, Integrator::Rk4, Integrator::Exact] {
            let trial = trial(&tables[name], integrator);
            let HuntCrossley { stiffness: k, mu_s_per_m: mu, alpha } = trial.settings.law;
            let v_in = trial.v_in_m_per_s;
            let settings =
                ContactSettings { hybrid: true, release: Release::Exact, ..trial.settings };
            let mut touch = RigidContact::begin(&settings, v_in, 1.0 / trial.sample_rate_hz);
            let h_s = 1.0 / (trial.sample_rate_hz * f64::from(touch.steps_per_sample()));
            let x_max = touch.curve().x_max_m();
            let mut seen = 0;
            while !touch.step(h_s).released {
                let (x, v) = (touch.motion().x_m, touch.motion().v_m_per_s);
                // The logarithm of 1 + mu v is taken without forming the sum, which would cost four
                // digits.
                let bracket = -mu * (v - v_in) + (mu * v).ln_1p() - (mu * v_in).ln_1p();
                let printed = (settings.mass_kg * (alpha + 1.0) / (k * mu * mu) * bracket)
                    .powf(1.0 / (alpha + 1.0));
                // As printed it loses all digits near the ends.
                if x > 0.3 * x_max {
                    assert!(
                        (x - printed).abs() < 1e-11 * x_max,
                        "{name} {integrator:?} v {v}: {x:e} {printed:e}"
                    );
                    seen += 1;
                }
            }
            assert!(seen >= 3);
        }
    }
}
