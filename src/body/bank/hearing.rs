//! What the pickups hear of each mode, as the bank needs it.

use crate::body::kernel::Ears;
use crate::body::modes::Gains;
use crate::body::{LANES, MAX_MODES, PerMode};

/// A pickup on a node hears nothing of a mode, yet may move: such a mode is kept while it would be heard
/// from a place this much off.
const MIN_HEARD: f64 = 0.1;

/// The gains of both pickups in groups, and how loud a mode can be heard.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub struct Hearing {
    /// Square of the larger gain.
    pub audible: PerMode,
    /// Gains in groups of modes.
    pub ears: [Ears; MAX_MODES / LANES],
}

impl Default for Hearing {
    fn default() -> Self {
        Self { audible: [0.0; MAX_MODES], ears: [Ears::ZERO; MAX_MODES / LANES] }
    }
}

impl Hearing {
    /// Of the first `len` modes.
    pub fn set(&mut self, left: &Gains, right: &Gains, presence: &PerMode, len: usize) {
        for (i, presence) in presence.iter().enumerate().take(len) {
            let heard = left.now[i].abs().max(right.now[i].abs()).max(MIN_HEARD * presence);
            self.audible[i] = heard * heard;
            let (ears, lane) = (&mut self.ears[i / LANES], i % LANES);
            for (gains, side) in [(left, lane), (right, LANES + lane)] {
                ears.gains.0[side] = gains.now[i] as f32;
                ears.steps.0[side] = gains.step[i] as f32;
            }
        }
    }
}
