//! Ratios, shapes and ranges of every kind of body.

use std::f64::consts::{PI, SQRT_2};

use super::{Case, check, close};
use crate::body::shape::{Place, ShapeCache, UserMode, bar, shell};
use crate::body::{BodyKind, Geometry, MAX_MODES, Point, Spectrum, UserModes};

fn list() -> UserModes {
    let mode = |i: i32| UserMode {
        ratio: 1.0 + 0.37 * f64::from(i * i),
        strike: 1.0 - 0.1 * f64::from(i),
        left: 0.5 + 0.2 * f64::from(i),
        right: -0.3 * f64::from(i),
        decay: 1.0 / f64::from(1 + i),
    };
    UserModes::new(&(0..12).map(mode).collect::<Vec<_>>())
}

fn spectrum(geometry: Geometry) -> Spectrum {
    let mut spectrum = Spectrum::default();
    spectrum.set(&geometry, &list());
    spectrum
}

#[test]
fn every_body_has_the_ratios_and_shapes_it_had() {
    let mut rows = Vec::new();
    for kind in BodyKind::ALL {
        for (split, inharmonicity, aspect) in [(0.0, 0.0, 1.5), (0.015, 0.002, 1.83)] {
            let body = spectrum(Geometry { split, inharmonicity, aspect, ..Geometry::of(kind) });
            let modes: Vec<usize> =
                (0..body.len()).filter(|mode| *mode < 6 || mode % 29 == 11).collect();
            let name = format!("{} {split}", kind.name());
            let counts = [body.len() as f64, f64::from(u8::from(body.is_empty()))];
            rows.push(Case::new(format!("{name}, modes"), counts));
            rows.push(Case::new(
                format!("{name}, ratios"),
                modes.iter().map(|mode| body.ratio(*mode)),
            ));
            for (place, point) in
                [(Place::Left, Point::new(0.37, 0.21)), (Place::Right, Point::new(1.0, 0.9))]
            {
                let shapes = modes.iter().map(|mode| body.deflection(*mode, place, point));
                rows.push(Case::new(format!("{name}, {place:?}"), shapes));
            }
        }
    }
    check("spectra.txt", &rows);
}

#[test]
fn strings_tubes_and_pinned_bars_are_waves() {
    let at = |kind: BodyKind, mode: usize, x: f64| {
        spectrum(Geometry::of(kind)).deflection(mode, Place::Strike, Point::along(x))
    };
    for mode in [0, 1, 5, 100] {
        let n = (mode + 1) as f64;
        for x in [0.0, 0.3, 0.81, 1.0] {
            for kind in [BodyKind::PinnedBar, BodyKind::String, BodyKind::OpenTube] {
                assert!(
                    (at(kind, mode, x) - SQRT_2 * (PI * n * x).sin()).abs() < 1e-12,
                    "{kind:?} {mode} {x}"
                );
            }
            let closed = SQRT_2 * (0.5 * PI * (2.0 * n - 1.0) * x).cos();
            assert!((at(BodyKind::ClosedTube, mode, x) - closed).abs() < 1e-12);
        }
        let ratio = |kind: BodyKind, inharmonicity: f64| {
            spectrum(Geometry { inharmonicity, ..Geometry::of(kind) }).ratio(mode)
        };
        close(ratio(BodyKind::PinnedBar, 0.0), n * n, 1e-14);
        close(ratio(BodyKind::OpenTube, 0.0), n, 1e-14);
        close(ratio(BodyKind::ClosedTube, 0.0), 2.0 * n - 1.0, 1e-14);
        close(ratio(BodyKind::String, 0.0), n, 1e-14);
        close(ratio(BodyKind::String, 0.01), n * ((1.0 + 0.01 * n * n) / 1.01).sqrt(), 1e-14);
        close(ratio(BodyKind::TubularBell, 0.0), 2.0 * bar::ratio(mode) / bar::ratio(3), 1e-14);
        close(
            ratio(BodyKind::ClampedBar, 0.0),
            (bar::clamped_root(mode) / bar::clamped_root(0)).powi(2),
            1e-14,
        );
    }
}

