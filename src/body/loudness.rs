//! How loud a blow will be, before it falls; and the gain that makes all bodies equally loud.
//!
//! Levelling acts on the sound, not on the physics. A blow of [`REFERENCE_J`] by the striker at hand, of the reference
//! hardness, is predicted from the modes: mode i of a body of mass M is left with a velocity of
//! `a_i = J S(f_i T) phi_strike phi_pickup/M`, J the impulse and S the spectrum of a pulse of duration T. What is
//! heard is the K-weighted (ITU-R BS.1770) mean square of the first 400 ms. Hardness, striking speed and whatever happens
//! between the modes keep their effect on loudness.

use std::f64::consts::PI;

use super::macros;
use super::shape::{Geometry, Kind, Place, Point};
use super::{MAX_MODES, Modes, PerMode};
use crate::contact::release;

/// Energy of the blow that is levelled, J: 20 g at 3 m/s.
pub const REFERENCE_J: f64 = 0.09;
/// Hardness of the blow that is levelled.
const REFERENCE_HARDNESS: f64 = 0.5;
/// Over which it is heard, s.
const WINDOW_S: f64 = 0.4;
/// What all are levelled to, m/s (K-weighted, both pickups together): a plain steel bar of 400 g at A4.
const TARGET_M_PER_S: f64 = 0.25;
/// Least and most gain: 60 dB either way.
const GAIN: (f64, f64) = (1e-3, 1e3);
/// A blow on a node, or a pickup there, counts as no softer than this share of the mean over the body (power, -18 dB): the
/// next blow may fall beside the node. Pickups near the edge of a clamped disc hear 16 dB less than the mean.
const LEAST_SHARE: f64 = 1.0 / 64.0;
/// Neighbours in the list that may beat with a mode inside the window, or overlap with it.
const NEIGHBOURS: usize = 24;
/// How long the response to a pulse rises, in durations of the pulse.
const RISE: f64 = 0.5;
/// Corner of the weighting's high-pass, rad/s.
const CORNER_PER_S: f64 = 2.0 * PI * 38.135_470_876_024_44;

/// Square of the K-weighting's first stage at a frequency, closed form of the analogue filter behind BS.1770's
/// coefficients: a shelf of 4 dB at 1682 Hz.
fn shelf_power(frequency_hz: f64) -> f64 {
    let (w, q, high) = (frequency_hz / 1_681.974_450_955_533, 0.707_175_236_955_419_6, 1.584_864_701_130_855);
    let band = f64::powf(high, 0.499_666_774_154_541_6);
    let w2 = w * w;
    ((1.0 - high * w2).powi(2) + w2 * (band / q).powi(2)) / ((1.0 - w2).powi(2) + w2 / (q * q))
}

/// Spectrum of a half-sine of duration T at `turns` = f T, 1 at 0: `cos(pi x)/(1 - 4 x^2)`.
fn half_sine(turns: f64) -> f64 {
    let away = 1.0 - 4.0 * turns * turns;
    if away.abs() < 1e-6 { 0.25 * PI } else { (PI * turns).cos() / away }
}

/// psi'(x) for x of 1 and above, to 1e-3.
fn trigamma(x: f64) -> f64 {
    1.0 / x + 0.5 / (x * x) + (1.0 / 6.0) / (x * x * x) - (1.0 / 30.0) / x.powi(5)
}

/// The blow that is levelled.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReferenceBlow {
    /// The striking mass, kg.
    pub striker_kg: f64,
    /// Mass of the body, kg.
    pub body_kg: f64,
    /// Exponent of the contact.
    pub alpha: f64,
    /// Length scale of striker and body.
    pub length: f64,
    /// Dissipation mu of the contact, s/m; 0 where the loss does not depend on the speed.
    pub mu_s_per_m: f64,
    /// Where it falls.
    pub point: Point,
}

impl ReferenceBlow {
    /// Impulse of a full rebound, N s, less what Size takes from it.
    ///
    /// A small striker of the same energy is fast, and `f = k x^alpha (1 + mu v)` takes more from a fast one: its impulse is
    /// `(1 + e)/(1 + e_1)` of that at size 1, e and e_1 the restitutions. Its push begins the more abruptly, which makes up for
    /// none of that in a dull body and for most of it in a bright one: counted is half, in decibels. Dissipation itself
    /// keeps its effect.
    fn impulse_ns(&self) -> f64 {
        let rebound = |mass_kg: f64| {
            let speed_m_per_s = (2.0 * REFERENCE_J / mass_kg).sqrt();
            1.0 + release::exact(self.mu_s_per_m * speed_m_per_s).restitution
        };
        let by_size = (rebound(self.striker_kg) / rebound(self.striker_kg / self.length.powi(3))).sqrt();
        2.0 * (2.0 * self.striker_kg * REFERENCE_J).sqrt() * by_size
    }

