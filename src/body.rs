//! What rings: modes of a shape in a material, driven at a point and heard at two pickups.
//!
//! A body knows no contact. Its [`Modes`] (coefficients, from shape, material and pitch) are made
//! at control rate and handed over whole; its [`Bank`] (state) holds one complex amplitude per mode
//! and nothing else.

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
pub mod shape;

pub use bank::Bank;
pub use coupled::CoupledModes;
pub use drive::{Drive, StepRows, Steps};
pub use fading_body::FadingBody;
pub use kernel::Kernel;
pub use modes::{Listening, Modes};
pub use parts::Parts;
pub use shape::{BodyKind, Geometry, Layout, Point, Spectrum, UserModes};

/// Most modes of one body.
pub const MAX_MODES: usize = 256;

/// Modes that a voice has room for unless its patch asks for more.
pub const USUAL_MODES: usize = 64;

/// Modes are processed in groups of this many, side by side; a divisor of [`MAX_MODES`].
pub const LANES: usize = 8;

/// One number for each of the most modes there can be. What is kept is a [`Row`].
pub type PerMode = [f64; MAX_MODES];

/// One number for each mode that a body has room for, aligned to a cache line: a vector that
/// crosses two lines takes twice as long to load.
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

/// Whether all of them are numbers.
pub(crate) fn are_finite(values: &[f64]) -> bool {
    values.iter().all(|value| value.is_finite())
}

#[cfg(test)]
mod tests;
