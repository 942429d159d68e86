//! What weight does to a wanted restitution.
//!
//! The laws' dampings are for contacts without weight
//! ([`restitution`](crate::contact::restitution)). What rolls has its weight on all the time, and
//! hops so low that it counts: pressed down for longer and deeper, it would lose more than it
//! should (at 30 times the slowest landing, e = 0.8 would come out as 0.793; at 5 times, as 0.735).
//! So the damping of a landing is eased.
//!
//! In the units of the contact (lengths in `L = (m v^2/k)^(1/(n+1))`, velocities in v) weight is
//! the one further number `gamma = g L/v^2`. The share of the damping that is left is `1/(1 + gamma
//! q)`. `ln q` is a polynomial in `ln e`, `1/(n+1)` and `sqrt(gamma)`, fitted to numerical
//! solutions for e 0.02...0.98, n 1...3.5 and gamma up to that of the slowest landing. What is left
//! of the weight's error of e is below 6e-4.

mod terms;

use crate::contact::Law;
use terms::{OVER_WEIGHT, Terms};

/// Lowest restitution that was fitted; what is below takes its share.
const LOWEST_E: f64 = 0.02;

/// The polynomial over `sqrt(gamma)` for one restitution and one exponent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Weight([f64; OVER_WEIGHT]);

impl Weight {
    /// For a law with exponent `alpha` and a wanted restitution `e`, at most 1.
    pub(super) fn new(kind: Law, e: f64, alpha: f64) -> Self {
        let terms: &Terms = match kind {
            Law::HuntCrossley => &terms::HUNT_CROSSLEY,
            Law::HertzDamper => &terms::HERTZ_DAMPER,
        };
        let x = -0.5 * e.clamp(LOWEST_E, 1.0).ln() - 1.0;
        let y = (1.0 / (alpha + 1.0) - 0.36) / 0.14;
        let over_exponent = |k: usize| {
            move |rows: &[[f64; OVER_WEIGHT]; 3]| horner(rows.iter().map(|row| row[k]), y)
        };
        Self(std::array::from_fn(|k| horner(terms.iter().map(over_exponent(k)), x)))
    }

    /// Share of the damping that gives the same restitution under a weight of `gamma`.
    pub(super) fn share(&self, gamma: f64) -> f64 {
        let t = 2.0 * gamma.sqrt() - 1.0;
        1.0 / (1.0 + gamma * horner(self.0.iter().copied(), t).exp())
    }
}

/// The polynomial with these coefficients, the constant one first.
fn horner(coefficients: impl DoubleEndedIterator<Item = f64>, x: f64) -> f64 {
    coefficients.rev().fold(0.0, |sum, coefficient| sum * x + coefficient)
}
