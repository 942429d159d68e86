//! The forces of all contact bodies over one step.
//!
//! With d the changes of compression and A the mobilities (of the surface between all slots, and
//! each body's own on the diagonal), `d = free - A F` and `F_a` is a growing function of `d_a`. A
//! is symmetric and positive definite, so the forces are the minimum of a convex function. One
//! body: one scalar equation. Several bodies that stay in contact: Newton's method (`newton`).
//! Otherwise Gauss–Seidel (`search`), which always converges but slowly where the bodies press on
//! the same light point; Newton steps accelerate it, and are taken only where they reduce the
//! residual.

use super::super::integrator::passive::{self, Push, Reach};
use super::super::law::Spring;
use super::{CompliantSurface, MAX_CONTACT_SLOTS, OccupiedSlot, gained_energy_j};

/// Maximum Gauss–Seidel rounds. Three to six are usual.
const MAX_ROUNDS: u32 = 48;
/// Rounding of a displacement, as a share of the sum of its terms.
const ROUNDING: f64 = 4.0 * f64::EPSILON;
/// Maximum evaluations of the laws in Newton's method, before the search takes over.
const MAX_EVALUATIONS: u32 = 4;
/// Gauss–Seidel rounds before Newton steps.
const ROUNDS_BEFORE_NEWTON: u32 = 2;

type Matrix = [[f64; MAX_CONTACT_SLOTS]; MAX_CONTACT_SLOTS];

/// The mobilities, which are the same for all steps of one length.
#[derive(Debug)]
pub struct Problem {
    /// Mobilities of the surface between slots, m/N.
    surface: Matrix,
}

/// The part of one contact body in a step.
#[derive(Clone, Copy)]
struct Part {
    slot: usize,
    spring: Spring,
    reach: Reach,
}

impl Problem {
    /// Mobilities between the slots that are `near`.
    pub fn new(surface: &impl CompliantSurface, near: &[bool; MAX_CONTACT_SLOTS]) -> Self {
        let mut matrix = [[0.0; MAX_CONTACT_SLOTS]; MAX_CONTACT_SLOTS];
        for a in (0..MAX_CONTACT_SLOTS).filter(|&a| near[a]) {
            for b in (0..=a).filter(|&b| near[b]) {
                // Symmetric.
                matrix[a][b] = surface.mobility_m_per_n(a, b);
                matrix[b][a] = matrix[a][b];
            }
        }
        Self { surface: matrix }
    }

    /// Makes one step of the surface and all contact bodies. Returns false if it did not converge;
    /// the energy it gained is then taken from the motion of the bodies.
    pub fn step(
        &mut self,
        surface: &mut impl CompliantSurface,
        contact_bodies: &mut [OccupiedSlot<'_>],
        h_s: f64,
    ) -> bool {
        let mut parts = arrayvec::ArrayVec::<Part, MAX_CONTACT_SLOTS>::new();
        for OccupiedSlot { slot, contact_body } in contact_bodies.iter_mut() {
            let reach = contact_body.reach(surface.free_m(*slot), h_s);
            let _ = parts.try_push(Part::new(*slot, *contact_body.spring(), reach));
        }
        let mut forces_n = [0.0; MAX_CONTACT_SLOTS];
        let pushes = self.solve(&parts);
        for (part, push) in parts.iter().zip(&pushes) {
            forces_n[part.slot] = push.force_n;
        }
        surface.push(&forces_n);
        let mut settled = true;
        for ((OccupiedSlot { contact_body, .. }, part), push) in
            contact_bodies.iter_mut().zip(&parts).zip(&pushes)
        {
            contact_body.accept(push, h_s);
            if !push.settled {
                settled = false;
                contact_body.dissipate(gained_energy_j(&part.spring, part.reach.x_m, push));
            }
        }
        settled
    }

    fn solve(&self, parts: &[Part]) -> arrayvec::ArrayVec<Push, MAX_CONTACT_SLOTS> {
        if let [part] = parts {
            let own = self.surface[part.slot][part.slot];
            let reach = Reach { mobility_m_per_n: part.reach.mobility_m_per_n + own, ..part.reach };
            return [passive::follow(&part.spring, &reach)].into_iter().collect();
        }
        let system = System::new(&self.surface, parts);
        system.solve()
    }
}

/// The equations of several contact bodies.
struct System<'a> {
    parts: &'a [Part],
    /// Mobilities between all bodies, m/N.
    a: Matrix,
}

