//! Numbers that look random and depend on nothing but the seed and the place where they are used.

/// A number from -1 to 1 (the mixing step of SplitMix64).
pub fn signed_unit(seed: u64, count: u64) -> f64 {
    signed_unit_of(seed, 0, count)
}

/// The same with a sequence of its own for every `stream`; stream 0 is [`signed_unit`].
pub fn signed_unit_of(seed: u64, stream: u64, count: u64) -> f64 {
    let mut z = seed
        .wrapping_mul(0xD1B5_4A32_D192_ED03)
        .wrapping_add(stream.wrapping_mul(0xA24B_AED4_963E_E407))
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
    fn numbers_are_spread_evenly_and_repeat_with_their_seed() {
        let draw = |seed, stream| (0..10_000).map(|count| signed_unit_of(seed, stream, count)).collect::<Vec<_>>();
        let numbers = draw(3, 0);
        assert_eq!(numbers, draw(3, 0));
        assert_ne!(numbers, draw(4, 0));
        assert_ne!(numbers, draw(3, 1));
        let mean = numbers.iter().sum::<f64>() / 1e4;
        let power = numbers.iter().map(|x| x * x).sum::<f64>() / 1e4;
        assert!(mean.abs() < 0.03, "{mean}");
        assert!((power - 1.0 / 3.0).abs() < 0.02, "{power}");
        assert!(numbers.iter().all(|x| (-1.0..=1.0).contains(x)));
    }
}
