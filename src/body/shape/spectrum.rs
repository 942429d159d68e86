//! The modes of a body without a pitch: ratios and shapes.

use std::f64::consts::{PI, SQRT_2};

use super::disc::Disc;
use super::plate::{self, Sines, free};
use super::shell::{self, Partial};
use super::{BodyKind, Geometry, Point, UserModes, bar, tuned};
use crate::body::{LANES, MAX_MODES, Row, are_finite};

/// Who is at a point. Bodies have one shape for all; a list of modes has an amplitude for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The striker.
    Strike,
    /// The left pickup.
    Left,
    /// The right pickup.
    Right,
}

/// How one mode bends; every form has a mean square of 1.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Form {
    /// sqrt(2) sin(k x)
    Sine { k: f64 },
    /// sqrt(2) cos(k x)
    Cosine { k: f64 },
    /// Free bar with this root.
    Free { root: f64 },
    /// Clamped bar with this root.
    Clamped { root: f64 },
    /// A row of a disc's table, times cosine or sine.
    Disc { row: u8, sine: bool },
    /// 2 sin(m pi x) sin(n pi y)
    Sines { m: u8, n: u8 },
    /// A mode of the free plate's table.
    Plate { mode: u8 },
    /// Waves around, and up the height the clamped bar with this root; 0 for none.
    Shell { waves: u8, root: f64, sine: bool },
    /// An entry of a list: strike, left, right.
    Listed { amplitudes: [f64; 3] },
}