impl<'a> System<'a> {
    fn new(surface: &Matrix, parts: &'a [Part]) -> Self {
        let mut a = [[0.0; MAX_CONTACT_SLOTS]; MAX_CONTACT_SLOTS];
        for (i, p) in parts.iter().enumerate() {
            for (j, q) in parts.iter().enumerate() {
                a[i][j] =
                    surface[p.slot][q.slot] + if i == j { p.reach.mobility_m_per_n } else { 0.0 };
            }
        }
        Self { parts, a }
    }

    fn solve(&self) -> arrayvec::ArrayVec<Push, MAX_CONTACT_SLOTS> {
        let (forces, settled) =
            self.newton().map_or_else(|| self.search(), |forces| (forces, true));
        (0..self.parts.len())
            .map(|i| Push { force_n: forces[i], change_m: self.change_m(i, &forces), settled })
            .collect()
    }

    /// The forces, if all bodies in contact stay in contact throughout the step and no other
    /// begins; `None` otherwise, or if it does not converge fast.
    ///
    /// With `d = free - A F` the equations are `F_i - law_i(d_i) = 0`. A Newton step that changes
    /// `d_i` by delta leaves an error of `law''/2 delta^2` in `F_i`, and `law''` is about `law'/(4
    /// x)`: once that is below rounding for all, it is the last.
    fn newton(&self) -> Option<[f64; MAX_CONTACT_SLOTS]> {
        let n = self.parts.len();
        let presses = |i: usize| self.parts[i].reach.x_m > 0.0;
        let mut forces = [0.0; MAX_CONTACT_SLOTS];
        for i in (0..n).filter(|&i| presses(i)) {
            forces[i] = self.parts[i].reach.guess_n;
            if forces[i] <= 0.0 {
                return None;
            }
        }
        let mut settled = false;
        for _ in 0..MAX_EVALUATIONS {
            let mut matrix = [[0.0; MAX_CONTACT_SLOTS + 1]; MAX_CONTACT_SLOTS];
            let (mut slopes, mut changes_m) = ([0.0; MAX_CONTACT_SLOTS], [0.0; MAX_CONTACT_SLOTS]);
            for (i, part) in self.parts.iter().enumerate() {
                matrix[i][i] = 1.0;
                if !presses(i) {
                    continue;
                }
                let d = self.change_m(i, &forces);
                let law =
                    part.spring.from(part.reach.x_m).force_and_slope(d, 1.0 / part.reach.h_s)?;
                for (entry, mobility) in matrix[i].iter_mut().zip(&self.a[i][..n]) {
                    *entry += law.slope_n_per_m * mobility;
                }
                matrix[i][MAX_CONTACT_SLOTS] = law.force_n - forces[i];
                (slopes[i], changes_m[i]) = (law.slope_n_per_m, d);
            }
            let steps = eliminate(&mut matrix, n)?;
            settled = true;
            for i in (0..n).filter(|&i| presses(i)) {
                forces[i] += steps[i];
                if forces[i].is_nan() || forces[i] <= 0.0 {
                    return None;
                }
                let reach = &self.parts[i].reach;
                let delta: f64 =
                    self.a[i][..n].iter().zip(&steps).map(|(mobility, step)| mobility * step).sum();
                let (stiff, left) = (slopes[i] * self.a[i][i], delta * delta);
                let min_m = reach.x_m.min(reach.x_m + changes_m[i]);
                let rounding_m = f64::EPSILON * (reach.free_m.abs() + changes_m[i].abs());
                settled &= left * stiff <= rounding_m * min_m * (1.0 + stiff)
                    && left <= f64::EPSILON * min_m * min_m;
            }
            if settled {
                break;
            }
        }
        let stays_away =
            |i: usize| presses(i) || self.parts[i].reach.x_m + self.change_m(i, &forces) <= 0.0;
        (settled && (0..n).all(stays_away)).then_some(forces)
    }

