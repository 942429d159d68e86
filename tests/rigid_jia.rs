//! One frictional contact between two bodies, against converged solutions and against what no impact may break.

#![cfg(feature = "cli")]

use ictus::rigid::single_point::{Accuracy, Impact, Outcome, Restitution, solve};
use ictus::rigid::vector::{Mat3, Vec3};
use serde_json::Value;

fn vectors() -> Vec<Value> {
    let text = include_str!("data/impact3d_jia_vectors.json");
    let all: Value = serde_json::from_str(text).expect("JSON");
    all["cases"].as_array().expect("cases").clone()
}

fn vec3(value: &Value) -> Vec3 {
    std::array::from_fn(|i| value[i].as_f64().expect("a number"))
}

fn impact(case: &Value) -> Impact {
    Impact {
        w: std::array::from_fn(|i| vec3(&case["W"][i])),
        v_m_per_s: vec3(&case["v_minus"]),
        mu: case["mu"].as_f64().unwrap(),
        restitution: Restitution::Stronge(case["e"].as_f64().unwrap()),
    }
}

fn length(a: Vec3) -> f64 {
    a.iter().map(|x| x * x).sum::<f64>().sqrt()
}

fn deviation(got: Vec3, expected: Vec3) -> f64 {
    length(std::array::from_fn(|i| got[i] - expected[i])) / length(expected)
}

#[test]
fn every_vector_is_met() {
    for (accuracy, allowed) in [(Accuracy::DEFAULT, 2e-4), (Accuracy::FINE, 1e-6)] {
        let mut worst: f64 = 0.0;
        for case in vectors() {
            let name = case["name"].as_str().unwrap();
            let got = solve(&impact(&case), &accuracy);
            let off = deviation(got.impulse_ns, vec3(&case["I_r"]));
            println!("{name:>24} {off:9.1e} steps {:3} {}", got.steps, got.sequence.name());
            assert!(off <= allowed, "{name}: {off:e} {got:?}");
            assert_eq!(got.sequence.name(), case["sequence_exact"].as_str().unwrap(), "{name}");
            let i_zr = case["I_zr"].as_f64().unwrap();
            assert!((got.i_zc_ns - case["I_zc"].as_f64().unwrap()).abs() <= allowed * i_zr, "{name}");
            match (case["I_zs"].as_f64(), got.i_zs_ns) {
                (Some(expected), Some(got)) => assert!((got - expected).abs() <= allowed * i_zr, "{name} {got}"),
                (expected, got) => assert_eq!(expected, got, "{name}"),
            }
            assert!(!got.capped, "{name}");
            worst = worst.max(off);
        }
        println!("worst {worst:e}");
    }
}
