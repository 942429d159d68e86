//! Response of the modes to forces within one sample.
//!
//! A [`Drive`] follows the exact response of every mode to a force that is constant over each
//! (sub-)step, or known by its moments over it, from rest at the start of the sample. At the end of
//! the sample the bank, which has advanced freely meanwhile, adds it. By superposition the sum is
//! exact, so amplitude and phase are those of continuous time wherever in the sample the contact
//! lies.
//!
//! A [`DriveSum`] does the same for many contacts with equal steps, such as a chain of balls: a
//! mode feels one force, the sum of each force times its gain.

use std::ops::Range;

use super::kernel::{MOMENTS, Rows, RowsMut};
use super::{Kernel, LANES, MAX_MODES, Modes, Row};
use crate::contact::{ForceMoments, Surface};

/// Largest number of constant forces collected before they are applied. Forces over equal steps are
/// applied together, which saves most of the time.
const MAX_COLLECTED: usize = 32;

/// Response of the modes to one striker.
#[derive(Clone, Debug)]
pub struct Drive {
    /// Re of the response of each mode.
    re: Row,
    /// Im of the response of each mode.
    im: Row,
    /// Gains of the modes in `moves`; other entries are stale.
    gains: Row,
    impulses_ns: [f64; MAX_COLLECTED],
    /// Number of collected impulses, and the duration of each.
    collected: usize,
    duration_s: f64,
    /// Release ramp of the striker, 1 to 0.
    release: f64,
    /// Modes with a gain, in whole groups.
    moves: Span,
    /// Modes that may have responded since the start of the sample.
    reached: Span,
    /// Impulse since the start of the sample, N s.
    impulse_ns: f64,
}

/// First mode and end of a range.
type Span = (usize, usize);

/// Range of the modes with a gain, in whole groups.
fn span_of(gains: &[f64]) -> Span {
    let moves = |gain: &f64| *gain != 0.0;
    let first = gains.iter().position(moves).unwrap_or(0);
    let end = gains.iter().rposition(moves).map_or(0, |last| last + 1);
    (first / LANES * LANES, end.next_multiple_of(LANES))
}

impl Default for Drive {
    fn default() -> Self {
        Self::new(MAX_MODES)
    }
}

impl Drive {
    /// At rest, with room for `capacity` modes. Allocates.
    pub fn new(capacity: usize) -> Self {
        let zero = || Row::new(capacity);
        Self {
            re: zero(),
            im: zero(),
            gains: zero(),
            impulses_ns: [0.0; MAX_COLLECTED],
            collected: 0,
            duration_s: 0.0,
            release: 1.0,
            moves: (0, 0),
            reached: (0, 0),
            impulse_ns: 0.0,
        }
    }

    /// Every per-mode row, for fault-injection tests.
    pub(crate) fn rows_in_memory(&mut self) -> [&mut Row; 3] {
        [&mut self.re, &mut self.im, &mut self.gains]
    }

    /// Restores the state of [`Self::new`].
    pub fn renew(&mut self) {
        self.rows_in_memory().into_iter().for_each(|row| row.fill(0.0));
        self.impulses_ns = [0.0; MAX_COLLECTED];
        (self.collected, self.duration_s, self.release) = (0, 0.0, 1.0);
        (self.moves, self.reached, self.impulse_ns) = ((0, 0), (0, 0), 0.0);
    }

    /// Sets the gains at the contact point: phi/m of each mode, 1/kg.
    pub fn set_gains(&mut self, gains: &[f64]) {
        self.set_scaled_gains(gains, 1.0);
    }

    /// Like [`Self::set_gains`], times `scale`.
    pub fn set_scaled_gains(&mut self, gains: &[f64], scale: f64) {
        self.release = 1.0;
        self.moves = span_of(&gains[..gains.len().min(self.gains.len())]);
        let (first, end) = self.moves;
        for (to, gain) in self.gains[first..end].iter_mut().zip(&gains[first..end]) {
            *to = scale * gain;
        }
    }

    /// Advances the release by the share `by`. Returns true while any force reaches the modes.
    pub fn ease(&mut self, by: f64) -> bool {
        self.release = (self.release - by).max(0.0);
        self.release > 0.0
    }

    /// Share of the force that reaches the modes during the release; smooth at both ends, because a
    /// corner is audible.
    fn share(&self) -> f64 {
        crate::math::smoothstep(self.release)
    }

