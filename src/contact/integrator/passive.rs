//! The Passive integrator: exact flow under a constant force, with a discrete gradient.
//!
//! Over one step the force F is constant. The mass (with gravity) and the surface then have an
//! exact linear solution: the compression ends at `x + free - b F`, and the work of F is exactly F
//! times its change d. With `F = g (1 + mu d/h)`, g the discrete gradient of the spring's energy,
//! the total energy changes by `-g mu d^2/h <= 0`, whatever h, k, or the number of modes.

use super::super::law::Spring;
use super::{ContactMotion, Medium};

/// Maximum iterations of [`solve`]. Four or five are usual; bisection alone needs this many.
pub const MAX_ITERATIONS: u32 = 120;

/// Share of the free displacement below which a step counts as soft.
const SOFT: f64 = 0.01;

/// Inputs of a step besides the law: the linear solution of both sides.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reach {
    /// Compression at the start of the step, m (negative: a gap).
    pub x_m: f64,
    /// Its change without a contact force, m.
    pub free_m: f64,
    /// Reduction of that change per newton, m/N: `h^2/(2m)` of the mass plus that of the body.
    pub mobility_m_per_n: f64,
    /// Length of the step, s.
    pub h_s: f64,
    /// Initial guess of the force, N.
    pub guess_n: f64,
}

/// Result of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Push {
    /// Mean force, N, never negative.
    pub force_n: f64,
    /// Change of the compression, m.
    pub change_m: f64,
    /// The iteration converged within its bound.
    pub settled: bool,
}

/// Solves one step; always converges.
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
    // There is no force at zero compression, or at velocities below -1/mu.
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
    // Soft: the law yields the force with all its digits. Stiff: the law would magnify the last
    // digit of d, and the flow is more accurate. The energy balance closes to rounding either way.
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
        // The residual suffices where the law is no steeper than the flow; a stiff law needs an
        // accurate d.
        if residual == 0.0 || high - low <= f64::EPSILON * d.abs() {
            return push(d, true);
        }
        // Secant slope: the derivative of the gradient costs as much as another evaluation.
        let slope = (residual - previous_residual) / (d - previous_d);
        if residual.abs() <= digit && residual.abs() <= f64::EPSILON * slope * d.abs() {
            return push(d, true);
        }
        (previous_d, previous_residual) = (d, residual);
        let secant = d - residual / slope;
        // Bisect where the secant did not halve the bracket, so that the bound holds.
        let lagging = high - low > 0.5 * width && residual.abs() > 1e-6 * free_m.abs();
        d = if !lagging && secant > low && secant < high { secant } else { 0.5 * (low + high) };
    }
    push(d, high - low <= 1e-12 * (free_m.abs() + d.abs()))
}

/// One step against a rigid wall, with gravity.
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
    // Under a constant force 2 d/h = v + v', which is accurate where gravity and force nearly
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

/// Maximum evaluations of the law in Newton's method, before [`solve`] takes over.
const MAX_EVALUATIONS: u32 = 4;

/// Solves one step; faster than [`solve`] while the contact continues.
///
/// The force of the last step is a good guess, from which Newton's method needs two evaluations.
/// The equation `r = d - free + b F(d) = 0` has a smooth left side while the surface pushes. A
/// Newton step of `delta` leaves an error of `b F''/(2 (1 + b F')) delta^2` in d and of `F''/2
/// delta^2` in F, and F'' is about `F'/(4 x)`: once both are below rounding, the step is taken
/// without another evaluation. [`solve`] handles all other steps.
#[inline]
pub fn follow(spring: &Spring, reach: &Reach) -> Push {
    if reach.x_m <= 0.0 && reach.x_m + reach.free_m <= 0.0 {
        return Push { force_n: 0.0, change_m: reach.free_m, settled: true };
    }
    newton(spring, reach).unwrap_or_else(|| solve(spring, reach))
}

#[inline]
fn newton(spring: &Spring, reach: &Reach) -> Option<Push> {
    let Reach { x_m, free_m, mobility_m_per_n: b, h_s, guess_n } = *reach;
    if !(x_m > 0.0 && guess_n > 0.0) {
        return None;
    }
    let (start, per_h_per_s) = (spring.from(x_m), 1.0 / h_s);
    let mut d = free_m - b * guess_n;
    for _ in 0..MAX_EVALUATIONS {
        let law = start.force_and_slope(d, per_h_per_s)?;
        let residual = d - free_m + b * law.force_n;
        let (stiff, min_m) = (b * law.slope_n_per_m, x_m.min(x_m + d));
        let delta = residual / (1.0 + stiff);
        let rounding_m = f64::EPSILON * (free_m.abs() + d.abs());
        let left = delta * delta;
        d -= delta;
        if left * stiff <= rounding_m * min_m * (1.0 + stiff)
            && left <= f64::EPSILON * min_m * min_m
        {
            let by_law = law.force_n - law.slope_n_per_m * delta;
            // As in `solve`: the law where it is soft, the flow where it is stiff.
            return Some(if b * by_law < SOFT * free_m.abs() {
                Push { force_n: by_law, change_m: free_m - b * by_law, settled: true }
            } else {
                Push { force_n: ((free_m - d) / b).max(0.0), change_m: d, settled: true }
            });
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::HuntCrossley;

    #[test]
    fn newton_agrees_with_the_bracketed_search() {
        let mut found = 0;
        for alpha in [1.0, 1.5, 2.2, 3.5] {
            let spring =
                HuntCrossley { stiffness: 1e9, mu_s_per_m: 0.1, alpha }.prepare().with_damper(20.0);
            for (x_m, free) in [
                (1e-5, 0.1),
                (1e-5, -0.1),
                (1e-5, 1e-4),
                (2e-4, 0.3),
                (1e-6, -3.0),
                (-1e-6, 5.0),
                (-1e-6, 0.5),
            ] {
                for mobility in [1e-12, 1e-9, 1e-6] {
                    for share in [0.5, 0.98, 1.0, 1.2] {
                        let guess_n = share * spring.elastic_n(x_m);
                        let free_m = free * x_m.abs();
                        let reach =
                            Reach { x_m, free_m, mobility_m_per_n: mobility, h_s: 1e-6, guess_n };
                        found += u32::from(newton(&spring, &reach).is_some());
                        let (push, wanted) = (follow(&spring, &reach), solve(&spring, &reach));
                        assert!(push.settled);
                        let size_m = free_m.abs() + mobility * wanted.force_n;
                        let off_m = (push.change_m - wanted.change_m).abs();
                        let off_n = mobility * (push.force_n - wanted.force_n).abs();
                        assert!(
                            off_m.max(off_n) <= 8.0 * f64::EPSILON * size_m,
                            "{reach:?}: {push:?} {wanted:?}"
                        );
                    }
                }
            }
        }
        assert!(found > 80, "{found}");
    }
}
