//! What the pickups hear of each mode, as the bank needs it.

use crate::body::kernel::Ears;
use crate::body::modes::Gains;
use crate::body::{LANES, Row};

/// A pickup on a node hears nothing of a mode, yet may move: such a mode is kept while it would be heard
/// from a place this much off.
const MIN_HEARD: f64 = 0.1;

/// The gains of both pickups in groups, and how loud a mode can be heard.
#[derive(Clone, Debug)]
pub struct Hearing {
    /// Square of the larger gain.
    pub audible: Row,
    /// Gains in groups of modes.
    pub ears: Box<[Ears]>,
}

impl Hearing {
    /// Room for `capacity` modes. Allocates.
    pub fn new(capacity: usize) -> Self {
        Self { audible: Row::new(capacity), ears: vec![Ears::ZERO; capacity / LANES].into() }
    }

    /// As new, whatever it held.
    pub fn renew(&mut self) {
        self.audible.fill(0.0);
        self.ears.fill(Ears::ZERO);
    }

    /// Of the first `len` modes.
    pub fn set(&mut self, left: &Gains, right: &Gains, presence: &[f64], len: usize) {
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
