//! The old sound of a ringing body, faded out after its preset changed.
//!
//! A copy of the modes and their state decays freely, receives no forces, and fades out along half
//! a cosine, which prevents a click. The new body takes over at once.

use std::f64::consts::PI;

use super::bank::CHUNK;
use super::kernel::{Rows, RowsMut};
use super::{Bank, Kernel, Modes, Row};

/// Duration of the fade, s.
pub const CROSSFADE_S: f64 = 0.005;

/// A fading copy of a body; see the module.
#[derive(Clone, Debug)]
pub struct FadingBody {
    re: Row,
    im: Row,
    rotation_re: Row,
    rotation_im: Row,
    omega: Row,
    left: Row,
    right: Row,
    /// Modes in use, in whole groups.
    live: usize,
    /// Gains of left and right.
    gains: [f64; 2],
    /// Samples since the start of the fade, and its length.
    passed: u32,
    lasts: u32,
}

/// Upper bounds on the slope of the sound around a preset change, per second in units of the modes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Steepness {
    /// Slope of the old body.
    pub before: f64,
    /// Slope of the new body.
    pub after: f64,
    /// Slope caused by the movement of the pickups.
    pub change: f64,
}

impl FadingBody {
    /// Silent, with room for `capacity` modes. Allocates.
    pub fn new(capacity: usize) -> Self {
        let zero = || Row::new(capacity);
        Self {
            re: zero(),
            im: zero(),
            rotation_re: zero(),
            rotation_im: zero(),
            omega: zero(),
            left: zero(),
            right: zero(),
            live: 0,
            gains: [0.0; 2],
            passed: 0,
            lasts: 0,
        }
    }

    /// Every per-mode row, for fault-injection tests.
    pub(crate) fn rows_in_memory(&mut self) -> [&mut Row; 7] {
        let Self { re, im, rotation_re, rotation_im, omega, left, right, .. } = self;
        [re, im, rotation_re, rotation_im, omega, left, right]
    }

    /// Restores the state of [`Self::new`].
    pub fn renew(&mut self) {
        self.rows_in_memory().into_iter().for_each(|row| row.fill(0.0));
        (self.live, self.gains) = (0, [0.0; 2]);
        self.reset();
    }

    /// Ends the fade.
    pub fn reset(&mut self) {
        (self.passed, self.lasts) = (0, 0);
    }

    /// True while the fade lasts.
    pub fn is_heard(&self) -> bool {
        self.passed < self.lasts
    }

    /// Remaining samples of the fade.
    pub fn samples(&self) -> u64 {
        u64::from(self.lasts - self.passed.min(self.lasts))
    }

    /// Copies a body that is about to change. The pickups must be at rest, and the bank caught up.
    pub fn remember(&mut self, modes: &Modes, bank: &Bank) {
        let live = bank.live();
        let (re, im) = bank.rows();
        self.live = live;
        for (row, of) in [
            (&mut self.re, re),
            (&mut self.im, im),
            (&mut self.rotation_re, &modes.rotation_re[..]),
            (&mut self.rotation_im, &modes.rotation_im),
            (&mut self.omega, &modes.omega),
            (&mut self.left, &modes.left.now),
            (&mut self.right, &modes.right.now),
        ] {
            row[..live].copy_from_slice(&of[..live]);
        }
    }

    /// Frequencies of the copied body, rad/s.
    pub fn omega(&self) -> &[f64] {
        &self.omega
    }

    /// Multiplies the gains.
    pub fn scale(&mut self, by: f64) {
        self.gains = self.gains.map(|gain| gain * by);
    }

    /// Slopes of the copied body and of its successor with `modes` and `bank`, whose pickups take
    /// `period_s` to their new places.
    ///
    /// Sums of magnitudes over the modes, so both are upper bounds of one kind.
    pub fn steepness(&self, modes: &Modes, bank: &Bank, period_s: f64) -> Steepness {
        let (re, im) = bank.rows();
        let mut sums = [[0.0f64; 3]; 2];
        for i in 0..self.live {
            let (was, is) = (self.re[i].abs() + self.im[i].abs(), re[i].abs() + im[i].abs());
            let sides = [(&self.left, &modes.left), (&self.right, &modes.right)];
            for (sum, (before, after)) in sums.iter_mut().zip(sides) {
                let target = after.target(i);
                sum[0] += was * before[i].abs() * self.omega[i];
                sum[1] += is * target.abs() * modes.omega[i];
                // A removed mode stops within one sample, not over a control period.
                let samples = if modes.presence[i] == 0.0 { CHUNK as f64 } else { 1.0 };
                sum[2] += samples * is * (target - before[i]).abs();
            }
        }
        let [before, after, change] = [0, 1, 2].map(|what: usize| sums[0][what].max(sums[1][what]));
        Steepness { before, after, change: change / period_s }
    }

    /// Starts the fade with these gains for left and right.
    pub fn begin(&mut self, gains: [f64; 2], sample_rate_hz: f64) {
        self.gains = gains;
        // The cast saturates.
        (self.passed, self.lasts) = (0, (CROSSFADE_S * sample_rate_hz).ceil().max(1.0) as u32);
    }

    /// Adds the next samples. `fade` and its change per sample are those of the voice's own
    /// fade-out.
    pub fn process(
        &mut self,
        kernel: Kernel,
        left: &mut [f64],
        right: &mut [f64],
        (fade, step): (f64, f64),
    ) {
        let (live, mut fade) = (self.live, fade);
        for (l, r) in left.iter_mut().zip(right) {
            if !self.is_heard() {
                return;
            }
            self.passed += 1;
            let y = RowsMut { re: &mut self.re[..live], im: &mut self.im[..live] };
            kernel.rotate(
                y,
                Rows { re: &self.rotation_re[..live], im: &self.rotation_im[..live] },
                1,
            );
            let (heard_left, heard_right) =
                kernel.hear(&self.left[..live], &self.right[..live], &self.re[..live]);
            let gain = (1.0 - risen(self.passed, self.lasts)) * fade.max(0.0);
            fade += step;
            *l += gain * self.gains[0] * heard_left;
            *r += gain * self.gains[1] * heard_right;
        }
    }
}

/// Half a cosine from 0 to 1, at `passed` of `lasts` samples.
pub fn risen(passed: u32, lasts: u32) -> f64 {
    if passed >= lasts {
        1.0
    } else {
        0.5 - 0.5 * (PI * f64::from(passed) / f64::from(lasts)).cos()
    }
}