    /// Starts a new sample from rest.
    pub fn begin_sample(&mut self) {
        let (first, end) = self.reached;
        self.re[first..end].fill(0.0);
        self.im[first..end].fill(0.0);
        self.reached = (0, 0);
        self.impulse_ns = 0.0;
    }

    /// Impulse in this sample, N s.
    pub fn impulse_ns(&self) -> f64 {
        self.impulse_ns
    }

    /// True if no force has acted in this sample.
    pub fn is_at_rest(&self) -> bool {
        self.reached == (0, 0)
    }

    /// Modes that may have responded in this sample, in whole groups, and their response.
    pub fn received(&self) -> (Range<usize>, Rows<'_>) {
        let (first, end) = self.reached;
        (first..end, Rows { re: &self.re[first..end], im: &self.im[first..end] })
    }

    /// Gains of the first `len` modes, if the striker moves them all and is not being released.
    pub fn gains_of_all(&self, len: usize) -> Option<&[f64]> {
        let moves_all = self.moves.0 == 0 && self.moves.1 >= len && self.release == 1.0;
        moves_all.then(|| &self.gains[..len])
    }

    /// The drive as a surface for a contact.
    pub fn on<'a>(&'a mut self, modes: &'a Modes, steps: &'a mut Steps) -> DrivenModes<'a> {
        DrivenModes { drive: self, modes, steps }
    }
}

/// A [`Drive`] with the modes that it drives. Collected forces are applied when it is dropped.
#[derive(Debug)]
pub struct DrivenModes<'a> {
    drive: &'a mut Drive,
    modes: &'a Modes,
    steps: &'a mut Steps,
}

impl DrivenModes<'_> {
    fn act(&mut self) {
        if self.drive.collected > 0 {
            let collected = std::mem::take(&mut self.drive.collected);
            let (kernel, duration_s) = (self.modes.kernel, self.drive.duration_s);
            let impulses_ns = self.drive.impulses_ns;
            self.move_on(
                duration_s,
                |y, StepRows { rotation, responses: [constant, ..] }, gains| {
                    kernel.push(y, rotation, constant, gains, &impulses_ns[..collected]);
                },
            );
        }
    }

    /// Applies `push` to the modes that the striker moves.
    #[inline]
    fn move_on(&mut self, duration_s: f64, push: impl FnOnce(RowsMut<'_>, StepRows<'_>, &[f64])) {
        let Drive { re, im, gains, moves, reached, .. } = &mut *self.drive;
        let end = moves.1.min(self.modes.len);
        let first = moves.0.min(end);
        let y = RowsMut { re: &mut re[first..end], im: &mut im[first..end] };
        push(y, self.steps.of(self.modes, duration_s, (first, end)), &gains[first..end]);
        *reached = (first, end);
    }
}

impl Surface for DrivenModes<'_> {
    #[inline]
    fn push(&mut self, force_n: f64, duration_s: f64) {
        let at_rest = self.drive.is_at_rest() && self.drive.collected == 0;
        if duration_s <= 0.0 || (at_rest && force_n == 0.0) {
            return;
        }
        // Exact equality: only bit-equal durations share a step.
        if self.drive.collected == MAX_COLLECTED || duration_s != self.drive.duration_s {
            self.act();
        }
        let share = self.drive.share();
        let Drive { impulses_ns, collected, impulse_ns, .. } = &mut *self.drive;
        impulses_ns[*collected] = share * force_n * duration_s;
        *impulse_ns += impulses_ns[*collected];
        *collected += 1;
        self.drive.duration_s = duration_s;
    }

    #[inline]
    fn push_shaped(&mut self, force: &ForceMoments, duration_s: f64) {
        if duration_s <= 0.0 {
            return;
        }
        self.act();
        let (share, kernel) = (self.drive.share(), self.modes.kernel);
        let moments: [f64; MOMENTS] = force.0.map(|moment| share * moment);
        self.drive.impulse_ns += moments[0];
        self.move_on(duration_s, |y, StepRows { rotation, responses }, gains| {
            kernel.push_moments(y, rotation, responses, gains, &moments);
        });
    }
}

impl Drop for DrivenModes<'_> {
    fn drop(&mut self) {
        self.act();
    }
}

/// Largest number of steps per sample of a [`DriveSum`].
pub const MAX_SUBSTEPS: usize = 4;

/// Contact point of one of several forces.
#[derive(Clone, Debug)]
pub struct DrivePoint {
    gains: Row,
    moves: Span,
    /// Release ramp, 1 to 0.
    release: f64,
}

