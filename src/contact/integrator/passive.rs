//! Exact flow under a constant force, with a discrete gradient: a step that cannot make energy.
//!
//! Over one step the force F is constant. Mass (with gravity) and whatever it presses on then have
//! an exact linear solution: the compression ends at `x + free - b F`, and the work of F is exactly
//! F times its change d. With `F = g (1 + mu d/h)`, g the discrete gradient of the spring's energy,
//! the total energy changes by `-g mu d^2/h <= 0`, whatever h, k, or the number of modes.

mod follow;

use super::super::law::Spring;
use super::{ContactMotion, Medium};

pub use follow::follow;

/// Most iterations of the solver. Four or five are usual; the bound is that of bisection.
pub const MAX_ITERATIONS: u32 = 120;

/// Share of the free displacement below which a step counts as soft.
const SOFT: f64 = 0.01;

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

/// What a step comes to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Push {
    /// Mean force, N, never negative.
    pub force_n: f64,
    /// Change of the compression, m.
    pub change_m: f64,
    /// The iteration settled within its bound.
    pub settled: bool,
}

/// Solve one step.
///
/// `d - free + b F(d) = 0` grows monotonically in d, so the root is bracketed by `free - b F(free)`
/// and `free`; secant steps inside, bisection where they leave the bracket or lag.
pub fn solve(spring: &Spring, reach: &Reach) -> Push {
    let (x_m, free_m, h_s) = (reach.x_m, reach.free_m, reach.h_s);
    let b = reach.mobility_m_per_n;
    let mu = spring.mu_s_per_m();
    let start = spring.from(x_m);
    let law = |d: f64| start.mean_force_n(d, h_s);
    let max_n = law(free_m);
    if max_n <= 0.0 {
        return Push { force_n: 0.0, change_m: free_m, settled: true };
    }
    let (mut low, mut high) = (free_m - b * max_n, free_m);
    // No force at all is left where the compression is gone, or where it goes faster than -1/mu.
    if x_m <= 0.0 {
        low = low.max(-x_m);
    }
    if mu > 0.0 {
        low = low.max(-h_s / mu);
    }
    let mut d = free_m - b * reach.guess_n;
    if !(d > low && d < high) {
        d = 0.5 * (low.max(-x_m.abs() - free_m.abs()) + high);
    }
    // Soft: the law gives the force with all its digits. Stiff: the law would magnify the last
    // digit of d, and the flow it came from is the better source. Either way the energy balance
    // closes to rounding.
    let push = |d: f64, settled: bool| {
        let by_law = law(d);
        if b * by_law < SOFT * free_m.abs() {
            Push { force_n: by_law, change_m: free_m - b * by_law, settled }
        } else {
            Push { force_n: ((free_m - d) / b).max(0.0), change_m: d, settled }
        }
    };
    let (mut previous_d, mut previous_residual) = (high, b * max_n);
    for _ in 0..MAX_ITERATIONS {
        let residual = d - free_m + b * law(d);
        let digit = 0.5 * f64::EPSILON * (free_m.abs() + d.abs());
        let width = high - low;
        if residual > 0.0 {
            high = d;
        } else {
            low = d;
        }
        // The residual alone will do where the law is no steeper than the flow; a stiff law wants d
        // itself.
        if residual == 0.0 || high - low <= f64::EPSILON * d.abs() {
            return push(d, true);
        }
        // Secant slope: the derivative of the gradient would cost as much as another evaluation.
        let slope = (residual - previous_residual) / (d - previous_d);
        if residual.abs() <= digit && residual.abs() <= f64::EPSILON * slope * d.abs() {
            return push(d, true);
        }
        (previous_d, previous_residual) = (d, residual);
        let secant = d - residual / slope;
        // Where the secant does not halve the bracket, the next point does, so that the bound
        // holds.
        let lagging = high - low > 0.5 * width && residual.abs() > 1e-6 * free_m.abs();
        d = if !lagging && secant > low && secant < high { secant } else { 0.5 * (low + high) };
    }
    push(d, high - low <= 1e-12 * (free_m.abs() + d.abs()))
}

/// One step against a rigid wall, gravity kept.
#[inline]
pub fn step(medium: &Medium, motion: &ContactMotion, h_s: f64) -> ContactMotion {
    let fall = medium.gravity_m_per_s2 * h_s;
    let reach = Reach {
        x_m: motion.x_m,
        free_m: h_s * (motion.v_m_per_s + 0.5 * fall),
        mobility_m_per_n: 0.5 * h_s * h_s / medium.mass_kg,
        h_s,
        guess_n: motion.carried_n,
    };
    let push = follow(&medium.spring, &reach);
    // Under a constant force 2 d/h = v + v', which loses nothing where gravity and force all but
    // cancel.
    let stiff = reach.mobility_m_per_n * push.force_n >= SOFT * reach.free_m.abs();
    let dv = if stiff {
        2.0 * (push.change_m / h_s - motion.v_m_per_s)
    } else {
        fall - push.force_n * h_s / medium.mass_kg
    };
    let mut after = motion.moved(push.change_m, dv, push.force_n);
    after.unsettled |= !push.settled;
    after
}