    /// Duration of the half-sine that stands for the contact, s.
    ///
    /// The force goes about as `sin^alpha`, which is narrower than a half-sine of the same duration; its variance is
    /// `psi'(1 + alpha/2)/(2 pi^2)` of the duration squared, and the half-sine is given the same.
    fn pulse_s(&self) -> f64 {
        let speed_m_per_s = (2.0 * REFERENCE_J / self.striker_kg).sqrt();
        let faster = speed_m_per_s.powf((1.0 - self.alpha) / (1.0 + self.alpha));
        let narrower = (trigamma(1.0 + 0.5 * self.alpha) / trigamma(1.5)).sqrt();
        macros::contact_time_s(REFERENCE_HARDNESS) * self.length * faster * narrower
    }
}

/// Predicts; keeps the shapes at the strike point, which change seldom.
#[derive(Clone, Debug)]
pub struct Leveller {
    struck: PerMode,
    made_for: Option<(Kind, f64, Point)>,
}

impl Default for Leveller {
    fn default() -> Self {
        Self { struck: [0.0; MAX_MODES], made_for: None }
    }
}

impl Leveller {
    /// The gain that brings a reference blow on these modes to the common level; 1e-3…1e3.
    pub fn gain(&mut self, modes: &Modes, blow: &ReferenceBlow) -> f64 {
        let level = self.level_m_per_s(modes, blow);
        if level > 0.0 { (TARGET_M_PER_S / level).clamp(GAIN.0, GAIN.1) } else { 1.0 }
    }

