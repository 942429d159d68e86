//! Several strikers on one body.

use ictus::body::PerMode;
use ictus::contact::recorder::ContactRecorder;
use ictus::contact::settings::Law;
use ictus::contact::{ContactSettings, CoupledSolver, HuntCrossley};

use super::body::{Body, energy_j};

const DT_S: f64 = 1.0 / 48_000.0;

fn settings(mass_kg: f64, stiffness: f64, mu_s_per_m: f64) -> ContactSettings {
    let law = HuntCrossley { stiffness, mu_s_per_m, alpha: 1.5 };
    ContactSettings { law, mass_kg, ..ContactSettings::default() }
}

/// Runs the scene; returns the largest energy growth in one step, as a share of the initial energy.
fn run(body: &mut Body, two_way: &mut CoupledSolver, samples: u32) -> f64 {
    let start_j = energy_j(two_way, &body.ground());
    let growth_j = (0..samples).map(|_| body.advance(two_way, DT_S)).fold(0.0, f64::max);
    assert!(!two_way.is_unsettled());
    growth_j / start_j
}

#[test]
fn two_and_four_and_eight_at_once_make_no_energy() {
    let (mut worst, mut rounds) = (0.0f64, 0);
    for (count, mass_kg) in [(1, 0.02), (6, 0.1), (32, 0.1), (64, 1.0)] {
        for strikers in [2, 4, 8] {
            for stiffness in [1e6, 1e9, 2e10] {
                let mut body = Body::new(count, 200.0, 15_000.0, mass_kg, 0.0005);
                let mut two_way = CoupledSolver::default();
                for slot in 0..strikers {
                    let mallet = settings(0.005 * (slot + 1) as f64, stiffness, 0.2 * slot as f64);
                    two_way.strike(
                        &mut body.ground(),
                        slot,
                        &mallet,
                        1.0 + slot as f64,
                        0.3 * slot as f64 * DT_S,
                    );
                }
                let mut growth = run(&mut body, &mut two_way, 300);
                // Soft springs and heavy masses need longer.
                while (0..strikers).any(|slot| two_way.free_mass(slot).contacts() == 0)
                    && two_way.is_active()
                {
                    growth = growth.max(run(&mut body, &mut two_way, 100));
                    rounds += 1;
                    assert!(
                        rounds < 5_000,
                        "{count} modes, {strikers} strikers, {stiffness:e}: stuck"
                    );
                }
                worst = worst.max(growth);
                assert!(
                    growth <= 1e-12,
                    "{count} modes, {strikers} strikers, {stiffness:e}: {growth:e}"
                );
            }
        }
    }
    println!("largest growth in one step: {worst:e}");
}

#[test]
fn two_half_masses_equal_one_mass() {
    // Two equal masses at one point equal one of twice the mass with twice the spring.
    let whole = {
        let mut body = Body::generic(6);
        let mut two_way = CoupledSolver::default();
        two_way.strike(&mut body.ground(), 0, &settings(0.02, 2e8, 0.3), 2.0, 0.4 * DT_S);
        run(&mut body, &mut two_way, 20);
        two_way.free_mass(0).last_contact().v_out_m_per_s
    };
    let mut body = Body::generic(6);
    let shape: PerMode = std::array::from_fn(|i| if i < 6 { 1.0 } else { 0.0 });
    body.coupled_modes.set_point(3, &shape);
    let mut two_way = CoupledSolver::default();
    for slot in [0, 3] {
        two_way.strike(&mut body.ground(), slot, &settings(0.01, 1e8, 0.3), 2.0, 0.4 * DT_S);
    }
    run(&mut body, &mut two_way, 20);
    for slot in [0, 3] {
        let half = two_way.free_mass(slot).last_contact().v_out_m_per_s;
        assert!((half / whole - 1.0).abs() < 1e-3, "{half} instead of {whole}");
    }
    let pair: Vec<f64> =
        [0, 3].map(|slot| two_way.free_mass(slot).last_contact().v_out_m_per_s).to_vec();
    assert!((pair[0] / pair[1] - 1.0).abs() < 1e-9, "{pair:?}");
}

