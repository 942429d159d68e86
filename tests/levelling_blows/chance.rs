//! Settings at random.

use super::{Case, Damping, REFERENCE, kinds};

/// Numbers from 0 to 1, the same for the same seed.
pub struct Chance(pub u64);

impl Chance {
    fn unit(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low * (high / low).powf(self.unit())
    }

    pub fn one_of<T: Copy>(&mut self, all: &[T]) -> T {
        all[((self.unit() * all.len() as f64) as usize).min(all.len() - 1)]
    }

    /// A blow of the reference hardness on a body that gives way.
    pub fn case(&mut self) -> Case {
        let kinds: Vec<_> = kinds().collect();
        let materials = ["Own", "Ceramic", "Glass", "Wood", "Plastic", "Iron", "Polycarbonate", "Steel", "Tin"];
        let (e, c, mu) =
            (self.one_of(&[0.3, 0.6, 0.9, 1.0]), self.between(1.0, 100.0), self.one_of(&[0.0, 0.1, 0.5, 1.0]));
        Case {
            kind: self.one_of(&kinds),
            material: self.one_of(&materials),
            size: self.between(0.25, 4.0),
            key: 36 + (self.unit() * 49.0) as u8,
            weight_kg: self.between(0.01, 10.0),
            striker_kg: self.between(0.001, 1.0),
            hardness: REFERENCE,
            is_two_way: true,
            damping: self.one_of(&[
                Damping::Mu(mu),
                Damping::Damper(c),
                Damping::Restitution(e),
                Damping::DampedRestitution(e),
            ]),
        }
    }
}
