//! Table IV in instructions, counted by callgrind.
//!
//! The program runs itself under the counter with a workload that is repeated n and 2n times. The
//! difference is the cost of the workload without the start.

use std::hint::black_box;
use std::process::Command;

use anyhow::{Context, Result, anyhow, bail};

use super::paper::{
    CASE_1, CASE_2, Case, HYBRID_OPERATIONS, MASS_KG, OPERATIONS, RATE_HZ, SAFE, corrected, plain,
};
use crate::contact::closed_form::Curve;
use crate::contact::integrator::{self, ContactMotion, Medium};
use crate::contact::{ContactSettings, Integrator, Oversampling, Release, Striker, Wall};

fn instructions(workload: &str, repeat: u32) -> Result<f64> {
    let program = std::env::current_exe()?;
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(program)
        .args(["study", "--workload", workload, "--repeat", &repeat.to_string()])
        .output()?;
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    let count = text
        .lines()
        .find_map(|line| line.split_once("Collected :"))
        .and_then(|(_, number)| number.trim().parse().ok())
        .with_context(|| format!("callgrind counted nothing for {workload}: {text}"))?;
    Ok(count)
}

fn per_sample(workload: &str, repeat: u32, samples: u32) -> Result<f64> {
    let once = instructions(workload, repeat)?;
    let twice = instructions(workload, 2 * repeat)?;
    Ok((twice - once) / (f64::from(repeat) * f64::from(samples)))
}

/// Prints the cost table, or why it cannot be measured.
pub fn print() -> Result<()> {
    println!("\nTable IV in instructions per sample");
    if Command::new("valgrind").arg("--version").output().is_err() {
        println!("not measured: valgrind is not installed");
        return Ok(());
    }
    println!("{:>28} {:>18} {:>12} {:>12}", "in contact", "operations", "alpha 1.3", "alpha 1.5");
    let [am1, verlet, heun, rk4] = OPERATIONS;
    for (method, operations) in [
        ("am1", am1),
        ("verlet", verlet),
        ("heun", heun),
        ("rk4", rk4),
        ("am1+hybrid+approx", am1 + HYBRID_OPERATIONS),
        ("verlet+hybrid+approx", verlet + HYBRID_OPERATIONS),
        ("heun+hybrid+approx", heun + HYBRID_OPERATIONS),
        ("rk4+hybrid+approx", rk4 + HYBRID_OPERATIONS),
        ("verlet+exact", verlet),
        ("verlet+hybrid", verlet + HYBRID_OPERATIONS),
        ("verlet+hybrid+exact", verlet + HYBRID_OPERATIONS),
        ("exact", 0),
        ("exact+hybrid+exact", 0),
        ("passive", 0),
    ] {
        let operations = if operations == 0 { String::new() } else { operations.to_string() };
        let mut row = format!("{method:>28} {operations:>18}");
        for kind in ["contact", "hertz"] {
            let workload = format!("{kind}:{method}");
            let count = per_sample(&workload, 1, contact_samples(&workload)?)?;
            row += &format!(" {count:>12.0}");
        }
        println!("{row}");
    }
    println!("(one step per sample; operations with reads and writes, AM1 with two Newton steps)");
    println!("\n{:>28} {:>18} {:>12}", "in flight", "operations", "instructions");
    let ours = per_sample("flight:verlet", 20, FLIGHT_SAMPLES)?;
    println!("{:>28} {:>18} {ours:>12.0}", "ours, any integrator", "");
    for (method, operations) in ["am1", "verlet", "heun", "rk4"].into_iter().zip(OPERATIONS) {
        let count = per_sample(&format!("unbroken-flight:{method}"), 20, FLIGHT_SAMPLES)?;
        println!("{:>28} {operations:>18} {count:>12.0}", format!("{method}, the paper's way"));
    }
    println!("\n{:>28} {:>18} {:>12}", "bounce train of case 2", "", "instructions");
    let mut train = Vec::new();
    for (name, workload) in [
        ("plain RK4, the paper's way", "unbroken-train:rk4"),
        ("plain Verlet, same", "unbroken-train:verlet"),
        ("plain RK4, our flight", "train:rk4"),
        ("corrected Verlet", "train:verlet+hybrid+exact"),
        ("corrected Exact", "train:exact+hybrid+exact"),
        ("Passive", "train:passive"),
    ] {
        let count = per_sample(workload, 1, TRAIN_SAMPLES)?;
        train.push((name, count));
        println!("{name:>28} {:>18} {count:>12.1}", "");
    }
    if let [(_, rk4), .., (_, verlet), _, _] = train.as_slice() {
        println!("corrected Verlet costs {:.2} of plain RK4 the paper's way", verlet / rk4);
    }
    Ok(())
}

const DT_S: f64 = 1.0 / RATE_HZ;
const GRAVITY_M_PER_S2: f64 = 9.81;

/// Samples of one flight.
const FLIGHT_SAMPLES: u32 = 2_000;

/// A contact so long that its ends do not count.
fn long_contact(alpha: f64) -> Case {
    let mut case = SAFE;
    case.law.alpha = alpha;
    case
}

/// The integrator with this name.
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

/// The settings of a name such as `verlet+hybrid+exact`.
fn settings(case: &Case, name: &str) -> Result<ContactSettings> {
    let mut parts = name.split('+');
    let method = integrator(parts.next().unwrap_or_default())?;
    let mut settings = ContactSettings {
        // The table counts single steps.
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

/// Runs one contact and returns its samples.
fn contact(case: &Case, settings: &ContactSettings) -> u32 {
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

/// Runs a flight without contact.
fn flight(settings: &ContactSettings) {
    let mut striker = Striker::new();
    let mut wall = Wall::default();
    striker.strike(settings, 1.0, 1.0);
    for _ in 0..FLIGHT_SAMPLES {
        striker.advance(DT_S, &mut wall);
    }
    black_box(wall);
}

/// Runs flight and contact as in the paper: the integrator at every sample, gravity outside the
/// contact, and contact wherever a sample is inside.
fn unbroken(case: &Case, integrator: Integrator, height_m: f64, samples: u32) {
    let medium = Medium {
        spring: case.law.prepare(),
        mass_kg: MASS_KG,
        gravity_m_per_s2: 0.0,
        curve: Curve::new(&case.law, MASS_KG, case.v_in_m_per_s),
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

/// Samples of the bounce train: a second of case 2.
const TRAIN_SAMPLES: u32 = 44_100;

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

/// Runs a workload `repeat` times.
pub fn run_workload(name: &str, repeat: u32) -> Result<()> {
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

/// Samples of one repetition of a `contact` or `hertz` workload.
fn contact_samples(name: &str) -> Result<u32> {
    let (kind, what) = name.split_once(':').ok_or_else(|| anyhow!("no workload {name}"))?;
    let case = long_contact(if kind == "hertz" { 1.5 } else { 1.3 });
    Ok(contact(&case, &settings(&case, what)?))
}
