//! What a decaying sine comes to in the time in which it is listened to.

use super::complex::Complex;

/// Over which a blow is heard, s.
pub(super) const WINDOW_S: f64 = 0.4;
/// How long the response to a pulse rises, in durations of the pulse.
const RISE: f64 = 0.5;

/// Integral of `e^((-loss + i beat) t)` over `window_s`, s.
pub(super) fn ringing_s(loss: f64, beat: f64, window_s: f64) -> Complex {
    let size = loss * loss + beat * beat;
    if size * window_s * window_s < 1e-12 {
        return Complex { re: window_s, im: 0.0 };
    }
    let left = if loss * window_s > 30.0 { 0.0 } else { (-loss * window_s).exp() };
    let (sin, cos) = if left == 0.0 || beat == 0.0 { (0.0, 1.0) } else { (beat * window_s).sin_cos() };
    Complex {
        re: (loss * (1.0 - left * cos) + beat * left * sin) / size,
        im: (beat * (1.0 - left * cos) - loss * left * sin) / size,
    }
}

/// The stretch of time in which modes ring by themselves.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    /// How much of it is heard, s.
    pub window_s: f64,
    /// Duration of the pulse in the midst of which it begins, s; 0 if they ring from the start.
    pub pulse_s: f64,
}

impl Span {
    /// Integral of `e^((-loss + i beat) t)` over it, s. Where the force is not over but a pulse its response rises within
    /// it: about half of what is over in that time is not there.
    pub fn ringing_s(&self, loss: f64, beat: f64) -> Complex {
        let whole = ringing_s(loss, beat, self.window_s);
        if self.pulse_s <= 0.0 {
            return whole;
        }
        let early = Complex { re: loss + 1.0 / (RISE * self.pulse_s), im: -beat }.inverse();
        Complex { re: whole.re - 0.5 * early.re, im: whole.im - 0.5 * early.im }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_window_holds_a_decaying_sine_and_a_lasting_one() {
        assert!((ringing_s(1e-9, 0.0, WINDOW_S).re - WINDOW_S).abs() < 1e-6);
        assert!((ringing_s(1000.0, 0.0, WINDOW_S).re - 1e-3).abs() < 1e-12);
        let steps = 100_000;
        let dt = WINDOW_S / f64::from(steps);
        let mean = |wave: fn(f64) -> f64| -> f64 {
            (0..steps).map(|n| (f64::from(n) + 0.5) * dt).map(|t| (-3.0 * t).exp() * wave(20.0 * t) * dt).sum()
        };
        assert!((ringing_s(3.0, 20.0, WINDOW_S).re - mean(f64::cos)).abs() < 1e-8);
        assert!((ringing_s(3.0, 20.0, WINDOW_S).im - mean(f64::sin)).abs() < 1e-8);
    }
}
