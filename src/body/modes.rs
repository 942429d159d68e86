//! Coefficients of a modal body at one sample rate.

mod pickups;

use std::f64::consts::PI;
use std::ops::Range;

use super::bank::{BlockRotations, CHUNK};
use super::kernel::{FRAME, Kernel, Rows, RowsMut};
use super::material::Damping;
use super::parts::{MAX_PARTS, Parts, Tone};
use super::shape::plate::FreePlateLine;
use super::shape::{Geometry, Place, Point, ShapeCache, Spectrum, UserModes};
use super::{LANES, MAX_MODES, PerMode, Row};

pub use pickups::{Hearing, Listening, PickupGains};

/// Highest frequency of a mode, as a share of the sample rate.
const TOP: f64 = 0.45;
/// Modes fade out over this share of the sample rate below [`TOP`], so that none appears or
/// disappears abruptly.
const FADE: f64 = 0.02;
/// Largest damping as a share of the frequency; beyond it a mode would not oscillate.
const MAX_DAMPING: f64 = 0.5;

/// Coefficients of a modal body: for each mode its complex frequency `s = -d + i w` (w the damped
/// one), its rotation over one sample, and its gains at the pickups.
///
/// The state of a mode is `y = (q' + d q) + i w q` (m/s) for a modal displacement q. Then
/// `y' = s y + phi F/m`, the energy is m |y|^2 / 2 (apart from terms in d/w), and changing the
/// frequency of a ringing mode leaves its energy as it is.
#[derive(Clone, Debug)]
pub struct Modes {
    /// Decay rate d, 1/s.
    pub decay_per_s: Row,
    /// Damped angular frequency w, rad/s.
    pub omega: Row,
    /// Re e^(s dt).
    pub rotation_re: Row,
    /// Im e^(s dt).
    pub rotation_im: Row,
    /// Gains of the left pickup.
    pub left: PickupGains,
    /// Gains of the right pickup.
    pub right: PickupGains,
    /// Weight of a mode near the top of the band, 0…1.
    pub presence: Row,
    /// Slowest decay among the modes, 1/s.
    pub slowest_per_s: f64,
    /// Number of modes, rounded up to whole groups; the rest is zero.
    pub len: usize,
    /// Largest number of modes so far: rows beyond it are zero.
    reach: usize,
    /// Samples since the pickup gains started to move, and whether they move.
    ramp_samples: usize,
    is_moving: bool,
    /// Instruction set of the loops over modes.
    pub kernel: Kernel,
    /// Rotations over half a frame, for the bank.
    pub block_rotations: BlockRotations,
    /// Pickup gains in the layout of the bank.
    pub hearing: Hearing,
    spectrum: Spectrum,
    heard: [ShapeCache; 2],
    /// Shapes at the expected strike point.
    strike_spectrum: ShapeCache,
    parts: Parts,
    /// Shape of a second, different body.
    second_body: Spectrum,
    beside_heard: [ShapeCache; 2],
}

impl Default for Modes {
    fn default() -> Self {
        Self::new(MAX_MODES)
    }
}

impl Modes {
    /// No modes yet, with room for `capacity` of them, a multiple of [`LANES`]. Allocates.
    pub fn new(capacity: usize) -> Self {
        let zero = || Row::new(capacity);
        let shapes = || [ShapeCache::new(capacity), ShapeCache::new(capacity)];
        Self {
            decay_per_s: zero(),
            omega: zero(),
            rotation_re: zero(),
            rotation_im: zero(),
            left: PickupGains::new(capacity),
            right: PickupGains::new(capacity),
            presence: zero(),
            slowest_per_s: 1.0,
            len: 0,
            reach: 0,
            ramp_samples: 0,
            is_moving: false,
            kernel: Kernel::best(),
            block_rotations: BlockRotations::new(capacity),
            hearing: Hearing::new(capacity),
            spectrum: Spectrum::new(capacity),
            heard: shapes(),
            strike_spectrum: ShapeCache::new(capacity),
            parts: Parts::One,
            second_body: Spectrum::new(capacity),
            beside_heard: shapes(),
        }
    }

