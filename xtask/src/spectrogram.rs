//! A picture of a sound: time to the right, pitch upwards, level as brightness.
mod canvas;

use anyhow::{Context, Result};
pub use canvas::write_png;
use canvas::{Canvas, colour};
use realfft::RealFftPlanner;
use std::path::Path;

const WIDTH: usize = 1100;
const HEIGHT: usize = 512;
/// Room for the labels: left, top, right, bottom.
const MARGIN: [usize; 4] = [84, 34, 24, 48];
const LOWEST_HZ: f64 = 40.0;
const HIGHEST_HZ: f64 = 20_000.0;
/// What is this far below the loudest spot is black.
const RANGE_DB: f64 = 90.0;
const WINDOW: usize = 4096;
const TEXT: [u8; 3] = [210, 210, 220];

/// Draws the mean of both channels into a PNG file.
pub fn draw(left: &[f32], right: &[f32], rate: u32, path: &Path) -> Result<()> {
    let mono: Vec<f32> = left.iter().zip(right).map(|(l, r)| 0.5 * (l + r)).collect();
    let columns = levels(&mono, rate)?;
    let [margin_left, margin_top, margin_right, margin_bottom] = MARGIN;
    let mut canvas = Canvas::new(margin_left + WIDTH + margin_right, margin_top + HEIGHT + margin_bottom, [12, 12, 18]);
    for (x, column) in columns.iter().enumerate() {
        for (y, level) in column.iter().enumerate() {
            canvas.set(margin_left + x, margin_top + HEIGHT - 1 - y, colour(1.0 + level / RANGE_DB));
        }
    }
    label(&mut canvas, mono.len() as f64 / f64::from(rate));
    canvas.write(path).with_context(|| format!("cannot write {}", path.display()))
}

/// For every column of the picture the level of every row, from the bottom, in dB below the loudest spot.
fn levels(mono: &[f32], rate: u32) -> Result<Vec<Vec<f64>>> {
    let fft = RealFftPlanner::<f32>::new().plan_fft_forward(WINDOW);
    let (mut input, mut spectrum) = (fft.make_input_vec(), fft.make_output_vec());
    let hann = |i: usize| 0.5 - 0.5 * (std::f32::consts::TAU * i as f32 / WINDOW as f32).cos();
    let mut columns = Vec::with_capacity(WIDTH);
    for x in 0..WIDTH {
        let centre = mono.len() * x / WIDTH;
        for (i, slot) in input.iter_mut().enumerate() {
            let sample = (centre + i).checked_sub(WINDOW / 2).and_then(|place| mono.get(place));
            *slot = sample.copied().unwrap_or(0.0) * hann(i);
        }
        fft.process(&mut input, &mut spectrum).context("the spectrum could not be computed")?;
        let power: Vec<f64> = spectrum.iter().map(|bin| f64::from(bin.norm_sqr())).collect();
        columns.push((0..HEIGHT).map(|y| row_power(&power, y, rate)).collect::<Vec<_>>());
    }
    let loudest = columns.iter().flatten().fold(1e-30, |most: f64, power| most.max(*power));
    for level in columns.iter_mut().flatten() {
        *level = 10.0 * (*level / loudest).max(1e-12).log10();
    }
    Ok(columns)
}

/// The strongest bin that falls into a row; where rows are finer than bins, the value between two bins.
fn row_power(power: &[f64], row: usize, rate: u32) -> f64 {
    let bin = |row: usize| row_hz(row as f64) * WINDOW as f64 / f64::from(rate);
    let (low, high) = (bin(row), bin(row + 1));
    let at = |index: usize| power.get(index).copied().unwrap_or(0.0);
    if high - low < 1.0 {
        let (index, part) = (low as usize, low.fract());
        return at(index) * (1.0 - part) + at(index + 1) * part;
    }
    (low.round() as usize..=high as usize).map(at).fold(0.0, f64::max)
}

fn row_hz(row: f64) -> f64 {
    LOWEST_HZ * (HIGHEST_HZ / LOWEST_HZ).powf(row / HEIGHT as f64)
}

fn hz_row(hz: f64) -> usize {
    (HEIGHT as f64 * (hz / LOWEST_HZ).ln() / (HIGHEST_HZ / LOWEST_HZ).ln()).round() as usize
}

fn label(canvas: &mut Canvas, seconds: f64) {
    let [left, top, _, _] = MARGIN;
    let bottom = top + HEIGHT;
    for (hz, name) in [
        (50, "50"),
        (100, "100"),
        (200, "200"),
        (500, "500"),
        (1000, "1k"),
        (2000, "2k"),
        (5000, "5k"),
        (10_000, "10k"),
    ] {
        let y = bottom - hz_row(f64::from(hz));
        (left - 8..left).for_each(|x| canvas.set(x, y, TEXT));
        canvas.text(left - 12 - Canvas::text_width(name), y - 7, name, TEXT);
    }
    canvas.text(left - 12 - Canvas::text_width("Hz"), top - 26, "Hz", TEXT);
    for second in 0..=seconds as usize {
        let x = left + (second as f64 / seconds * (WIDTH - 1) as f64) as usize;
        (bottom..bottom + 8).for_each(|y| canvas.set(x, y, TEXT));
        let name = second.to_string();
        let room = if second == seconds as usize { format!("{name} s") } else { name.clone() };
        canvas.text(x - Canvas::text_width(&name) / 2, bottom + 14, &room, TEXT);
    }
    for x in 0..WIDTH {
        canvas.set(left + x, bottom, TEXT);
    }
    for y in 0..HEIGHT {
        canvas.set(left - 1, top + y, TEXT);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tone_is_brightest_at_its_own_pitch() {
        let rate = 48_000;
        let tone: Vec<f32> =
            (0..rate).map(|i| (std::f32::consts::TAU * 1000.0 * i as f32 / rate as f32).sin()).collect();
        let columns = levels(&tone, rate as u32).expect("levels");
        let column = &columns[WIDTH / 2];
        let brightest = (0..HEIGHT).max_by(|a, b| column[*a].total_cmp(&column[*b])).expect("rows");
        assert!(brightest.abs_diff(hz_row(1000.0)) <= 2, "row {brightest}, not {}", hz_row(1000.0));
        assert!(column[hz_row(5000.0)] < -60.0);
    }

    #[test]
    fn louder_is_brighter() {
        let light = |level| colour(level).map(u32::from).iter().sum::<u32>();
        assert!((0..10).all(|i| light(f64::from(i) / 10.0) < light(f64::from(i + 1) / 10.0)));
    }
}
