//! Release velocity: eq. (6) of the paper, solved approximately and exactly.
//!
//! Both depend on `u = mu v_in` alone.

use super::special::log_gap;

/// Coefficients b_j/mu^j of eq. (8).
const B: [f64; 5] = [1.0, 1.0, 2.0 / 3.0, 2.0 / 9.0, 14.0 / 135.0];

/// Newton steps for u <= 1. The start is within 0.2 %, so three reach rounding; one is spare.
const STEPS_GENTLE: u32 = 4;

/// Newton steps for u > 1. The start is the limit of large u with its first correction; five reach
/// rounding from u = 1.
const STEPS_HARD: u32 = 6;

/// After a step this short the next one would be rounding, since each squares the error.
const NEAR: f64 = 1e-9;

/// The state at release, as a share of the limit velocity `v_lim = -1/mu`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReleasePoint {
    /// Restitution `E = |v_out|/v_in`, eq. (5).
    pub restitution: f64,
    /// `1 + mu v_out`, without the cancellation when it is small.
    pub remainder: f64,
    /// `ln(1 + mu v_out)`, finite even where `remainder` is not above zero.
    pub log_remainder: f64,
}

/// The exact root of eq. (6): `1 + mu v_out = -W0(-(1+u) e^-(1+u))` with the principal Lambert W.
///
/// Relative error of `restitution` below 1e-14 for every `u >= 0`. The W0 form loses its digits for
/// small u, so Newton's method solves the equation in a variable that keeps them: for
/// u <= 1 in `z = -mu v_out`, `z^2 G(-z) = u^2 G(u)`; above in `y = ln(1 + mu v_out)`, `e^y - 1 - y
/// = u - ln(1+u)`.
pub fn exact(u: f64) -> ReleasePoint {
    if u <= 0.0 {
        return ReleasePoint { restitution: 1.0, remainder: 1.0, log_remainder: 0.0 };
    }
    if u <= 1.0 {
        let goal = log_gap(u);
        let mut e = approximate_restitution(u, 4);
        for _ in 0..STEPS_GENTLE {
            // Newton on E: d/dz [z^2 G(-z)] = z/(1-z), z = u E.
            let z = u * e;
            let step = (goal - e * e * log_gap(-z)) * (1.0 - z) / e;
            e += step;
            if step.abs() < NEAR {
                break;
            }
        }
        let v = u * e;
        return ReleasePoint { restitution: e, remainder: 1.0 - v, log_remainder: (-v).ln_1p() };
    }
    let goal = u - u.ln_1p();
    let mut y = -(1.0 + goal) + (-(1.0 + goal)).exp();
    for _ in 0..STEPS_HARD {
        let rise = y.exp_m1();
        let step = (rise - y - goal) / rise;
        y -= step;
        if step.abs() < NEAR {
            break;
        }
    }
    ReleasePoint { restitution: -y.exp_m1() / u, remainder: y.exp(), log_remainder: y }
}

/// The paper's `v~_out`, eq. (7), of order 0 to 4, as a restitution `|v~_out|/v_in`.
///
/// Its relative error grows with u: 3e-10 % at .005, 0.0125 % at 0.5 (order 4); see
/// [`approximation_error_pct`].
pub fn approximate_restitution(u: f64, order: usize) -> f64 {
    if u <= 0.0 {
        return 1.0;
    }
    let mut sum = 0.0;
    for b in B.iter().take(order.min(4) + 1).skip(1).rev() {
        sum = (sum + b) * u;
    }
    // 1 - e^-2u (1 + sum), with the 1 taken out by expm1.
    (-(-2.0 * u).exp_m1() - (-2.0 * u).exp() * sum) / u
}

/// `100 |v~_out/v_out - 1|` at order 4, on which the paper's threshold on mu v_in is based (Fig.
/// 3).
pub fn approximation_error_pct(u: f64) -> f64 {
    100.0 * (approximate_restitution(u, 4) / exact(u).restitution - 1.0).abs()
}

/// Release velocity (m/s, negative) by the exact root.
pub fn v_out_exact(mu_s_per_m: f64, v_in_m_per_s: f64) -> f64 {
    -v_in_m_per_s * exact(mu_s_per_m * v_in_m_per_s).restitution
}

/// Release velocity (m/s, negative) by eq. (7) at the given order (0 to 4).
pub fn v_out_approximate(mu_s_per_m: f64, v_in_m_per_s: f64, order: usize) -> f64 {
    -v_in_m_per_s * approximate_restitution(mu_s_per_m * v_in_m_per_s, order)
}

/// The velocity no trajectory crosses, `v_lim = -1/mu` (m/s); minus infinity without dissipation.
pub fn v_lim(mu_s_per_m: f64) -> f64 {
    -1.0 / mu_s_per_m
}
