//! Number snapshots of contacts over random inputs (see `support/number_snapshots.rs`).

mod ground;
mod laws;
mod restitution;
mod strikers;
mod touches;
mod two_way;

use ictus::contact::{
    ContactSettings, DamperFit, Dent, HuntCrossley, Integrator, Law, Oversampling, Release,
};

fn names(what: &str, count: usize) -> Vec<String> {
    (0..count).map(|seed| format!("{what} {seed}")).collect()
}

/// A uniform number in [0, 1) for each seed and place (SplitMix64).
fn chance(seed: usize, place: usize) -> f64 {
    let mut z = (seed as u64 * 64 + place as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
}

/// Picks one item at random.
fn pick<T: Copy>(seed: usize, place: usize, of: &[T]) -> T {
    of[(chance(seed, place) * of.len() as f64) as usize]
}

/// Random settings that cover every law, integrator and correction.
fn settings(seed: usize) -> ContactSettings {
    ContactSettings {
        kind: pick(seed, 10, &[Law::HuntCrossley, Law::HuntCrossley, Law::HertzDamper]),
        law: HuntCrossley {
            stiffness: 10f64.powf(5.0 + 4.0 * chance(seed, 0)),
            mu_s_per_m: pick(seed, 11, &[0.5, 0.0, 0.05, 3.0]),
            alpha: pick(seed, 12, &[1.5, 1.5, 2.5, 1.0, 1.7, 2.0, 3.5, 3.0]),
        },
        damper_n_s_per_m: 100.0 * chance(seed, 1),
        restitution: pick(seed, 13, &[None, None, Some(0.1 + 0.85 * chance(seed, 2))]),
        fit: pick(seed, 14, &[DamperFit::Exact, DamperFit::ClosedForm]),
        dent: pick(seed, 15, &[Dent::Recovers, Dent::Stays]),
        mass_kg: 10f64.powf(-3.0 + 2.0 * chance(seed, 3)),
        // All integrators equally often.
        integrator: Integrator::ALL[seed % 6],
        hybrid: pick(seed, 16, &[true, false]),
        release: pick(seed, 17, &[Release::Exact, Release::Approximate, Release::Free]),
        steps_per_sample: pick(
            seed,
            18,
            &[Oversampling::Auto, Oversampling::Auto, Oversampling::Times(3)],
        ),
        gravity_m_per_s2: pick(seed, 19, &[0.0, 9.81, 100.0]),
        ..ContactSettings::default()
    }
}

fn flag(is: bool) -> f64 {
    f64::from(u8::from(is))
}
