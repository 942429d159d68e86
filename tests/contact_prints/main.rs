//! Contacts by their numbers: what each part makes of a spread of inputs (see `support/prints.rs`).

#![cfg(feature = "cli")]

mod ground;
mod laws;
#[path = "../support/prints.rs"]
mod prints;
mod restitution;
mod strikers;
mod touches;
mod two_way;

use ictus::contact::{ContactSettings, DamperFit, Dent, HuntCrossley, Integrator, Law, Oversampling, Release};

fn names(what: &str, count: usize) -> Vec<String> {
    (0..count).map(|seed| format!("{what} {seed}")).collect()
}

/// Evenly from 0 up to 1, another for each seed and place.
fn chance(seed: usize, place: usize) -> f64 {
    (0.618_033_988_749_895 * (seed + 1) as f64 + 0.414_213_562_373_095 * (7 * place + 1) as f64).fract()
}

/// Settings of every law, integrator and correction.
fn settings(seed: usize) -> ContactSettings {
    let kind = if seed % 3 == 2 { Law::HertzDamper } else { Law::HuntCrossley };
    ContactSettings {
        kind,
        law: HuntCrossley {
            stiffness: 10f64.powf(5.0 + 4.0 * chance(seed, 0)),
            mu_s_per_m: [0.5, 0.0, 0.05, 3.0][seed % 4],
            alpha: [1.5, 2.5, 1.0, 1.7, 2.0, 3.5, 3.0][seed % 7],
        },
        damper_n_s_per_m: 100.0 * chance(seed, 1),
        restitution: (seed % 5 == 4).then_some(0.1 + 0.85 * chance(seed, 2)),
        fit: if seed % 2 == 0 { DamperFit::Exact } else { DamperFit::ClosedForm },
        dent: if seed % 4 < 2 { Dent::Recovers } else { Dent::Stays },
        mass_kg: 10f64.powf(-3.0 + 2.0 * chance(seed, 3)),
        integrator: Integrator::ALL[seed % 6],
        hybrid: seed / 6 % 2 == 0,
        release: [Release::Exact, Release::Approximate, Release::Free][seed / 12 % 3],
        steps_per_sample: [Oversampling::Auto, Oversampling::Times(4), Oversampling::Auto][seed / 3 % 3],
        gravity_m_per_s2: [0.0, 9.81, 100.0][seed / 5 % 3],
        ..ContactSettings::default()
    }
}

fn flag(is: bool) -> f64 {
    f64::from(u8::from(is))
}
