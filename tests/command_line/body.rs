//! `ictus body` lists modes, draws pictures, and refuses invalid arguments.

use std::process::{Command, Output};

use serde_json::Value;

fn body(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_ictus"))
        .arg("body")
        .args(arguments)
        .output()
        .expect("the program runs")
}

fn json(arguments: &[&str]) -> Value {
    let output = body(&[arguments, &["--json"]].concat());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

#[test]
fn a_bar_is_listed_with_frequencies_decay_and_shapes() {
    let got = json(&[
        "--type", "free-bar", "--note", "A4", "--point", "0", "--left", "0.2242", "--right", "1",
    ]);
    let modes = got["modes"].as_array().unwrap();
    let number = |mode: usize, field: &str| modes[mode][field].as_f64().unwrap();
    assert!((number(0, "frequency_hz") - 440.0).abs() < 0.01);
    assert!((number(1, "frequency_hz") / 440.0 - 2.7565).abs() < 1e-3);
    assert!((number(0, "strike") - 2.0).abs() < 1e-6 && number(0, "left").abs() < 1e-2);
    // Steel at 440 Hz: (5 + 3e-8 omega^2)/2
    assert!((number(0, "t60_s") / 2.64 - 1.0).abs() < 0.01, "{}", number(0, "t60_s"));
    assert!(modes.iter().all(|mode| mode["frequency_hz"].as_f64().unwrap() < 0.45 * 48_000.0));
}

#[test]
fn size_and_count_reach_the_body() {
    let got = json(&[
        "--type", "membrane", "--note", "57", "--size", "2", "--modes", "5", "--split", "0.01",
    ]);
    assert!((got["pitch_hz"].as_f64().unwrap() - 110.0).abs() < 1e-9);
    let modes = got["modes"].as_array().unwrap();
    assert_eq!(modes.len(), 5);
    let ratio = |mode: usize| modes[mode]["ratio"].as_f64().unwrap();
    assert!((ratio(2) / ratio(1) - 1.005 / 0.995).abs() < 1e-9);
}

#[test]
fn a_list_of_modes_is_a_body() {
    let path = std::env::temp_dir().join(format!("ictus-modes-{}.json", std::process::id()));
    std::fs::write(&path, r#"[{"ratio": 1}, {"ratio": 2.5, "left": -0.25, "decay": 0.5}]"#)
        .unwrap();
    let got = json(&["--type", "user", "--list", path.to_str().unwrap()]);
    std::fs::write(&path, r#"[{"ratio": -1}]"#).unwrap();
    let refused = body(&["--type", "user", "--list", path.to_str().unwrap()]);
    std::fs::remove_file(&path).unwrap();
    assert_eq!(got["modes"][1]["left"].as_f64(), Some(-0.25));
    let reported = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(
        !refused.status.success()
            && reported.contains("modes[0].ratio")
            && reported.contains("0.01 to 1000"),
        "{reported}"
    );
}

#[test]
fn a_picture_is_drawn_of_every_kind_of_place() {
    for kind in ["free-bar", "free-plate", "membrane", "church-bell"] {
        let path =
            std::env::temp_dir().join(format!("ictus-body-{}-{kind}.svg", std::process::id()));
        let output = body(&["--type", kind, "--out", path.to_str().unwrap()]);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let picture = std::fs::read_to_string(&path).unwrap();
        std::fs::remove_file(&path).unwrap();
        assert!(picture.contains("<svg") && picture.len() > 5_000, "{kind}");
    }
}

#[test]
fn invalid_arguments_are_refused_by_name_and_range() {
    for (arguments, expected) in [
        (vec!["--type", "trombone"], vec!["--type", "free-bar"]),
        (vec!["--aspect", "3"], vec!["--aspect", "1 to 2.5"]),
        (vec!["--split", "0.5"], vec!["--split", "0 to 0.02"]),
        (vec!["--modes", "0"], vec!["--modes", "1 to 256"]),
        (vec!["--size", "NaN"], vec!["--size", "0.25 to 4"]),
        (vec!["--fs", "1"], vec!["--fs", "1000 to 1000000"]),
        (vec!["--material", "cheese"], vec!["--material", "glass"]),
        (vec!["--point", "0.5,7"], vec!["--point", "from 0 to 1"]),
        (vec!["--note", "H2"], vec!["--note", "C-1 to G9"]),
        (vec!["--type", "user"], vec!["--list"]),
    ] {
        let output = body(&arguments);
        let reported = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success(), "{arguments:?}");
        for part in expected {
            assert!(reported.contains(part), "{arguments:?}: {reported}");
        }
    }
}
