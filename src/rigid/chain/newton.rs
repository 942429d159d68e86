//! All contacts of a row at once.
//!
//! With d the change of each compression over a step, `d = free - B f(d)`, B tridiagonal: a force moves its own contact by
//! what it moves both its balls, and either neighbour by what it moves the ball between. Newton's step is a tridiagonal
//! system. Forces grow with d, so it is diagonally dominant up to a scaling of its columns, needs no pivots, and settles in
//! three or four rounds from the last forces.

use super::{Forces, MOST_CONTACTS};
use crate::contact::law::Spring;

/// Most rounds; what has not settled by then is left to sweeps.
pub const MOST_ROUNDS: u32 = 12;

/// Error of the forces, as a share of the largest, of which the square is lost in rounding.
const NEAR: f64 = 1e-8;

/// What the forces of both neighbours add to a compression, m.
pub fn pushed_m(mobility_m_per_n: &[f64], f: &Forces, contact: usize) -> f64 {
    let before = if contact > 0 { f[contact - 1] } else { 0.0 };
    let after = if contact + 2 < mobility_m_per_n.len() { f[contact + 1] } else { 0.0 };
    mobility_m_per_n[contact] * before + mobility_m_per_n[contact + 1] * after
}

/// A step of a row, or of a part of one that no force reaches into, to be solved.
#[derive(Clone, Copy, Debug)]
pub struct Row<'a> {
    /// The law of each contact.
    pub springs: &'a [Spring],
    /// Compressions at the start, m.
    pub x_m: &'a [f64],
    /// What each would change by without any force, m.
    pub free_m: &'a [f64],
    /// What a newton moves each ball, m/N: one more than there are contacts.
    pub mobility_m_per_n: &'a [f64],
    /// Length of the step, s.
    pub h_s: f64,
}

impl Row<'_> {
    /// Forces, from a first guess of them; none if they did not settle.
    pub fn solve(&self, guess_n: &[f64]) -> Option<Forces> {
        let (count, b) = (self.springs.len(), self.mobility_m_per_n);
        let mut f = [0.0; MOST_CONTACTS];
        f[..count].copy_from_slice(&guess_n[..count]);
        let mut d = self.ways(&f);
        f = [0.0; MOST_CONTACTS];
        let mut slope = [0.0; MOST_CONTACTS];
        let mut last_n = f64::INFINITY;
        for _ in 0..MOST_ROUNDS {
            let mut changed = 0.0f64;
            for i in 0..count {
                let before = f[i];
                (f[i], slope[i]) = self.force_and_slope(i, d[i]);
                changed = changed.max((f[i] - before).abs());
            }
            let all_n: f64 = f[..count].iter().sum();
            if !all_n.is_finite() {
                return None;
            }
            let ways = self.ways(&f);
            let largest = f[..count].iter().fold(0.0f64, |most, &force| most.max(force));
            let longest = self.free_m[..count].iter().fold(0.0f64, |most, way| most.max(way.abs()));
            // What d is off, and what that comes to in newtons.
            let off_m = (0..count).fold(0.0f64, |most, i| most.max((d[i] - ways[i]).abs()));
            let noise_m = 4.0 * f64::EPSILON * longest;
            let steepest = slope[..count].iter().fold(0.0f64, |most, &slope| most.max(slope));
            if off_m * steepest <= 1e-14 * largest || off_m <= noise_m {
                return Some(f);
            }
            if !off_m.is_finite() || (changed >= last_n && off_m * steepest <= 1e-12 * largest) {
                return off_m.is_finite().then_some(f);
            }
            last_n = changed;
            // (1 + B diag(slope)) delta = ways - d, by elimination downwards and back.
            let mut upper = [0.0; MOST_CONTACTS];
            let mut delta = [0.0; MOST_CONTACTS];
            for i in 0..count {
                let left = if i > 0 { -b[i] * slope[i - 1] } else { 0.0 };
                let (above, found) = if i > 0 { (upper[i - 1], delta[i - 1]) } else { (0.0, 0.0) };
                let pivot = 1.0 + (b[i] + b[i + 1]) * slope[i] - left * above;
                upper[i] = if i + 1 < count { -b[i + 1] * slope[i + 1] / pivot } else { 0.0 };
                delta[i] = (ways[i] - d[i] - left * found) / pivot;
            }
            for i in (0..count).rev() {
                if i + 1 < count {
                    delta[i] -= upper[i] * delta[i + 1];
                }
                d[i] += delta[i];
            }
            // What the next round would bring goes with the square of this one's error: where that is nothing, the slopes
            // say it.
            if off_m * steepest <= NEAR * largest {
                let pushes = |i: usize| slope[i] == 0.0 || f[i] + slope[i] * delta[i] > 0.0;
                if (0..count).all(pushes) {
                    (0..count).for_each(|i| f[i] += slope[i] * delta[i]);
                    return Some(f);
                }
            }
        }
        None
    }

    /// What the compressions change by under forces, m.
    fn ways(&self, f: &Forces) -> Forces {
        let (count, b) = (self.springs.len(), self.mobility_m_per_n);
        let mut ways = [0.0; MOST_CONTACTS];
        for i in 0..count {
            ways[i] = self.free_m[i] + pushed_m(b, f, i) - (b[i] + b[i + 1]) * f[i];
        }
        ways
    }

    /// Mean force of a contact over the step, N, and how it grows with d, N/m: `g' = (V'(x + d) - g)/d`, and what the
    /// dampings add to it. The force is that of [`mean_force_n`](crate::contact::law::SpringFrom::mean_force_n).
    fn force_and_slope(&self, i: usize, d: f64) -> (f64, f64) {
        let (spring, x, h) = (&self.springs[i], self.x_m[i], self.h_s);
        if x <= 0.0 && x + d <= 0.0 {
            return (0.0, 0.0);
        }
        let damping = 1.0 + spring.mu_s_per_m() * d / h;
        if damping <= 0.0 {
            return (0.0, 0.0);
        }
        let gradient = spring.discrete_gradient_n(x, d);
        let rise = if d.abs() > 1e-4 * x.abs() {
            (spring.elastic_n(x + d) - gradient) / d
        } else {
            0.5 * spring.alpha() * gradient / x
        };
        let slope = (rise * damping + gradient * spring.mu_s_per_m() / h).max(0.0);
        let c = spring.damper_n_s_per_m();
        if c == 0.0 {
            return (gradient * damping, slope);
        }
        let within_m = if x > 0.0 { d } else { x + d };
        let force = gradient * damping + c * within_m / h;
        if force > 0.0 { (force, slope + c / h) } else { (0.0, 0.0) }
    }
}