    /// Every per-mode row, for fault-injection tests.
    pub(crate) fn rows_in_memory(&mut self) -> Vec<&mut Row> {
        let Self { decay_per_s, omega, rotation_re, rotation_im, left, right, presence, .. } = self;
        let mut rows = vec![decay_per_s, omega, rotation_re, rotation_im, presence];
        rows.extend(
            [left, right].into_iter().flat_map(|PickupGains { now, step, aim }| [now, step, aim]),
        );
        rows.extend([
            &mut self.block_rotations.re,
            &mut self.block_rotations.im,
            &mut self.hearing.audible,
        ]);
        rows.extend(self.spectrum.rows_in_memory());
        rows
    }

    /// Restores the state of [`Self::new`].
    pub fn renew(&mut self) {
        let Self { decay_per_s, omega, rotation_re, rotation_im, presence, .. } = self;
        [decay_per_s, omega, rotation_re, rotation_im, presence]
            .into_iter()
            .for_each(|row| row.fill(0.0));
        for PickupGains { now, step, aim } in [&mut self.left, &mut self.right] {
            [now, step, aim].into_iter().for_each(|row| row.fill(0.0));
        }
        self.block_rotations.renew();
        self.hearing.renew();
        self.spectrum.renew();
        self.second_body.renew();
        self.heard.iter_mut().chain(&mut self.beside_heard).for_each(ShapeCache::clear);
        self.strike_spectrum.clear();
        (self.slowest_per_s, self.parts) = (1.0, Parts::One);
        (self.len, self.reach, self.ramp_samples, self.is_moving) = (0, 0, 0, false);
    }

    /// Number of modes there is room for.
    pub fn capacity(&self) -> usize {
        self.omega.len()
    }

    /// True if the coefficients that contact steps derive from are finite.
    ///
    /// A coupled body does not read all of them at every step, so a broken value would show late.
    pub fn are_finite(&self) -> bool {
        let all = ..self.len;
        self.kernel.are_finite(&self.decay_per_s[all], &self.omega[all])
            && self.kernel.are_finite(&self.hearing.audible[all], &[])
    }

    /// Sets the body; takes effect at the next [`Modes::set`]. Returns true if anything changed.
    pub fn set_body(&mut self, geometry: &Geometry, user: &UserModes) -> bool {
        self.spectrum.set(geometry, user)
    }

    /// Copies the cached shapes of another body, where it is of the same kind.
    pub fn copy_caches_from(&mut self, other: &Self) {
        self.spectrum.copy_caches_from(&other.spectrum);
        let [left, right] = &mut self.heard;
        left.copy_caches_from(&other.heard[0]);
        right.copy_caches_from(&other.heard[1]);
        self.strike_spectrum.copy_caches_from(&other.strike_spectrum);
        if matches!(other.parts, Parts::Two(_)) {
            self.second_body.copy_caches_from(&other.second_body);
            let [left, right] = &mut self.beside_heard;
            left.copy_caches_from(&other.beside_heard[0]);
            right.copy_caches_from(&other.beside_heard[1]);
        }
    }

    /// Computes the shapes at the expected strike point of the first body in advance.
    pub fn expect_strike_at(&mut self, point: Point) {
        let needed = self.parts.lanes().min(self.len);
        self.strike_spectrum.set(&self.spectrum, Place::Strike, point, needed);
    }

    /// Shapes at the expected strike point of the first body.
    pub fn strike_spectrum(&self) -> &ShapeCache {
        &self.strike_spectrum
    }

    /// Sets the bodies of the voice; takes effect at the next [`Modes::set`].
    pub fn set_parts(&mut self, parts: &Parts, user: &UserModes) {
        self.parts = *parts;
        if let Parts::Two(second_body) = parts {
            self.second_body.set(&second_body.geometry, user);
        }
    }

