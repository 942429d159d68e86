//! Bodies have the frequencies and the shapes they should, and the tables in the source say the same as the equations.

#![cfg(feature = "cli")]

#[path = "support/discs.rs"]
mod discs;
#[path = "support/ritz.rs"]
mod ritz;

use std::f64::consts::PI;

use ictus::body::bank::CHUNK;
use ictus::body::material::Damping;
use ictus::body::shape::disc::{Disc, Row};
use ictus::body::shape::plate::free::{ACROSS, ALONG, ASPECTS, Blend, FINE_ASPECTS, Legendre, MODES, UNIT};
use ictus::body::shape::{Place, UserMode};
use ictus::body::{Bank, Drive, Geometry, Kind, Listening, MAX_MODES, Modes, Point, Spectrum, Steps, UserModes};
use ictus::contact::Surface;

/// One mode of the free plate at one aspect, as the table has it.
struct Record {
    lambda: f64,
    symmetry: usize,
    shape: Vec<f64>,
}

/// Its lowest frequencies of one symmetry, from more polynomials than the shapes have.
fn free_plate_lambdas(aspect: f64, symmetry: usize) -> Vec<f64> {
    let problem = ritz::Problem::new((symmetry >> 1, symmetry & 1), (16, 12), aspect, 0.3);
    problem.solve().into_iter().take(MODES / 4).map(|(lambda, _)| lambda).collect()
}

/// The free plate solved at one aspect, sixteen modes of each symmetry.
fn free_plate(aspect: f64) -> Vec<Vec<Record>> {
    (0..4)
        .map(|symmetry| {
            let shapes = ritz::Problem::new((symmetry >> 1, symmetry & 1), (ALONG, ACROSS), aspect, 0.3).solve();
            let modes = free_plate_lambdas(aspect, symmetry).into_iter().zip(shapes);
            modes.map(|(lambda, (_, shape))| Record { lambda, symmetry, shape }).collect()
        })
        .collect()
}

/// Run with `cargo test --test bodies -- --ignored write_tables` after a change of what the tables are made of.
#[test]
#[ignore = "writes into the source"]
fn write_tables() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/body/shape");
    let mut text = String::from(
        "//! Wave numbers of discs, the 256 lowest modes of each. Written by `tests/bodies.rs`, which also checks them.\n\n\
         use super::Row;\n\nconst fn row(diameters: u8, k: f64, c: f64, scale: f64) -> Row {\n    Row { diameters, k, c, scale }\n}\n",
    );
    for (disc, name, what) in [
        (Disc::Membrane, "MEMBRANE", "Membrane: J_m(k) = 0."),
        (Disc::Free, "FREE", "Free plate, Poisson's ratio 0.33."),
        (Disc::Clamped, "CLAMPED", "Clamped plate."),
    ] {
        let rows = discs::solve(disc, discs::POISSON, MAX_MODES);
        text += &format!("\n/// {what}\n#[rustfmt::skip]\npub static {name}: [Row; {}] = [\n", rows.len());
        for Row { diameters, k, c, scale } in rows {
            text += &format!("    row({diameters}, {k:?}, {c:?}, {scale:?}),\n");
        }
        text += "];\n";
    }
    std::fs::write(folder.join("disc/table.rs"), text).unwrap();

    let mut order: Vec<(usize, usize)> = Vec::new();
    let grid: Vec<Vec<Vec<Record>>> = (0..ASPECTS).map(|n| free_plate(1.0 + 0.1 * n as f64)).collect();
    let middle = &grid[5];
    for symmetry in 0..4 {
        order.extend((0..MODES / 4).map(|mode| (symmetry, mode)));
    }
    order.sort_by(|a, b| middle[a.0][a.1].lambda.total_cmp(&middle[b.0][b.1].lambda));
    let mut bytes = Vec::new();
    let mut last: Vec<Vec<f64>> = vec![vec![0.0; ALONG * ACROSS]; MODES];
    for modes in &grid {
        for (slot, (symmetry, mode)) in order.iter().enumerate() {
            let record = &modes[*symmetry][*mode];
            // The sign is free: that of the neighbour, or a mode would turn over on the way.
            let along: f64 = record.shape.iter().zip(&last[slot]).map(|(a, b)| a * b).sum();
            let sign = if along < 0.0 { -1.0 } else { 1.0 };
            last[slot] = record.shape.iter().map(|c| sign * c).collect();
            bytes.extend((record.symmetry as u16).to_le_bytes());
            bytes.extend(last[slot].iter().flat_map(|c| ((c * UNIT).round() as i16).to_le_bytes()));
        }
    }
    std::fs::write(folder.join("plate/shape.bin"), bytes).unwrap();
    let mut bytes = Vec::new();
    for n in 0..FINE_ASPECTS {
        let lambdas: Vec<Vec<f64>> =
            (0..4).map(|symmetry| free_plate_lambdas(1.0 + 0.01 * n as f64, symmetry)).collect();
        bytes.extend(order.iter().flat_map(|(symmetry, mode)| (lambdas[*symmetry][*mode] as f32).to_le_bytes()));
    }
    std::fs::write(folder.join("plate/lambda.bin"), bytes).unwrap();
}

