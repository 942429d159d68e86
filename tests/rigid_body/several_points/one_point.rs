//! PLUS at one point against the exact path of a single contact.

use super::common::{contacts, deviation, landing, numbers, vector};
use ictus::random::Random;
use ictus::rigid_body::simultaneous::{Budget, Cor, ImpactSettings, solve};
use ictus::rigid_body::single_point::{self, Accuracy, Impact, Restitution};
use ictus::rigid_body::vector::Mat3;

#[test]
fn one_point_agrees_with_the_hodograph() {
    // Both with Poisson's coefficient, PLUS without its thresholds: it must converge to the exact
    // path as its intervals shrink.
    let mut chance = Random::new(25);
    let mut worst = [0.0f64; 2];
    for _ in 0..300 {
        let contacts = landing(&mut chance, 1);
        let e = chance.unit();
        let cor = Cor { e_min: e, v_capture_m_per_s: 0.0, v_plastic_m_per_s: 0.0 };
        let w: Mat3 = std::array::from_fn(|i| std::array::from_fn(|j| contacts.a[i][j]));
        let v = [0, 1, 2].map(|axis| contacts.v_m_per_s[axis]);
        let impact =
            Impact { w, v_m_per_s: v, mu: contacts.mu[0], restitution: Restitution::Poisson(e) };
        if v[2] >= 0.0 {
            continue;
        }
        let exact = single_point::solve(&impact, &Accuracy::FINE);
        for (slot, theta) in [0.02, 0.002].into_iter().enumerate() {
            let settings = ImpactSettings {
                cor,
                v_transition_m_per_s: 1e-4,
                theta_max_rad: theta,
                alpha_min: 1e-6,
            };
            let got = solve(&contacts, &settings, &Budget::STUDY);
            let off = deviation(&got.impulse_ns[..3], &exact.impulse_ns);
            worst[slot] = worst[slot].max(off);
        }
    }
    println!("theta 0.02: {:e}, 0.002: {:e}", worst[0], worst[1]);
    assert!(worst[0] < 0.02 && worst[1] < 0.002, "{worst:?}");
}

#[test]
fn example_1_agrees_with_the_hodograph_at_matched_restitution() {
    // Stronge's e that gives the same normal speed as Poisson's: .392 -> .388, .387 -> .388, .373
    // -> .379.
    for (name, e) in [
        ("ex1_mu0.125_th0.010", 0.388),
        ("ex1_mu0.225_th0.010", 0.388),
        ("ex1_mu0.325_th0.010", 0.379),
    ] {
        let case = vector(name);
        let contacts = contacts(&case);
        let w: Mat3 = std::array::from_fn(|i| std::array::from_fn(|j| contacts.a[i][j]));
        let v = [0, 1, 2].map(|axis| contacts.v_m_per_s[axis]);
        let impact =
            Impact { w, v_m_per_s: v, mu: contacts.mu[0], restitution: Restitution::Stronge(e) };
        let exact = single_point::solve(&impact, &Accuracy::FINE);
        let off = deviation(&numbers(&case["total_impulse"]), &exact.impulse_ns);
        let v_z = numbers(&case["v_plus"])[2];
        println!("{name}: impulse {off:e}, v_z {} against {v_z}", exact.v_m_per_s[2]);
        assert!((exact.v_m_per_s[2] / v_z - 1.0).abs() < 5e-3, "{name}");
        assert!(off < 1e-2, "{name}: {off:e}");
    }
}
