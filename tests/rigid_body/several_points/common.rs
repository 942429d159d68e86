//! Cases from the papers and random ones, and the laws that every impact obeys.

use ictus::random::Random;
use ictus::rigid_body::inertia::{Inertia, mobility_per_kg};
use ictus::rigid_body::motion::Quaternion;
use ictus::rigid_body::simultaneous::{Contacts, Cor, ImpactSettings, MAX_POINTS, Outcome};
use ictus::rigid_body::vector::{Vec3, add, cross};
use serde_json::Value;

pub fn vectors() -> Vec<Value> {
    let text = include_str!("../../data/impact3d_plus_vectors.json");
    let all: Value = serde_json::from_str(text).expect("JSON");
    all["cases"].as_array().expect("cases").clone()
}

pub fn vector(name: &str) -> Value {
    vectors().into_iter().find(|case| case["name"] == name).expect("a case of this name")
}

pub fn numbers(value: &Value) -> Vec<f64> {
    match value {
        Value::Array(items) => items.iter().flat_map(numbers).collect(),
        other => vec![other.as_f64().expect("a number")],
    }
}

pub fn contacts(case: &Value) -> Contacts {
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

pub fn settings(case: &Value) -> ImpactSettings {
    let number = |name: &str| case[name].as_f64().unwrap();
    ImpactSettings {
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

pub fn deviation(got: &[f64], expected: &[f64]) -> f64 {
    let size = expected.iter().map(|x| x * x).sum::<f64>().sqrt();
    got.iter().zip(expected).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt() / size
}

/// Asserts the laws that every impact obeys, however it ended.
pub fn check(contacts: &Contacts, got: &Outcome, what: &str) {
    let rows = contacts.rows();
    let fastest = contacts.v_m_per_s[..rows].iter().fold(0.0f64, |most, v| most.max(v.abs()));
    let describe = || format!("{what}: {contacts:?} {got:?}");
    for k in 0..contacts.points {
        let [x, y, z] = [0, 1, 2].map(|axis| got.impulse_ns[3 * k + axis]);
        let largest = got.impulse_ns.iter().fold(0.0f64, |most, i| most.max(i.abs()));
        assert!(
            x.is_finite() && y.is_finite() && z >= -1e-9 * largest,
            "pull {z:e} {}",
            describe()
        );
        let outside = x.hypot(y) - contacts.mu[k] * z;
        assert!(
            outside <= 1e-9 * largest * (1.0 + contacts.mu[k]),
            "cone by {outside:e} {}",
            describe()
        );
        let v_z = got.v_m_per_s[3 * k + 2];
        assert!(v_z >= -1e-8 * fastest, "approaching {v_z:e} {}", describe());
    }
    for row in 0..rows {
        let v = contacts.v_m_per_s[row] + contacts.response(row, &got.impulse_ns);
        assert!((v - got.v_m_per_s[row]).abs() <= 1e-10 * fastest, "momentum {}", describe());
    }
    let before: f64 = (0..rows).map(|row| contacts.v_m_per_s[row] * got.impulse_ns[row]).sum();
    let gain = contacts.energy_j(&got.impulse_ns);
    assert!(gain <= 1e-10 * before.abs(), "energy {gain:e} of {before:e} {}", describe());
}

/// Random points of one body in one plane.
pub fn landing(chance: &mut Random, most: usize) -> Contacts {
    let size = 10f64.powf(chance.between(-2.0, 0.0));
    let edges = [0; 3].map(|_: i32| size * chance.between(0.1, 1.0));
    let inertia = Inertia::cuboid(10f64.powf(chance.between(-3.0, 1.0)), edges);
    let axes = Quaternion([0; 4].map(|_: i32| chance.between(-1.0, 1.0))).normalised().matrix();
    let fast = 10f64.powf(chance.between(-1.0, 1.0));
    let spin: Vec3 = [0; 3].map(|_: i32| chance.between(-1.0, 1.0) * fast / size);
    let push = chance.between(0.0, 2.0);
    let velocity =
        [push * chance.between(-1.0, 1.0) * fast, push * chance.between(-1.0, 1.0) * fast, -fast];
    let below = -chance.between(0.1, 0.6) * size;
    let mut contacts = Contacts::new();
    contacts.points = 1 + (chance.unit() * most as f64) as usize;
    let mu = if chance.unit() < 0.05 { 0.0 } else { chance.between(0.05, 1.2) };
    let arms: [Vec3; MAX_POINTS] = [0; MAX_POINTS]
        .map(|_: i32| [chance.between(-0.5, 0.5) * size, chance.between(-0.5, 0.5) * size, below]);
    for i in 0..contacts.points {
        contacts.mu[i] = mu;
        let v = add(velocity, cross(spin, arms[i]));
        contacts.v_m_per_s[3 * i..3 * i + 3].copy_from_slice(&v);
        for j in 0..contacts.points {
            let block = mobility_per_kg(&inertia, &axes, arms[i], arms[j]);
            for (row, entries) in block.iter().enumerate() {
                contacts.a[3 * i + row][3 * j..3 * j + 3].copy_from_slice(entries);
            }
        }
    }
    contacts
}

pub fn some_settings(chance: &mut Random) -> ImpactSettings {
    let e_min = match (chance.unit() * 10.0) as u32 {
        0 => 0.0,
        1 => 1.0,
        _ => chance.unit(),
    };
    ImpactSettings {
        cor: Cor { e_min, v_capture_m_per_s: 0.01, v_plastic_m_per_s: 0.1 },
        v_transition_m_per_s: if chance.unit() < 0.5 { 0.01 } else { 0.1 },
        theta_max_rad: chance.between(0.1, 0.6),
        alpha_min: 0.01,
    }
}