impl Form {
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

/// What all modes of a plate have in common at a point; nothing for other bodies.
#[derive(Clone, Copy, Debug)]
struct Waves {
    free: Option<free::Legendre>,
    supported: Option<Sines>,
}

/// Ratios and shapes of up to 256 modes.
///
/// Made at control rate on the audio thread: bounded work, no allocation. A mode keeps its number
/// while the geometry moves, and what belongs to it moves without a jump; so ratios rise with the
/// number at the middle of the range (aspect 1.5, no split) and may pass each other elsewhere.
#[derive(Clone, Debug)]
pub struct Spectrum {
    geometry: Geometry,
    len: usize,
    ratios: Row,
    decays: Row,
    forms: Box<[Form]>,
    disc: Disc,
    blend: free::Blend,
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
            forms: vec![Form::Sine { k: 0.0 }; capacity].into(),
            disc: Disc::Membrane,
            blend: free::Blend::default(),
        };
        spectrum.make(&UserModes::default());
        spectrum
    }

    /// All that is kept for each mode.
    pub(crate) fn rows_in_memory(&mut self) -> [&mut Row; 2] {
        [&mut self.ratios, &mut self.decays]
    }

    /// As new, whatever it held.
    pub fn renew(&mut self) {
        self.geometry = Geometry::default();
        self.blend = free::Blend::default();
        self.make(&UserModes::default());
    }

    /// Become the body of this geometry. `user` is read for [`BodyKind::User`] alone. Returns
    /// whether anything changed.
    pub fn set(&mut self, geometry: &Geometry, user: &UserModes) -> bool {
        let geometry = geometry.within_limits();
        // A list has no number to compare by; taking it over costs no more than comparing would.
        if geometry == self.geometry && geometry.kind != BodyKind::User {
            return false;
        }
        self.geometry = geometry;
        self.make(user);
        true
    }

    /// Become what another body is, as far as [its modes](Self::wanted) go: what lies beyond is
    /// never asked for. What has broken there is worked out anew here.
    pub fn copy_caches_from(&mut self, other: &Self) {
        let wanted = other.wanted();
        let fits = wanted <= self.ratios.len() && other.len <= self.ratios.len();
        if other.geometry == self.geometry || !fits || !other.is_finite(wanted) {
            return;
        }
        self.ratios[..wanted].copy_from_slice(&other.ratios[..wanted]);
        self.decays[..wanted].copy_from_slice(&other.decays[..wanted]);
        self.forms[..wanted].copy_from_slice(&other.forms[..wanted]);
        (self.geometry, self.len) = (other.geometry, other.len);
        (self.disc, self.blend) = (other.disc, other.blend);
    }

    /// Whether all that its modes are made of is finite.
    pub fn is_whole(&self) -> bool {
        self.is_finite(self.wanted())
    }

    /// Whether all that the first modes are made of are numbers.
    fn is_finite(&self, modes: usize) -> bool {
        are_finite(&self.ratios[..modes])
            && are_finite(&self.decays[..modes])
            && self.forms[..modes].iter().all(Form::is_finite)
            && self.blend.is_finite()
    }

    /// How many modes there may be any [share](Self::share) of, in whole groups.
    pub fn wanted(&self) -> usize {
        // The cast saturates.
        let room = self.ratios.len();
        (self.geometry.count.ceil() as usize).min(room).next_multiple_of(LANES).min(room)
    }

    /// What it was made of.
    pub fn geometry(&self) -> &Geometry {
        &self.geometry
    }

    /// How many modes are known.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none; never.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Frequency of a mode in units of the nominal pitch.
    pub fn ratio(&self, mode: usize) -> f64 {
        self.ratios[mode]
    }

    /// Factor on the decay time of a mode; 1 but for lists.
    pub fn decay(&self, mode: usize) -> f64 {
        self.decays[mode]
    }

    /// Both of the first `len` modes.
    pub fn ratios_and_decays(&self, len: usize) -> (&[f64], &[f64]) {
        (&self.ratios[..len], &self.decays[..len])
    }

    /// How much of a mode there is, 0…1, by the number of modes wanted.
    pub fn share(&self, mode: usize) -> f64 {
        if mode < self.len { (self.geometry.count - mode as f64).clamp(0.0, 1.0) } else { 0.0 }
    }

    /// Signed shape of a mode at a point; mean square over the body 1.
    pub fn deflection(&self, mode: usize, place: Place, point: Point) -> f64 {
        let point = point.within_limits();
        self.bend(mode, place, point, &self.waves(point), &mut None)
    }

    /// Shapes of the first `into.len()` modes at a point.
    pub fn deflections(&self, place: Place, point: Point, into: &mut [f64]) {
        self.further_deflections(place, point, 0, into);
    }

    /// Shapes at a point of as many modes from number `first` on.
    pub fn further_deflections(&self, place: Place, point: Point, first: usize, into: &mut [f64]) {
        let point = point.within_limits();
        let waves = self.waves(point);
        let mut last = None;
        for (mode, shape) in (first..).zip(into) {
            *shape = if mode < self.len {
                self.bend(mode, place, point, &waves, &mut last)
            } else {
                0.0
            };
        }
    }

    /// The same for the striker on its way along a line of constant y, of which `line` keeps what
    /// it can.
    pub fn deflections_along(&self, line: &mut free::Line, point: Point, into: &mut [f64]) {
        if self.geometry.kind != BodyKind::FreePlate {
            return self.deflections(Place::Strike, point, into);
        }
        let point = point.within_limits();
        let (known, beyond) = into.split_at_mut(self.len.min(into.len()));
        line.deflections(&self.blend, point.x, point.y, known);
        beyond.fill(0.0);
    }

    /// What plates need at a point.
    fn waves(&self, point: Point) -> Waves {
        let kind = self.geometry.kind;
        Waves {
            free: (kind == BodyKind::FreePlate).then(|| free::Legendre::new(point.x, point.y)),
            supported: (kind == BodyKind::SupportedPlate).then(|| Sines::new(point.x, point.y)),
        }
    }

    /// `last` remembers the radial part of a pair's first mode for its second.
    fn bend(
        &self,
        mode: usize,
        place: Place,
        point: Point,
        waves: &Waves,
        last: &mut Option<(u8, f64)>,
    ) -> f64 {
        let around = |waves: u8, sine: bool| {
            let (s, c) = (2.0 * PI * f64::from(waves) * point.y).sin_cos();
            if sine { s } else { c }
        };
        match self.forms[mode] {
            Form::Sine { k } => SQRT_2 * (k * point.x).sin(),
            Form::Cosine { k } => SQRT_2 * (k * point.x).cos(),
            Form::Free { root } => bar::deflection(root, point.x),
            Form::Clamped { root } => bar::clamped_deflection(root, point.x),
            Form::Disc { row, sine } => {
                let shape = &self.disc.rows()[usize::from(row)];
                let radial = match *last {
                    Some((known, radial)) if known == row => radial,
                    _ => shape.radial(point.x),
                };
                *last = Some((row, radial));
                radial * around(shape.diameters, sine)
            }
            Form::Sines { m, n } => {
                waves.supported.as_ref().map_or(0.0, |sines| sines.deflection(m, n))
            }
            Form::Plate { mode } => waves
                .free
                .as_ref()
                .map_or(0.0, |legendre| self.blend.deflection(usize::from(mode), legendre)),
            Form::Shell { waves, root, sine } => {
                let up = if root > 0.0 { bar::clamped_deflection(root, point.x) } else { 1.0 };
                SQRT_2 * up * around(waves, sine)
            }
            Form::Listed { amplitudes } => amplitudes[place as usize],
        }
    }

    fn make(&mut self, user: &UserModes) {
        let Geometry { kind, aspect, inharmonicity: b, .. } = self.geometry;
        self.decays.fill(1.0);
        match kind {
            BodyKind::FreeBar => self.fill(|i| (bar::ratio(i), Form::Free { root: bar::root(i) })),
            BodyKind::ClampedBar => {
                let first = bar::clamped_root(0);
                self.fill(|i| {
                    let root = bar::clamped_root(i);
                    ((root / first).powi(2), Form::Clamped { root })
                });
            }
            BodyKind::PinnedBar => self.fill(|i| (number(i).powi(2), sine(i))),
            BodyKind::Marimba => self.fill_tuned(tuned::MARIMBA),
            BodyKind::Xylophone => self.fill_tuned(tuned::XYLOPHONE),
            BodyKind::Vibraphone => self.fill_tuned(tuned::VIBRAPHONE),
            // f = n f0 sqrt(1 + B n^2), f0 such that the first partial is the nominal pitch.
            BodyKind::String => self.fill(|i| {
                let n = number(i);
                (n * ((1.0 + b * n * n) / (1.0 + b)).sqrt(), sine(i))
            }),
            BodyKind::Membrane => self.fill_disc(Disc::Membrane),
            BodyKind::FreeDisc => self.fill_disc(Disc::Free),
            BodyKind::ClampedDisc => self.fill_disc(Disc::Clamped),
            BodyKind::FreePlate => self.fill_free_plate(),
            BodyKind::SupportedPlate => self.fill(|i| {
                let (m, n) = plate::SUPPORTED[i];
                (plate::supported_ratio(i, aspect), Form::Sines { m, n })
            }),
            // Heard an octave below mode 4.
            BodyKind::TubularBell => {
                let key = 0.5 * bar::ratio(3);
                self.fill(|i| (bar::ratio(i) / key, Form::Free { root: bar::root(i) }));
            }
            BodyKind::ChurchBell => self.fill_pairs(shell::SHELL_PAIRS, shell::bell, true),
            BodyKind::WineGlass => self.fill_pairs(shell::SHELL_PAIRS, shell::glass, true),
            BodyKind::Bowl => self.fill_pairs(shell::SHELL_PAIRS, shell::bowl, true),
            BodyKind::Ring => self.fill_pairs(shell::RING_PAIRS, shell::ring, false),
            BodyKind::OpenTube => self.fill(|i| (number(i), sine(i))),
            BodyKind::ClosedTube => self.fill(|i| {
                let odd = (2 * i + 1) as f64;
                (odd, Form::Cosine { k: 0.5 * PI * odd })
            }),
            BodyKind::User => {
                self.len = user.modes().len().min(self.ratios.len());
                for (i, mode) in user.modes().iter().enumerate().take(self.len) {
                    self.ratios[i] = mode.ratio;
                    self.decays[i] = mode.decay;
                    self.forms[i] =
                        Form::Listed { amplitudes: [mode.strike, mode.left, mode.right] };
                }
            }
        }
    }

    fn fill(&mut self, mode: impl Fn(usize) -> (f64, Form)) {
        self.len = self.ratios.len();
        for i in 0..self.len {
            (self.ratios[i], self.forms[i]) = mode(i);
        }
    }

    fn fill_tuned(&mut self, data: &[f64]) {
        let ratio = tuned::ratios(data);
        self.fill(|i| (ratio(i), Form::Free { root: bar::root(i) }));
    }

    fn fill_free_plate(&mut self) {
        self.blend = free::Blend::new(self.geometry.aspect);
        self.len = free::MODES.min(self.ratios.len());
        let mut lowest = f64::MAX;
        // All of them: which mode is the lowest does not depend on how many there is room for.
        for i in 0..free::MODES {
            lowest = lowest.min(self.blend.lambda(i));
        }
        for i in 0..self.len {
            self.ratios[i] = self.blend.lambda(i);
            self.forms[i] = Form::Plate { mode: i as u8 };
        }
        // Which mode is the lowest changes near 1.6: twisting below, bending above.
        for ratio in &mut self.ratios[..self.len] {
            *ratio /= lowest;
        }
    }

    fn fill_disc(&mut self, disc: Disc) {
        self.disc = disc;
        self.len = 0;
        for (row, shape) in disc.rows().iter().enumerate() {
            let form = |sine| Form::Disc { row: row as u8, sine };
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
            self.push_pair(ratio, |sine| Form::Shell { waves, root, sine });
        }
    }

    /// Two modes of the same shape turned against each other, a little apart.
    fn push_pair(&mut self, ratio: f64, form: impl Fn(bool) -> Form) {
        let half = 0.5 * self.geometry.split;
        self.push(ratio * (1.0 - half), form(false));
        self.push(ratio * (1.0 + half), form(true));
    }

    fn push(&mut self, ratio: f64, form: Form) {
        if self.len < self.ratios.len() {
            (self.ratios[self.len], self.forms[self.len]) = (ratio, form);
            self.len += 1;
        }
    }
}

