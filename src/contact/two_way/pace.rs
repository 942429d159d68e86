//! How finely a contact with a body is stepped.

use super::super::contact_time;
use super::super::law::Spring;
use super::super::settings::Oversampling;
use super::{MOST_STEPS, Outlook};

/// Fewest steps from touch to the largest compression, as predicted; the whole contact has at least twice as many.
const STEPS_ON_THE_WAY_IN: f64 = 16.0;

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

    /// Time from touch to the largest compression, s, for a mass meeting `outlook` with `v_m_per_s` and `stored_j`
    /// already in the spring.
    ///
    /// The masses of striker and body in series, that of the body with every mode free to move: a lighter pair is a
    /// quicker one, and high modes that in truth hold still only make the prediction shorter than the contact. x_max
    /// is that of eq. (3), `[(alpha+1) m/(k mu^2) (u - ln(1+u))]^(1/(alpha+1))`; a linear damper stops the pair within
    /// m/c. To a few per cent: it only chooses steps.
    pub fn way_in_s(&self, spring: &Spring, mass_kg: f64, outlook: &Outlook, v_m_per_s: f64, stored_j: f64) -> f64 {
        let mass_kg = 1.0 / (1.0 / mass_kg + outlook.per_mass_per_kg);
        let square = v_m_per_s * v_m_per_s + 2.0 * stored_j / mass_kg;
        let v = square.sqrt().max(1e-9);
        let u = spring.mu_s_per_m() * v;
        let damping = if u > 1e-3 { 2.0 * (u - u.ln_1p()) / (u * u) } else { 1.0 };
        let p = 1.0 / (spring.alpha() + 1.0);
        let x_max = (0.5 * (spring.alpha() + 1.0) * mass_kg * v * v * damping / spring.stiffness()).powf(p);
        let by_spring_s = self.shape * x_max / v;
        1.0 / (1.0 / by_spring_s + spring.damper_n_s_per_m() / mass_kg)
    }

    /// Steps per sample for such a way in, at most `most`.
    pub fn steps(&self, way_in_s: f64, dt_s: f64, most: u32) -> u32 {
        // The cast saturates, so a wild time gives the most steps and not a panic.
        let wanted = (STEPS_ON_THE_WAY_IN * dt_s / way_in_s).ceil().clamp(1.0, f64::from(most)) as u32;
        self.fixed.unwrap_or(wanted.next_power_of_two())
    }
}

impl Default for Pace {
    fn default() -> Self {
        Self::new(1.5, Oversampling::Auto)
    }
}