impl Default for DrivePoint {
    fn default() -> Self {
        Self::new(MAX_MODES)
    }
}

impl DrivePoint {
    /// No contact, with room for `capacity` modes. Allocates.
    pub fn new(capacity: usize) -> Self {
        Self { gains: Row::new(capacity), moves: (0, 0), release: 1.0 }
    }

    /// Restores the state of [`Self::new`].
    pub fn renew(&mut self) {
        self.gains.fill(0.0);
        self.rest();
    }

    /// The per-mode row, for fault-injection tests.
    pub(crate) fn row_in_memory(&mut self) -> &mut Row {
        &mut self.gains
    }

    /// Sets the gains at the contact point: phi/m of each mode, 1/kg.
    pub fn set_gains(&mut self, gains: &[f64]) {
        let gains = &gains[..gains.len().min(self.gains.len())];
        self.gains[..gains.len()].copy_from_slice(gains);
        (self.moves, self.release) = (span_of(gains), 1.0);
    }

    /// Removes the contact.
    pub fn rest(&mut self) {
        (self.moves, self.release) = ((0, 0), 1.0);
    }

    /// Advances the release by the share `by`. Returns true while any force reaches the modes.
    pub fn ease(&mut self, by: f64) -> bool {
        self.release = (self.release - by).max(0.0);
        self.release > 0.0
    }
}

/// Response of the modes to several forces over equal steps.
#[derive(Clone, Debug)]
pub struct DriveSum {
    sum: Drive,
    /// Force on each mode in each step, N/kg.
    forces: [Row; MAX_SUBSTEPS],
    moves: Span,
}

impl Default for DriveSum {
    fn default() -> Self {
        Self::new(MAX_MODES)
    }
}

impl DriveSum {
    /// At rest, with room for `capacity` modes. Allocates.
    pub fn new(capacity: usize) -> Self {
        let forces = std::array::from_fn(|_| Row::new(capacity));
        Self { sum: Drive::new(capacity), forces, moves: (0, 0) }
    }

    /// Restores the state of [`Self::new`].
    pub fn renew(&mut self) {
        self.sum.renew();
        self.forces.iter_mut().for_each(|forces| forces.fill(0.0));
        self.moves = (0, 0);
    }

    /// Every per-mode row, for fault-injection tests.
    pub(crate) fn rows_in_memory(&mut self) -> Vec<&mut Row> {
        self.sum.rows_in_memory().into_iter().chain(&mut self.forces).collect()
    }

    /// Starts a new sample from rest.
    pub fn begin_sample(&mut self) {
        self.sum.begin_sample();
        for forces in &mut self.forces {
            forces[self.moves.0..self.moves.1].fill(0.0);
        }
        self.moves = (0, 0);
    }

    /// Adds the forces of one contact, one per step, up to [`MAX_SUBSTEPS`].
    pub fn add(&mut self, kernel: Kernel, voicing: &DrivePoint, forces_n: &[f64], step_s: f64) {
        let DrivePoint { gains, moves, release } = voicing;
        // Smooth at both ends, because a corner is audible.
        let share = crate::math::smoothstep(*release);
        for (forces, force_n) in self.forces.iter_mut().zip(forces_n) {
            let force_n = share * force_n;
            self.sum.impulse_ns += force_n * step_s;
            kernel.mix(&mut forces[moves.0..moves.1], &gains[moves.0..moves.1], force_n);
        }
        self.moves = match self.moves {
            (0, 0) => *moves,
            (first, end) => (first.min(moves.0), end.max(moves.1)),
        };
    }

    /// Applies everything added, in `pieces` steps. Returns the response of the modes.
    pub fn act(&mut self, modes: &Modes, steps: &mut Steps, pieces: usize, step_s: f64) -> &Drive {
        let moves = self.moves.0..self.moves.1;
        self.sum.moves = self.moves;
        for forces in self.forces.iter().take(pieces) {
            self.sum.gains[moves.clone()].copy_from_slice(&forces[moves.clone()]);
            (self.sum.impulses_ns[0], self.sum.collected, self.sum.duration_s) =
                (step_s, 1, step_s);
            self.sum.on(modes, steps).act();
        }
        &self.sum
    }
}

/// Number of cached step lengths: the strikers of one body mostly share one, and a contact starts
/// and ends with an odd one.
const CACHED_STEPS: usize = 3;