#[test]
fn momentum_lost_is_momentum_given() {
    // A body that hardly moves gains the energy that the strikers lose. All of them touch at one
    // point, and the body is lighter than most strikers: solving one after the other would take
    // thousands of rounds.
    let mut body = Body::new(1, 0.01, 0.01, 0.02, 0.0);
    let shape: PerMode = std::array::from_fn(|i| if i < 1 { 1.0 } else { 0.0 });
    let mut two_way = CoupledSolver::default();
    let masses = [0.01, 0.02, 0.005, 0.04, 0.1, 0.001, 0.03, 0.01];
    for (slot, mass_kg) in masses.into_iter().enumerate() {
        body.coupled_modes.set_point(slot, &shape);
        two_way.strike(
            &mut body.ground(),
            slot,
            &settings(mass_kg, 1e8, 0.4),
            1.0 + slot as f64,
            0.0,
        );
    }
    run(&mut body, &mut two_way, 200);
    let before: f64 = masses.iter().enumerate().map(|(slot, m)| m * (1.0 + slot as f64)).sum();
    let held: f64 = masses
        .iter()
        .enumerate()
        .map(|(slot, m)| m * two_way.free_mass(slot).velocity_m_per_s())
        .sum();
    let given = 0.02 * body.bank.amplitude(0).0;
    assert!(((held + given) / before - 1.0).abs() < 1e-6, "{held} + {given} of {before}");
}

#[test]
fn slots_have_no_order() {
    let velocity = |order: [usize; 3]| {
        let mut body = Body::generic(6);
        let shapes: [PerMode; 3] = [0.3, 1.1, 1.9].map(|place: f64| {
            std::array::from_fn(|i| if i < 6 { (place * i as f64).cos() } else { 0.0 })
        });
        let mut two_way = CoupledSolver::default();
        for (who, slot) in order.into_iter().enumerate() {
            body.coupled_modes.set_point(slot, &shapes[who]);
            let mallet = settings(0.01 * (who + 1) as f64, 1e8, 0.2);
            two_way.strike(&mut body.ground(), slot, &mallet, 1.0, 0.2 * DT_S);
        }
        run(&mut body, &mut two_way, 12);
        order.map(|slot| two_way.free_mass(slot).velocity_m_per_s())
    };
    let (one, other) = (velocity([0, 1, 2]), velocity([6, 2, 4]));
    for (a, b) in one.iter().zip(other) {
        assert!((a - b).abs() < 1e-9, "{one:?} {other:?}");
    }
}

/// Regression: the recorder followed a mass that a linear damper holds in its dent until the mass
/// left it, and missed the contacts of other strikers in the meantime.
#[test]
fn the_next_strike_is_recorded_while_the_last_dent_recovers() {
    let slow = ContactSettings {
        kind: Law::HertzDamper,
        damper_n_s_per_m: 400.0,
        ..settings(0.02, 1e7, 0.0)
    };
    let quick = settings(0.005, 1e9, 0.0);
    let (mut body, mut two_way, mut recorder) =
        (Body::generic(32), CoupledSolver::default(), ContactRecorder::default());
    recorder.set_on(true);
    two_way.strike(&mut body.ground(), 0, &slow, 1.0, 0.0);
    let (mut masses_kg, mut beside) = (Vec::new(), 0);
    for _ in 0..200 {
        if masses_kg.is_empty()
            && two_way.free_mass(0).let_go().is_some()
            && !two_way.free_mass(1).is_active()
        {
            two_way.strike(&mut body.ground(), 1, &quick, 3.0, 0.0);
        }
        two_way.advance_with(&mut body.ground(), DT_S, &mut [], &mut |free_masses, _| {
            beside += u32::from(free_masses[0].let_go().is_some() && free_masses[1].is_pressing());
            recorder.watch(free_masses);
            if let Some(trace) =
                recorder.last().filter(|trace| trace.number as usize >= masses_kg.len())
            {
                assert!(trace.points.is_sorted_by(|a, b| a.time_s <= b.time_s), "{trace:?}");
                masses_kg.push(trace.report.mass_kg);
            }
        });
    }
    assert!(beside > 10, "the quick one presses while the slow one has let go: {beside} steps");
    assert_eq!(masses_kg[..2], [0.02, 0.005], "both were seen");
}
