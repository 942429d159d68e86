//! The uniform bar (Euler–Bernoulli), free at both ends or clamped at the near one.
//!
//! Modes are numbered from 0; x runs from 0 to 1 along the bar. The two rigid motions of a free bar make no
//! sound and are left out.

use std::f64::consts::PI;

/// Root number 0 of the free bar.
const FIRST_ROOT: f64 = 4.730_040_744_862_704;

/// From this mode on the roots are odd multiples of pi/2 to the last digit.
const PLAIN_FROM: usize = 12;

/// Steps of Newton's search for a root. It begins within 0.31 of it, and each step doubles the digits: five reach rounding.
const STEPS: u32 = 8;

/// Root number `mode` of `cos b cosh b = 1`, b > 0.
pub fn root(mode: usize) -> f64 {
    newton((2 * mode + 3) as f64 * PI / 2.0, mode, 1.0)
}

/// Root number `mode` of `cos b cosh b = -1`, b > 0: the bar clamped at x = 0.
pub fn clamped_root(mode: usize) -> f64 {
    newton((2 * mode + 1) as f64 * PI / 2.0, mode, -1.0)
}

fn newton(start: f64, mode: usize, sign: f64) -> f64 {
    let mut b = start;
    if mode >= PLAIN_FROM {
        return b;
    }
    for _ in 0..STEPS {
        let sech = sign / b.cosh();
        b -= (b.cos() - sech) / (-b.sin() + sech * b.tanh());
    }
    b
}

/// Frequency of a mode of the free bar in units of the lowest one.
pub fn ratio(mode: usize) -> f64 {
    (root(mode) / FIRST_ROOT).powi(2)
}

/// `e^-a`, or 0 where nothing of it is left beside 1.
fn vanishing(a: f64) -> f64 {
    if a > 40.0 { 0.0 } else { (-a).exp() }
}

/// Deflection at x of the mode with root b, scaled so that its mean square over the bar is 1 (2 at the ends).
///
/// `cosh bx + cos bx - s (sinh bx + sin bx)`, `s = (cosh b - cos b)/(sinh b - sin b)`, with the growing
/// exponentials multiplied out by hand: as written it loses every digit from the tenth mode on.
pub fn deflection(b: f64, x: f64) -> f64 {
    let x = x.clamp(0.0, 1.0);
    let (sin_b, cos_b) = b.sin_cos();
    let decay = vanishing(b);
    // (1 - s)/2 e^b
    let far = (cos_b - sin_b - decay) / (1.0 - decay * decay - 2.0 * decay * sin_b);
    // s itself is 1 but for terms in e^-b
    let s = 1.0 - 2.0 * far * decay;
    let (sin_bx, cos_bx) = (b * x).sin_cos();
    far * vanishing(b * (1.0 - x)) + 0.5 * (1.0 + s) * vanishing(b * x) + cos_bx - s * sin_bx
}

/// Deflection at x of the mode with root b of the bar clamped at x = 0; mean square 1, 2 in size at the free end.
///
/// `cosh bx - cos bx - s (sinh bx - sin bx)`, `s = (cosh b + cos b)/(sinh b + sin b)`, multiplied out as above.
pub fn clamped_deflection(b: f64, x: f64) -> f64 {
    let x = x.clamp(0.0, 1.0);
    let (sin_b, cos_b) = b.sin_cos();
    let decay = vanishing(b);
    let far = (sin_b - cos_b - decay) / (1.0 - decay * decay + 2.0 * decay * sin_b);
    let s = 1.0 - 2.0 * far * decay;
    let (sin_bx, cos_bx) = (b * x).sin_cos();
    far * vanishing(b * (1.0 - x)) + 0.5 * (1.0 + s) * vanishing(b * x) - cos_bx + s * sin_bx
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
    fn a_clamped_bar_has_the_textbooks_roots_and_stays_put_at_its_clamp() {
        let known = [1.875104, 4.694091, 7.854757, 10.995541, 14.137168, 17.278760, 20.420352, 23.561945];
        for (mode, b) in known.into_iter().enumerate() {
            assert!((clamped_root(mode) - b).abs() < 1e-6, "mode {mode}: {}", clamped_root(mode));
        }
        for mode in 0..crate::body::MAX_MODES {
            let b = clamped_root(mode);
            assert!(clamped_deflection(b, 0.0).abs() < 1e-9, "mode {mode} at the clamp");
            assert!((clamped_deflection(b, 1.0).abs() - 2.0).abs() < 1e-9, "mode {mode} at the end");
        }
    }

    #[test]
    fn the_plain_roots_join_the_solved_ones() {
        assert!((root(0) / FIRST_ROOT - 1.0).abs() < 1e-15);
        for (sign, start) in [(1.0, 3), (-1.0, 1)] {
            let solved = newton((2 * PLAIN_FROM + start) as f64 * PI / 2.0, 0, sign);
            let plain = newton((2 * PLAIN_FROM + start) as f64 * PI / 2.0, PLAIN_FROM, sign);
            assert!((solved / plain - 1.0).abs() < 1e-15);
        }
    }

    #[test]
    fn the_lowest_mode_rests_where_mallet_players_know() {
        assert!(deflection(root(0), 0.2242).abs() < 1e-3);
        assert!((deflection(root(0), 0.5) + 1.2156).abs() < 1e-4);
        assert!(deflection(root(1), 0.5).abs() < 1e-9);
    }
}
