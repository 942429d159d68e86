//! Rectangular plates: simply supported by formula, free by table. x runs along the longer side.
//!
//! The tables of the free plate are Ritz solutions at a Poisson's ratio of 0.3. `lambda.bin` holds
//! the frequency parameter `lambda = omega a^2 sqrt(rho h/D)` of 64 modes, sixteen of each of the
//! four symmetries, for aspects from 1 to 2.5 in steps of 0.0025. `shape.bin` holds their shapes in
//! steps of 0.1 as sums of products of Legendre polynomials, scaled to mean square 1.
//!
//! Within one symmetry, frequencies do not cross as the aspect changes; they come close and part
//! again, exchanging shapes. A mode is identified by its number within its symmetry. Between the
//! aspects of a table a cubic runs through four of them, and the shape is scaled to mean square 1
//! again: exact at the aspects of the table, close between them. `tests/bodies` solves the problem
//! independently and writes the files.

use std::f64::consts::PI;

use crate::body::{MAX_MODES, are_finite};

/// Half waves along x and y of the modes of a supported plate, in rising order at an aspect of 1.5.
///
/// The order is the same at other aspects, so that a mode keeps its number while the aspect moves.
pub static SUPPORTED: [(u8, u8); MAX_MODES] = supported();

/// Merges the rows of modes with n half waves across: `f ~ m^2 + (1.5 n)^2 = (4 m^2 + 9 n^2)/4`.
const fn supported() -> [(u8, u8); MAX_MODES] {
    const ROWS: usize = 32;
    let mut list = [(0, 0); MAX_MODES];
    let mut next = [1usize; ROWS];
    let mut i = 0;
    while i < MAX_MODES {
        let (mut best, mut lowest, mut n) = (1, usize::MAX, 1);
        while n < ROWS {
            let f = 4 * next[n] * next[n] + 9 * n * n;
            if f < lowest {
                (best, lowest) = (n, f);
            }
            n += 1;
        }
        list[i] = (next[best] as u8, best as u8);
        next[best] += 1;
        i += 1;
    }
    list
}

/// Frequency of a mode of a supported plate in units of the lowest one (Navier).
pub fn supported_ratio(mode: usize, aspect: f64) -> f64 {
    let (m, n) = SUPPORTED[mode];
    let across = f64::from(n) * aspect;
    (f64::from(m).powi(2) + across * across) / (1.0 + aspect * aspect)
}

/// Bound on the half waves along a side.
const MAX_WAVES: usize = 32;
#[allow(clippy::disallowed_macros, reason = "asserted while compiling")]
const _: () = {
    let mut i = 0;
    while i < MAX_MODES {
        assert!((SUPPORTED[i].0 as usize) < MAX_WAVES && (SUPPORTED[i].1 as usize) < MAX_WAVES);
        i += 1;
    }
};

/// Sines for the shapes of a supported plate at a point, `2 sin(m pi x) sin(n pi y)`.
///
/// There are far fewer sines than modes, so each is computed once.
#[derive(Clone, Copy, Debug)]
pub struct Sines {
    along: [f64; MAX_WAVES],
    across: [f64; MAX_WAVES],
}

impl Sines {
    /// For x and y of 0…1.
    pub fn new(x: f64, y: f64) -> Self {
        Self { along: sines(x), across: sines(y) }
    }

    /// Shape of the mode with `m` half waves along x and `n` along y.
    pub fn deflection(&self, m: u8, n: u8) -> f64 {
        let at = |sines: &[f64; MAX_WAVES], waves: u8| {
            sines.get(usize::from(waves)).copied().unwrap_or_default()
        };
        2.0 * at(&self.along, m) * at(&self.across, n)
    }
}

/// `sin(n pi x)`, by `sin((n + 1) a) = 2 cos(a) sin(n a) - sin((n - 1) a)`.
fn sines(x: f64) -> [f64; MAX_WAVES] {
    let (sin, cos) = (PI * x).sin_cos();
    let mut all = [0.0; MAX_WAVES];
    all[1] = sin;
    for n in 2..MAX_WAVES {
        all[n] = 2.0 * cos * all[n - 1] - all[n - 2];
    }
    all
}

/// Modes in the tables, in rising order at an aspect of 1.5.
pub const FREE_MODES: usize = 64;
/// Aspects with a shape, from 1 in steps of 0.1.
pub const ASPECTS: usize = 16;
/// Aspects with a frequency, from 1 in steps of 1/400.
///
/// Where two modes of one symmetry come close, coarser steps are off by 4e-4 (0.01) or 2e-3 (0.02).
pub const FINE_ASPECTS: usize = 601;
/// Steps of the frequency table per unit of aspect.
pub const FINE_PER_ASPECT: f64 = 400.0;
/// Polynomials of one parity along x.
pub const ALONG: usize = 12;
/// Polynomials of one parity along y.
pub const ACROSS: usize = 9;
/// Integer that stands for a coefficient of 1 in the table.
pub const UNIT: f64 = 32_000.0;

