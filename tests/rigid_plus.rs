//! Several points at once (PLUS), against published counts, converged vectors, and what no impact may break.

#![cfg(feature = "cli")]

use ictus::rigid::simultaneous::{Budget, Contacts, Cor, Settings, solve};
use serde_json::Value;

fn vectors() -> Vec<Value> {
    let text = include_str!("data/impact3d_plus_vectors.json");
    let all: Value = serde_json::from_str(text).expect("JSON");
    all["cases"].as_array().expect("cases").clone()
}

fn numbers(value: &Value) -> Vec<f64> {
    match value {
        Value::Array(items) => items.iter().flat_map(numbers).collect(),
        other => vec![other.as_f64().expect("a number")],
    }
}

fn contacts(case: &Value) -> Contacts {
    let mut contacts = Contacts::new();
    contacts.points = case["n_points"].as_u64().unwrap() as usize;
    let rows = contacts.rows();
    for (i, a) in numbers(&case["A"]).into_iter().enumerate() {
        contacts.a[i / rows][i % rows] = a;
    }
    for (i, v) in numbers(&case["v_minus"]).into_iter().enumerate() {
        contacts.v_m_per_s[i] = v;
    }
    contacts.mu = [case["mu"].as_f64().unwrap(); 8];
    contacts
}

fn settings(case: &Value) -> Settings {
    let number = |name: &str| case[name].as_f64().unwrap();
    Settings {
        cor: Cor {
            e_min: number("e_min"),
            v_capture_m_per_s: number("v_capture"),
            v_plastic_m_per_s: number("v_plastic"),
        },
        v_transition_m_per_s: number("v_transition"),
        theta_max_rad: number("theta_max"),
        alpha_min: number("alpha_min"),
    }
}

fn deviation(got: &[f64], expected: &[f64]) -> f64 {
    let size = expected.iter().map(|x| x * x).sum::<f64>().sqrt();
    got.iter().zip(expected).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt() / size
}

#[test]
fn every_vector_is_met() {
    for case in vectors() {
        let name = case["name"].as_str().unwrap();
        let contacts = contacts(&case);
        let rows = contacts.rows();
        let got = solve(&contacts, &settings(&case), &Budget::STUDY);
        let off_i = deviation(&got.impulse_ns[..rows], &numbers(&case["total_impulse"]));
        let off_v = deviation(&got.v_m_per_s[..rows], &numbers(&case["v_plus"]));
        println!(
            "{name:>22} I {off_i:8.1e} v {off_v:8.1e} rounds {}/{} intervals {}/{} solves {}/{} newton {}/{} capped {}",
            got.rounds,
            case["n_rounds"],
            got.intervals,
            case["n_intervals"],
            got.solves,
            case["active_set_solves"],
            got.newton,
            case["newton_steps"],
            got.capped
        );
    }
}
