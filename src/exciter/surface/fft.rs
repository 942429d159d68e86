//! A radix-2 Fourier transform for building tables; not for the audio thread.

use std::f64::consts::PI;

/// A complex number as (re, im).
pub type Complex = (f64, f64);

/// The factors `e^(-2 pi i k/N)`, for transforms of N values, and of N over a power of two.
#[derive(Clone, Debug)]
pub struct Twiddles {
    length: usize,
    half: Vec<Complex>,
}

impl Twiddles {
    /// Creates the factors for transforms of up to `length` values, a power of two.
    pub fn new(length: usize) -> Self {
        // Computed from separate sines: a recurrence would lose digits over 1e5 points.
        let turn = |i: usize| {
            let (sin, cos) = (2.0 * PI * i as f64 / length as f64).sin_cos();
            (cos, -sin)
        };
        Self { length, half: (0..length / 2).map(turn).collect() }
    }

    /// Cosine of k/n of a turn, k below n/2.
    pub fn cos(&self, k: usize, n: usize) -> f64 {
        self.half[k * (self.length / n)].0
    }
}

/// Transforms in place: `X_k = sum x_n e^(-2 pi i k n / N)`.
///
/// `inverse` uses the opposite sign, without scaling.
///
/// # Panics
/// Unless the length is a power of two.
pub fn transform(data: &mut [Complex], inverse: bool) {
    transform_with(&Twiddles::new(data.len()), data, inverse);
}

/// Transforms in place with precomputed factors.
///
/// # Panics
/// Unless the length is a power of two, and the factors cover it.
#[allow(clippy::disallowed_macros, reason = "surfaces are made outside the audio thread")]
pub fn transform_with(twiddles: &Twiddles, data: &mut [Complex], inverse: bool) {
    let n = data.len();
    assert!(n.is_power_of_two() && n <= twiddles.length, "length {n}");
    let bits = n.trailing_zeros();
    for i in 0..n {
        let j = if bits == 0 { 0 } else { i.reverse_bits() >> (usize::BITS - bits) };
        if i < j {
            data.swap(i, j);
        }
    }
    let sign = if inverse { -1.0 } else { 1.0 };
    let mut half = 1;
    while half < n {
        let stride = twiddles.length / (2 * half);
        for block in data.chunks_exact_mut(2 * half) {
            let (low, high) = block.split_at_mut(half);
            for ((a, b), (cos, sin)) in
                low.iter_mut().zip(high).zip(twiddles.half.iter().step_by(stride))
            {
                let (re, im) = (*cos, sign * sin);
                let turned = (b.0 * re - b.1 * im, b.0 * im + b.1 * re);
                *b = (a.0 - turned.0, a.1 - turned.1);
                *a = (a.0 + turned.0, a.1 + turned.1);
            }
        }
        half *= 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_the_sum_it_says_and_comes_back() {
        let n = 64;
        let signal: Vec<Complex> =
            (0..n).map(|i| ((i as f64 * 0.7).sin() + 0.1, (i as f64 * i as f64).cos())).collect();
        let mut got = signal.clone();
        transform(&mut got, false);
        for (k, value) in got.iter().enumerate() {
            let mut sum = (0.0, 0.0);
            for (i, x) in signal.iter().enumerate() {
                let (sin, cos) = (-2.0 * PI * (k * i) as f64 / n as f64).sin_cos();
                sum.0 += x.0 * cos - x.1 * sin;
                sum.1 += x.0 * sin + x.1 * cos;
            }
            assert!((value.0 - sum.0).hypot(value.1 - sum.1) < 1e-11, "bin {k}");
        }
        transform_with(&Twiddles::new(4 * n), &mut got, true);
        for (a, b) in got.iter().zip(&signal) {
            assert!((a.0 / n as f64 - b.0).hypot(a.1 / n as f64 - b.1) < 1e-13);
        }
    }
}
