//! The fingerprint of a sound: its levels in time and in thirds of an octave.

use serde::{Deserialize, Serialize};

const RATE_HZ: f64 = 48_000.0;
/// Length of a time segment, s.
const PIECE_S: f64 = 0.25;
/// Centres of the thirds of an octave, Hz: 1000 times powers of 2^(1/3).
const BANDS: std::ops::Range<i32> = -14..14;
/// Levels this far below the largest of their kind are ignored, dB.
const DEEP_DB: f64 = 60.0;

/// Levels, dB of full scale, to a hundredth.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Fingerprint {
    times_db: Vec<f64>,
    bands_db: Vec<f64>,
}

impl Fingerprint {
    pub fn of(sound: &[Vec<f32>; 2]) -> Self {
        let piece = (PIECE_S * RATE_HZ) as usize;
        let power = |from: usize| {
            let sides = sound.iter().flat_map(|side| side.iter().skip(from).take(piece));
            sides.map(|x| f64::from(*x) * f64::from(*x)).sum::<f64>() / piece as f64
        };
        let times_db =
            (0..sound[0].len().div_ceil(piece)).map(|n| decibel(power(n * piece))).collect();
        Self { times_db, bands_db: bands(sound).into_iter().map(decibel).collect() }
    }

    /// The largest difference of two levels, if one of them is not far below the largest, dB.
    pub fn distance_db(&self, other: &Self) -> f64 {
        let furthest = |ours: &[f64], theirs: &[f64]| {
            let loudest = ours.iter().chain(theirs).fold(f64::NEG_INFINITY, |a, b| a.max(*b));
            let floor = loudest - DEEP_DB;
            // After the end of one sound it counts as silent.
            let level =
                |levels: &[f64], n: usize| levels.get(n).copied().unwrap_or(floor).max(floor);
            let off = (0..ours.len().max(theirs.len()))
                .map(|n| (level(ours, n) - level(theirs, n)).abs());
            off.fold(0.0, f64::max)
        };
        furthest(&self.times_db, &other.times_db).max(furthest(&self.bands_db, &other.bands_db))
    }
}

fn decibel(power: f64) -> f64 {
    (100.0 * 10.0 * power.max(1e-15).log10()).round() / 100.0
}

/// Mean power in each band.
fn bands(sound: &[Vec<f32>; 2]) -> Vec<f64> {
    let length = sound[0].len();
    let n = length.next_power_of_two();
    // Both sides in one transform: left as the real part, right as the imaginary.
    let mut re: Vec<f64> =
        sound[0].iter().map(|x| f64::from(*x)).chain(std::iter::repeat(0.0)).take(n).collect();
    let mut im: Vec<f64> =
        sound[1].iter().map(|x| f64::from(*x)).chain(std::iter::repeat(0.0)).take(n).collect();
    transform(&mut re, &mut im);
    let third = 2f64.powf(1.0 / 3.0);
    let edge = |band: f64| (1000.0 * third.powf(band) / RATE_HZ * n as f64) as usize;
    // The powers of both sides add up over a frequency and its negative.
    let power = |bin: usize| (re[bin].powi(2) + im[bin].powi(2)) / (n as f64 * length as f64);
    BANDS
        .map(|band| {
            let bins = edge(f64::from(band) - 0.5)..edge(f64::from(band) + 0.5).min(n / 2);
            bins.map(|bin| power(bin) + power((n - bin) % n)).sum()
        })
        .collect()
}

/// Discrete Fourier transform in place, of a length that is a power of two.
fn transform(re: &mut [f64], im: &mut [f64]) {
    let n = re.len();
    let bits = n.trailing_zeros();
    for i in 0..n {
        let j = i.reverse_bits() >> (usize::BITS - bits);
        if i < j {
            re.swap(i, j);
            im.swap(i, j);
        }
    }
    let mut half = 1;
    while half < n {
        for k in 0..half {
            let (sin, cos) = (-std::f64::consts::PI * k as f64 / half as f64).sin_cos();
            for a in (k..n).step_by(2 * half) {
                let b = a + half;
                let (x, y) = (re[b] * cos - im[b] * sin, re[b] * sin + im[b] * cos);
                (re[b], im[b]) = (re[a] - x, im[a] - y);
                (re[a], im[a]) = (re[a] + x, im[a] + y);
            }
        }
        half *= 2;
    }
}
