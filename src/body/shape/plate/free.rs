//! The rectangular plate with free edges: tables of Ritz solutions over the aspect.
//!
//! `lambda.bin` holds the frequency parameter `lambda = omega a^2 sqrt(rho h/D)` of 64 modes,
//! sixteen of each of the four symmetries, at a Poisson's ratio of 0.3, for aspects from 1 to 2.5
//! in steps of 0.0025; `shape.bin` their shapes in steps of 0.1, as sums of products of Legendre
//! polynomials scaled to mean square 1. Within one symmetry frequencies do not cross as the aspect
//! moves, but come close and part, exchanging shapes: a mode is its number there. Between the
//! aspects of a table a cubic is laid through four of them, and the shape scaled to mean square 1
//! again; it is that of a plate at the aspects of the table, and nearly so between. `tests/bodies`
//! solves the problem anew and writes the files.

mod line;

pub use line::Line;

use crate::body::are_finite;

/// Modes in the table, in rising order at an aspect of 1.5.
pub const MODES: usize = 64;
/// Aspects with a shape, from 1 in steps of 0.1.
pub const ASPECTS: usize = 16;
/// Aspects with a frequency, from 1 in steps of 1/400: where two modes of one symmetry come close
/// and part, a cubic between coarser ones misses by 4e-4 (0.01) or 2e-3 (0.02).
pub const FINE_ASPECTS: usize = 601;
/// Of them in an aspect of 1.
pub const FINE_PER_ASPECT: f64 = 400.0;
/// Polynomials of one parity along x and along y.
pub const ALONG: usize = 12;
/// See [`ALONG`].
pub const ACROSS: usize = 9;
/// A coefficient of 1 in the table.
pub const UNIT: f64 = 32_000.0;

const TERMS: usize = ALONG * ACROSS;
/// Symmetry (u16: 2 odd along x + odd along y) and coefficients (i16); little-endian.
const RECORD: usize = 2 + 2 * TERMS;
static SHAPES: &[u8; ASPECTS * MODES * RECORD] = include_bytes!("shape.bin");
/// f32, little-endian.
static LAMBDAS: &[u8; FINE_ASPECTS * MODES * 4] = include_bytes!("lambda.bin");

/// Four neighbours in a table: the first of them, and their weights.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Cubic {
    first: usize,
    weights: [f64; 4],
}

impl Cubic {
    /// At `place` in a table of `count`.
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

/// Where an aspect lies in the tables.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Blend {
    shape: Cubic,
    lambda: Cubic,
}

impl Blend {
    /// Whether all of it are numbers.
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
            let start = ((self.shape.first + i) * MODES + mode) * RECORD;
            &SHAPES[start..start + RECORD]
        })
    }

    /// Frequency parameter of a mode.
    pub fn lambda(&self, mode: usize) -> f64 {
        let value = |i: usize| {
            let start = ((self.lambda.first + i) * MODES + mode) * 4;
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

    /// Shape of a mode at the point that `legendre` was made for; mean square 1.
    pub fn deflection(&self, mode: usize, legendre: &Legendre) -> f64 {
        let [a, b, c, d] = self.records(mode);
        let symmetry = usize::from(a[0] & 3);
        let [wa, wb, wc, wd] = self.shape.weights;
        let (mut shape, mut square) = ([0.0; LANES], [0.0; LANES]);
        // Several sums side by side: one alone would wait for itself at every term.
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

/// Sums side by side; a divisor of the number of terms.
const LANES: usize = 4;
#[allow(clippy::disallowed_macros, reason = "asserted while compiling")]
const _: () = assert!(TERMS.is_multiple_of(LANES));

/// The products of scaled Legendre polynomials at one point, for each symmetry.
#[derive(Clone, Copy, Debug)]
pub struct Legendre {
    products: [[f64; TERMS]; 4],
}

impl Legendre {
    /// At x, y of 0…1.
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
