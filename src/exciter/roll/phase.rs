//! How its weight comes on and goes off.

use super::{Pull, Roll};

/// The weight comes on in this time, s. A weight that came at once would be a blow.
const SET_DOWN_S: f64 = 0.05;
/// It is taken off in this time, s.
const LIFT_S: f64 = 0.2;
/// Whatever has stopped lies still for this time, s, before its weight is taken off, unheard.
const STAND_S: f64 = 0.3;

/// What becomes of its weight.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) enum RollPhase {
    #[default]
    Gone,
    Rolls,
    Lifts,
}

impl Roll {
    /// Set it down, let it stand, lift it off.
    pub(super) fn stand(&mut self, dt_s: f64) {
        let moves =
            self.motion.v_m_per_s != 0.0 || self.v_end_m_per_s != 0.0 || self.pull != Pull::Free;
        self.stood_s = if moves { 0.0 } else { self.stood_s + dt_s };
        match self.phase {
            RollPhase::Gone => {}
            RollPhase::Rolls => {
                self.load = (self.load + dt_s / SET_DOWN_S).min(1.0);
                if self.stood_s > STAND_S {
                    self.phase = RollPhase::Lifts;
                }
            }
            RollPhase::Lifts => {
                self.load -= dt_s / LIFT_S;
                if self.load <= 0.0 {
                    self.load = 0.0;
                    self.phase = RollPhase::Gone;
                }
            }
        }
    }
}
