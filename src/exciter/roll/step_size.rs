//! The number of steps per sample.

use std::f64::consts::SQRT_2;

use crate::contact::closed_form::Curve;
use crate::contact::{HuntCrossley, contact_time};
use crate::exciter::surface::profile::MAX_READ_S;

use super::settings::RollSettings;

/// Minimum number of steps in the contact of a hop.
pub const STEPS_PER_CONTACT: f64 = 28.0;

/// Minimum number of steps in a contact of a rattling ball. The weight contributes to such
/// contacts, and there are hundreds of them per second.
pub const STEPS_PER_RATTLE: f64 = 16.0;

/// Landings slower than this count as rattling, as a multiple of the lift-off speed.
const RATTLE: f64 = 8.0;

/// Minimum number of steps in one period of a ball that stays on the ground: its broad resonance is
/// then 3 % too low.
pub const STEPS_PER_PERIOD: f64 = 10.0;

/// Maximum number of steps per sample.
pub const MAX_STEPS: u32 = 64;

/// Minimum class, steps per sample: a slow contact would need a step only every 32 samples. The
/// surface is read more often.
const MIN_STEPS: f64 = 1.0 / 32.0;

/// Number of contact classes, two per octave, from `MIN_STEPS` to [`MAX_STEPS`] per sample.
pub const CLASSES: usize = 2 * (MAX_STEPS.ilog2() as usize + 5) + 1;

/// Steps per sample for each speed of approach.
///
/// The contact of a hop lasts `C (m/k)^p v^(2p-1)`: the faster, the shorter. Solved for the speed,
/// this gives the fastest approach for each number of steps. The steps needed by the contact and by
/// reading the surface are kept apart: a light body shortens the contact, but does not make the
/// surface finer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RollStepSize {
    /// Steps per sample needed to read the surface.
    reading: f64,
    /// Class of the resting contact, and the steps per sample that it needs.
    resting: usize,
    resting_steps: f64,
    /// Fastest approach of each class, m/s.
    fastest_m_per_s: [f64; CLASSES],
    /// Landings slower than this count as rattling, m/s.
    rattle_m_per_s: f64,
}

/// An ongoing hop: its contact keeps its number of steps although damping takes energy.
#[derive(Clone, Copy, Debug, Default)]
pub struct RollHop {
    class: usize,
    samples_left: u32,
}

impl RollHop {
    /// The class of a sample whose energy corresponds to `class`, at `speed_m_per_s`.
    pub fn sample(&mut self, step_size: &RollStepSize, class: usize, speed_m_per_s: f64) -> usize {
        if speed_m_per_s > step_size.rattle_m_per_s
            && (self.samples_left == 0 || class > self.class)
        {
            // The cast saturates. Damped contacts last up to three times longer than their class
            // implies.
            *self = Self {
                class,
                samples_left: (3.0 * STEPS_PER_CONTACT / per_sample(class)).ceil() as u32,
            };
        }
        if self.samples_left == 0 {
            return class;
        }
        self.samples_left -= 1;
        class.max(self.class)
    }
}

impl RollStepSize {
    /// Creates the step sizes for samples of `dt_s`.
    pub fn new(settings: &RollSettings, dt_s: f64) -> Self {
        let resting_steps = STEPS_PER_PERIOD * dt_s * settings.contact_resonance_hz();
        let resting = (0..CLASSES - 1).find(|class| per_sample(*class) >= resting_steps);
        let law = HuntCrossley { mu_s_per_m: 0.0, ..settings.law };
        let at_1_s = contact_time::predict(&Curve::new(&law, settings.mass_kg, 1.0)).total_s();
        let power = (settings.law.alpha - 1.0) / (settings.law.alpha + 1.0);
        let fastest_with = |steps: f64, class: usize| {
            let enough_s = steps * dt_s / per_sample(class);
            // T = T1 v^-power; alpha = 1 has one contact time for all speeds.
            if power > 1e-6 {
                (at_1_s / enough_s).powf(1.0 / power)
            } else if at_1_s >= enough_s {
                f64::INFINITY
            } else {
                0.0
            }
        };
        let rattle_m_per_s = RATTLE * settings.lift_off_m_per_s();
        let fastest_m_per_s = std::array::from_fn(|class| {
            let rattling = fastest_with(STEPS_PER_RATTLE, class).min(rattle_m_per_s);
            fastest_with(STEPS_PER_CONTACT, class).max(rattling)
        });
        let resting = resting.unwrap_or(CLASSES - 1);
        Self { reading: dt_s / MAX_READ_S, resting, resting_steps, fastest_m_per_s, rattle_m_per_s }
    }

