//! How long each step of a sample is.
//!
//! A contact of steel lasts a few millionths of a second and needs hundreds of steps per sample; the flight before and after it
//! needs none of them, for both sides then have exact solutions. So every step of a sample has its own length: that of
//! the contact while something touches, and otherwise the longest in which nothing can.

use super::MOST_STEPS;

/// Lengths in flight are powers of this many of the shortest, so that few of them have to be prepared.
const LEAP: u32 = 4;

/// What passes of one sample, in parts of `1/MOST_STEPS`: so that it ends exactly, whatever the steps are, and after no more than
/// [`MOST_STEPS`] of them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stride {
    gone: u32,
    /// Where the search for the next step in flight begins.
    hope: u32,
    /// Steps that were made, and the shortest of them.
    pub steps: u32,
    pub shortest: u32,
}

impl Default for Stride {
    fn default() -> Self {
        Self { gone: 0, hope: MOST_STEPS, steps: 0, shortest: MOST_STEPS }
    }
}

impl Stride {
    /// What is left of the sample.
    pub fn room(&self) -> u32 {
        MOST_STEPS - self.gone
    }

    /// The next step where something touches: `fine`, a power of two, or what there is room for.
    pub fn touching(&self, fine: u32) -> u32 {
        if fine <= self.room() { fine } else { 1 << self.room().ilog2() }
    }

    /// The longest step above `fine` that is `clear`; none if there is no such step.
    pub fn flying(&self, fine: u32, mut clear: impl FnMut(u32) -> bool) -> Option<u32> {
        let mut step = MOST_STEPS;
        while step > fine {
            if step <= self.room().min(self.hope) && clear(step) {
                return Some(step);
            }
            step /= LEAP;
        }
        None
    }

    /// Let a step go by.
    pub fn pass(&mut self, step: u32) {
        self.gone += step;
        self.hope = step.saturating_mul(LEAP);
        self.steps += 1;
        self.shortest = self.shortest.min(step);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_steps_end_with_the_sample() {
        for seed in 1..200u32 {
            let (mut stride, mut dice) = (Stride::default(), seed);
            while stride.room() > 0 {
                dice = dice.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                let fine = 1 << ((dice >> 8) % 11);
                let step = match stride.flying(fine, |step| step < dice >> 20) {
                    Some(step) => {
                        assert!(step > fine && step < dice >> 20);
                        step
                    }
                    None => stride.touching(fine),
                };
                assert!(step.is_power_of_two() && step <= stride.room());
                stride.pass(step);
            }
            assert!(stride.steps <= MOST_STEPS && stride.shortest * stride.steps <= MOST_STEPS);
        }
    }

    #[test]
    fn a_sample_without_contact_is_one_step() {
        assert_eq!(Stride::default().flying(1, |_| true), Some(MOST_STEPS));
        assert_eq!(Stride::default().flying(1, |step| step < 100), Some(64));
        assert_eq!(Stride::default().flying(2, |_| false), None);
    }
}
