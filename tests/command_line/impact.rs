//! `ictus impact` prints its documented fields.

use std::process::Command;

use serde_json::Value;

fn impact(arguments: &str) -> Value {
    let output = Command::new(env!("CARGO_BIN_EXE_ictus"))
        .args(["impact", "--json"])
        .args(arguments.split_whitespace())
        .output()
        .expect("the program runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

const CASE_2: &str = "--k 1e9 --mu 0.5 --alpha 1.5 --m 0.01 --v 1 --fs 44100";

#[test]
fn one_contact_has_all_its_fields() {
    let got = impact(&format!("{CASE_2} --integrator verlet --hybrid off --release none"));
    for field in [
        "v_out",
        "v_out_exact",
        "v_out_approx",
        "err_v_out_pct",
        "dev_x_pct",
        "dev_h_pct",
        "contact_samples",
        "contact_time_s",
        "contact_time_exact_s",
        "x_max_m",
        "impulse_ns",
        "impulse_exact_ns",
        "max_energy_growth",
    ] {
        assert!(got[field].is_number(), "{field} in {got}");
    }
    assert!((got["err_v_out_pct"].as_f64().unwrap() / 0.851825926 - 1.0).abs() < 0.005);
    assert!(got.get("accumulated_err_pct").is_none());
}

#[test]
fn rebounds_on_the_real_grid_add_theirs() {
    for integrator in ["am1", "verlet", "heun", "rk4", "exact"] {
        let got = impact(&format!(
            "{CASE_2} --integrator {integrator} --hybrid on --release exact --rebounds 100 --grid samples --gravity 9.81 --onset 0.37"
        ));
        assert!(got["accumulated_err_pct"].as_f64().unwrap().abs() < 1e-9, "{got}");
        assert!(got["max_dev_h_pct"].as_f64().unwrap() < 1e-9, "{got}");
    }
}

#[test]
fn passive_keeps_gravity_and_makes_no_energy() {
    let got = impact(&format!(
        "{CASE_2} --integrator passive --rebounds 50 --grid samples --gravity 9.81"
    ));
    assert!(got["max_energy_growth"].as_f64().unwrap() < 1e-12, "{got}");
}

#[test]
fn values_out_of_range_are_refused() {
    let output =
        Command::new(env!("CARGO_BIN_EXE_ictus")).args(["impact", "--k", "1e20"]).output().unwrap();
    assert!(!output.status.success());
    assert!(String::from_utf8_lossy(&output.stderr).contains("--k"));
}

#[test]
fn options_that_the_law_ignores_are_refused_with_a_hint() {
    for (arguments, option, belongs) in [
        ("--damper 10", "--damper", "--law hertz-damper"),
        ("--restitution 0.5 --fit exact", "--fit", "--law hertz-damper"),
        ("--dent stays", "--dent", "--law hertz-damper"),
        ("--law hertz-damper --mu 0.1", "--mu", "--law hunt-crossley"),
        ("--law hertz-damper --fit exact", "--fit", "--restitution"),
    ] {
        let output = Command::new(env!("CARGO_BIN_EXE_ictus"))
            .arg("impact")
            .args(arguments.split_whitespace())
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success(), "{arguments}");
        assert!(said.contains(&format!("{option} belongs to {belongs}")), "{arguments}: {said}");
    }
    impact("--law hertz-damper --restitution 0.5 --fit closed-form --dent stays");
    impact("--law hertz-damper --damper 10");
}
