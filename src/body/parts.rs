//! Several bodies in one voice.
//!
//! The bodies share the [`MAX_MODES`] modes of a voice in equal parts, in whole groups, one after
//! the other: two have 128 each, five 48, sixteen 16. A force acts on the modes of one body, or of
//! two that strike each other; the pickups hear all of them.

use super::macros::BodyScale;
use super::material::Damping;
use super::{Geometry, LANES, Listening, MAX_MODES};

/// Largest number of bodies in one voice; each still has two groups of modes.
pub const MAX_PARTS: usize = 16;

/// A second body with its own geometry.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SecondBody {
    /// Kind and proportions.
    pub geometry: Geometry,
    /// Its nominal pitch, Hz.
    pub pitch_hz: f64,
    /// Pickup positions.
    pub listening: Listening,
    /// Levels of the first and the second body, above 0.
    pub heard: [f64; 2],
}

/// The bodies of a voice.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Parts {
    /// One body.
    #[default]
    One,
    /// Two different bodies.
    Two(SecondBody),
    /// Several bodies of one kind in different sizes.
    Sizes {
        /// Number of bodies, 2…16.
        count: usize,
        /// Size of each relative to the body, 0.5…2.
        sizes: [f64; MAX_PARTS],
    },
}

/// Pitch, damping and level of one of the bodies.
#[derive(Clone, Copy, Debug)]
pub struct Tone {
    /// Nominal pitch, Hz.
    pub pitch_hz: f64,
    /// Energy loss.
    pub damping: Damping,
    /// Level.
    pub heard: f64,
}

impl Parts {
    /// Number of bodies.
    pub fn count(&self) -> usize {
        match self {
            Parts::One => 1,
            Parts::Two(_) => 2,
            Parts::Sizes { count, .. } => (*count).clamp(2, MAX_PARTS),
        }
    }

    /// Number of modes of each body.
    pub fn lanes(&self) -> usize {
        MAX_MODES / self.count() / LANES * LANES
    }

    /// Size of one body relative to the patch's; 1 unless the bodies differ by size.
    pub fn size(&self, part: usize) -> f64 {
        match self {
            Parts::Sizes { sizes, .. } => sizes.get(part).map_or(1.0, |size| size.clamp(0.5, 2.0)),
            _ => 1.0,
        }
    }

    /// Level of the first body, above 0.
    pub fn first_heard(&self) -> f64 {
        if let Parts::Two(second) = self { second.heard[0] } else { 1.0 }
    }

    /// Tone of one body, given the pitch and damping of the patch.
    pub fn tone(&self, part: usize, pitch_hz: f64, damping: &Damping) -> Tone {
        let plain = Tone { pitch_hz, damping: *damping, heard: 1.0 };
        match self {
            Parts::One => plain,
            Parts::Two(second) if part == 0 => Tone { heard: second.heard[0], ..plain },
            Parts::Two(second) => {
                Tone { pitch_hz: second.pitch_hz, heard: second.heard[1], ..plain }
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

    /// Lowest pitch among the bodies of the patch's own shape, Hz.
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
