//! Simultaneous solution of all contacts of a chain.
//!
//! With d the change of each compression over a step, `d = free - B f(d)`, where B is tridiagonal:
//! a force changes its own compression through both of its balls, and each neighbouring one through
//! the shared ball. A Newton step is therefore a tridiagonal system. Forces grow with d, so the
//! system is diagonally dominant up to a scaling of its columns and needs no pivoting. Starting
//! from the forces of the last step, the iteration converges in three or four rounds.

use crate::contact::integrator::passive::{self, Reach};
use arrayvec::ArrayVec;

use super::{Forces, MAX_CONTACTS};
use crate::contact::law::{Spring, SpringFrom};

/// Largest number of Newton iterations; [`sweep`] is the fallback.
pub const MAX_ROUNDS: u32 = 12;

/// Error of the forces, relative to the largest, whose square is below rounding.
const NEAR: f64 = 1e-8;

/// Change of a compression caused by the forces of both neighbours, m.
pub fn pushed_m(mobility_m_per_n: &[f64], f: &Forces, contact: usize) -> f64 {
    let before = if contact > 0 { f[contact - 1] } else { 0.0 };
    let after = if contact + 2 < mobility_m_per_n.len() { f[contact + 1] } else { 0.0 };
    mobility_m_per_n[contact] * before + mobility_m_per_n[contact + 1] * after
}

/// The step equations of a chain, or of an isolated part of one.
#[derive(Clone, Copy, Debug)]
pub struct Row<'a> {
    /// Force law of each contact.
    pub springs: &'a [Spring],
    /// Compressions at the start, m.
    pub x_m: &'a [f64],
    /// Changes of the compressions in the absence of forces, m.
    pub free_m: &'a [f64],
    /// Displacement of each ball per force, m/N; one entry more than contacts.
    pub mobility_m_per_n: &'a [f64],
    /// Length of the step, s.
    pub h_s: f64,
}

/// Forces with a zero before the first contact and after the last.
type Padded = [f64; MAX_CONTACTS + 2];

/// State of one iteration: forces, their slopes, the resulting changes of the compressions, and the
/// residual.
struct Round {
    /// Forces, N; contact `i` is at index `i + 1`.
    f: Padded,
    slope: Forces,
    ways: Forces,
    off_m: f64,
    largest: f64,
    steepest: f64,
    changed: f64,
}

