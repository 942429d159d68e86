//! Gravity: bouncing, settling, resting.

use ictus::contact::{ContactSettings, CoupledSolver, HuntCrossley, Law};

use super::body::{Body, energy_j};

const RATE_HZ: f64 = 44_100.0;

fn ball(kind: Law, restitution: Option<f64>, stiffness: f64) -> ContactSettings {
    let law = HuntCrossley { stiffness, mu_s_per_m: 1.0, alpha: 1.5 };
    let gravity_m_per_s2 = 9.81;
    ContactSettings {
        kind,
        law,
        restitution,
        gravity_m_per_s2,
        damper_n_s_per_m: 2.0,
        ..ContactSettings::default()
    }
}

#[test]
fn a_ball_settles_and_is_carried() {
    let dt_s = 1.0 / RATE_HZ;
    for (kind, restitution, stiffness) in [
        (Law::HuntCrossley, None, 1e7),
        (Law::HuntCrossley, Some(0.5), 1e9),
        (Law::HertzDamper, None, 1e7),
        (Law::HertzDamper, Some(0.6), 1e6),
    ] {
        let settings = ball(kind, restitution, stiffness);
        let mut body = Body::new(6, 150.0, 6_000.0, 0.3, 0.004);
        let mut two_way = CoupledSolver::default();
        two_way.throw(&mut body.ground(), 0, &settings, 0.01, 0.0);
        let start_j = settings.mass_kg * 9.81 * 0.01;
        let mut growth = 0.0f64;
        let (mut impulse_ns, mut steps, mut rough, mut last_n) = (0.0, 0u64, 0.0f64, 0.0);
        let seconds = 10;
        for sample in 0..seconds * RATE_HZ as u32 {
            growth = growth.max(body.advance(&mut two_way, dt_s) / start_j);
            if sample >= (seconds - 1) * RATE_HZ as u32 {
                let force_n = two_way.free_mass(0).force_n();
                impulse_ns += force_n * dt_s;
                steps += u64::from(two_way.steps());
                rough = rough.max((force_n - last_n).abs());
            }
            last_n = two_way.free_mass(0).force_n();
        }
        let weight_n = settings.mass_kg * 9.81;
        println!(
            "{kind:?} {restitution:?}: growth {growth:.1e}, carries {:.6} of its weight, {} contacts, {:.2} steps per sample, force rough by {:.1e} of the weight, left above rest {:.1e} of the start",
            impulse_ns / weight_n,
            two_way.free_mass(0).contacts(),
            steps as f64 / RATE_HZ,
            rough / weight_n,
            energy_j(&two_way, &body.ground()) / start_j,
        );
        assert!(growth <= 1e-12, "{growth:e}");
        assert!((impulse_ns / weight_n - 1.0).abs() < 1e-3, "{}", impulse_ns / weight_n);
        assert!(
            two_way.free_mass(0).is_resting() && two_way.is_at_rest(),
            "{:?}",
            two_way.free_mass(0)
        );
        assert!(steps as f64 / RATE_HZ <= 16.0);
        assert!(rough < 0.01 * weight_n, "it buzzes: {rough}");
    }
}

/// Asserts that the total energy (ball, height, spring and every mode) does not rise in any step of
/// a train of bounces, and that the ball's own energy is conserved from each release to the next
/// onset as reported.
#[test]
fn bounces_on_a_body_that_strikes_back_gain_nothing() {
    let dt_s = 1.0 / RATE_HZ;
    for (body_kg, ball_kg) in [(0.05, 0.02), (0.4, 0.02), (10.0, 0.002)] {
        for kind in [Law::HuntCrossley, Law::HertzDamper] {
            let settings = ContactSettings { mass_kg: ball_kg, ..ball(kind, Some(0.7), 1e8) };
            let mut body = Body::new(24, 110.0, 9_000.0, body_kg, 0.002);
            let mut two_way = CoupledSolver::default();
            two_way.throw(&mut body.ground(), 0, &settings, 0.05, 0.0);
            let start_j = ball_kg * 9.81 * 0.05;
            let energy_j = |v: f64, height_m: f64| ball_kg * (0.5 * v * v + 9.81 * height_m);
            let (mut growth, mut risen, mut reported) = (0.0f64, 0.0f64, 0);
            let (mut left_j, mut max_j) = (start_j, 0.0f64);
            for _ in 0..4 * RATE_HZ as u32 {
                growth = growth.max(body.advance(&mut two_way, dt_s) / start_j);
                let free_mass = two_way.free_mass(0);
                if free_mass.contacts() == reported + 1 {
                    let last = free_mass.last_contact();
                    risen = risen.max(
                        (energy_j(last.own_in_m_per_s, last.height_in_m) - left_j).abs() / start_j,
                    );
                }
                if free_mass.contacts() > reported {
                    let last = free_mass.last_contact();
                    left_j = energy_j(last.v_out_m_per_s, last.height_m);
                    max_j = max_j.max(left_j);
                    reported = free_mass.contacts();
                }
            }
            println!(
                "{body_kg} kg, {ball_kg} kg, {kind:?}: {reported} contacts, growth in a step {growth:.1e}, change in the air {risen:.1e}"
            );
            assert!(reported > 3 && growth <= 1e-12, "{reported} contacts, {growth:e}");
            assert!(risen <= 1e-12, "changed in the air by {risen:e} of the start");
            assert!(max_j < start_j, "{max_j} of {start_j}");
        }
    }
}

#[test]
fn a_ball_at_rest_is_woken_by_a_blow() {
    let dt_s = 1.0 / RATE_HZ;
    let mut body = Body::new(6, 150.0, 6_000.0, 0.05, 0.004);
    let mut two_way = CoupledSolver::default();
    two_way.throw(&mut body.ground(), 0, &ball(Law::HuntCrossley, Some(0.3), 1e7), 1e-4, 0.0);
    for _ in 0..RATE_HZ as u32 {
        body.advance(&mut two_way, dt_s);
    }
    assert!(two_way.is_at_rest(), "{:?}", two_way.free_mass(0));
    let contacts = two_way.free_mass(0).contacts();
    let mallet = ContactSettings {
        gravity_m_per_s2: 0.0,
        mass_kg: 0.05,
        ..ball(Law::HuntCrossley, None, 1e8)
    };
    two_way.strike(&mut body.ground(), 1, &mallet, 3.0, 0.0);
    let start_j = energy_j(&two_way, &body.ground());
    let mut growth_j = 0.0f64;
    for _ in 0..RATE_HZ as u32 / 10 {
        growth_j = growth_j.max(body.advance(&mut two_way, dt_s));
    }
    assert!(two_way.free_mass(0).contacts() > contacts, "it was not thrown up");
    assert!(growth_j <= 1e-12 * start_j, "{}", growth_j / start_j);
}