const TERMS: usize = ALONG * ACROSS;
/// Bytes per mode: symmetry (u16: 2 odd along x + odd along y) and coefficients (i16),
/// little-endian.
const RECORD: usize = 2 + 2 * TERMS;
static SHAPES: &[u8; ASPECTS * FREE_MODES * RECORD] = include_bytes!("plate/shape.bin");
/// Frequency parameters: f32, little-endian.
static LAMBDAS: &[u8; FINE_ASPECTS * FREE_MODES * 4] = include_bytes!("plate/lambda.bin");

/// Cubic interpolation in a table: the first of four neighbours, and their weights.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Cubic {
    first: usize,
    weights: [f64; 4],
}

impl Cubic {
    /// At the fractional index `place` of a table of `count` entries.
    fn new(place: f64, count: usize) -> Self {
        let place = place.clamp(0.0, (count - 1) as f64);
        let first = (place as usize).saturating_sub(1).min(count - 4);
        let t = place - first as f64;
        // Lagrange's cubic through 0, 1, 2, 3.
        let weights = [
            -(t - 1.0) * (t - 2.0) * (t - 3.0) / 6.0,
            t * (t - 2.0) * (t - 3.0) / 2.0,
            -t * (t - 1.0) * (t - 3.0) / 2.0,
            t * (t - 1.0) * (t - 2.0) / 6.0,
        ];
        Self { first, weights }
    }
}

/// The free plate of one aspect: its interpolation in the tables.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FreePlate {
    shape: Cubic,
    lambda: Cubic,
}

impl FreePlate {
    /// True if all weights are finite.
    pub fn is_finite(&self) -> bool {
        are_finite(&self.shape.weights) && are_finite(&self.lambda.weights)
    }

    /// For an aspect of 1…2.5.
    pub fn new(aspect: f64) -> Self {
        Self {
            shape: Cubic::new((aspect - 1.0) * 10.0, ASPECTS),
            lambda: Cubic::new((aspect - 1.0) * FINE_PER_ASPECT, FINE_ASPECTS),
        }
    }

    fn records(&self, mode: usize) -> [&'static [u8]; 4] {
        std::array::from_fn(|i| {
            let start = ((self.shape.first + i) * FREE_MODES + mode) * RECORD;
            &SHAPES[start..start + RECORD]
        })
    }

    /// Frequency parameter of a mode.
    pub fn lambda(&self, mode: usize) -> f64 {
        let value = |i: usize| {
            let start = ((self.lambda.first + i) * FREE_MODES + mode) * 4;
            f64::from(f32::from_le_bytes([0, 1, 2, 3].map(|byte| LAMBDAS[start + byte])))
        };
        (0..4).map(|i| self.lambda.weights[i] * value(i)).sum()
    }

    /// 2 for a mode that is odd along x, and 1 for one that is odd along y.
    fn symmetry(&self, mode: usize) -> usize {
        usize::from(self.records(mode)[0][0] & 3)
    }

    /// Coefficient of one product of polynomials, in units of 1/[`UNIT`].
    fn term(&self, mode: usize, term: usize) -> f64 {
        let place = 2 + 2 * term;
        let at = |record: &[u8]| f64::from(i16::from_le_bytes([record[place], record[place + 1]]));
        self.records(mode)
            .iter()
            .zip(self.shape.weights)
            .map(|(record, weight)| weight * at(record))
            .sum()
    }

    /// Shape of a mode at the point of `legendre`; mean square 1.
    pub fn deflection(&self, mode: usize, legendre: &Legendre) -> f64 {
        let [a, b, c, d] = self.records(mode);
        let symmetry = usize::from(a[0] & 3);
        let [wa, wb, wc, wd] = self.shape.weights;
        let (mut shape, mut square) = ([0.0; LANES], [0.0; LANES]);
        // Several sums in parallel: a single one is bound by the latency of each addition.
        for (group, products) in legendre.products[symmetry].chunks_exact(LANES).enumerate() {
            for (lane, product) in products.iter().enumerate() {
                let place = 2 + 2 * (group * LANES + lane);
                let at = |record: &[u8]| {
                    f64::from(i16::from_le_bytes([record[place], record[place + 1]]))
                };
                let term = wa * at(a) + wb * at(b) + wc * at(c) + wd * at(d);
                shape[lane] += term * product;
                square[lane] += term * term;
            }
        }
        shape.iter().sum::<f64>() / square.iter().sum::<f64>().max(f64::MIN_POSITIVE).sqrt()
    }
}

/// Sums computed in parallel; a divisor of the number of terms.
const LANES: usize = 4;
#[allow(clippy::disallowed_macros, reason = "asserted while compiling")]
const _: () = assert!(TERMS.is_multiple_of(LANES));

/// Products of scaled Legendre polynomials at one point, for each symmetry.
#[derive(Clone, Copy, Debug)]
pub struct Legendre {
    products: [[f64; TERMS]; 4],
}

