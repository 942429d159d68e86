//! Chains of balls.

use ictus::contact::{DamperFit, Law};
use ictus::random::Random;
use ictus::rigid_body::chain::{Chain, ChainDamping, ChainSettings as Row};

fn row(seed: usize) -> Row {
    let mut chance = Random::new(seed as u64);
    let law = if seed.is_multiple_of(2) { Law::HuntCrossley } else { Law::HertzDamper };
    let fit = if seed.is_multiple_of(3) { DamperFit::ClosedForm } else { DamperFit::Exact };
    let fixed = if seed.is_multiple_of(2) { 0.2 } else { 40.0 };
    let damping = if seed % 4 < 2 {
        ChainDamping::Restitution([0.9, 0.5][seed / 4 % 2], fit)
    } else {
        ChainDamping::Fixed(fixed)
    };
    let mut row = Row { balls: [2, 3, 5, 8][seed / 8 % 4], law, damping, ..Row::default() };
    row.alpha = [1.5, 1.0, 2.2][seed % 3];
    row.stiffness = 1e8;
    row.gap_m = [1e-4, 0.0, 1e-6][seed / 2 % 3];
    row.string_m = (seed % 5 == 1).then_some(0.2);
    if seed % 3 == 1 {
        row.sizes = std::array::from_fn(|_| chance.between(0.6, 1.6));
    }
    row
}

#[test]
fn rows() {
    crate::number_snapshots::check("rigid_rows.txt", &super::names("row", 48), |seed, nudge| {
        let row = row(seed);
        let mut chain = Chain::new(&row);
        chain.launch(
            1 + seed % 2,
            [1e-4, 3e-4][seed / 3 % 2],
            [2.0, 0.3][seed % 2] * (1.0 + nudge),
        );
        let mut numbers = vec![chain.step_s() * 1e6, chain.energy_j(), chain.momentum_ns()];
        for time_s in [5e-5, 5e-5, 5e-5, 1e-4, 2e-4, 4e-4] {
            numbers.extend([
                f64::from(chain.target_substeps(time_s)),
                chain.busy_contacts(time_s) as f64,
            ]);
            numbers.extend(&chain.advance(time_s)[..row.balls - 1]);
            numbers.extend(&chain.forces_n()[..row.balls - 1]);
            numbers.extend(chain.balls().iter().flat_map(|ball| [1e3 * ball.u_m, ball.v_m_per_s]));
            numbers.extend([chain.energy_j(), chain.momentum_ns(), f64::from(chain.pushing())]);
            numbers.extend((0..row.balls - 1).map(|i| 1e3 * chain.compression_m(i)));
            numbers.extend((0..row.balls - 1).map(|i| chain.approach_m_per_s(i)));
            numbers.extend((0..row.balls - 1).map(|i| chain.reduced_kg(i)));
            numbers.push(f64::from(u8::from(chain.is_unsettled())));
        }
        chain.fly(1e-3, 3);
        numbers.extend(chain.balls().iter().flat_map(|ball| [ball.u_m, ball.v_m_per_s]));
        numbers
    });
}

/// Steps so long that an impact passes through several contacts in one of them.
#[test]
fn rows_in_long_steps() {
    crate::number_snapshots::check(
        "rigid_rows_in_long_steps.txt",
        &super::names("row", 48),
        |seed, nudge| {
            let mut row = row(seed);
            row.balls = 3 + seed % 6;
            let mut chain = Chain::new(&row);
            chain.launch(
                1 + seed % 3,
                [0.0, 1e-4][seed % 2],
                [3.0, 0.4, 0.02][seed / 2 % 3] * (1.0 + nudge),
            );
            let mut numbers = Vec::new();
            for _ in 0..8 {
                chain.step([2e-5, 1e-4, 5e-4][seed / 6 % 3]);
                numbers.extend(&chain.forces_n()[..row.balls - 1]);
                numbers
                    .extend(chain.balls().iter().flat_map(|ball| [1e3 * ball.u_m, ball.v_m_per_s]));
                numbers.extend([
                    f64::from(chain.pushing()),
                    f64::from(u8::from(chain.is_unsettled())),
                ]);
            }
            numbers
        },
    );
}