fn spectrum(geometry: Geometry) -> Spectrum {
    let mut spectrum = Spectrum::default();
    let odd = |i: i32| if i % 2 == 0 { 1.0 } else { -0.5 };
    let mode = |i: i32| UserMode {
        ratio: 1.0 + 0.37 * f64::from(i * i),
        strike: 1.0,
        left: odd(i),
        right: odd(i + 1),
        decay: 1.0 / f64::from(1 + i),
    };
    spectrum.set(&geometry, &UserModes::new(&(0..12).map(mode).collect::<Vec<_>>()));
    spectrum
}

fn kind_named(name: &str) -> Kind {
    Kind::ALL.into_iter().find(|kind| kind.name() == name).unwrap_or_else(|| panic!("no body '{name}'"))
}

#[test]
fn frequencies_are_those_of_the_reference() {
    let text = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/bodies.json")).unwrap();
    let cases: Vec<serde_json::Value> = serde_json::from_str(&text).unwrap();
    let mut seen = vec![Kind::User];
    for case in &cases {
        let name = case["kind"].as_str().unwrap();
        let number = |key: &str, otherwise: f64| case.get(key).map_or(otherwise, |value| value.as_f64().unwrap());
        let geometry = Geometry {
            aspect: number("aspect", 1.5),
            inharmonicity: number("inharmonicity", 0.0),
            ..Geometry::of(kind_named(name))
        };
        seen.push(geometry.kind);
        let body = spectrum(geometry);
        let mut ratios: Vec<f64> = (0..body.len()).map(|mode| body.ratio(mode)).collect();
        ratios.sort_by(f64::total_cmp);
        if case.get("pairs").is_some() {
            ratios.dedup();
        }
        for (mode, wanted) in case["ratios"].as_array().unwrap().iter().enumerate() {
            let (wanted, got) = (wanted.as_f64().unwrap(), ratios[mode]);
            assert!((got / wanted - 1.0).abs() < 1e-4, "{name}, mode {mode}: {got} instead of {wanted}");
        }
    }
    for kind in Kind::ALL {
        assert!(seen.contains(&kind), "{} is not in the reference", kind.name());
    }
}

#[test]
fn bodies_have_as_many_modes_as_they_say_in_rising_order() {
    for kind in Kind::ALL {
        let body = spectrum(Geometry::of(kind));
        let wanted = match kind {
            Kind::FreePlate | Kind::ChurchBell | Kind::WineGlass | Kind::Bowl => 64,
            Kind::User => 12,
            _ => MAX_MODES,
        };
        assert_eq!(body.len(), wanted, "{}", kind.name());
        for mode in 1..body.len() {
            assert!(body.ratio(mode) >= body.ratio(mode - 1), "{}, mode {mode}", kind.name());
        }
    }
}

/// Points and weights of a mean over the body: Gauss–Legendre in panels along x, an even grid around or across.
fn quadrature(kind: Kind) -> Vec<(Point, f64)> {
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
    let turn = |steps: usize| (0..steps).map(move |n| ((n as f64 + 0.3) / steps as f64, 1.0 / steps as f64));
    let mut points = Vec::new();
    if !kind.is_flat_or_round() {
        points.extend(line(192).into_iter().map(|(x, weight)| (Point::along(x), weight)));
        return points;
    }
    let disc = matches!(kind, Kind::Membrane | Kind::FreeDisc | Kind::ClampedDisc);
    let around: Vec<(f64, f64)> = match kind {
        Kind::FreePlate | Kind::SupportedPlate => line(16),
        Kind::Ring => turn(520).collect(),
        Kind::ChurchBell | Kind::WineGlass | Kind::Bowl => turn(140).collect(),
        _ => turn(62).collect(),
    };
    for (x, along) in line(if kind == Kind::Ring { 1 } else { 16 }) {
        let along = along * if disc { 2.0 * x } else { 1.0 };
        points.extend(around.iter().map(|(y, across)| (Point::new(x, *y), along * across)));
    }
    points
}

