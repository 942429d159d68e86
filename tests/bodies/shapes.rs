//! Mode shapes.

use ictus::body::shape::Place;
use ictus::body::{BodyKind, Geometry, MAX_MODES, Point};

use crate::common::spectrum;

/// Points and weights of a mean over the body: Gauss–Legendre in panels along x, an even grid
/// around or across.
fn quadrature(kind: BodyKind) -> Vec<(Point, f64)> {
    // Eight points in each of the panels.
    const NODES: [(f64, f64); 4] = [
        (0.183_434_642_495_649_8, 0.362_683_783_378_362),
        (0.525_532_409_916_329, 0.313_706_645_877_887_3),
        (0.796_666_477_413_626_7, 0.222_381_034_453_374_5),
        (0.960_289_856_497_536_3, 0.101_228_536_290_376_3),
    ];
    let line = |panels: usize| -> Vec<(f64, f64)> {
        let width = 1.0 / panels as f64;
        let panel = move |panel: usize| {
            let middle = (panel as f64 + 0.5) * width;
            NODES.into_iter().flat_map(move |(at, weight)| {
                [-1.0, 1.0].map(|side| (middle + side * 0.5 * width * at, 0.5 * width * weight))
            })
        };
        (0..panels).flat_map(panel).collect()
    };
    let turn = |steps: usize| {
        (0..steps).map(move |n| ((n as f64 + 0.3) / steps as f64, 1.0 / steps as f64))
    };
    let mut points = Vec::new();
    if !kind.is_two_dimensional() {
        points.extend(line(192).into_iter().map(|(x, weight)| (Point::along(x), weight)));
        return points;
    }
    let disc = matches!(kind, BodyKind::Membrane | BodyKind::FreeDisc | BodyKind::ClampedDisc);
    let around: Vec<(f64, f64)> = match kind {
        BodyKind::FreePlate | BodyKind::SupportedPlate => line(16),
        BodyKind::Ring => turn(520).collect(),
        BodyKind::ChurchBell | BodyKind::WineGlass | BodyKind::Bowl => turn(140).collect(),
        _ => turn(62).collect(),
    };
    for (x, along) in line(if kind == BodyKind::Ring { 1 } else { 16 }) {
        let along = along * if disc { 2.0 * x } else { 1.0 };
        points.extend(around.iter().map(|(y, across)| (Point::new(x, *y), along * across)));
    }
    points
}

#[test]
fn shapes_are_orthonormal_over_the_body() {
    for kind in BodyKind::ALL.into_iter().filter(|kind| *kind != BodyKind::User) {
        let body = spectrum(Geometry::of(kind));
        // The resolution of this many points.
        let modes = body.len().min(if kind.is_two_dimensional() { 128 } else { 256 });
        let mut products = vec![0.0; modes * modes];
        let mut shapes = vec![0.0; modes];
        for (point, weight) in quadrature(kind) {
            body.deflections(Place::Strike, point, &mut shapes);
            for i in 0..modes {
                for j in 0..=i {
                    products[i * modes + j] += weight * shapes[i] * shapes[j];
                }
            }
        }
        // The free plate's table has four to five digits.
        let allowed = if kind == BodyKind::FreePlate { 3e-4 } else { 1e-8 };
        for i in 0..modes {
            for j in 0..=i {
                let (product, wanted) = (products[i * modes + j], if i == j { 1.0 } else { 0.0 });
                assert!(
                    (product - wanted).abs() < allowed,
                    "{}: modes {i}, {j}: {product}",
                    kind.name()
                );
            }
        }
    }
}

#[test]
fn one_shape_and_all_shapes_agree() {
    for kind in BodyKind::ALL {
        let body = spectrum(Geometry::of(kind));
        for point in [Point::new(0.0, 0.0), Point::new(0.31, 0.77), Point::new(1.0, 1.0)] {
            for place in [Place::Strike, Place::Left, Place::Right] {
                let mut shapes = [0.0; MAX_MODES];
                body.deflections(place, point, &mut shapes);
                for (mode, shape) in shapes.iter().enumerate().take(body.len()) {
                    assert_eq!(
                        *shape,
                        body.deflection(mode, place, point),
                        "{}, mode {mode}",
                        kind.name()
                    );
                    assert!(
                        shape.is_finite() && shape.abs() < 40.0,
                        "{}, mode {mode}: {shape}",
                        kind.name()
                    );
                }
            }
        }
    }
}

#[test]
fn shapes_have_the_symmetry_of_their_body() {
    for kind in BodyKind::ALL {
        let body = spectrum(Geometry::of(kind));
        let at = |mode, x, y| body.deflection(mode, Place::Strike, Point::new(x, y));
        for mode in 0..body.len() {
            let (x, y) = (0.213, 0.391);
            let here = at(mode, x, y);
            let there = match kind {
                // These bodies have no mirror symmetry.
                BodyKind::ClampedBar | BodyKind::ClosedTube | BodyKind::User => continue,
                // Half a turn.
                _ if kind.is_two_dimensional()
                    && !matches!(kind, BodyKind::FreePlate | BodyKind::SupportedPlate) =>
                {
                    at(mode, x, y + 0.5)
                }
                _ => at(mode, 1.0 - x, y),
            };
            assert!(
                (here.abs() - there.abs()).abs() < 1e-7,
                "{}, mode {mode}: {here}, {there}",
                kind.name()
            );
            if matches!(kind, BodyKind::FreePlate | BodyKind::SupportedPlate) {
                let across = at(mode, x, 1.0 - y);
                assert!(
                    (here.abs() - across.abs()).abs() < 1e-7,
                    "{}, mode {mode} across",
                    kind.name()
                );
            }
        }
    }
}

#[test]
fn edges_hold_what_they_should() {
    for (kind, points) in [
        (BodyKind::PinnedBar, vec![Point::along(0.0), Point::along(1.0)]),
        (BodyKind::String, vec![Point::along(0.0), Point::along(1.0)]),
        (BodyKind::ClampedBar, vec![Point::along(0.0)]),
        (BodyKind::Membrane, vec![Point::new(1.0, 0.13)]),
        (BodyKind::ClampedDisc, vec![Point::new(1.0, 0.13)]),
        (BodyKind::SupportedPlate, vec![Point::new(0.0, 0.3), Point::new(0.4, 1.0)]),
        (BodyKind::ChurchBell, vec![Point::new(0.0, 0.2)]),
    ] {
        let body = spectrum(Geometry::of(kind));
        for mode in 0..body.len() {
            for point in &points {
                let shape = body.deflection(mode, Place::Strike, *point);
                assert!(shape.abs() < 1e-9, "{}, mode {mode} at {point:?}: {shape}", kind.name());
            }
        }
    }
}
