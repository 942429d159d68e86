//! A peak limiter with look-ahead.
//!
//! ```text
//! e[n] = max(c |x[n]| where |x[n]| > ceiling, e[n-1] rho)   envelope, decays by 1/e in RELEASE_S
//! r[n] = min(1, ceiling / e[n])                             required gain
//! s[n] = mean of r over three cascaded boxes                smooth gain, at most `delay` samples
//! y[n] = x[n - delay] s[n]
//! ```
//!
//! With `c = rho^-delay` every `r` that `s[n]` averages is at most `ceiling / |x[n - delay]|`, so
//! the output never exceeds the ceiling. The boxes add whole numbers: their sums do not drift, and
//! while nothing exceeds the ceiling the gain is exactly 1 and the output the delayed input, bit by
//! bit.

use super::{CEILING, INAUDIBLE};

/// Delay of the input, s: the time in which the gain falls from 1 to the required gain.
const LOOK_AHEAD_S: f64 = 0.0015;
/// The gain recovers by 1/e in this time, s.
const RELEASE_S: f64 = 0.1;
/// Number of cascaded boxes: three make the gain twice differentiable in time, up to sampling.
const BOXES: usize = 3;
/// The gain 1 in fixed point. Sums of the longest box (8 MHz) stay below 2^53.
const ONE: i64 = 1 << 40;

/// Mean of the last values, in fixed point.
#[derive(Clone, Debug, Default)]
struct MovingMean {
    ring: Vec<i64>,
    next: usize,
    sum: i64,
}

impl MovingMean {
    fn prepare(&mut self, length: usize) {
        self.ring = vec![ONE; length];
        self.reset();
    }

    fn reset(&mut self) {
        self.ring.fill(ONE);
        self.next = 0;
        self.sum = ONE * self.ring.len() as i64;
    }

    /// Rounded down, so that a mean of gains never exceeds the largest of them.
    fn process(&mut self, x: i64) -> i64 {
        let oldest = std::mem::replace(&mut self.ring[self.next], x);
        self.next = if self.next + 1 == self.ring.len() { 0 } else { self.next + 1 };
        self.sum += x - oldest;
        self.sum / self.ring.len() as i64
    }
}

/// The limiter of one stereo output.
#[derive(Clone, Debug, Default)]
pub struct Limiter {
    /// The last samples of both sides.
    ring: Vec<[f64; 2]>,
    next: usize,
    /// Samples until all non-zero samples have left the ring, and until all audible ones have.
    holds: usize,
    audible: usize,
    pub(super) envelope: f64,
    /// `rho` per sample, and `c`.
    release: f64,
    lead: f64,
    means: [MovingMean; BOXES],
    /// Samples until all values in the means are 1 again.
    active: usize,
}

impl Limiter {
    /// Allocates for a sample rate, and resets.
    pub fn prepare(&mut self, sample_rate_hz: f64) {
        let delay = ((LOOK_AHEAD_S * sample_rate_hz).round() as usize).max(1);
        self.ring = vec![[0.0; 2]; delay];
        self.release = (-1.0 / (RELEASE_S * sample_rate_hz)).exp();
        self.lead = self.release.powi(-(delay as i32));
        // Together they span at most `delay` samples.
        self.means.iter_mut().for_each(|mean| mean.prepare(delay / BOXES + 1));
        self.reset();
    }

    /// Resets to silence.
    pub fn reset(&mut self) {
        self.ring.fill([0.0; 2]);
        self.means.iter_mut().for_each(MovingMean::reset);
        (self.next, self.holds, self.audible, self.envelope, self.active) = (0, 0, 0, 0.0, 0);
    }

    /// Resets the gain to 1, and keeps the delayed samples.
    pub fn let_go(&mut self) {
        if self.active > 0 {
            self.means.iter_mut().for_each(MovingMean::reset);
            (self.envelope, self.active) = (0.0, 0);
        }
    }

    /// Delay, samples.
    pub fn delay_samples(&self) -> usize {
        self.ring.len()
    }

    /// Samples until all audible input has left the ring.
    pub fn tail_samples(&self) -> usize {
        self.audible
    }

    /// Decaying maximum of the recent magnitudes above the ceiling; 0 if there are none.
    pub fn envelope(&self) -> f64 {
        self.envelope
    }

    /// True if all delayed samples are zero and the gain is 1.
    pub fn is_still(&self) -> bool {
        self.holds == 0 && self.active == 0
    }

    /// Delays a sample of both sides. Returns the delayed one, to be multiplied by
    /// [`gain`](Self::gain).
    pub fn delay(&mut self, sample: [f64; 2]) -> [f64; 2] {
        let [l, r] = sample.map(f64::abs);
        let largest = l.max(r);
        self.holds = if largest > 0.0 { self.ring.len() } else { self.holds.saturating_sub(1) };
        self.audible =
            if largest > INAUDIBLE { self.ring.len() } else { self.audible.saturating_sub(1) };
        let delayed = std::mem::replace(&mut self.ring[self.next], sample);
        // While all samples are zero, the position does not matter.
        let is_at_end = self.next + 1 == self.ring.len() || self.holds == 0;
        self.next = if is_at_end { 0 } else { self.next + 1 };
        delayed
    }

    /// Gain of the delayed sample, for an incoming sample of this magnitude.
    pub fn gain(&mut self, magnitude: f64) -> f64 {
        self.envelope *= self.release;
        if magnitude > CEILING {
            self.envelope = self.envelope.max(self.lead * magnitude);
        }
        let needed = if self.envelope > CEILING {
            self.active = BOXES * self.means[0].ring.len();
            (CEILING / self.envelope * ONE as f64) as i64
        } else if self.active > 0 {
            self.active -= 1;
            self.envelope = 0.0;
            ONE
        } else {
            return 1.0;
        };
        let gain = self.means.iter_mut().fold(needed, |gain, mean| mean.process(gain));
        gain as f64 / ONE as f64
    }
}
