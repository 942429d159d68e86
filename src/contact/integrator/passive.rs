//! Exact flow under a constant force, with a discrete gradient: a step that cannot make energy.
//!
//! Over one step the force F is constant. Mass (with gravity) and whatever it presses on then have an exact
//! linear solution: the compression ends at `x + free - b F`, and the work of F is exactly F times its
//! change d. With `F = g (1 + mu d/h)`, g the discrete gradient of the spring's energy, the total energy
//! changes by `-g mu d^2/h <= 0`, whatever h, k, or the number of modes.

use super::super::law::Spring;
use super::{Medium, Motion};

/// Most iterations of the solver.
pub const MOST_ITERATIONS: u32 = 80;

/// What a step needs to know of the two sides, besides the law.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reach {
    /// Compression at the start of the step, m (negative: a gap).
    pub x_m: f64,
    /// What it would change by without contact force, m.
    pub free_m: f64,
    /// What each newton takes off that, m/N: `h^2/(2m)` of the mass plus the body's own.
    pub mobility_m_per_n: f64,
    /// Length of the step, s.
    pub h_s: f64,
    /// The last step's force, N: where the search begins.
    pub guess_n: f64,
}

/// The force (N, never negative) of one step, and whether the iteration settled.
///
/// `d - free + b F(d) = 0` grows monotonically in d, so the root is bracketed by `free - b F(free)` and
/// `free`; Newton inside, bisection where Newton leaves the bracket.
pub fn force_n(spring: &Spring, reach: &Reach) -> (f64, bool) {
    let Reach { x_m, free_m, mobility_m_per_n: b, h_s, guess_n } = *reach;
    let mu = spring.mu_s_per_m();
    let law = |d: f64| spring.discrete_gradient_n(x_m, d) * (1.0 + mu * d / h_s).max(0.0);
    let most_n = law(free_m);
    if most_n <= 0.0 {
        return (0.0, true);
    }
    let (mut low, mut high) = (free_m - b * most_n, free_m);
    // No force at all is left where the compression is gone, or where it goes faster than -1/mu.
    if x_m <= 0.0 {
        low = low.max(-x_m);
    }
    if mu > 0.0 {
        low = low.max(-h_s / mu);
    }
    let mut d = free_m - b * guess_n;
    if !(d > low && d < high) {
        d = 0.5 * (low.max(-x_m.abs() - free_m.abs()) + high);
    }
    // Soft: the law gives the force with all its digits. Stiff: the law would magnify the last digit of d,
    // and the flow it came from is the better source. Either way the energy balance closes to rounding.
    let force_at = |d: f64| {
        let by_law = law(d);
        if b * by_law < 0.01 * free_m.abs() { by_law } else { ((free_m - d) / b).max(0.0) }
    };
    let (mut previous_d, mut previous_residual) = (high, b * most_n);
    for _ in 0..MOST_ITERATIONS {
        let residual = d - free_m + b * law(d);
        if residual > 0.0 {
            high = d
        } else {
            low = d
        }
        // Secant slope: the derivative of the gradient would cost as much as another evaluation.
        let slope = (residual - previous_residual) / (d - previous_d);
        let mut next = d - residual / slope;
        if !(next > low && next < high) {
            next = 0.5 * (low + high);
        }
        (previous_d, previous_residual) = (d, residual);
        let change = (next - d).abs();
        d = next;
        if residual == 0.0 || change <= 1e-16 * (free_m.abs() + d.abs()) || high - low <= 2e-16 * d.abs() {
            return (force_at(d), true);
        }
    }
    (force_at(d), false)
}

/// One step against a rigid wall, gravity kept.
#[inline]
pub fn step(medium: &Medium, motion: &Motion, h_s: f64) -> Motion {
    let fall = medium.gravity_m_per_s2 * h_s;
    let reach = Reach {
        x_m: motion.x_m,
        free_m: h_s * (motion.v_m_per_s + 0.5 * fall),
        mobility_m_per_n: 0.5 * h_s * h_s / medium.mass_kg,
        h_s,
        guess_n: motion.carried_n,
    };
    let (force_n, settled) = force_n(&medium.spring, &reach);
    let dx = reach.free_m - reach.mobility_m_per_n * force_n;
    let mut after = motion.moved(dx, fall - force_n * h_s / medium.mass_kg, force_n);
    after.unsettled |= !settled;
    after
}
