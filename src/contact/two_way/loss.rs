//! What damping takes within a step, more exactly than the step itself.
//!
//! Over a step of h the force is constant, and damping takes `mu g d^2/h` (or `c d^2/h`) for a way of d: as if the speed were d/h
//! throughout. The law takes `mu` times the integral of `k x^alpha v` over the same way (or c times that of v). With the speed v as
//! a function of x at its right values at both ends, both expanded about the middle, that is more by the share
//!
//! ```text
//! (h^2/12) ((a/v)^2 + alpha a/x - j/v)  of mu,      (h^2/12) ((a/v)^2 - j/v)  of c
//! ```
//!
//! to the second order in h; a and j are the first and second derivative of v by time. Where it is the contact that
//! accelerates, j is `alpha a v/x`, and `(a h/v)^2/12` is left of the first, and as much less `alpha a h^2/(12 x)` of the second.
//!
//! Without it nearly all of a ball's error is in its damping: without damping a flight is some 80 times as exact. So the
//! damping of a step is changed by that share. What is not negative still damps, so that no energy comes of it. a is carried on from
//! the last three steps; where they were not alike it is left alone, and where v turns, and the share is none of a small one, it is cut.

use super::super::law::Spring;

/// The share is cut off above.
const MOST: f64 = 0.5;

/// How the compression has changed of late.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Loss {
    h_s: f64,
    /// Steps of this length in a row, three at most.
    alike: u32,
    rate_m_per_s: f64,
    /// Between the last two steps, and between the two before, m/s^2.
    gain_m_per_s2: f64,
    gain_before_m_per_s2: f64,
}

impl Loss {
    /// A step is over.
    #[inline]
    pub fn pass(&mut self, change_m: f64, h_s: f64) {
        let rate_m_per_s = change_m / h_s;
        self.alike = if h_s == self.h_s { (self.alike + 1).min(3) } else { 1 };
        self.gain_before_m_per_s2 = self.gain_m_per_s2;
        // From the middle of one step to that of the next; before the first there is none.
        let since_s = if self.h_s > 0.0 { 0.5 * (h_s + self.h_s) } else { f64::INFINITY };
        self.gain_m_per_s2 = (rate_m_per_s - self.rate_m_per_s) / since_s;
        (self.h_s, self.rate_m_per_s) = (h_s, rate_m_per_s);
    }

    /// How fast a gap closes after `late_s` of a step of `h_s` that would close it by `free_m`, m/s: in the middle of it that is the mean.
    #[inline]
    pub fn closing_m_per_s(&self, free_m: f64, h_s: f64, late_s: f64) -> f64 {
        free_m / h_s + self.gain_m_per_s2 * (late_s - 0.5 * h_s)
    }

    /// The law for a step of `h_s` from a compression of `x_m`.
    #[inline]
    pub fn allow(&self, spring: &Spring, x_m: f64, h_s: f64) -> Spring {
        if self.alike < 3 || h_s != self.h_s || x_m <= 0.0 {
            return *spring;
        }
        let change = self.gain_m_per_s2 - self.gain_before_m_per_s2;
        // The last gain is that of the start of the last step; this step's middle is one and a half later.
        let v = self.rate_m_per_s + h_s * (self.gain_m_per_s2 + change);
        let dv = h_s * (self.gain_m_per_s2 + 1.5 * change);
        let middle_m = x_m + 0.5 * h_s * v;
        if middle_m <= 0.0 {
            return *spring;
        }
        // Where v is none this is endless, and cut.
        let by_speed = dv * dv / (v * v).max(f64::MIN_POSITIVE);
        let by_spring = -spring.alpha() * h_s * dv / middle_m;
        let share = |twelvefold: f64| 1.0 + (twelvefold / 12.0).clamp(0.0, MOST);
        spring.damped(share(by_speed), share(by_speed + by_spring))
    }
}

#[cfg(test)]
mod tests;
