//! How long a voice will still be heard.

use super::Voice;
use super::process::SETTLE_TICKS;
use crate::body::bank::{CHUNK, FLOOR};

/// As long as something is on the body nobody knows how long it will ring.
const UNKNOWN: u64 = u64::MAX;

/// A body that has become silent is found to be so within this many samples.
const MAX_LATE: u64 = SETTLE_TICKS as u64 * CHUNK as u64;

/// What is known of the end. How long a body rings takes a logarithm: it is worked out for who
/// asks, and not at every tick.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tail {
    /// It is silent.
    #[default]
    Over,
    /// Something may still happen.
    Unknown,
    /// It rings by itself, and so many samples have gone by since it was looked at.
    Rings(u64),
}

impl Tail {
    /// Let samples pass.
    pub fn pass(&mut self, samples: usize) {
        if let Tail::Rings(passed) = self {
            *passed += samples as u64;
        }
    }
}

impl Voice {
    /// Samples until it is silent, if nothing more happens: an upper bound.
    pub fn tail_samples(&self) -> u64 {
        match self.tail {
            Tail::Over => 0,
            Tail::Unknown => UNKNOWN,
            Tail::Rings(passed) => {
                let ring_s = (self.loudest / FLOOR).max(1.0).ln() / self.object.modes.slowest_per_s;
                // The cast saturates.
                let samples = (ring_s * self.object.sample_rate_hz()) as u64;
                let rings = samples.saturating_add(MAX_LATE).saturating_sub(passed);
                // The body that it was may outlast it.
                rings.max(self.crossfade.samples().saturating_add(CHUNK as u64))
            }
        }
    }
}
