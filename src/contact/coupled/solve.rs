//! The forces of all riders over one step.
//!
//! With d the changes of compression and A the mobilities (of the ground between all seats, and
//! each rider's own on the diagonal), `d = free - A F` and `F_a` is a growing function of `d_a`. A
//! is symmetric and positive, so the forces are the minimum of a convex function. One rider: one
//! scalar equation. Several that go on pressing: Newton's method (`together`). Else one after the
//! other (Gauss–Seidel), which cannot miss but may be slow where they press on the same light spot;
//! Newton steps then lead there, taken only where they come nearer.

use super::super::integrator::passive::{self, Push, Reach};
use super::super::law::Spring;
use super::{CompliantSurface, MAX_CONTACT_SLOTS, OccupiedSlot};

/// Most rounds over all riders. Three to six are usual.
const MAX_ROUNDS: u32 = 48;
/// Change of a displacement, as a share of all that goes into it, that is rounding.
const ROUNDING: f64 = 4.0 * f64::EPSILON;
/// Rounds without Newton steps.
const PATIENCE: u32 = 2;

type Matrix = [[f64; MAX_CONTACT_SLOTS]; MAX_CONTACT_SLOTS];

/// What stays the same for all steps of a sample.
#[derive(Debug)]
pub struct Problem {
    /// Mobilities of the ground between seats, m/N.
    ground: Matrix,
}

/// One rider's part in a step.
#[derive(Clone, Copy)]
pub(super) struct Part {
    slot: usize,
    pub spring: Spring,
    pub reach: Reach,
}

impl Problem {
    /// For riders on the seats that are `near`.
    pub fn new(ground: &impl CompliantSurface, near: &[bool; MAX_CONTACT_SLOTS]) -> Self {
        let mut matrix = [[0.0; MAX_CONTACT_SLOTS]; MAX_CONTACT_SLOTS];
        for a in (0..MAX_CONTACT_SLOTS).filter(|&a| near[a]) {
            for b in (0..=a).filter(|&b| near[b]) {
                // Symmetric: who pushes whom is all one.
                matrix[a][b] = ground.mobility_m_per_n(a, b);
                matrix[b][a] = matrix[a][b];
            }
        }
        Self { ground: matrix }
    }

    /// One step of the ground and all riders. Says no if it did not settle; then what energy it
    /// would have made is taken from the riders' own motion.
    pub fn step(
        &mut self,
        ground: &mut impl CompliantSurface,
        contact_bodies: &mut [OccupiedSlot<'_>],
        h_s: f64,
    ) -> bool {
        let mut parts = arrayvec::ArrayVec::<Part, MAX_CONTACT_SLOTS>::new();
        for OccupiedSlot { slot, contact_body } in contact_bodies.iter_mut() {
            let reach = contact_body.reach(ground.free_m(*slot), h_s);
            let _ = parts.try_push(Part::new(*slot, *contact_body.spring(), reach));
        }
        let mut forces_n = [0.0; MAX_CONTACT_SLOTS];
        let pushes = self.solve(&parts);
        for (part, push) in parts.iter().zip(&pushes) {
            forces_n[part.slot] = push.force_n;
        }
        ground.push(&forces_n);
        let mut settled = true;
        for ((OccupiedSlot { contact_body, .. }, part), push) in
            contact_bodies.iter_mut().zip(&parts).zip(&pushes)
        {
            contact_body.accept(push, h_s);
            if !push.settled {
                settled = false;
                let (spring, x_m) = (&part.spring, part.reach.x_m);
                let stored_j = spring.potential_j(x_m + push.change_m) - spring.potential_j(x_m);
                contact_body.dissipate((stored_j - push.force_n * push.change_m).max(0.0));
            }
        }
        settled
    }

    fn solve(&self, parts: &[Part]) -> arrayvec::ArrayVec<Push, MAX_CONTACT_SLOTS> {
        if let [part] = parts {
            let own = self.ground[part.slot][part.slot];
            let reach = Reach { mobility_m_per_n: part.reach.mobility_m_per_n + own, ..part.reach };
            return [passive::follow(&part.spring, &reach)].into_iter().collect();
        }
        let system = System::new(&self.ground, parts);
        system.solve()
    }
}

/// Several riders.
pub(super) struct System<'a> {
    pub parts: &'a [Part],
    /// Mobilities between all riders, m/N.
    pub a: Matrix,
}

impl<'a> System<'a> {
    pub(super) fn new(ground: &Matrix, parts: &'a [Part]) -> Self {
        let mut a = [[0.0; MAX_CONTACT_SLOTS]; MAX_CONTACT_SLOTS];
        for (i, p) in parts.iter().enumerate() {
            for (j, q) in parts.iter().enumerate() {
                a[i][j] =
                    ground[p.slot][q.slot] + if i == j { p.reach.mobility_m_per_n } else { 0.0 };
            }
        }
        Self { parts, a }
    }

    fn solve(&self) -> arrayvec::ArrayVec<Push, MAX_CONTACT_SLOTS> {
        let (forces, settled) =
            self.follow().map_or_else(|| self.search(), |forces| (forces, true));
        (0..self.parts.len())
            .map(|i| Push { force_n: forces[i], change_m: self.change_m(i, &forces), settled })
            .collect()
    }

    /// The forces, and whether they settled.
    pub(super) fn search(&self) -> ([f64; MAX_CONTACT_SLOTS], bool) {
        let mut forces =
            std::array::from_fn(|i| self.parts.get(i).map_or(0.0, |part| part.reach.guess_n));
        for round in 0..MAX_ROUNDS {
            if round > PATIENCE {
                self.newton_leap(&mut forces);
            }
            // Last of all, so that also what does not settle is a force of the law.
            if self.sweep(&mut forces) {
                return (forces, true);
            }
        }
        (forces, false)
    }

    /// Change of a compression under all forces, m.
    pub(super) fn change_m(&self, i: usize, forces: &[f64; MAX_CONTACT_SLOTS]) -> f64 {
        let given: f64 = (0..self.parts.len()).map(|j| self.a[i][j] * forces[j]).sum();
        self.parts[i].reach.free_m - given
    }

    /// Each rider in turn, the others' forces held. Says whether none of them moved by more than
    /// rounding.
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

    /// How far the law is from the forces, as displacement, m.
    fn residual_m(&self, forces: &[f64; MAX_CONTACT_SLOTS]) -> ([f64; MAX_CONTACT_SLOTS], f64) {
        let mut lacking = [0.0; MAX_CONTACT_SLOTS];
        let mut worst = 0.0f64;
        for (i, part) in self.parts.iter().enumerate() {
            lacking[i] = part.law_n(self.change_m(i, forces)) - forces[i];
            worst = worst.max(self.a[i][i] * lacking[i].abs());
        }
        (lacking, worst)
    }

    /// A Newton step on `law(free - A F) - F = 0`, if it comes nearer.
    fn newton_leap(&self, forces: &mut [f64; MAX_CONTACT_SLOTS]) {
        let n = self.parts.len();
        let (lacking, far) = self.residual_m(forces);
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
            matrix[i][MAX_CONTACT_SLOTS] = lacking[i];
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
    pub(super) fn new(slot: usize, spring: Spring, reach: Reach) -> Self {
        Self { slot, spring, reach }
    }

    fn law_n(&self, d_m: f64) -> f64 {
        self.spring.mean_force_n(self.reach.x_m, d_m, self.reach.h_s)
    }
}

/// Gaussian elimination with pivots; the right side is the last column. None if the matrix is
/// singular.
pub(super) fn eliminate(
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
