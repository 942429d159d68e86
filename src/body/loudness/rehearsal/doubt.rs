//! How far a rehearsal in coarse steps is to be trusted.
//!
//! Found by holding 110 000 blows at random against the steps in which they are played. What is off is a small difference of what was
//! given and taken back, or has turned on a touch; and a body of few modes has none that make up for others.

use super::Rehearsal;
use super::course::Course;

/// A striker that takes more than this share of its speed back with it leaves a small difference of what it gave and got, which so
/// coarse steps may miss by 4 dB: the blow is rehearsed again, ...
const DELICATE: f64 = 0.8;
/// ... if it took more steps than a plain contact has, ...
const DELICATE_STEPS: u32 = 100;
/// ... or next to nothing is left; ...
const MOST_DELICATE: f64 = 0.95;
/// ... in steps so many times as fine: one that was soon over, and one that was not. So the second has room in
/// [`MOST_FINER_STEPS`](super::MOST_FINER_STEPS).
const FINER: (u32, u32) = (4, 2);
const SOON_OVER_STEPS: u32 = 720;
/// On a body of no more modes than this a single touch tells, and one that is missed: where the striker touched again, or is heavier than
/// [`HEAVY`] as the contact feels it, the blow is rehearsed again in the second of these.
const FEW_MODES: usize = 32;
const HEAVY: f64 = 0.5;

/// After so many touches no steps but its own tell what becomes of a blow on a body of hardly any modes, ...
const WILD: (u32, usize) = (8, 24);
/// ... and after so many on any, ...
const WILD_ON_ANY: u32 = 100;
/// ... or where the striker is so many times as heavy as what it feels, and rides on it until its steps get scarce.
const WILD_LIGHTNESS: f64 = 1e4;
/// Two rehearsals that are further apart than this, as power, are both in doubt: 0.8 dB ...
const APART: f64 = 1.2;
/// ... and on hardly any modes, with so many touches, 0.25 dB.
const APART_IF_TOUCHED: (f64, u32) = (1.06, 2);

impl Course {
    /// How many times finer steps are worth their while on so many modes, for a striker that came at `v_in_m_per_s` and is `lightness`
    /// times as heavy as what it met.
    pub(super) fn worth_finer(&self, v_in_m_per_s: f64, lightness: f64, modes: usize) -> Option<u32> {
        let taken_back = -self.v_m_per_s / v_in_m_per_s;
        let is_delicate = taken_back > DELICATE && self.steps >= DELICATE_STEPS || taken_back > MOST_DELICATE;
        let is_touchy = modes <= FEW_MODES && (self.returns > 0 || lightness > HEAVY);
        let is_soon_over = self.steps <= SOON_OVER_STEPS;
        (is_delicate || is_touchy).then_some(if is_delicate && is_soon_over { FINER.0 } else { FINER.1 })
    }

    /// Whether only its own steps tell what becomes of it, on so many modes; `lightness` as above.
    pub(super) fn is_wild(&self, lightness: f64, modes: usize) -> bool {
        self.returns >= WILD.0 && modes <= WILD.1 || self.returns >= WILD_ON_ANY || lightness > WILD_LIGHTNESS
    }

    /// The same by what another rehearsal has left, as power, per what this one has.
    pub(super) fn is_doubted(&self, modes: usize, other: f64) -> bool {
        let is_touched = modes <= WILD.1 && self.returns >= APART_IF_TOUCHED.1;
        other.max(1.0 / other) > if is_touched { APART_IF_TOUCHED.0 } else { APART }
    }
}

impl Rehearsal {
    /// Power of what the modes are left with, as the pickups hear it.
    pub(in crate::body::loudness) fn power(&self) -> f64 {
        let heard = |i: usize| self.left[i] * self.left[i] + self.right[i] * self.right[i];
        (0..self.len).map(|i| heard(i) * (self.y_re[i] * self.y_re[i] + self.y_im[i] * self.y_im[i])).sum()
    }
}
