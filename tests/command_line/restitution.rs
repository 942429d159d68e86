//! `ictus impact` with a law and a restitution.

use std::process::{Command, Output};

use serde_json::Value;

fn run(arguments: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ictus"));
    command
        .args(["impact", "--json"])
        .args(arguments.split_whitespace())
        .output()
        .expect("the program runs")
}

fn impact(arguments: &str) -> Value {
    let output = run(arguments);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

fn number(value: &Value, field: &str) -> f64 {
    value[field].as_f64().unwrap_or_else(|| panic!("{field} in {value}"))
}

#[test]
fn both_laws_report_the_resulting_restitution() {
    for law in ["hunt-crossley", "hertz-damper"] {
        for e in [0.02, 0.5, 1.0] {
            let got = impact(&format!("--law {law} --restitution {e} --k 1e9 --v 2 --onset 0.4"));
            assert!((number(&got, "e_out") - e).abs() < 1e-6, "{law} {e}: {got}");
            assert_eq!(number(&got, "damping") > 0.0, e < 1.0);
            assert_eq!(
                number(&got, "x_separation_m") > 1e-12,
                law == "hertz-damper" && e < 1.0,
                "{law} {e}: {got}"
            );
            assert!(
                (number(&got, "contact_time_s") / number(&got, "contact_time_exact_s") - 1.0).abs()
                    < 1e-5,
                "{got}"
            );
        }
    }
}

#[test]
fn a_train_of_constant_e_takes_its_flights_and_its_contacts() {
    for law in ["hunt-crossley", "hertz-damper"] {
        for e in [0.2, 0.6, 0.9] {
            // Hard and light: no flight of at least a sample is shorter than the contact before it.
            let got = impact(&format!(
                "--law {law} --restitution {e} --k 1e11 --alpha 1 --m 1e-5 --v 2 --fs 48000 --grid samples \
                 --rebounds 100000 --gravity 9.81"
            ));
            let flights_s = 2.0 * 2.0 * e / (9.81 * (1.0 - e));
            let late =
                (number(&got, "train_time_s") - number(&got, "contact_time_total_s") - flights_s)
                    * 48_000.0;
            assert!(late.abs() <= 1.0, "{law} {e}: {late} samples off");
            let off = (number(&got, "flight_time_total_s") - flights_s) * 48_000.0;
            assert!(off.abs() <= 1.0, "{law} {e}: flights {off} samples off");
        }
    }
}

#[test]
fn the_fields_of_the_first_law_remain() {
    let got = impact("--mu 0.5");
    for field in ["v_out_approx", "dev_x_pct", "dev_h_pct", "e_out", "damping", "x_separation_m"] {
        number(&got, field);
    }
    assert_eq!(number(&got, "damping"), 0.5);
    assert_eq!(number(&got, "x_separation_m"), 0.0);
}

#[test]
fn invalid_arguments_are_refused() {
    for arguments in
        ["--restitution 1.5", "--restitution -0.1", "--restitution 0.5 --mu 0.2", "--law rubber"]
    {
        assert!(!run(arguments).status.success(), "{arguments}");
    }
}
