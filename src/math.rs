//! Small numeric helpers that several modules share.

/// Cubic step from 0 to 1 for x from 0 to 1, with zero slope at both ends.
#[inline]
pub fn smoothstep(x: f64) -> f64 {
    x * x * (3.0 - 2.0 * x)
}

/// Linear interpolation: `a` at t = 0, `b` at t = 1.
#[inline]
pub fn lerp(a: f64, b: f64, t: f64) -> f64 {
    a + t * (b - a)
}

/// The value within a range, or `default` for NaN.
#[inline]
pub fn clamp_or(value: f64, low: f64, high: f64, default: f64) -> f64 {
    if value.is_nan() { default } else { value.clamp(low, high) }
}

/// Folds any position into 0…1, reflecting at both ends.
pub fn reflect(position: f64) -> f64 {
    let around = position.rem_euclid(2.0);
    if around > 1.0 { 2.0 - around } else { around }
}

/// The factor of a level in decibels.
pub fn db_to_gain(db: f64) -> f64 {
    10f64.powf(db / 20.0)
}

/// First-order high-pass that removes DC.
#[derive(Clone, Copy, Debug, Default)]
pub struct DcBlock {
    /// Last input.
    pub x1: f64,
    /// Last output.
    pub y1: f64,
}

impl DcBlock {
    /// Corner frequency, Hz.
    const CORNER_HZ: f64 = 5.0;
    /// A smaller output is set to 0, long before it becomes denormal.
    const FLOOR: f64 = 1e-30;

    /// The pole at a sample rate.
    pub fn pole(sample_rate_hz: f64) -> f64 {
        (-2.0 * std::f64::consts::PI * Self::CORNER_HZ / sample_rate_hz).exp()
    }

    /// Filters one sample.
    #[inline]
    pub fn process(&mut self, pole: f64, x: f64) -> f64 {
        let y = x - self.x1 + pole * self.y1;
        self.x1 = x;
        self.y1 = if y.abs() < Self::FLOOR { 0.0 } else { y };
        self.y1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_reflect_at_both_ends() {
        for (position, expected) in
            [(0.3, 0.3), (1.0, 1.0), (1.2, 0.8), (-0.1, 0.1), (2.3, 0.3), (-1.25, 0.75), (7.5, 0.5)]
        {
            assert!((reflect(position) - expected).abs() < 1e-12, "{position}");
        }
    }

    #[test]
    fn nan_becomes_the_default_and_the_rest_stays_in_range() {
        assert_eq!(clamp_or(f64::NAN, 0.0, 1.0, 0.5), 0.5);
        assert_eq!(clamp_or(f64::INFINITY, 0.0, 1.0, 0.5), 1.0);
        assert_eq!(clamp_or(-3.0, 0.0, 1.0, 0.5), 0.0);
    }

    #[test]
    fn interpolation_meets_its_ends() {
        assert_eq!((smoothstep(0.0), smoothstep(0.5), smoothstep(1.0)), (0.0, 0.5, 1.0));
        assert_eq!(
            (lerp(2.0, 6.0, 0.0), lerp(2.0, 6.0, 0.25), lerp(2.0, 6.0, 1.0)),
            (2.0, 3.0, 6.0)
        );
        assert!((db_to_gain(-20.0) - 0.1).abs() < 1e-15);
    }
}
