//! Bars (Euler–Bernoulli): free at both ends, or clamped at x = 0; uniform, or tuned by a cut.
//!
//! Modes are numbered from 0; x runs from 0 to 1 along the bar. The two rigid-body motions of a
//! free bar make no sound and are left out.

use std::f64::consts::PI;

/// The first roots of the free bar. All further ones are odd multiples of pi/2 to the last digit.
#[rustfmt::skip]
const FREE_ROOTS: [f64; 12] = [
    4.730_040_744_862_704, 7.853_204_624_095_838, 10.995_607_838_001_671, 14.137_165_491_257_464,
    17.278_759_657_399_48, 20.420_352_245_626_06, 23.561_944_902_040_455, 26.703_537_555_508_188,
    29.845_130_209_103_253, 32.986_722_862_692_82, 36.128_315_516_282_626, 39.269_908_169_872_416,
];

/// The same for the bar clamped at one end.
#[rustfmt::skip]
const CLAMPED_ROOTS: [f64; 12] = [
    1.875_104_068_711_961_1, 4.694_091_132_974_175, 7.854_757_438_237_613, 10.995_540_734_875_467,
    14.137_168_391_046_47, 17.278_759_532_088_237, 20.420_352_251_041_25, 23.561_944_901_806_445,
    26.703_537_555_518_3, 29.845_130_209_102_816, 32.986_722_862_692_84, 36.128_315_516_282_62,
];

/// Root number `mode` of `cos b cosh b = 1`, b > 0.
pub fn root(mode: usize) -> f64 {
    FREE_ROOTS.get(mode).copied().unwrap_or((2 * mode + 3) as f64 * PI / 2.0)
}

/// Root number `mode` of `cos b cosh b = -1`, b > 0: the bar clamped at x = 0.
pub fn clamped_root(mode: usize) -> f64 {
    CLAMPED_ROOTS.get(mode).copied().unwrap_or((2 * mode + 1) as f64 * PI / 2.0)
}

/// Frequency of a mode of the free bar in units of the lowest one.
pub fn ratio(mode: usize) -> f64 {
    (root(mode) / FREE_ROOTS[0]).powi(2)
}

/// `e^-a`, or 0 where it is negligible beside 1.
fn decaying_exp(a: f64) -> f64 {
    if a > 40.0 { 0.0 } else { (-a).exp() }
}

/// Deflection at x of the mode with root b, scaled so that its mean square over the bar is 1 (2 at
/// the ends).
///
/// `cosh bx + cos bx - s (sinh bx + sin bx)`, `s = (cosh b - cos b)/(sinh b - sin b)`, with the
/// growing exponentials multiplied out: as written it loses every digit from the tenth mode on.
pub fn deflection(b: f64, x: f64) -> f64 {
    let x = x.clamp(0.0, 1.0);
    let (sin_b, cos_b) = b.sin_cos();
    let decay = decaying_exp(b);
    // (1 - s)/2 e^b
    let far = (cos_b - sin_b - decay) / (1.0 - decay * decay - 2.0 * decay * sin_b);
    // s is 1 apart from terms in e^-b
    let s = 1.0 - 2.0 * far * decay;
    let (sin_bx, cos_bx) = (b * x).sin_cos();
    far * decaying_exp(b * (1.0 - x)) + 0.5 * (1.0 + s) * decaying_exp(b * x) + cos_bx - s * sin_bx
}

/// Deflection at x of the mode with root b of the bar clamped at x = 0; mean square 1, 2 in size at
/// the free end.
///
/// `cosh bx - cos bx - s (sinh bx - sin bx)`, `s = (cosh b + cos b)/(sinh b + sin b)`, multiplied
/// out as above.
pub fn clamped_deflection(b: f64, x: f64) -> f64 {
    let x = x.clamp(0.0, 1.0);
    let (sin_b, cos_b) = b.sin_cos();
    let decay = decaying_exp(b);
    let far = (sin_b - cos_b - decay) / (1.0 - decay * decay + 2.0 * decay * sin_b);
    let s = 1.0 - 2.0 * far * decay;
    let (sin_bx, cos_bx) = (b * x).sin_cos();
    far * decaying_exp(b * (1.0 - x)) + 0.5 * (1.0 + s) * decaying_exp(b * x) - cos_bx + s * sin_bx
}