    /// K-weighted level of a reference blow in its first 400 ms, m/s: the root of the mean square, both pickups added.
    pub fn level_m_per_s(&mut self, modes: &Modes, blow: &ReferenceBlow) -> f64 {
        let Geometry { kind, aspect, .. } = *modes.spectrum().geometry();
        let wanted = (kind, aspect, blow.point);
        if self.made_for != Some(wanted) || kind == Kind::User {
            modes.spectrum().deflections(Place::Strike, blow.point, &mut self.struck);
            self.made_for = Some(wanted);
        }
        let pulse_s = blow.pulse_s();
        // Of several bodies the first counts, as if it were heard in full.
        let (len, in_full) = (modes.len.min(modes.parts().lanes()), 1.0 / modes.parts().first_heard());
        let mut heard = [[0.0; 2]; MAX_MODES];
        let mut kept = [Complex::default(); MAX_MODES];
        let mut thump = [Thump::default(); 2];
        for i in 0..len {
            let (d, w) = (modes.decay_per_s[i], modes.omega[i]);
            let f = w / (2.0 * PI);
            let a = modes.presence[i] * self.struck[i] * half_sine(f * pulse_s) * shelf_power(f).sqrt();
            heard[i] = [in_full * a * modes.left.target(i), in_full * a * modes.right.target(i)];
            let (passed, onset) = high_pass(d, w);
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
            let there = modes.presence[i].powi(2) * half_sine(w / (2.0 * PI) * pulse_s);
            let weight = shelf_power(w / (2.0 * PI)) * kept[i].power();
            mean += there * there * weight * ringing_s(2.0 * d, 0.0).re;
            // Alone: the mean of its square, and what the square's own swing leaves.
            let swing = kept[i].times(kept[i]).times(Complex { re: d, im: w }).re / (d * d + w * w);
            sum += 0.5 * (l * l + r * r) * (kept[i].power() * risen_s(2.0 * d, 0.0, pulse_s).re + 0.5 * swing);
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
        // The amplitudes of a list are what they are, wherever it is struck.
        let least = if kind == Kind::User { 0.0 } else { LEAST_SHARE * mean };
        blow.impulse_ns() / blow.body_kg * (sum.max(least) / WINDOW_S).sqrt()
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct Complex {
    re: f64,
    im: f64,
}

impl Complex {
    fn times(self, other: Self) -> Self {
        Self { re: self.re * other.re - self.im * other.im, im: self.re * other.im + self.im * other.re }
    }

    fn turned_back(self) -> Self {
        Self { im: -self.im, ..self }
    }

    fn power(self) -> f64 {
        self.re * self.re + self.im * self.im
    }

    /// 1/z
    fn inverse(self) -> Self {
        let power = self.power().max(f64::MIN_POSITIVE);
        Self { re: self.re / power, im: -self.im / power }
    }
}

/// What the weighting's second stage, a high-pass `s^2/(s + corner)^2`, makes of a mode that sets in at once, `Re e^(s t)`:
/// a factor on the mode, and a thump.
fn high_pass(decay_per_s: f64, omega: f64) -> (Complex, Thump) {
    let q = Complex { re: CORNER_PER_S - decay_per_s, im: omega }.inverse();
    let root = Complex { re: 1.0 - CORNER_PER_S * q.re, im: -CORNER_PER_S * q.im };
    let kept = root.times(root);
    (kept, Thump { b: 1.0 - kept.re, c: -CORNER_PER_S * CORNER_PER_S * q.re })
}

/// What is left of the suddenness of a blow: `(b + c t) e^(-t corner)`. Of the lowest and most damped bodies little else is
/// heard.
#[derive(Clone, Copy, Debug, Default)]
struct Thump {
    b: f64,
    c: f64,
}

impl Thump {
    /// Integral of its product with the mode `Re kept e^(s t)`, s.
    fn meets(&self, kept: Complex, decay_per_s: f64, omega: f64) -> f64 {
        let q = Complex { re: CORNER_PER_S + decay_per_s, im: -omega }.inverse();
        let shape = Complex { re: self.b + self.c * q.re, im: self.c * q.im };
        kept.times(q).times(shape).re
    }

    fn add(&mut self, other: &Self, times: f64) {
        self.b += times * other.b;
        self.c += times * other.c;
    }

    /// Integral of its square, s.
    fn energy_s(&self) -> f64 {
        let rate = 2.0 * CORNER_PER_S;
        (self.b * self.b + 2.0 * self.b * self.c / rate + 2.0 * self.c * self.c / (rate * rate)) / rate
    }
}

/// The same for a force that is not sudden but a pulse. Its response rises within it: about half of what is over in that
/// time is not there.
fn risen_s(loss: f64, beat: f64, pulse_s: f64) -> Complex {
    let whole = ringing_s(loss, beat);
    let early = Complex { re: loss + 1.0 / (RISE * pulse_s), im: -beat }.inverse();
    Complex { re: whole.re - 0.5 * early.re, im: whole.im - 0.5 * early.im }
}

/// Integral of `e^((-loss + i beat) t)` over the window, s.
fn ringing_s(loss: f64, beat: f64) -> Complex {
    let size = loss * loss + beat * beat;
    if size * WINDOW_S * WINDOW_S < 1e-12 {
        return Complex { re: WINDOW_S, im: 0.0 };
    }
    let left = if loss * WINDOW_S > 30.0 { 0.0 } else { (-loss * WINDOW_S).exp() };
    let (sin, cos) = if left == 0.0 || beat == 0.0 { (0.0, 1.0) } else { (beat * WINDOW_S).sin_cos() };
    Complex {
        re: (loss * (1.0 - left * cos) + beat * left * sin) / size,
        im: (beat * (1.0 - left * cos) - loss * left * sin) / size,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_weighting_is_that_of_the_recommendation() {
        let decibels = |frequency_hz: f64| {
            let (kept, _) = high_pass(0.0, 2.0 * PI * frequency_hz);
            10.0 * (shelf_power(frequency_hz) * kept.power()).log10()
        };
        // BS.1770: 0.691 dB is taken off because a 997 Hz sine comes out as much louder.
        // Its digital filter has 0.04 dB more there than the analogue one it was made from.
        assert!((decibels(997.0) - 0.691).abs() < 0.05, "{}", decibels(997.0));
        assert!((decibels(10_000.0) - 4.0).abs() < 0.05);
        assert!((decibels(38.135) + 6.02).abs() < 0.02);
    }

    #[test]
    fn the_energy_of_a_filtered_mode_is_that_of_its_two_parts() {
        // A damped 30 Hz mode through the high-pass, stepped finely.
        let (d, w, dt) = (40.0, 2.0 * PI * 30.0, 2e-6);
        let (mut first, mut second, mut last, mut energy) = (0.0, 0.0, [0.0, 0.0], 0.0);
        for n in 0..200_000 {
            let t = (f64::from(n) + 0.5) * dt;
            let x = (-d * t).exp() * (w * t).cos();
            // Two equal first-order stages, trapezoidal.
            let (k, before) = (0.5 * CORNER_PER_S * dt, last);
            first = ((1.0 - k) * first + x - before[0]) / (1.0 + k);
            second = ((1.0 - k) * second + first - before[1]) / (1.0 + k);
            last = [x, first];
            energy += second * second * dt;
        }
        let (kept, thump) = high_pass(d, w);
        let swing = kept.times(kept).times(Complex { re: d, im: w }).re / (d * d + w * w);
        let alone = 0.5 * (kept.power() * ringing_s(2.0 * d, 0.0).re + 0.5 * swing);
        let predicted = alone + thump.energy_s() + 2.0 * thump.meets(kept, d, w);
        assert!((predicted / energy - 1.0).abs() < 0.01, "{predicted} {energy}");
    }

    #[test]
    fn the_window_holds_a_decaying_sine_and_a_lasting_one() {
        assert!((ringing_s(1e-9, 0.0).re - WINDOW_S).abs() < 1e-6);
        assert!((ringing_s(1000.0, 0.0).re - 1e-3).abs() < 1e-12);
        let steps = 100_000;
        let dt = WINDOW_S / f64::from(steps);
        let mean = |wave: fn(f64) -> f64| -> f64 {
            (0..steps).map(|n| (f64::from(n) + 0.5) * dt).map(|t| (-3.0 * t).exp() * wave(20.0 * t) * dt).sum()
        };
        assert!((ringing_s(3.0, 20.0).re - mean(f64::cos)).abs() < 1e-8);
        assert!((ringing_s(3.0, 20.0).im - mean(f64::sin)).abs() < 1e-8);
    }
}
