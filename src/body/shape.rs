//! Shapes of bodies: which frequencies they have, and how each mode bends.
//!
//! A [`BodyKind`] of body with its [`Geometry`] gives a [`Spectrum`]: for each mode the ratio of
//! its frequency to the nominal pitch, and its signed shape over the body, scaled to a mean square
//! of 1. Then every modal mass is the mass of the body.

pub mod bar;
pub mod disc;
pub mod kind;
pub mod plate;
pub mod shapes;
pub mod shell;
pub mod spectrum;
pub mod tuned;
pub mod user;

pub use kind::BodyKind;
pub use shapes::Shapes;
pub use spectrum::{Place, Spectrum};
pub use user::{UserMode, UserModes};

use super::MAX_MODES;

/// A place on a body, both numbers 0…1.
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
    /// A place in two dimensions.
    pub const fn new(x: f64, y: f64) -> Self {
        Self { x, y }
    }

    /// A place on a body of one dimension.
    pub const fn along(x: f64) -> Self {
        Self { x, y: 0.0 }
    }

    /// The nearest place on the body; what is no number becomes 0.
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

/// What a body is made like. All of it may move while the body rings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Geometry {
    /// What it is.
    pub kind: BodyKind,
    /// Longer over shorter side of a rectangle, 1…2.5.
    pub aspect: f64,
    /// Distance of the two frequencies of a degenerate pair, relative, 0…0.02.
    pub split: f64,
    /// Stiffness B of a string, 0…0.1.
    pub inharmonicity: f64,
    /// How many modes sound, 1…256; the last one by the fraction. Fewer if the body has fewer.
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
    /// Shortest and longest rectangle.
    pub const ASPECT: (f64, f64) = (1.0, 2.5);
    /// Least and most splitting of pairs.
    pub const SPLIT: (f64, f64) = (0.0, 0.02);
    /// Most flexible and stiffest string.
    pub const INHARMONICITY: (f64, f64) = (0.0, 0.1);
    /// Fewest and most modes.
    pub const COUNT: (f64, f64) = (1.0, MAX_MODES as f64);

    /// A body of this kind, otherwise plain.
    pub fn of(kind: BodyKind) -> Self {
        Self { kind, ..Self::default() }
    }

    /// The same with every number inside its range; what is no number becomes the default.
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
