//! Ratios and shapes of a body's modes, without a pitch.

use std::f64::consts::{PI, SQRT_2};

use super::disc::Disc;
use super::kind::ModeLaw;
use super::plate::{self, Sines};
use super::shell::Partial;
use super::{Geometry, Point, UserModes, bar};
use crate::body::{LANES, MAX_MODES, Row, are_finite};

/// Role of a point: striker or pickup.
///
/// The mode shapes of a body do not depend on it; a list of modes has one amplitude for each role.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The striker.
    Strike,
    /// The left pickup.
    Left,
    /// The right pickup.
    Right,
}

/// Shape of one mode over the body; its mean square is 1, except in a list.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum ModeShape {
    /// sqrt(2) sin(k x)
    Sine { k: f64 },
    /// sqrt(2) cos(k x)
    Cosine { k: f64 },
    /// A mode of the free bar, by its root.
    Free { root: f64 },
    /// A mode of the clamped bar, by its root.
    Clamped { root: f64 },
    /// A row of a disc's table times cosine or sine.
    Disc { row: u8, sine: bool },
    /// 2 sin(m pi x) sin(n pi y)
    Sines { m: u8, n: u8 },
    /// A mode of the free plate's table.
    Plate { mode: u8 },
    /// Waves around; along the height the clamped bar with this root, or constant if it is 0.
    Shell { waves: u8, root: f64, sine: bool },
    /// Amplitudes from a list: strike, left, right.
    Listed { amplitudes: [f64; 3] },
}

impl ModeShape {
    fn is_finite(&self) -> bool {
        match *self {
            Self::Sine { k } | Self::Cosine { k } => k.is_finite(),
            Self::Free { root } | Self::Clamped { root } | Self::Shell { root, .. } => {
                root.is_finite()
            }
            Self::Disc { .. } | Self::Sines { .. } | Self::Plate { .. } => true,
            Self::Listed { amplitudes } => are_finite(&amplitudes),
        }
    }
}

/// Factors that all modes of a plate share at a point.
#[derive(Clone, Copy, Debug)]
struct PlateFactors {
    free: Option<plate::Legendre>,
    supported: Option<Sines>,
}

/// Ratios and shapes of up to 256 modes.
///
/// [`set`](Self::set) runs at control rate on the audio thread: bounded work, no allocation. A mode
/// keeps its number while the geometry moves, and its ratio and shape move without a jump. So
/// ratios rise with the number at the middle of the range (aspect 1.5, no split) and may cross
/// elsewhere.
#[derive(Clone, Debug)]
pub struct Spectrum {
    geometry: Geometry,
    len: usize,
    ratios: Row,
    decays: Row,
    shapes: Box<[ModeShape]>,
    disc: Disc,
    blend: plate::FreePlate,
}

impl Default for Spectrum {
    /// The free bar, with room for all modes.
    fn default() -> Self {
        Self::new(MAX_MODES)
    }
}

impl Spectrum {
    /// The free bar, with room for `capacity` modes. Allocates.
    pub fn new(capacity: usize) -> Self {
        let mut spectrum = Self {
            geometry: Geometry::default(),
            len: 0,
            ratios: Row::new(capacity),
            decays: Row::filled(capacity, 1.0),
            shapes: vec![ModeShape::Sine { k: 0.0 }; capacity].into(),
            disc: Disc::Membrane,
            blend: plate::FreePlate::default(),
        };
        spectrum.make(&UserModes::default());
        spectrum
    }

    /// Every per-mode row, for fault-injection tests.
    pub(crate) fn rows_in_memory(&mut self) -> [&mut Row; 2] {
        [&mut self.ratios, &mut self.decays]
    }

    /// Restores the state of [`Self::new`].
    pub fn renew(&mut self) {
        self.geometry = Geometry::default();
        self.blend = plate::FreePlate::default();
        self.make(&UserModes::default());
    }

    /// Sets the geometry; returns true if anything changed. Only a list of modes reads `user`.
    pub fn set(&mut self, geometry: &Geometry, user: &UserModes) -> bool {
        let geometry = geometry.within_limits();
        // Copying a list costs no more than comparing it.
        if geometry == self.geometry && !geometry.kind.is_mode_list() {
            return false;
        }
        self.geometry = geometry;
        self.make(user);
        true
    }

    /// Copies the modes that the other spectrum [uses](Self::wanted), if they are finite and fit.
    pub fn copy_caches_from(&mut self, other: &Self) {
        let wanted = other.wanted();
        let fits = wanted <= self.ratios.len() && other.len <= self.ratios.len();
        if other.geometry == self.geometry || !fits || !other.are_modes_finite(wanted) {
            return;
        }
        self.ratios[..wanted].copy_from_slice(&other.ratios[..wanted]);
        self.decays[..wanted].copy_from_slice(&other.decays[..wanted]);
        self.shapes[..wanted].copy_from_slice(&other.shapes[..wanted]);
        (self.geometry, self.len) = (other.geometry, other.len);
        (self.disc, self.blend) = (other.disc, other.blend);
    }

    /// True if all values in use are finite.
    pub fn is_finite(&self) -> bool {
        self.are_modes_finite(self.wanted())
    }

