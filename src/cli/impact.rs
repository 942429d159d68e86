//! `ictus impact`.

/// Arguments of `ictus impact`.
#[derive(clap::Args)]
pub struct Args {}

/// Carry it out.
pub fn run(_args: Args) -> anyhow::Result<()> {
    Ok(())
}