impl Row<'_> {
    /// Solves for the forces from an initial guess; `None` if the iteration does not converge.
    pub fn solve(&self, guess_n: &[f64]) -> Option<Forces> {
        let count = self.springs.len().min(MAX_CONTACTS);
        if count == 1 {
            let mut forces = [0.0; MAX_CONTACTS];
            forces[0] = self.solve_one(guess_n[0])?;
            return Some(forces);
        }
        let b = &self.mobility_m_per_n[..=count];
        let from: ArrayVec<SpringFrom, MAX_CONTACTS> = self.springs[..count]
            .iter()
            .zip(self.x_m)
            .map(|(spring, &x_m)| spring.from(x_m))
            .collect();
        let longest = self.free_m[..count].iter().fold(0.0, |max, way| larger(max, way.abs()));
        let noise_m = 4.0 * f64::EPSILON * longest;
        let mut round = Round {
            f: [0.0; MAX_CONTACTS + 2],
            slope: [0.0; MAX_CONTACTS],
            ways: [0.0; MAX_CONTACTS],
            off_m: 0.0,
            largest: 0.0,
            steepest: 0.0,
            changed: 0.0,
        };
        round.f[1..=count].copy_from_slice(&guess_n[..count]);
        let mut d = [0.0; MAX_CONTACTS];
        self.ways(&round.f, &mut d[..count]);
        round.f[1..=count].fill(0.0);
        let mut last_n = f64::INFINITY;
        for _ in 0..MAX_ROUNDS {
            if !self.look(&mut round, &from, &d[..count]) {
                return None;
            }
            let Round { off_m, largest, steepest, changed, .. } = round;
            // If the guess opens every contact, no force sets the scale of the error; the next
            // iteration continues from zero forces.
            let pushes = largest > 0.0;
            if (pushes && off_m * steepest <= 1e-14 * largest) || off_m <= noise_m {
                return Some(unpadded(&round.f));
            }
            if !off_m.is_finite() || (changed >= last_n && off_m * steepest <= 1e-12 * largest) {
                return off_m.is_finite().then(|| unpadded(&round.f));
            }
            last_n = changed;
            let delta = correction(b, &round.slope[..count], &round.ways[..count], &d[..count]);
            for (d, delta) in d[..count].iter_mut().zip(delta) {
                *d += delta;
            }
            // Convergence is quadratic. Where the next correction is below rounding, the slopes
            // give the final forces.
            if pushes && off_m * steepest <= NEAR * largest {
                let Round { f, slope, .. } = &mut round;
                let f = &mut f[1..=count];
                let stays = |i: usize| slope[i] == 0.0 || f[i] + slope[i] * delta[i] > 0.0;
                if (0..count).all(stays) {
                    (0..count).for_each(|i| f[i] += slope[i] * delta[i]);
                    return Some(unpadded(&round.f));
                }
            }
        }
        None
    }

    /// Solves a single contact.
    fn solve_one(&self, guess_n: f64) -> Option<f64> {
        let (spring, x_m, free_m) = (&self.springs[0], self.x_m[0], self.free_m[0]);
        let mobility = self.mobility_m_per_n[0] + self.mobility_m_per_n[1];
        let from = spring.from(x_m);
        let noise_m = 4.0 * f64::EPSILON * free_m.abs();
        let mut d = free_m - mobility * guess_n;
        let (mut force, mut last_n) = (0.0, f64::INFINITY);
        for _ in 0..MAX_ROUNDS {
            let before = force;
            let slope;
            (force, slope) = force_and_slope(spring, &from, x_m, d, self.h_s);
            let (changed, way) = ((force - before).abs(), free_m - mobility * force);
            let off_m = (d - way).abs();
            if !(force.is_finite() && off_m.is_finite()) {
                return None;
            }
            let (pushes, off_n) = (force > 0.0, off_m * slope);
            let is_right = off_n <= 1e-14 * force || (changed >= last_n && off_n <= 1e-12 * force);
            if (pushes && is_right) || off_m <= noise_m {
                return Some(force);
            }
            last_n = changed;
            let delta = (way - d) / (1.0 + mobility * slope);
            d += delta;
            if pushes && off_n <= NEAR * force && (slope == 0.0 || force + slope * delta > 0.0) {
                return Some(force + slope * delta);
            }
        }
        None
    }

    /// Evaluates forces and resulting changes for `d`. Returns false if a force is not finite.
    fn look(&self, round: &mut Round, from: &[SpringFrom], d: &[f64]) -> bool {
        (round.largest, round.steepest, round.changed) = (0.0, 0.0, 0.0);
        let mut all_n = 0.0;
        for (i, (from, &d)) in from.iter().zip(d).enumerate() {
            let before = round.f[i + 1];
            let (force, slope) = force_and_slope(&self.springs[i], from, self.x_m[i], d, self.h_s);
            (round.f[i + 1], round.slope[i]) = (force, slope);
            round.changed = larger(round.changed, (force - before).abs());
            round.largest = larger(round.largest, force);
            round.steepest = larger(round.steepest, slope);
            all_n += force;
        }
        self.ways(&round.f, &mut round.ways[..d.len()]);
        round.off_m =
            d.iter().zip(&round.ways).fold(0.0, |max, (d, way)| larger(max, (d - way).abs()));
        all_n.is_finite()
    }

    /// Changes of the compressions under the given forces, m.
    fn ways(&self, f: &Padded, ways: &mut [f64]) {
        let near = self.free_m.iter().zip(self.mobility_m_per_n.windows(2)).zip(f.windows(3));
        for (way, ((free_m, b), f)) in ways.iter_mut().zip(near) {
            *way = free_m + (b[0] * f[0] + b[1] * f[2]) - (b[0] + b[1]) * f[1];
        }
    }
}

