//! `ictus study`: the tables and figures of the papers on contacts and impacts beside ours.

mod chart;
mod cost;
mod estimates;
mod figures;
mod impact_tables;
mod impacts;
mod paper;
mod pendulum;
mod runs;
mod tables;
mod triple_pendulum;
mod workload;

use std::path::PathBuf;

use anyhow::Result;

/// Arguments of `ictus study`.
#[derive(clap::Args)]
pub struct Args {
    /// Where the figures go, as SVG with their data as CSV
    #[arg(long, value_name = "DIR", default_value = "ictus-study")]
    out: PathBuf,
    /// Leave out the cost table, which takes a minute under callgrind
    #[arg(long)]
    no_cost: bool,
    /// Only work, for the instruction counter
    #[arg(long, hide = true)]
    workload: Option<String>,
    /// How often
    #[arg(long, hide = true, default_value_t = 1)]
    repeat: u32,
}

/// Carry it out.
pub fn run(args: Args) -> Result<()> {
    if let Some(name) = &args.workload {
        return workload::run(name, args.repeat);
    }
    tables::print();
    estimates::print();
    impact_tables::print();
    if !args.no_cost {
        cost::print()?;
    }
    let count = figures::write(&args.out)?;
    println!("\n{count} figures in {}", args.out.display());
    Ok(())
}
