//! A voice that went wrong is made anew, where it lies: nothing of what it held may reach its next
//! note.

use super::Voice;
use super::air::Air;
use super::gain_pan::GainPan;
use super::level::Level;
use super::player::KeyState;
use super::settings::SettingsCache;
use crate::contact::coupled::StepBudget;
use crate::exciter::roll::note::Played;
use crate::modulation::Modulator;
use crate::params::event::NoteAddress;

impl Voice {
    /// Whether all that its sound is multiplied with are numbers.
    pub(super) fn has_finite_gains(&self) -> bool {
        self.level.is_finite()
            && self.gain_pan.is_finite()
            && self.fade.is_finite()
            && self.fade_step.is_finite()
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
        self.rigid_contacts.renew();
        self.budget = StepBudget::default();
        self.coupled_contacts.renew();
        self.tumbling.renew();
        self.ball_chain.renew();
        self.external_force.renew();
        self.air = Air::default();
        self.level = Level::default();
        self.gain_pan = GainPan::default();
        self.modulator = Modulator::default();
        self.settings_cache = SettingsCache::default();
        self.played = Played::default();
        self.crossfade.renew();
        (self.boost, self.kept, self.rolls) = (1.0, 1.0, false);
        (self.key_pan, self.fade, self.fade_step) = (0.0, 1.0, 0.0);
        (self.since_tick, self.moving, self.hurried) = (0, false, false);
        self.key_state = KeyState::Released;
        self.prepare(rate_hz);
    }
}
