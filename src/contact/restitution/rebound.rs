//! Numerical solution of the contact of Hertz spring and linear damper, in units in which only C
//! and n are left.
//!
//! The solver is Dormand–Prince 5(4) with step-size control: near onset x^n has no smooth
//! derivatives, and the control finds how small the first steps must be.

use crate::contact::special::illinois;

/// Maximum pieces of one contact. An undamped contact takes 3.3 units of time, 27 short pieces;
/// damping adds at most ln(1/e) damper times.
const MAX_PIECES: u32 = 4_000;

/// Maximum secant steps towards a restitution. Five or so are usual; the bound ends an oscillation
/// of the last bits.
const MAX_STEPS: u32 = 40;

/// Result of one contact `x'' + C x' + x^n = 0`, `x(0) = 0`, `x'(0) = 1`, up to zero force (eq.
/// 20).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rebound {
    /// Restitution `e_out = -x'` at separation, eq. (22).
    pub e: f64,
    /// Time of the largest compression.
    pub time_in: f64,
    /// Time of separation.
    pub time: f64,
    /// Largest compression.
    pub x_max: f64,
    /// Compression at separation, `(C e)^(1/n)`, eq. (51).
    pub x_separation: f64,
}

/// x^n continued as an odd function, so that the force of an undamped contact crosses zero.
#[inline]
pub fn odd_power(x: f64, n: f64) -> f64 {
    x.abs().powf(n).copysign(x)
}

/// Solves one contact with the given error of velocity per step; the error of e is a few times
/// that.
///
/// `c >= 0`, `n >= 1`. The maximum compression is interpolated by a parabola.
pub fn solve(c: f64, n: f64, tolerance: f64) -> Rebound {
    let acceleration = |x: f64, v: f64| -c * v - odd_power(x, n);
    // The shorter of the time scales of spring and damper.
    let pace = 1.0 / (1.0 + c);
    let mut solver = AdaptiveSolver::at_onset(1.0, 1e-3 * pace);
    let (mut time, mut time_in, mut x_max) = (0.0, 0.0, 0.0);
    // Short pieces locate the maximum compression to 1e-4, long ones to one per cent.
    let piece = if tolerance > 1e-6 { 0.5 } else { 0.125 };
    for _ in 0..MAX_PIECES {
        let h = piece * pace;
        let before = solver;
        let end = solver.advance(&acceleration, h, tolerance);
        if before.v > 0.0 && solver.v <= 0.0 {
            // v is nearly linear over a piece.
            let share = before.v / (before.v - solver.v);
            time_in = time + share * h;
            x_max = before.x + 0.5 * before.v * share * h;
        }
        if let Some(after) = end.released_after {
            time += after;
            break;
        }
        time += h;
    }
    Rebound { e: -solver.v, time_in, time, x_max, x_separation: solver.x.max(0.0) }
}

/// The C that yields restitution e, by solving the contact for each guess: eq. (23). Slow; the
/// [table](super::grid) is made with it.
pub fn damping_of_restitution(e: f64, n: f64, tolerance: f64) -> f64 {
    if e >= 1.0 {
        return 0.0;
    }
    // ln C is nearly linear in logit e, so the secant method converges in a few steps.
    let logit = |e: f64| (e / (1.0 - e)).ln();
    let goal = logit(e);
    let reach = |ln_c: f64| logit(solve(ln_c.exp(), n, tolerance).e) - goal;
    let mut a = ((1.0 - e) * e.powf(-1.0 / (n + 1.0))).ln();
    let mut b = a + 0.1;
    let (mut fa, mut fb) = (reach(a), reach(b));
    for _ in 0..MAX_STEPS {
        if fb == fa {
            break;
        }
        let next = b - fb * (b - a) / (fb - fa);
        (a, fa) = (b, fb);
        b = next;
        if (b - a).abs() < 1e-13 * (1.0 + b.abs()) {
            break;
        }
        fb = reach(b);
    }
    b.exp()
}

/// Acceleration into the surface as a function of compression and velocity; not positive while the
/// surface pushes.
pub trait Acceleration: Fn(f64, f64) -> f64 {}
impl<T: Fn(f64, f64) -> f64> Acceleration for T {}

/// Maximum steps of one call. Onset takes about thirty at 1e-10.
pub const MAX_SOLVER_STEPS: u32 = 2_000;

/// Maximum evaluations for the instant of release: more than the 44 bisections that narrow a step
/// to 1e-13 of itself.
const MAX_EVALUATIONS: u32 = 60;

/// State of a mass and length of its next step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AdaptiveSolver {
    /// Compression.
    pub x: f64,
    /// Its rate.
    pub v: f64,
    /// Length of the next step.
    pub next_step: f64,
}

/// Result of a trial step, with estimates of its error.
struct IntegratorStep {
    x: f64,
    v: f64,
    error_x: f64,
    error_v: f64,
}

impl AdaptiveSolver {
    /// Starts at onset; the control corrects the length of the first step.
    pub fn at_onset(v_in: f64, next_step: f64) -> Self {
        Self { x: 0.0, v: v_in, next_step }
    }

