//! Gains of the modes at the pickups.

use std::ops::Range;

use crate::body::bank::CHUNK;
use crate::body::kernel::PickupGroup;
use crate::body::{LANES, Point, Row};

/// Positions of the pickups.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Listening {
    /// Left pickup.
    pub left: Point,
    /// Right pickup.
    pub right: Point,
}

/// Gains of one pickup per unit of Re y of each mode, ramped to new values: a jump would click.
#[derive(Clone, Debug)]
pub struct PickupGains {
    /// Value at the start of the ramp, or at rest.
    pub now: Row,
    /// Change per sample.
    pub step: Row,
    pub(super) aim: Row,
}

impl PickupGains {
    pub(super) fn new(capacity: usize) -> Self {
        let zero = || Row::new(capacity);
        Self { now: zero(), step: zero(), aim: zero() }
    }

    /// Start, step and target of a range of modes.
    pub(super) fn ramp_mut(&mut self, of: Range<usize>) -> (&[f64], &mut [f64], &mut [f64]) {
        (&self.now[of.clone()], &mut self.step[of.clone()], &mut self.aim[of])
    }

    /// Sets a target to reach in one control period.
    pub(super) fn aim(&mut self, mode: usize, aim: f64) {
        self.aim[mode] = aim;
        self.step[mode] = (aim - self.now[mode]) / CHUNK as f64;
    }

    /// Gain of a mode at the end of the ramp.
    pub fn target(&self, mode: usize) -> f64 {
        self.aim[mode]
    }

    /// Gain of each mode at the end of the ramp.
    pub fn targets(&self) -> &[f64] {
        &self.aim
    }

    /// Stops the ramp after `steps` samples.
    pub(super) fn halt(&mut self, len: usize, steps: f64) {
        for (now, step) in self.now[..len].iter_mut().zip(&mut self.step[..len]) {
            *now += steps * *step;
            *step = 0.0;
        }
    }

    pub(super) fn arrive(&mut self, len: usize) {
        self.now[..len].copy_from_slice(&self.aim[..len]);
        self.step[..len].fill(0.0);
    }
}

/// Smallest pickup gain assumed when inaudible modes are stopped.
///
/// A mode with a node at the pickup must go on: the pickup may move.
const MIN_HEARD: f64 = 0.1;

/// Pickup gains in the layout of the bank's frame loop, and the audibility of each mode.
#[derive(Clone, Debug)]
pub struct Hearing {
    /// Square of the larger gain of both pickups.
    pub audible: Row,
    /// Gains of both pickups in groups of modes.
    pub pickups: Box<[PickupGroup]>,
}

impl Hearing {
    /// All zero, with room for `capacity` modes. Allocates.
    pub fn new(capacity: usize) -> Self {
        Self {
            audible: Row::new(capacity),
            pickups: vec![PickupGroup::ZERO; capacity / LANES].into(),
        }
    }

    /// Restores the state of [`Self::new`].
    pub fn renew(&mut self) {
        self.audible.fill(0.0);
        self.pickups.fill(PickupGroup::ZERO);
    }

    /// Sets the gains of the first `len` modes, in whole groups.
    pub fn set(&mut self, left: &PickupGains, right: &PickupGains, presence: &[f64], len: usize) {
        let audible =
            self.audible.as_chunks_mut::<LANES>().0.iter_mut().zip(presence.as_chunks::<LANES>().0);
        let [left, right] = [left, right].map(|side| {
            side.now.as_chunks::<LANES>().0.iter().zip(side.step.as_chunks::<LANES>().0)
        });
        let gains = left.zip(right);
        for (((audible, presence), pickups), (left, right)) in
            audible.zip(&mut self.pickups).zip(gains).take(len / LANES)
        {
            for i in 0..LANES {
                let heard = left.0[i].abs().max(right.0[i].abs()).max(MIN_HEARD * presence[i]);
                audible[i] = heard * heard;
            }
            for ((now, step), first) in [(left, 0), (right, LANES)] {
                for i in 0..LANES {
                    pickups.gains.0[first + i] = now[i] as f32;
                    pickups.steps.0[first + i] = step[i] as f32;
                }
            }
        }
    }
}
