//! How loud a blow will be, in a hurry: as a pulse that is known before it falls, and every mode as if it were alone.
//!
//! Leaves out how modes beat, how they begin, and that a light body strikes back. What these come to for one body is much the same for
//! the next key of the same patch, so that the estimate is good for the step from one to the other.

use std::f64::consts::PI;

use super::super::{Modes, PerMode};
use super::blow::half_sine;
use super::complex::Complex;
use super::rings_s;
use super::weighting::{high_pass, shelf_power};
use super::window::WINDOW_S;

/// K-weighted level in the first 400 ms, m/s, after a half-sine of `pulse_s` that leaves a free body with `m_per_s`; `struck` is how far
/// each mode bends where it falls.
pub(super) fn level_m_per_s(modes: &Modes, struck: &PerMode, pulse_s: f64, m_per_s: f64) -> f64 {
    let len = modes.len.min(modes.parts().lanes());
    let in_full = 1.0 / modes.parts().first_heard();
    let mut sum = 0.0;
    for (i, struck) in struck.iter().enumerate().take(len) {
        let (d, w) = (modes.decay_per_s[i], modes.omega[i]);
        if w == 0.0 {
            continue;
        }
        let (moved, hz) = (in_full * modes.presence[i] * struck, w / (2.0 * PI));
        let [left, right] = [&modes.left, &modes.right].map(|ear| moved * ear.target(i));
        let (kept, _) = high_pass(d, w, Complex::real(half_sine(hz * pulse_s)));
        sum += (left * left + right * right) * shelf_power(hz) * kept.power() * rings_s(modes, i);
    }
    (sum / WINDOW_S).sqrt() * m_per_s
}
