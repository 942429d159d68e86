//! How loud a blow will be, before it falls; and the gain that makes all bodies equally loud.
//!
//! Levelling acts on the sound, not on the physics. A blow of [`REFERENCE_J`] by the striker at hand, of the reference
//! hardness, is predicted from the modes: mode i of a body of mass M is left with a velocity of
//! `a_i = P(f_i) phi_strike phi_pickup/M`, P the spectrum of the blow's force. Against a wall that is a pulse of known
//! impulse and duration; where the body gives way it is rehearsed. What is heard is the K-weighted (ITU-R BS.1770) mean
//! square of the first 400 ms. Hardness, striking speed and whatever happens between the modes keep their effect on
//! loudness.

mod blow;
mod complex;
mod rehearsal;
mod weighting;
mod window;

use std::f64::consts::PI;

use super::shape::{Kind, Place, Shapes};
use super::{MAX_MODES, Modes};
use blow::half_sine;
pub use blow::{REFERENCE_J, ReferenceBlow};
use complex::Complex;
use rehearsal::{Pulse, Rehearsal};
use weighting::{Thump, high_pass, shelf_power, swing_s};
use window::{WINDOW_S, ringing_s, risen_s};

/// What all are levelled to, m/s (K-weighted, both pickups together): a plain steel bar of 400 g at A4.
const TARGET_M_PER_S: f64 = 0.25;
/// Least and most gain: 60 dB either way.
const GAIN: (f64, f64) = (1e-3, 1e3);
/// A blow on a node, or a pickup there, counts as no softer than this share of the mean over the body (power, -18 dB): the
/// next blow may fall beside the node. Pickups near the edge of a clamped disc hear 16 dB less than the mean.
const LEAST_SHARE: f64 = 1.0 / 64.0;
/// Neighbours in the list that may beat with a mode inside the window, or overlap with it.
const NEIGHBOURS: usize = 24;

/// Predicts; keeps the shapes at the strike point, which change seldom.
#[derive(Clone, Debug)]
pub struct Leveller {
    struck: Shapes,
    /// Of how many modes the first body may have.
    lanes: usize,
    pulse: Pulse,
    rehearsal: Rehearsal,
}

impl Default for Leveller {
    fn default() -> Self {
        Self { struck: Shapes::NONE, lanes: 0, pulse: Pulse::default(), rehearsal: Rehearsal::default() }
    }
}

impl Leveller {
    /// Take over the shapes that another knows.
    pub fn learn(&mut self, other: &Self) {
        if other.lanes != self.lanes {
            self.struck.forget();
            self.lanes = other.lanes;
        }
        self.struck.learn(&other.struck);
    }

    /// The gain that brings a reference blow on these modes to the common level; 1e-3…1e3.
    pub fn gain(&mut self, modes: &Modes, blow: &ReferenceBlow) -> f64 {
        let level = self.level_m_per_s(modes, blow);
        if level > 0.0 { (TARGET_M_PER_S / level).clamp(GAIN.0, GAIN.1) } else { 1.0 }
    }

    /// K-weighted level of a reference blow in its first 400 ms, m/s: the root of the mean square, both pickups added.
    pub fn level_m_per_s(&mut self, modes: &Modes, blow: &ReferenceBlow) -> f64 {
        let kind = modes.spectrum().geometry().kind;
        // Of several bodies the first is struck.
        let lanes = modes.parts().lanes();
        if self.lanes != lanes {
            self.struck.forget();
            self.lanes = lanes;
        }
        self.struck.set(modes.spectrum(), Place::Strike, blow.point, lanes.min(modes.len));
        if blow.two_way {
            self.rehearsal.play(modes, blow, self.struck.values(), &mut self.pulse);
        } else {
            self.pulse.duration_s = blow.pulse_s();
            let impulse_ns = blow.impulse_ns();
            for i in 0..modes.len {
                let turns = modes.omega[i] / (2.0 * PI) * self.pulse.duration_s;
                self.pulse.spectrum_ns[i] = Complex::real(impulse_ns * half_sine(turns));
            }
        }
        // The amplitudes of a list are what they are, wherever it is struck.
        let least_share = if kind == Kind::User { 0.0 } else { LEAST_SHARE };
        (self.heard(modes, least_share) / WINDOW_S).sqrt() / blow.body_kg
    }

    /// Integral of the weighted square of what the pulse makes of the modes, both pickups, times the square of the body's mass;
    /// no less than a share of the mean over the body.
    fn heard(&self, modes: &Modes, least_share: f64) -> f64 {
        let pulse_s = self.pulse.duration_s;
        // Of several bodies the first counts, as if it were heard in full.
        let (len, in_full) = (modes.len.min(modes.parts().lanes()), 1.0 / modes.parts().first_heard());
        let mut heard = [[0.0; 2]; MAX_MODES];
        let mut kept = [Complex::default(); MAX_MODES];
        let mut thump = [Thump::default(); 2];
        for i in 0..len {
            let (d, w) = (modes.decay_per_s[i], modes.omega[i]);
            let moved = in_full * modes.presence[i] * self.struck.values()[i] * shelf_power(w / (2.0 * PI)).sqrt();
            heard[i] = [moved * modes.left.target(i), moved * modes.right.target(i)];
            let (passed, onset) = high_pass(d, w, self.pulse.spectrum_ns[i]);
            kept[i] = passed;
            thump[0].add(&onset, heard[i][0]);
            thump[1].add(&onset, heard[i][1]);
        }
        let mut sum = thump[0].energy_s() + thump[1].energy_s();
        let mut mean = 0.0;
        for i in 0..len {
            let (d, w) = (modes.decay_per_s[i], modes.omega[i]);
            if w == 0.0 {
                continue;
            }
            let [l, r] = heard[i];
            // Two pickups with a mean square of 1 each.
            let weight = modes.presence[i].powi(4) * shelf_power(w / (2.0 * PI)) * kept[i].power();
            mean += weight * ringing_s(2.0 * d, 0.0).re;
            // Alone: the mean of its square, and what the square's own swing leaves.
            let steady = kept[i].power() * risen_s(2.0 * d, 0.0, pulse_s).re;
            sum += 0.5 * (l * l + r * r) * (steady + 0.5 * swing_s(kept[i], d, w));
            sum += 2.0 * (l * thump[0].meets(kept[i], d, w) + r * thump[1].meets(kept[i], d, w));
            // Modes a little apart begin in step: what they do together depends on their signs.
            for j in i + 1..(i + 1 + NEIGHBOURS).min(len) {
                let (loss, beat) = (d + modes.decay_per_s[j], w - modes.omega[j]);
                if modes.omega[j] > 0.0 && beat.abs() < 8.0 * loss + 8.0 * PI / WINDOW_S {
                    let both = kept[i].times(kept[j].turned_back()).times(risen_s(loss, beat, pulse_s)).re;
                    sum += (l * heard[j][0] + r * heard[j][1]) * both;
                }
            }
        }
        sum.max(least_share * mean)
    }
}
