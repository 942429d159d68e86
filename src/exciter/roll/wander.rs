//! Where on the body the contact is.

use crate::math::reflect;

/// What happens at the end of the body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AtTheEnd {
    /// It turns back.
    #[default]
    Reflect,
    /// It goes on from the other end: for bodies that close in themselves.
    Loop,
}

/// The way of the contact point over the body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wander {
    /// Where it begins, 0...1 along the body.
    pub start: f64,
    /// Way from one end of the body to the other, m. 0: the point stays.
    pub span_m: f64,
    /// What happens there.
    pub at_the_end: AtTheEnd,
}

impl Default for Wander {
    fn default() -> Self {
        Self { start: 0.3, span_m: 1.0, at_the_end: AtTheEnd::Reflect }
    }
}

impl Wander {
    /// A way in lengths of the body.
    pub(super) fn lengths(&self, way_m: f64) -> f64 {
        if self.span_m > 0.0 { way_m / self.span_m.max(1e-3) } else { 0.0 }
    }

    /// Place on the body after a way of `x_m`, 0...1.
    pub fn point(&self, x_m: f64) -> f64 {
        let start = if self.start.is_nan() { 0.5 } else { self.start.clamp(0.0, 1.0) };
        let lengths = start + self.lengths(x_m);
        if !lengths.is_finite() {
            return start;
        }
        match self.at_the_end {
            AtTheEnd::Loop => lengths.rem_euclid(1.0),
            AtTheEnd::Reflect => reflect(lengths),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_turns_back_or_goes_round_and_never_leaves() {
        let reflect = Wander { start: 0.25, span_m: 2.0, at_the_end: AtTheEnd::Reflect };
        for (x_m, point) in [
            (0.0, 0.25),
            (1.0, 0.75),
            (2.0, 0.75),
            (3.5, 0.0),
            (-0.5, 0.0),
            (-1.0, 0.25),
            (4.0, 0.25),
        ] {
            assert!((reflect.point(x_m) - point).abs() < 1e-12, "{x_m}: {}", reflect.point(x_m));
        }
        let round = Wander { at_the_end: AtTheEnd::Loop, ..reflect };
        assert!((round.point(1.6) - 0.05).abs() < 1e-12);
        for x_m in [f64::NAN, f64::INFINITY, -1e300, 1e9] {
            assert!(
                (0.0..=1.0).contains(&reflect.point(x_m))
                    && (0.0..=1.0).contains(&round.point(x_m))
            );
        }
    }
}
