//! A row of balls passes a blow on, keeps its momentum, and never gains energy.

use ictus::contact::{DamperFit, Law};
use ictus::rigid::chain::{Chain, Damping, MOST_BALLS, Settings};

const RATE_HZ: f64 = 48_000.0;

/// Speeds once it is over, with the largest relative gain of energy in a sample and drift of momentum on the way.
fn run(settings: &Settings, count: usize, v: f64, rate_hz: f64, seconds: f64) -> (Vec<f64>, f64, f64) {
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

fn by_restitution(e: f64) -> Damping {
    Damping::Restitution(e, DamperFit::Exact)
}

fn ideal() -> Settings {
    Settings { damping: by_restitution(1.0), ..Settings::default() }
}

#[test]
fn as_many_leave_as_come() {
    for count in 1..=4 {
        let (speeds, gain, drift) = run(&ideal(), count, 1.0, RATE_HZ, 0.01);
        for (j, &v) in speeds.iter().enumerate() {
            let expected = if j >= 5 - count { 1.0 } else { 0.0 };
            assert!((v - expected).abs() < 1e-9, "{count} in: {speeds:?}");
        }
        assert!(gain < 1e-13 && drift < 1e-13, "{gain:e} {drift:e}");
    }
}

#[test]
fn a_touching_row_spreads_the_blow() {
    // A model of one instant sends the last ball alone; a row of Hertz springs does not.
    let settings = Settings { gap_m: 0.0, ..ideal() };
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

#[test]
fn restitution_is_what_was_asked_for() {
    for e in [0.2, 0.5, 0.9] {
        let settings = Settings { balls: 2, damping: by_restitution(e), ..Settings::default() };
        let (speeds, gain, drift) = run(&settings, 1, 1.0, RATE_HZ, 0.01);
        assert!((speeds[1] - speeds[0] - e).abs() < 5e-3, "{e}: {speeds:?}");
        assert!(gain < 1e-13 && drift < 1e-13);
    }
}

#[test]
fn the_sample_rate_does_not_matter() {
    let settings = Settings { balls: 6, damping: by_restitution(0.9), gap_m: 2e-5, ..Settings::default() };
    let (reference, ..) = run(&settings, 1, 1.0, 192_000.0, 0.02);
    for rate_hz in [44_100.0, 48_000.0, 96_000.0] {
        let (speeds, ..) = run(&settings, 1, 1.0, rate_hz, 0.02);
        for (a, b) in speeds.iter().zip(&reference) {
            assert!((a - b).abs() < 5e-3, "{rate_hz}: {speeds:?} {reference:?}");
        }
    }
}

#[test]
fn no_row_gains_energy() {
    for balls in 2..=MOST_BALLS {
        for e in [0.1, 0.7, 0.95, 1.0] {
            for gap_m in [0.0, 1e-5, 1e-3] {
                let settings = Settings { balls, damping: by_restitution(e), gap_m, ..Settings::default() };
                let (speeds, gain, drift) = run(&settings, 1 + balls / 3, 2.0, RATE_HZ, 0.01);
                assert!(gain < 1e-12 && drift < 1e-12, "{settings:?}: {gain:e} {drift:e}");
                assert!(speeds.iter().all(|v| v.is_finite()));
            }
        }
    }
}

#[test]
fn a_cradle_swings_to_and_fro() {
    let settings = Settings { string_m: Some(0.1), ..ideal() };
    let mut chain = Chain::new(&settings);
    chain.launch(1, 0.03, 0.0);
    let energy = chain.energy_j();
    let half_period_s = std::f64::consts::PI * (0.1f64 / 9.81).sqrt();
    // A quarter down, the blow, a quarter up: the last ball is out and all others hang still.
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
fn odd_numbers_are_taken_for_even_ones() {
    let odd = f64::NAN;
    let settings = Settings {
        balls: 1000,
        mass_kg: odd,
        stiffness: f64::INFINITY,
        alpha: odd,
        sizes: [odd; MOST_BALLS],
        law: Law::HertzDamper,
        damping: Damping::Fixed(odd),
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
    assert_eq!(chain.balls().len(), MOST_BALLS);
}
