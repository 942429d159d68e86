//! What may touch soon, and how much work that may be.

use super::riders::is_two_way;
use super::{Voice, World};
use crate::gesture::Gesture;

impl Voice {
    /// Whether balls of its row may touch within `samples`.
    pub fn row_is_due(&self, samples: usize, world: &World) -> bool {
        let begins = world.patch.gesture() == Gesture::Chain && self.onsets.are_due(samples);
        begins || self.row.is_due(samples as f64 * self.object.dt_s())
    }

    /// Whether something may press on its body within `samples` that the body pushes back.
    pub fn riders_are_due(&self, samples: usize, world: &World) -> bool {
        let comes = || {
            self.onsets.are_due(samples)
                && !matches!(world.patch.gesture(), Gesture::Chain | Gesture::Tumble | Gesture::Roll | Gesture::Scrape)
                || self.thrown.are_active() && self.thrown.quiet_samples(samples, self.object.dt_s()) < samples
        };
        self.riders.are_due(samples) || is_two_way(world.patch) && comes()
    }

    /// Whether nothing is on its body, nor about to be, and nothing drives it: so it stays until something is played.
    pub fn is_alone(&self) -> bool {
        self.alone
    }

    /// Whether something strikes or is about to.
    pub fn may_be_struck(&self) -> bool {
        self.onsets.are_waiting()
            || self.hands.are_touching()
            || self.riders.are_active()
            || self.thrown.are_active()
            || self.row.is_active()
    }

    /// What its row may spend on a sample, and its riders until the next look.
    #[cfg(test)]
    pub fn rations(&self) -> (usize, Option<u32>) {
        (self.row.work(), self.riders.ration())
    }

    /// Steps of a contact that its row may spend on a sample from now on.
    pub fn set_row_work(&mut self, work: usize) {
        self.row.set_work(work);
    }

    /// Sub-steps of two-way contact since the last call.
    pub fn take_spent(&mut self) -> u32 {
        self.riders.take_spent()
    }

    /// Sub-steps of two-way contact that have to do until the next call; none for no such bound.
    pub fn set_ration(&mut self, steps: Option<u32>) {
        self.riders.set_ration(steps);
    }
}
