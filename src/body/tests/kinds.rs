//! Kinds of bodies and the gates before them.

use crate::params::table::BODIES;
use super::values::{Row, check};
use crate::body::shape::{Place, UserMode};
use crate::body::{BodyKind, Geometry, Point, Spectrum, UserModes};

fn spectrum(kind: BodyKind) -> Spectrum {
    let mut spectrum = Spectrum::default();
    spectrum.set(&Geometry::of(kind), &UserModes::default());
    spectrum
}

/// Where something depends on y, and nowhere else, places have one.
#[test]
fn flat_or_round_is_what_has_a_second_direction() {
    for kind in BodyKind::ALL {
        let body = spectrum(kind);
        let at = |mode: usize, y: f64| body.deflection(mode, Place::Strike, Point::new(0.37, y));
        let depends = (0..body.len()).any(|mode| at(mode, 0.1) != at(mode, 0.23));
        assert_eq!(kind.is_two_dimensional(), depends, "{}", kind.name());
    }
}

#[test]
fn names_are_those_of_the_list_and_each_another() {
    for (n, kind) in BodyKind::ALL.into_iter().enumerate() {
        assert_eq!((kind as usize, kind.name()), (n, BODIES[n]));
        assert!(!BODIES[..n].contains(&kind.name()));
    }
    assert_eq!(
        (BodyKind::FreeBar.name(), BodyKind::ClosedTube.name()),
        ("Free bar", "Closed tube")
    );
}

#[test]
fn a_body_is_well_struck_and_heard_where_it_was() {
    let rows = BodyKind::ALL.map(|kind| {
        let points = kind.spec().usual_points;
        // The lowest modes move there.
        let body = spectrum(kind);
        for point in points {
            let max = (0..4.min(body.len()))
                .map(|mode| body.deflection(mode, Place::Strike, point).abs());
            assert!(max.fold(0.0, f64::max) > 0.5, "{}", kind.name());
        }
        Row::new(kind.name(), points.into_iter().flat_map(|point| [point.x, point.y]))
    });
    check("usual_points.txt", &rows);
}

#[test]
fn points_and_geometries_are_kept_in_their_ranges() {
    let point = |x: f64, y: f64| Point::new(x, y).within_limits();
    assert_eq!(point(-1.0, 2.0), Point::new(0.0, 1.0));
    assert_eq!(point(0.3, 0.4), Point::new(0.3, 0.4));
    assert_eq!(point(f64::NAN, f64::NAN), Point::new(0.0, 0.0));
    assert_eq!(Point::from(0.7), Point { x: 0.7, y: 0.0 });
    let geometry = |value: f64| Geometry {
        kind: BodyKind::Bowl,
        aspect: value,
        split: value,
        inharmonicity: value,
        count: value,
    };
    let numbers = |value: f64| {
        let Geometry { kind, aspect, split, inharmonicity, count } =
            geometry(value).within_limits();
        assert_eq!(kind, BodyKind::Bowl);
        [aspect, split, inharmonicity, count]
    };
    assert_eq!(numbers(-1.0), [1.0, 0.0, 0.0, 1.0]);
    assert_eq!(numbers(1e9), [2.5, 0.02, 0.1, 256.0]);
    assert_eq!(numbers(f64::NAN), [1.5, 0.0, 0.0, 256.0]);
    let inside = Geometry {
        kind: BodyKind::Ring,
        aspect: 2.0,
        split: 0.01,
        inharmonicity: 0.05,
        count: 7.5,
    };
    assert_eq!(inside.within_limits(), inside);
}

#[test]
fn a_listed_mode_keeps_what_is_in_range() {
    let mode = UserMode { ratio: 3.0, strike: -2.0, left: 4.0, right: 5.0, decay: 6.0 };
    assert_eq!(mode.within_limits(), mode);
    let arbitrary = UserMode { ratio: 0.0, strike: -20.0, left: 20.0, right: f64::NAN, decay: 1e3 }
        .within_limits();
    assert_eq!(
        arbitrary,
        UserMode { ratio: 0.01, strike: -10.0, left: 10.0, right: 1.0, decay: 100.0 }
    );
    assert_eq!(UserModes::new(&[mode, arbitrary]).modes(), [arbitrary, mode]);
    assert_eq!(UserModes::default().modes(), [UserMode::default()]);
}
