//! Loudness of a struck body, summed over its modes.

use std::f64::consts::PI;

use fearless_simd::{Simd, dispatch, prelude::*};

use super::{Kernel, LANES, Lanes, groups, load, sum};

/// Window of momentary loudness, s (ITU-R BS.1770).
const WINDOW_S: f64 = 0.4;
/// Corner of the K-weighting's high-pass, rad/s.
const HIGH_PASS_PER_S: f64 = 2.0 * PI * 38.135_470_876_024_44;
/// Shelf of the K-weighting: corner, rad/s; quality; gain far above; and, times the damping, gain
/// at the corner.
const SHELF_PER_S: f64 = 2.0 * PI * 1_681.974_450_955_533;
const SHELF_Q: f64 = 0.707_175_236_955_419_6;
const SHELF_HIGH: f64 = 1.584_864_701_130_855;
const SHELF_BAND: f64 = 1.258_720_930_232_561_5;
/// Tail of the pulse spectrum: see [`Kernel::loudness`].
const TAIL: f64 = 0.75;

/// Modes that count for the compliance of a body: higher ones are stiff springs, and the estimate
/// has to be cheap.
const MAX_GIVING: usize = 64;

/// Inputs of the estimate for each mode; rows of one length.
#[derive(Clone, Copy, Debug)]
pub struct LoudnessRows<'a> {
    /// Decay rate, 1/s.
    pub decay_per_s: &'a [f64],
    /// Angular frequency, rad/s.
    pub omega: &'a [f64],
    /// Weight of the mode near the top of the band.
    pub presence: &'a [f64],
    /// Shape at the strike point.
    pub struck: &'a [f64],
    /// Pickup gains, left and right.
    pub heard: [&'a [f64]; 2],
}

impl Kernel {
    /// Sum over the modes of `(presence^2 struck^2 heard^2 + floor presence^4) G K R`:
    ///
    /// - G, the power spectrum of a force pulse of variance s^2 and area 1, without its zeros:
    ///   `1/(1 + z + 0.75 z^3)`, `z = (omega s)^2`. Fitted to Hertzian contacts: within 2 dB down
    ///   to -10 dB, and about right in the mean between the zeros beyond.
    /// - K, the K-weighting of BS.1770: the analogue filters behind the coefficients of the
    ///   standard.
    /// - R, the share of 400 ms that the mode rings, `(1 - e^-2h)/(2h)` with `h = 0.4 s d`; here
    ///   `1/(h + sqrt(1 + h^2))`, within 0.2 dB.
    pub fn loudness(self, rows: &LoudnessRows<'_>, variance_s2: f64, floor: f64) -> f64 {
        dispatch!(self.0, simd => loudness(simd, rows, variance_s2, floor))
    }

    /// Compliance of a body under a push of duration `2 half_s`, with `x = omega half_s` and `shape
    /// = presence struck`.
    ///
    /// Returns the sums of `shape^2/(1 + x^4)`, over the modes that act as masses, and of `shape^2
    /// x^2/(1 + x^4)`, over those that act as springs.
    pub fn giving_way(self, rows: &LoudnessRows<'_>, half_s: f64) -> (f64, f64) {
        dispatch!(self.0, simd => giving_way(simd, rows, half_s))
    }
}

#[inline(always)]
fn giving_way<S: Simd>(simd: S, rows: &LoudnessRows<'_>, half_s: f64) -> (f64, f64) {
    let (one, half) = (Lanes::splat(simd, 1.0), Lanes::splat(simd, half_s));
    let mut sums = [Lanes::splat(simd, 0.0); 2];
    let own = groups(rows.presence).iter().zip(groups(rows.struck)).zip(groups(rows.omega));
    for ((presence, struck), omega) in own.take(MAX_GIVING / LANES) {
        let shape = load(simd, presence) * load(simd, struck);
        let x = load(simd, omega) * half;
        let x2 = x * x;
        let as_mass = shape * shape / x2.mul_add(x2, one);
        sums = [sums[0] + as_mass, as_mass.mul_add(x2, sums[1])];
    }
    (sum(sums[0]), sum(sums[1]))
}

