//! Elementary functions without cancellation near zero, the gamma function, and a root finder.

/// `(u - ln(1+u)) / u^2`, 1/2 at `u = 0`; for `u > -1`.
///
/// With s = u/(2+u), ln(1+u) = 2 atanh s, and the leading terms cancel analytically.
#[inline]
pub fn log_gap(u: f64) -> f64 {
    if u.abs() > 0.3 {
        return (u - u.ln_1p()) / (u * u);
    }
    let half = 1.0 / (2.0 + u);
    let s = u * half;
    let s2 = s * s;
    let mut tail = 1.0 / 21.0;
    for odd in [19.0, 17.0, 15.0, 13.0, 11.0, 9.0, 7.0, 5.0, 3.0] {
        tail = 1.0 / odd + s2 * tail;
    }
    half - 2.0 * s * half * half * tail
}

/// `1/(n+2)!`: the Taylor coefficients of [`exp_gap`].
const EXP_GAP: [f64; 16] = [
    1.0 / 2.0,
    1.0 / 6.0,
    1.0 / 24.0,
    1.0 / 120.0,
    1.0 / 720.0,
    1.0 / 5_040.0,
    1.0 / 40_320.0,
    1.0 / 362_880.0,
    1.0 / 3_628_800.0,
    1.0 / 39_916_800.0,
    1.0 / 479_001_600.0,
    1.0 / 6_227_020_800.0,
    1.0 / 87_178_291_200.0,
    1.0 / 1_307_674_368_000.0,
    1.0 / 20_922_789_888_000.0,
    1.0 / 355_687_428_096_000.0,
];

/// `(e^w - 1 - w) / w^2`, 1/2 at `w = 0`.
#[inline]
pub fn exp_gap(w: f64) -> f64 {
    if w.abs() > 1.0 {
        return (w.exp_m1() - w) / (w * w);
    }
    // The first omitted term is below rounding: at 1 after sixteen terms, at 0.02 after six. The
    // terms are summed in groups of four: one long chain of dependent operations takes twice as
    // long as the rest of a contact step.
    let w2 = w * w;
    let four = |at: usize| {
        (EXP_GAP[at] + w * EXP_GAP[at + 1]) + w2 * (EXP_GAP[at + 2] + w * EXP_GAP[at + 3])
    };
    let w4 = w2 * w2;
    if w.abs() < 0.02 {
        return four(0) + w4 * (EXP_GAP[4] + w * EXP_GAP[5]);
    }
    (four(0) + w4 * four(4)) + w4 * w4 * (four(8) + w4 * four(12))
}

/// `(e^w - 1) / w`, 1 at `w = 0`.
#[inline]
pub fn exp_ratio(w: f64) -> f64 {
    if w.abs() > 1.0 { w.exp_m1() / w } else { 1.0 + w * exp_gap(w) }
}

/// `ln(1+u) / u`, 1 at `u = 0`.
#[inline]
pub fn log_ratio(u: f64) -> f64 {
    if u == 0.0 { 1.0 } else { u.ln_1p() / u }
}

/// The gamma function for `x >= 0.5`, to about 1e-15 (Lanczos, g = 7, nine coefficients).
pub fn gamma(x: f64) -> f64 {
    const FIRST: f64 = 0.999_999_999_999_809_9;
    const REST: [f64; 8] = [
        676.520_368_121_885_1,
        -1_259.139_216_722_402_8,
        771.323_428_777_653_1,
        -176.615_029_162_140_6,
        12.507_343_278_686_905,
        -0.138_571_095_265_720_12,
        9.984_369_578_019_572e-6,
        1.505_632_735_149_311_6e-7,
    ];
    let z = x - 1.0;
    let mut sum = FIRST;
    let mut place = 1.0;
    for coefficient in REST {
        sum += coefficient / (z + place);
        place += 1.0;
    }
    let t = z + 7.5;
    (2.0 * std::f64::consts::PI).sqrt() * t.powf(z + 0.5) * (-t).exp() * sum
}

/// Brackets the root of a falling function by the Illinois variant of regula falsi.
///
/// `ends` are `(x, f(x))` of both ends, in rising order. Ends when the bracket is no wider than
/// `width`, when `|f|` is at most `residual` (both ends are then the same), or after
/// `max_evaluations`.
pub fn illinois(
    f: impl Fn(f64) -> f64,
    ends: [(f64, f64); 2],
    width: f64,
    residual: f64,
    max_evaluations: u32,
) -> [f64; 2] {
    let [(mut low, mut above), (mut high, mut below)] = ends;
    let mut side = 0;
    for _ in 0..max_evaluations {
        if high - low <= width || above <= 0.0 {
            break;
        }
        let mut middle = (low * below - high * above) / (below - above);
        if !(middle > low && middle < high) {
            middle = 0.5 * (low + high);
        }
        let value = f(middle);
        if value.abs() <= residual {
            return [middle; 2];
        }
        if value > 0.0 {
            (low, above) = (middle, value);
            below *= if side == 1 { 0.5 } else { 1.0 };
            side = 1;
        } else {
            (high, below) = (middle, value);
            above *= if side == -1 { 0.5 } else { 1.0 };
            side = -1;
        }
    }
    [low, high]
}

#[cfg(test)]
mod tests {
    use super::*;

    // A discontinuity between the branches would be a jump of the compression.
    #[test]
    fn the_series_join_the_direct_forms() {
        for edge in [0.3, -0.3] {
            let direct: f64 = (edge - f64::ln_1p(edge)) / (edge * edge);
            assert!((log_gap(edge) / direct - 1.0).abs() < 2e-15);
        }
        for edge in [1.0, -1.0, 0.02, -0.02, 0.019_999, -0.019_999] {
            let direct: f64 = (f64::exp_m1(edge) - edge) / (edge * edge);
            // The direct form loses 1/w of its digits.
            assert!((exp_gap(edge) / direct - 1.0).abs() < 1e-15 / f64::abs(edge));
            assert!((exp_ratio(edge) * edge / f64::exp_m1(edge) - 1.0).abs() < 1e-15);
        }
        assert_eq!(log_gap(0.0), 0.5);
        assert_eq!(exp_gap(0.0), 0.5);
    }

    #[test]
    fn gamma_has_its_known_values() {
        assert!((gamma(0.5) / std::f64::consts::PI.sqrt() - 1.0).abs() < 1e-14);
        assert!((gamma(5.0) / 24.0 - 1.0).abs() < 1e-14);
        assert!((gamma(1.4) / 0.887_263_817_503_075_3 - 1.0).abs() < 1e-14);
    }
}