    /// The forces, and whether they converged.
    fn search(&self) -> ([f64; MAX_CONTACT_SLOTS], bool) {
        let mut forces =
            std::array::from_fn(|i| self.parts.get(i).map_or(0.0, |part| part.reach.guess_n));
        for round in 0..MAX_ROUNDS {
            if round > ROUNDS_BEFORE_NEWTON {
                self.newton_step(&mut forces);
            }
            // Last, so that forces that did not converge still obey the law.
            if self.sweep(&mut forces) {
                return (forces, true);
            }
        }
        (forces, false)
    }

    /// Change of a compression under all forces, m.
    fn change_m(&self, i: usize, forces: &[f64; MAX_CONTACT_SLOTS]) -> f64 {
        let given: f64 = (0..self.parts.len()).map(|j| self.a[i][j] * forces[j]).sum();
        self.parts[i].reach.free_m - given
    }

    /// Solves for each body in turn with the other forces fixed. Returns whether all changed by
    /// rounding only.
    fn sweep(&self, forces: &mut [f64; MAX_CONTACT_SLOTS]) -> bool {
        let mut settled = true;
        for (i, part) in self.parts.iter().enumerate() {
            let old = forces[i];
            let (mut others_m, mut size_m) = (0.0, part.reach.free_m.abs() + self.a[i][i] * old);
            for j in (0..self.parts.len()).filter(|&j| j != i) {
                let given_m = self.a[i][j] * forces[j];
                others_m += given_m;
                size_m += given_m.abs();
            }
            let free_m = part.reach.free_m - others_m;
            let reach =
                Reach { free_m, mobility_m_per_n: self.a[i][i], guess_n: old, ..part.reach };
            let push = passive::solve(&part.spring, &reach);
            forces[i] = push.force_n;
            settled &=
                push.settled && self.a[i][i] * (push.force_n - old).abs() <= ROUNDING * size_m;
        }
        settled
    }

    /// Residual forces, and the largest of them as a displacement, m.
    fn residual_m(&self, forces: &[f64; MAX_CONTACT_SLOTS]) -> ([f64; MAX_CONTACT_SLOTS], f64) {
        let mut residual_n = [0.0; MAX_CONTACT_SLOTS];
        let mut worst = 0.0f64;
        for (i, part) in self.parts.iter().enumerate() {
            residual_n[i] = part.law_n(self.change_m(i, forces)) - forces[i];
            worst = worst.max(self.a[i][i] * residual_n[i].abs());
        }
        (residual_n, worst)
    }

    /// A Newton step on `law(free - A F) - F = 0`, if it reduces the residual.
    fn newton_step(&self, forces: &mut [f64; MAX_CONTACT_SLOTS]) {
        let n = self.parts.len();
        let (residual_n, far) = self.residual_m(forces);
        let mut matrix = [[0.0; MAX_CONTACT_SLOTS + 1]; MAX_CONTACT_SLOTS];
        for (i, part) in self.parts.iter().enumerate() {
            let d = self.change_m(i, forces);
            let tiny = 1e-7 * (d.abs() + part.reach.free_m.abs());
            let slope = if tiny > 0.0 {
                ((part.law_n(d + tiny) - part.law_n(d)) / tiny).max(0.0)
            } else {
                0.0
            };
            for (j, entry) in matrix[i].iter_mut().take(n).enumerate() {
                *entry = slope * self.a[i][j] + if i == j { 1.0 } else { 0.0 };
            }
            matrix[i][MAX_CONTACT_SLOTS] = residual_n[i];
        }
        let Some(step) = eliminate(&mut matrix, n) else { return };
        let mut tried = *forces;
        for i in 0..n {
            tried[i] = (tried[i] + step[i]).max(0.0);
        }
        if self.residual_m(&tried).1 < far {
            *forces = tried;
        }
    }
}

impl Part {
    fn new(slot: usize, spring: Spring, reach: Reach) -> Self {
        Self { slot, spring, reach }
    }

