//! Several bodies in one voice, and which of its modes belong to which.
//!
//! A voice has [`MAX_MODES`] modes. Where it is more than one body each gets an equal share of
//! them, in whole groups, one after the other: two have 128 each, five 48, sixteen 16. A force acts
//! on the modes of one body, or of two that strike each other; the pickups hear all of them.

use super::macros::BodyScale;
use super::material::Damping;
use super::{Geometry, LANES, Listening, MAX_MODES};

/// Most bodies of one voice.
pub const MAX_PARTS: usize = 16;

/// A second body beside the first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SecondBody {
    /// What it is.
    pub geometry: Geometry,
    /// Its nominal pitch, Hz.
    pub pitch_hz: f64,
    /// Where it is heard.
    pub listening: Listening,
    /// How much is heard of the first and of the second, above 0.
    pub heard: [f64; 2],
}

/// What a voice is made of.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Parts {
    /// One body.
    #[default]
    One,
    /// Two bodies of unlike make.
    Two(SecondBody),
    /// As many of one make, each of its own size, in sizes of the body.
    Sizes {
        /// How many, 2...16.
        count: usize,
        /// How large each of them is, 0.5...2.
        sizes: [f64; MAX_PARTS],
    },
}

/// What differs from body to body.
#[derive(Clone, Copy, Debug)]
pub struct Tone {
    /// Nominal pitch, Hz.
    pub pitch_hz: f64,
    /// How it loses energy.
    pub damping: Damping,
    /// How much of it is heard.
    pub heard: f64,
}

impl Parts {
    /// How many bodies.
    pub fn count(&self) -> usize {
        match self {
            Parts::One => 1,
            Parts::Two(_) => 2,
            Parts::Sizes { count, .. } => (*count).clamp(2, MAX_PARTS),
        }
    }

    /// Modes of each.
    pub fn lanes(&self) -> usize {
        MAX_MODES / self.count() / LANES * LANES
    }

    /// Size of one of them, in sizes of the body: 1 where they are not told apart by it.
    pub fn size(&self, part: usize) -> f64 {
        match self {
            Parts::Sizes { sizes, .. } => sizes.get(part).map_or(1.0, |size| size.clamp(0.5, 2.0)),
            _ => 1.0,
        }
    }

    /// How much is heard of the first, above 0.
    pub fn first_heard(&self) -> f64 {
        if let Parts::Two(beside) = self { beside.heard[0] } else { 1.0 }
    }

    /// One of them, if the body has this pitch and these losses.
    pub fn tone(&self, part: usize, pitch_hz: f64, damping: &Damping) -> Tone {
        let plain = Tone { pitch_hz, damping: *damping, heard: 1.0 };
        match self {
            Parts::One => plain,
            Parts::Two(beside) if part == 0 => Tone { heard: beside.heard[0], ..plain },
            Parts::Two(beside) => {
                Tone { pitch_hz: beside.pitch_hz, heard: beside.heard[1], ..plain }
            }
            Parts::Sizes { .. } => {
                let size = self.size(part);
                Tone {
                    pitch_hz: pitch_hz / size,
                    damping: BodyScale::new(size).damping(damping),
                    heard: 1.0,
                }
            }
        }
    }

    /// The lowest pitch of those with the body's own shape, Hz.
    pub fn lowest_hz(&self, pitch_hz: f64) -> f64 {
        match self {
            Parts::Sizes { .. } => {
                pitch_hz / (0..self.count()).fold(0.0f64, |max, part| max.max(self.size(part)))
            }
            _ => pitch_hz,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bodies_share_the_modes_in_whole_groups() {
        for (count, lanes) in [(2, 128), (3, 80), (5, 48), (16, 16)] {
            let parts = Parts::Sizes { count, sizes: [1.0; MAX_PARTS] };
            assert_eq!(parts.lanes(), lanes);
            assert!(parts.count() * parts.lanes() <= MAX_MODES && lanes % LANES == 0);
        }
        assert_eq!(Parts::One.lanes(), MAX_MODES);
    }
}
