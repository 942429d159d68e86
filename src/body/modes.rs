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

/// Highest mode kept, as a share of the sample rate.
const TOP: f64 = 0.45;
/// Modes fade out over this share of the sample rate below [`TOP`], so that none pops in or out.
const FADE: f64 = 0.02;
/// A mode damped beyond this share of its frequency would not ring at all; the law is cut there.
const MAX_DAMPING: f64 = 0.5;

/// What a body needs to ring: for each mode its complex frequency `s = -d + i w` (w the damped
/// one), its rotation over one sample, and what the pickups hear of it.
///
/// State of a mode is `y = (q' + d q) + i w q` (m/s) for a modal displacement q: then `y' = s y +
/// phi F/m`, energy is m |y|^2 / 2 (but for terms in d/w), and re-tuning a ringing mode leaves its
/// energy as it is.
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
    /// StereoFrame left.
    pub left: PickupGains,
    /// StereoFrame right.
    pub right: PickupGains,
    /// Weight of a mode near the top of the band, 0…1.
    pub presence: Row,
    /// Slowest decay among the modes, 1/s.
    pub slowest_per_s: f64,
    /// How many modes there are, rounded up to whole groups; the rest is zero.
    pub len: usize,
    /// Most modes there have been: what may not be zero.
    reach: usize,
    /// Samples since the pickups set out, and whether they are on their way.
    moved: usize,
    moving: bool,
    /// What the loops over modes run on.
    pub kernel: Kernel,
    /// How far the bank leaps.
    pub block_rotations: BlockRotations,
    /// The gains as the bank needs them.
    pub hearing: Hearing,
    spectrum: Spectrum,
    heard: [ShapeCache; 2],
    /// Where the next blow is likely to fall.
    strike_spectrum: ShapeCache,
    parts: Parts,
    /// Of a second body of another make, if there is one.
    second_body: Spectrum,
    beside_heard: [ShapeCache; 2],
}

impl Default for Modes {
    fn default() -> Self {
        Self::new(MAX_MODES)
    }
}

impl Modes {
    /// No modes yet, and room for `capacity` of them, a multiple of [`LANES`]. Allocates.
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
            moved: 0,
            moving: false,
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

    /// All that is kept for each mode.
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

