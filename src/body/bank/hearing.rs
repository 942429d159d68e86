//! What the pickups hear of each mode, as the bank needs it.

use crate::body::kernel::Ears;
use crate::body::modes::Gains;
use crate::body::{LANES, Row};

/// A pickup on a node hears nothing of a mode, yet may move: such a mode is kept while it would be
/// heard from a place this much off.
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

    /// Of the first `len` modes, whole groups.
    pub fn set(&mut self, left: &Gains, right: &Gains, presence: &[f64], len: usize) {
        let audible =
            self.audible.as_chunks_mut::<LANES>().0.iter_mut().zip(presence.as_chunks::<LANES>().0);
        let [left, right] = [left, right].map(|side| {
            side.now.as_chunks::<LANES>().0.iter().zip(side.step.as_chunks::<LANES>().0)
        });
        let gains = left.zip(right);
        for (((audible, presence), ears), (left, right)) in
            audible.zip(&mut self.ears).zip(gains).take(len / LANES)
        {
            for i in 0..LANES {
                let heard = left.0[i].abs().max(right.0[i].abs()).max(MIN_HEARD * presence[i]);
                audible[i] = heard * heard;
            }
            for ((now, step), first) in [(left, 0), (right, LANES)] {
                for i in 0..LANES {
                    ears.gains.0[first + i] = now[i] as f32;
                    ears.steps.0[first + i] = step[i] as f32;
                }
            }
        }
    }
}