/// Response of every mode over one step of length h: `y -> rotation y + gain (sum of response times
/// moment of the force)`.
#[derive(Clone, Debug)]
struct Step {
    /// Re and Im of e^(s h).
    rotation: [Row; 2],
    /// Re and Im of the response to each moment.
    responses: [[Row; 2]; MOMENTS],
    /// h, s; NaN if the entry is empty.
    duration_s: f64,
    /// Time stamp of the last use.
    last_used: u64,
}

impl Step {
    fn new(capacity: usize) -> Self {
        let pair = || [Row::new(capacity), Row::new(capacity)];
        let responses = std::array::from_fn(|_| pair());
        Self { rotation: pair(), responses, duration_s: f64::NAN, last_used: 0 }
    }

    fn set(&mut self, modes: &Modes, duration_s: f64) {
        self.duration_s = duration_s;
        let s = Rows { re: &modes.decay_per_s[..modes.len], im: &modes.omega[..modes.len] };
        let responses = self.responses.each_mut().map(|pair| rows_mut(pair, modes.len));
        modes.kernel.responses(s, duration_s, rows_mut(&mut self.rotation, modes.len), responses);
    }
}

/// Coefficients of one step.
#[derive(Clone, Copy, Debug)]
pub struct StepRows<'a> {
    /// e^(s h).
    pub rotation: Rows<'a>,
    /// Response to each moment of a force of 1 N s.
    pub responses: [Rows<'a>; MOMENTS],
}

/// Cache of step coefficients of one body, by step length.
#[derive(Clone, Debug)]
pub struct Steps {
    entries: [Step; CACHED_STEPS],
    last_used: u64,
}

impl Default for Steps {
    fn default() -> Self {
        Self::new(MAX_MODES)
    }
}

impl Steps {
    /// Empty, with room for `capacity` modes. Allocates.
    pub fn new(capacity: usize) -> Self {
        Self { entries: std::array::from_fn(|_| Step::new(capacity)), last_used: 0 }
    }

    /// Every per-mode row, for fault-injection tests.
    pub(crate) fn rows_in_memory(&mut self) -> impl Iterator<Item = &mut Row> {
        self.entries
            .iter_mut()
            .flat_map(|step| step.rotation.iter_mut().chain(step.responses.as_flattened_mut()))
    }

    /// Empties the cache, after the modes have changed.
    pub fn forget(&mut self) {
        for step in &mut self.entries {
            step.duration_s = f64::NAN;
        }
    }

    /// Coefficients of a step of `duration_s` for the modes from `first` to before `end`.
    pub fn of(
        &mut self,
        modes: &Modes,
        duration_s: f64,
        (first, end): (usize, usize),
    ) -> StepRows<'_> {
        self.last_used += 1;
        // Exact equality: only bit-equal durations share a step.
        let known = self.entries.iter().position(|step| step.duration_s == duration_s);
        let slot = known.unwrap_or_else(|| {
            // Replaces the least recently used entry.
            let slot =
                (0..CACHED_STEPS).min_by_key(|slot| self.entries[*slot].last_used).unwrap_or(0);
            self.entries[slot].set(modes, duration_s);
            slot
        });
        let step = &mut self.entries[slot];
        step.last_used = self.last_used;
        let responses = step.responses.each_ref().map(|pair| rows(pair, first..end));
        StepRows { rotation: rows(&step.rotation, first..end), responses }
    }
}

fn rows([re, im]: &[Row; 2], of: Range<usize>) -> Rows<'_> {
    Rows { re: &re[of.clone()], im: &im[of] }
}