    /// The bodies of the voice.
    pub fn parts(&self) -> &Parts {
        &self.parts
    }

    /// Spectrum of one of the bodies.
    fn spectrum_of(&self, part: usize) -> &Spectrum {
        if part == 1 && matches!(self.parts, Parts::Two(_)) {
            &self.second_body
        } else {
            &self.spectrum
        }
    }

    /// Spectrum of the first body.
    pub fn spectrum(&self) -> &Spectrum {
        &self.spectrum
    }

    /// Cost of the shapes of all modes at one point, in passes over eight modes.
    pub fn shape_work(&self) -> u32 {
        self.spectrum.geometry().kind.spec().shape_work * self.len as u32
    }

    /// Computes all coefficients for the pitch `pitch_hz`. Returns the cost of the shapes that were
    /// not cached.
    pub fn set(
        &mut self,
        pitch_hz: f64,
        damping: &Damping,
        listening: Listening,
        sample_rate_hz: f64,
    ) -> u32 {
        let dt_s = 1.0 / sample_rate_hz;
        let (capacity, lanes) = (self.capacity(), self.parts.lanes().min(self.capacity()));
        let needed = |spectrum: &Spectrum, lowest_hz: f64| {
            let sounds = |mode: &usize| lowest_hz * spectrum.ratio(*mode) * dt_s < TOP;
            (0..spectrum.len().min(spectrum.wanted()).min(lanes))
                .rev()
                .find(sounds)
                .map_or(0, |last| last + 1)
        };
        let own = needed(&self.spectrum, self.parts.lowest_hz(pitch_hz));
        let mut max = own;
        let found = self.heard[0].set(&self.spectrum, Place::Left, listening.left, own)
            + self.heard[1].set(&self.spectrum, Place::Right, listening.right, own);
        let mut work = self.spectrum.geometry().kind.spec().shape_work * found as u32;
        if let Parts::Two(second_body) = self.parts {
            let own = needed(&self.second_body, second_body.pitch_hz);
            max = max.max(own);
            let found = self.beside_heard[0].set(
                &self.second_body,
                Place::Left,
                second_body.listening.left,
                own,
            ) + self.beside_heard[1].set(
                &self.second_body,
                Place::Right,
                second_body.listening.right,
                own,
            );
            work += self.second_body.geometry().kind.spec().shape_work * found as u32;
        }
        let tones: [_; MAX_PARTS] =
            std::array::from_fn(|part| self.parts.tone(part, pitch_hz, damping));
        let mut kept = 0;
        self.slowest_per_s = f64::MAX;
        // Clears the modes beyond the last body; beyond the reach they are zero already.
        let last = ((self.parts.count().max(1) - 1) * lanes + max).max(self.reach).min(capacity);
        for (part, tone) in tones.iter().enumerate().take(self.parts.count()) {
            let first = part * lanes;
            let count = lanes.min(last.saturating_sub(first));
            if count > 0 {
                kept = kept.max(self.set_part(part, tone, first..first + count, dt_s));
            }
        }
        for i in self.parts.count() * lanes..last {
            self.silence(i);
        }
        self.len = kept.next_multiple_of(LANES);
        self.reach = self.reach.max(self.len);
        self.set_rotations(dt_s);
        self.block_rotations.set(
            self.kernel,
            Rows { re: &self.rotation_re[..self.reach], im: &self.rotation_im[..self.reach] },
        );
        (self.ramp_samples, self.is_moving) = (0, true);
        self.hearing.set(&self.left, &self.right, &self.presence, self.reach);
        work
    }

