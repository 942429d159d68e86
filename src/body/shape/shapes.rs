//! Shapes at one place, kept: they cost more than all else that a body is made of.

use super::{BodyKind, Geometry, Place, Point, Spectrum};
use crate::body::{Row, are_finite};

/// How far each mode of a body bends at one place. Made anew only when the body or the place
/// changes, and only as far as it is asked for.
#[derive(Clone, Debug)]
pub struct Shapes {
    values: Row,
    /// How many of them; the rest is 0.
    known: usize,
    made_for: Option<(BodyKind, f64, Point)>,
}

impl Shapes {
    /// Of no body, with room for `capacity` modes. Allocates.
    pub fn new(capacity: usize) -> Self {
        Self { values: Row::new(capacity), known: 0, made_for: None }
    }

    /// Be right for the first `needed` modes. Returns how many shapes had to be found.
    pub fn set(&mut self, spectrum: &Spectrum, place: Place, point: Point, needed: usize) -> usize {
        // Nothing else of the geometry bends a mode.
        let Geometry { kind, aspect, .. } = *spectrum.geometry();
        let wanted = (kind, aspect, point);
        // Lists of modes are not told apart by their geometry, and cost next to nothing.
        if self.made_for != Some(wanted) || kind == BodyKind::User {
            self.forget();
            self.made_for = Some(wanted);
        }
        let (known, needed) = (self.known, needed.min(self.values.len()));
        if needed > known {
            spectrum.further_deflections(place, point, known, &mut self.values[known..needed]);
            self.known = needed;
        }
        needed.saturating_sub(known)
    }

    /// Know none any more.
    pub fn forget(&mut self) {
        self.values.fill(0.0);
        (self.known, self.made_for) = (0, None);
    }

    /// The first `needed` of them, if they are known for this body and place.
    pub fn known(&self, spectrum: &Spectrum, point: Point, needed: usize) -> Option<&[f64]> {
        let Geometry { kind, aspect, .. } = *spectrum.geometry();
        let is_known = self.made_for == Some((kind, aspect, point))
            && kind != BodyKind::User
            && needed <= self.known;
        is_known.then(|| &self.values[..needed])
    }

    /// Take over what another knows, if that is more, or of something else. What has broken there
    /// is worked out anew here.
    pub fn copy_caches_from(&mut self, other: &Self) {
        // A body of more modes than there is room for here is worked out as far as it goes.
        if other.known > self.values.len() {
            return;
        }
        let knows_more = self.made_for != other.made_for || self.known < other.known;
        if other.made_for.is_some() && knows_more && are_finite(&other.values[..other.known]) {
            // No more than is known: most bodies have far fewer modes than there is room for, and
            // memory that nobody has touched for long is slow.
            self.values[..other.known].copy_from_slice(&other.values[..other.known]);
            if self.known > other.known {
                self.values[other.known..self.known].fill(0.0);
            }
            (self.known, self.made_for) = (other.known, other.made_for);
        }
    }

    /// The shape of each mode; 0 where it is not known.
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
    fn bit_by_bit_or_copied_they_are_what_the_body_says() {
        for kind in
            [BodyKind::FreeBar, BodyKind::Membrane, BodyKind::FreePlate, BodyKind::ChurchBell]
        {
            let (spectrum, point) = (spectrum(kind), Point::new(0.3, 0.2));
            let mut whole = [0.0; MAX_MODES];
            spectrum.deflections(Place::Left, point, &mut whole);
            let mut shapes = Shapes::new(MAX_MODES);
            for needed in [3, 10, 7, 100] {
                shapes.set(&spectrum, Place::Left, point, needed);
            }
            let mut learnt = Shapes::new(MAX_MODES);
            learnt.set(&spectrum, Place::Left, point, 5);
            learnt.copy_caches_from(&shapes);
            assert!(
                shapes.values()[..100] == whole[..100]
                    && shapes.values()[100..] == [0.0; MAX_MODES - 100]
            );
            assert!(learnt.values() == shapes.values());
            // Of something else, from one who knew more.
            let mut forgetful = Shapes::new(MAX_MODES);
            forgetful.set(&spectrum, Place::Left, Point::new(0.6, 0.1), 200);
            forgetful.copy_caches_from(&shapes);
            assert!(forgetful.values() == shapes.values());
        }
    }

    #[test]
    fn what_has_broken_is_not_copied() {
        let (spectrum, point) = (spectrum(BodyKind::ChurchBell), Point::new(0.3, 0.2));
        let mut shapes = Shapes::new(MAX_MODES);
        shapes.set(&spectrum, Place::Left, point, 20);
        for broken in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            let mut sick = shapes.clone();
            sick.values[19] = broken;
            let mut learnt = Shapes::new(MAX_MODES);
            learnt.copy_caches_from(&sick);
            assert!(learnt.made_for.is_none() && *learnt.values() == [0.0; MAX_MODES], "{broken}");
            // Nobody asks for what lies beyond.
            sick.values[19] = shapes.values[19];
            sick.values[20] = broken;
            learnt.copy_caches_from(&sick);
            assert!(*learnt.values() == *shapes.values, "{broken}");
        }
    }

    #[test]
    fn another_place_or_body_is_rebuilt() {
        let (bar, bell) = (spectrum(BodyKind::FreeBar), spectrum(BodyKind::ChurchBell));
        let mut shapes = Shapes::new(MAX_MODES);
        shapes.set(&bar, Place::Left, Point::along(0.1), 50);
        for (spectrum, x) in [(&bar, 0.2), (&bell, 0.2)] {
            let mut fresh = [0.0; MAX_MODES];
            spectrum.deflections(Place::Left, Point::along(x), &mut fresh[..20]);
            shapes.set(spectrum, Place::Left, Point::along(x), 20);
            assert!(*shapes.values() == fresh);
        }
    }
}