/// Marimba: two octaves, three octaves and a third, and 20 (Rossing; Hill and Errede).
pub const MARIMBA: &[f64] = &[1.0, 4.0, 10.0, 20.0];

/// Xylophone, quint tuning: a twelfth, and about 6.
pub const XYLOPHONE: &[f64] = &[1.0, 3.0, 6.0];

/// A vibraphone bar as measured (Csound manual, table of modal frequency ratios).
pub const VIBRAPHONE: &[f64] = &[1.0, 3.984, 10.668, 17.979, 23.679, 33.642];

/// Frequency of a mode of a bar whose underside is cut to tune the lower modes, in units of the
/// lowest one.
///
/// Above the data it continues as the free bar, `r_n = r_last (b_n/b_last)^2`. Its shapes are those
/// of the uniform free bar, an approximation: nodes of an undercut bar lie some per cent nearer to
/// the ends.
pub fn tuned_ratio(data: &[f64], mode: usize) -> f64 {
    let last = data.len() - 1;
    let growth = data[last] / root(last).powi(2);
    data.get(mode).copied().unwrap_or_else(|| growth * root(mode).powi(2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roots_are_those_of_the_textbooks() {
        let known =
            [4.730041, 7.853205, 10.995608, 14.137165, 17.278760, 20.420352, 23.561945, 26.703538];
        for (mode, b) in known.into_iter().enumerate() {
            assert!((root(mode) - b).abs() < 1e-6, "mode {mode}: {}", root(mode));
        }
        let ratios = [
            1.0, 2.7565, 5.4039, 8.9330, 13.3443, 18.6379, 24.8138, 31.8719, 39.8123, 48.6350,
            58.3399, 68.9271,
        ];
        for (mode, r) in ratios.into_iter().enumerate() {
            assert!((ratio(mode) / r - 1.0).abs() < 1e-4, "mode {mode}: {}", ratio(mode));
        }
    }

    #[test]
    fn a_clamped_bar_has_the_textbooks_roots_and_does_not_move_at_its_clamp() {
        let known =
            [1.875104, 4.694091, 7.854757, 10.995541, 14.137168, 17.278760, 20.420352, 23.561945];
        for (mode, b) in known.into_iter().enumerate() {
            assert!((clamped_root(mode) - b).abs() < 1e-6, "mode {mode}: {}", clamped_root(mode));
        }
        for mode in 0..crate::body::MAX_MODES {
            let b = clamped_root(mode);
            assert!(clamped_deflection(b, 0.0).abs() < 1e-9, "mode {mode} at the clamp");
            assert!(
                (clamped_deflection(b, 1.0).abs() - 2.0).abs() < 1e-9,
                "mode {mode} at the end"
            );
        }
    }

    #[test]
    fn roots_solve_their_equations() {
        for mode in 0..20 {
            for (b, sign) in [(root(mode), 1.0), (clamped_root(mode), -1.0)] {
                let sech = sign / b.cosh();
                let correction = (b.cos() - sech) / (-b.sin() + sech * b.tanh());
                assert!(correction.abs() < 3e-16 * b, "mode {mode}, {sign}: off by {correction:e}");
            }
        }
    }

    #[test]
    fn the_lowest_mode_has_its_nodes_where_mallet_players_know_them() {
        assert!(deflection(root(0), 0.2242).abs() < 1e-3);
        assert!((deflection(root(0), 0.5) + 1.2156).abs() < 1e-4);
        assert!(deflection(root(1), 0.5).abs() < 1e-9);
    }
}