#[inline(always)]
fn loudness<S: Simd>(simd: S, rows: &LoudnessRows<'_>, variance_s2: f64, floor: f64) -> f64 {
    let all = |x: f64| Lanes::splat(simd, x);
    let (one, tail, floor, variance) = (all(1.0), all(TAIL), all(floor), all(variance_s2));
    let (window, corner) = (all(WINDOW_S), all(HIGH_PASS_PER_S * HIGH_PASS_PER_S));
    let per_shelf = all(1.0 / (SHELF_PER_S * SHELF_PER_S));
    // Numerator and denominator of the shelf's power as polynomials of (omega/corner)^2.
    let band = SHELF_BAND / SHELF_Q;
    let over = [all(band * band - 2.0 * SHELF_HIGH), all(SHELF_HIGH * SHELF_HIGH)];
    let under = all(1.0 / (SHELF_Q * SHELF_Q) - 2.0);
    let mut total = all(0.0);
    let own = groups(rows.decay_per_s).iter().zip(groups(rows.omega)).zip(groups(rows.presence));
    let ears = groups(rows.heard[0]).iter().zip(groups(rows.heard[1]));
    for (((decay, omega), presence), (struck, (left, right))) in
        own.zip(groups(rows.struck).iter().zip(ears))
    {
        let (omega, presence) = (load(simd, omega), load(simd, presence));
        let (left, right) = (load(simd, left), load(simd, right));
        let (w2, present) = (omega * omega, presence * presence);
        let drive = presence * load(simd, struck);
        let heard = left.mul_add(left, right * right);
        let power = (drive * drive).mul_add(heard, floor * present * present);
        let (u, z) = (w2 * per_shelf, w2 * variance);
        let shelf_over = u.mul_add(u.mul_add(over[1], over[0]), one);
        let shelf_under = u.mul_add(u + under, one);
        let pulse = z.mul_add((z * z).mul_add(tail, one), one);
        let (high_pass, half) = (w2 + corner, load(simd, decay) * window);
        let ringing = half + half.mul_add(half, one).sqrt();
        let below = high_pass * high_pass * shelf_under * pulse * ringing;
        total += power * (w2 * w2) * shelf_over / below;
    }
    sum(total)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::LANES;

    /// The loudness of one mode.
    fn of_mode(decay_per_s: f64, frequency_hz: f64, variance_s2: f64) -> f64 {
        let mut rows = [[0.0; LANES]; 6];
        let own = [decay_per_s, 2.0 * PI * frequency_hz, 1.0, 1.0, 1.0, 0.0];
        rows.iter_mut().zip(own).for_each(|(row, value)| row[0] = value);
        let [decay_per_s, omega, presence, struck, left, right] = &rows;
        let rows = LoudnessRows { decay_per_s, omega, presence, struck, heard: [left, right] };
        let heard = Kernel::all()
            .map(|kernel| kernel.loudness(&rows, variance_s2, 0.0))
            .collect::<Vec<_>>();
        assert!(heard.iter().all(|one| (one / heard[0] - 1.0).abs() < 1e-12));
        heard[0]
    }

    #[test]
    fn the_weighting_is_that_of_the_recommendation() {
        let decibels = |frequency_hz: f64| 10.0 * of_mode(0.0, frequency_hz, 0.0).log10();
        // BS.1770 takes off 0.691 dB because a 997 Hz sine comes out as much louder. Its digital
        // filter has 0.04 dB more there than the analogue one it was made from.
        assert!((decibels(997.0) - 0.691).abs() < 0.05, "{}", decibels(997.0));
        assert!((decibels(10_000.0) - 4.0).abs() < 0.05);
        assert!((decibels(38.135) + 6.02).abs() < 0.04);
    }

    #[test]
    fn a_mode_counts_as_long_as_it_rings() {
        for decay_per_s in [1e-6, 0.5, 1.0, 3.0, 10.0, 100.0, 5e3] {
            let loss = 2.0 * WINDOW_S * decay_per_s;
            let exact = (1.0 - (-loss).exp()) / loss;
            let share = of_mode(decay_per_s, 1e3, 0.0) / of_mode(0.0, 1e3, 0.0);
            assert!(
                (10.0 * (share / exact).log10()).abs() < 0.25,
                "{decay_per_s}: {share} {exact}"
            );
        }
    }

    /// Power spectrum of the force of a Hertzian contact, averaged over a third of an octave, by
    /// quadrature.
    #[test]
    fn the_pulse_is_that_of_a_hertzian_contact() {
        let (dt, mut x, mut v, mut force) = (1e-3, 0.0f64, 1.0f64, Vec::new());
        while x >= 0.0 {
            force.push(x.powf(1.5));
            v -= 0.5 * dt * x.powf(1.5);
            x += dt * v;
            v -= 0.5 * dt * x.max(0.0).powf(1.5);
        }
        let moment = |n: i32, from: f64| {
            let times = (0..force.len()).map(|i| i as f64 * dt - from);
            force.iter().zip(times).map(|(f, t)| f * t.powi(n) * dt).sum::<f64>()
        };
        let (area, middle) = (moment(0, 0.0), moment(1, 0.0) / moment(0, 0.0));
        let sigma = (moment(2, middle) / area).sqrt();
        for (turns, within_db) in
            [(0.3, 0.5), (0.7, 0.7), (1.0, 1.0), (1.3, 1.5), (4.0, 6.0), (8.0, 6.0)]
        {
            let power = |omega: f64| {
                let part = |wave: fn(f64) -> f64| {
                    force
                        .iter()
                        .enumerate()
                        .map(|(i, f)| f * wave(omega * i as f64 * dt) * dt)
                        .sum::<f64>()
                };
                (part(f64::cos).powi(2) + part(f64::sin).powi(2)) / (area * area)
            };
            let mean = (0..9)
                .map(|n| power(turns / sigma * (0.05 * f64::from(n - 4)).exp2()))
                .sum::<f64>()
                / 9.0;
            // At 1 kHz, a variance that makes `omega sigma` the same.
            let variance_s2 = (turns / (2.0 * PI * 1e3)).powi(2);
            let estimate = of_mode(0.0, 1e3, variance_s2) / of_mode(0.0, 1e3, 0.0);
            let off_db = 10.0 * (estimate / mean).log10();
            assert!(off_db.abs() < within_db, "{turns}: {off_db} dB");
        }
    }
}
