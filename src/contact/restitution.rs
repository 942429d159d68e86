//! Damping from restitution: "how bouncy" as the control, the coefficient as the consequence.
//!
//! After Poursina and Nikravesh, "Optimal damping coefficient for a class of continuous contact
//! models", called "the paper" in this module. Two laws:
//!
//! - Hunt–Crossley `f = k x^alpha (1 + mu v)`: the [exact mu](hunt_crossley) for a wanted e, eqs.
//!   (18)–(19).
//! - Hertz spring with a linear damper `f = c v + k x^n`, separation at zero force: the exact c
//!   from a [table](grid) of its [rebounds](rebound), or the paper's own [closed form](fit), eqs.
//!   (46)–(49).
//!
//! The [`estimates`] of the literature are here to be compared with, not to be used.

pub mod estimates;
pub mod fit;
pub mod grid;
pub mod hunt_crossley;
pub mod integrate;
pub mod kelvin_voigt;
pub mod rebound;

/// Lowest restitution that either law is asked for; anything below means this.
///
/// At e = 0 both laws need an infinite coefficient. 1e-4 of the speed is 1e-8 of the energy, -80
/// dB: nothing that is heard or seen leaves such a contact, and every coefficient stays finite.
pub const LOWEST_E: f64 = 1e-4;

/// A wanted restitution inside `LOWEST_E ... 1`; what is no number is perfectly bouncy.
pub fn within_limits(e: f64) -> f64 {
    if e.is_nan() { 1.0 } else { e.clamp(LOWEST_E, 1.0) }
}

/// The quantity `[k v_in^(n-1) m^n]^(1/(n+1))` of eq. (34), N s/m: the unit of damping of a
/// contact.
///
/// With lengths in `(m v_in^2/k)^(1/(n+1))` and velocities in v_in the contact obeys
/// `x'' + C x' + x^n = 0`, `x'(0) = 1`, and `c = C` times this.
pub fn damping_unit_n_s_per_m(
    stiffness: f64,
    exponent: f64,
    mass_kg: f64,
    v_in_m_per_s: f64,
) -> f64 {
    mass_kg * v_in_m_per_s / length_unit_m(stiffness, exponent, mass_kg, v_in_m_per_s)
}

/// The unit of length that goes with it, m.
pub fn length_unit_m(stiffness: f64, exponent: f64, mass_kg: f64, v_in_m_per_s: f64) -> f64 {
    (mass_kg * v_in_m_per_s * v_in_m_per_s / stiffness).powf(1.0 / (exponent + 1.0))
}
