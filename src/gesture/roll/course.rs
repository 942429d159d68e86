//! The ground of one sample, read in one go.
//!
//! Where the contact will be at every step is known when the sample begins; what the steps do to it is not. Read one after the
//! other without waiting for the forces, the heights cost the processor half of the time.

use super::motion::End;

/// Most steps that are read ahead; a sample with more reads them one by one.
pub(super) const MOST: usize = 16;

/// The heights at the ends of the steps of one sample.
#[derive(Clone, Debug)]
pub(super) struct Course {
    h_s: f64,
    next: usize,
    count: usize,
    ends: [End; MOST],
}

impl Default for Course {
    fn default() -> Self {
        Self { h_s: 0.0, next: 0, count: 0, ends: [End::default(); MOST] }
    }
}

impl Course {
    /// Nothing is known.
    pub fn forget(&mut self) {
        self.count = 0;
    }

    /// Begin a sample of steps of `h_s`.
    pub fn begin(&mut self, h_s: f64) {
        (self.h_s, self.next, self.count) = (h_s, 0, 0);
    }

    /// Where the step after those that are known ends.
    #[inline]
    pub fn add(&mut self, end: End) {
        if let Some(place) = self.ends.get_mut(self.count) {
            *place = end;
            self.count += 1;
        }
    }

    /// Where the next step ends, if that is known for steps of this length.
    #[inline]
    pub fn take(&mut self, h_s: f64) -> Option<End> {
        if self.next >= self.count || self.h_s != h_s {
            // The steps are others than was thought: from here on nothing fits.
            self.count = 0;
            return None;
        }
        self.next += 1;
        Some(self.ends[self.next - 1])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_of_another_length_are_read_anew() {
        let end = |x_m: f64| End { x_m, ..End::default() };
        let mut course = Course::default();
        assert!(course.take(0.25).is_none());
        course.begin(0.25);
        for x_m in [0.25, 0.5, 0.75, 1.0] {
            course.add(end(x_m));
        }
        assert_eq!(
            [(); 5].map(|()| course.take(0.25).map(|end| end.x_m)),
            [Some(0.25), Some(0.5), Some(0.75), Some(1.0), None]
        );
        course.begin(0.25);
        for x_m in [0.25, 0.5, 0.75, 1.0] {
            course.add(end(x_m));
        }
        assert!(course.take(0.5).is_none() && course.take(0.25).is_none());
    }
}
