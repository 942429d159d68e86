//! The K-weighting of ITU-R BS.1770, as it acts on decaying sines.

use std::f64::consts::PI;

use super::complex::Complex;

/// Corner of the weighting's high-pass, rad/s.
pub(super) const CORNER_PER_S: f64 = 2.0 * PI * 38.135_470_876_024_44;

/// Corner of the weighting's first stage, a shelf, Hz; its quality; its gain far above; and, times the damping, that at the corner.
const SHELF_HZ: f64 = 1_681.974_450_955_533;
const SHELF_Q: f64 = 0.707_175_236_955_419_6;
const SHELF_HIGH: f64 = 1.584_864_701_130_855;
const SHELF_BAND: f64 = 1.258_720_930_232_561_5;

/// Square of the K-weighting's first stage at a frequency, closed form of the analogue filter behind BS.1770's
/// coefficients: a shelf of 4 dB at 1682 Hz.
pub(super) fn shelf_power(frequency_hz: f64) -> f64 {
    let w2 = (frequency_hz / SHELF_HZ).powi(2);
    ((1.0 - SHELF_HIGH * w2).powi(2) + w2 * (SHELF_BAND / SHELF_Q).powi(2))
        / ((1.0 - w2).powi(2) + w2 / (SHELF_Q * SHELF_Q))
}

/// The same shelf step by step, by the bilinear transform.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shelf {
    feed: [f64; 3],
    back: [f64; 2],
}

impl Shelf {
    /// For steps of `h_s`.
    pub fn new(h_s: f64) -> Self {
        let k = PI * SHELF_HZ * h_s;
        let (damped, whole) = (k / SHELF_Q, 1.0 + k / SHELF_Q + k * k);
        let feed = [
            SHELF_HIGH + SHELF_BAND * damped + k * k,
            2.0 * (k * k - SHELF_HIGH),
            SHELF_HIGH - SHELF_BAND * damped + k * k,
        ];
        Self {
            feed: feed.map(|feed| feed / whole),
            back: [2.0 * (k * k - 1.0), 1.0 - damped + k * k].map(|back| back / whole),
        }
    }

    /// What comes of `x`, in the transposed direct form, which may change its coefficients on the way.
    pub fn pass(&self, memory: &mut [f64; 2], x: f64) -> f64 {
        let y = self.feed[0] * x + memory[0];
        *memory = [self.feed[1] * x - self.back[0] * y + memory[1], self.feed[2] * x - self.back[1] * y];
        y
    }
}

/// What the weighting's second stage, a high-pass `s^2/(s + corner)^2`, makes of a mode that sets in at once,
/// `Re amplitude e^(s t)`: the same with another amplitude, and a thump.
pub(super) fn high_pass(decay_per_s: f64, omega: f64, amplitude: Complex) -> (Complex, Thump) {
    let q = Complex { re: CORNER_PER_S - decay_per_s, im: omega }.inverse();
    let root = Complex::real(1.0).less(q.scaled(CORNER_PER_S));
    let kept = root.times(root).times(amplitude);
    let late = q.times(amplitude).re;
    (kept, Thump { b: amplitude.re - kept.re, c: -CORNER_PER_S * CORNER_PER_S * late })
}

/// What the swing of its own square leaves of a mode `Re kept e^(s t)` that is not cut short: four times the integral
/// of `Re(kept^2 e^(2 s t))/2`, s.
pub(super) fn swing_s(kept: Complex, decay_per_s: f64, omega: f64) -> f64 {
    kept.times(kept).times(Complex { re: decay_per_s, im: omega }).re / (decay_per_s * decay_per_s + omega * omega)
}

/// What is left of the suddenness of a blow: `(b + c t) e^(-t corner)`. Of the lowest and most damped bodies little else is
/// heard.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Thump {
    pub b: f64,
    pub c: f64,
}

impl Thump {
    /// Integral of its product with the mode `Re kept e^(s t)`, s.
    pub fn meets(&self, kept: Complex, decay_per_s: f64, omega: f64) -> f64 {
        let q = Complex { re: CORNER_PER_S + decay_per_s, im: -omega }.inverse();
        let shape = Complex { re: self.b + self.c * q.re, im: self.c * q.im };
        kept.times(q).times(shape).re
    }

    pub fn add(&mut self, other: &Self, times: f64) {
        self.b += times * other.b;
        self.c += times * other.c;
    }

    /// Integral of its square, s.
    pub fn energy_s(&self) -> f64 {
        let rate = 2.0 * CORNER_PER_S;
        (self.b * self.b + 2.0 * self.b * self.c / rate + 2.0 * self.c * self.c / (rate * rate)) / rate
    }
}

#[cfg(test)]
mod tests {
    use super::super::window::{WINDOW_S, ringing_s};
    use super::*;

    #[test]
    fn the_weighting_is_that_of_the_recommendation() {
        let decibels = |frequency_hz: f64| {
            let (kept, _) = high_pass(0.0, 2.0 * PI * frequency_hz, Complex::real(1.0));
            10.0 * (shelf_power(frequency_hz) * kept.power()).log10()
        };
        // BS.1770: 0.691 dB is taken off because a 997 Hz sine comes out as much louder.
        // Its digital filter has 0.04 dB more there than the analogue one it was made from.
        assert!((decibels(997.0) - 0.691).abs() < 0.05, "{}", decibels(997.0));
        assert!((decibels(10_000.0) - 4.0).abs() < 0.05);
        assert!((decibels(38.135) + 6.02).abs() < 0.02);
    }

    #[test]
    fn the_shelf_in_steps_is_that_of_the_closed_form() {
        let h_s = 1e-5;
        for frequency_hz in [20.0, 300.0, 1_000.0, 1_700.0, 3_000.0, 8_000.0] {
            let (shelf, mut memory, mut most) = (Shelf::new(h_s), [0.0; 2], 0.0f64);
            for n in 0..20_000 {
                let y = shelf.pass(&mut memory, (2.0 * PI * frequency_hz * f64::from(n) * h_s).sin());
                most = if n > 10_000 { most.max(y.abs()) } else { 0.0 };
            }
            let wanted = shelf_power(frequency_hz).sqrt();
            assert!((most / wanted - 1.0).abs() < 0.02, "{frequency_hz} Hz: {most} {wanted}");
        }
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
        let (kept, thump) = high_pass(d, w, Complex::real(1.0));
        let alone = 0.5 * (kept.power() * ringing_s(2.0 * d, 0.0, WINDOW_S).re + 0.5 * swing_s(kept, d, w));
        let predicted = alone + thump.energy_s() + 2.0 * thump.meets(kept, d, w);
        assert!((predicted / energy - 1.0).abs() < 0.01, "{predicted} {energy}");
    }
}