    /// As new, whatever it held.
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
        (self.len, self.reach, self.moved, self.moving) = (0, 0, 0, false);
    }

    /// How many modes there is room for.
    pub fn capacity(&self) -> usize {
        self.omega.len()
    }

    /// Whether what its steps follow from are numbers: a body that is pressed is not asked for all
    /// of them at once, and would sound otherwise for a while if one had broken.
    pub fn are_finite(&self) -> bool {
        let all = ..self.len;
        self.kernel.are_finite(&self.decay_per_s[all], &self.omega[all])
            && self.kernel.are_finite(&self.hearing.audible[all], &[])
    }

    /// Choose what rings; heard from the next [`Modes::set`] on. Returns whether anything changed.
    pub fn set_body(&mut self, geometry: &Geometry, user: &UserModes) -> bool {
        self.spectrum.set(geometry, user)
    }

    /// Take over what another body knows of itself, to spare the work where it is of the same make.
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

    /// Work out the shapes where the first body is about to be struck, to spare the work when it
    /// is.
    pub fn expect_strike_at(&mut self, point: Point) {
        let needed = self.parts.lanes().min(self.len);
        self.strike_spectrum.set(&self.spectrum, Place::Strike, point, needed);
    }

    /// The shapes where the first body is expected to be struck.
    pub fn strike_spectrum(&self) -> &ShapeCache {
        &self.strike_spectrum
    }

    /// How many bodies that is, and which; heard from the next [`Modes::set`] on.
    pub fn set_parts(&mut self, parts: &Parts, user: &UserModes) {
        self.parts = *parts;
        if let Parts::Two(second_body) = parts {
            self.second_body.set(&second_body.geometry, user);
        }
    }

    /// How many bodies ring, and which.
    pub fn parts(&self) -> &Parts {
        &self.parts
    }

    /// Shape of one of the bodies.
    fn spectrum_of(&self, part: usize) -> &Spectrum {
        if part == 1 && matches!(self.parts, Parts::Two(_)) {
            &self.second_body
        } else {
            &self.spectrum
        }
    }

    /// What rings.
    pub fn spectrum(&self) -> &Spectrum {
        &self.spectrum
    }

    /// Work of finding the shapes of all modes at one place, in passes over eight modes.
    pub fn shape_work(&self) -> u32 {
        self.spectrum.geometry().kind.spec().shape_work * self.len as u32
    }

    /// Make the body of pitch `pitch_hz`. Returns the work of the shapes that had to be found for
    /// it.
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
        // Beyond those of the last body all are silent, and beyond the reach they are so already.
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
        self.set_turns(dt_s);
        self.block_rotations.set(
            self.kernel,
            Rows { re: &self.rotation_re[..self.reach], im: &self.rotation_im[..self.reach] },
        );
        (self.moved, self.moving) = (0, true);
        self.hearing.set(&self.left, &self.right, &self.presence, self.reach);
        work
    }

    /// Make one of the bodies, whose modes are those `of` all. Returns where its last mode that is
    /// there ends, 0 if none is.
    fn set_part(&mut self, part: usize, tone: &Tone, of: Range<usize>, dt_s: f64) -> usize {
        let second = part == 1 && matches!(self.parts, Parts::Two(_));
        let spectrum = if second { &self.second_body } else { &self.spectrum };
        let [left, right] = if second { &self.beside_heard } else { &self.heard };
        let (ratios, decays) = spectrum.ratios_and_decays(of.len());
        let (heard_left, heard_right) = (&left.values()[..of.len()], &right.values()[..of.len()]);
        let (decay_per_s, omega) = (&mut self.decay_per_s[of.clone()], &mut self.omega[of.clone()]);
        let presences = &mut self.presence[of.clone()];
        let (mut left, mut right) =
            (self.left.on_their_way(of.clone()), self.right.on_their_way(of.clone()));
        let (mut kept, mut slowest_per_s) = (0, self.slowest_per_s);
        for mode in 0..of.len() {
            let (frequency_hz, share) = (tone.pitch_hz * ratios[mode], spectrum.share(mode));
            let presence = share * ((TOP - frequency_hz * dt_s) / FADE).clamp(0.0, 1.0);
            // A broken ratio is there, and ends its voice.
            let is_there = !(share <= 0.0 || presence <= 0.0);
            let (mut w, mut d, mut heard) = (0.0, 0.0, [0.0; 2]);
            if is_there {
                // The frequency that is heard; without its damping it would be sqrt(w^2 + d^2).
                w = 2.0 * PI * frequency_hz;
                let decay = decays[mode];
                d = (tone.damping.rate_per_s(frequency_hz) / decay).min(MAX_DAMPING * w);
                // A table that has broken would be a mode that never ends; so its voice does.
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

    /// How far each mode turns in a sample.
    fn set_turns(&mut self, dt_s: f64) {
        let all = ..self.reach;
        let turn = RowsMut { re: &mut self.rotation_re[all], im: &mut self.rotation_im[all] };
        // Not needed, and made anew by the leaps.
        let force_response = RowsMut {
            re: &mut self.block_rotations.re[all],
            im: &mut self.block_rotations.im[all],
        };
        self.kernel.exponential(
            &self.decay_per_s[all],
            &self.omega[all],
            dt_s,
            turn,
            force_response,
        );
        let turns = self.rotation_re[all].iter_mut().zip(&mut self.rotation_im[all]);
        for ((re, im), presence) in turns.zip(&self.presence[all]) {
            if *presence == 0.0 {
                (*re, *im) = (0.0, 0.0);
            }
        }
    }

    /// A mode that is not there, or out of the band.
    fn silence(&mut self, mode: usize) {
        // Beyond all there has been it is silent already, and most bodies have far fewer modes than
        // there is room for.
        if mode >= self.reach {
            return;
        }
        for row in [&mut self.decay_per_s, &mut self.omega, &mut self.presence] {
            row[mode] = 0.0;
        }
        self.left.aim(mode, 0.0);
        self.right.aim(mode, 0.0);
    }

    /// End the movement of the pickups: they are now where they were last set to.
    pub fn arrive(&mut self) {
        if self.moving {
            self.left.arrive(self.reach);
            self.right.arrive(self.reach);
            self.moving = false;
            self.hearing.set(&self.left, &self.right, &self.presence, self.reach);
        }
    }

    /// Stop the pickups on their way; to be sent off again by [`Modes::set`] at once.
    pub fn halt(&mut self) {
        if self.moving {
            let steps = self.moved.min(CHUNK) as f64;
            self.left.halt(self.reach, steps);
            self.right.halt(self.reach, steps);
            self.moving = false;
        }
    }

    /// Whether the pickups are on their way.
    pub fn are_moving(&self) -> bool {
        self.moving
    }

    /// Let the pickups move on for `samples`.
    pub fn move_on(&mut self, samples: usize) {
        self.moved = self.moved.saturating_add(samples);
    }

    /// Steps that the gains have made at each sample of the frame to come; none if they are at
    /// rest.
    pub fn ramp(&self) -> Option<[f32; FRAME]> {
        self.moving.then(|| std::array::from_fn(|n| (self.moved + n + 1).min(CHUNK) as f32))
    }

    /// Turns over one sample of the first `len` modes.
    pub fn turns(&self, len: usize) -> Rows<'_> {
        Rows { re: &self.rotation_re[..len], im: &self.rotation_im[..len] }
    }

    /// What the pickups hear now of modes of which `re` is Re y, left and right.
    pub fn hear(&self, re: &[f64]) -> (f64, f64) {
        let (left, right) = self.kernel.hear(&self.left.now, &self.right.now, re);
        if !self.moving {
            return (left, right);
        }
        let steps = self.moved.min(CHUNK) as f64;
        let (by_left, by_right) = self.kernel.hear(&self.left.step, &self.right.step, re);
        (left + steps * by_left, right + steps * by_right)
    }

    /// How a force at `point` moves each mode of a body of `mass_kg`: phi(point)/m. Of several
    /// bodies, the first.
    pub fn drive_gains(&self, point: impl Into<Point>, mass_kg: f64) -> PerMode {
        let mut gains = [0.0; MAX_MODES];
        self.add_gains(0, point.into(), mass_kg, &mut gains);
        gains
    }

    /// The same for what goes along a line of constant y.
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

    /// The same between the first body at `point` and the second at `other`, which feels the
    /// opposite force.
    pub fn drive_gains_between(&self, point: Point, other: Option<Point>, mass_kg: f64) -> PerMode {
        let mut gains = self.drive_gains(point, mass_kg);
        if let Some(other) = other {
            self.add_gains(1, other, -mass_kg, &mut gains);
        }
        gains
    }

    /// Put how a force at `point` of one of the bodies moves its modes into `gains`. Does nothing
    /// for one that is not there.
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
