//! Wave numbers of discs, solved from their characteristic equations (Leissa, NASA SP-160).

use ictus::body::shape::disc::{Disc, DiscMode, i_scaled, j};

/// Poisson's ratio of the free plate in the table.
pub const POISSON: f64 = 0.33;

/// J_m(k), k J'_m(k), and the same of I, both times e^-k.
fn edge(m: u32, k: f64) -> [f64; 4] {
    let n = f64::from(m);
    let (j0, i0) = (j(m, k), i_scaled(m, k));
    [j0, n * j0 - k * j(m + 1, k), i0, n * i0 + k * i_scaled(m + 1, k)]
}

/// Zero at a wave number with m diameters.
pub fn characteristic(disc: Disc, m: u32, k: f64, poisson: f64) -> f64 {
    let [j0, j1, i0, i1] = edge(m, k);
    let (n2, soft) = (f64::from(m * m), 1.0 - poisson);
    match disc {
        Disc::Membrane => j0,
        Disc::Clamped => j0 * i1 - i0 * j1,
        Disc::Free => {
            let moment_j = k * k * j0 + soft * (j1 - n2 * j0);
            let moment_i = k * k * i0 - soft * (i1 - n2 * i0);
            let shear_j = k * k * j1 + soft * n2 * (j1 - j0);
            let shear_i = k * k * i1 - soft * n2 * (i1 - i0);
            moment_j * shear_i - moment_i * shear_j
        }
    }
}

/// C e^k of `J_m(kr) + C I_m(kr)`, from the first edge condition.
fn share_of_i(disc: Disc, m: u32, k: f64, poisson: f64) -> f64 {
    let [j0, j1, i0, i1] = edge(m, k);
    let (n2, soft) = (f64::from(m * m), 1.0 - poisson);
    match disc {
        Disc::Membrane => 0.0,
        Disc::Clamped => -j0 / i0,
        Disc::Free => (k * k * j0 + soft * (j1 - n2 * j0)) / (k * k * i0 - soft * (i1 - n2 * i0)),
    }
}

/// The rows of the lowest `modes` modes, pairs counted twice.
pub fn solve(disc: Disc, poisson: f64, modes: usize) -> Vec<DiscMode> {
    let mut rows = Vec::new();
    for m in 0..60u32 {
        // Below the first zero the sign is constant; rigid motions are at k = 0.
        let step = 0.05;
        let mut low = 0.5;
        while low < 40.0 {
            let high = low + step;
            let at = |k| characteristic(disc, m, k, poisson);
            // Skips a function that is pure rounding: for m > k it decays below any digit.
            if at(low) * at(high) < 0.0 {
                let (mut a, mut b) = (low, high);
                for _ in 0..100 {
                    let middle = 0.5 * (a + b);
                    if at(a) * at(middle) <= 0.0 { b = middle } else { a = middle }
                }
                let k = 0.5 * (a + b);
                let mut row = DiscMode {
                    diameters: m as u8,
                    k,
                    c: share_of_i(disc, m, k, poisson),
                    scale: 1.0,
                };
                row.scale = 1.0 / mean_square(&row).sqrt();
                rows.push(row);
            }
            low = high;
        }
    }
    rows.sort_by(|a, b| a.k.total_cmp(&b.k));
    let mut count = 0;
    rows.retain(|row| {
        let kept = count < modes;
        count += if row.diameters == 0 { 1 } else { 2 };
        kept
    });
    rows
}

/// The scale of the shape over the disc, by Simpson's rule; a cosine's mean square is 1/2.
fn mean_square(row: &DiscMode) -> f64 {
    const STEPS: usize = 2000;
    let mut sum = 0.0;
    for n in 0..=STEPS {
        let r = n as f64 / STEPS as f64;
        let weight = if n == 0 || n == STEPS {
            1.0
        } else if n % 2 == 1 {
            4.0
        } else {
            2.0
        };
        sum += weight * 2.0 * r * row.radial(r).powi(2);
    }
    sum / (3 * STEPS) as f64 * if row.diameters == 0 { 1.0 } else { 0.5 }
}
