//! Solution of least norm of a square, possibly singular, linear system.
//!
//! Complete orthogonal decomposition: Householder factorisation with column pivoting, ended at the
//! numerical rank and completed from the right (Golub and Van Loan). The rank for one rigid body is
//! at most 6, so that a system of any size costs six reflections.

use super::{MAX_ROWS, Rows};

/// Pivots below this share of the first one count as rounding.
pub const ROUNDING: f64 = 1e-12;

/// A factorised square system.
pub struct Factor {
    size: usize,
    rank: usize,
    /// The triangular factor above the diagonal, the reflections below it.
    m: [[f64; MAX_ROWS]; MAX_ROWS],
    left: Rows,
    right: Rows,
    order: [usize; MAX_ROWS],
}

impl Factor {
    /// An empty factorisation.
    ///
    /// Reusing one avoids clearing the whole matrix for a small system.
    pub const fn new() -> Self {
        Self {
            size: 0,
            rank: 0,
            m: [[0.0; MAX_ROWS]; MAX_ROWS],
            left: [0.0; MAX_ROWS],
            right: [0.0; MAX_ROWS],
            order: [0; MAX_ROWS],
        }
    }

    /// Factorises the system of `size` rows and columns with the given entries (row, column).
    ///
    /// Pivots below `nothing` times the first one count as zero.
    pub fn set(&mut self, size: usize, nothing: f64, entry: impl Fn(usize, usize) -> f64) {
        let size = size.min(MAX_ROWS);
        let Self { m, left, right, order, .. } = self;
        for row in 0..size {
            for column in 0..size {
                m[row][column] = entry(row, column);
            }
            (left[row], right[row], order[row]) = (0.0, 0.0, row);
        }
        let mut rank = 0;
        let mut first = 0.0;
        for step in 0..size {
            let (mut best, mut pivot) = (-1.0, step);
            for column in step..size {
                let square: f64 = m[step..size].iter().map(|row| row[column] * row[column]).sum();
                if square > best {
                    (best, pivot) = (square, column);
                }
            }
            let length = best.max(0.0).sqrt();
            if step == 0 {
                first = length;
            }
            if length <= nothing * first || length == 0.0 {
                break;
            }
            if pivot != step {
                order.swap(step, pivot);
                for row in &mut m[..size] {
                    row.swap(step, pivot);
                }
            }
            let head = m[step][step];
            let alpha = -length.copysign(head);
            let lead = head - alpha;
            // The reflection is 1 - tau u u^T with u = (1, below/lead).
            left[step] = -lead / alpha;
            for row in &mut m[step + 1..size] {
                row[step] /= lead;
            }
            m[step][step] = alpha;
            for column in step + 1..size {
                let mut sum = m[step][column];
                for row in &m[step + 1..size] {
                    sum += row[step] * row[column];
                }
                sum *= left[step];
                m[step][column] -= sum;
                for row in &mut m[step + 1..size] {
                    row[column] -= sum * row[step];
                }
            }
            rank += 1;
        }
        if rank < size {
            // Eliminate the columns beyond the rank, from the last row of the triangle upwards.
            for step in (0..rank).rev() {
                let tail: f64 = m[step][rank..size].iter().map(|value| value * value).sum();
                if tail == 0.0 {
                    continue;
                }
                let head = m[step][step];
                let alpha = -(head * head + tail).sqrt().copysign(head);
                let lead = head - alpha;
                right[step] = -lead / alpha;
                m[step][step] = alpha;
                for column in rank..size {
                    m[step][column] /= lead;
                }
                for row in 0..step {
                    let mut sum = m[row][step];
                    for column in rank..size {
                        sum += m[row][column] * m[step][column];
                    }
                    sum *= right[step];
                    m[row][step] -= sum;
                    for column in rank..size {
                        m[row][column] -= sum * m[step][column];
                    }
                }
            }
        }
        (self.size, self.rank) = (size, rank);
    }

    /// The numerical rank.
    pub fn rank(&self) -> usize {
        self.rank
    }

    /// The solution of least norm for one right-hand side.
    pub fn solve(&self, mut b: Rows) -> Rows {
        let (size, rank) = (self.size, self.rank);
        for step in 0..rank {
            let mut sum = b[step];
            for row in step + 1..size {
                sum += self.m[row][step] * b[row];
            }
            sum *= self.left[step];
            b[step] -= sum;
            for row in step + 1..size {
                b[row] -= sum * self.m[row][step];
            }
        }
        for step in (0..rank).rev() {
            let mut value = b[step];
            for column in step + 1..rank {
                value -= self.m[step][column] * b[column];
            }
            b[step] = value / self.m[step][step];
        }
        b[rank..size].fill(0.0);
        for step in 0..rank {
            if self.right[step] == 0.0 {
                continue;
            }
            let mut sum = b[step];
            for column in rank..size {
                sum += self.m[step][column] * b[column];
            }
            sum *= self.right[step];
            b[step] -= sum;
            for column in rank..size {
                b[column] -= sum * self.m[step][column];
            }
        }
        let mut x = [0.0; MAX_ROWS];
        for step in 0..size {
            x[self.order[step]] = b[step];
        }
        x
    }
}

impl Default for Factor {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn system(size: usize, rank: usize, seed: u64) -> [[f64; MAX_ROWS]; MAX_ROWS] {
        let mut state = seed;
        let mut next = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1u64 << 53) as f64 - 0.5
        };
        let mut m = [[0.0; MAX_ROWS]; MAX_ROWS];
        for _ in 0..rank {
            let (u, v): (Vec<f64>, Vec<f64>) = (0..size).map(|_| (next(), next())).unzip();
            for i in 0..size {
                for j in 0..size {
                    m[i][j] += u[i] * v[j];
                }
            }
        }
        m
    }

    #[test]
    fn a_redundant_system_is_met_with_the_least_norm() {
        for (size, rank) in [(3, 3), (6, 3), (12, 6), (24, 6), (8, 8), (5, 1)] {
            for seed in 0..50 {
                let m = system(size, rank, seed * 7 + size as u64);
                let wanted: Rows = std::array::from_fn(|i| {
                    if i < size { (i as f64 * 0.7 + seed as f64).sin() } else { 0.0 }
                });
                let times = |x: &Rows| -> Rows {
                    std::array::from_fn(|i| (0..size).map(|j| m[i][j] * x[j]).sum::<f64>())
                };
                let b = times(&wanted);
                let mut factor = Factor::new();
                // Previous contents must not affect the result.
                factor.set(MAX_ROWS, ROUNDING, |i, j| (i * 7 + j) as f64);
                factor.set(size, ROUNDING, |i, j| m[i][j]);
                assert_eq!(factor.rank(), rank, "size {size} seed {seed}");
                let x = factor.solve(b);
                let back = times(&x);
                for i in 0..size {
                    assert!(
                        (back[i] - b[i]).abs() < 1e-9,
                        "{size} {rank} {seed}: {} {}",
                        back[i],
                        b[i]
                    );
                }
                // Least norm: x lies in the row space, so it is orthogonal to the difference from
                // any solution.
                let across: f64 = (0..size).map(|i| x[i] * (wanted[i] - x[i])).sum();
                assert!(across.abs() < 1e-8, "{size} {rank} {seed}: {across}");
            }
        }
    }
}
