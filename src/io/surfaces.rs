//! Surface files: built-in and user recipes, and heights from a WAV file or a row of an image.

mod stored_surface;
mod surface_request;

use std::path::Path;

use anyhow::{Context, Result, bail, ensure};

use super::read_limited;
use crate::exciter::surface::UserSurface;
use crate::exciter::surface::user::MAX_HEIGHTS;
pub use stored_surface::{StoredSurface, SurfaceFile};
pub use surface_request::SurfaceRequest;

/// Largest file, bytes: the largest WAV or image that the limits below allow.
const MAX_BYTES: u64 = 1 << 28;

/// Scale of the heights: a file contains only their proportions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Height {
    /// Root mean square about their mean, m.
    Rms(f64),
    /// Largest distance from their mean, m.
    Peak(f64),
}

/// Properties of a surface that a file does not contain.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfaceScale {
    /// Length of the surface, m.
    pub length_m: f64,
    /// Scale of the heights.
    pub height: Height,
    /// Row of an image from the top; `None` for the middle row.
    pub row: Option<usize>,
}

/// Reads a surface from a WAV file (first channel) or a row of a PGM or PNG image (bright is high).
pub fn load(path: &Path, scale: &SurfaceScale) -> Result<UserSurface> {
    let read = || parse(&read_limited(path, MAX_BYTES, "a surface")?, scale);
    read().with_context(|| path.display().to_string())
}

/// Reads a surface from the contents of such a file.
pub fn parse(bytes: &[u8], scale: &SurfaceScale) -> Result<UserSurface> {
    let values = match bytes {
        [b'R', b'I', b'F', b'F', ..] => wav_heights(bytes)?,
        [b'P', b'2' | b'5', ..] => pgm_row(bytes, scale.row)?,
        [0x89, b'P', b'N', b'G', ..] => png_row(bytes, scale.row)?,
        _ => bail!("is neither WAV nor PGM (P2, P5) nor PNG"),
    };
    Ok(UserSurface::new(scaled(values, scale.height)?, scale.length_m)?)
}

/// Heights in metres relative to their mean.
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

/// Largest width or height of an image, pixels.
const MAX_WIDTH_PX: usize = 1 << 16;
/// Most pixels of an image, which bounds its memory.
const MAX_PIXELS: usize = 1 << 26;

fn check_size(width: usize, height: usize) -> Result<()> {
    ensure!(width > 0 && height > 0, "has no pixels");
    ensure!(
        width <= MAX_WIDTH_PX && height <= MAX_WIDTH_PX && width * height <= MAX_PIXELS,
        "has {width} x {height} pixels; at most {MAX_WIDTH_PX} along a side and {MAX_PIXELS} in all can be read"
    );
    Ok(())
}

fn check_row(row: Option<usize>, height: usize) -> Result<usize> {
    let row = row.unwrap_or(height / 2);
    ensure!(row < height, "row {row}: the image has rows 0 to {}", height - 1);
    Ok(row)
}

/// Brightness along a row of a PGM, plain (P2) or raw (P5).
fn pgm_row(bytes: &[u8], row: Option<usize>) -> Result<Vec<f64>> {
    let plain = bytes.starts_with(b"P2");
    let mut at = 2;
    let mut number = |what: &str| -> Result<usize> {
        // Skip white space and comments.
        loop {
            match bytes.get(at) {
                Some(b'#') => at += bytes[at..].iter().take_while(|b| **b != b'\n').count(),
                Some(b) if b.is_ascii_whitespace() => at += 1,
                _ => break,
            }
        }
        let digits = bytes[at..].iter().take(9).take_while(|b| b.is_ascii_digit()).count();
        let text = std::str::from_utf8(&bytes[at..at + digits])?;
        at += digits;
        text.parse().with_context(|| format!("PGM: expected {what}"))
    };
    let (width, height) = (number("a width")?, number("a height")?);
    let white = number("the value of white")?;
    check_size(width, height)?;
    ensure!((1..65_536).contains(&white), "PGM: white is {white}; expected 1 to 65535");
    let row = check_row(row, height)?;
    if plain {
        for _ in 0..row * width {
            number("a pixel")?;
        }
        return (0..width).map(|_| Ok(number("a pixel")? as f64)).collect();
    }
    // A single white space ends the header.
    let depth = if white < 256 { 1 } else { 2 };
    let start = at + 1 + row * width * depth;
    let Some(pixels) = bytes.get(start..start + width * depth) else {
        bail!("PGM: ends before row {row} does")
    };
    Ok(pixels
        .chunks_exact(depth)
        .map(|p| p.iter().fold(0.0, |sum, b| 256.0 * sum + f64::from(*b)))
        .collect())
}

/// Brightness along a row of a PNG: the mean of the colours; transparency is ignored.
fn png_row(bytes: &[u8], row: Option<usize>) -> Result<Vec<f64>> {
    let mut decoder = png::Decoder::new(bytes);
    decoder.set_transformations(png::Transformations::EXPAND);
    let mut reader = decoder.read_info().context("is not a PNG that can be read")?;
    let (width, height) = (reader.info().width as usize, reader.info().height as usize);
    check_size(width, height)?;
    let row = check_row(row, height)?;
    let mut pixels = vec![0; reader.output_buffer_size()];
    let frame = reader.next_frame(&mut pixels).context("the PNG ends early or is damaged")?;
    let depth = if frame.bit_depth == png::BitDepth::Sixteen { 2 } else { 1 };
    let samples = frame.color_type.samples();
    let colours = if samples >= 3 { 3 } else { 1 };
    let line = &pixels[row * frame.line_size..][..width * samples * depth];
    let value = |sample: &[u8]| sample.iter().fold(0.0, |sum, b| 256.0 * sum + f64::from(*b));
    let brightness = |pixel: &[u8]| {
        pixel.chunks_exact(depth).take(colours).map(value).sum::<f64>() / colours as f64
    };
    Ok(line.chunks_exact(samples * depth).map(brightness).collect())
}

/// Samples of the first channel, integers of 8 to 32 bits or 32-bit floats.
fn wav_heights(bytes: &[u8]) -> Result<Vec<f64>> {
    let mut reader = hound::WavReader::new(bytes).context("is not a WAV file that can be read")?;
    let spec = reader.spec();
    ensure!(spec.channels > 0, "has no channel");
    let frames = reader.duration() as usize;
    ensure!(frames <= MAX_HEIGHTS, "has {frames} samples; a surface has at most {MAX_HEIGHTS}");
    let channels = usize::from(spec.channels);
    let samples: Result<Vec<f64>, hound::Error> = match spec.sample_format {
        hound::SampleFormat::Float => {
            reader.samples::<f32>().step_by(channels).map(|x| x.map(f64::from)).collect()
        }
        hound::SampleFormat::Int => {
            reader.samples::<i32>().step_by(channels).map(|x| x.map(f64::from)).collect()
        }
    };
    samples.context("ends early or is damaged")
}
