//! A row of balls passes a blow on, keeps its momentum, and never gains energy.

use ictus::rigid::chain::{Chain, Settings};

const RATE_HZ: f64 = 48_000.0;

/// Speeds once all contacts are over, with the largest relative gain of energy and drift of momentum on the way.
fn run(settings: &Settings, count: usize, v: f64, seconds: f64) -> (Vec<f64>, f64, f64) {
    let mut chain = Chain::new(settings);
    chain.launch(count, 1e-3, v);
    let (energy, momentum) = (chain.energy_j(), chain.momentum_ns());
    let (mut last, mut gain, mut drift) = (energy, 0.0f64, 0.0f64);
    for _ in 0..(seconds * RATE_HZ) as usize {
        let forces = chain.advance(1.0 / RATE_HZ);
        assert!(forces.iter().all(|&force| force >= 0.0 && force.is_finite()));
        gain = gain.max((chain.energy_j() - last) / energy);
        last = chain.energy_j();
        drift = drift.max((chain.momentum_ns() - momentum).abs() / momentum);
    }
    assert!(!chain.is_unsettled());
    (chain.balls().iter().map(|ball| ball.v_m_per_s).collect(), gain, drift)
}

#[test]
fn a_cradle_of_five_sends_only_the_last_ball() {
    let settings = Settings { restitution: 1.0, ..Settings::default() };
    let (speeds, gain, drift) = run(&settings, 1, 1.0, 0.01);
    println!("{speeds:?} {gain:e} {drift:e}");
    assert!((speeds[4] - 1.0).abs() < 1e-6, "{speeds:?}");
    assert!(speeds[..4].iter().all(|v| v.abs() < 1e-6), "{speeds:?}");
    assert!(gain < 1e-13 && drift < 1e-13, "{gain:e} {drift:e}");
    for touching in [0.0, 1e-5] {
        let (speeds, gain, drift) = run(&Settings { gap_m: touching, ..settings }, 1, 1.0, 0.01);
        println!("gap {touching}: {speeds:?} {gain:e} {drift:e}");
    }
}

#[test]
fn two_in_two_out() {
    let settings = Settings { restitution: 1.0, ..Settings::default() };
    let (speeds, gain, drift) = run(&settings, 2, 1.0, 0.01);
    println!("{speeds:?} {gain:e} {drift:e}");
}
