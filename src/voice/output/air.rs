//! The sound that a contact radiates directly, besides the ringing of the body.
//!
//! A striker that is stopped and thrown back within a millisecond radiates *acceleration noise* (Koss and Alfredson 1973; Richards, Westcott and Jeyapalan 1979). A sphere
//! of radius a, mass m and density rho_s radiates to a distance r, in line with its motion,
//!
//! ```text
//! p = 3/(8 pi) (rho_0/rho_s) F'/(c r),   low-passed by 1/(1 + s t + (s t)^2/2),  t = a/c
//! ```
//!
//! for a contact force F: the derivative of the force, low-passed by the time that sound takes to
//! cross the striker. Here rho_s is that of steel, and a follows from the mass. The true balance
//! with the body differs from body to body, and the level of the voice removes it; so one parameter
//! sets the mix, from the body alone over both to the contact alone.

use std::f64::consts::{PI, SQRT_2};

use crate::body::bank::CHUNK;

/// Speed of sound in air, m/s.
const SOUND_M_PER_S: f64 = 343.0;
/// Density of the striker, kg/m^3.
const STRIKER_KG_PER_M3: f64 = 7850.0;
/// Full scale for a force that changes by 1 N/s, s/N. A blow of 20 g at 3 m/s and middling hardness
/// peaks at -7 dBFS.
const FULL_SCALE_S_PER_N: f64 = 1e-7;
/// The body's share follows its knob with this time constant, s.
const GLIDE_S: f64 = 0.005;
/// Below this the filter state is set to 0, long before it becomes denormal.
const SILENCE: f64 = 1e-20;

/// The low-pass of a striker at a sample rate.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct LowPass {
    feed: f64,
    back: [f64; 2],
}

impl LowPass {
    fn new(striker_kg: f64, dt_s: f64) -> Self {
        let radius_m = (3.0 * striker_kg / (4.0 * PI * STRIKER_KG_PER_M3)).cbrt();
        // Butterworth by the bilinear transform; the corner is kept below half the sample rate.
        let k = (0.5 * SQRT_2 * SOUND_M_PER_S / radius_m * dt_s).min(0.45 * PI).tan();
        let norm = 1.0 / (1.0 + SQRT_2 * k + k * k);
        Self {
            feed: k * k * norm,
            back: [2.0 * (k * k - 1.0) * norm, (1.0 - SQRT_2 * k + k * k) * norm],
        }
    }
}

/// The contact's own sound, and the mix.
#[derive(Clone, Debug)]
pub struct Air {
    low_pass: LowPass,
    force_n: f64,
    memory: [f64; 2],
    /// The output in each sample of the chunk; full scale is 1.
    heard: [f64; CHUNK],
    /// `heard` may be other than 0.
    is_heard: bool,
    /// The mix has no contact sound. Only the force is followed.
    is_off: bool,
    /// Share of the body as of the last sample.
    body: f64,
    glide: f64,
    dt_s: f64,
}

impl Default for Air {
    fn default() -> Self {
        Self {
            low_pass: LowPass::default(),
            force_n: 0.0,
            memory: [0.0; 2],
            heard: [0.0; CHUNK],
            is_heard: false,
            is_off: false,
            body: 1.0,
            glide: 0.0,
            dt_s: 1.0,
        }
    }
}

/// Shares of body and contact for a mix of 0…1.
fn shares(mix: f64) -> (f64, f64) {
    ((2.0 - 2.0 * mix).min(1.0), (2.0 * mix).min(1.0))
}

impl Air {
    /// Resets to silence.
    pub fn reset(&mut self) {
        (self.force_n, self.memory) = (0.0, [0.0; 2]);
    }

    /// The contacts were removed, without a sound.
    pub fn release(&mut self) {
        self.force_n = 0.0;
    }

    /// Starts a note with a mix.
    pub fn begin(&mut self, mix: f64) {
        self.reset();
        self.body = shares(mix).0;
    }

    /// Sets the mass of the striker.
    pub fn set_striker(&mut self, striker_kg: f64, dt_s: f64) {
        self.dt_s = dt_s;
        self.glide = (-dt_s / GLIDE_S).exp();
        self.low_pass = LowPass::new(striker_kg, dt_s);
    }