    /// Computes the modes `of` one body. Returns the end of its last mode in use, 0 if there is
    /// none.
    fn set_part(&mut self, part: usize, tone: &Tone, of: Range<usize>, dt_s: f64) -> usize {
        let second = part == 1 && matches!(self.parts, Parts::Two(_));
        let spectrum = if second { &self.second_body } else { &self.spectrum };
        let [left, right] = if second { &self.beside_heard } else { &self.heard };
        let (ratios, decays) = spectrum.ratios_and_decays(of.len());
        let (heard_left, heard_right) = (&left.values()[..of.len()], &right.values()[..of.len()]);
        let (decay_per_s, omega) = (&mut self.decay_per_s[of.clone()], &mut self.omega[of.clone()]);
        let presences = &mut self.presence[of.clone()];
        let (mut left, mut right) =
            (self.left.ramp_mut(of.clone()), self.right.ramp_mut(of.clone()));
        let (mut kept, mut slowest_per_s) = (0, self.slowest_per_s);
        for mode in 0..of.len() {
            let (frequency_hz, share) = (tone.pitch_hz * ratios[mode], spectrum.share(mode));
            let presence = share * ((TOP - frequency_hz * dt_s) / FADE).clamp(0.0, 1.0);
            // NaN counts as present, so that the voice detects it and ends.
            let is_there = !(share <= 0.0 || presence <= 0.0);
            let (mut w, mut d, mut heard) = (0.0, 0.0, [0.0; 2]);
            if is_there {
                // The damped frequency; without damping it would be sqrt(w^2 + d^2).
                w = 2.0 * PI * frequency_hz;
                let decay = decays[mode];
                d = (tone.damping.rate_per_s(frequency_hz) / decay).min(MAX_DAMPING * w);
                // A broken decay factor would make a mode that never ends; NaN ends the voice
                // instead.
                d = if decay > 0.0 && decay < f64::INFINITY { d } else { f64::NAN };
                heard = [heard_left[mode], heard_right[mode]]
                    .map(|shape| presence * tone.heard * shape);
                slowest_per_s = slowest_per_s.min(d);
                kept = of.start + mode + 1;
            }
            (decay_per_s[mode], omega[mode]) = (d, w);
            presences[mode] = if is_there { presence } else { 0.0 };
            for ((now, step, aim), heard) in [&mut left, &mut right].into_iter().zip(heard) {
                (aim[mode], step[mode]) = (heard, (heard - now[mode]) / CHUNK as f64);
            }
        }
        self.slowest_per_s = slowest_per_s;
        kept
    }

    /// Sets the rotation of each mode over one sample.
    fn set_rotations(&mut self, dt_s: f64) {
        let all = ..self.reach;
        let rotation = RowsMut { re: &mut self.rotation_re[all], im: &mut self.rotation_im[all] };
        // Not needed here: `block_rotations` is recomputed afterwards and serves as scratch.
        let force_response = RowsMut {
            re: &mut self.block_rotations.re[all],
            im: &mut self.block_rotations.im[all],
        };
        self.kernel.exponential(
            &self.decay_per_s[all],
            &self.omega[all],
            dt_s,
            rotation,
            force_response,
        );
        let turns = self.rotation_re[all].iter_mut().zip(&mut self.rotation_im[all]);
        for ((re, im), presence) in turns.zip(&self.presence[all]) {
            if *presence == 0.0 {
                (*re, *im) = (0.0, 0.0);
            }
        }
    }

    /// Clears a mode that is absent or above the band.
    fn silence(&mut self, mode: usize) {
        // Beyond the reach it is zero already; most bodies have far fewer modes than the capacity.
        if mode >= self.reach {
            return;
        }
        for row in [&mut self.decay_per_s, &mut self.omega, &mut self.presence] {
            row[mode] = 0.0;
        }
        self.left.aim(mode, 0.0);
        self.right.aim(mode, 0.0);
    }

    /// Ends the ramp of the pickup gains at their targets.
    pub fn arrive(&mut self) {
        if self.is_moving {
            self.left.arrive(self.reach);
            self.right.arrive(self.reach);
            self.is_moving = false;
            self.hearing.set(&self.left, &self.right, &self.presence, self.reach);
        }
    }

