//! Where a key stands between left and right.
//!
//! Pan turns the two sides against each other at constant power: `(sqrt 2 cos, sqrt 2 sin)` of `(pan + 1) pi/4`. In the
//! middle nothing is touched, and one side alone is 3 dB louder.

use std::f64::consts::{FRAC_PI_4, SQRT_2};

use crate::patch::{Param, Patch};

/// The key in the middle.
const MIDDLE: f64 = 60.0;
/// Keys from the middle all the way to a side.
const REACH: f64 = 48.0;

/// Place of a key, -1 (left) to 1.
pub fn pan(patch: &Patch, key: u8) -> f64 {
    (patch.get(Param::KeyPan) * (f64::from(key) - MIDDLE) / REACH).clamp(-1.0, 1.0)
}

/// Factors of left and right for a place.
pub fn gains(pan: f64) -> [f64; 2] {
    // Exactly: what is in the middle is left alone to the last bit.
    if pan == 0.0 {
        return [1.0; 2];
    }
    let (sin, cos) = ((pan + 1.0) * FRAC_PI_4).sin_cos();
    [SQRT_2 * cos, SQRT_2 * sin]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_spread_at_constant_power_around_the_middle() {
        let mut patch = Patch::default();
        assert!((0..128).all(|key| pan(&patch, key) == 0.0));
        patch.set(Param::KeyPan, 1.0);
        assert_eq!([0, 12, 60, 84, 108, 127].map(|key| pan(&patch, key)), [-1.0, -1.0, 0.0, 0.5, 1.0, 1.0]);
        patch.set(Param::KeyPan, -0.5);
        assert_eq!([12, 108].map(|key| pan(&patch, key)), [0.5, -0.5]);
        for n in -10..=10 {
            let [left, right] = gains(f64::from(n) / 10.0);
            assert!((left * left + right * right - 2.0).abs() < 1e-12);
        }
        assert!(gains(1.0)[0].abs() < 1e-12 && gains(-1.0)[1].abs() < 1e-12);
    }
}
