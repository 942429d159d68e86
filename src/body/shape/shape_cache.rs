//! A cache of mode shapes at one point: they cost more than all other coefficients of a body.

use super::{BodyKind, Geometry, Place, Point, Spectrum};
use crate::body::{Row, are_finite};

/// Shape of each mode of a body at one point. Recomputed only when the body or the point changes,
/// and only for the modes in use.
#[derive(Clone, Debug)]
pub struct ShapeCache {
    values: Row,
    /// How many of them are valid; the rest is 0.
    known: usize,
    cached_for: Option<(BodyKind, f64, Point)>,
}

impl ShapeCache {
    /// An empty cache with room for `capacity` modes. Allocates.
    pub fn new(capacity: usize) -> Self {
        Self { values: Row::new(capacity), known: 0, cached_for: None }
    }

    /// Makes the first `needed` shapes valid. Returns how many had to be computed.
    pub fn set(&mut self, spectrum: &Spectrum, place: Place, point: Point, needed: usize) -> usize {
        // Shapes depend on nothing else of the geometry.
        let Geometry { kind, aspect, .. } = *spectrum.geometry();
        let wanted = (kind, aspect, point);
        // The geometry does not identify a list of modes, and reading it is cheap.
        if self.cached_for != Some(wanted) || kind.is_mode_list() {
            self.clear();
            self.cached_for = Some(wanted);
        }
        let (known, needed) = (self.known, needed.min(self.values.len()));
        if needed > known {
            spectrum.further_deflections(place, point, known, &mut self.values[known..needed]);
            self.known = needed;
        }
        needed.saturating_sub(known)
    }

    /// Empties the cache.
    pub fn clear(&mut self) {
        self.values.fill(0.0);
        (self.known, self.cached_for) = (0, None);
    }

    /// The first `needed` shapes, if they are cached for this body and point.
    pub fn known(&self, spectrum: &Spectrum, point: Point, needed: usize) -> Option<&[f64]> {
        let Geometry { kind, aspect, .. } = *spectrum.geometry();
        let is_known = self.cached_for == Some((kind, aspect, point))
            && !kind.is_mode_list()
            && needed <= self.known;
        is_known.then(|| &self.values[..needed])
    }

    /// Copies the other cache if it holds more or another body or point, and is finite.
    pub fn copy_caches_from(&mut self, other: &Self) {
        // Too many for this capacity: computed here as far as there is room.
        if other.known > self.values.len() {
            return;
        }
        let knows_more = self.cached_for != other.cached_for || self.known < other.known;
        if other.cached_for.is_some() && knows_more && are_finite(&other.values[..other.known]) {
            // Only what is valid: most bodies have far fewer modes than the capacity, and cold
            // memory is slow.
            self.values[..other.known].copy_from_slice(&other.values[..other.known]);
            if self.known > other.known {
                self.values[other.known..self.known].fill(0.0);
            }
            (self.known, self.cached_for) = (other.known, other.cached_for);
        }
    }

    /// Shape of each mode; 0 where it is not cached.
    pub fn values(&self) -> &[f64] {
        &self.values
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::{MAX_MODES, UserModes};

    fn spectrum(kind: BodyKind) -> Spectrum {
        let mut spectrum = Spectrum::default();
        spectrum.set(&Geometry { kind, ..Geometry::default() }, &UserModes::default());
        spectrum
    }

    #[test]
    fn shapes_found_in_parts_or_copied_equal_those_of_the_spectrum() {
        for kind in
            [BodyKind::FreeBar, BodyKind::Membrane, BodyKind::FreePlate, BodyKind::ChurchBell]
        {
            let (spectrum, point) = (spectrum(kind), Point::new(0.3, 0.2));
            let mut whole = [0.0; MAX_MODES];
            spectrum.deflections(Place::Left, point, &mut whole);
            let mut shapes = ShapeCache::new(MAX_MODES);
            for needed in [3, 10, 7, 100] {
                shapes.set(&spectrum, Place::Left, point, needed);
            }
            let mut copy = ShapeCache::new(MAX_MODES);
            copy.set(&spectrum, Place::Left, point, 5);
            copy.copy_caches_from(&shapes);
            assert!(
                shapes.values()[..100] == whole[..100]
                    && shapes.values()[100..] == [0.0; MAX_MODES - 100]
            );
            assert!(copy.values() == shapes.values());
            // A cache of another point, with more modes.
            let mut other = ShapeCache::new(MAX_MODES);
            other.set(&spectrum, Place::Left, Point::new(0.6, 0.1), 200);
            other.copy_caches_from(&shapes);
            assert!(other.values() == shapes.values());
        }
    }

    #[test]
    fn values_that_are_not_finite_are_not_copied() {
        let (spectrum, point) = (spectrum(BodyKind::ChurchBell), Point::new(0.3, 0.2));
        let mut shapes = ShapeCache::new(MAX_MODES);
        shapes.set(&spectrum, Place::Left, point, 20);
        for broken in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            let mut broken_cache = shapes.clone();
            broken_cache.values[19] = broken;
            let mut copy = ShapeCache::new(MAX_MODES);
            copy.copy_caches_from(&broken_cache);
            assert!(copy.cached_for.is_none() && *copy.values() == [0.0; MAX_MODES], "{broken}");
            // Values beyond the valid ones do not matter.
            broken_cache.values[19] = shapes.values[19];
            broken_cache.values[20] = broken;
            copy.copy_caches_from(&broken_cache);
            assert!(*copy.values() == *shapes.values, "{broken}");
        }
    }

    #[test]
    fn another_point_or_body_is_recomputed() {
        let (bar, bell) = (spectrum(BodyKind::FreeBar), spectrum(BodyKind::ChurchBell));
        let mut shapes = ShapeCache::new(MAX_MODES);
        shapes.set(&bar, Place::Left, Point::along(0.1), 50);
        for (spectrum, x) in [(&bar, 0.2), (&bell, 0.2)] {
            let mut fresh = [0.0; MAX_MODES];
            spectrum.deflections(Place::Left, Point::along(x), &mut fresh[..20]);
            shapes.set(spectrum, Place::Left, Point::along(x), 20);
            assert!(*shapes.values() == fresh);
        }
    }
}
