//! `ictus picture`: a spectrogram of a sound, with the level as brightness.

use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

use crate::exciter::surface::fft::{Complex, Twiddles, transform_with};
use crate::io::wav;

const WIDTH: usize = 960;
const HEIGHT: usize = 360;
/// Space for the labels: left, top, right, bottom.
const MARGIN: [usize; 4] = [76, 34, 30, 46];
const LOWEST_HZ: f64 = 50.0;
const HIGHEST_HZ: f64 = 20_000.0;
/// Level range below the loudest point; lower levels are black.
const RANGE_DB: f64 = 80.0;
/// Length of the Hann window, s: resolves bounces 40 ms apart and partials 50 Hz apart.
const WINDOW_S: f64 = 0.04;
const BACKGROUND: [u8; 3] = [12, 12, 18];
const TEXT: [u8; 3] = [210, 210, 220];
const PITCHES: [(f64, &str); 8] = [
    (100.0, "100"),
    (200.0, "200"),
    (500.0, "500"),
    (1e3, "1k"),
    (2e3, "2k"),
    (5e3, "5k"),
    (10e3, "10k"),
    (20e3, "20k"),
];

/// Arguments of `ictus picture`.
#[derive(clap::Args)]
pub struct Args {
    /// The WAV file: 16, 24 or 32 bits, or 32-bit float, one channel or two.
    sound: PathBuf,
    /// The PNG file to write.
    picture: PathBuf,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<()> {
    let (rate_hz, sound) = wav::read(&args.sound)?;
    let shown = args.sound.display();
    ensure!(
        (1000..=1_000_000).contains(&rate_hz),
        "{shown}: its rate is {rate_hz} Hz, not 1000 to 1e6"
    );
    ensure!(sound.iter().flatten().all(|x| x.is_finite()), "{shown}: it has samples that are NaN");
    ensure!(!sound[1].is_empty(), "{shown}: it has no samples");
    draw(&args.picture, rate_hz, &sound)?;
    println!("{}", args.picture.display());
    Ok(())
}

/// Draws the spectrogram of the mean of both channels into a PNG file.
///
/// # Errors
/// The file cannot be written.
pub fn draw(path: &Path, rate_hz: u32, sound: &[Vec<f32>; 2]) -> Result<()> {
    let mono: Vec<f64> =
        sound[0].iter().zip(&sound[1]).map(|(l, r)| 0.5 * f64::from(l + r)).collect();
    let rate_hz = f64::from(rate_hz);
    let [left, top, right, bottom] = MARGIN;
    let mut canvas = Canvas::new(left + WIDTH + right, top + HEIGHT + bottom, BACKGROUND);
    for (x, column) in levels_db(&mono, rate_hz).iter().enumerate() {
        for (y, level_db) in column.iter().enumerate() {
            canvas.set(left + x, top + HEIGHT - 1 - y, colour(1.0 + level_db / RANGE_DB));
        }
    }
    label(&mut canvas, mono.len() as f64 / rate_hz);
    canvas.write(path).with_context(|| format!("{}: cannot be written", path.display()))
}

/// The level of every row (from the bottom) in every column, dB below the loudest point.
fn levels_db(mono: &[f64], rate_hz: f64) -> Vec<Vec<f64>> {
    let window = (WINDOW_S * rate_hz) as usize;
    // Zero padding by two makes linear interpolation between bins accurate.
    let length = (2 * window).next_power_of_two();
    let twiddles = Twiddles::new(length);
    let hann =
        |i: usize| 0.5 - 0.5 * (std::f64::consts::TAU * (i as f64 + 0.5) / window as f64).cos();
    let hann: Vec<f64> = (0..window).map(hann).collect();
    let column = |x: usize| {
        let centre = mono.len() * x / WIDTH;
        let mut numbers: Vec<Complex> = vec![(0.0, 0.0); length];
        for (i, (number, share)) in numbers.iter_mut().zip(&hann).enumerate() {
            let sample = (centre + i).checked_sub(window / 2).and_then(|place| mono.get(place));
            number.0 = share * sample.copied().unwrap_or(0.0);
        }
        transform_with(&twiddles, &mut numbers, false);
        let power: Vec<f64> =
            numbers[..length / 2].iter().map(|(re, im)| re * re + im * im).collect();
        (0..HEIGHT).map(|row| power_of(&power, row, length as f64 / rate_hz)).collect::<Vec<f64>>()
    };
    let mut columns: Vec<Vec<f64>> = (0..WIDTH).map(column).collect();
    let loudest = columns.iter().flatten().fold(1e-30, |most: f64, power| most.max(*power));
    for level in columns.iter_mut().flatten() {
        *level = 10.0 * (*level / loudest).max(1e-12).log10();
    }
    columns
}

/// The strongest bin of a row; interpolated where rows are finer than bins.
fn power_of(power: &[f64], row: usize, bins_per_hz: f64) -> f64 {
    let (low, high) = (row_hz(row as f64) * bins_per_hz, row_hz(row as f64 + 1.0) * bins_per_hz);
    let at = |index: usize| power.get(index).copied().unwrap_or(0.0);
    if high - low < 1.0 {
        return at(low as usize) * (1.0 - low.fract()) + at(low as usize + 1) * low.fract();
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
    for (hz, name) in PITCHES {
        let y = bottom - hz_row(hz);
        (left - 8..left).for_each(|x| canvas.set(x, y, TEXT));
        canvas.text(left - 12 - Canvas::text_width(name), y.saturating_sub(7), name, TEXT);
    }
    canvas.text(left - 12 - Canvas::text_width("Hz"), top - 28, "Hz", TEXT);
    // At most ten marks, at whole seconds.
    let every = (seconds / 10.0).ceil().max(1.0) as usize;
    for second in (0..=seconds as usize).step_by(every) {
        let x = left + (second as f64 / seconds * (WIDTH - 1) as f64) as usize;
        (bottom..bottom + 8).for_each(|y| canvas.set(x, y, TEXT));
        let last = second + every > seconds as usize;
        let name = if last { format!("{second} s") } else { second.to_string() };
        canvas.text(x - Canvas::text_width(&second.to_string()) / 2, bottom + 14, &name, TEXT);
    }
    (0..WIDTH).for_each(|x| canvas.set(left + x, bottom, TEXT));
    (0..HEIGHT).for_each(|y| canvas.set(left - 1, top + y, TEXT));
}

/// Width of a dot of a letter, px.
const DOT: usize = 2;
/// Advance from letter to letter, dots: five and one of space.
const ADVANCE: usize = 6;

/// Letters of 5 by 7 dots: one number per row, whose highest of five bits is the left dot.
const LETTERS: &[(char, [u8; 7])] = &[
    ('0', [14, 17, 19, 21, 25, 17, 14]),
    ('1', [4, 12, 4, 4, 4, 4, 14]),
    ('2', [14, 17, 1, 2, 4, 8, 31]),
    ('3', [31, 2, 4, 2, 1, 17, 14]),
    ('4', [2, 6, 10, 18, 31, 2, 2]),
    ('5', [31, 16, 30, 1, 1, 17, 14]),
    ('6', [6, 8, 16, 30, 17, 17, 14]),
    ('7', [31, 1, 2, 4, 8, 8, 8]),
    ('8', [14, 17, 17, 14, 17, 17, 14]),
    ('9', [14, 17, 17, 15, 1, 2, 12]),
    ('k', [16, 16, 18, 20, 24, 20, 18]),
    ('s', [0, 0, 14, 16, 14, 1, 30]),
    ('z', [0, 0, 31, 2, 4, 8, 31]),
    ('H', [17, 17, 17, 31, 17, 17, 17]),
];

/// A picture with 8-bit RGB pixels.
struct Canvas {
    width: usize,
    height: usize,
    pixels: Vec<[u8; 3]>,
}

impl Canvas {
    /// A picture of one colour.
    fn new(width: usize, height: usize, colour: [u8; 3]) -> Self {
        Self { width, height, pixels: vec![colour; width * height] }
    }

    /// Sets a pixel, if it is inside the picture.
    fn set(&mut self, x: usize, y: usize, colour: [u8; 3]) {
        if x < self.width && y < self.height {
            self.pixels[y * self.width + x] = colour;
        }
    }

    /// Draws a text with its upper left corner at a position. Unknown letters stay empty.
    fn text(&mut self, x: usize, y: usize, text: &str, colour: [u8; 3]) {
        for (place, letter) in text.chars().enumerate() {
            let Some((_, rows)) = LETTERS.iter().find(|(known, _)| *known == letter) else {
                continue;
            };
            for (dot_y, row) in rows.iter().enumerate() {
                for dot_x in (0..5).filter(|dot_x| row >> (4 - dot_x) & 1 == 1) {
                    for (sub_x, sub_y) in (0..DOT * DOT).map(|i| (i % DOT, i / DOT)) {
                        let left = x + (place * ADVANCE + dot_x) * DOT;
                        self.set(left + sub_x, y + dot_y * DOT + sub_y, colour);
                    }
                }
            }
        }
    }

    /// Width of a text, px.
    fn text_width(text: &str) -> usize {
        text.chars().count() * ADVANCE * DOT
    }

    /// Writes a PNG file.
    fn write(&self, path: &Path) -> std::io::Result<()> {
        let file = BufWriter::new(File::create(path)?);
        let mut encoder = png::Encoder::new(file, self.width as u32, self.height as u32);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        let mut writer = encoder.write_header()?;
        writer.write_image_data(self.pixels.as_flattened())?;
        writer.finish()?;
        Ok(())
    }
}

/// The colour of a level from 0 to 1: black, violet, orange, pale yellow; perceptually uniform.
fn colour(level: f64) -> [u8; 3] {
    const STOPS: [[f64; 3]; 7] = [
        [0.0, 0.0, 4.0],
        [40.0, 11.0, 84.0],
        [101.0, 21.0, 110.0],
        [159.0, 42.0, 99.0],
        [212.0, 72.0, 66.0],
        [245.0, 125.0, 21.0],
        [252.0, 255.0, 164.0],
    ];
    let place = level.clamp(0.0, 1.0) * (STOPS.len() - 1) as f64;
    let index = (place as usize).min(STOPS.len() - 2);
    let part = place - index as f64;
    std::array::from_fn(|i| {
        (STOPS[index][i] * (1.0 - part) + STOPS[index + 1][i] * part).round() as u8
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tone_is_brightest_at_its_frequency_while_it_sounds() {
        let rate_hz = 48_000.0;
        let tone = |i: usize| {
            if i < 24_000 {
                (std::f64::consts::TAU * 1000.0 * i as f64 / rate_hz).sin()
            } else {
                0.0
            }
        };
        let columns = levels_db(&(0..48_000).map(tone).collect::<Vec<_>>(), rate_hz);
        let column = &columns[WIDTH / 4];
        let brightest = (0..HEIGHT).max_by(|a, b| column[*a].total_cmp(&column[*b])).expect("rows");
        assert!(brightest.abs_diff(hz_row(1000.0)) <= 2, "row {brightest}, not {}", hz_row(1000.0));
        assert!(column[hz_row(5000.0)] < -60.0 && columns[WIDTH * 3 / 4][hz_row(1000.0)] < -100.0);
    }

    #[test]
    fn louder_is_brighter() {
        let light = |level| colour(level).map(u32::from).iter().sum::<u32>();
        assert!((0..10).all(|i| light(f64::from(i) / 10.0) < light(f64::from(i + 1) / 10.0)));
    }
}