fn rows_mut([re, im]: &mut [Row; 2], len: usize) -> RowsMut<'_> {
    RowsMut { re: &mut re[..len], im: &mut im[..len] }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::material::Damping;
    use crate::body::{Listening, Point};

    fn modes() -> Modes {
        let mut modes = Modes::default();
        let damping = Damping { support_per_s: 5.0, loss_factor: 1e-3, viscous_s: 1e-8 };
        modes.set(
            500.0,
            &damping,
            Listening { left: Point::along(0.0), right: Point::along(1.0) },
            48000.0,
        );
        modes
    }

    fn pushed(pieces: &[(f64, f64)]) -> Drive {
        let modes = modes();
        let mut drive = Drive::default();
        drive.set_gains(&modes.drive_gains(0.3, 0.5));
        drive.begin_sample();
        let mut steps = Steps::default();
        for &(force_n, duration_s) in pieces {
            drive.on(&modes, &mut steps).push(force_n, duration_s);
        }
        drive
    }

    #[test]
    fn one_long_push_equals_many_short_ones() {
        let dt = 1.0 / 48000.0;
        let whole = pushed(&[(7.0, dt)]);
        let parts = pushed(&vec![(7.0, dt / 64.0); 64]);
        let uneven = pushed(&[(7.0, 0.3 * dt), (7.0, 0.45 * dt), (7.0, 0.25 * dt)]);
        for i in 0..modes().len {
            for other in [&parts, &uneven] {
                let error = (whole.re[i] - other.re[i]).hypot(whole.im[i] - other.im[i]);
                assert!(error <= 1e-12 * whole.re[i].hypot(whole.im[i]), "mode {i}: {error}");
            }
        }
    }

    #[test]
    fn a_short_push_is_an_impulse() {
        let (force_n, duration_s) = (1e6, 1e-12);
        let drive = pushed(&[(force_n, duration_s)]);
        let gains = modes().drive_gains(0.3, 0.5);
        for (i, gain) in gains.iter().enumerate() {
            assert!(
                (drive.re[i] - gain * force_n * duration_s).abs()
                    <= 1e-9 * gain.abs() * force_n * duration_s
            );
        }
    }

    #[test]
    fn together_they_leave_what_they_leave_one_by_one() {
        let (modes, mut steps, dt) = (modes(), Steps::default(), 1.0 / 192e3);
        let mut chorus = DriveSum::default();
        for _ in 0..3 {
            let (mut re, mut im, mut impulse_ns) = ([0.0; MAX_MODES], [0.0; MAX_MODES], 0.0);
            chorus.begin_sample();
            for (x, forces_n) in [
                (0.1, [1.0, 2.0, 3.0, 0.5]),
                (0.4, [0.0, 7.0, 0.0, 1.0]),
                (0.77, [5.0, 0.0, 2.0, 0.0]),
            ] {
                let gains = modes.drive_gains(x, 0.3);
                let (mut alone, mut voicing) = (Drive::default(), DrivePoint::default());
                alone.set_gains(&gains);
                voicing.set_gains(&gains);
                assert!(alone.ease(0.3) && voicing.ease(0.3));
                alone.begin_sample();
                for force_n in forces_n {
                    alone.on(&modes, &mut steps).push(force_n, dt);
                }
                chorus.add(modes.kernel, &voicing, &forces_n, dt);
                for i in 0..MAX_MODES {
                    re[i] += alone.re[i];
                    im[i] += alone.im[i];
                }
                impulse_ns += alone.impulse_ns();
            }
            let sum = chorus.act(&modes, &mut steps, 4, dt);
            assert!((sum.impulse_ns() / impulse_ns - 1.0).abs() < 1e-14);
            for i in 0..modes.len {
                let (size, off) =
                    (re[i].hypot(im[i]), (sum.re[i] - re[i]).hypot(sum.im[i] - im[i]));
                assert!(off <= 1e-13 * size + 1e-18, "mode {i}: {off} of {size}");
            }
        }
    }

    #[test]
    fn a_step_is_the_same_whether_it_was_remembered_or_not() {
        let mut modes = Modes::default();
        let damping = Damping { support_per_s: 5.0, loss_factor: 1e-3, viscous_s: 1e-8 };
        let heard = || Listening { left: Point::along(0.0), right: Point::along(1.0) };
        modes.set(100.0, &damping, heard(), 48000.0);
        let mut steps = Steps::default();
        let mut seen = |modes: &Modes, duration_s: f64| {
            let StepRows { rotation, responses: [zeroth, _, _, third] } =
                steps.of(modes, duration_s, (0, modes.len));
            [rotation.re, rotation.im, zeroth.re, third.im].map(<[f64]>::to_vec)
        };
        let durations_s: Vec<_> = (1..=2 * CACHED_STEPS).map(|n| 1e-6 * n as f64).collect();
        let fresh: Vec<_> = durations_s.iter().map(|h| seen(&modes, *h)).collect();
        for (h, fresh) in durations_s.iter().zip(&fresh).rev() {
            assert_eq!(&seen(&modes, *h), fresh);
            assert_eq!(&seen(&modes, *h), fresh);
        }
        modes.set(150.0, &damping, heard(), 48000.0);
        steps.forget();
        let rotation = steps.of(&modes, durations_s[0], (0, 8)).rotation;
        assert_ne!(rotation.im[0], fresh[0][1][0], "forgotten with the modes it belonged to");
    }
}
