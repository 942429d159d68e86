//! Modal bodies: the modes of a shape in a material, driven at a point and heard by two pickups.
//!
//! A body knows contacts only by the traits through which they push it. [`Modes`] holds the
//! coefficients, computed at control rate from shape, material and pitch. [`Bank`] holds the state:
//! one complex amplitude per mode.

use std::ops::{Deref, DerefMut};

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
pub mod shape;

pub use bank::Bank;
pub use coupled::CoupledModes;
pub use drive::{Drive, StepRows, Steps};
pub use fading_body::FadingBody;
pub use kernel::Kernel;
pub use modes::{Listening, Modes};
pub use parts::Parts;
pub use shape::{BodyKind, Geometry, Layout, Point, Spectrum, UserModes};

/// Largest number of modes of one body.
pub const MAX_MODES: usize = 256;

/// Modes that a voice has room for unless its patch needs more.
pub const USUAL_MODES: usize = 64;

/// Modes per SIMD group; a divisor of [`MAX_MODES`].
pub const LANES: usize = 8;

/// One number per mode, for the largest number of modes. For storage use [`Row`].
pub type PerMode = [f64; MAX_MODES];

/// One number per mode, aligned to a cache line.
///
/// A vector that crosses two lines takes twice as long to load.
#[derive(Debug)]
pub struct Row {
    values: Box<[f64]>,
    start: usize,
    len: usize,
}

impl Row {
    /// Zeros for `len` modes. Allocates.
    pub fn new(len: usize) -> Self {
        Self::filled(len, 0.0)
    }

    /// The same `value` for `len` modes. Allocates.
    pub fn filled(len: usize, value: f64) -> Self {
        let values = vec![value; len + LANES - 1].into_boxed_slice();
        let past_line = (values.as_ptr() as usize / size_of::<f64>()) % LANES;
        Self { values, start: (LANES - past_line) % LANES, len }
    }
}

impl Deref for Row {
    type Target = [f64];

    #[inline]
    fn deref(&self) -> &[f64] {
        &self.values[self.start..self.start + self.len]
    }
}

impl DerefMut for Row {
    #[inline]
    fn deref_mut(&mut self) -> &mut [f64] {
        &mut self.values[self.start..self.start + self.len]
    }
}

impl<'a> IntoIterator for &'a Row {
    type Item = &'a f64;
    type IntoIter = std::slice::Iter<'a, f64>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl PartialEq for Row {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl Clone for Row {
    fn clone(&self) -> Self {
        let mut row = Self::new(self.len);
        row.copy_from_slice(self);
        row
    }

    /// Does not allocate if both have the same length.
    fn clone_from(&mut self, other: &Self) {
        if self.len == other.len {
            self.copy_from_slice(other);
        } else {
            *self = other.clone();
        }
    }
}

/// True if all values are finite.
pub(crate) fn are_finite(values: &[f64]) -> bool {
    values.iter().all(|value| value.is_finite())
}

#[cfg(test)]
mod tests;
