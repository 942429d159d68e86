//! Figures 1 to 12 of the paper, redrawn, three of our own, those of the paper on restitution, and
//! those of the papers on impacts in three dimensions.

mod corrections;
mod impacts;
mod implementation;
mod methods;
mod restitution;
mod theory;

use std::path::Path;

use anyhow::{Context, Result};

use super::chart::{self, Frame, Series};

/// A figure: its file name, what it says, its curves.
type Figure = (&'static str, Frame, Vec<Series>);

/// Write all of them; returns how many.
pub fn write(folder: &Path) -> Result<usize> {
    std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let groups = [
        theory::all(),
        methods::all(),
        corrections::all(),
        implementation::all(),
        restitution::all(),
        impacts::all(),
    ];
    let figures: Vec<Figure> = groups.into_iter().flatten().collect();
    for (name, frame, series) in &figures {
        chart::write(folder, name, frame, series)?;
    }
    Ok(figures.len())
}
