//! The tables in the source, computed again.

use ictus::body::MAX_MODES;
use ictus::body::shape::disc::{Disc, DiscMode};
use ictus::body::shape::plate::{
    ACROSS, ALONG, ASPECTS, FINE_ASPECTS, FINE_PER_ASPECT, FREE_MODES, FreePlate, Legendre, UNIT,
};

use crate::{discs, ritz};

/// One mode of the free plate at one aspect, as stored in the table.
struct Record {
    lambda: f64,
    symmetry: usize,
    shape: Vec<f64>,
}

/// Its lowest frequencies of one symmetry, from more polynomials than the shapes use.
fn free_plate_lambdas(aspect: f64, symmetry: usize) -> Vec<f64> {
    let problem = ritz::Problem::new((symmetry >> 1, symmetry & 1), (16, 12), aspect, 0.3);
    problem.solve().into_iter().take(FREE_MODES / 4).map(|(lambda, _)| lambda).collect()
}

/// The free plate solved at one aspect, sixteen modes of each symmetry.
fn free_plate(aspect: f64) -> Vec<Vec<Record>> {
    (0..4)
        .map(|symmetry| {
            let shapes =
                ritz::Problem::new((symmetry >> 1, symmetry & 1), (ALONG, ACROSS), aspect, 0.3)
                    .solve();
            let modes = free_plate_lambdas(aspect, symmetry).into_iter().zip(shapes);
            modes.map(|(lambda, (_, shape))| Record { lambda, symmetry, shape }).collect()
        })
        .collect()
}

/// Rewrites the tables: `cargo test --test bodies -- --ignored write_tables`.
#[test]
#[ignore = "writes the tables in src/body/shape"]
fn write_tables() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/body/shape");
    let mut text = String::from(
        "//! Wave numbers of discs, the 256 lowest modes of each. Written by `tests/bodies`, which also checks them.\n\n\
         use super::DiscMode;\n\nconst fn row(diameters: u8, k: f64, c: f64, scale: f64) -> DiscMode {\n    DiscMode { diameters, k, c, scale }\n}\n",
    );
    for (disc, name, what) in [
        (Disc::Membrane, "MEMBRANE", "Membrane: J_m(k) = 0."),
        (Disc::Free, "FREE", "Free plate, Poisson's ratio 0.33."),
        (Disc::Clamped, "CLAMPED", "Clamped plate."),
    ] {
        let rows = discs::solve(disc, discs::POISSON, MAX_MODES);
        text += &format!(
            "\n/// {what}\n#[rustfmt::skip]\npub static {name}: [DiscMode; {}] = [\n",
            rows.len()
        );
        for DiscMode { diameters, k, c, scale } in rows {
            text += &format!("    row({diameters}, {k:?}, {c:?}, {scale:?}),\n");
        }
        text += "];\n";
    }
    std::fs::write(folder.join("disc/table.rs"), text).unwrap();

    let mut order: Vec<(usize, usize)> = Vec::new();
    let grid: Vec<Vec<Vec<Record>>> =
        (0..ASPECTS).map(|n| free_plate(1.0 + 0.1 * n as f64)).collect();
    let middle = &grid[5];
    for symmetry in 0..4 {
        order.extend((0..FREE_MODES / 4).map(|mode| (symmetry, mode)));
    }
    order.sort_by(|a, b| middle[a.0][a.1].lambda.total_cmp(&middle[b.0][b.1].lambda));
    let mut bytes = Vec::new();
    let mut last: Vec<Vec<f64>> = vec![vec![0.0; ALONG * ACROSS]; FREE_MODES];
    for modes in &grid {
        for (slot, (symmetry, mode)) in order.iter().enumerate() {
            let record = &modes[*symmetry][*mode];
            // The sign is free; take that of the neighbour, or a mode would change its sign along
            // the grid.
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
        let lambdas: Vec<Vec<f64>> = (0..4)
            .map(|symmetry| free_plate_lambdas(1.0 + n as f64 / FINE_PER_ASPECT, symmetry))
            .collect();
        bytes.extend(
            order
                .iter()
                .flat_map(|(symmetry, mode)| (lambdas[*symmetry][*mode] as f32).to_le_bytes()),
        );
    }
    std::fs::write(folder.join("plate/lambda.bin"), bytes).unwrap();
}

