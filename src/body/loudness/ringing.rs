//! Modes that ring by themselves, as two pickups hear them.

use std::f64::consts::PI;

use super::super::{MAX_MODES, Modes};
use super::complex::Complex;
use super::weighting::{Thump, swing_s};
use super::window::{Span, WINDOW_S};

/// Neighbours in the list that may beat with a mode inside the window, or overlap with it.
const NEIGHBOURS: usize = 24;

/// The first `len` modes from the moment on in which they are left alone.
pub(super) struct Ringing {
    pub len: usize,
    /// What either pickup hears of each.
    pub heard: [[f64; 2]; MAX_MODES],
    /// Its amplitude, as far as the weighting's high-pass keeps it.
    pub kept: [Complex; MAX_MODES],
    /// What the high-pass makes of how they began.
    pub thump: [Thump; 2],
    pub span: Span,
}

impl Ringing {
    pub fn new(len: usize, span: Span) -> Self {
        let (heard, kept) = ([[0.0; 2]; MAX_MODES], [Complex::default(); MAX_MODES]);
        Self { len, heard, kept, thump: [Thump::default(); 2], span }
    }

    /// Integral of the weighted square, both pickups, s; and how many pairs of modes were looked at.
    pub fn energy_s(&self, modes: &Modes) -> (f64, u32) {
        let Self { len, heard, kept, thump, span } = self;
        let mut sum = thump[0].energy_s() + thump[1].energy_s();
        let mut pairs = 0;
        for i in 0..*len {
            let (d, w) = (modes.decay_per_s[i], modes.omega[i]);
            if w == 0.0 {
                continue;
            }
            let [l, r] = heard[i];
            // Alone: the mean of its square, and what the square's own swing leaves.
            let steady = kept[i].power() * span.ringing_s(2.0 * d, 0.0).re;
            sum += 0.5 * (l * l + r * r) * (steady + 0.5 * swing_s(kept[i], d, w));
            sum += 2.0 * (l * thump[0].meets(kept[i], d, w) + r * thump[1].meets(kept[i], d, w));
            // Modes a little apart begin in step: what they do together depends on their signs.
            for j in i + 1..(i + 1 + NEIGHBOURS).min(*len) {
                let (loss, beat) = (d + modes.decay_per_s[j], w - modes.omega[j]);
                if modes.omega[j] > 0.0 && beat.abs() < 8.0 * loss + 8.0 * PI / WINDOW_S {
                    let both = kept[i].times(kept[j].turned_back()).times(span.ringing_s(loss, beat)).re;
                    sum += (l * heard[j][0] + r * heard[j][1]) * both;
                    pairs += 1;
                }
            }
        }
        (sum, pairs)
    }
}