    fn are_modes_finite(&self, modes: usize) -> bool {
        are_finite(&self.ratios[..modes])
            && are_finite(&self.decays[..modes])
            && self.shapes[..modes].iter().all(ModeShape::is_finite)
            && self.blend.is_finite()
    }

    /// Number of modes with a [share](Self::share) above 0, rounded up to whole groups.
    pub fn wanted(&self) -> usize {
        // The cast saturates.
        let room = self.ratios.len();
        (self.geometry.count.ceil() as usize).min(room).next_multiple_of(LANES).min(room)
    }

    /// The geometry it was computed for.
    pub fn geometry(&self) -> &Geometry {
        &self.geometry
    }

    /// Number of modes.
    pub fn len(&self) -> usize {
        self.len
    }

    /// True if there are none, which never happens.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Frequency of a mode in units of the nominal pitch.
    pub fn ratio(&self, mode: usize) -> f64 {
        self.ratios[mode]
    }

    /// Factor on the decay time of a mode; 1 except in lists.
    pub fn decay(&self, mode: usize) -> f64 {
        self.decays[mode]
    }

    /// Ratios and decay factors of the first `len` modes.
    pub fn ratios_and_decays(&self, len: usize) -> (&[f64], &[f64]) {
        (&self.ratios[..len], &self.decays[..len])
    }

    /// Weight of a mode, 0…1: the last one fades with the fraction of the mode count.
    pub fn share(&self, mode: usize) -> f64 {
        if mode < self.len { (self.geometry.count - mode as f64).clamp(0.0, 1.0) } else { 0.0 }
    }

    /// Signed shape of a mode at a point; mean square over the body 1.
    pub fn deflection(&self, mode: usize, place: Place, point: Point) -> f64 {
        let point = point.within_limits();
        self.shape_at(mode, place, point, &self.plate_factors(point), &mut None)
    }

    /// Writes the shapes of the first `into.len()` modes at a point.
    pub fn deflections(&self, place: Place, point: Point, into: &mut [f64]) {
        self.further_deflections(place, point, 0, into);
    }

    /// Writes the shapes of `into.len()` modes at a point, starting with mode `first`.
    pub fn further_deflections(&self, place: Place, point: Point, first: usize, into: &mut [f64]) {
        let point = point.within_limits();
        let factors = self.plate_factors(point);
        let mut last = None;
        for (mode, shape) in (first..).zip(into) {
            *shape = if mode < self.len {
                self.shape_at(mode, place, point, &factors, &mut last)
            } else {
                0.0
            };
        }
    }

    /// Like [`Self::deflections`] for a striker that moves along a line of constant y; `line`
    /// caches what depends on y only.
    pub fn deflections_along(
        &self,
        line: &mut plate::FreePlateLine,
        point: Point,
        into: &mut [f64],
    ) {
        if !matches!(self.geometry.kind.spec().law, ModeLaw::FreePlate) {
            return self.deflections(Place::Strike, point, into);
        }
        let point = point.within_limits();
        let (known, beyond) = into.split_at_mut(self.len.min(into.len()));
        line.deflections(&self.blend, point.x, point.y, known);
        beyond.fill(0.0);
    }

    fn plate_factors(&self, point: Point) -> PlateFactors {
        // All modes of a body have the same kind of shape.
        let first = self.shapes.first();
        let is_free = matches!(first, Some(ModeShape::Plate { .. }));
        let is_supported = matches!(first, Some(ModeShape::Sines { .. }));
        PlateFactors {
            free: is_free.then(|| plate::Legendre::new(point.x, point.y)),
            supported: is_supported.then(|| Sines::new(point.x, point.y)),
        }
    }

    /// `last` caches the radial part of a pair's first mode for its second.
    fn shape_at(
        &self,
        mode: usize,
        place: Place,
        point: Point,
        factors: &PlateFactors,
        last: &mut Option<(u8, f64)>,
    ) -> f64 {
        let around = |waves: u8, sine: bool| {
            let (s, c) = (2.0 * PI * f64::from(waves) * point.y).sin_cos();
            if sine { s } else { c }
        };
        match self.shapes[mode] {
            ModeShape::Sine { k } => SQRT_2 * (k * point.x).sin(),
            ModeShape::Cosine { k } => SQRT_2 * (k * point.x).cos(),
            ModeShape::Free { root } => bar::deflection(root, point.x),
            ModeShape::Clamped { root } => bar::clamped_deflection(root, point.x),
            ModeShape::Disc { row, sine } => {
                let shape = &self.disc.rows()[usize::from(row)];
                let radial = match *last {
                    Some((known, radial)) if known == row => radial,
                    _ => shape.radial(point.x),
                };
                *last = Some((row, radial));
                radial * around(shape.diameters, sine)
            }
            ModeShape::Sines { m, n } => {
                factors.supported.as_ref().map_or(0.0, |sines| sines.deflection(m, n))
            }
            ModeShape::Plate { mode } => factors
                .free
                .as_ref()
                .map_or(0.0, |legendre| self.blend.deflection(usize::from(mode), legendre)),
            ModeShape::Shell { waves, root, sine } => {
                let up = if root > 0.0 { bar::clamped_deflection(root, point.x) } else { 1.0 };
                SQRT_2 * up * around(waves, sine)
            }
            ModeShape::Listed { amplitudes } => amplitudes[place as usize],
        }
    }