    /// The class of a resting contact.
    pub fn resting(&self) -> usize {
        self.resting
    }

    /// The class of the contact of a hop that lands at this speed.
    pub fn landing(&self, speed_m_per_s: f64) -> usize {
        let enough =
            (self.resting..CLASSES - 1).find(|class| self.fastest_m_per_s[*class] >= speed_m_per_s);
        enough.unwrap_or(CLASSES - 1)
    }

    /// Steps per sample of a class on a rigid ground; the resting contact has its own number.
    fn wanted(&self, class: usize) -> f64 {
        if class == self.resting { self.resting_steps } else { per_sample(class) }
    }

    /// Duration of the push of a contact of this class, s: a hop, or half a period at rest.
    pub fn push_s(&self, class: usize, dt_s: f64) -> f64 {
        let steps = if class == self.resting { 0.5 * STEPS_PER_PERIOD } else { STEPS_PER_RATTLE };
        steps * dt_s / self.wanted(class)
    }

    /// Steps of a sample whose contact is `shorter` times as short: a power of two.
    pub fn steps(&self, class: usize, shorter: f64) -> u32 {
        whole((self.wanted(class) * shorter).max(self.reading))
    }

    /// Same as `steps`, but also allows three quarters of a power of two.
    pub fn steps_alone(&self, class: usize, shorter: f64) -> u32 {
        let wanted = (self.wanted(class) * shorter).max(self.reading);
        let whole = whole(wanted);
        let fewer = whole / 4 * 3;
        if f64::from(fewer) >= wanted * (1.0 - 1e-9) { fewer } else { whole }
    }
}

/// Steps per sample of a class.
pub fn per_sample(class: usize) -> f64 {
    let octave = MIN_STEPS * (1u64 << (class / 2)) as f64;
    if class.is_multiple_of(2) { octave } else { SQRT_2 * octave }
}

/// The next power of two, at most [`MAX_STEPS`].
fn whole(steps: f64) -> u32 {
    ((steps * (1.0 - 1e-9)).clamp(1.0, f64::from(MAX_STEPS)).ceil() as u32).next_power_of_two()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_resting_period_and_a_hop_get_their_steps_at_every_rate() {
        let settings = RollSettings::default();
        let law = HuntCrossley { mu_s_per_m: 0.0, ..settings.law };
        for rate in [44_100.0, 96_000.0, 192_000.0] {
            let step_size = RollStepSize::new(&settings, 1.0 / rate);
            let resting = step_size.steps(step_size.resting(), 1.0);
            let h_s = 1.0 / (rate * f64::from(resting));
            assert!(
                h_s <= MAX_READ_S * 1.0001
                    && STEPS_PER_PERIOD * h_s * settings.contact_resonance_hz() <= 1.0
            );
            for v in [1e-4, 0.01, 0.3, 2.0] {
                let steps = step_size.steps(step_size.landing(v), 1.0);
                let contact_s = contact_time::exact(&law, settings.mass_kg, v);
                let per_contact = contact_s * rate * f64::from(steps);
                let rattles = v < RATTLE * settings.lift_off_m_per_s();
                let needed = if rattles { STEPS_PER_RATTLE } else { STEPS_PER_CONTACT };
                assert!(
                    per_contact >= 0.999 * needed || steps == MAX_STEPS,
                    "{rate} {v}: {per_contact}"
                );
                // At most three times the required number, unless resting contact or reading need
                // more.
                let max = 2.0 * SQRT_2 * 1.001 * needed;
                assert!(steps == resting || per_contact < max, "{rate} {v}: {per_contact}");
            }
        }
    }

    #[test]
    fn a_light_body_shortens_the_contact_and_not_the_surface() {
        let settings = RollSettings { mass_kg: 5.0, ..RollSettings::default() };
        let step_size = RollStepSize::new(&settings, 1.0 / 48_000.0);
        let class = step_size.landing(0.01);
        assert!(per_sample(class) < 1.0, "a slow contact");
        assert_eq!(step_size.steps(class, 1.0), 1);
        assert_eq!(step_size.steps(class, 4.0 / per_sample(class)), 4);
        assert_eq!(step_size.steps(class, 4.1 / per_sample(class)), 8);
        assert_eq!(
            [1.0, 3.2, 4.1, 6.1]
                .map(|steps| step_size.steps_alone(class, steps / per_sample(class))),
            [1, 4, 6, 8]
        );
        assert_eq!(step_size.steps_alone(class, 2.1 / per_sample(class)), 3);
    }
}
