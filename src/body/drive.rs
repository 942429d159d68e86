//! What a force leaves in the modes within one sample.
//!
//! Modes do not need samples of the force, they need what it leaves in them. A [`Drive`] follows the exact
//! response of every mode to a force that is constant over each (sub-)step, from rest at the start of the
//! sample; at its end the bank, which has rung freely meanwhile, takes it up. Superposition makes the sum
//! exact, so amplitude and phase are those of continuous time, wherever in the sample the contact lies.

pub mod chorus;
mod steps;

pub use steps::Steps;

use super::kernel::{Rows, RowsMut};
use super::{LANES, MAX_MODES, Modes, PerMode};
use crate::contact::Surface;

/// Forces gathered before they act on the modes, at most. Those of equal steps act together, which spares most of
/// the time.
const GATHERED: usize = 32;

/// Gathers the response of the modes to one striker.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub struct Drive {
    /// Re of what each mode has received.
    re: PerMode,
    /// Im of what each mode has received.
    im: PerMode,
    /// Of the modes that it moves; of the others, anything.
    gains: PerMode,
    forces_n: [f64; GATHERED],
    /// How many forces wait, and how long each of them acts.
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
fn span_of(gains: &PerMode) -> Span {
    let moves = |gain: &f64| *gain != 0.0;
    let first = gains.iter().position(moves).unwrap_or(0);
    let end = gains.iter().rposition(moves).map_or(0, |last| last + 1);
    (first / LANES * LANES, end.next_multiple_of(LANES))
}

impl Default for Drive {
    fn default() -> Self {
        let zero = [0.0; MAX_MODES];
        Self {
            re: zero,
            im: zero,
            gains: zero,
            forces_n: [0.0; GATHERED],
            waiting: 0,
            duration_s: 0.0,
            hold: 1.0,
            moves: (0, 0),
            reached: (0, 0),
            impulse_ns: 0.0,
        }
    }
}

impl Drive {
    /// Take the place of the contact: phi/m of each mode, 1/kg.
    pub fn set_gains(&mut self, gains: &PerMode) {
        self.hold = 1.0;
        self.moves = span_of(gains);
        let (first, end) = self.moves;
        self.gains[first..end].copy_from_slice(&gains[first..end]);
    }

    /// Lift off by a further share `by` of the way. Returns whether any force still reaches the modes.
    pub fn ease(&mut self, by: f64) -> bool {
        self.hold = (self.hold - by).max(0.0);
        self.hold > 0.0
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
        let Drive { re, im, gains, forces_n, waiting, duration_s, moves, reached, .. } = &mut *self.drive;
        if *waiting == 0 {
            return;
        }
        let end = moves.1.min(self.modes.len);
        let first = moves.0.min(end);
        let (turn, hold) = self.steps.of(self.modes, *duration_s);
        let turn = Rows { re: &turn.re[first..end], im: &turn.im[first..end] };
        let hold = Rows { re: &hold.re[first..end], im: &hold.im[first..end] };
        let y = RowsMut { re: &mut re[first..end], im: &mut im[first..end] };
        self.modes.kernel.push(y, turn, hold, &gains[first..end], &forces_n[..*waiting]);
        *reached = (first, end);
        *waiting = 0;
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
        let Drive { forces_n, waiting, hold, impulse_ns, .. } = &mut *self.drive;
        // Without a corner at either end, which would be heard.
        forces_n[*waiting] = force_n * (*hold * *hold * (3.0 - 2.0 * *hold));
        *impulse_ns += forces_n[*waiting] * duration_s;
        *waiting += 1;
        self.drive.duration_s = duration_s;
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
        modes.set(500.0, &damping, Listening { left: Point::along(0.0), right: Point::along(1.0) }, 48000.0);
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
            assert!((drive.re[i] - gain * force_n * duration_s).abs() <= 1e-9 * gain.abs() * force_n * duration_s);
        }
    }
}
