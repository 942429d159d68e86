//! The weighting step by step, while the striker is still there.
//!
//! What it pushes moves as slowly as it does itself, however quick the modes are that are pushed: so the shelf is a filter here, and
//! not a gain for each mode.

use super::complex::Complex;
use super::weighting::{CORNER_PER_S, Shelf, Thump};

/// One pickup, heard through `s^2/(s + corner)^2`: two equal stages, each trapezoidal, in steps of any length. Behind them is the shelf.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Ear {
    heard: f64,
    first: f64,
    second: f64,
    /// What the shelf remembers, and what came of it last.
    shelf: [f64; 2],
    shelved: f64,
    /// Integral of the square of what came through, s.
    pub energy_s: f64,
}

/// One stage of the high-pass over steps of one length: `out -> keep out + share (change of what goes in)`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pass {
    h_s: f64,
    keep: f64,
    share: f64,
    shelf: Shelf,
}

impl Pass {
    /// For steps of `h_s`.
    pub fn new(h_s: f64) -> Self {
        let k = 0.5 * CORNER_PER_S * h_s;
        Self { h_s, keep: (1.0 - k) / (1.0 + k), share: 1.0 / (1.0 + k), shelf: Shelf::new(h_s) }
    }
}

impl Ear {
    /// Hear `x` at the end of a step.
    pub fn hear(&mut self, x: f64, pass: &Pass) {
        let Pass { h_s, keep, share, shelf } = *pass;
        let first = keep * self.first + share * (x - self.heard);
        let second = keep * self.second + share * (first - self.first);
        let shelved = shelf.pass(&mut self.shelf, second);
        self.energy_s += 0.5 * h_s * (self.shelved * self.shelved + shelved * shelved);
        self.shelved = shelved;
        (self.heard, self.first, self.second) = (x, first, second);
    }

    /// What it still remembers of the blow once modes ring on by themselves: the difference between what comes through now
    /// and what would if they had rung for ever, value and slope.
    pub fn thump(&self, on: &RingingOn) -> Thump {
        let b = self.second - on.kept;
        let slope = on.slope - CORNER_PER_S * (self.first + self.second) - on.kept_slope;
        Thump { b, c: slope + CORNER_PER_S * b }
    }
}

/// Sums over modes that ring by themselves, at one pickup.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct RingingOn {
    /// Slope of what is heard, per second.
    slope: f64,
    /// What the high-pass keeps of it, and its slope.
    kept: f64,
    kept_slope: f64,
}

impl RingingOn {
    /// Add a mode of amplitude `y`, of which `kept` comes through, `times` over.
    pub fn add(&mut self, (d, w): (f64, f64), y: Complex, kept: Complex, times: f64) {
        self.slope += times * (-d * y.re - w * y.im);
        self.kept += times * kept.re;
        self.kept_slope += times * (-d * kept.re - w * kept.im);
    }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::PI;

    use super::super::weighting::high_pass;
    use super::*;

    /// A mode that is heard from the start, and handed over in its midst, has the energy of one that is heard to the end.
    #[test]
    fn nothing_is_lost_where_the_ear_is_handed_over() {
        let (d, w, h_s) = (40.0, 2.0 * PI * 30.0, 2e-6);
        let mode = |t: f64| {
            let (sin, cos) = (w * t).sin_cos();
            Complex { re: cos, im: sin }.scaled((-d * t).exp())
        };
        let (mut ear, mut at_s) = (Ear::default(), 0.0);
        let mut handed = 0.0;
        for n in 0..200_000 {
            if n == 4_000 {
                let (kept, _) = high_pass(d, w, mode(at_s));
                let mut on = RingingOn::default();
                on.add((d, w), mode(at_s), kept, 1.0);
                let thump = ear.thump(&on);
                let alone = 0.5 * (kept.power() / (2.0 * d) + 0.5 * super::super::weighting::swing_s(kept, d, w));
                handed = ear.energy_s + alone + thump.energy_s() + 2.0 * thump.meets(kept, d, w);
            }
            at_s += h_s;
            ear.hear(mode(at_s).re, &Pass::new(h_s));
        }
        // The shelf is 0.03 ms ahead of what is low, which is 0.4 % of the decay.
        assert!((handed / ear.energy_s - 1.0).abs() < 3e-3, "{handed} {}", ear.energy_s);
    }
}
