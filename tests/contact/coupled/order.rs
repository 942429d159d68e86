//! The accuracy of a ball's contact as a function of its number of steps.

use ictus::contact::coupled::{CompliantSurface, CoupledSolver};
use ictus::contact::settings::{Law, Oversampling};
use ictus::contact::{ContactSettings, HuntCrossley};

use super::body::{Body, energy_j};

const DT_S: f64 = 1.0 / 48_000.0;
/// From the drop to the flight after the first bounce.
const SAMPLES: u32 = 3_000;

/// Contacts of about 26 samples.
fn ball(kind: Law, mu_s_per_m: f64, steps: u32) -> ContactSettings {
    ContactSettings {
        kind,
        law: HuntCrossley { stiffness: 3e6, mu_s_per_m, alpha: 1.5 },
        damper_n_s_per_m: 2.0 * mu_s_per_m,
        mass_kg: 0.005,
        gravity_m_per_s2: 9.81,
        steps_per_sample: Oversampling::Times(steps),
        ..ContactSettings::default()
    }
}

/// Returns the ball's velocity after its first bounce on a ringing body, m/s, and the relative
/// change of the total energy.
fn after_a_bounce(kind: Law, mu_s_per_m: f64, steps: u32, height_m: f64) -> (f64, f64) {
    let mut body = Body::new(16, 110.0, 8_000.0, 0.4, 0.0);
    let mut two_way = CoupledSolver::default();
    let mallet = ContactSettings { gravity_m_per_s2: 0.0, ..ball(Law::HuntCrossley, 0.0, 256) };
    two_way.strike(&mut body.ground(), 1, &mallet, 0.2, 0.0);
    while two_way.is_active() {
        body.advance(&mut two_way, DT_S);
    }
    two_way.throw(&mut body.ground(), 0, &ball(kind, mu_s_per_m, steps), height_m, 0.9);
    let before_j = energy_j(&two_way, &body.ground());
    for _ in 0..SAMPLES {
        body.advance(&mut two_way, DT_S);
    }
    assert_eq!(two_way.free_mass(0).contacts(), 1);
    (two_way.free_mass(0).velocity_m_per_s(), energy_j(&two_way, &body.ground()) / before_j - 1.0)
}

/// The error is of second order: half the step size gives a quarter of the error.
#[test]
fn the_release_is_of_second_order() {
    for (kind, mu) in [(Law::HuntCrossley, 0.0), (Law::HuntCrossley, 0.5), (Law::HertzDamper, 0.5)]
    {
        let mut worst = [0.0f64; 2];
        for phase in 0..8 {
            let height_m = 0.002 + 1.7e-6 * f64::from(phase);
            let [coarse, fine, truth] =
                [2, 4, 64].map(|steps| after_a_bounce(kind, mu, steps, height_m).0);
            for (worst, v) in worst.iter_mut().zip([coarse, fine]) {
                *worst = worst.max((v - truth).abs());
            }
        }
        println!(
            "{kind:?}, mu {mu}: with 50 steps off by {:.1e} m/s, with 100 by {:.1e}",
            worst[0], worst[1]
        );
        assert!(worst[0] < 1e-3 && worst[1] < 0.35 * worst[0], "{kind:?}, mu {mu}: {worst:?}");
    }
}

/// Balls of every kind on a lossless ringing body, with settings changed in flight and in contact.
#[test]
fn a_ball_never_gains_energy_from_changing_settings() {
    let mut worst = 0.0f64;
    for seed in 0..600u32 {
        let mut dice = u64::from(seed) * 7919 + 1;
        let mut chance = || crate::random::unit(&mut dice);
        let mut any = || {
            let kind = if chance() < 0.6 { Law::HertzDamper } else { Law::HuntCrossley };
            let steps = [Oversampling::Auto, Oversampling::Times(1), Oversampling::Times(4)]
                [(3.0 * chance()) as usize];
            ContactSettings {
                law: HuntCrossley {
                    stiffness: 1e5 * 1e4f64.powf(chance()),
                    mu_s_per_m: chance(),
                    alpha: 1.0 + 2.0 * chance(),
                },
                damper_n_s_per_m: 0.1 * 1e5f64.powf(chance()),
                restitution: (chance() < 0.5).then(|| 0.02 + 0.98 * chance()),
                steps_per_sample: steps,
                mass_kg: 1e-4 * 1e5f64.powf(chance()),
                ..ball(kind, 0.0, 1)
            }
        };
        let (first, then) = (any(), any());
        let mut body = Body::new(16, 110.0, 8_000.0, 0.4, 0.0);
        let mut two_way = CoupledSolver::default();
        let mallet = ContactSettings { gravity_m_per_s2: 0.0, ..ball(Law::HuntCrossley, 0.0, 64) };
        two_way.strike(&mut body.ground(), 1, &mallet, 0.02 * 50f64.powf(chance()), 0.0);
        while two_way.is_active() {
            body.advance(&mut two_way, DT_S);
        }
        let height_m = 0.001 * chance();
        two_way.throw(&mut body.ground(), 0, &first, height_m, 1e-4 * 1e4f64.powf(chance()));
        let start_j = energy_j(&two_way, &body.ground());
        let surface_m = body.ground().displacement_m(0);
        let reported = (1500.0 * chance()) as u32;
        for sample in 0..2500 {
            if sample == reported {
                // The changed mass changes the energy of the flying ball.
                two_way
                    .free_mass_mut(0)
                    .set_settings(&ContactSettings { mass_kg: first.mass_kg, ..then });
            }
            let growth_j = body.advance(&mut two_way, DT_S);
            // The initial energy plus the work of the ball's weight on the way down.
            let x_m = two_way.free_mass(0).compression_m();
            let down_m = height_m + x_m + body.ground().displacement_m(0) - surface_m;
            let there_j = start_j + first.mass_kg * 9.81 * down_m.max(0.0);
            let growth = growth_j / there_j;
            worst = worst.max(growth);
            assert!(growth < 1e-12, "{seed}, sample {sample}: {growth:e}\n{first:?}\n{then:?}");
            let share = first.law.prepare().potential_j(x_m) / there_j;
            assert!(
                share < 1.001 || sample >= reported,
                "{seed}, sample {sample}: its spring has {share}\n{first:?}"
            );
        }
        assert!(two_way.is_active(), "{seed}: it is gone");
    }
    println!("largest growth in a step {worst:.1e} of what there is");
}

