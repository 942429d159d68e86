//! The parts of a prediction, each against another way to come by it; and what they come to together, as it was.

mod blows;
mod levels;
mod pieces;
mod rehearsals;
mod weighting;

use super::complex::Complex;

fn close(got: f64, wanted: f64, relative: f64) {
    assert!((got - wanted).abs() <= relative * wanted.abs(), "{got:e} instead of {wanted:e}");
}

fn close_both(got: Complex, wanted: (f64, f64), relative: f64) {
    let size = wanted.0.hypot(wanted.1);
    let off = (got.re - wanted.0).hypot(got.im - wanted.1);
    assert!(off <= relative * size, "{got:?} instead of {wanted:?}");
}

/// Integral over `end_s`, by Simpson's rule in so many pairs of steps.
fn integral(end_s: f64, pairs: u32, f: impl Fn(f64) -> f64) -> f64 {
    let h = end_s / f64::from(2 * pairs);
    let at = |n: u32| f(h * f64::from(n));
    let inner: f64 = (0..pairs).map(|n| 4.0 * at(2 * n + 1) + 2.0 * at(2 * n + 2)).sum();
    h / 3.0 * (at(0) + inner - at(2 * pairs))
}
