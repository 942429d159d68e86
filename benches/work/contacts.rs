//! Contacts of a mass with a wall, with each integrator.

use std::hint::black_box;

use ictus::contact::{ContactSettings, Integrator, Striker, Wall};
use ictus_bench::RATE_HZ;

use crate::Work;

/// Number of contacts, each with a different onset in its sample.
const CONTACTS: u32 = 100;
/// Samples of each contact and some flight.
const SAMPLES: usize = 100;

fn name(integrator: Integrator) -> String {
    format!("contact {integrator:?}")
}

/// Names of the work in this file.
pub fn names() -> Vec<String> {
    Integrator::ALL.map(name).to_vec()
}

/// Sets up the work with this name.
pub fn set_up(wanted: &str) -> Work {
    let integrator = Integrator::ALL
        .into_iter()
        .find(|integrator| name(*integrator) == wanted)
        .expect("an integrator");
    let settings = ContactSettings { integrator, ..ContactSettings::default() };
    Box::new(move || {
        let mut wall = Wall::default();
        for n in 0..CONTACTS {
            let mut striker = Striker::new();
            striker.strike(&settings, 1.0, f64::from(n) / f64::from(CONTACTS) / RATE_HZ);
            for _ in 0..SAMPLES {
                striker.advance(1.0 / RATE_HZ, &mut wall);
            }
        }
        black_box(wall);
    })
}