    /// Fills ratios, decays and shapes by the law of the kind.
    fn make(&mut self, user: &UserModes) {
        let geometry = self.geometry;
        self.decays.fill(1.0);
        match geometry.kind.spec().law {
            ModeLaw::Each(law) => self.fill(|mode| law(&geometry, mode)),
            ModeLaw::Disc(disc) => self.fill_disc(disc),
            ModeLaw::Pairs { count, partial, has_height } => {
                self.fill_pairs(count, partial, has_height);
            }
            ModeLaw::FreePlate => self.fill_free_plate(),
            ModeLaw::List => self.fill_list(user),
        }
    }

    fn fill_list(&mut self, user: &UserModes) {
        self.len = user.modes().len().min(self.ratios.len());
        for (i, mode) in user.modes().iter().enumerate().take(self.len) {
            self.ratios[i] = mode.ratio;
            self.decays[i] = mode.decay;
            self.shapes[i] = ModeShape::Listed { amplitudes: [mode.strike, mode.left, mode.right] };
        }
    }

    fn fill(&mut self, mode: impl Fn(usize) -> (f64, ModeShape)) {
        self.len = self.ratios.len();
        for i in 0..self.len {
            (self.ratios[i], self.shapes[i]) = mode(i);
        }
    }

    fn fill_free_plate(&mut self) {
        self.blend = plate::FreePlate::new(self.geometry.aspect);
        self.len = plate::FREE_MODES.min(self.ratios.len());
        let mut lowest = f64::MAX;
        // Over all modes: the lowest does not depend on the capacity.
        for i in 0..plate::FREE_MODES {
            lowest = lowest.min(self.blend.lambda(i));
        }
        for i in 0..self.len {
            self.ratios[i] = self.blend.lambda(i);
            self.shapes[i] = ModeShape::Plate { mode: i as u8 };
        }
        // The lowest mode changes near an aspect of 1.6: twisting below, bending above.
        for ratio in &mut self.ratios[..self.len] {
            *ratio /= lowest;
        }
    }

    fn fill_disc(&mut self, disc: Disc) {
        self.disc = disc;
        self.len = 0;
        for (row, shape) in disc.rows().iter().enumerate() {
            let form = |sine| ModeShape::Disc { row: row as u8, sine };
            if shape.diameters == 0 {
                self.push(disc.ratio(row), form(false));
            } else {
                self.push_pair(disc.ratio(row), form);
            }
        }
    }

    fn fill_pairs(&mut self, pairs: usize, partial: fn(usize) -> Partial, has_height: bool) {
        self.len = 0;
        for pair in 0..pairs {
            let Partial { ratio, waves, circles } = partial(pair);
            let root = if has_height { bar::clamped_root(usize::from(circles)) } else { 0.0 };
            self.push_pair(ratio, |sine| ModeShape::Shell { waves, root, sine });
        }
    }

    /// Two modes of one shape, rotated against each other and split in frequency.
    fn push_pair(&mut self, ratio: f64, form: impl Fn(bool) -> ModeShape) {
        let half = 0.5 * self.geometry.split;
        self.push(ratio * (1.0 - half), form(false));
        self.push(ratio * (1.0 + half), form(true));
    }

    fn push(&mut self, ratio: f64, form: ModeShape) {
        if self.len < self.ratios.len() {
            (self.ratios[self.len], self.shapes[self.len]) = (ratio, form);
            self.len += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::BodyKind;
    use super::*;

    #[test]
    fn values_that_are_not_finite_are_not_copied() {
        let mut bell = Spectrum::default();
        bell.set(
            &Geometry { kind: BodyKind::ChurchBell, ..Geometry::default() },
            &UserModes::default(),
        );
        let breaks: [fn(&mut Spectrum); 7] = [
            |broken| broken.ratios[1] = f64::NAN,
            |broken| broken.decays[1] = f64::INFINITY,
            |broken| broken.shapes[1] = ModeShape::Sine { k: f64::NAN },
            |broken| broken.shapes[1] = ModeShape::Free { root: f64::NEG_INFINITY },
            |broken| broken.shapes[1] = ModeShape::Shell { waves: 1, root: f64::NAN, sine: false },
            |broken| broken.shapes[1] = ModeShape::Listed { amplitudes: [0.0, f64::NAN, 0.0] },
            |broken| broken.blend = plate::FreePlate::new(f64::NAN),
        ];
        let before = *Spectrum::default().geometry();
        for (n, breaks) in breaks.into_iter().enumerate() {
            let (mut broken, mut copy) = (bell.clone(), Spectrum::default());
            breaks(&mut broken);
            copy.copy_caches_from(&broken);
            assert!(*copy.geometry() == before, "{n}");
            copy.copy_caches_from(&bell);
            assert!(*copy.geometry() == bell.geometry, "{n}");
        }
    }
}
