//! Which contacts are due, and how much work they may do.

use super::coupled_contacts::is_coupled;
use super::{Voice, VoiceContext};
use crate::exciter::Gesture;

/// Work of one step of a contact in a row of balls, in passes over eight modes.
const ROW_STEP_WORK: u32 = 8;

impl Voice {
    /// Whether a contact may do work within `samples`: balls of its row, or what presses on its
    /// body.
    pub fn has_contact_work(&self, samples: usize, context: &VoiceContext) -> bool {
        let gesture = context.patch.gesture();
        let is_held = matches!(gesture, Gesture::Roll | Gesture::Scrape);
        let comes = || {
            self.onsets.are_due(samples) && gesture != Gesture::Tumble
                || self.tumbling.are_active()
                    && self.tumbling.quiet_samples(samples, self.object.dt_s()) < samples
        };
        let is_coupled = gesture == Gesture::Chain || is_held || is_coupled(context.patch);
        self.ball_chain.is_due(samples as f64 * self.object.dt_s())
            || self.coupled_contacts.are_due(samples)
            || is_coupled && comes()
    }

    /// Whether rigid contacts or changes of its body may do work within `samples`.
    pub fn is_busy(&self, samples: usize) -> bool {
        self.is_changing()
            || self.coupled_contacts.stay()
            || self.onsets.are_due(samples)
            || self.tumbling.are_active()
            || self.rigid_contacts.are_touching()
                && self.rigid_contacts.airborne(samples, self.object.dt_s()) < samples
    }

    /// Whether something changes its body all the time.
    pub fn is_changing(&self) -> bool {
        self.modulator.is_live()
    }

    /// Sets the work of its rigid contacts and of changes of its body for a window, which may have
    /// begun already.
    pub fn set_share(&mut self, share: u32, begins: bool) {
        if begins {
            self.budget.begin_window(share);
        } else {
            self.budget.change_share(share);
        }
    }

    /// Work of its rigid contacts and of changes of its body in this window, and what it overdrew
    /// before.
    #[cfg(test)]
    pub fn spent_work(&self) -> u32 {
        self.budget.spent()
    }

    /// Whether nothing is on its body, nor about to be, and nothing drives it: so it stays until
    /// something is played.
    pub fn is_alone(&self) -> bool {
        self.alone
    }

    /// Whether something strikes or is about to.
    pub fn may_be_struck(&self) -> bool {
        self.onsets.are_waiting()
            || self.rigid_contacts.are_touching()
            || self.coupled_contacts.are_active()
            || self.tumbling.are_active()
            || self.ball_chain.is_active()
    }

    /// Sets the work of its contacts for a window of `samples`.
    pub fn set_contact_share(&mut self, share: u32, samples: usize) {
        self.coupled_contacts.set_share(share);
        self.ball_chain.set_work((share / ROW_STEP_WORK) as usize / samples.max(1));
    }

    /// Work of its contacts since the last call.
    pub fn take_contact_work(&mut self) -> u32 {
        let row_steps = u32::try_from(self.ball_chain.take_steps()).unwrap_or(u32::MAX);
        self.coupled_contacts.take_work().saturating_add(row_steps.saturating_mul(ROW_STEP_WORK))
    }
}