impl Legendre {
    /// For x and y of 0…1.
    pub fn new(x: f64, y: f64) -> Self {
        let along: [f64; 2 * ALONG] = polynomials(2.0 * x - 1.0);
        let across: [f64; 2 * ACROSS] = polynomials(2.0 * y - 1.0);
        let product = |symmetry: usize, term: usize| {
            along[2 * (term / ACROSS) + (symmetry >> 1)]
                * across[2 * (term % ACROSS) + (symmetry & 1)]
        };
        Self {
            products: std::array::from_fn(|symmetry| {
                std::array::from_fn(|term| product(symmetry, term))
            }),
        }
    }
}

/// `sqrt(2m+1) P_m` at -1…1.
fn polynomials<const N: usize>(at: f64) -> [f64; N] {
    let mut p = [1.0; N];
    p[1] = at;
    for m in 1..N - 1 {
        let n = m as f64;
        p[m + 1] = ((2.0 * n + 1.0) * at * p[m] - n * p[m - 1]) / (n + 1.0);
    }
    for (m, value) in p.iter_mut().enumerate() {
        *value *= ((2 * m + 1) as f64).sqrt();
    }
    p
}

/// Mode shapes of a free plate along a line of constant y.
///
/// Caches for each mode the weights of the polynomials along x, with everything that depends on y
/// and the aspect summed up. A point then costs a ninth of the terms and no interpolation. Single
/// precision exceeds that of the table.
#[derive(Clone, Debug)]
pub struct FreePlateLine {
    /// Plate and y of the cached weights.
    cached_for: Option<(FreePlate, f64)>,
    weights: [[f32; ALONG]; FREE_MODES],
    odd: [bool; FREE_MODES],
}

impl Default for FreePlateLine {
    fn default() -> Self {
        Self { cached_for: None, weights: [[0.0; ALONG]; FREE_MODES], odd: [false; FREE_MODES] }
    }
}

impl FreePlateLine {
    /// Writes the shapes of the first modes at x and y, 0…1 each.
    pub fn deflections(&mut self, blend: &FreePlate, x: f64, y: f64, into: &mut [f64]) {
        if self.cached_for != Some((*blend, y)) {
            self.set(blend, y);
        }
        let along: [f64; 2 * ALONG] = polynomials(2.0 * x - 1.0);
        let [even, odd]: [[f64; ALONG]; 2] =
            [0, 1].map(|parity| std::array::from_fn(|i| along[2 * i + parity]));
        for ((shape, weights), is_odd) in into.iter_mut().zip(&self.weights).zip(&self.odd) {
            let along = if *is_odd { &odd } else { &even };
            let mut sums = [0.0; 4];
            for (weights, along) in weights.as_chunks::<4>().0.iter().zip(along.as_chunks::<4>().0)
            {
                for lane in 0..4 {
                    sums[lane] += f64::from(weights[lane]) * along[lane];
                }
            }
            *shape = (sums[0] + sums[1]) + (sums[2] + sums[3]);
        }
    }

    fn set(&mut self, blend: &FreePlate, y: f64) {
        self.cached_for = Some((*blend, y));
        let across: [f64; 2 * ACROSS] = polynomials(2.0 * y - 1.0);
        for (mode, (weights, is_odd)) in self.weights.iter_mut().zip(&mut self.odd).enumerate() {
            let symmetry = blend.symmetry(mode);
            let (mut sums, mut square) = ([0.0; ALONG], 0.0);
            for (i, sum) in sums.iter_mut().enumerate() {
                for j in 0..ACROSS {
                    let term = blend.term(mode, i * ACROSS + j) / UNIT;
                    *sum += term * across[2 * j + (symmetry & 1)];
                    square += term * term;
                }
            }
            let scale = 1.0 / square.max(f64::MIN_POSITIVE).sqrt();
            *weights = sums.map(|sum| (scale * sum) as f32);
            *is_odd = symmetry >> 1 == 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_recurrence_gives_every_sine() {
        for x in [0.0, 0.01, 0.3, 0.5, 0.9, 1.0] {
            for (n, sine) in sines(x).iter().enumerate() {
                assert!((sine - (n as f64 * PI * x).sin()).abs() < 1e-12, "{n} {x}: {sine}");
            }
        }
    }

    #[test]
    fn shapes_along_a_line_equal_those_of_the_plate() {
        let mut line = FreePlateLine::default();
        for (aspect, y) in [(1.5, 0.3), (1.234, 0.3), (1.234, 0.81), (2.5, 0.0)] {
            let blend = FreePlate::new(aspect);
            for x in [0.0, 0.2, 0.77, 1.0] {
                let mut shapes = [0.0; FREE_MODES];
                line.deflections(&blend, x, y, &mut shapes);
                let legendre = Legendre::new(x, y);
                for (mode, shape) in shapes.iter().enumerate() {
                    let wanted = blend.deflection(mode, &legendre);
                    assert!(
                        (shape - wanted).abs() < 2e-6,
                        "{aspect} {x} {y}, mode {mode}: {shape} {wanted}"
                    );
                }
            }
        }
    }
}
