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

/// A contact may be so slow that this many samples share a step; read they are more often.
const FEWEST_STEPS: f64 = 1.0 / 32.0;

/// Classes of contacts, each with twice the steps of the one before: from `FEWEST_STEPS` to [`MOST_STEPS`] per sample.
pub const CLASSES: usize = MOST_STEPS.ilog2() as usize + 6;

/// Steps per sample for each speed of approach.
///
/// The contact of a hop lasts `C (m/k)^p v^(2p-1)`: the faster, the shorter. Turned round, that is a speed up to which a
/// number of steps is enough. What the contact asks for and what reading the surface asks for are kept apart: a light body makes
/// a contact shorter, but not the surface finer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pace {
    /// Steps per sample that reading the surface asks for.
    reading: f64,
    /// Class of the resting contact.
    resting: usize,
    /// Fastest approach for each class, m/s.
    fastest_m_per_s: [f64; CLASSES],
}

impl Pace {
    /// For samples of `dt_s`.
    pub fn new(settings: &RollSettings, dt_s: f64) -> Self {
        let wanted = STEPS * dt_s * settings.contact_resonance_hz();
        let resting = (0..CLASSES - 1).find(|class| per_sample(*class) >= wanted * (1.0 - 1e-9));
        let law = HuntCrossley { mu_s_per_m: 0.0, ..settings.law };
        let at_1_s = contact_time::predict(&Curve::new(&law, settings.mass_kg, 1.0)).total_s();
        let power = (settings.law.alpha - 1.0) / (settings.law.alpha + 1.0);
        let fastest_m_per_s = std::array::from_fn(|class| {
            let enough_s = STEPS * dt_s / per_sample(class);
            // T = T1 v^-power; alpha = 1 has one contact time for all speeds.
            if power > 1e-6 {
                (at_1_s / enough_s).powf(1.0 / power)
            } else if at_1_s >= enough_s {
                f64::INFINITY
            } else {
                0.0
            }
        });
        Self { reading: dt_s / READ_S, resting: resting.unwrap_or(CLASSES - 1), fastest_m_per_s }
    }

    /// The class of a sample in which nothing touches.
    pub fn in_flight(&self) -> usize {
        self.resting
    }

    /// The class of a sample in which the two sides approach or part at this speed.
    pub fn in_contact(&self, speed_m_per_s: f64) -> usize {
        let enough = (self.resting..CLASSES - 1).find(|class| self.fastest_m_per_s[*class] >= speed_m_per_s);
        enough.unwrap_or(CLASSES - 1)
    }

    /// Steps for a sample of a class whose contact is `shorter` times as short: a power of two.
    pub fn steps(&self, class: usize, shorter: f64) -> u32 {
        whole((per_sample(class) * shorter).max(self.reading))
    }

    /// The same, of which three quarters will do where they are enough.
    pub fn steps_alone(&self, class: usize, shorter: f64) -> u32 {
        let wanted = (per_sample(class) * shorter).max(self.reading);
        let whole = whole(wanted);
        let fewer = whole / 4 * 3;
        if f64::from(fewer) >= wanted * (1.0 - 1e-9) { fewer } else { whole }
    }
}

/// Steps per sample that a class stands for.
pub fn per_sample(class: usize) -> f64 {
    FEWEST_STEPS * (1u64 << class) as f64
}

/// The next power of two, [`MOST_STEPS`] at most.
fn whole(steps: f64) -> u32 {
    ((steps * (1.0 - 1e-9)).clamp(1.0, f64::from(MOST_STEPS)).ceil() as u32).next_power_of_two()
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
            let in_flight = pace.steps(pace.in_flight(), 1.0);
            let h_s = 1.0 / (rate * f64::from(in_flight));
            assert!(h_s <= READ_S * 1.0001 && STEPS * h_s * settings.contact_resonance_hz() <= 1.0);
            for v in [1e-4, 0.01, 0.3, 2.0] {
                let steps = pace.steps(pace.in_contact(v), 1.0);
                let contact_s = contact_time::exact(&law, settings.mass_kg, v);
                let per_contact = contact_s * rate * f64::from(steps);
                assert!(per_contact >= 0.999 * STEPS || steps == MOST_STEPS, "{rate} {v}: {per_contact}");
                // And not twice as many as needed, unless the reading asks for them.
                assert!(steps == in_flight || per_contact < 2.001 * STEPS, "{rate} {v}: {per_contact}");
            }
        }
    }

    #[test]
    fn a_light_body_shortens_the_contact_and_not_the_surface() {
        let settings = RollSettings { mass_kg: 5.0, ..RollSettings::default() };
        let pace = Pace::new(&settings, 1.0 / 48_000.0);
        let class = pace.in_contact(0.01);
        assert!(per_sample(class) < 1.0, "a slow contact");
        assert_eq!(pace.steps(class, 1.0), 4);
        assert_eq!(pace.steps(class, 4.0 / per_sample(class)), 4);
        assert_eq!(pace.steps(class, 4.1 / per_sample(class)), 8);
        assert_eq!([1.0, 3.2, 4.1, 6.1].map(|steps| pace.steps_alone(class, steps / per_sample(class))), [3, 4, 6, 8]);
    }
}
