//! Bodies by shape: frequency ratios and mode shapes.
//!
//! A [`BodyKind`] and a [`Geometry`] give a [`Spectrum`]: for each mode the ratio of its frequency
//! to the nominal pitch, and its signed shape over the body, scaled to a mean square of 1. With
//! that scale every modal mass equals the mass of the body.

pub mod bar;
pub mod disc;
pub mod kind;
pub mod plate;
pub mod shape_cache;
pub mod shell;
pub mod spectrum;

pub use kind::{BodyKind, BodySpec, Layout};
pub use shape_cache::ShapeCache;
pub use spectrum::{Place, Spectrum};

use super::MAX_MODES;

/// A point on a body, both coordinates 0…1.
///
/// Bars, strings and tubes read x alone, from end to end. Discs: x is the radius from the centre to
/// the edge, y the angle in turns. Rectangles: x along the longer side, y along the shorter. Rings,
/// glasses, bowls and bells: y is the angle around in turns, x the height from the foot or crown
/// (0, at rest) to the rim (1, where it moves most).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Point {
    /// Along, radius, or height.
    pub x: f64,
    /// Across, or angle in turns.
    pub y: f64,
}

impl Point {
    /// A point in two dimensions.
    pub const fn new(x: f64, y: f64) -> Self {
        Self { x, y }
    }

    /// A point on a one-dimensional body.
    pub const fn along(x: f64) -> Self {
        Self { x, y: 0.0 }
    }

    /// Clamps both coordinates to the body; NaN becomes 0.
    pub fn within_limits(self) -> Self {
        let keep = |value: f64| if value.is_nan() { 0.0 } else { value.clamp(0.0, 1.0) };
        Self { x: keep(self.x), y: keep(self.y) }
    }
}

impl From<f64> for Point {
    fn from(x: f64) -> Self {
        Self::along(x)
    }
}

/// Kind and proportions of a body. All of them may change while the body rings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Geometry {
    /// Kind of body.
    pub kind: BodyKind,
    /// Longer over shorter side of a rectangle, 1…2.5.
    pub aspect: f64,
    /// Relative distance of the two frequencies of a degenerate pair, 0…0.02.
    pub split: f64,
    /// Stiffness B of a string, 0…0.1.
    pub inharmonicity: f64,
    /// Number of modes, 1…256; the fraction is the weight of the last one. A body may have fewer.
    pub count: f64,
}

impl Default for Geometry {
    fn default() -> Self {
        Self {
            kind: BodyKind::FreeBar,
            aspect: 1.5,
            split: 0.0,
            inharmonicity: 0.0,
            count: MAX_MODES as f64,
        }
    }
}

impl Geometry {
    /// Range of [`Self::aspect`].
    pub const ASPECT: (f64, f64) = (1.0, 2.5);
    /// Range of [`Self::split`].
    pub const SPLIT: (f64, f64) = (0.0, 0.02);
    /// Range of [`Self::inharmonicity`].
    pub const INHARMONICITY: (f64, f64) = (0.0, 0.1);
    /// Range of [`Self::count`].
    pub const COUNT: (f64, f64) = (1.0, MAX_MODES as f64);

    /// A body of this kind with default proportions.
    pub fn of(kind: BodyKind) -> Self {
        Self { kind, ..Self::default() }
    }

    /// Clamps every value to its range; NaN becomes the default.
    pub fn within_limits(&self) -> Self {
        let default = Self::default();
        let keep = |value: f64, (low, high): (f64, f64), otherwise: f64| {
            if value.is_nan() { otherwise } else { value.clamp(low, high) }
        };
        Self {
            kind: self.kind,
            aspect: keep(self.aspect, Self::ASPECT, default.aspect),
            split: keep(self.split, Self::SPLIT, default.split),
            inharmonicity: keep(self.inharmonicity, Self::INHARMONICITY, default.inharmonicity),
            count: keep(self.count, Self::COUNT, default.count),
        }
    }
}

