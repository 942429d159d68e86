//! `ictus strike3d` evaluates files of cases and describes the errors of invalid ones.

use std::process::{Command, Output};

use serde_json::{Value, json};

fn strike3d(model: &str, file: &str, more: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_ictus"))
        .args(["strike3d", "--model", model, "--json", "--cases", file])
        .args(more)
        .output()
        .expect("the program runs")
}

fn answers(model: &str, file: &str, more: &[&str]) -> Vec<Value> {
    let output = strike3d(model, file, more);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("a list")
}

fn cases(file: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(file).unwrap();
    serde_json::from_str::<Value>(&text).unwrap()["cases"].as_array().unwrap().clone()
}

/// All numbers in nested lists.
fn numbers(value: &Value) -> Vec<f64> {
    match value.as_array() {
        Some(list) => list.iter().flat_map(numbers).collect(),
        None => vec![value.as_f64().expect("a number")],
    }
}

fn furthest(one: &Value, other: &Value) -> f64 {
    let (one, other) = (numbers(one), numbers(other));
    assert_eq!(one.len(), other.len());
    one.iter().zip(&other).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

fn largest(value: &Value) -> f64 {
    numbers(value).iter().fold(0.0, |most, x| most.max(x.abs()))
}

const JIA: &str = "tests/data/impact3d_jia_vectors.json";
const PLUS: &str = "tests/data/impact3d_plus_vectors.json";

#[test]
fn the_vectors_of_one_contact_come_back() {
    for (more, allowed) in [(&[][..], 2e-4), (&["--accuracy", "fine"][..], 1e-6)] {
        let got = answers("jia", JIA, more);
        assert_eq!(got.len(), 30);
        for (got, case) in got.iter().zip(cases(JIA)) {
            assert_eq!(got["name"], case["name"]);
            assert_eq!(got["sequence"], case["sequence_exact"]);
            for (field, of) in [("i_zc", "I_zc"), ("i_zr", "I_zr")] {
                let (a, b) = (got[field].as_f64().unwrap(), case[of].as_f64().unwrap());
                assert!((a - b).abs() <= allowed * case["I_zr"].as_f64().unwrap(), "{field} {got}");
            }
            assert_eq!(got["i_zs"].is_null(), case["I_zs"].is_null());
            for (field, of) in [("total_impulse", "I_r"), ("v_plus", "v_plus")] {
                let scale = if field == "v_plus" { &case["v_minus"] } else { &case[of] };
                assert!(
                    furthest(&got[field], &case[of]) <= allowed * largest(scale),
                    "{field} {got}"
                );
            }
        }
    }
}

#[test]
fn the_vectors_of_many_points_come_back() {
    let got = answers("plus", PLUS, &[]);
    assert_eq!(got.len(), 34);
    for (got, case) in got.iter().zip(cases(PLUS)) {
        assert_eq!(got["name"], case["name"]);
        assert_eq!(got["n_rounds"], case["n_rounds"]);
        assert_eq!(got["n_intervals"], case["n_intervals"]);
        let points = case["n_points"].as_u64().unwrap() as usize;
        assert_eq!(got["total_impulse"].as_array().unwrap().len(), points);
        assert_eq!(got["v_plus"].as_array().unwrap().len(), points);
        // Two of them have several valid solutions; their laws are tested elsewhere.
        if !["rand03", "rand06"]
            .iter()
            .any(|flagged| case["name"].as_str().unwrap().contains(flagged))
        {
            for field in ["total_impulse", "v_plus"] {
                assert!(furthest(&got[field], &case[field]) <= 1e-8, "{field} {got}");
            }
        }
    }
    assert!(
        answers("plus", PLUS, &["--budget", "real-time"]).iter().any(|got| got["capped"] == true)
    );
}

#[test]
fn invalid_arguments_are_refused_by_name() {
    let folder = std::env::temp_dir().join(format!("ictus-strike3d-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("cases.json");
    let file = path.to_str().unwrap();
    let good = cases(JIA)[0].clone();
    let many = cases(PLUS)[0].clone();
    let with = |case: &Value, field: &str, value: Value| {
        let mut case = case.clone();
        case[field] = value;
        json!({ "cases": [case] }).to_string()
    };
    for (model, text, reported) in [
        ("jia", "{".to_owned(), "not JSON"),
        ("jia", "{}".to_owned(), "cases"),
        ("jia", "7".to_owned(), "neither"),
        ("jia", with(&good, "mu", json!(-1)), "mu"),
        ("jia", with(&good, "e", json!(1.5)), "e 1.5"),
        ("jia", with(&good, "W", json!([[1, 0, 0], [0, 1, 0], [0, 0, -1]])), "positive"),
        ("jia", with(&good, "W", json!([[1, 9, 0], [0, 1, 0], [0, 0, 1]])), "symmetric"),
        ("jia", with(&good, "v_minus", json!([0, 0, 1])), "approach"),
        ("jia", with(&good, "v_minus", json!([0, 0, -1e200])), "v_minus"),
        (
            "jia",
            with(&good, "W", json!([[1e150, 0, 0], [0, 1e150, 0], [0, 0, 1e150]])),
            "largest entry of W",
        ),
        (
            "plus",
            with(&many, "A", json!([[1e-300, 0, 0], [0, 1e-300, 0], [0, 0, 1e-300]])),
            "largest entry of A",
        ),
        ("plus", with(&many, "A", json!([[1, 0, 5], [0, 1, 0], [5, 0, 1]])), "semidefinite"),
        ("plus", with(&many, "A", json!([[1, 0, 5], [0, 1, 0], [0, 0, 1]])), "symmetric"),
        ("plus", with(&many, "n_points", json!(9)), "n_points"),
        ("plus", with(&many, "n_points", json!(2)), "v_minus"),
        ("plus", with(&many, "A", json!([[1]])), "A"),
        ("plus", json!([good]).to_string(), "n_points"),
    ] {
        std::fs::write(&path, &text).unwrap();
        let output = strike3d(model, file, &[]);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && said.contains(reported), "{text} gave: {said}");
        assert!(!said.contains("panicked"), "{said}");
    }
    assert!(!strike3d("jia", folder.join("none.json").to_str().unwrap(), &[]).status.success());
    std::fs::remove_dir_all(folder).unwrap();
}