#[test]
fn shapes_are_orthonormal_over_the_body() {
    for kind in Kind::ALL.into_iter().filter(|kind| *kind != Kind::User) {
        let body = spectrum(Geometry::of(kind));
        // What this many points can tell apart.
        let modes = body.len().min(if kind.is_flat_or_round() { 128 } else { 256 });
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
        let allowed = if kind == Kind::FreePlate { 3e-4 } else { 1e-8 };
        for i in 0..modes {
            for j in 0..=i {
                let (product, wanted) = (products[i * modes + j], if i == j { 1.0 } else { 0.0 });
                assert!((product - wanted).abs() < allowed, "{}: modes {i}, {j}: {product}", kind.name());
            }
        }
    }
}

#[test]
fn one_shape_and_all_shapes_agree() {
    for kind in Kind::ALL {
        let body = spectrum(Geometry::of(kind));
        for point in [Point::new(0.0, 0.0), Point::new(0.31, 0.77), Point::new(1.0, 1.0)] {
            for place in [Place::Strike, Place::Left, Place::Right] {
                let mut shapes = [0.0; MAX_MODES];
                body.deflections(place, point, &mut shapes);
                for (mode, shape) in shapes.iter().enumerate().take(body.len()) {
                    assert_eq!(*shape, body.deflection(mode, place, point), "{}, mode {mode}", kind.name());
                    assert!(shape.is_finite() && shape.abs() < 40.0, "{}, mode {mode}: {shape}", kind.name());
                }
            }
        }
    }
}

#[test]
fn shapes_have_the_symmetry_of_their_body() {
    for kind in Kind::ALL {
        let body = spectrum(Geometry::of(kind));
        let at = |mode, x, y| body.deflection(mode, Place::Strike, Point::new(x, y));
        for mode in 0..body.len() {
            let (x, y) = (0.213, 0.391);
            let here = at(mode, x, y);
            let there = match kind {
                // Nothing to mirror at.
                Kind::ClampedBar | Kind::ClosedTube | Kind::User => continue,
                // Half a turn.
                _ if kind.is_flat_or_round() && !matches!(kind, Kind::FreePlate | Kind::SupportedPlate) => {
                    at(mode, x, y + 0.5)
                }
                _ => at(mode, 1.0 - x, y),
            };
            assert!((here.abs() - there.abs()).abs() < 1e-7, "{}, mode {mode}: {here}, {there}", kind.name());
            if matches!(kind, Kind::FreePlate | Kind::SupportedPlate) {
                let across = at(mode, x, 1.0 - y);
                assert!((here.abs() - across.abs()).abs() < 1e-7, "{}, mode {mode} across", kind.name());
            }
        }
    }
}

#[test]
fn edges_hold_what_they_should() {
    for (kind, points) in [
        (Kind::PinnedBar, vec![Point::along(0.0), Point::along(1.0)]),
        (Kind::String, vec![Point::along(0.0), Point::along(1.0)]),
        (Kind::ClampedBar, vec![Point::along(0.0)]),
        (Kind::Membrane, vec![Point::new(1.0, 0.13)]),
        (Kind::ClampedDisc, vec![Point::new(1.0, 0.13)]),
        (Kind::SupportedPlate, vec![Point::new(0.0, 0.3), Point::new(0.4, 1.0)]),
        (Kind::ChurchBell, vec![Point::new(0.0, 0.2)]),
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

#[test]
fn nothing_jumps_when_geometry_or_points_move() {
    let steps = 400;
    for kind in Kind::ALL {
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
        let point = |n: i32| Point::new(f64::from(n) / f64::from(steps), 1.0 - f64::from(n) / f64::from(steps));
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
                let now = [body.ratio(i), shape(&body, i, still), shape(&body, i, point(n)), body.share(i)];
                let name = kind.name();
                // High partials of a string feel the least stiffness at once.
                let stiffer = if kind == Kind::String { 0.5 * 2.5e-4 * ((i + 1) * (i + 1)) as f64 } else { 0.0 };
                assert!(
                    (now[0] / before[0] - 1.0).abs() < 0.01 + stiffer,
                    "{name}, mode {i}, step {n}: {} {}",
                    before[0],
                    now[0]
                );
                // A corner of the plate: 4 and more where a wave is small.
                assert!((now[1] - before[1]).abs() < 1.2, "{name}, mode {i}, step {n}: {} {}", before[1], now[1]);
                turns[i] = turns[i].max((now[2] - before[2]).abs());
                assert!((now[3] - before[3]).abs() <= 0.2501, "{name}, mode {i}: share {} {}", before[3], now[3]);
                *before = now;
            }
        }
        // A wave of 256 half periods moves by 2 at most in one of 400 steps; the lowest modes by next to nothing.
        assert!(turns[..4.min(turns.len())].iter().all(|turn| *turn < 0.2), "{}: {:?}", kind.name(), &turns[..4]);
    }
}

