//! How a body loses energy.

use std::f64::consts::PI;

/// The mixed damping law: support, hysteretic and viscous loss.
///
/// A mode of frequency f (Hz, omega = 2 pi f) decays as e^(-d t) with
/// `d = support/2 + pi f loss_factor + viscous omega^2/2` (1/s), so that T60 = ln(1000)/d. The first and the
/// last term are Rayleigh damping, the middle one is constant internal friction tan(phi).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Damping {
    /// Loss to whatever holds the body, 1/s; the same for all modes.
    pub support_per_s: f64,
    /// Loss factor tan(phi) of the material.
    pub loss_factor: f64,
    /// Viscous loss, s.
    pub viscous_s: f64,
}

impl Damping {
    /// Decay rate d of a mode, 1/s.
    pub fn rate_per_s(&self, frequency_hz: f64) -> f64 {
        let omega = 2.0 * PI * frequency_hz;
        0.5 * self.support_per_s + PI * frequency_hz * self.loss_factor + 0.5 * self.viscous_s * omega * omega
    }
}

/// Decay rate (1/s) that takes 60 dB in `t60_s`.
pub fn rate_of_t60(t60_s: f64) -> f64 {
    1000f64.ln() / t60_s
}
