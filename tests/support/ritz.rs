//! The free rectangular plate by the method of Ritz with Legendre polynomials.
//!
//! Solves the table of `src/body/shape/plate` from the energy alone: thin plate (Kirchhoff), sides
//! a and b, `lambda = omega a^2 sqrt(rho h/D)`. The polynomials are scaled to a mean square of 1,
//! so the mass matrix is the identity and eigenvectors are shapes of mean square 1.

/// Stiffness divided by 16 for products of Legendre polynomials of one parity in x and one in y.
pub struct Problem {
    matrix: Vec<Vec<f64>>,
}

/// Derivative of the scaled polynomials: `P'_m = sum of G_mk P_k`, k = m-1, m-3, ...
fn derivative(size: usize) -> Vec<Vec<f64>> {
    let root = |m: usize| ((2 * m + 1) as f64).sqrt();
    let entry =
        |m: usize, k: usize| if k < m && (m - k) % 2 == 1 { root(m) * root(k) } else { 0.0 };
    (0..size).map(|m| (0..size).map(|k| entry(m, k)).collect()).collect()
}

fn product(a: &[Vec<f64>], b: &[Vec<f64>], transposed: bool) -> Vec<Vec<f64>> {
    let n = a.len();
    let cell = |i: usize, j: usize| {
        (0..n).map(|k| a[i][k] * if transposed { b[j][k] } else { b[k][j] }).sum()
    };
    (0..n).map(|i| (0..n).map(|j| cell(i, j)).collect()).collect()
}

impl Problem {
    /// `count` polynomials each way, even (0) or odd (1) in x and in y, for sides a/b = `aspect`.
    pub fn new(parity: (usize, usize), count: (usize, usize), aspect: f64, poisson: f64) -> Self {
        let size = 2 * count.0.max(count.1);
        let first = derivative(size);
        let second = product(&first, &first, false);
        let (d11, d22) = (product(&first, &first, true), product(&second, &second, true));
        let degrees: Vec<(usize, usize)> = (0..count.0)
            .flat_map(|i| (0..count.1).map(move |j| (2 * i + parity.0, 2 * j + parity.1)))
            .collect();
        let r2 = aspect * aspect;
        let same = |a: usize, b: usize| if a == b { 1.0 } else { 0.0 };
        let cell = |(m, n): (usize, usize), (p, q): (usize, usize)| {
            d22[m][p] * same(n, q)
                + r2 * r2 * same(m, p) * d22[n][q]
                + poisson * r2 * (second[m][p] * second[q][n] + second[p][m] * second[n][q])
                + 2.0 * (1.0 - poisson) * r2 * d11[m][p] * d11[n][q]
        };
        let matrix =
            degrees.iter().map(|a| degrees.iter().map(|b| cell(*a, *b)).collect()).collect();
        Self { matrix }
    }

    /// Every lambda with its shape, the lowest first, without the rigid motions.
    pub fn solve(self) -> Vec<(f64, Vec<f64>)> {
        let (values, vectors) = jacobi(self.matrix);
        let mut modes: Vec<(f64, Vec<f64>)> = values
            .into_iter()
            .zip(vectors)
            .map(|(value, vector)| (4.0 * value.max(0.0).sqrt(), vector))
            .filter(|(lambda, _)| *lambda > 0.5)
            .collect();
        modes.sort_by(|a, b| a.0.total_cmp(&b.0));
        modes
    }
}

/// Eigenvalues and eigenvectors (rows) of a symmetric matrix by Jacobi's rotations.
fn jacobi(mut a: Vec<Vec<f64>>) -> (Vec<f64>, Vec<Vec<f64>>) {
    let n = a.len();
    let mut v: Vec<Vec<f64>> =
        (0..n).map(|i| (0..n).map(|j| if i == j { 1.0 } else { 0.0 }).collect()).collect();
    for _ in 0..60 {
        let mut turned = false;
        for p in 0..n {
            for q in p + 1..n {
                let off = a[p][q];
                if off.abs() <= 1e-15 * (a[p][p] * a[q][q]).abs().sqrt() || off == 0.0 {
                    continue;
                }
                turned = true;
                let theta = (a[q][q] - a[p][p]) / (2.0 * off);
                let t = theta.signum() / (theta.abs() + theta.hypot(1.0));
                let t = if theta == 0.0 { 1.0 } else { t };
                let c = 1.0 / t.hypot(1.0);
                let s = t * c;
                // Rows first, then the two columns, so that memory is traversed by rows.
                let (low, high) = a.split_at_mut(q);
                turn(&mut low[p], &mut high[0], c, s);
                for row in &mut a {
                    let (x, y) = (row[p], row[q]);
                    row[p] = c * x - s * y;
                    row[q] = s * x + c * y;
                }
                let (low, high) = v.split_at_mut(q);
                turn(&mut low[p], &mut high[0], c, s);
            }
        }
        if !turned {
            break;
        }
    }
    ((0..n).map(|i| a[i][i]).collect(), v)
}

fn turn(p: &mut [f64], q: &mut [f64], c: f64, s: f64) {
    for (x, y) in p.iter_mut().zip(q) {
        (*x, *y) = (c * *x - s * *y, s * *x + c * *y);
    }
}
