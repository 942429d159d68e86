//! How finely a contact with a body is stepped.

use super::super::contact_time;
use super::super::law::Spring;
use super::super::settings::Oversampling;
use super::super::special::log_gap;
use super::{Lightness, MOST_STEPS};

/// Fewest steps from touch to the largest compression, as predicted; the whole contact has at least twice as many.
const STEPS_ON_THE_WAY_IN: f64 = 36.0;
/// The same where steps are scarce: a contact that is shorter than predicted, by a glancing touch, still has 24.
pub(super) const FEWEST_ON_THE_WAY_IN: f64 = 18.0;
/// Rounds of the prediction.
const ROUNDS: u32 = 3;

/// What the pace of a contact depends on.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// Half of the undamped contact time is this times x_max/v.
    shape: f64,
    fixed: Option<u32>,
}

impl Pace {
    /// For a law with exponent `alpha`.
    pub fn new(alpha: f64, steps: Oversampling) -> Self {
        let fixed = match steps {
            Oversampling::Auto => None,
            Oversampling::Times(n) => Some(n.clamp(1, MOST_STEPS).next_power_of_two()),
        };
        Self { shape: contact_time::shape(alpha), fixed }
    }

    /// Time from touch to the largest compression, s, for a mass that meets a surface with `v_m_per_s` and `stored_j`
    /// already in the spring.
    ///
    /// The masses of striker and body act in series. That of the body depends on the time itself: at first every mode
    /// is taken to be free, which gives the shortest time, and two rounds then come nearer from that side. x_max is
    /// that of eq. (3), `[(alpha+1) m/(k mu^2) (u - ln(1+u))]^(1/(alpha+1))`; a linear damper stops the pair within
    /// m/c. To some ten per cent: it only chooses steps. What is longer than `enough_s` need not be known.
    pub fn way_in_s(
        &self,
        spring: &Spring,
        mass_kg: f64,
        lightness: Lightness<'_>,
        v_m_per_s: f64,
        stored_j: f64,
        enough_s: f64,
    ) -> f64 {
        let p = 1.0 / (spring.alpha() + 1.0);
        let mut way_in_s = 0.0;
        for _ in 0..ROUNDS {
            let mass_kg = 1.0 / (1.0 / mass_kg + lightness(way_in_s));
            let v = (v_m_per_s * v_m_per_s + 2.0 * stored_j / mass_kg).sqrt().max(1e-9);
            let u = spring.mu_s_per_m() * v;
            let damping = if u > 1e-3 { 2.0 * log_gap(u) } else { 1.0 };
            let x_max = (0.5 * (spring.alpha() + 1.0) * mass_kg * v * v * damping / spring.stiffness()).powf(p);
            let by_spring_s = self.shape * x_max / v;
            way_in_s = 1.0 / (1.0 / by_spring_s + spring.damper_n_s_per_m() / mass_kg);
            if way_in_s >= enough_s {
                break;
            }
        }
        way_in_s
    }

    /// A way in that long does with one step per sample, s.
    pub fn unhurried_s(&self, dt_s: f64) -> f64 {
        STEPS_ON_THE_WAY_IN * dt_s
    }

    /// Steps per sample for such a way in, at most `most`.
    pub fn steps(&self, way_in_s: f64, dt_s: f64, most: u32) -> u32 {
        // The cast saturates, so a wild time gives the most steps and not a panic.
        let wanted = (STEPS_ON_THE_WAY_IN * dt_s / way_in_s).ceil().clamp(1.0, f64::from(most)) as u32;
        self.fixed.unwrap_or(wanted.next_power_of_two())
    }

    /// Steps per sample with which such a contact still has 24 or more, where those of [`steps`](Pace::steps) cannot be had.
    pub fn fewest(&self, way_in_s: f64, dt_s: f64, most: u32) -> u32 {
        self.steps(way_in_s * STEPS_ON_THE_WAY_IN / FEWEST_ON_THE_WAY_IN, dt_s, most)
    }
}

impl Default for Pace {
    fn default() -> Self {
        Self::new(1.5, Oversampling::Auto)
    }
}
