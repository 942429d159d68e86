//! The table of dampings solves the equation of motion at its nodes and between them.
//!
//! A table of another law, or one read in other coordinates, misses e by more than 1e-3.

use ictus::contact::restitution::grid::nodes::{EXPONENTS, LOGITS, NODES};
use ictus::contact::restitution::grid::{self, exponent_at, logit_at};
use ictus::contact::restitution::{kelvin_voigt, rebound};
use std::fmt::Write as _;

const FINE: f64 = 1e-14;

fn e_of(logit: f64) -> f64 {
    1.0 / (1.0 + (-logit).exp())
}

/// Rewrites `nodes.rs`; run it with `--ignored`.
#[test]
#[ignore = "writes src/contact/restitution/grid/nodes.rs"]
fn write_the_table() {
    let mut text = String::from(
        "//! The nodes: ln C at equal steps of logit e, one row for each exponent.\n//!\n\
         //! Written by `cargo test --test contact -- --ignored write_the_table`, and checked against \
         the\n//! equation of motion by the other tests of `tests/contact/restitution/table.rs`.\n\n",
    );
    writeln!(
        text,
        "/// Nodes over logit e.\npub const LOGITS: usize = {LOGITS};\n/// Rows over the exponent."
    )
    .unwrap();
    writeln!(text, "pub const EXPONENTS: usize = {EXPONENTS};\n\n/// ln C.\n#[rustfmt::skip]")
        .unwrap();
    writeln!(text, "pub static NODES: [[f64; LOGITS]; EXPONENTS] = [").unwrap();
    for row in 0..EXPONENTS {
        let n = exponent_at(row);
        write!(text, "    // n = {n:.6}\n    [").unwrap();
        for column in 0..LOGITS {
            let ln_c = rebound::damping_of_restitution(e_of(logit_at(column)), n, FINE).ln();
            write!(text, "{}{ln_c:.10},", if column % 8 == 0 { "\n        " } else { " " })
                .unwrap();
        }
        text.push_str("\n    ],\n");
    }
    text.push_str("];\n");
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/contact/restitution/grid/nodes.rs");
    std::fs::write(path, text).unwrap();
}

#[test]
fn every_node_is_a_solution() {
    let mut worst: f64 = 0.0;
    for (row, values) in NODES.iter().enumerate() {
        for (column, ln_c) in values.iter().enumerate() {
            let e = e_of(logit_at(column));
            worst = worst.max((rebound::solve(ln_c.exp(), exponent_at(row), FINE).e - e).abs());
        }
    }
    println!("worst node {worst:e}");
    assert!(worst < 1e-9, "{worst:e}");
}

#[test]
fn between_the_nodes_e_comes_out_within_1e_6() {
    let mut worst: f64 = 0.0;
    for i in 0..=40 {
        let n = 1.0 + f64::from(i) / 40.0 * 2.5;
        for j in 0..=60 {
            // From 1e-4 to 1 - 1e-4, off the nodes.
            let e = e_of(-9.21 + 18.42 * f64::from(j) / 60.0);
            let error = (rebound::solve(grid::damping(e, n), n, 1e-12).e - e).abs();
            worst = worst.max(error);
        }
    }
    println!("worst between nodes {worst:e}");
    assert!(worst < 1e-6, "{worst:e}");
}

#[test]
fn the_ends_of_the_table_are_valid() {
    for n in [1.0, 1.37, 1.5, 2.0, 3.5] {
        assert_eq!(grid::damping(1.0, n), 0.0);
        for e in [1e-9, 1e-7, 1e-6, 1e-5, 1.0 - 1e-6, 1.0 - 1e-9, 1.0 - 1e-12] {
            let got = rebound::solve(grid::damping(e, n), n, 1e-15).e;
            assert!((got - e).abs() < 1e-7, "n {n}, e {e}: {got}");
        }
        let mut last = f64::INFINITY;
        for i in 1..=2000 {
            let c = grid::damping(f64::from(i) / 2000.0, n);
            assert!(c < last, "n {n}, {i}: C must fall as e rises");
            last = c;
        }
    }
}

#[test]
fn the_linear_contact_is_that_of_kelvin_and_voigt() {
    for i in 1..1000 {
        let e = f64::from(i) / 1000.0;
        let exact = kelvin_voigt::restitution(0.5 * grid::damping(e, 1.0));
        assert!((exact - e).abs() < 1e-6, "{e}: {exact}");
        let back = kelvin_voigt::restitution(kelvin_voigt::damping_ratio(e));
        assert!((back - e).abs() < 1e-14, "{e}: {back}");
    }
    for ratio in [0.0, 0.01, 0.3, 0.7, 0.7072, 0.9, 0.9995, 1.0, 1.0005, 1.5, 5.0, 50.0] {
        let stepped = rebound::solve(2.0 * ratio, 1.0, FINE);
        assert!(
            (stepped.e - kelvin_voigt::restitution(ratio)).abs() < 1e-11,
            "{ratio}: {stepped:?}"
        );
        let time = kelvin_voigt::separation_time(ratio);
        assert!((stepped.time / time - 1.0).abs() < 1e-8, "{ratio}: {} {time}", stepped.time);
    }
}