    /// Stops the ramp of the pickup gains where it is, before another [`Modes::set`].
    pub fn halt(&mut self) {
        if self.is_moving {
            let steps = self.ramp_samples.min(CHUNK) as f64;
            self.left.halt(self.reach, steps);
            self.right.halt(self.reach, steps);
            self.is_moving = false;
        }
    }

    /// True while the pickup gains move.
    pub fn are_moving(&self) -> bool {
        self.is_moving
    }

    /// Advances the ramp of the pickup gains by `samples`.
    pub fn move_on(&mut self, samples: usize) {
        self.ramp_samples = self.ramp_samples.saturating_add(samples);
    }

    /// Ramp position at each sample of the next frame; none if the gains are at rest.
    pub fn ramp(&self) -> Option<[f32; FRAME]> {
        self.is_moving
            .then(|| std::array::from_fn(|n| (self.ramp_samples + n + 1).min(CHUNK) as f32))
    }

    /// Rotations of the first `len` modes over one sample.
    pub fn turns(&self, len: usize) -> Rows<'_> {
        Rows { re: &self.rotation_re[..len], im: &self.rotation_im[..len] }
    }

    /// Pickup signals, left and right, of modes with these Re y.
    pub fn hear(&self, re: &[f64]) -> (f64, f64) {
        let (left, right) = self.kernel.hear(&self.left.now, &self.right.now, re);
        if !self.is_moving {
            return (left, right);
        }
        let steps = self.ramp_samples.min(CHUNK) as f64;
        let (by_left, by_right) = self.kernel.hear(&self.left.step, &self.right.step, re);
        (left + steps * by_left, right + steps * by_right)
    }

    /// Response of each mode of a body of `mass_kg` to a force at `point`, phi(point)/m; of several
    /// bodies, the first.
    pub fn drive_gains(&self, point: impl Into<Point>, mass_kg: f64) -> PerMode {
        let mut gains = [0.0; MAX_MODES];
        self.add_gains(0, point.into(), mass_kg, &mut gains);
        gains
    }

    /// Like [`Self::drive_gains`] for a striker that moves along a line of constant y.
    pub fn drive_gains_along(
        &self,
        line: &mut FreePlateLine,
        point: Point,
        mass_kg: f64,
    ) -> PerMode {
        let mut gains = [0.0; MAX_MODES];
        self.put_gains(0, mass_kg, &mut gains, |spectrum, gains| {
            spectrum.deflections_along(line, point, gains)
        });
        gains
    }

    /// Like [`Self::drive_gains`] for a force between `point` of the first body and `other` of the
    /// second, which feels it reversed.
    pub fn drive_gains_between(&self, point: Point, other: Option<Point>, mass_kg: f64) -> PerMode {
        let mut gains = self.drive_gains(point, mass_kg);
        if let Some(other) = other {
            self.add_gains(1, other, -mass_kg, &mut gains);
        }
        gains
    }

    /// Writes the response of one of the bodies to a force at `point` into its range of `gains`; no
    /// effect for a body that does not exist.
    pub fn add_gains(&self, part: usize, point: Point, mass_kg: f64, gains: &mut [f64]) {
        self.put_gains(part, mass_kg, gains, |spectrum, gains| {
            let known = if part == 0 {
                self.strike_spectrum.known(spectrum, point, gains.len())
            } else {
                None
            };
            match known {
                Some(shapes) => gains.copy_from_slice(shapes),
                None => spectrum.deflections(Place::Strike, point, gains),
            }
        });
    }

    fn put_gains(
        &self,
        part: usize,
        mass_kg: f64,
        gains: &mut [f64],
        deflections: impl FnOnce(&Spectrum, &mut [f64]),
    ) {
        let lanes = self.parts.lanes();
        let (start, end) = (part * lanes, ((part + 1) * lanes).min(self.len));
        if part >= self.parts.count() || start >= end {
            return;
        }
        let gains = &mut gains[start..end];
        deflections(self.spectrum_of(part), gains);
        for (gain, presence) in gains.iter_mut().zip(&self.presence[start..end]) {
            *gain *= presence / mass_kg;
        }
    }
}
