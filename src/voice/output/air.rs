//! What the air hears of a contact itself, besides the body that rings.
//!
//! A striker that is stopped and thrown back within a millisecond pushes the air about:
//! *acceleration noise* (Koss and Alfredson 1973; Richards, Westcott and Jeyapalan 1979). A sphere
//! of radius a, mass m and density rho_s radiates to a distance r, in line with its motion,
//!
//! ```text
//! p = 3/(8 pi) (rho_0/rho_s) F'/(c r),   low-passed by 1/(1 + s t + (s t)^2/2),  t = a/c
//! ```
//!
//! for a contact force F: the derivative of the force, dulled by the time that sound takes across
//! the striker. Here rho_s is steel's, and a follows from the mass. How loud a body is against it
//! differs from body to body, and the voice levels that away; so the mix is a matter of taste: one
//! knob from the body alone over both to the contact alone.

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
/// Below this the filter is at rest, long before it becomes denormal.
const NOTHING: f64 = 1e-20;

/// The low-pass of a striker at a sample rate.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Dulling {
    feed: f64,
    back: [f64; 2],
}

impl Dulling {
    fn new(striker_kg: f64, dt_s: f64) -> Self {
        let radius_m = (3.0 * striker_kg / (4.0 * PI * STRIKER_KG_PER_M3)).cbrt();
        // Butterworth's by the bilinear transform; what lies above the band is cut at its end.
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
    dulling: Dulling,
    force_n: f64,
    memory: [f64; 2],
    /// What was heard in each sample of the chunk; full scale is 1.
    heard: [f64; CHUNK],
    /// There may be something in it.
    is_heard: bool,
    /// The knob leaves the contact out: nobody hears its sound, and only the force is followed.
    is_off: bool,
    /// Share of the body as of the last sample.
    body: f64,
    glide: f64,
    dt_s: f64,
}

impl Default for Air {
    fn default() -> Self {
        Self {
            dulling: Dulling::default(),
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

/// Shares of body and contact for the knob's 0…1.
fn shares(mix: f64) -> (f64, f64) {
    ((2.0 - 2.0 * mix).min(1.0), (2.0 * mix).min(1.0))
}

impl Air {
    /// Be silent.
    pub fn reset(&mut self) {
        (self.force_n, self.memory) = (0.0, [0.0; 2]);
    }

    /// What touched the body is gone, without a sound of its own.
    pub fn release(&mut self) {
        self.force_n = 0.0;
    }

    /// A new note: the mix is as the knob says.
    pub fn begin(&mut self, mix: f64) {
        self.reset();
        self.body = shares(mix).0;
    }

    /// Take over the mass of the striker.
    pub fn set_striker(&mut self, striker_kg: f64, dt_s: f64) {
        self.dt_s = dt_s;
        self.glide = (-dt_s / GLIDE_S).exp();
        self.dulling = Dulling::new(striker_kg, dt_s);
    }

    /// The samples to come are heard with the knob at `mix`.
    pub fn set_mix(&mut self, mix: f64) {
        self.is_off = self.is_unheard(mix);
        if self.is_off {
            self.memory = [0.0; 2];
        }
    }

    /// Sample `at` of the chunk, in which the contacts left so much impulse, N s.
    pub fn hear(&mut self, at: usize, impulse_ns: f64) {
        let force_n = impulse_ns / self.dt_s;
        if self.is_off {
            self.force_n = force_n;
            return;
        }
        let x = FULL_SCALE_S_PER_N * (force_n - self.force_n) / self.dt_s;
        self.force_n = force_n;
        let Dulling { feed, back } = self.dulling;
        let y = feed * x + self.memory[0];
        self.memory[0] = 2.0 * feed * x - back[0] * y + self.memory[1];
        self.memory[1] = feed * x - back[1] * y;
        if self.memory.iter().all(|z| z.abs() < NOTHING) {
            self.memory = [0.0; 2];
        }
        self.heard[at] = y;
        self.is_heard = true;
    }

    /// Samples of the chunk in which nothing touches.
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
        samples.for_each(|at| self.hear(at, 0.0));
    }

    /// Whether the body is heard alone, with the knob at `mix`.
    pub fn is_unheard(&self, mix: f64) -> bool {
        mix == 0.0 && self.body == 1.0
    }

    /// Mix the contact with the body in `left` and `right`, which will be levelled by `gain` of
    /// each sample.
    pub fn mix(
        &mut self,
        mix: f64,
        left: &mut [f64],
        right: &mut [f64],
        gain: impl Fn(usize) -> f64,
    ) {
        if self.is_unheard(mix) {
            return;
        }
        let (body, contact) = shares(mix);
        for (i, (l, r)) in left.iter_mut().zip(right).enumerate() {
            self.body = body + self.glide * (self.body - body);
            if (self.body - body).abs() < 1e-9 {
                self.body = body;
            }
            let gain = gain(i);
            // The contact is as loud as it is: it must not be levelled with the body.
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
    fn a_force_that_grows_evenly_is_heard_as_a_steady_pressure() {
        for rate_hz in [44_100.0, 192_000.0] {
            let mut air = Air::default();
            let dt_s = 1.0 / rate_hz;
            air.set_striker(0.02, dt_s);
            let mut last = 0.0;
            for n in 0..(0.002 * rate_hz) as usize {
                air.hear(0, 1e6 * n as f64 * dt_s * dt_s);
                last = air.heard[0];
            }
            assert!((last / (1e6 * FULL_SCALE_S_PER_N) - 1.0).abs() < 1e-3, "{rate_hz} Hz: {last}");
        }
    }

    #[test]
    fn a_heavy_striker_sounds_duller_and_its_sound_goes_by() {
        let peak = |striker_kg: f64| {
            let mut air = Air::default();
            air.set_striker(striker_kg, 1.0 / 96_000.0);
            // A push of 0.1 ms.
            let mut peak = 0.0f64;
            for n in 0..960 {
                let force_n = if n < 10 { (PI * (f64::from(n) + 0.5) / 10.0).sin() } else { 0.0 };
                air.hear(0, force_n / 96_000.0);
                peak = peak.max(air.heard[0].abs());
            }
            assert!(air.heard[0].abs() < 1e-6 * peak);
            peak
        };
        let (light, heavy) = (peak(0.001), peak(1.0));
        assert!(light > 3.0 * heavy, "{light} and {heavy}");
    }

    #[test]
    fn the_knob_goes_from_the_body_over_both_to_the_contact() {
        assert_eq!(
            [0.0, 0.25, 0.5, 0.75, 1.0].map(shares),
            [(1.0, 0.0), (1.0, 0.5), (1.0, 1.0), (0.5, 1.0), (0.0, 1.0)]
        );
    }
}
