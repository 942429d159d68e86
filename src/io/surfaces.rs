//! Surfaces outside the core: those that come with the instrument, and files with recipes, sound,
//! or rows of images.

mod image;
mod recipe_file;
mod stored_surface;
mod surface_request;
mod wav;

use std::path::Path;

use anyhow::{Context, Result, bail, ensure};

use crate::exciter::surface::UserSurface;

pub use recipe_file::SurfaceFile;
pub use stored_surface::StoredSurface;
pub use surface_request::{SurfaceRequest, install_surface};

/// Anything larger is refused before it is read.
const MAX_BYTES: u64 = 1 << 28;

/// How high the heights of a file are; a file knows only their proportions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Height {
    /// Root mean square about their mean, m.
    Rms(f64),
    /// Largest distance from their mean, m.
    Peak(f64),
}

/// What a file does not say about itself.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfaceScale {
    /// Length of the whole, m.
    pub length_m: f64,
    /// Height.
    pub height: Height,
    /// Row of an image, from the top; none: the middle one.
    pub row: Option<usize>,
}

/// Read a surface of a WAV file (first channel) or of one row of an image (PGM, PNG; bright is
/// high).
pub fn load(path: &Path, scale: &SurfaceScale) -> Result<UserSurface> {
    read(path, scale).with_context(|| path.display().to_string())
}

fn read(path: &Path, scale: &SurfaceScale) -> Result<UserSurface> {
    let size = std::fs::metadata(path).context("cannot be read")?.len();
    ensure!(size <= MAX_BYTES, "has {size} bytes; a surface has at most {MAX_BYTES}");
    parse(&std::fs::read(path).context("cannot be read")?, scale)
}

/// The same of what is in a file.
pub fn parse(bytes: &[u8], scale: &SurfaceScale) -> Result<UserSurface> {
    let values = match bytes {
        [b'R', b'I', b'F', b'F', ..] => wav::heights(bytes)?,
        [b'P', b'2' | b'5', ..] => image::pgm_row(bytes, scale.row)?,
        [0x89, b'P', b'N', b'G', ..] => image::png_row(bytes, scale.row)?,
        _ => bail!("is neither WAV nor PGM (P2, P5) nor PNG"),
    };
    Ok(UserSurface::new(scaled(values, scale.height)?, scale.length_m)?)
}

/// Heights in metres, about their mean.
fn scaled(mut values: Vec<f64>, height: Height) -> Result<Vec<f64>> {
    ensure!(!values.is_empty(), "has no heights in it");
    if let Some(i) = values.iter().position(|x| !x.is_finite()) {
        bail!("value {i} is not a finite number");
    }
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    values.iter_mut().for_each(|x| *x -= mean);
    let (size, wanted_m, name) = match height {
        Height::Rms(m) => ((values.iter().map(|x| x * x).sum::<f64>() / count).sqrt(), m, "rms"),
        Height::Peak(m) => (values.iter().fold(0.0f64, |a, x| a.max(x.abs())), m, "peak"),
    };
    ensure!((1e-9..=0.05).contains(&wanted_m), "{name} height {wanted_m} m: expected 1e-9 to 0.05");
    ensure!(size.is_finite() && size > 0.0, "is flat: all heights are the same");
    values.iter_mut().for_each(|x| *x *= wanted_m / size);
    Ok(values)
}