/// In-plane bending of a thin ring: n (n^2 - 1)/sqrt(n^2 + 1) for n >= 2 (Rayleigh).
#[test]
fn a_ring_has_rayleighs_frequencies_and_shells_go_on_by_them() {
    let law = |n: f64| n * (n * n - 1.0) / (n * n + 1.0).sqrt();
    let ring = spectrum(Geometry::of(BodyKind::Ring));
    for pair in 0..100 {
        let n = (pair + 2) as f64;
        close(ring.ratio(2 * pair), law(n) / law(2.0), 1e-12);
        let at = |mode: usize, y: f64| ring.deflection(mode, Place::Strike, Point::new(0.7, y));
        let y = 0.137;
        assert!((at(2 * pair, y) - SQRT_2 * (2.0 * PI * n * y).cos()).abs() < 1e-9);
        assert!((at(2 * pair + 1, y) - SQRT_2 * (2.0 * PI * n * y).sin()).abs() < 1e-9);
    }
    for (partial, last) in [(shell::glass as fn(usize) -> shell::Partial, 12), (shell::bowl, 12)] {
        for pair in last..20 {
            let (a, b) = (partial(pair), partial(pair + 1));
            close(b.ratio / a.ratio, law(pair as f64 + 3.0) / law(pair as f64 + 2.0), 1e-12);
            assert_eq!((a.waves, a.circles), ((pair + 2) as u8, 0));
        }
    }
    let bell = |pair: usize| shell::bell(pair);
    for pair in 24..30 {
        let (a, b) = (bell(pair), bell(pair + 1));
        assert_eq!((b.waves, b.circles), (a.waves + 1, a.circles));
        assert!(b.ratio > a.ratio);
    }
}

/// The shape of a shell is a clamped bar along the height times a wave around.
#[test]
fn shells_bend_around_and_up() {
    for (kind, partial) in [
        (BodyKind::ChurchBell, shell::bell as fn(usize) -> shell::Partial),
        (BodyKind::WineGlass, shell::glass),
        (BodyKind::Bowl, shell::bowl),
    ] {
        let body = spectrum(Geometry { split: 0.01, ..Geometry::of(kind) });
        for pair in 0..body.len() / 2 {
            let shell::Partial { ratio, waves, circles } = partial(pair);
            close(body.ratio(2 * pair), 0.995 * ratio, 1e-14);
            close(body.ratio(2 * pair + 1), 1.005 * ratio, 1e-14);
            let (x, y) = (0.63, 0.29);
            let up = SQRT_2 * bar::clamped_deflection(bar::clamped_root(usize::from(circles)), x);
            let turn = 2.0 * PI * f64::from(waves) * y;
            let at = |mode: usize| body.deflection(mode, Place::Strike, Point::new(x, y));
            assert!(
                (at(2 * pair) - up * turn.cos()).abs() < 1e-12
                    && (at(2 * pair + 1) - up * turn.sin()).abs() < 1e-12
            );
        }
    }
}

#[test]
fn a_list_is_what_it_says() {
    let body = spectrum(Geometry { count: 4.5, ..Geometry::of(BodyKind::User) });
    assert_eq!(body.len(), 12);
    for (i, mode) in list().modes().iter().enumerate() {
        assert_eq!((body.ratio(i), body.decay(i)), (mode.ratio, mode.decay));
        let at = |place| body.deflection(i, place, Point::new(0.3, 0.4));
        assert_eq!(
            [at(Place::Strike), at(Place::Left), at(Place::Right)],
            [mode.strike, mode.left, mode.right]
        );
    }
    let shares: Vec<f64> = (0..7).map(|mode| body.share(mode)).collect();
    assert_eq!(shares, [1.0, 1.0, 1.0, 1.0, 0.5, 0.0, 0.0]);
    let all = spectrum(Geometry::of(BodyKind::User));
    assert_eq!((all.share(11), all.share(12)), (1.0, 0.0));
    // Shapes beyond the last mode are zero.
    let mut shapes = [7.0; 20];
    all.further_deflections(Place::Left, Point::along(0.2), 5, &mut shapes);
    assert_eq!(shapes[6], list().modes()[11].left);
    assert!(shapes[7..].iter().all(|shape| *shape == 0.0));
    // The decay factors of a list do not carry over to the next body.
    let mut next = all.clone();
    next.set(&Geometry::of(BodyKind::FreeBar), &list());
    assert!((0..12).all(|mode| next.decay(mode) == 1.0));
}

#[test]
fn it_changes_when_its_geometry_does() {
    let mut body = spectrum(Geometry::of(BodyKind::Ring));
    assert!(!body.set(&Geometry::of(BodyKind::Ring), &list()));
    assert!(body.set(&Geometry { split: 0.01, ..Geometry::of(BodyKind::Ring) }, &list()));
    assert_eq!(body.geometry().split, 0.01);
    assert!(
        body.set(&Geometry::of(BodyKind::User), &list())
            && body.set(&Geometry::of(BodyKind::User), &list())
    );
    let mut pupil = Spectrum::default();
    pupil.copy_caches_from(&spectrum(Geometry::of(BodyKind::String)));
    assert_eq!((pupil.geometry().kind, pupil.ratio(4)), (BodyKind::String, 5.0));
}