fn number(mode: usize) -> f64 {
    (mode + 1) as f64
}

fn sine(mode: usize) -> Form {
    Form::Sine { k: PI * number(mode) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_broken_is_not_copied() {
        let mut bell = Spectrum::default();
        bell.set(
            &Geometry { kind: BodyKind::ChurchBell, ..Geometry::default() },
            &UserModes::default(),
        );
        let breaks: [fn(&mut Spectrum); 7] = [
            |sick| sick.ratios[1] = f64::NAN,
            |sick| sick.decays[1] = f64::INFINITY,
            |sick| sick.forms[1] = Form::Sine { k: f64::NAN },
            |sick| sick.forms[1] = Form::Free { root: f64::NEG_INFINITY },
            |sick| sick.forms[1] = Form::Shell { waves: 1, root: f64::NAN, sine: false },
            |sick| sick.forms[1] = Form::Listed { amplitudes: [0.0, f64::NAN, 0.0] },
            |sick| sick.blend = free::Blend::new(f64::NAN),
        ];
        let before = *Spectrum::default().geometry();
        for (n, breaks) in breaks.into_iter().enumerate() {
            let (mut sick, mut learning) = (bell.clone(), Spectrum::default());
            breaks(&mut sick);
            learning.copy_caches_from(&sick);
            assert!(*learning.geometry() == before, "{n}");
            learning.copy_caches_from(&bell);
            assert!(*learning.geometry() == bell.geometry, "{n}");
        }
    }
}
