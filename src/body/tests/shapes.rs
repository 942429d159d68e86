//! Bars, discs and plates against their equations.

use std::f64::consts::PI;

use super::{Case, check, close};
use crate::body::MAX_MODES;
use crate::body::shape::bar;
use crate::body::shape::disc::{Disc, DiscMode, MAX_ARGUMENT, MAX_ORDER, i_scaled, j};
use crate::body::shape::plate::{
    ASPECTS, FREE_MODES, FreePlate, FreePlateLine, Legendre, SUPPORTED, Sines, supported_ratio,
};

#[test]
fn roots_solve_their_equations_and_follow_each_other() {
    for mode in 0..MAX_MODES {
        let n = mode as f64;
        let (free, clamped) = (bar::root(mode), bar::clamped_root(mode));
        // Residual of `cos b -+ 1/cosh b`, whose slope is about 1.
        assert!((free.cos() - 1.0 / free.cosh()).abs() < 2e-13 * (1.0 + n), "free {mode}: {free}");
        assert!(
            (clamped.cos() + 1.0 / clamped.cosh()).abs() < 2e-13 * (1.0 + n),
            "clamped {mode}: {clamped}"
        );
        let odd = std::f64::consts::FRAC_PI_2;
        assert!((free - (2.0 * n + 3.0) * odd).abs() < 0.02, "{free}");
        assert!((clamped - (2.0 * n + 1.0) * odd).abs() < 0.31, "{clamped}");
        close(bar::ratio(mode), (free / bar::root(0)).powi(2), 1e-14);
    }
}

/// The textbook formula `cosh bx + cos bx - s (sinh bx + sin bx)`, for modes without cancellation.
#[test]
fn shapes_are_those_of_the_textbooks() {
    for mode in 0..4 {
        let (b, c) = (bar::root(mode), bar::clamped_root(mode));
        let s = (b.cosh() - b.cos()) / (b.sinh() - b.sin());
        let t = (c.cosh() + c.cos()) / (c.sinh() + c.sin());
        for n in 0..=20 {
            let x = f64::from(n) / 20.0;
            let (u, v) = (b * x, c * x);
            let free = u.cosh() + u.cos() - s * (u.sinh() + u.sin());
            let clamped = v.cosh() - v.cos() - t * (v.sinh() - v.sin());
            assert!(
                (bar::deflection(b, x) - free).abs() < 1e-8,
                "{mode} {x}: {} {free}",
                bar::deflection(b, x)
            );
            assert!(
                (bar::clamped_deflection(c, x) - clamped).abs() < 1e-8,
                "{mode} {x}: {clamped}"
            );
        }
    }
}

/// High modes are sine waves in the middle; the magnitude is 2 at a free end and 0 at the clamp.
#[test]
fn high_modes_are_waves_with_ends() {
    for mode in [15, 40, 255] {
        let (b, c) = (bar::root(mode), bar::clamped_root(mode));
        for x in [0.45, 0.5, 0.561] {
            let (u, v) = (b * x, c * x);
            assert!((bar::deflection(b, x) - (u.cos() - u.sin())).abs() < 1e-8);
            assert!((bar::clamped_deflection(c, x) - (v.sin() - v.cos())).abs() < 1e-8);
        }
        close(bar::deflection(b, 0.0), 2.0, 1e-9);
        close(bar::deflection(b, 1.0).abs(), 2.0, 1e-9);
        // Positions are clamped to the bar.
        assert_eq!(bar::deflection(b, -3.0), bar::deflection(b, 0.0));
        assert_eq!(bar::clamped_deflection(c, 7.0), bar::clamped_deflection(c, 1.0));
    }
    // The modes of a free bar are alternately even and odd.
    for mode in 0..30 {
        let b = bar::root(mode);
        let sign = if mode % 2 == 0 { 1.0 } else { -1.0 };
        for x in [0.0, 0.1, 0.33] {
            assert!(
                (bar::deflection(b, x) - sign * bar::deflection(b, 1.0 - x)).abs() < 1e-7,
                "{mode} {x}"
            );
        }
    }
}

#[test]
fn tuned_bars_go_on_as_free_ones_from_their_last_ratio() {
    for data in [bar::MARIMBA, bar::XYLOPHONE, bar::VIBRAPHONE] {
        let (ratio, last) = (|mode| bar::tuned_ratio(data, mode), data.len() - 1);
        for (mode, wanted) in data.iter().enumerate() {
            assert_eq!(ratio(mode), *wanted);
        }
        for mode in data.len()..40 {
            close(ratio(mode), data[last] * bar::ratio(mode) / bar::ratio(last), 1e-13);
        }
    }
}

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

/// True if the boundary conditions at radius 1 hold.
///
/// Membrane: no deflection. Clamped plate: no deflection and slope. Free plate: no bending moment
/// and Kelvin-Kirchhoff shear.
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
            // A wrong sign of C violates the boundary conditions in every row.
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
    // Gauss quadrature with five points in each of 24 panels.
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

/// J against its integral, I against its series, within the range and at its ends.
#[test]
fn bessel_functions_are_their_integrals_and_series() {
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
    // Modes of equal frequency are sorted by the half waves across.
    assert_eq!(SUPPORTED[..6], [(1, 1), (2, 1), (1, 2), (3, 1), (2, 2), (3, 2)]);
    let sines = Sines::new(0.3, 0.85);
    for (m, n) in SUPPORTED {
        let wanted = 2.0 * (PI * f64::from(m) * 0.3).sin() * (PI * f64::from(n) * 0.85).sin();
        assert!((sines.deflection(m, n) - wanted).abs() < 1e-11);
    }
    assert_eq!((sines.deflection(0, 3), sines.deflection(200, 1)), (0.0, 0.0));
}

/// Compares the square plate with Leissa (NASA SP-160), Poisson's ratio 0.3, and checks
/// interpolation.
#[test]
fn the_free_plate_has_the_frequencies_of_the_textbooks() {
    let blend = FreePlate::new(1.0);
    let mut lambdas: Vec<f64> = (0..FREE_MODES).map(|mode| blend.lambda(mode)).collect();
    lambdas.sort_by(f64::total_cmp);
    for (got, wanted) in lambdas.iter().zip([13.468, 19.596, 24.270, 34.801, 34.801]) {
        close(*got, wanted, 1e-3);
    }
    // The interpolation is smooth: a third of the way it is near the straight line.
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
        rows.push(Case::new(
            format!("{aspect}, frequencies"),
            (0..FREE_MODES).step_by(3).map(|mode| blend.lambda(mode)),
        ));
        for (x, y) in [(0.0, 0.0), (0.28, 0.12), (0.93, 0.61)] {
            let legendre = Legendre::new(x, y);
            let shapes = (0..FREE_MODES).step_by(5).map(|mode| blend.deflection(mode, &legendre));
            rows.push(Case::new(format!("{aspect} at {x} {y}"), shapes));
        }
    }
    check("free_plate.txt", &rows);
    assert_eq!(ASPECTS, 16);
}

/// The shapes are orthonormal over the plate; between the aspects of the table approximately.
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

/// A cached line is recomputed for another plate or another y.
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