    /// Sets the mix of the next samples.
    pub fn set_mix(&mut self, mix: f64) {
        self.is_off = self.is_silent(mix);
        if self.is_off {
            self.memory = [0.0; 2];
        }
    }

    /// Processes sample `at` of the chunk, with this impulse of the contacts, N s.
    pub fn advance(&mut self, at: usize, impulse_ns: f64) {
        let force_n = impulse_ns / self.dt_s;
        if self.is_off {
            self.force_n = force_n;
            return;
        }
        let x = FULL_SCALE_S_PER_N * (force_n - self.force_n) / self.dt_s;
        self.force_n = force_n;
        let LowPass { feed, back } = self.low_pass;
        let y = feed * x + self.memory[0];
        self.memory[0] = 2.0 * feed * x - back[0] * y + self.memory[1];
        self.memory[1] = feed * x - back[1] * y;
        if self.memory.iter().all(|z| z.abs() < SILENCE) {
            self.memory = [0.0; 2];
        }
        self.heard[at] = y;
        self.is_heard = true;
    }

    /// Processes samples of the chunk without contact.
    pub fn pass(&mut self, samples: std::ops::Range<usize>) {
        if self.is_off {
            self.force_n = 0.0;
            return;
        }
        if self.force_n == 0.0 && self.memory == [0.0; 2] {
            if self.is_heard {
                self.is_heard = samples.len() < CHUNK;
                self.heard[samples].fill(0.0);
            }
            return;
        }
        samples.for_each(|at| self.advance(at, 0.0));
    }

    /// Whether the body is heard alone at this mix.
    pub fn is_silent(&self, mix: f64) -> bool {
        mix == 0.0 && self.body == 1.0
    }

    /// Mixes the contact sound with the body in `left` and `right`, which later get the `gain` of
    /// each sample.
    pub fn mix(
        &mut self,
        mix: f64,
        left: &mut [f64],
        right: &mut [f64],
        gain: impl Fn(usize) -> f64,
    ) {
        if self.is_silent(mix) {
            return;
        }
        let (body, contact) = shares(mix);
        for (i, (l, r)) in left.iter_mut().zip(right).enumerate() {
            self.body = body + self.glide * (self.body - body);
            if (self.body - body).abs() < 1e-9 {
                self.body = body;
            }
            let gain = gain(i);
            // The contact sound must not get the gain of the body.
            let air = if gain > 0.0 { contact * self.heard[i] / gain } else { 0.0 };
            *l = self.body * *l + air;
            *r = self.body * *r + air;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_linear_force_gives_a_constant_pressure() {
        for rate_hz in [44_100.0, 192_000.0] {
            let mut air = Air::default();
            let dt_s = 1.0 / rate_hz;
            air.set_striker(0.02, dt_s);
            let mut last = 0.0;
            for n in 0..(0.002 * rate_hz) as usize {
                air.advance(0, 1e6 * n as f64 * dt_s * dt_s);
                last = air.heard[0];
            }
            assert!((last / (1e6 * FULL_SCALE_S_PER_N) - 1.0).abs() < 1e-3, "{rate_hz} Hz: {last}");
        }
    }

    #[test]
    fn a_heavy_striker_sounds_duller_and_decays() {
        let peak = |striker_kg: f64| {
            let mut air = Air::default();
            air.set_striker(striker_kg, 1.0 / 96_000.0);
            // A push of 0.1 ms.
            let mut peak = 0.0f64;
            for n in 0..960 {
                let force_n = if n < 10 { (PI * (f64::from(n) + 0.5) / 10.0).sin() } else { 0.0 };
                air.advance(0, force_n / 96_000.0);
                peak = peak.max(air.heard[0].abs());
            }
            assert!(air.heard[0].abs() < 1e-6 * peak);
            peak
        };
        let (light, heavy) = (peak(0.001), peak(1.0));
        assert!(light > 3.0 * heavy, "{light} and {heavy}");
    }

    #[test]
    fn the_mix_goes_from_the_body_over_both_to_the_contact() {
        assert_eq!(
            [0.0, 0.25, 0.5, 0.75, 1.0].map(shares),
            [(1.0, 0.0), (1.0, 0.5), (1.0, 1.0), (0.5, 1.0), (0.0, 1.0)]
        );
    }
}