    /// Advances by `duration`, or until the force vanishes during expansion.
    ///
    /// `tolerance` is the error of velocity allowed per step; that of x is tolerance times step.
    pub fn advance(
        &mut self,
        acceleration: &impl Acceleration,
        duration: f64,
        tolerance: f64,
    ) -> AdvanceResult {
        let mut now = 0.0;
        for _ in 0..MAX_SOLVER_STEPS {
            let left = duration - now;
            let last = self.next_step >= left * (1.0 - 1e-12);
            let h = if last { left } else { self.next_step };
            let trial = step(acceleration, self.x, self.v, h);
            let error = (trial.error_x.abs() / h).max(trial.error_v.abs()) / tolerance;
            // The error grows with the fifth power of the step.
            let grow = if error > 0.0 { (0.9 * error.powf(-0.2)).clamp(0.1, 5.0) } else { 5.0 };
            if error > 1.0 && h > 1e-9 * duration {
                self.next_step = h * grow;
                continue;
            }
            if trial.v < 0.0 && acceleration(trial.x, trial.v) >= 0.0 {
                let length = self.release_within(acceleration, h);
                let end = step(acceleration, self.x, self.v, length);
                (self.x, self.v) = (end.x, end.v);
                return AdvanceResult { released_after: Some(now + length), settled: true };
            }
            (self.x, self.v) = (trial.x, trial.v);
            // The last step is cut short by the duration: it says little about the next.
            self.next_step = if last { self.next_step.max(h * grow) } else { h * grow };
            if last {
                return AdvanceResult { released_after: None, settled: true };
            }
            now += h;
        }
        AdvanceResult { released_after: None, settled: false }
    }

    /// Length of the step that ends at zero force. The velocity is stationary there, so that an
    /// error of the length enters v only by its square.
    fn release_within(&self, acceleration: &impl Acceleration, h: f64) -> f64 {
        let force = |length: f64| {
            let end = step(acceleration, self.x, self.v, length);
            // Before the maximum compression the force may be small but has not vanished.
            if end.v < 0.0 { -acceleration(end.x, end.v) } else { acceleration(end.x, end.v).abs() }
        };
        let ends = [(0.0, -acceleration(self.x, self.v)), (h, force(h))];
        illinois(force, ends, 1e-13 * h, 0.0, MAX_EVALUATIONS)[1]
    }
}

/// How an [`advance`](AdaptiveSolver::advance) ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AdvanceResult {
    /// Time at which the force vanished, if it did.
    pub released_after: Option<f64>,
    /// The number of steps stayed within its bound.
    pub settled: bool,
}

/// One step of Dormand and Prince's 5(4) pair.
#[inline]
fn step(acceleration: &impl Acceleration, x: f64, v: f64, h: f64) -> IntegratorStep {
    let a1 = acceleration(x, v);
    let v2 = v + h * (a1 / 5.0);
    let a2 = acceleration(x + h * (v / 5.0), v2);
    let v3 = v + h * (3.0 / 40.0 * a1 + 9.0 / 40.0 * a2);
    let a3 = acceleration(x + h * (3.0 / 40.0 * v + 9.0 / 40.0 * v2), v3);
    let v4 = v + h * (44.0 / 45.0 * a1 - 56.0 / 15.0 * a2 + 32.0 / 9.0 * a3);
    let a4 = acceleration(x + h * (44.0 / 45.0 * v - 56.0 / 15.0 * v2 + 32.0 / 9.0 * v3), v4);
    const F: [f64; 4] = [19372.0 / 6561.0, -25360.0 / 2187.0, 64448.0 / 6561.0, -212.0 / 729.0];
    let v5 = v + h * (F[0] * a1 + F[1] * a2 + F[2] * a3 + F[3] * a4);
    let a5 = acceleration(x + h * (F[0] * v + F[1] * v2 + F[2] * v3 + F[3] * v4), v5);
    const S: [f64; 5] =
        [9017.0 / 3168.0, -355.0 / 33.0, 46732.0 / 5247.0, 49.0 / 176.0, -5103.0 / 18656.0];
    let v6 = v + h * (S[0] * a1 + S[1] * a2 + S[2] * a3 + S[3] * a4 + S[4] * a5);
    let a6 = acceleration(x + h * (S[0] * v + S[1] * v2 + S[2] * v3 + S[3] * v4 + S[4] * v5), v6);
    const B: [f64; 5] =
        [35.0 / 384.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0];
    let end_x = x + h * (B[0] * v + B[1] * v3 + B[2] * v4 + B[3] * v5 + B[4] * v6);
    let end_v = v + h * (B[0] * a1 + B[1] * a3 + B[2] * a4 + B[3] * a5 + B[4] * a6);
    let a7 = acceleration(end_x, end_v);
    const E: [f64; 6] = [
        71.0 / 57600.0,
        -71.0 / 16695.0,
        71.0 / 1920.0,
        -17253.0 / 339200.0,
        22.0 / 525.0,
        -1.0 / 40.0,
    ];
    IntegratorStep {
        x: end_x,
        v: end_v,
        error_x: h * (E[0] * v + E[1] * v3 + E[2] * v4 + E[3] * v5 + E[4] * v6 + E[5] * end_v),
        error_v: h * (E[0] * a1 + E[1] * a3 + E[2] * a4 + E[3] * a5 + E[4] * a6 + E[5] * a7),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_damping_found_for_a_restitution_gives_it() {
        for n in [1.0, 1.5, 2.5] {
            for e in [0.1, 0.5, 0.9, 0.99] {
                let rebound = solve(damping_of_restitution(e, n, 1e-11), n, 1e-11);
                assert!((rebound.e - e).abs() < 1e-8, "n {n}: {} for {e}", rebound.e);
            }
            assert_eq!(damping_of_restitution(1.0, n, 1e-11), 0.0);
        }
    }
}