/// Solves `(1 + B diag(slope)) delta = ways - d` with the Thomas algorithm.
fn correction(b: &[f64], slope: &[f64], ways: &[f64], d: &[f64]) -> Forces {
    let mut upper = [0.0; MAX_CONTACTS];
    let mut delta = [0.0; MAX_CONTACTS];
    let (mut above, mut found, mut steep) = (0.0, 0.0, 0.0);
    for (i, b) in b.windows(2).enumerate() {
        let left = -b[0] * steep;
        steep = slope[i];
        let per_pivot = 1.0 / (1.0 + (b[0] + b[1]) * steep - left * above);
        above = slope.get(i + 1).map_or(0.0, |next| -b[1] * next * per_pivot);
        found = (ways[i] - d[i] - left * found) * per_pivot;
        (upper[i], delta[i]) = (above, found);
    }
    let mut after = 0.0;
    for (delta, upper) in delta[..slope.len()].iter_mut().zip(upper).rev() {
        *delta -= upper * after;
        after = *delta;
    }
    delta
}

/// Mean force of a contact over the step, N, and its slope in d, N/m.
///
/// The slope is `g' = (V'(x + d) - g)/d` plus the contribution of the damping. The force equals
/// [`SpringFrom::mean_force_n`].
#[inline]
fn force_and_slope(spring: &Spring, from: &SpringFrom, x: f64, d: f64, h: f64) -> (f64, f64) {
    if x <= 0.0 && x + d <= 0.0 {
        return (0.0, 0.0);
    }
    let (mu, c) = (spring.mu_s_per_m() / h, spring.damper_n_s_per_m());
    let damping = 1.0 + mu * d;
    if damping <= 0.0 {
        return (0.0, 0.0);
    }
    let gradient = from.gradient_n(d);
    let rise = if d.abs() > 1e-4 * x.abs() {
        (spring.elastic_n(x + d) - gradient) / d
    } else {
        0.5 * spring.alpha() * gradient / x
    };
    let slope = larger(0.0, rise * damping + gradient * mu);
    if c == 0.0 {
        return (gradient * damping, slope);
    }
    let within_m = if x > 0.0 { d } else { x + d };
    let force = gradient * damping + c * within_m / h;
    if force > 0.0 { (force, slope + c / h) } else { (0.0, 0.0) }
}

/// The larger of two numbers; the first if the second is NaN.
///
/// Unlike `f64::max`, this compiles to one instruction.
#[inline]
fn larger(a: f64, b: f64) -> f64 {
    if b > a { b } else { a }
}

fn unpadded(f: &Padded) -> Forces {
    let mut forces = [0.0; MAX_CONTACTS];
    forces.copy_from_slice(&f[1..=MAX_CONTACTS]);
    forces
}

#[cfg(test)]
mod tests;

/// Largest number of sweeps over the contacts in one step.
pub const MAX_SWEEPS: u32 = 24;

/// Solves the forces by Gauss-Seidel sweeps. Returns them and whether they converged.
///
/// Slower than Newton's method, but it converges where Newton's method does not.
pub fn sweep(row: &Row, guess_n: &[f64]) -> (Forces, bool) {
    let mut f = [0.0; MAX_CONTACTS];
    f[..guess_n.len()].copy_from_slice(guess_n);
    let (contacts, b) = (row.springs.len(), row.mobility_m_per_n);
    let mut unsettled = false;
    for sweep in 0..MAX_SWEEPS {
        let mut change = 0.0f64;
        // Force changes below this value are rounding errors of the motion.
        let mut noise = 0.0f64;
        let mut largest = 0.0f64;
        for i in 0..contacts {
            let reach = Reach {
                x_m: row.x_m[i],
                free_m: row.free_m[i] + pushed_m(b, &f, i),
                mobility_m_per_n: b[i] + b[i + 1],
                h_s: row.h_s,
                guess_n: f[i],
            };
            let push = passive::solve(&row.springs[i], &reach);
            unsettled |= !push.settled;
            change = change.max((push.force_n - f[i]).abs());
            largest = largest.max(push.force_n);
            noise = noise.max(4.0 * f64::EPSILON * reach.free_m.abs() / reach.mobility_m_per_n);
            f[i] = push.force_n;
        }
        if change <= 1e-14 * largest + noise {
            break;
        }
        unsettled |= sweep + 1 == MAX_SWEEPS && change > 1e-9 * largest + noise;
    }
    (f, !unsettled)
}
