//! A chain of balls passes an impact on, conserves momentum and never gains energy.

use ictus::contact::restitution::{self, damping_unit_n_s_per_m, grid};
use ictus::contact::{DamperFit, Law, release};
use ictus::rigid_body::chain::{Chain, ChainDamping, ChainSettings, MAX_BALLS};

const RATE_HZ: f64 = 48_000.0;

/// Final speeds, the largest relative gain of energy in a sample, and the drift of momentum.
fn run(
    settings: &ChainSettings,
    count: usize,
    v: f64,
    rate_hz: f64,
    seconds: f64,
) -> (Vec<f64>, f64, f64) {
    let mut chain = Chain::new(settings);
    chain.launch(count, 1e-3, v);
    let (energy, momentum) = (chain.energy_j(), chain.momentum_ns());
    let (mut last, mut gain, mut drift) = (energy, 0.0f64, 0.0f64);
    for _ in 0..(seconds * rate_hz) as usize {
        let forces = chain.advance(1.0 / rate_hz);
        assert!(forces.iter().all(|&force| force >= 0.0 && force.is_finite()));
        gain = gain.max((chain.energy_j() - last) / energy);
        last = chain.energy_j();
        drift = drift.max((chain.momentum_ns() - momentum).abs() / momentum);
    }
    assert!(!chain.is_unsettled(), "{settings:?}");
    (chain.balls().iter().map(|ball| ball.v_m_per_s).collect(), gain, drift)
}

const LAWS: [Law; 2] = [Law::HuntCrossley, Law::HertzDamper];

fn by_restitution(e: f64) -> ChainDamping {
    ChainDamping::Restitution(e, DamperFit::Exact)
}

fn ideal() -> ChainSettings {
    ChainSettings { damping: by_restitution(1.0), ..ChainSettings::default() }
}

#[test]
fn as_many_leave_as_come() {
    for (law, count) in LAWS.into_iter().flat_map(|law| (1..=4).map(move |count| (law, count))) {
        let (speeds, gain, drift) =
            run(&ChainSettings { law, ..ideal() }, count, 1.0, RATE_HZ, 0.01);
        for (j, &v) in speeds.iter().enumerate() {
            let expected = if j >= 5 - count { 1.0 } else { 0.0 };
            assert!((v - expected).abs() < 1e-9, "{count} in: {speeds:?}");
        }
        assert!(gain < 1e-13 && drift < 1e-13, "{gain:e} {drift:e}");
    }
}

#[test]
fn a_touching_chain_spreads_the_impact() {
    // An instantaneous model ejects the last ball alone; a chain of Hertz springs does not.
    let settings = ChainSettings { gap_m: 0.0, ..ideal() };
    let (speeds, gain, drift) = run(&settings, 1, 1.0, RATE_HZ, 0.02);
    assert!(speeds[..3].iter().all(|&v| v < 0.0), "the first three fall back: {speeds:?}");
    assert!(gain < 1e-13 && drift < 1e-13, "{gain:e} {drift:e}");
    // Against steps a twentieth as long.
    let (fine, ..) = run(&settings, 1, 1.0, 5e6, 0.003);
    println!("{speeds:?} against {fine:?}");
    for (a, b) in speeds.iter().zip(&fine) {
        assert!((a - b).abs() < 3e-3, "{speeds:?} {fine:?}");
    }
}

/// Restitution of the single contact of two balls, in samples of 48 kHz or `finer` ones.
fn rebound(settings: &ChainSettings, v: f64, finer: f64) -> f64 {
    let (speeds, gain, drift) =
        run(&ChainSettings { balls: 2, ..*settings }, 1, v, finer * RATE_HZ, 0.01 + 2e-3 / v);
    assert!(gain < 1e-13 && drift < 1e-13, "{gain:e} {drift:e}");
    (speeds[1] - speeds[0]) / v
}

#[test]
fn restitution_is_what_was_asked_for() {
    for law in LAWS {
        let (mut coarse, mut fine) = (0.0f64, 0.0f64);
        for e in [0.05, 0.2, 0.5, 0.8, 0.9, 0.99, 1.0] {
            for alpha in [1.0, 1.5, 2.5] {
                let settings = ChainSettings {
                    law,
                    alpha,
                    damping: by_restitution(e),
                    ..ChainSettings::default()
                };
                for v in [0.1, 1.0, 5.0] {
                    coarse = coarse.max((rebound(&settings, v, 1.0) - e).abs());
                    fine = fine.max((rebound(&settings, v, 32.0) - e).abs());
                }
            }
        }
        println!("{law:?}: up to {coarse:.1e} off at 48 kHz, {fine:.1e} at 32 times that");
        assert!(coarse < 2e-3 && fine < 2e-3, "{law:?}: {coarse} {fine}");
    }
}

#[test]
fn fixed_damping_gives_back_what_the_law_says() {
    for v in [0.1, 0.5, 2.0] {
        let mu = 0.7;
        let by_mu = ChainSettings { damping: ChainDamping::Fixed(mu), ..ChainSettings::default() };
        let expected = release::exact(mu * v).restitution;
        let got = rebound(&by_mu, v, 1.0);
        println!("mu {mu}, v {v}: {got} of {expected}");
        assert!((got - expected).abs() < 2e-3, "{v}: {got} {expected}");
        let c = 600.0;
        let by_c = ChainSettings {
            law: Law::HertzDamper,
            damping: ChainDamping::Fixed(c),
            ..ChainSettings::default()
        };
        let unit = damping_unit_n_s_per_m(by_c.stiffness, by_c.alpha, 0.5 * by_c.mass_kg, v);
        let expected = restitution::rebound::solve(c / unit, by_c.alpha, 1e-12).e;
        assert!((grid::restitution(c / unit, by_c.alpha) - expected).abs() < 1e-6);
        let got = rebound(&by_c, v, 1.0);
        println!("c {c}, v {v}: {got} of {expected}");
        assert!((got - expected).abs() < 5e-3, "{v}: {got} {expected}");
    }
}

