//! Table IV in instructions, counted by callgrind.
//!
//! The program runs itself under the counter with a workload repeated n and 2n times; the
//! difference is the workload alone, whatever starting up costs.

use std::process::Command;

use anyhow::{Context, Result};

use super::paper::{HYBRID_OPERATIONS, OPERATIONS};
use super::workload::{FLIGHT_SAMPLES, TRAIN_SAMPLES, contact_samples};

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

/// Print the cost table, or that it could not be measured.
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
