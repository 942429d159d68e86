//! A plain Fourier transform, for building tables. Not for the audio thread.

use std::f64::consts::PI;

/// A complex number as (re, im).
pub type Complex = (f64, f64);

/// Transform in place: `X_k = sum x_n e^(-2 pi i k n / N)`, with `inverse` the other sign and no scaling.
///
/// # Panics
/// Unless the length is a power of two.
#[allow(clippy::disallowed_macros, reason = "surfaces are made outside the audio thread")]
pub fn transform(data: &mut [Complex], inverse: bool) {
    let n = data.len();
    assert!(n.is_power_of_two(), "length {n} is no power of two");
    let bits = n.trailing_zeros();
    for i in 0..n {
        let j = if bits == 0 { 0 } else { i.reverse_bits() >> (usize::BITS - bits) };
        if i < j {
            data.swap(i, j);
        }
    }
    let sign = if inverse { 1.0 } else { -1.0 };
    // Every twiddle from its own sine: a recurrence would lose digits over 1e5 points.
    let twiddles: Vec<Complex> = (0..n / 2)
        .map(|i| {
            let (sin, cos) = (2.0 * PI * i as f64 / n as f64).sin_cos();
            (cos, sign * sin)
        })
        .collect();
    let mut half = 1;
    while half < n {
        let stride = n / (2 * half);
        for block in data.chunks_exact_mut(2 * half) {
            let (low, high) = block.split_at_mut(half);
            for (i, (a, b)) in low.iter_mut().zip(high).enumerate() {
                let w = twiddles[i * stride];
                let turned = (b.0 * w.0 - b.1 * w.1, b.0 * w.1 + b.1 * w.0);
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
        transform(&mut got, true);
        for (a, b) in got.iter().zip(&signal) {
            assert!((a.0 / n as f64 - b.0).hypot(a.1 / n as f64 - b.1) < 1e-13);
        }
    }
}