#[test]
fn the_table_reads_both_ways() {
    for n in [1.0, 1.3, 1.5, 2.0, 2.7, 3.5] {
        for e in [1.1e-4, 1e-3, 0.03, 0.2, 0.5, 0.8, 0.95, 0.999, 1.0 - 1e-9] {
            let back = grid::restitution(grid::damping(e, n), n);
            assert!((back - e).abs() < 1e-9, "n {n}: {e} came back as {back}");
        }
    }
    assert_eq!(grid::restitution(0.0, 1.5), 1.0);
    assert_eq!(grid::restitution(f64::INFINITY, 1.5), restitution::LOWEST_E);
}

#[test]
fn a_touching_chain_loses_what_its_contacts_lose() {
    for law in LAWS {
        let left = [1.0, 0.8, 0.4].map(|e| {
            let settings = ChainSettings {
                law,
                gap_m: 0.0,
                damping: by_restitution(e),
                ..ChainSettings::default()
            };
            let (speeds, ..) = run(&settings, 1, 1.0, RATE_HZ, 0.02);
            speeds.iter().map(|v| v * v).sum::<f64>()
        });
        println!("{law:?}: {left:?} of the energy is left");
        assert!(
            (left[0] - 1.0).abs() < 1e-9 && left[1] < 0.9 * left[0] && left[2] < 0.8 * left[1],
            "{law:?} {left:?}"
        );
    }
}

#[test]
fn the_sample_rate_does_not_matter() {
    let settings = ChainSettings {
        balls: 6,
        damping: by_restitution(0.9),
        gap_m: 2e-5,
        ..ChainSettings::default()
    };
    let (reference, ..) = run(&settings, 1, 1.0, 192_000.0, 0.02);
    for rate_hz in [44_100.0, 48_000.0, 96_000.0] {
        let (speeds, ..) = run(&settings, 1, 1.0, rate_hz, 0.02);
        for (a, b) in speeds.iter().zip(&reference) {
            assert!((a - b).abs() < 5e-3, "{rate_hz}: {speeds:?} {reference:?}");
        }
    }
}

#[test]
fn no_chain_gains_energy() {
    let uneven = std::array::from_fn(|ball| 1.0 + 0.3 * (ball as f64 * 2.4).sin());
    for law in LAWS {
        for balls in 2..=MAX_BALLS {
            let coefficient = if law == Law::HuntCrossley { 1.0 } else { 2000.0 };
            let dampings = [0.1, 0.7, 0.95, 1.0]
                .map(by_restitution)
                .into_iter()
                .chain([ChainDamping::Fixed(coefficient)]);
            for damping in dampings {
                for (gap_m, sizes) in [(0.0, [1.0; MAX_BALLS]), (1e-5, uneven), (1e-3, uneven)] {
                    let settings = ChainSettings {
                        balls,
                        law,
                        damping,
                        gap_m,
                        sizes,
                        ..ChainSettings::default()
                    };
                    let (speeds, gain, drift) = run(&settings, 1 + balls / 3, 2.0, RATE_HZ, 0.01);
                    assert!(gain < 1e-12 && drift < 1e-12, "{settings:?}: {gain:e} {drift:e}");
                    assert!(speeds.iter().all(|v| v.is_finite()));
                }
            }
        }
    }
}

#[test]
fn a_cradle_swings_to_and_fro() {
    let settings = ChainSettings { string_m: Some(0.1), ..ideal() };
    let mut chain = Chain::new(&settings);
    chain.launch(1, 0.03, 0.0);
    let energy = chain.energy_j();
    let half_period_s = std::f64::consts::PI * (0.1f64 / 9.81).sqrt();
    // A quarter swing down, the impact, a quarter swing up: the last ball is out and all others
    // hang still.
    for _ in 0..(half_period_s * RATE_HZ) as usize {
        chain.advance(1.0 / RATE_HZ);
    }
    let balls = chain.balls();
    assert!((balls[4].u_m - 0.03).abs() < 1e-3, "{balls:?}");
    assert!(balls[..4].iter().all(|ball| ball.u_m.abs() < 1e-3), "{balls:?}");
    for _ in 0..(4.0 * half_period_s * RATE_HZ) as usize {
        chain.advance(1.0 / RATE_HZ);
        assert!(chain.energy_j() <= energy * (1.0 + 1e-12));
    }
    assert!((chain.energy_j() / energy - 1.0).abs() < 1e-9);
}

#[test]
fn invalid_numbers_are_replaced() {
    let odd = f64::NAN;
    let settings = ChainSettings {
        balls: 1000,
        mass_kg: odd,
        stiffness: f64::INFINITY,
        alpha: odd,
        sizes: [odd; MAX_BALLS],
        law: Law::HertzDamper,
        damping: ChainDamping::Fixed(odd),
        gap_m: odd,
        string_m: Some(odd),
        gravity_m_per_s2: odd,
    };
    let mut chain = Chain::new(&settings);
    chain.launch(usize::MAX, odd, f64::INFINITY);
    for _ in 0..100 {
        chain.advance(1.0 / RATE_HZ);
    }
    assert!(chain.energy_j().is_finite());
    assert_eq!(chain.balls().len(), MAX_BALLS);
}
