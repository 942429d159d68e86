//! The mu of a wanted restitution, exactly: eqs. (18)–(19) of the paper.

use crate::contact::release;

/// Newton steps. Three reach rounding from this start for every e; one more for certainty.
const STEPS: u32 = 5;

/// `u = mu v_in` that gives restitution e, for `0 < e <= 1`.
///
/// Eqs. (18)–(19) with d = e u are the release equation `ln((1+u)/(1-e u)) = u (1+e)` that
/// [`release::exact`] solves for e; this is its inverse. 1/E is nearly straight in u (its slope
/// goes from 2/3 to 1), so Newton on `1/E(u) - 1/e` cannot miss. To rounding for every e down to
/// 1e-4, where u is 1/e to all digits; (19) itself has lost `1 - d` to rounding there since e =
/// 0.03.
pub fn u_of_restitution(e: f64) -> f64 {
    if e >= 1.0 {
        return 0.0;
    }
    let mut u = (1.0 - e) * (1.0 / e + 0.5);
    for _ in 0..STEPS {
        let point = release::exact(u);
        let got = point.restitution;
        let step = (got - e) / (got * e) / inverse_slope(u, got, point.remainder);
        u = (u + step).max(0.0);
        // The next step would be rounding: each squares the error.
        if step.abs() < 1e-9 * u {
            break;
        }
    }
    u
}

/// d(1/E)/du, from `z dz/(1-z) = u du/(1+u)` with z = u E.
fn inverse_slope(u: f64, e: f64, remainder: f64) -> f64 {
    if u < 1e-4 {
        // E = 1 - 2u/3 + 4u^2/9 - ...; the difference below would be rounding.
        return 2.0 / 3.0;
    }
    (e - remainder / (e * (1.0 + u))) / (u * e * e)
}

/// mu (s/m) for a wanted e at `v_in_m_per_s`, `0 < e <= 1`.
pub fn mu_s_per_m(e: f64, v_in_m_per_s: f64) -> f64 {
    u_of_restitution(e) / v_in_m_per_s
}
