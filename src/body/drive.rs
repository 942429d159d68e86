//! What a force leaves in the modes within one sample.
//!
//! Modes do not need samples of the force, they need what it leaves in them. A [`Drive`] follows
//! the exact response of every mode to a force that is constant over each (sub-)step, or known by
//! its moments over it, from rest at the start of the sample; at its end the bank, which has rung
//! freely meanwhile, takes it up. Superposition makes the sum exact, so amplitude and phase are
//! those of continuous time, wherever in the sample the contact lies.

pub mod chorus;
mod steps;

pub use steps::{StepRows, Steps};

use super::kernel::{MOMENTS, Rows, RowsMut};
use super::{LANES, MAX_MODES, Modes, Row};
use crate::contact::{ForceMoments, Surface};

/// Constant forces gathered before they act on the modes, at most. Those of equal steps act
/// together, which spares most of the time.
const GATHERED: usize = 32;

/// Gathers the response of the modes to one striker.
#[derive(Clone, Debug)]
pub struct Drive {
    /// Re of what each mode has received.
    re: Row,
    /// Im of what each mode has received.
    im: Row,
    /// Of the modes that it moves; of the others, anything.
    gains: Row,
    impulses_ns: [f64; GATHERED],
    /// How many impulses wait, and how long each of them acts.
    waiting: usize,
    duration_s: f64,
    /// How far the striker is from having lifted off, 1 to 0.
    hold: f64,
    /// Modes that it moves: the rest has no gain. Whole groups.
    moves: Span,
    /// Modes that may have received something since the sample began.
    reached: Span,
    /// What the force came to since the sample began, N s.
    impulse_ns: f64,
}

/// Modes from one to before another.
type Span = (usize, usize);

/// The modes that have a gain, in whole groups.
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
            impulses_ns: [0.0; GATHERED],
            waiting: 0,
            duration_s: 0.0,
            hold: 1.0,
            moves: (0, 0),
            reached: (0, 0),
            impulse_ns: 0.0,
        }
    }

    /// All that is kept for each mode.
    pub(crate) fn rows_in_memory(&mut self) -> [&mut Row; 3] {
        [&mut self.re, &mut self.im, &mut self.gains]
    }

    /// As new, whatever it held.
    pub fn renew(&mut self) {
        self.rows_in_memory().into_iter().for_each(|row| row.fill(0.0));
        self.impulses_ns = [0.0; GATHERED];
        (self.waiting, self.duration_s, self.hold) = (0, 0.0, 1.0);
        (self.moves, self.reached, self.impulse_ns) = ((0, 0), (0, 0), 0.0);
    }

    /// Take the place of the contact: phi/m of each mode, 1/kg.
    pub fn set_gains(&mut self, gains: &[f64]) {
        self.set_scaled_gains(gains, 1.0);
    }

    /// The same with `scale` times these gains.
    pub fn set_scaled_gains(&mut self, gains: &[f64], scale: f64) {
        self.hold = 1.0;
        self.moves = span_of(&gains[..gains.len().min(self.gains.len())]);
        let (first, end) = self.moves;
        for (to, gain) in self.gains[first..end].iter_mut().zip(&gains[first..end]) {
            *to = scale * gain;
        }
    }

    /// Lift off by a further share `by` of the way. Returns whether any force still reaches the
    /// modes.
    pub fn ease(&mut self, by: f64) -> bool {
        self.hold = (self.hold - by).max(0.0);
        self.hold > 0.0
    }

    /// Share of the force that still reaches the modes: without a corner at either end, which would
    /// be heard.
    fn share(&self) -> f64 {
        crate::math::smoothstep(self.hold)
    }

    /// Start a new sample from rest.
    pub fn begin_sample(&mut self) {
        let (first, end) = self.reached;
        self.re[first..end].fill(0.0);
        self.im[first..end].fill(0.0);
        self.reached = (0, 0);
        self.impulse_ns = 0.0;
    }

    /// What the force came to in this sample, N s.
    pub fn impulse_ns(&self) -> f64 {
        self.impulse_ns
    }

    /// Whether nothing has reached the modes in this sample.
    pub fn is_at_rest(&self) -> bool {
        self.reached == (0, 0)
    }

    /// Modes that may have received something in this sample, whole groups, and what.
    pub fn received(&self) -> (std::ops::Range<usize>, Rows<'_>) {
        let (first, end) = self.reached;
        (first..end, Rows { re: &self.re[first..end], im: &self.im[first..end] })
    }

    /// How a force moves the first `len` modes, all there are, if the striker moves them all and
    /// does not lift off.
    pub fn gains_of_all(&self, len: usize) -> Option<&[f64]> {
        let moves_all = self.moves.0 == 0 && self.moves.1 >= len && self.hold == 1.0;
        moves_all.then(|| &self.gains[..len])
    }

    /// The drive as a surface to be touched.
    pub fn on<'a>(&'a mut self, modes: &'a Modes, steps: &'a mut Steps) -> DrivenModes<'a> {
        DrivenModes { drive: self, modes, steps }
    }
}

/// A [`Drive`] together with the modes it drives. All it was given has acted once it is let go.
#[derive(Debug)]
pub struct DrivenModes<'a> {
    drive: &'a mut Drive,
    modes: &'a Modes,
    steps: &'a mut Steps,
}

impl DrivenModes<'_> {
    fn act(&mut self) {
        if self.drive.waiting > 0 {
            let waiting = std::mem::take(&mut self.drive.waiting);
            let (kernel, duration_s) = (self.modes.kernel, self.drive.duration_s);
            let impulses_ns = self.drive.impulses_ns;
            self.move_on(duration_s, |y, StepRows { turn, responses: [hold, ..] }, gains| {
                kernel.push(y, turn, hold, gains, &impulses_ns[..waiting]);
            });
        }
    }

    /// Let `push` act on the modes that the striker moves.
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
        let at_rest = self.drive.is_at_rest() && self.drive.waiting == 0;
        if duration_s <= 0.0 || (at_rest && force_n == 0.0) {
            return;
        }
        // Exact equality is meant: the same number again is the same step.
        if self.drive.waiting == GATHERED || duration_s != self.drive.duration_s {
            self.act();
        }
        let share = self.drive.share();
        let Drive { impulses_ns, waiting, impulse_ns, .. } = &mut *self.drive;
        impulses_ns[*waiting] = share * force_n * duration_s;
        *impulse_ns += impulses_ns[*waiting];
        *waiting += 1;
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
        self.move_on(duration_s, |y, StepRows { turn, responses }, gains| {
            kernel.push_moments(y, turn, responses, gains, &moments);
        });
    }
}

impl Drop for DrivenModes<'_> {
    fn drop(&mut self) {
        self.act();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::Point;
    use crate::body::material::Damping;
    use crate::body::modes::Listening;

    pub(super) fn modes() -> Modes {
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
}
