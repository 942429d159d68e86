//! One note, one blow.

use crate::contact::ContactSettings;
use crate::patch::{Param, Patch};

/// Largest distance between a scattered blow and the strike point, in lengths of the body.
const WIDEST_SCATTER: f64 = 0.1;

/// A blow about to fall: what touches, how fast, and where.
#[derive(Clone, Copy, Debug)]
pub struct Blow {
    /// The contact it will make.
    pub contact: ContactSettings,
    /// Speed at first touch, m/s.
    pub speed_m_per_s: f64,
    /// Where on the body, 0…1.
    pub point: f64,
}

impl Blow {
    /// The blow of note number `count` since the last reset, with velocity 0…1.
    pub fn of_note(patch: &Patch, velocity: f64, count: u64) -> Self {
        let seed = patch.get(Param::Seed) as u64;
        let aside = WIDEST_SCATTER * patch.get(Param::Scatter) * signed_unit(seed, count);
        Self {
            contact: patch.contact(),
            speed_m_per_s: patch.impact_speed_m_per_s(velocity),
            point: (patch.get(Param::Position) + aside).clamp(0.0, 1.0),
        }
    }
}

/// A number from -1 to 1 that looks random and depends on nothing but the seed and the count
/// (the mixing step of SplitMix64).
fn signed_unit(seed: u64, count: u64) -> f64 {
    let mut z = seed
        .wrapping_mul(0xD1B5_4A32_D192_ED03)
        .wrapping_add(count.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15));
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^= z >> 31;
    // 53 bits fill a double
    (z >> 11) as f64 / (1u64 << 52) as f64 - 1.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scatter_is_spread_evenly_and_repeats_with_its_seed() {
        let draw = |seed| (0..10_000).map(|count| signed_unit(seed, count)).collect::<Vec<_>>();
        let numbers = draw(3);
        assert_eq!(numbers, draw(3));
        assert_ne!(numbers, draw(4));
        let mean = numbers.iter().sum::<f64>() / 1e4;
        let power = numbers.iter().map(|x| x * x).sum::<f64>() / 1e4;
        assert!(mean.abs() < 0.03, "{mean}");
        assert!((power - 1.0 / 3.0).abs() < 0.02, "{power}");
        assert!(numbers.iter().all(|x| (-1.0..=1.0).contains(x)));
    }
}