#[test]
fn without_damping_a_bounce_keeps_all_its_energy() {
    for steps in [2, 4, 32] {
        let (_, change) = after_a_bounce(Law::HuntCrossley, 0.0, steps, 0.002);
        println!("{steps}: {change:.1e}");
        assert!(change.abs() < 1e-12, "{steps} steps: {change:e}");
    }
}

/// A damping that yields a wanted restitution depends on the impact speed. A ball that lands slowly
/// and is then pressed in by its weight exceeds that speed.
#[test]
fn a_heavy_ball_that_touches_slowly_is_borne() {
    const HEIGHT_M: f64 = 1e-6;
    let mut worst = 0.0f64;
    for mass_kg in [0.02, 0.3, 3.3] {
        for (towards_m_per_s, restitution) in
            [1e-4, 1e-3, 1e-2].into_iter().zip([0.2, 0.37, 0.8].into_iter().cycle())
        {
            for alpha in [1.0, 1.5, 2.42, 3.2] {
                let settings = ContactSettings {
                    law: HuntCrossley { stiffness: 1.4e10, mu_s_per_m: 0.0, alpha },
                    restitution: Some(restitution),
                    mass_kg,
                    steps_per_sample: Oversampling::Auto,
                    ..ball(Law::HuntCrossley, 0.0, 1)
                };
                let mut body = Body::new(16, 110.0, 8_000.0, 0.4, 0.0);
                let mut two_way = CoupledSolver::default();
                two_way.throw(&mut body.ground(), 0, &settings, HEIGHT_M, towards_m_per_s);
                let start_j = energy_j(&two_way, &body.ground());
                for _ in 0..10_000 {
                    body.advance(&mut two_way, DT_S);
                    // The spring holds at most the initial energy plus the work of the weight on
                    // the way down.
                    let x_m = two_way.free_mass(0).compression_m();
                    let down_m = HEIGHT_M + x_m + body.ground().displacement_m(0);
                    let share = settings.law.prepare().potential_j(x_m)
                        / (start_j + mass_kg * 9.81 * down_m);
                    worst = worst.max(share);
                    assert!(
                        share < 1.001,
                        "{mass_kg} kg at {towards_m_per_s}, e {restitution}, alpha {alpha}: {share} at {x_m:e} m"
                    );
                }
            }
        }
    }
    println!("its spring has {worst:.4} of all that is there, at most");
}

/// The ball touches at almost no speed, so neither the step size nor the contact time can be
/// predicted from the speed.
#[test]
fn a_ball_that_is_laid_down_comes_to_rest() {
    let mut longest_s = 0.0f64;
    for (mass_kg, stiffness) in [(0.01, 1e6), (0.1, 1e9), (1.0, 1e7), (10.0, 1e11)] {
        for alpha in [1.0, 1.5, 2.5] {
            for towards_m_per_s in [0.0, 1e-9, 1e-3] {
                let settings = ContactSettings {
                    law: HuntCrossley { stiffness, mu_s_per_m: 0.0, alpha },
                    restitution: Some(0.5),
                    mass_kg,
                    steps_per_sample: Oversampling::Auto,
                    ..ball(Law::HuntCrossley, 0.0, 1)
                };
                let mut body = Body::new(16, 110.0, 8_000.0, 0.4, 0.05);
                let mut two_way = CoupledSolver::default();
                two_way.throw(&mut body.ground(), 0, &settings, 0.0, towards_m_per_s);
                let samples = (0..96_000).take_while(|_| {
                    body.advance(&mut two_way, DT_S);
                    !two_way.free_mass(0).is_resting()
                });
                longest_s = longest_s.max(samples.count() as f64 * DT_S);
                assert!(
                    two_way.free_mass(0).is_resting(),
                    "{mass_kg} kg, k {stiffness:e}, alpha {alpha}, {towards_m_per_s} m/s: it does not rest"
                );
            }
        }
    }
    println!("all rest after {longest_s:.2} s");
}
