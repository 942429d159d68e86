//! What the player's hands and feet do to a voice.

use super::Voice;
use crate::modulation::Controllers;
use crate::params::event::ExpressionKind;
use crate::params::{Param, Patch};

/// A choked or stolen voice is gone after this time (s).
pub const FADE_S: f64 = 0.005;

/// Where the finger is that struck the key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum KeyState {
    /// On the key.
    Held,
    /// Off it, but a pedal keeps the note.
    Sustained,
    /// Off it.
    Released,
}

impl Voice {
    /// What the player holds on the channel of the note.
    pub fn feel(&mut self, controllers: &Controllers) {
        self.modulator.feel(controllers);
        self.played.pressed = self.modulator.pressed();
    }

    /// The host says something of this very note.
    pub fn express(&mut self, kind: ExpressionKind, value: f32) {
        self.modulator.express(kind, value);
        self.played.pressed = self.modulator.pressed();
    }

    /// The host moves a parameter of this very note off its knob, in ways of the knob.
    pub fn modulate(&mut self, param: Param, offset: f32) {
        self.modulator.modulate(param, offset);
    }

    /// The key is let go: do what the patch wants done then, also to what is still to fall.
    pub fn let_go(&mut self, patch: &Patch) {
        self.key_state = KeyState::Released;
        self.onsets.let_go();
        self.release(patch);
    }

    pub(super) fn release(&mut self, patch: &Patch) {
        self.played.let_go = true;
        self.modulator.let_go();
        let (damp, catch) = patch.note_off();
        self.damped |= damp;
        if catch {
            self.rigid_contacts.catch();
            self.coupled_contacts.catch();
            self.tumbling.catch();
            self.ball_chain.catch();
        }
    }

    /// The key is let go, but a pedal is down.
    pub fn keep(&mut self) {
        self.key_state = KeyState::Sustained;
    }

    /// Whether only a pedal keeps the note.
    pub fn is_sustained(&self) -> bool {
        self.key_state == KeyState::Sustained
    }

    /// Whether the key is down.
    pub fn is_down(&self) -> bool {
        self.key_state == KeyState::Held
    }

    /// The sostenuto pedal takes hold of this key, or lets go of it.
    pub fn hold(&mut self, held: bool) {
        self.held = held;
    }

    /// Whether the sostenuto pedal has hold of it.
    pub fn is_held(&self) -> bool {
        self.held
    }

    /// The soft pedal puts a hand on the body, or takes it off.
    pub fn mute(&mut self, muted: bool) {
        self.muted = muted;
    }

    /// Fade out quickly.
    pub fn choke(&mut self) {
        if self.fade_step == 0.0 {
            let step = 1.0 / (FADE_S * self.object.sample_rate_hz());
            // Where the rate is no number any more, at once: a voice can always be sent off.
            self.fade_step = if step > 0.0 { -step } else { -1.0 };
        }
    }

    /// How much is left of it in a fade, 1…0; 1 as long as it does not fade.
    pub fn fading(&self) -> f64 {
        self.fade
    }

    /// Add to `left` and `right` during a choke. Returns the sample at which it is over.
    pub(super) fn fade_out(
        &mut self,
        left: &mut [f64],
        right: &mut [f64],
        l: &[f64],
        r: &[f64],
    ) -> Option<usize> {
        for i in 0..left.len() {
            let gain = self.fade * self.level.after(self.since_tick + i + 1);
            left[i] += l[i] * gain;
            right[i] += r[i] * gain;
            self.fade += self.fade_step;
            if self.fade <= 0.0 {
                return Some(i);
            }
        }
        None
    }
}
