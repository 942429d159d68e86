//! A ringing body that becomes another kind.
//!
//! Pitch, size and shape move on while a body rings, mode by mode. Another kind, or another number of bodies, has other
//! modes in the same places: a low one may become a high one from one sample to the next, and would step as far as no blow
//! does. So the pickups turn away for one control period, the modes change unheard, and the pickups come back. A mode that
//! becomes higher loses as much amplitude as it gains in frequency: what is heard steps no further than before. It only ever
//! loses energy.

use super::Voice;
use super::settings::Settings;
use crate::body::bank::CHUNK;
use crate::body::{Bank, MAX_MODES, Modes};

/// Where the change stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Becoming {
    /// It is what it is.
    #[default]
    Settled,
    /// The pickups turn away.
    Hushing,
}

impl Voice {
    /// Whether what is new must wait for the pickups to turn away. A blow that comes with it hides any step.
    pub(super) fn must_hush(&self, settings: &Settings) -> bool {
        let now = &self.object.settings;
        let another = settings.geometry.kind != now.geometry.kind || settings.parts.count() != now.parts.count();
        let just_struck = self.onsets.are_waiting() || self.since_struck < CHUNK as u64;
        another && self.becoming == Becoming::Settled && self.loudest > 0.0 && !just_struck
    }

    /// Turn the pickups away until the next tick, which comes in its turn.
    pub(super) fn hush(&mut self) {
        self.object.modes.hush();
        (self.becoming, self.moving, self.hurried) = (Becoming::Hushing, true, true);
    }

    /// The modes were `before` and are others now: those that became higher are softer.
    pub(super) fn soften(&mut self, before: &[f64; MAX_MODES]) {
        self.becoming = Becoming::Settled;
        soften(&mut self.bank, &self.object.modes, before);
    }
}

fn soften(bank: &mut Bank, modes: &Modes, before: &[f64; MAX_MODES]) {
    let state = bank.state(modes);
    for (i, (re, im)) in state.re.iter_mut().zip(state.im).enumerate() {
        if before[i] < modes.omega[i] {
            let share = before[i] / modes.omega[i];
            *re *= share;
            *im *= share;
        }
    }
}
