//! Storage of one number for each mode.

use std::ops::{Deref, DerefMut};

use super::LANES;

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_start_on_a_cache_line_and_clones_too() {
        let rows: Vec<Row> = (1..40).map(|n| Row::filled(8 * n, n as f64)).collect();
        for row in rows.iter().chain(&rows.clone()) {
            assert_eq!(row.as_ptr() as usize % 64, 0);
            assert!(row.iter().all(|x| *x == (row.len() / 8) as f64));
        }
    }
}
