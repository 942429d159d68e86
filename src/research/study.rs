//! `ictus study`: the tables and figures of the papers on contacts and impacts, beside ours.

mod chart;
mod cost;
mod figures;
mod impacts;
mod paper;
mod pendulum;
mod restitution;
mod triple_pendulum;

use std::path::PathBuf;

use anyhow::Result;

/// Arguments of `ictus study`.
#[derive(clap::Args)]
pub struct Args {
    /// Folder of the figures, as SVG with their data as CSV
    #[arg(long, value_name = "DIR", default_value = "ictus-study")]
    out: PathBuf,
    /// Omit the cost table, which takes a minute under callgrind
    #[arg(long)]
    no_cost: bool,
    /// Run a workload only, for the instruction counter
    #[arg(long, hide = true)]
    workload: Option<String>,
    /// Number of repetitions of the workload
    #[arg(long, hide = true, default_value_t = 1)]
    repeat: u32,
}

/// Runs the command.
pub fn run(args: Args) -> Result<()> {
    if let Some(name) = &args.workload {
        return cost::run_workload(name, args.repeat);
    }
    paper::print();
    restitution::print();
    impacts::print();
    if !args.no_cost {
        cost::print()?;
    }
    let count = figures::write(&args.out)?;
    println!("\n{count} figures in {}", args.out.display());
    Ok(())
}
