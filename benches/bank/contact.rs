//! One contact of a mass with a wall, with each integrator.

use std::hint::black_box;

use ictus::contact::{ContactSettings, Integrator, Striker, Wall};

use crate::RATE_HZ;

/// Prints the cost of a contact with each integrator.
pub fn print() {
    println!("\n### A contact, by integrator\n");
    let wall = ContactSettings::default();
    let length_ms = 1e3 * contact(&wall).time_s;
    println!(
        "10 g at 1 m/s against a wall (k 1e7, alpha 1.5, mu 0.5), {length_ms:.2} ms at {RATE_HZ} Hz.\n"
    );
    println!("| integrator | us per contact | ns per sample of it |\n|---|---|---|");
    for integrator in Integrator::ALL {
        let settings = ContactSettings { integrator, ..wall };
        let samples = contact(&settings).time_s * RATE_HZ;
        let ns = crate::shortest(|| {
            black_box(contact(&settings));
        });
        println!("| {integrator:?} | {:.2} | {:.0} |", 1e-3 * ns, ns / samples);
    }
}

/// One contact from its onset to the end of its last sample.
fn contact(settings: &ContactSettings) -> Wall {
    let mut wall = Wall::default();
    let mut striker = Striker::new();
    striker.strike(black_box(settings), 1.0, 0.3 / RATE_HZ);
    while striker.contacts() == 0 || striker.is_in_contact() {
        striker.advance(1.0 / RATE_HZ, &mut wall);
    }
    wall
}