#[test]
fn the_tables_of_discs_solve_their_equations() {
    for disc in [Disc::Membrane, Disc::Free, Disc::Clamped] {
        let solved = discs::solve(disc, discs::POISSON, MAX_MODES);
        assert_eq!(solved.len(), disc.rows().len(), "{disc:?}");
        for (row, wanted) in disc.rows().iter().zip(&solved) {
            assert_eq!(row.diameters, wanted.diameters, "{disc:?}");
            for (got, wanted) in [(row.k, wanted.k), (row.c, wanted.c), (row.scale, wanted.scale)] {
                assert!(
                    (got - wanted).abs() <= 1e-9 * wanted.abs(),
                    "{disc:?}: {row:?} {wanted:?}"
                );
            }
        }
    }
    // The other Poisson's ratio of the reference, by the same equations.
    let rows = discs::solve(Disc::Free, 0.30, 20);
    for (row, wanted) in
        rows.iter().zip([5.3583, 9.0031, 12.4390, 20.4746, 21.8352, 33.4949, 35.2601, 38.4432])
    {
        assert!((row.k * row.k / wanted - 1.0).abs() < 1e-5);
    }
}

#[test]
fn the_table_of_the_free_plate_solves_its_energy() {
    let (mut on_grid, mut off_grid) = (0.0f64, 0.0f64);
    // Halfway between two aspects of the table, most of them where modes come close.
    let between = [1.00125, 1.04125, 1.13125, 1.16875, 1.25125, 1.30875, 1.36125, 1.94625, 2.35875];
    for aspect in [1.0, 1.4, 2.5].into_iter().chain(between) {
        let blend = FreePlate::new(aspect);
        let mut lambdas: Vec<f64> =
            (0..4).flat_map(|symmetry| free_plate_lambdas(aspect, symmetry)).collect();
        let mut kept: Vec<f64> = (0..FREE_MODES).map(|mode| blend.lambda(mode)).collect();
        lambdas.sort_by(f64::total_cmp);
        kept.sort_by(f64::total_cmp);
        let error = lambdas.iter().zip(&kept).map(|(a, b)| (a / b - 1.0).abs()).fold(0.0, f64::max);
        let first = lambdas
            .iter()
            .zip(&kept)
            .take(24)
            .map(|(a, b)| (a / b - 1.0).abs())
            .fold(0.0, f64::max);
        println!(
            "aspect {aspect}: frequencies within {error:.1e}, the first 24 within {first:.1e}"
        );
        if between.contains(&aspect) {
            off_grid = off_grid.max(error)
        } else {
            on_grid = on_grid.max(error)
        }
    }
    assert!(on_grid < 1e-6, "{on_grid}");
    assert!(off_grid < 2e-5, "{off_grid}");
    // Shapes, where no two modes of one symmetry are close: the lowest of each, at a corner and
    // inside.
    for aspect in [1.3, 2.0] {
        let (solved, blend) = (free_plate(aspect), FreePlate::new(aspect));
        for record in solved.iter().flat_map(|class| class.iter().take(3)) {
            let near = |mode: &usize| (blend.lambda(*mode) / record.lambda - 1.0).abs() < 1e-5;
            let mode = (0..FREE_MODES).find(near).expect("its frequency is in the table");
            let shape = |x: f64, y: f64| {
                let degrees =
                    |m: usize, at: f64| ((2 * m + 1) as f64).sqrt() * legendre(m, 2.0 * at - 1.0);
                let (odd_x, odd_y) = (record.symmetry >> 1, record.symmetry & 1);
                let term = |(n, c): (usize, &f64)| {
                    c * degrees(2 * (n / ACROSS) + odd_x, x) * degrees(2 * (n % ACROSS) + odd_y, y)
                };
                record.shape.iter().enumerate().map(term).sum::<f64>()
            };
            for (x, y) in [(0.0, 0.0), (0.28, 0.12), (0.93, 0.4)] {
                let (got, wanted) =
                    (blend.deflection(mode, &Legendre::new(x, y)).abs(), shape(x, y).abs());
                assert!(
                    (got - wanted).abs() < 5e-3,
                    "aspect {aspect}, mode {mode}: {got} instead of {wanted}"
                );
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
