//! What the pickups hear of each mode.

use std::ops::Range;

use crate::body::bank::CHUNK;
use crate::body::kernel::PickupGroup;
use crate::body::{LANES, Point, Row};

/// Where the body is heard.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Listening {
    /// Place of the left pickup.
    pub left: Point,
    /// Place of the right pickup.
    pub right: Point,
}

/// What one pickup hpickups per unit of Re y of each mode, on its way to a new place. A jump would
/// click.
#[derive(Clone, Debug)]
pub struct PickupGains {
    /// Where they set out from, or are at rest.
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

    /// Where some modes set out from, their change per sample, and where they are to be.
    pub(super) fn on_their_way(&mut self, of: Range<usize>) -> (&[f64], &mut [f64], &mut [f64]) {
        (&self.now[of.clone()], &mut self.step[of.clone()], &mut self.aim[of])
    }

    /// Be at `aim` one control period from now.
    pub(super) fn aim(&mut self, mode: usize, aim: f64) {
        self.aim[mode] = aim;
        self.step[mode] = (aim - self.now[mode]) / CHUNK as f64;
    }

    /// What is heard of a mode once the movement is over.
    pub fn target(&self, mode: usize) -> f64 {
        self.aim[mode]
    }

    /// What is heard of each mode once the movement is over.
    pub fn targets(&self) -> &[f64] {
        &self.aim
    }

    /// Stay where `steps` have led.
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

/// A pickup on a node hpickups nothing of a mode, yet may move: such a mode is kept while it would be
/// heard from a place this much off.
const MIN_HEARD: f64 = 0.1;

/// The gains of both pickups in groups, and how loud a mode can be heard.
#[derive(Clone, Debug)]
pub struct Hearing {
    /// Square of the larger gain.
    pub audible: Row,
    /// Gains in groups of modes.
    pub pickups: Box<[PickupGroup]>,
}

impl Hearing {
    /// Room for `capacity` modes. Allocates.
    pub fn new(capacity: usize) -> Self {
        Self {
            audible: Row::new(capacity),
            pickups: vec![PickupGroup::ZERO; capacity / LANES].into(),
        }
    }

    /// As new, whatever it held.
    pub fn renew(&mut self) {
        self.audible.fill(0.0);
        self.pickups.fill(PickupGroup::ZERO);
    }

    /// Of the first `len` modes, whole groups.
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
