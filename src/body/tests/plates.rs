//! Rectangular plates: all the modes there are, in order; and what a table between its rows says.

use std::f64::consts::PI;

use super::close;
use super::values::{Row, check};
use crate::body::MAX_MODES;
use crate::body::shape::plate::{ASPECTS, FREE_MODES, FreePlate, FreePlateLine, Legendre};
use crate::body::shape::plate::{SUPPORTED, Sines, supported_ratio};

#[test]
fn a_supported_plate_has_every_pair_of_half_waves_in_rising_order() {
    let mut all: Vec<(u32, u32, u32)> =
        (1..60).flat_map(|m| (1..60).map(move |n| (4 * m * m + 9 * n * n, m, n))).collect();
    all.sort_unstable();
    let height = |(m, n): (u8, u8)| 4 * u32::from(m).pow(2) + 9 * u32::from(n).pow(2);
    let mut seen: Vec<_> = SUPPORTED.to_vec();
    for (mode, pair) in SUPPORTED.iter().enumerate() {
        assert_eq!(height(*pair), all[mode].0, "mode {mode}");
        for aspect in [1.0, 1.5, 2.2] {
            let (m, n) = (f64::from(pair.0), f64::from(pair.1));
            let wanted = (m * m + (aspect * n).powi(2)) / (1.0 + aspect * aspect);
            close(supported_ratio(mode, aspect), wanted, 1e-14);
        }
    }
    seen.sort_unstable();
    seen.dedup();
    assert_eq!(seen.len(), MAX_MODES);
    // Of equals the one with fewer half waves across comes first.
    assert_eq!(SUPPORTED[..6], [(1, 1), (2, 1), (1, 2), (3, 1), (2, 2), (3, 2)]);
    let sines = Sines::new(0.3, 0.85);
    for (m, n) in SUPPORTED {
        let wanted = 2.0 * (PI * f64::from(m) * 0.3).sin() * (PI * f64::from(n) * 0.85).sin();
        assert!((sines.deflection(m, n) - wanted).abs() < 1e-11);
    }
    assert_eq!((sines.deflection(0, 3), sines.deflection(200, 1)), (0.0, 0.0));
}

/// Leissa (NASA SP-160), the square plate with free edges, Poisson's ratio 0.3; and the table's own
/// places.
#[test]
fn the_free_plate_has_the_frequencies_of_the_textbooks() {
    let blend = FreePlate::new(1.0);
    let mut lambdas: Vec<f64> = (0..FREE_MODES).map(|mode| blend.lambda(mode)).collect();
    lambdas.sort_by(f64::total_cmp);
    for (got, wanted) in lambdas.iter().zip([13.468, 19.596, 24.270, 34.801, 34.801]) {
        close(*got, wanted, 1e-3);
    }
    // A smooth curve through the table: a third of the way is near the straight line.
    for mode in 0..FREE_MODES {
        let at = |aspect: f64| FreePlate::new(aspect).lambda(mode);
        let (a, b, between) = (at(1.7), at(1.7025), at(1.700_833_333_333_333_3));
        close(between, a + (b - a) / 3.0, 1e-4);
        assert_eq!((at(0.5), at(9.0)), (at(1.0), at(2.5)));
    }
}

#[test]
fn the_free_plate_bends_as_it_did() {
    let mut rows = Vec::new();
    for aspect in [1.0, 1.03, 1.234, 1.5, 1.95, 2.47, 2.5] {
        let blend = FreePlate::new(aspect);
        rows.push(Row::new(
            format!("{aspect}, frequencies"),
            (0..FREE_MODES).step_by(3).map(|mode| blend.lambda(mode)),
        ));
        for (x, y) in [(0.0, 0.0), (0.28, 0.12), (0.93, 0.61)] {
            let legendre = Legendre::new(x, y);
            let shapes = (0..FREE_MODES).step_by(5).map(|mode| blend.deflection(mode, &legendre));
            rows.push(Row::new(format!("{aspect} at {x} {y}"), shapes));
        }
    }
    check("free_plate.txt", &rows);
    assert_eq!(ASPECTS, 16);
}

/// Over the plate every shape has a mean square of 1 and no two have a mean product, between the
/// table's aspects nearly so.
#[test]
fn the_free_plates_shapes_are_orthonormal() {
    const NODES: [(f64, f64); 4] = [
        (0.183_434_642_495_649_8, 0.362_683_783_378_362),
        (0.525_532_409_916_329, 0.313_706_645_877_887_3),
        (0.796_666_477_413_626_7, 0.222_381_034_453_374_5),
        (0.960_289_856_497_536_3, 0.101_228_536_290_376_3),
    ];
    let line: Vec<(f64, f64)> = (0..4)
        .flat_map(|panel| {
            NODES.into_iter().flat_map(move |(at, w)| [-at, at].map(|at| (at, w, panel)))
        })
        .map(|(at, w, panel)| ((f64::from(panel) + 0.5 + 0.5 * at) / 4.0, w / 8.0))
        .collect();
    let blend = FreePlate::new(1.4);
    let mut products = [[0.0; 20]; 20];
    for (x, a) in &line {
        for (y, b) in &line {
            let legendre = Legendre::new(*x, *y);
            let shapes: [f64; 20] = std::array::from_fn(|mode| blend.deflection(mode, &legendre));
            for i in 0..20 {
                for k in 0..20 {
                    products[i][k] += a * b * shapes[i] * shapes[k];
                }
            }
        }
    }
    for (i, row) in products.iter().enumerate() {
        for (k, product) in row.iter().enumerate() {
            let wanted = if i == k { 1.0 } else { 0.0 };
            assert!((product - wanted).abs() < 3e-4, "{i} {k}: {product}");
        }
    }
}

/// A line is made once for a plate and a y: what another plate needs is another line.
#[test]
fn a_line_follows_its_plate() {
    let mut line = FreePlateLine::default();
    let mut shapes = [0.0; FREE_MODES];
    for (aspect, x, y) in [(1.3, 0.2, 0.4), (1.3, 0.9, 0.4), (1.3, 0.9, 0.7), (1.9, 0.9, 0.7)] {
        let (blend, legendre) = (FreePlate::new(aspect), Legendre::new(x, y));
        line.deflections(&blend, x, y, &mut shapes);
        for (mode, shape) in shapes.iter().enumerate() {
            assert!(
                (shape - blend.deflection(mode, &legendre)).abs() < 2e-6,
                "{aspect} {x} {y}, mode {mode}"
            );
        }
    }
}
