//! The sub-steps of one sample.
//!
//! A contact of steel lasts a few microseconds and needs hundreds of sub-steps per sample. The
//! flight before and after it needs none of them, because both sides then have exact solutions. So
//! every sub-step has its own length: that of the contact while something touches, and otherwise
//! the longest in which nothing can.

use super::MAX_STEPS;

/// Lengths in flight are powers of this many of the shortest, so that few of them have to be
/// prepared.
const RATIO: u32 = 4;

/// Where in a sample its next sub-step begins, in parts of `1/MAX_STEPS`: the sample ends exactly,
/// after [`MAX_STEPS`] sub-steps at most.
#[derive(Clone, Copy, Debug)]
pub(super) struct SubstepCursor {
    done: u32,
    /// The longest flight that is tried next.
    try_first: u32,
    /// Sub-steps that were made, and the shortest of them.
    pub steps: u32,
    pub shortest: u32,
}

impl Default for SubstepCursor {
    fn default() -> Self {
        Self { done: 0, try_first: MAX_STEPS, steps: 0, shortest: MAX_STEPS }
    }
}

impl SubstepCursor {
    /// What is left of the sample.
    pub fn room(&self) -> u32 {
        MAX_STEPS - self.done
    }

    /// The next sub-step where something touches: `fine`, a power of two, or what there is room
    /// for.
    pub fn touching(&self, fine: u32) -> u32 {
        if fine <= self.room() { fine } else { 1 << self.room().ilog2() }
    }

    /// The longest sub-step above `fine` that is `clear` of contacts; none if there is no such
    /// sub-step.
    pub fn flying(&self, fine: u32, mut clear: impl FnMut(u32) -> bool) -> Option<u32> {
        let mut step = MAX_STEPS;
        while step > fine {
            if step <= self.room().min(self.try_first) && clear(step) {
                return Some(step);
            }
            step /= RATIO;
        }
        None
    }

    /// A sub-step was made.
    pub fn pass(&mut self, step: u32) {
        self.done += step;
        self.try_first = step.saturating_mul(RATIO);
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
            let (mut cursor, mut dice) = (SubstepCursor::default(), seed);
            while cursor.room() > 0 {
                dice = dice.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                let fine = 1 << ((dice >> 8) % 11);
                let step = match cursor.flying(fine, |step| step < dice >> 20) {
                    Some(step) => {
                        assert!(step > fine && step < dice >> 20);
                        step
                    }
                    None => cursor.touching(fine),
                };
                assert!(step.is_power_of_two() && step <= cursor.room());
                cursor.pass(step);
            }
            assert!(cursor.steps <= MAX_STEPS && cursor.shortest * cursor.steps <= MAX_STEPS);
        }
    }

    #[test]
    fn a_sample_without_contact_is_one_step() {
        assert_eq!(SubstepCursor::default().flying(1, |_| true), Some(MAX_STEPS));
        assert_eq!(SubstepCursor::default().flying(1, |step| step < 100), Some(64));
        assert_eq!(SubstepCursor::default().flying(2, |_| false), None);
    }
}
