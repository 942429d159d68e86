//! One frictional contact between two bodies, against converged solutions and the laws that every
//! impact obeys.
//!
//! A solver that stops where the slip is merely small, or that derives its step size from the
//! curvature of the hodograph, misses some of these by per cents.

use ictus::random::Random;
use ictus::rigid_body::inertia::{Inertia, Side, inverse_inertia_per_kg};
use ictus::rigid_body::motion::Quaternion;
use ictus::rigid_body::single_point::hodograph::Hodograph;
use ictus::rigid_body::single_point::{Accuracy, Impact, Outcome, Restitution, invariant, solve};
use ictus::rigid_body::vector::{Mat3, Vec3, dot, mul, norm, sub};
use serde_json::Value;

fn vectors() -> Vec<Value> {
    let text = include_str!("../data/impact3d_jia_vectors.json");
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

fn deviation(got: Vec3, expected: Vec3) -> f64 {
    norm(sub(got, expected)) / norm(expected)
}

#[test]
fn every_vector_is_met() {
    for (accuracy, allowed) in [(Accuracy::DEFAULT, 2e-4), (Accuracy::FINE, 1e-6)] {
        let mut worst: f64 = 0.0;
        for case in vectors() {
            let name = case["name"].as_str().unwrap();
            let got = solve(&impact(&case), &accuracy);
            let off = deviation(got.impulse_ns, vec3(&case["I_r"]));
            assert!(off <= allowed, "{name}: {off:e} {got:?}");
            assert_eq!(got.sequence.name(), case["sequence_exact"].as_str().unwrap(), "{name}");
            let i_zr = case["I_zr"].as_f64().unwrap();
            assert!(
                (got.i_zc_ns - case["I_zc"].as_f64().unwrap()).abs() <= allowed * i_zr,
                "{name}"
            );
            match (case["I_zs"].as_f64(), got.i_zs_ns) {
                (Some(expected), Some(got)) => {
                    assert!((got - expected).abs() <= allowed * i_zr, "{name} {got}")
                }
                (expected, got) => assert_eq!(expected, got, "{name}"),
            }
            assert!(!got.capped, "{name}");
            worst = worst.max(off);
        }
        println!("worst of {} steps at most: {worst:e}", accuracy.max_steps);
    }
}

#[test]
fn invariant_directions_are_those_of_the_vectors() {
    for case in vectors() {
        let name = case["name"].as_str().unwrap();
        let impact = impact(&case);
        let flow = Hodograph::new(&impact.w, impact.mu);
        let Some(found) = invariant::directions(&flow) else {
            assert!(case["invariant_dirs"].is_null(), "{name}: every direction, said the solver");
            continue;
        };
        let expected = case["invariant_dirs"].as_array().unwrap();
        assert_eq!(found.len(), expected.len(), "{name}: {found:?}");
        for way in expected {
            let (sin, cos) = way["theta"].as_f64().unwrap().sin_cos();
            let near = found.iter().any(|got| {
                (got.direction[0] - cos).hypot(got.direction[1] - sin) < 1e-6
                    && (got.lambda_per_kg - way["lam"].as_f64().unwrap()).abs() < 1e-6 * flow.pace()
            });
            assert!(near, "{name}: {way} not among {found:?}");
        }
        let centrifugal = found.iter().filter(|way| way.is_centrifugal()).count();
        if impact.mu > 0.0 {
            assert_eq!(centrifugal, usize::from(!flow.sticks()), "{name}");
        }
        assert_eq!(
            case["stick_possible"].as_bool().unwrap(),
            flow.sticks() && impact.mu > 0.0,
            "{name}"
        );
    }
}

/// Two random bodies in contact.
struct Meeting {
    one: Side,
    two: Side,
    v: Vec3,
    mu: f64,
    e: f64,
}

fn meeting(chance: &mut Random) -> Meeting {
    let side = |chance: &mut Random, above: bool| {
        let mass_kg = 10f64.powf(chance.between(-3.0, 1.0));
        let size = chance.between(0.01, 0.5);
        let edges = [0; 3].map(|_: i32| size * chance.between(0.1, 1.0));
        let axes = Quaternion([0; 4].map(|_: i32| chance.between(-1.0, 1.0))).normalised().matrix();
        let z = chance.between(0.05, 0.5) * size * if above { -1.0 } else { 1.0 };
        let arm_m = [chance.between(-0.5, 0.5) * size, chance.between(-0.5, 0.5) * size, z];
        Side { inertia: Inertia::cuboid(mass_kg, edges), axes, arm_m }
    };
    let (one, mut two) = (side(chance, true), side(chance, false));
    if chance.unit() < 0.3 {
        two.inertia = Inertia::IMMOVABLE;
    }
    let fast = 10f64.powf(chance.between(-2.0, 1.0));
    let slip = 10f64.powf(chance.between(-3.0, 1.0)) * fast;
    let (sin, cos) = chance.between(0.0, std::f64::consts::TAU).sin_cos();
    let v = [slip * cos, slip * sin, -fast];
    let mu = if chance.unit() < 0.05 { 0.0 } else { 10f64.powf(chance.between(-2.0, 0.5)) };
    let e = match (chance.unit() * 10.0) as u32 {
        0 => 0.0,
        1 => 1.0,
        _ => chance.unit(),
    };
    Meeting { one, two, v, mu, e }
}

/// Asserts the laws that every impact obeys, however it ended.
fn check(impact: &Impact, got: &Outcome, what: &str) {
    let (i, v) = (got.impulse_ns, got.v_m_per_s);
    assert!(i.iter().chain(&v).all(|x| x.is_finite()), "{what} {impact:?} {got:?}");
    assert!(i[2] > 0.0, "{what} no push {impact:?} {got:?}");
    assert!(i[0].hypot(i[1]) <= impact.mu * i[2] * (1.0 + 1e-12), "{what} cone {impact:?} {got:?}");
    assert!(v[2] >= -1e-10 * norm(impact.v_m_per_s), "{what} approaching {impact:?} {got:?}");
    let before = dot(impact.v_m_per_s, i);
    let gain = before + 0.5 * dot(i, mul(&impact.w, i));
    assert!(gain <= 1e-12 * before.abs(), "{what} energy {gain:e} {impact:?} {got:?}");
}

fn turned(m: &Mat3, turn: &Mat3) -> Mat3 {
    // turn * m * turn^T
    std::array::from_fn(|i| std::array::from_fn(|j| dot(turn[i], mul(m, turn[j]))))
}

#[test]
fn a_hundred_thousand_impacts_violate_no_law() {
    let mut chance = Random::new(11);
    let (mut max_steps, mut total, mut capped) = (0, 0u64, 0);
    for n in 0..100_000 {
        let m = meeting(&mut chance);
        let w = inverse_inertia_per_kg(&m.one, &m.two);
        for restitution in [Restitution::Stronge(m.e), Restitution::Poisson(m.e)] {
            let impact = Impact { w, v_m_per_s: m.v, mu: m.mu, restitution };
            let got = solve(&impact, &Accuracy::DEFAULT);
            check(&impact, &got, "whole");
            max_steps = max_steps.max(got.steps);
            total += u64::from(got.steps);
            capped += u32::from(got.capped);
            if m.e == 0.0 {
                assert!(got.v_m_per_s[2].abs() <= 1e-9 * norm(m.v), "plastic {n} {got:?}");
            }
        }
    }
    println!("steps: mean {:.1}, most {max_steps}; capped {capped} of 200000", total as f64 / 2e5);
    assert_eq!(capped, 0);
}

#[test]
fn with_the_cap_no_law_is_violated() {
    let mut chance = Random::new(12);
    let mut capped = 0;
    for n in 0..100_000 {
        let m = meeting(&mut chance);
        let w = inverse_inertia_per_kg(&m.one, &m.two);
        let restitution =
            if n % 2 == 0 { Restitution::Stronge(m.e) } else { Restitution::Poisson(m.e) };
        let impact = Impact { w, v_m_per_s: m.v, mu: m.mu, restitution };
        let got = solve(&impact, &Accuracy { max_steps: n % 5, ..Accuracy::DEFAULT });
        check(&impact, &got, "capped");
        capped += u32::from(got.capped);
    }
    assert!(capped > 50_000, "only {capped} were capped");
}

/// Largest difference of `count` random impacts when rotated, mirrored, and seen from the other
/// body.
fn worst_of_frames(seed: u64, count: u32, accuracy: &Accuracy) -> f64 {
    let mut chance = Random::new(seed);
    let mut worst = [0.0f64; 3];
    for _ in 0..count {
        let mut note = |slot: usize, off: f64| {
            worst[slot] = worst[slot].max(if off.is_finite() { off } else { 1.0 })
        };
        let m = meeting(&mut chance);
        let w = inverse_inertia_per_kg(&m.one, &m.two);
        let restitution = Restitution::Stronge(m.e);
        let impact = Impact { w, v_m_per_s: m.v, mu: m.mu, restitution };
        let got = solve(&impact, accuracy);
        let (sin, cos) = chance.between(0.0, std::f64::consts::TAU).sin_cos();
        let about = [[cos, -sin, 0.0], [sin, cos, 0.0], [0.0, 0.0, 1.0]];
        let mirror = [[-1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        for (slot, turn) in [about, mirror].iter().enumerate() {
            let other = Impact { w: turned(&w, turn), v_m_per_s: mul(turn, m.v), ..impact };
            let again = solve(&other, accuracy);
            note(slot, deviation(again.impulse_ns, mul(turn, got.impulse_ns)));
        }
        // The other body first, seen from its own side: half a turn about x, and all velocities
        // reversed.
        let over = [[1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, -1.0]];
        let seen = |side: &Side| Side {
            axes: std::array::from_fn(|i| std::array::from_fn(|j| over[i][i] * side.axes[i][j])),
            arm_m: mul(&over, side.arm_m),
            ..*side
        };
        let swapped = Impact {
            w: inverse_inertia_per_kg(&seen(&m.two), &seen(&m.one)),
            v_m_per_s: mul(&over, m.v.map(|v| -v)),
            ..impact
        };
        let again = solve(&swapped, accuracy);
        note(2, deviation(again.impulse_ns, mul(&over, got.impulse_ns.map(|i| -i))));
    }
    println!(
        "{} steps: turned {:e}, mirrored {:e}, swapped {:e}",
        accuracy.max_steps, worst[0], worst[1], worst[2]
    );
    worst.into_iter().fold(0.0, f64::max)
}

#[test]
fn frame_mirror_and_order_do_not_matter() {
    let worst = worst_of_frames(13, 100_000, &Accuracy::DEFAULT);
    assert!(worst < 1e-12, "{worst:e}");
}

#[test]
fn frame_mirror_and_order_do_not_matter_to_the_cap_either() {
    for max_steps in 0..5 {
        let capped = Accuracy { max_steps, ..Accuracy::DEFAULT };
        let worst = worst_of_frames(16 + u64::from(max_steps), 300_000, &capped);
        assert!(worst < 1e-8, "{max_steps} steps: {worst:e}");
    }
}

#[test]
fn speeds_scale() {
    let mut chance = Random::new(14);
    for _ in 0..10_000 {
        let m = meeting(&mut chance);
        let w = inverse_inertia_per_kg(&m.one, &m.two);
        let impact = Impact { w, v_m_per_s: m.v, mu: m.mu, restitution: Restitution::Stronge(m.e) };
        let twice = Impact { v_m_per_s: m.v.map(|v| 8.0 * v), ..impact };
        let (a, b) = (solve(&impact, &Accuracy::DEFAULT), solve(&twice, &Accuracy::DEFAULT));
        assert!(deviation(b.impulse_ns.map(|i| i / 8.0), a.impulse_ns) < 1e-12);
    }
}

#[test]
fn default_and_fine_agree_by_chance_too() {
    let mut chance = Random::new(15);
    let mut beyond = 0;
    let mut worst: f64 = 0.0;
    for _ in 0..2000 {
        let m = meeting(&mut chance);
        let w = inverse_inertia_per_kg(&m.one, &m.two);
        let impact = Impact { w, v_m_per_s: m.v, mu: m.mu, restitution: Restitution::Stronge(m.e) };
        let off = deviation(
            solve(&impact, &Accuracy::DEFAULT).impulse_ns,
            solve(&impact, &Accuracy::FINE).impulse_ns,
        );
        worst = worst.max(off);
        beyond += u32::from(off > 2e-4);
    }
    println!("worst {worst:e}, {beyond} of 2000 beyond 2e-4");
    assert_eq!(beyond, 0);
}

#[test]
fn invalid_and_separating_contacts_get_no_impulse() {
    let w = [[2.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 1.0]];
    let good =
        Impact { w, v_m_per_s: [1.0, 0.0, -1.0], mu: 0.3, restitution: Restitution::Stronge(0.5) };
    let mut invalid = w;
    invalid[1][1] = f64::NAN;
    for impact in [
        Impact { v_m_per_s: [1.0, 0.0, 0.5], ..good },
        Impact { v_m_per_s: [f64::NAN, 0.0, -1.0], ..good },
        Impact { w: invalid, ..good },
        Impact { w: [[0.0; 3]; 3], ..good },
    ] {
        assert_eq!(solve(&impact, &Accuracy::DEFAULT).impulse_ns, [0.0; 3]);
    }
    let odd = Impact { mu: f64::NAN, restitution: Restitution::Stronge(7.0), ..good };
    check(&Impact { mu: 0.0, ..odd }, &solve(&odd, &Accuracy::DEFAULT), "odd");
}
