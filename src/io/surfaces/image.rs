//! Heights from one row of an image.

use anyhow::{Context, Result, bail, ensure};

/// Pixels along one side, at most.
const MAX_WIDTH_PX: usize = 1 << 16;
/// Pixels in all, at most.
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
pub fn pgm_row(bytes: &[u8], row: Option<usize>) -> Result<Vec<f64>> {
    let plain = bytes.starts_with(b"P2");
    let mut at = 2;
    let mut number = |what: &str| -> Result<usize> {
        // White space and comments come before every number.
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
    // One white space ends the header.
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

/// Brightness along a row of a PNG: the mean of its colours, without regard to transparency.
pub fn png_row(bytes: &[u8], row: Option<usize>) -> Result<Vec<f64>> {
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