#[test]
fn shapes_are_kept_as_long_as_body_and_place_are_the_same() {
    let (bar, point) = (spectrum(Geometry::of(BodyKind::FreeBar)), Point::along(0.3));
    let mut few = ShapeCache::new(MAX_MODES);
    few.set(&bar, Place::Left, point, 5);
    let mut many = ShapeCache::new(MAX_MODES);
    many.set(&bar, Place::Left, point, 50);
    // A cache with more shapes is copied, one with fewer or none is not; one for another point
    // always is.
    let mut pupil = many.clone();
    pupil.copy_caches_from(&few);
    assert_eq!(pupil.values(), many.values());
    pupil = few.clone();
    pupil.copy_caches_from(&many);
    assert_eq!(pupil.values(), many.values());
    pupil.copy_caches_from(&ShapeCache::new(MAX_MODES));
    assert_eq!(pupil.values(), many.values());
    let mut elsewhere = ShapeCache::new(MAX_MODES);
    elsewhere.set(&bar, Place::Left, Point::along(0.4), 2);
    pupil.copy_caches_from(&elsewhere);
    assert_eq!(pupil.values(), elsewhere.values());
    // Another aspect changes the shapes of a plate, so that the cached ones are invalid.
    let plate = |aspect: f64| spectrum(Geometry { aspect, ..Geometry::of(BodyKind::FreePlate) });
    let mut shapes = ShapeCache::new(MAX_MODES);
    shapes.set(&plate(1.3), Place::Strike, Point::new(0.1, 0.2), 8);
    assert!(shapes.known(&plate(1.3), Point::new(0.1, 0.2), 8).is_some());
    assert!(shapes.known(&plate(1.4), Point::new(0.1, 0.2), 8).is_none());
    shapes.clear();
    assert!(shapes.known(&plate(1.3), Point::new(0.1, 0.2), 0).is_none());
    assert!(shapes.values().iter().all(|shape| *shape == 0.0));
    // The geometry does not identify a list, so its shapes are read again each time.
    let (user, other) = (spectrum(Geometry::of(BodyKind::User)), {
        let mut other = Spectrum::default();
        other.set(
            &Geometry::of(BodyKind::User),
            &UserModes::new(&[UserMode { strike: 5.0, ..UserMode::default() }]),
        );
        other
    });
    let mut shapes = ShapeCache::new(MAX_MODES);
    shapes.set(&user, Place::Strike, point, 3);
    assert!(shapes.known(&user, point, 3).is_none());
    shapes.set(&other, Place::Strike, point, 3);
    assert_eq!(shapes.values()[..3], [5.0, 0.0, 0.0]);
}

/// The second mode of a pair uses the cached radial part of the first, for any start of the range.
#[test]
fn shapes_from_the_midst_of_a_list_are_those_of_the_whole() {
    for kind in [BodyKind::Membrane, BodyKind::ClampedDisc, BodyKind::FreePlate, BodyKind::Bowl] {
        let (body, point) = (spectrum(Geometry::of(kind)), Point::new(0.44, 0.17));
        let mut whole = [0.0; MAX_MODES];
        body.deflections(Place::Strike, point, &mut whole);
        for first in [1, 2, 3, 17] {
            let mut part = [0.0; 40];
            body.further_deflections(Place::Strike, point, first, &mut part);
            assert_eq!(part, whole[first..first + 40], "{kind:?} {first}");
        }
    }
}

/// A kind is two-dimensional exactly if a shape depends on y.
#[test]
fn flat_or_round_is_what_has_a_second_direction() {
    for kind in BodyKind::ALL {
        let body = spectrum(Geometry::of(kind));
        let at = |mode: usize, y: f64| body.deflection(mode, Place::Strike, Point::new(0.37, y));
        let depends = (0..body.len()).any(|mode| at(mode, 0.1) != at(mode, 0.23));
        assert_eq!(kind.is_two_dimensional(), depends, "{}", kind.name());
    }
}

#[test]
fn a_body_is_well_struck_and_heard_where_it_was() {
    let rows = BodyKind::ALL.map(|kind| {
        let points = kind.spec().usual_points;
        // One of the lowest modes has a large amplitude there.
        let body = spectrum(Geometry::of(kind));
        for point in points {
            let max = (0..4.min(body.len()))
                .map(|mode| body.deflection(mode, Place::Strike, point).abs());
            assert!(max.fold(0.0, f64::max) > 0.5, "{}", kind.name());
        }
        Case::new(kind.name(), points.into_iter().flat_map(|point| [point.x, point.y]))
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
