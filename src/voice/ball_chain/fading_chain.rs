//! What is left of a row when another takes its place.

use crate::rigid_body::chain::{Chain, Forces, MAX_CONTACTS};

/// A row that another has taken the place of: only what touched then is left of it.
#[derive(Clone, Debug)]
pub struct FadingChain {
    pub chain: Chain,
    /// Which contacts have not come apart yet.
    pub touch: [bool; MAX_CONTACTS],
    /// How far they are from having lifted off, 1 to 0.
    pub hold: f64,
}

impl FadingChain {
    /// One step; the forces that are left of it.
    pub fn step(&mut self, h_s: f64) -> Forces {
        self.chain.step(h_s);
        let share = crate::math::smoothstep(self.hold);
        std::array::from_fn(|i| {
            self.touch[i] &= self.chain.forces_n()[i] > 0.0;
            if self.touch[i] { share * self.chain.forces_n()[i] } else { 0.0 }
        })
    }
}
