//! How many steps a sample is cut into.

use crate::contact::closed_form::Curve;
use crate::contact::{HuntCrossley, contact_time};
use crate::gesture::surface::profile::READ_S;

use super::settings::RollSettings;

/// Steps in one period of the resting ball and in one contact of a hop.
pub const STEPS: f64 = 32.0;

/// 24 would do: a body that gives way may shorten a contact by this factor.
pub const MARGIN: f64 = STEPS / 24.0;

/// Most steps per sample.
pub const MOST_STEPS: u32 = 64;

/// Powers of two up to it.
const PACES: usize = MOST_STEPS.ilog2() as usize + 1;

/// Steps per sample for each speed of approach.
///
/// The contact of a hop lasts `C (m/k)^p v^(2p-1)`: the faster, the shorter. Turned round, that is a speed up to which a
/// number of steps is enough.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pace {
    /// Power of two that reading the surface and the resting contact ask for at least.
    least: usize,
    /// Fastest approach for each power of two, m/s.
    fastest_m_per_s: [f64; PACES],
}

impl Pace {
    /// For samples of `dt_s`.
    pub fn new(settings: &RollSettings, dt_s: f64) -> Self {
        let period_s = 1.0 / settings.contact_resonance_hz();
        let wanted = (dt_s / READ_S).max(STEPS * dt_s / period_s);
        let least = (0..PACES - 1).find(|n| f64::from(1u32 << n) >= wanted * (1.0 - 1e-9)).unwrap_or(PACES - 1);
        let law = HuntCrossley { mu_s_per_m: 0.0, ..settings.law };
        let at_1_s = contact_time::predict(&Curve::new(&law, settings.mass_kg, 1.0)).total_s();
        let power = (settings.law.alpha - 1.0) / (settings.law.alpha + 1.0);
        let fastest_m_per_s = std::array::from_fn(|n| {
            let enough_s = STEPS * dt_s / f64::from(1u32 << n);
            // T = T1 v^-power; alpha = 1 has one contact time for all speeds.
            if power > 1e-6 {
                (at_1_s / enough_s).powf(1.0 / power)
            } else if at_1_s >= enough_s {
                f64::INFINITY
            } else {
                0.0
            }
        });
        Self { least, fastest_m_per_s }
    }

    /// Steps for a sample in which nothing touches.
    pub fn in_flight(&self) -> u32 {
        1 << self.least
    }

    /// Steps for a sample in which the two sides approach or part at this speed.
    pub fn in_contact(&self, speed_m_per_s: f64) -> u32 {
        let enough = (0..PACES - 1).find(|n| self.fastest_m_per_s[*n] >= speed_m_per_s).unwrap_or(PACES - 1);
        1 << enough.max(self.least)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_resting_period_and_a_hop_get_their_steps_at_every_rate() {
        let settings = RollSettings::default();
        let law = HuntCrossley { mu_s_per_m: 0.0, ..settings.law };
        for rate in [44_100.0, 96_000.0, 192_000.0] {
            let pace = Pace::new(&settings, 1.0 / rate);
            let h_s = 1.0 / (rate * f64::from(pace.in_flight()));
            assert!(h_s <= READ_S * 1.0001 && STEPS * h_s * settings.contact_resonance_hz() <= 1.0);
            for v in [1e-4, 0.01, 0.3, 2.0] {
                let steps = pace.in_contact(v);
                let contact_s = contact_time::exact(&law, settings.mass_kg, v);
                let per_contact = contact_s * rate * f64::from(steps);
                assert!(per_contact >= 0.999 * STEPS || steps == MOST_STEPS, "{rate} {v}: {per_contact}");
                // And not twice as many as needed, unless the reading asks for them.
                assert!(steps == pace.in_flight() || per_contact < 2.001 * STEPS, "{rate} {v}: {per_contact}");
            }
        }
    }
}