#[test]
fn the_tables_of_discs_solve_their_equations() {
    for disc in [Disc::Membrane, Disc::Free, Disc::Clamped] {
        let solved = discs::solve(disc, discs::POISSON, MAX_MODES);
        assert_eq!(solved.len(), disc.rows().len(), "{disc:?}");
        for (row, wanted) in disc.rows().iter().zip(&solved) {
            assert_eq!(row.diameters, wanted.diameters, "{disc:?}");
            for (got, wanted) in [(row.k, wanted.k), (row.c, wanted.c), (row.scale, wanted.scale)] {
                assert!((got - wanted).abs() <= 1e-9 * wanted.abs(), "{disc:?}: {row:?} {wanted:?}");
            }
        }
    }
    // The other Poisson's ratio of the reference, by the same equations.
    let rows = discs::solve(Disc::Free, 0.30, 20);
    for (row, wanted) in rows.iter().zip([5.3583, 9.0031, 12.4390, 20.4746, 21.8352, 33.4949, 35.2601, 38.4432]) {
        assert!((row.k * row.k / wanted - 1.0).abs() < 1e-5);
    }
}

#[test]
fn the_table_of_the_free_plate_solves_its_energy() {
    let (mut on_grid, mut off_grid) = (0.0f64, 0.0f64);
    for aspect in [1.0, 1.4, 2.5, 1.255, 1.945] {
        let solved = free_plate(aspect);
        let blend = Blend::new(aspect);
        let mut lambdas: Vec<f64> = solved.iter().flatten().map(|record| record.lambda).collect();
        let mut kept: Vec<f64> = (0..MODES).map(|mode| blend.lambda(mode)).collect();
        lambdas.sort_by(f64::total_cmp);
        kept.sort_by(f64::total_cmp);
        let error = lambdas.iter().zip(&kept).map(|(a, b)| (a / b - 1.0).abs()).fold(0.0, f64::max);
        let first = lambdas.iter().zip(&kept).take(24).map(|(a, b)| (a / b - 1.0).abs()).fold(0.0, f64::max);
        println!("aspect {aspect}: frequencies within {error:.1e}, the first 24 within {first:.1e}");
        let between = [1.255, 1.945].contains(&aspect);
        if between { off_grid = off_grid.max(error) } else { on_grid = on_grid.max(error) }
    }
    assert!(on_grid < 1e-6, "{on_grid}");
    assert!(off_grid < 1e-3, "{off_grid}");
    // Shapes, where no two modes of one symmetry are close: the lowest of each, at a corner and inside.
    for aspect in [1.3, 2.0] {
        let (solved, blend) = (free_plate(aspect), Blend::new(aspect));
        for record in solved.iter().flat_map(|class| class.iter().take(3)) {
            let near = |mode: &usize| (blend.lambda(*mode) / record.lambda - 1.0).abs() < 1e-5;
            let mode = (0..MODES).find(near).expect("its frequency is in the table");
            let shape = |x: f64, y: f64| {
                let degrees = |m: usize, at: f64| ((2 * m + 1) as f64).sqrt() * legendre(m, 2.0 * at - 1.0);
                let (odd_x, odd_y) = (record.symmetry >> 1, record.symmetry & 1);
                let term = |(n, c): (usize, &f64)| {
                    c * degrees(2 * (n / ACROSS) + odd_x, x) * degrees(2 * (n % ACROSS) + odd_y, y)
                };
                record.shape.iter().enumerate().map(term).sum::<f64>()
            };
            for (x, y) in [(0.0, 0.0), (0.28, 0.12), (0.93, 0.4)] {
                let (got, wanted) = (blend.deflection(mode, &Legendre::new(x, y)).abs(), shape(x, y).abs());
                assert!((got - wanted).abs() < 5e-3, "aspect {aspect}, mode {mode}: {got} instead of {wanted}");
            }
        }
    }
}

