//! A voice that went wrong is made anew, where it lies: nothing of what it held may reach its next note.

use super::Voice;
use super::air::Air;
use super::level::Level;
use super::placing::Placing;
use super::player::Finger;
use super::settings::Reading;
use crate::contact::two_way::StepBudget;
use crate::event::NoteAddress;
use crate::gesture::roll::note::Played;
use crate::modulation::Modulator;

impl Voice {
    /// Whether all that its sound is multiplied with are numbers.
    pub(super) fn has_finite_gains(&self) -> bool {
        self.level.is_finite() && self.placing.is_finite() && self.fade.is_finite() && self.fade_step.is_finite()
    }

    /// It went wrong: end it, and forget all that it held. Returns its note.
    pub(super) fn fail(&mut self) -> Option<NoteAddress> {
        let note = self.note;
        self.renew();
        note
    }

    /// Be as when it was prepared. Part by part: a whole voice would not fit on every stack.
    pub(super) fn renew(&mut self) {
        let (kept, known) = (self.rate_hz, self.object.sample_rate_hz());
        let rate_hz = if kept.is_finite() { kept } else { known };
        self.rate_hz = rate_hz;
        self.object.renew();
        self.bank.renew();
        self.hands.renew();
        self.budget = StepBudget::default();
        self.riders.renew();
        self.thrown.renew();
        self.row.renew();
        self.pushed.renew();
        self.air = Air::default();
        self.level = Level::default();
        self.placing = Placing::default();
        self.modulator = Modulator::default();
        self.reading = Reading::default();
        self.played = Played::default();
        self.becoming.renew();
        (self.boost, self.kept, self.rolls) = (1.0, 1.0, false);
        (self.key_pan, self.fade, self.fade_step) = (0.0, 1.0, 0.0);
        (self.since_tick, self.moving, self.hurried) = (0, false, false);
        self.finger = Finger::Gone;
        self.prepare(rate_hz);
    }
}
