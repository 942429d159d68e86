//! Changes of geometry and points.

use ictus::body::shape::Place;
use ictus::body::{BodyKind, Geometry, Point, Spectrum};

use crate::common::spectrum;

#[test]
fn nothing_jumps_when_geometry_or_points_move() {
    let steps = 400;
    for kind in BodyKind::ALL {
        let geometry = |n: i32| {
            let t = f64::from(n) / f64::from(steps);
            Geometry {
                aspect: 1.0 + 1.5 * t,
                split: 0.02 * t,
                inharmonicity: 0.1 * t,
                count: 256.0 - 100.0 * t,
                ..Geometry::of(kind)
            }
        };
        let point = |n: i32| {
            Point::new(f64::from(n) / f64::from(steps), 1.0 - f64::from(n) / f64::from(steps))
        };
        let mut body = spectrum(geometry(0));
        let still = Point::new(0.03, 0.05);
        let start = point(0);
        let shape = |body: &Spectrum, mode, point| body.deflection(mode, Place::Strike, point);
        let mut last: Vec<[f64; 4]> = (0..body.len())
            .map(|i| [body.ratio(i), shape(&body, i, still), shape(&body, i, start), body.share(i)])
            .collect();
        let mut turns = vec![0.0f64; body.len()];
        for n in 1..=steps {
            body = spectrum(geometry(n));
            for (i, before) in last.iter_mut().enumerate() {
                let now = [
                    body.ratio(i),
                    shape(&body, i, still),
                    shape(&body, i, point(n)),
                    body.share(i),
                ];
                let name = kind.name();
                // High partials of a string react to the least stiffness at once.
                let stiffer = if kind == BodyKind::String {
                    0.5 * 2.5e-4 * ((i + 1) * (i + 1)) as f64
                } else {
                    0.0
                };
                assert!(
                    (now[0] / before[0] - 1.0).abs() < 0.01 + stiffer,
                    "{name}, mode {i}, step {n}: {} {}",
                    before[0],
                    now[0]
                );
                // A corner of the plate: 4 and more where a wave is small.
                assert!(
                    (now[1] - before[1]).abs() < 1.2,
                    "{name}, mode {i}, step {n}: {} {}",
                    before[1],
                    now[1]
                );
                turns[i] = turns[i].max((now[2] - before[2]).abs());
                assert!(
                    (now[3] - before[3]).abs() <= 0.2501,
                    "{name}, mode {i}: share {} {}",
                    before[3],
                    now[3]
                );
                *before = now;
            }
        }
        // A wave of 256 half periods moves by at most 2 in one of 400 steps; the lowest modes
        // hardly move.
        assert!(
            turns[..4.min(turns.len())].iter().all(|turn| *turn < 0.2),
            "{}: {:?}",
            kind.name(),
            &turns[..4]
        );
    }
}
