//! The paper's closed form for the linear damper, eqs. (46)–(49).

/// Exponents the fit was made for; others take the nearer end, beyond which its polynomials run
/// wild.
pub const EXPONENTS: (f64, f64) = (1.0, 2.0);

/// alpha of eq. (46).
pub fn alpha(n: f64) -> f64 {
    let n = n.clamp(EXPONENTS.0, EXPONENTS.1);
    1.794 + n * (-2.306 + n * (3.077 + n * (-1.48 + n * 0.3331)))
}

/// beta of eq. (47).
pub fn beta(n: f64) -> f64 {
    1.285 * n.clamp(EXPONENTS.0, EXPONENTS.1).powf(0.2553) - 1.725
}

/// Dimensionless damping `C = alpha (e^beta - 1)`, eq. (45); `0 < e <= 1`.
///
/// Restitution comes out within 0.0035 of e for e from 0.01 to 0.99 and n from 1 to 2 (the authors'
/// Fig. 8).
pub fn damping(e: f64, n: f64) -> f64 {
    alpha(n) * (e.powf(beta(n)) - 1.0)
}

/// `c_opt` of eq. (49), N s/m.
pub fn damper_n_s_per_m(e: f64, stiffness: f64, n: f64, mass_kg: f64, v_in_m_per_s: f64) -> f64 {
    damping(e, n) * super::damping_unit_n_s_per_m(stiffness, n, mass_kg, v_in_m_per_s)
}
