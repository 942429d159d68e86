//! The uniform free-free bar (Euler–Bernoulli).
//!
//! Modes are numbered from 0; x runs from 0 to 1 along the bar. The two rigid motions of a free bar make no
//! sound and are left out.

use std::f64::consts::PI;

/// Root number `mode` of `cos b cosh b = 1`, b > 0.
pub fn root(mode: usize) -> f64 {
    let mut b = (2 * mode + 3) as f64 * PI / 2.0;
    // The start is within 0.018 of the root, and Newton doubles the digits at each step.
    for _ in 0..6 {
        let sech = 1.0 / b.cosh();
        b -= (b.cos() - sech) / (-b.sin() + sech * b.tanh());
    }
    b
}

/// Frequency of a mode in units of the lowest one.
pub fn ratio(mode: usize) -> f64 {
    (root(mode) / root(0)).powi(2)
}

/// Deflection at x of the mode with root b, scaled so that its mean square over the bar is 1 (2 at the ends).
///
/// `cosh bx + cos bx - s (sinh bx + sin bx)`, `s = (cosh b - cos b)/(sinh b - sin b)`, with the growing
/// exponentials multiplied out by hand: as written it loses every digit from the tenth mode on.
pub fn deflection(b: f64, x: f64) -> f64 {
    let x = x.clamp(0.0, 1.0);
    let (sin_b, cos_b) = b.sin_cos();
    let decay = (-b).exp();
    // (1 - s)/2 e^b
    let far = (cos_b - sin_b - decay) / (1.0 - decay * decay - 2.0 * decay * sin_b);
    // s itself is 1 but for terms in e^-b
    let s = 1.0 - 2.0 * far * decay;
    let (sin_bx, cos_bx) = (b * x).sin_cos();
    far * (-b * (1.0 - x)).exp() + 0.5 * (1.0 + s) * (-b * x).exp() + cos_bx - s * sin_bx
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roots_are_those_of_the_textbooks() {
        let known = [4.730041, 7.853205, 10.995608, 14.137165, 17.278760, 20.420352, 23.561945, 26.703538];
        for (mode, b) in known.into_iter().enumerate() {
            assert!((root(mode) - b).abs() < 1e-6, "mode {mode}: {}", root(mode));
        }
        let ratios =
            [1.0, 2.7565, 5.4039, 8.9330, 13.3443, 18.6379, 24.8138, 31.8719, 39.8123, 48.6350, 58.3399, 68.9271];
        for (mode, r) in ratios.into_iter().enumerate() {
            assert!((ratio(mode) / r - 1.0).abs() < 1e-4, "mode {mode}: {}", ratio(mode));
        }
    }

    #[test]
    fn shapes_are_orthonormal_with_two_at_the_ends() {
        let steps = 4000;
        let simpson = |n: usize| match n {
            0 => 1.0,
            n if n == steps => 1.0,
            n if n % 2 == 1 => 4.0,
            _ => 2.0,
        };
        for i in 0..32 {
            let bi = root(i);
            assert!((deflection(bi, 0.0) - 2.0).abs() < 1e-9, "mode {i} at its end");
            assert!((deflection(bi, 1.0).abs() - 2.0).abs() < 1e-9, "mode {i} at its other end");
            for j in 0..=i {
                let bj = root(j);
                let product: f64 = (0..=steps)
                    .map(|n| {
                        let x = n as f64 / steps as f64;
                        simpson(n) * deflection(bi, x) * deflection(bj, x)
                    })
                    .sum::<f64>()
                    / (3.0 * steps as f64);
                let expected = if i == j { 1.0 } else { 0.0 };
                assert!((product - expected).abs() < 1e-4, "modes {i}, {j}: {product}");
            }
        }
    }

    #[test]
    fn the_lowest_mode_rests_where_mallet_players_know() {
        assert!(deflection(root(0), 0.2242).abs() < 1e-3);
        assert!((deflection(root(0), 0.5) + 1.2156).abs() < 1e-4);
        assert!(deflection(root(1), 0.5).abs() < 1e-9);
    }
}
