//! What rings: modes of a shape in a material, driven at a point and heard at two pickups.
//!
//! A body knows no contact. Its [`Modes`] (coefficients, from shape, material and pitch) are made
//! at control rate and handed over whole; its [`Bank`] (state) holds one complex amplitude per mode
//! and nothing else.

pub mod bank;
pub mod coupled;
pub mod drive;
pub mod fading_body;
pub mod kernel;
pub mod macros;
pub mod material;
pub mod modes;
pub mod parts;
mod patch;
pub mod row;
pub mod shape;

pub use bank::Bank;
pub use coupled::CoupledModes;
pub use drive::{Drive, StepRows, Steps};
pub use fading_body::FadingBody;
pub use kernel::Kernel;
pub use modes::{Listening, Modes};
pub use parts::Parts;
pub use row::Row;
pub use shape::{BodyKind, Geometry, Layout, Point, Spectrum, UserModes};

/// Most modes of one body.
pub const MAX_MODES: usize = 256;

/// Modes that a voice has room for unless its patch asks for more.
pub const USUAL_MODES: usize = 64;

/// Modes are processed in groups of this many, side by side; a divisor of [`MAX_MODES`].
pub const LANES: usize = 8;

/// One number for each of the most modes there can be. What is kept is a [`Row`].
pub type PerMode = [f64; MAX_MODES];

/// Whether all of them are numbers.
pub(crate) fn are_finite(values: &[f64]) -> bool {
    values.iter().all(|value| value.is_finite())
}

#[cfg(test)]
mod tests;