    fn law_n(&self, d_m: f64) -> f64 {
        self.spring.mean_force_n(self.reach.x_m, d_m, self.reach.h_s)
    }
}

/// Gaussian elimination with pivots; the right side is the last column. None if the matrix is
/// singular.
fn eliminate(
    matrix: &mut [[f64; MAX_CONTACT_SLOTS + 1]; MAX_CONTACT_SLOTS],
    n: usize,
) -> Option<[f64; MAX_CONTACT_SLOTS]> {
    for column in 0..n {
        let pivot = (column..n)
            .max_by(|&a, &b| matrix[a][column].abs().total_cmp(&matrix[b][column].abs()))?;
        matrix.swap(column, pivot);
        let head = matrix[column];
        if !(head[column].abs() > 0.0 && head[column].is_finite()) {
            return None;
        }
        for row in matrix.iter_mut().take(n).skip(column + 1) {
            let factor = row[column] / head[column];
            for (entry, above) in row.iter_mut().zip(head).skip(column) {
                *entry -= factor * above;
            }
        }
    }
    let mut solution = [0.0; MAX_CONTACT_SLOTS];
    for i in (0..n).rev() {
        let known: f64 = (i + 1..n).map(|j| matrix[i][j] * solution[j]).sum();
        solution[i] = (matrix[i][MAX_CONTACT_SLOTS] - known) / matrix[i][i];
    }
    Some(solution)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::HuntCrossley;
    use crate::contact::integrator::passive::Reach;

    /// Three masses on a body: two in contact, and the third `gap_m` away.
    fn parts(guess: f64, gap_m: f64) -> [Part; 3] {
        let spring =
            |stiffness, alpha| HuntCrossley { stiffness, mu_s_per_m: 0.3, alpha }.prepare();
        let part = |slot, spring, x_m, free_m, guess_n| {
            let reach = Reach { x_m, free_m, mobility_m_per_n: 1e-10, h_s: 1e-5, guess_n };
            Part::new(slot, spring, reach)
        };
        let (soft, hard) = (spring(1e7, 1.5), spring(1e9, 2.2));
        [
            part(0, soft, 1e-5, 2e-7, guess * soft.elastic_n(1e-5)),
            part(1, hard, 3e-5, -4e-7, guess * hard.elastic_n(3e-5)),
            part(2, soft, -gap_m, 1e-8, 0.0),
        ]
    }

    fn surface(mobility_m_per_n: f64) -> [[f64; MAX_CONTACT_SLOTS]; MAX_CONTACT_SLOTS] {
        std::array::from_fn(|i| {
            std::array::from_fn(|j| mobility_m_per_n * if i == j { 1.0 } else { 0.9 })
        })
    }

    #[test]
    fn newton_agrees_with_the_search() {
        let mut found = 0;
        for mobility in [1e-12, 1e-9, 1e-6] {
            for guess in [0.8, 0.99, 1.0, 1.1] {
                let parts = parts(guess, 1e-3);
                let system = System::new(&surface(mobility), &parts);
                let (wanted, settled) = system.search();
                assert!(settled);
                let Some(forces) = system.newton() else { continue };
                found += 1;
                for i in 0..3 {
                    let size_m: f64 =
                        (0..3).map(|j| system.a[i][j] * wanted[j]).sum::<f64>() + 4e-7;
                    let off_m = system.a[i][i] * (forces[i] - wanted[i]).abs();
                    assert!(
                        off_m <= 16.0 * f64::EPSILON * size_m,
                        "{mobility:e} {guess}: {forces:?} {wanted:?}"
                    );
                }
            }
        }
        assert!(found >= 8, "{found}");
    }

    #[test]
    fn newton_rejects_a_contact_that_begins() {
        assert!(System::new(&surface(1e-9), &parts(1.0, 1e-3)).newton().is_some());
        assert!(System::new(&surface(1e-9), &parts(1.0, 1e-9)).newton().is_none());
        assert!(
            System::new(&surface(1e-9), &parts(0.0, 1e-3)).newton().is_none(),
            "no initial guess"
        );
    }
}
