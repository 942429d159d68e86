//! Every row of the tables of discs: its edge is held, clamped or free, and its mean square 1.

use super::close;
use crate::body::shape::disc::{Disc, DiscMode, MAX_ARGUMENT, MAX_ORDER, i_scaled, j};

const POISSON: f64 = 0.33;

/// `J_m + C I_m` at the edge and the first three derivatives of the radial part, by the recurrences
/// of both functions.
fn derivatives(row: &DiscMode) -> [f64; 4] {
    let (m, k) = (u32::from(row.diameters), row.k);
    let n = f64::from(m);
    let with = |f: f64, next: f64, sign: f64| {
        // f' = m f/x - sign f_(m+1); f'' from the equation of Bessel, f''' by its derivative.
        let first = n / k * f - sign * next;
        let second = -first / k - (sign - n * n / (k * k)) * f;
        let third = -second / k + first / (k * k)
            - (sign - n * n / (k * k)) * first
            - 2.0 * n * n / k.powi(3) * f;
        [f, k * first, k * k * second, k.powi(3) * third]
    };
    let a = with(j(m, k), j(m + 1, k), 1.0);
    let b = with(i_scaled(m, k), i_scaled(m + 1, k), -1.0);
    std::array::from_fn(|i| a[i] + row.c * b[i])
}

/// Whether the edge is held (a membrane), held and clamped, or free of moment and of Kelvin's
/// shear, at the radius 1.
fn holds(disc: Disc, row: &DiscMode) -> bool {
    let [w, w1, w2, w3] = derivatives(row);
    let m2 = f64::from(row.diameters).powi(2);
    let size = row.k.powi(2) * (j(u32::from(row.diameters), row.k).abs() + 0.01);
    let (first, second) = match disc {
        Disc::Membrane => (w, 0.0),
        Disc::Clamped => (w, w1),
        Disc::Free => (
            w2 + POISSON * (w1 - m2 * w),
            w3 + w2 - w1 - m2 * ((2.0 - POISSON) * w1 - (3.0 - POISSON) * w),
        ),
    };
    first.abs() < 1e-9 * size && second.abs() < 1e-9 * row.k * size
}

#[test]
fn every_edge_is_as_it_should_be() {
    for disc in [Disc::Membrane, Disc::Clamped, Disc::Free] {
        let mut before = 0.0;
        for (n, row) in disc.rows().iter().enumerate() {
            assert!(holds(disc, row), "{disc:?} {n}: {row:?}");
            // A sign that is wrong would be noticed in every row.
            assert!(
                row.c == 0.0 || !holds(disc, &DiscMode { c: -row.c, ..*row }),
                "{disc:?} {n}: {row:?}"
            );
            assert!(row.k >= before, "{disc:?} {n}");
            before = row.k;
            let power = if disc == Disc::Membrane { 1 } else { 2 };
            close(disc.ratio(n), (row.k / disc.rows()[0].k).powi(power), 1e-14);
        }
        let modes: usize =
            disc.rows().iter().map(|row| if row.diameters == 0 { 1 } else { 2 }).sum();
        assert!((256..=257).contains(&modes), "{disc:?}: {modes}");
    }
}

#[test]
fn every_row_has_a_mean_square_of_1() {
    // Five points in each of 24 panels.
    const NODES: [(f64, f64); 3] = [
        (0.0, 0.568_888_888_888_888_9),
        (0.538_469_310_105_683_1, 0.478_628_670_499_366_5),
        (0.906_179_845_938_664, 0.236_926_885_056_189_1),
    ];
    for disc in [Disc::Membrane, Disc::Clamped, Disc::Free] {
        for (n, row) in disc.rows().iter().enumerate() {
            let mut sum = 0.0;
            for panel in 0..24 {
                for (at, weight) in NODES {
                    for side in [-1.0, 1.0] {
                        let r = (f64::from(panel) + 0.5 + 0.5 * side * at) / 24.0;
                        let shape = row.radial(r);
                        sum += if at == 0.0 { 0.5 } else { 1.0 } * 0.5 * weight / 24.0
                            * 2.0
                            * r
                            * shape
                            * shape;
                    }
                }
            }
            let wanted = if row.diameters == 0 { 1.0 } else { 2.0 };
            assert!((sum / wanted - 1.0).abs() < 1e-7, "{disc:?} {n}: {sum}");
        }
    }
}

/// J by its integral, I by its series; both within their range and at its ends.
#[test]
fn bessel_functions_are_their_integrals_and_series() {
    use std::f64::consts::PI;
    for order in [0, 1, 2, 3, 7, 20, 63] {
        for x in [0.0, 0.01, 0.049, 0.051, 0.3, 2.0, 9.5, 31.0, 63.9] {
            let angle = |i: u32| PI * (f64::from(i) + 0.5) / 400.0;
            let wave = |i: u32| (f64::from(order) * angle(i) - x * angle(i).sin()).cos();
            let wanted = (0..400).map(wave).sum::<f64>() / 400.0;
            assert!(
                (j(order, x) - wanted).abs() < 1e-13,
                "J_{order}({x}): {} {wanted}",
                j(order, x)
            );
            let mut term = (1..=order).fold((-x).exp(), |term, k| term * 0.5 * x / f64::from(k));
            let mut sum = 0.0;
            for k in 1..200 {
                sum += term;
                term *= 0.25 * x * x / (f64::from(k) * f64::from(k + order));
            }
            assert!(
                (i_scaled(order, x) - sum).abs() <= 1e-12 * sum,
                "I_{order}({x}): {} {sum}",
                i_scaled(order, x)
            );
        }
    }
    assert_eq!(j(3, 1e3), j(3, MAX_ARGUMENT));
    assert_eq!((j(0, -4.0), i_scaled(0, f64::NAN), j(99, 40.0)), (1.0, 1.0, j(MAX_ORDER, 40.0)));
}
