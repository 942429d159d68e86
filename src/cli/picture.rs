//! `ictus picture`: a picture of a sound, time to the right, pitch upwards, level as brightness.

mod canvas;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use canvas::{Canvas, colour};

use crate::exciter::surface::fft::{Complex, Twiddles, transform_with};

const WIDTH: usize = 960;
const HEIGHT: usize = 360;
/// Room for the labels: left, top, right, bottom.
const MARGIN: [usize; 4] = [76, 34, 30, 46];
const LOWEST_HZ: f64 = 50.0;
const HIGHEST_HZ: f64 = 20_000.0;
/// What is this far below the loudest spot is black.
const RANGE_DB: f64 = 80.0;
/// Length of the Hann window, s: single bounces 40 ms apart still come apart, partials 50 Hz apart
/// too.
const WINDOW_S: f64 = 0.04;
const GROUND: [u8; 3] = [12, 12, 18];
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
    /// The WAV file to look at: 16, 24 or 32 bits, or 32-bit float, one channel or two.
    sound: PathBuf,
    /// The PNG file to write.
    picture: PathBuf,
}

/// Draw a file.
pub fn run(args: &Args) -> Result<()> {
    let (rate_hz, sound) =
        read(&args.sound).with_context(|| format!("{}: not to be drawn", args.sound.display()))?;
    draw(&args.picture, rate_hz, &sound)?;
    println!("{}", args.picture.display());
    Ok(())
}

/// Sample rate, Hz, and both sides of a sound; one channel is both.
fn read(path: &Path) -> Result<(u32, [Vec<f32>; 2])> {
    let mut reader = hound::WavReader::open(path)?;
    let spec = reader.spec();
    let samples: Vec<f32> = match spec.sample_format {
        hound::SampleFormat::Float => reader.samples::<f32>().collect::<Result<_, _>>()?,
        hound::SampleFormat::Int => {
            let full_scale = (1u64 << (spec.bits_per_sample - 1)) as f32;
            reader
                .samples::<i32>()
                .map(|sample| Ok(sample? as f32 / full_scale))
                .collect::<hound::Result<_>>()?
        }
    };
    let channels = usize::from(spec.channels);
    ensure!((1..=2).contains(&channels), "it has {channels} channels, 1 or 2 can be drawn");
    ensure!(
        (1000..=1_000_000).contains(&spec.sample_rate),
        "its rate is {} Hz, not 1000 to 1e6",
        spec.sample_rate
    );
    ensure!(samples.iter().all(|x| x.is_finite()), "it has samples that are not numbers");
    let side =
        |first: usize| samples.iter().skip(first).step_by(channels).copied().collect::<Vec<f32>>();
    let sides = [side(0), side(channels - 1)];
    ensure!(!sides[1].is_empty(), "it has no samples");
    Ok((spec.sample_rate, sides))
}

/// Draw the mean of both sides into a PNG file.
///
/// # Errors
/// Where the file cannot be written.
pub fn draw(path: &Path, rate_hz: u32, sound: &[Vec<f32>; 2]) -> Result<()> {
    let mono: Vec<f64> =
        sound[0].iter().zip(&sound[1]).map(|(l, r)| 0.5 * f64::from(l + r)).collect();
    let rate_hz = f64::from(rate_hz);
    let [left, top, right, bottom] = MARGIN;
    let mut canvas = Canvas::new(left + WIDTH + right, top + HEIGHT + bottom, GROUND);
    for (x, column) in levels_db(&mono, rate_hz).iter().enumerate() {
        for (y, level_db) in column.iter().enumerate() {
            canvas.set(left + x, top + HEIGHT - 1 - y, colour(1.0 + level_db / RANGE_DB));
        }
    }
    label(&mut canvas, mono.len() as f64 / rate_hz);
    canvas.write(path).with_context(|| format!("{}: cannot be written", path.display()))
}

/// For every column the level of every row, from the bottom, in dB from the loudest spot.
fn levels_db(mono: &[f64], rate_hz: f64) -> Vec<Vec<f64>> {
    let window = (WINDOW_S * rate_hz) as usize;
    // Twice as many numbers as the window has: between two bins the spectrum is then all but
    // straight.
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

/// The strongest bin that falls into a row; where rows are finer than bins, the value between two.
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
    // Ten marks or fewer, each a whole number of seconds.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tone_is_brightest_at_its_pitch_and_while_it_lasts() {
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
