//! `ictus couple` prints its documented fields and refuses invalid arguments.

use std::process::{Command, Output};

use serde_json::Value;

fn run(arguments: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_ictus"))
        .args(["couple", "--json"])
        .args(arguments.split_whitespace())
        .output()
        .expect("the program runs")
}

fn couple(arguments: &str) -> Value {
    let output = run(arguments);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

#[test]
fn a_strike_has_all_its_fields() {
    for arguments in [
        "--modes 6 --k 1e9 --mu 0.5 --alpha 1.5 --m 0.01 --v 1 --fs 44100 --offsets 20",
        "--modes 128 --k 2e10 --mu 0 --v 0.5 --fs 192000 --offsets 2",
        "--modes 12 --body bar --law hertz-damper --damper 10 --offsets 5",
        "--modes 64 --body free-plate --offsets 2",
        "--modes 64 --body membrane --offsets 2",
        "--modes 64 --body church-bell --offsets 2",
        "--modes 64 --body wine-glass --law hertz-damper --offsets 2",
        "--modes 12 --restitution 0.7 --gravity 9.81 --offsets 5",
    ] {
        let got = couple(arguments);
        let number =
            |field: &str| got[field].as_f64().unwrap_or_else(|| panic!("{field} in {got}"));
        assert!(number("max_energy_growth") <= 1e-12, "{got}");
        assert!(number("max_energy_ratio") <= 1.0 + 1e-12, "{got}");
        assert!(number("contacts_max") >= 1.0, "{got}");
        assert_eq!(got["stuck"], false, "{got}");
        let reference = number("v_first_reference");
        for field in ["v_first_min", "v_first_max"] {
            assert!((number(field) / reference - 1.0).abs() <= 3e-3, "{got}");
        }
    }
}

/// The hardest, fastest strikes allowed, on bodies of 0.1 g to 100 g per mode.
#[test]
fn the_shortest_contacts_have_24_steps() {
    for (modes, body_kg, striker_kg) in
        [(1, 1e-4, 1e-5), (256, 1e-4, 1e-5), (256, 1e-4, 0.01), (256, 0.1, 1e-5)]
    {
        for fs in [44_100, 192_000] {
            let what = format!(
                "--modes {modes} --body-mass {body_kg} --m {striker_kg} --k 1e11 --v 100 --mu 0 --fs {fs}"
            );
            let got = couple(&format!("{what} --offsets 4"));
            assert!(got["first_contact_steps_min"].as_f64().unwrap() >= 24.0, "{what}: {got}");
        }
    }
}

#[test]
fn even_one_step_per_sample_makes_no_energy() {
    let got = couple("--modes 32 --k 1e10 --mu 0 --v 2 --substeps 1 --offsets 50");
    assert!(got["max_energy_growth"].as_f64().unwrap() <= 1e-12, "{got}");
    assert_eq!(got["stuck"], false);
    assert_eq!(got["substeps_max"], 1);
}

#[test]
fn values_out_of_range_are_refused_by_name() {
    for (arguments, option) in [
        ("--modes 0", "--modes"),
        ("--damper 10", "--damper belongs to --law hertz-damper"),
        ("--law hertz-damper --mu 0.1", "--mu belongs to --law hunt-crossley"),
        ("--modes 257", "--modes"),
        ("--k 1e20", "--k"),
        ("--k nan", "--k"),
        ("--mu -1", "--mu"),
        ("--alpha 0.5", "--alpha"),
        ("--m 0", "--m"),
        ("--v 0", "--v"),
        ("--fs 10", "--fs"),
        ("--offsets 0", "--offsets"),
        ("--substeps 3", "--substeps"),
        ("--substeps 32768", "--substeps"),
        ("--body-mass 0", "--body-mass"),
        ("--body-loss 1", "--body-loss"),
        ("--gravity inf", "--gravity"),
        ("--restitution 2", "--restitution"),
        ("--damper -3", "--damper"),
        ("--body spoon", "--body"),
        ("--body user", "--list"),
        ("--list modes.json", "--list"),
    ] {
        let output = run(arguments);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && said.contains(option), "{arguments}: {said}");
    }
}