fn legendre(m: usize, at: f64) -> f64 {
    let (mut before, mut now) = (0.0, 1.0);
    for n in 0..m {
        let k = n as f64;
        (before, now) = (now, ((2.0 * k + 1.0) * at * now - k * before) / (k + 1.0));
    }
    now
}

const DAMPING: Damping = Damping { support_per_s: 2.0, loss_factor: 1e-3, viscous_s: 1e-8 };

#[test]
fn re_tuning_and_re_shaping_a_ringing_body_adds_no_energy() {
    for kind in Kind::ALL {
        let [strike, left, right] = kind.usual_points();
        let user = UserModes::new(&[UserMode::default(), UserMode { ratio: 2.3, ..UserMode::default() }]);
        let mut modes = Modes::default();
        modes.set_body(&Geometry::of(kind), &user);
        modes.set(200.0, &DAMPING, Listening { left, right }, 48_000.0);
        modes.arrive();
        let mut drive = Drive::default();
        drive.set_gains(&modes.drive_gains(strike, 1.0));
        drive.begin_sample();
        drive.on(&modes, &mut Steps::default()).push(1000.0, 1.0 / 48_000.0);
        let mut bank = Bank::default();
        bank.take(&modes, &drive);
        let mut before = bank.energy_per_mass();
        assert!(before > 0.0);
        let (mut l, mut r) = ([0.0; CHUNK], [0.0; CHUNK]);
        for step in 0..300 {
            let wave = f64::from(step).sin();
            let geometry = Geometry {
                aspect: 1.75 + 0.75 * wave,
                split: 0.01 + 0.01 * wave,
                inharmonicity: 0.05 + 0.05 * wave,
                count: 128.0 + 127.0 * wave,
                ..Geometry::of(kind)
            };
            modes.set_body(&geometry, &user);
            modes.set(200.0 * (1.0 + 0.9 * wave), &DAMPING, Listening { left: right, right: left }, 48_000.0);
            modes.arrive();
            bank.process(&mut modes, &mut l, &mut r);
            let after = bank.energy_per_mass();
            assert!(after <= before, "{}, step {step}: {before} -> {after}", kind.name());
            before = after;
        }
    }
}

#[test]
fn a_body_changes_into_any_other_while_it_rings() {
    let mut modes = Modes::default();
    let (mut l, mut r) = ([0.0; CHUNK], [0.0; CHUNK]);
    let mut bank = Bank::default();
    for kind in Kind::ALL.into_iter().chain(Kind::ALL.into_iter().rev()) {
        modes.set_body(&Geometry::of(kind), &UserModes::default());
        let [strike, left, right] = kind.usual_points();
        modes.set(440.0, &DAMPING, Listening { left, right }, 48_000.0);
        let mut drive = Drive::default();
        drive.set_gains(&modes.drive_gains(strike, 1.0));
        drive.begin_sample();
        drive.on(&modes, &mut Steps::default()).push(100.0, 1.0 / 48_000.0);
        bank.take(&modes, &drive);
        bank.process(&mut modes, &mut l, &mut r);
        modes.arrive();
        assert!(bank.settle(&modes, 1.0).is_finite(), "{}", kind.name());
        assert!(l.iter().chain(&r).all(|x| x.is_finite()));
    }
}

#[test]
fn modes_leave_the_band_and_the_count_gradually() {
    for kind in Kind::ALL {
        let [_, left, right] = kind.usual_points();
        let mut last: Option<Vec<f64>> = None;
        let mut modes = Modes::default();
        for step in 0..4000 {
            let t = f64::from(step) / 4000.0;
            modes.set_body(&Geometry { count: 1.0 + 60.0 * t, ..Geometry::of(kind) }, &UserModes::default());
            // Two octaves in 4000 steps.
            modes.set(300.0 * (2.0 * t).exp2(), &DAMPING, Listening { left, right }, 44_100.0);
            let top = (0..MAX_MODES).map(|i| modes.omega[i]).fold(0.0, f64::max) / (2.0 * PI);
            assert!(top <= 0.45 * 44_100.0, "{}: {top} Hz", kind.name());
            let presence: Vec<f64> = modes.presence.to_vec();
            if let Some(last) = last {
                for (mode, (a, b)) in last.iter().zip(&presence).enumerate() {
                    assert!((a - b).abs() < 0.05, "{}, mode {mode}: {a} -> {b}", kind.name());
                }
            }
            last = Some(presence);
        }
    }
}
