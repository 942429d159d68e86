//! Work for the instruction counter: nothing but the inner loops, repeated.

use std::hint::black_box;

use anyhow::{Result, anyhow, bail};

use super::paper::{CASE_1, CASE_2, Case, RATE_HZ, SAFE};
use super::runs::{corrected, plain};
use crate::contact::closed_form::Curve;
use crate::contact::integrator::{self, ContactMotion, Medium};
use crate::contact::{ContactSettings, Integrator, Oversampling, Release, Striker, Wall};

const DT_S: f64 = 1.0 / RATE_HZ;
const GRAVITY_M_PER_S2: f64 = 9.81;

/// Samples of one flight.
pub const FLIGHT_SAMPLES: u32 = 2_000;

/// A contact long enough that its two ends do not count, with a general and a cheap exponent.
pub fn long_contact(alpha: f64) -> Case {
    let mut case = SAFE;
    case.law.alpha = alpha;
    case
}

/// The integrator of a name.
fn integrator(name: &str) -> Result<Integrator> {
    Ok(match name {
        "am1" => Integrator::Am1,
        "verlet" => Integrator::Verlet,
        "heun" => Integrator::Heun,
        "rk4" => Integrator::Rk4,
        "exact" => Integrator::Exact,
        "passive" => Integrator::Passive,
        _ => bail!("no integrator {name}"),
    })
}

/// The settings that `verlet+hybrid+exact` and the like stand for.
fn settings(case: &Case, name: &str) -> Result<ContactSettings> {
    let mut parts = name.split('+');
    let method = integrator(parts.next().unwrap_or_default())?;
    let mut settings = ContactSettings {
        // One step per sample for all: what is counted is a step.
        steps_per_sample: Oversampling::Times(1),
        ..plain(case, method)
    };
    for part in parts {
        match part {
            "hybrid" => settings.hybrid = true,
            "approx" => settings.release = Release::Approximate,
            "exact" => settings.release = Release::Exact,
            _ => bail!("no correction {part}"),
        }
    }
    Ok(settings)
}

/// Samples in one contact of `settings`.
pub fn contact(case: &Case, settings: &ContactSettings) -> u32 {
    let mut striker = Striker::new();
    let mut wall = Wall::default();
    let mut samples = 0;
    striker.strike(settings, case.v_in_m_per_s, 0.0);
    while striker.is_active() {
        striker.advance(DT_S, &mut wall);
        samples += 1;
    }
    black_box(wall);
    samples
}

/// A flight of our own.
fn flight(settings: &ContactSettings) {
    let mut striker = Striker::new();
    let mut wall = Wall::default();
    striker.strike(settings, 1.0, 1.0);
    for _ in 0..FLIGHT_SAMPLES {
        striker.advance(DT_S, &mut wall);
    }
    black_box(wall);
}

/// Flight and contact as the paper runs them: the integrator at every sample, gravity while out of
/// contact, contact whenever a sample finds itself inside. Stops after `samples`.
fn unbroken(case: &Case, integrator: Integrator, height_m: f64, samples: u32) {
    let medium = Medium {
        spring: case.law.prepare(),
        mass_kg: super::paper::MASS_KG,
        gravity_m_per_s2: 0.0,
        curve: Curve::new(&case.law, super::paper::MASS_KG, case.v_in_m_per_s),
    };
    let mut motion = ContactMotion { x_m: -height_m, ..ContactMotion::default() };
    for _ in 0..samples {
        let flying = motion.x_m <= 0.0;
        motion = integrator::step(integrator, &medium, &motion, DT_S);
        if flying {
            motion.v_m_per_s += GRAVITY_M_PER_S2 * DT_S;
            motion.x_m += 0.5 * GRAVITY_M_PER_S2 * DT_S * DT_S;
        }
    }
    black_box(motion);
}

/// Samples of the bounce train: a second of case 2, dropped so that it lands with the case's speed.
pub const TRAIN_SAMPLES: u32 = 44_100;

fn train(settings: &ContactSettings) {
    let settings = ContactSettings {
        gravity_m_per_s2: GRAVITY_M_PER_S2,
        steps_per_sample: Oversampling::Auto,
        ..*settings
    };
    let mut striker = Striker::new();
    let mut wall = Wall::default();
    striker.throw(&settings, 0.05, 0.0);
    for _ in 0..TRAIN_SAMPLES {
        striker.advance(DT_S, &mut wall);
    }
    black_box(wall);
}

/// Carry out one workload, `repeat` times.
pub fn run(name: &str, repeat: u32) -> Result<()> {
    let (kind, what) = name.split_once(':').ok_or_else(|| anyhow!("no workload {name}"))?;
    for _ in 0..repeat {
        match kind {
            "contact" => {
                let case = long_contact(1.3);
                black_box(contact(&case, &settings(&case, what)?));
            }
            "hertz" => {
                let case = long_contact(1.5);
                black_box(contact(&case, &settings(&case, what)?));
            }
            "flight" => flight(&corrected(&CASE_1, integrator(what)?, Release::Exact)),
            "unbroken-flight" => unbroken(&CASE_2, integrator(what)?, 1e3, FLIGHT_SAMPLES),
            "train" => train(&settings(&CASE_2, what)?),
            "unbroken-train" => unbroken(&CASE_2, integrator(what)?, 0.05, TRAIN_SAMPLES),
            _ => bail!("no workload {name}"),
        }
    }
    Ok(())
}

/// Samples that one repetition of a `contact` or `hertz` workload takes.
pub fn contact_samples(name: &str) -> Result<u32> {
    let (kind, what) = name.split_once(':').ok_or_else(|| anyhow!("no workload {name}"))?;
    let case = long_contact(if kind == "hertz" { 1.5 } else { 1.3 });
    Ok(contact(&case, &settings(&case, what)?))
}
