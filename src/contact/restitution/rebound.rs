//! The contact of Hertz spring and linear damper without its units: only C and n are left.

use super::integrate::Walk;

/// Most pieces of one contact. An undamped one takes 3.3 units of time, 27 short pieces; damping
/// spends at most ln(1/e) damper times more.
const MAX_PIECES: u32 = 4_000;

/// Most steps of the secant method towards a restitution. A handful is usual; the bound is for one
/// that goes to and fro in the last bits.
const MAX_STEPS: u32 = 40;

/// What one contact `x'' + C x' + x^n = 0`, `x(0) = 0`, `x'(0) = 1` comes to, up to zero force (eq.
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

/// x^n continued to the other side, so that the end of an undamped contact is a crossing like any
/// other.
#[inline]
pub fn odd_power(x: f64, n: f64) -> f64 {
    x.abs().powf(n).copysign(x)
}

/// Solve it with the given error of velocity per stride: e follows to a few times that.
///
/// `c >= 0`, `n >= 1`. The largest compression is taken at the stride that passes it, by the
/// parabola there.
pub fn solve(c: f64, n: f64, tolerance: f64) -> Rebound {
    let pull = |x: f64, v: f64| -c * v - odd_power(x, n);
    // Strides of the contact's own pace: that of the spring, or of the damper where it is faster.
    let pace = 1.0 / (1.0 + c);
    let mut walk = Walk::onset(1.0, 1e-3 * pace);
    let (mut time, mut time_in, mut x_max) = (0.0, 0.0, 0.0);
    // Short pieces find the turn to 1e-4; where a rough answer will do, long ones find it to a per
    // cent.
    let piece = if tolerance > 1e-6 { 0.5 } else { 0.125 };
    for _ in 0..MAX_PIECES {
        let h = piece * pace;
        let before = walk;
        let arrival = walk.advance(&pull, h, tolerance);
        if before.v > 0.0 && walk.v <= 0.0 {
            // v falls almost straight over so short a piece.
            let share = before.v / (before.v - walk.v);
            time_in = time + share * h;
            x_max = before.x + 0.5 * before.v * share * h;
        }
        if let Some(after) = arrival.released_after {
            time += after;
            break;
        }
        time += h;
    }
    Rebound { e: -walk.v, time_in, time, x_max, x_separation: walk.x.max(0.0) }
}

/// The C that gives restitution e, by solving the contact anew for each guess: eq. (23). Slow,
/// exact, and what the [table](super::grid) is made of.
pub fn damping_of_restitution(e: f64, n: f64, tolerance: f64) -> f64 {
    if e >= 1.0 {
        return 0.0;
    }
    // ln C over logit e is nearly straight, so the secant in these coordinates takes a handful of
    // steps.
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
