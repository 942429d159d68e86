//! What a body rang as, for a moment after it became another.
//!
//! Its modes as they were ring on by themselves, unheard by all that touches the new body, and fade
//! along half a period of a cosine. So no change of a ringing body stops anything short, and the
//! change itself need not wait.

use std::f64::consts::PI;

use super::bank::CHUNK;
use super::kernel::{Rows, RowsMut};
use super::{Bank, Kernel, Modes, Row};

/// It is gone after this time, s.
pub const CROSSFADE_S: f64 = 0.005;

/// See the module.
#[derive(Clone, Debug)]
pub struct FadingBody {
    re: Row,
    im: Row,
    rotation_re: Row,
    rotation_im: Row,
    omega: Row,
    left: Row,
    right: Row,
    /// Modes that ring, in whole groups.
    live: usize,
    /// Factors of both sides.
    gains: [f64; 2],
    /// Samples that have passed, and those after which it is gone.
    passed: u32,
    lasts: u32,
}

/// How steep a sound is at most: of the ring as it was, as it is now, and of the way of the pickups
/// between them; per second, in units of the modes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Steepness {
    /// Of the body as it was.
    pub before: f64,
    /// Of the body as it is.
    pub after: f64,
    /// Of the way of the pickups.
    pub change: f64,
}

impl FadingBody {
    /// Unheard, with room for `capacity` modes. Allocates.
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

    /// All that is kept for each mode.
    pub(crate) fn rows_in_memory(&mut self) -> [&mut Row; 7] {
        let Self { re, im, rotation_re, rotation_im, omega, left, right, .. } = self;
        [re, im, rotation_re, rotation_im, omega, left, right]
    }

    /// As new, whatever it held.
    pub fn renew(&mut self) {
        self.rows_in_memory().into_iter().for_each(|row| row.fill(0.0));
        (self.live, self.gains) = (0, [0.0; 2]);
        self.reset();
    }

    /// Be gone.
    pub fn reset(&mut self) {
        (self.passed, self.lasts) = (0, 0);
    }

    /// Whether it is heard.
    pub fn is_heard(&self) -> bool {
        self.passed < self.lasts
    }

    /// Samples until it is gone.
    pub fn samples(&self) -> u64 {
        u64::from(self.lasts - self.passed.min(self.lasts))
    }

    /// Take the likeness of a body that is about to change. Its pickups stand still, and the bank
    /// has caught up.
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

    /// The frequencies of the body that it remembers, rad/s.
    pub fn omega(&self) -> &[f64] {
        &self.omega
    }

    /// Be so many times as loud.
    pub fn scale(&mut self, by: f64) {
        self.gains = self.gains.map(|gain| gain * by);
    }

    /// How steep the body was that it remembers, and how steep it is as `modes` with what rings now
    /// in `bank`, with pickups that take `period_s` to their new places. Sums of magnitudes: upper
    /// bounds, and both of one kind.
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
                // A mode that is no longer there stops at once, and not over a control period.
                let samples = if modes.presence[i] == 0.0 { CHUNK as f64 } else { 1.0 };
                sum[2] += samples * is * (target - before[i]).abs();
            }
        }
        let [before, after, change] = [0, 1, 2].map(|what: usize| sums[0][what].max(sums[1][what]));
        Steepness { before, after, change: change / period_s }
    }

    /// Be heard from now on, with these factors for left and right.
    pub fn begin(&mut self, gains: [f64; 2], sample_rate_hz: f64) {
        self.gains = gains;
        // The cast saturates.
        (self.passed, self.lasts) = (0, (CROSSFADE_S * sample_rate_hz).ceil().max(1.0) as u32);
    }

    /// Add the next samples. `fade` and its change per sample are those of a voice on its way out.
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

/// From 0 to 1 along half a period of a cosine, `passed` of `lasts` samples after its beginning.
pub fn risen(passed: u32, lasts: u32) -> f64 {
    if passed >= lasts {
        1.0
    } else {
        0.5 - 0.5 * (PI * f64::from(passed) / f64::from(lasts)).cos()
    }
}
