//! The one random generator: SplitMix64 (Steele, Lea, Flood 2014), seeded and reproducible.

/// Increment of the state per number.
const STEP: u64 = 0x9E37_79B9_7F4A_7C15;
/// Odd factor that spreads neighbouring seeds.
const SEED_FACTOR: u64 = 0xD1B5_4A32_D192_ED03;

/// The mixing step of SplitMix64.
fn mixed(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// Uniform in [0, 1) from the upper 53 bits.
fn unit(bits: u64) -> f64 {
    (bits >> 11) as f64 / (1u64 << 53) as f64
}

/// Number `count` of a seed, uniform in -1…1.
pub fn signed_unit(seed: u64, count: u64) -> f64 {
    signed_unit_of(seed, 0, count)
}

/// Number `count` of one of the independent streams of a seed; stream 0 is [`signed_unit`].
pub fn signed_unit_of(seed: u64, stream: u64, count: u64) -> f64 {
    let state = seed
        .wrapping_mul(SEED_FACTOR)
        .wrapping_add(stream.wrapping_mul(0xA24B_AED4_963E_E407))
        .wrapping_add(count.wrapping_add(1).wrapping_mul(STEP));
    2.0 * unit(mixed(state)) - 1.0
}

/// A sequence of random numbers.
#[derive(Clone, Copy, Debug)]
pub struct Random(u64);

impl Random {
    /// The sequence of a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The sequence of one of the independent streams of a seed.
    pub fn of_stream(seed: u64, stream: u64) -> Self {
        let mut random =
            Self(seed.wrapping_mul(SEED_FACTOR) ^ stream.wrapping_mul(0x8CB9_2BA7_2F3D_8DD7));
        random.unit();
        random
    }

    /// Uniform in [0, 1).
    pub fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(STEP);
        unit(mixed(self.0))
    }

    /// Uniform in `low`…`high`.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// Uniform in -1…1.
    pub fn signed(&mut self) -> f64 {
        2.0 * self.unit() - 1.0
    }

    /// Standard normal (Box and Muller).
    pub fn normal(&mut self) -> f64 {
        let (u, v) = (1.0 - self.unit(), self.unit());
        (-2.0 * u.ln()).sqrt() * (std::f64::consts::TAU * v).cos()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_spread_evenly_and_repeat_with_their_seed() {
        let draw = |seed, stream| {
            (0..10_000).map(|count| signed_unit_of(seed, stream, count)).collect::<Vec<_>>()
        };
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

    #[test]
    fn a_sequence_is_that_of_the_algorithm_and_normal_numbers_are_normal() {
        // The first three numbers of SplitMix64 from 1234567, as its authors' code gives them.
        let mut random = Random::new(1_234_567);
        for bits in
            [6_457_827_717_110_365_317u64, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]
        {
            assert_eq!(random.unit(), (bits >> 11) as f64 / 2f64.powi(53));
        }
        let numbers: Vec<f64> = (0..10_000).map(|_| random.normal()).collect();
        let moment = |power: i32| numbers.iter().map(|x| x.powi(power)).sum::<f64>() / 1e4;
        assert!(
            moment(1).abs() < 0.03
                && (moment(2) - 1.0).abs() < 0.05
                && (moment(4) - 3.0).abs() < 0.3
        );
    }
}