/// One mode of a list.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UserMode {
    /// Frequency in units of the nominal pitch, 0.01…1000.
    pub ratio: f64,
    /// Amplitude at the striker, signed, -10…10; 1 is the mean over a body.
    pub strike: f64,
    /// Amplitude at the left pickup, signed, -10…10.
    pub left: f64,
    /// Amplitude at the right pickup, signed, -10…10.
    pub right: f64,
    /// Factor on its decay time, 0.01…100.
    pub decay: f64,
}

impl Default for UserMode {
    fn default() -> Self {
        Self { ratio: 1.0, strike: 1.0, left: 1.0, right: 1.0, decay: 1.0 }
    }
}

impl UserMode {
    /// Range of [`Self::ratio`].
    pub const RATIO: (f64, f64) = (0.01, 1000.0);
    /// Range of the amplitudes: up to +20 dB, either sign.
    pub const AMPLITUDE: (f64, f64) = (-10.0, 10.0);
    /// Range of [`Self::decay`].
    pub const DECAY: (f64, f64) = (0.01, 100.0);

    /// Clamps every value to its range; NaN becomes the default.
    pub fn within_limits(&self) -> Self {
        let keep = |value: f64, (low, high): (f64, f64)| {
            if value.is_nan() { 1.0 } else { value.clamp(low, high) }
        };
        Self {
            ratio: keep(self.ratio, Self::RATIO),
            strike: keep(self.strike, Self::AMPLITUDE),
            left: keep(self.left, Self::AMPLITUDE),
            right: keep(self.right, Self::AMPLITUDE),
            decay: keep(self.decay, Self::DECAY),
        }
    }
}

/// A validated list of modes in rising order of frequency. Its capacity is fixed: copying it does
/// not allocate.
#[derive(Clone, Debug, PartialEq)]
pub struct UserModes {
    modes: [UserMode; MAX_MODES],
    len: usize,
}

impl Default for UserModes {
    /// One mode at the nominal pitch.
    fn default() -> Self {
        Self { modes: [UserMode::default(); MAX_MODES], len: 1 }
    }
}

impl UserModes {
    /// Clamps, sorts and keeps the first 256 of these modes; without any, returns the default.
    pub fn new(modes: &[UserMode]) -> Self {
        let mut list = Self::default();
        if modes.is_empty() {
            return list;
        }
        list.len = modes.len().min(MAX_MODES);
        for (slot, mode) in list.modes.iter_mut().zip(modes) {
            *slot = mode.within_limits();
        }
        list.modes[..list.len].sort_unstable_by(|a, b| a.ratio.total_cmp(&b.ratio));
        list
    }

    /// The modes.
    pub fn modes(&self) -> &[UserMode] {
        &self.modes[..self.len]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn listed_modes_are_clamped_to_their_ranges() {
        let hostile = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e300, -1e300, 0.0];
        for value in hostile {
            let mode =
                UserMode { ratio: value, strike: value, left: value, right: value, decay: value };
            let list = UserModes::new(&vec![mode; 300]);
            assert_eq!(list.modes().len(), MAX_MODES);
            for mode in list.modes() {
                assert!(
                    (0.01..=1000.0).contains(&mode.ratio) && (0.01..=100.0).contains(&mode.decay)
                );
                for amplitude in [mode.strike, mode.left, mode.right] {
                    assert!((-10.0..=10.0).contains(&amplitude));
                }
            }
        }
        assert_eq!(UserModes::new(&[]), UserModes::default());
    }

    #[test]
    fn a_list_is_sorted_by_frequency() {
        let mode = |ratio| UserMode { ratio, ..UserMode::default() };
        let list = UserModes::new(&[mode(3.0), mode(1.0), mode(2.0)]);
        assert_eq!(list.modes().iter().map(|mode| mode.ratio).collect::<Vec<_>>(), [1.0, 2.0, 3.0]);
    }
}
