//! At equal strike energy all bodies are equally loud, through the whole engine and at the default
//! points.

use ictus::body::BodyKind;

use super::common::{RATE_HZ, one, patch, set};
use crate::k_weighting::mean_square;

/// Levels (dB, K-weighted, first 400 ms) of every body at these sizes and keys; prints their
/// spread.
fn spread(sizes: &[f64], keys: &[u8], materials: &[&str], more: &[(&str, &str)]) -> f64 {
    let mut all = Vec::new();
    for kind in BodyKind::ALL.into_iter().filter(|kind| *kind != BodyKind::User) {
        let mut own = Vec::new();
        for size in sizes {
            for material in materials {
                let mut patch =
                    patch(&[("body", kind.name()), ("level", "-12"), ("mater", *material)]);
                // Masses scale with the cube of Size.
                set(&mut patch, "speed", &(2.4 * size.powf(-1.5)).to_string());
                set(&mut patch, "size", &size.to_string());
                more.iter().for_each(|(id, text)| set(&mut patch, id, text));
                for key in keys {
                    let played = one(&patch, *key, 0.4, RATE_HZ);
                    assert!(played.limiter_gain == 1.0, "{} {size} {key}: limited", kind.name());
                    let level_db =
                        10.0 * (mean_square(&played.left) + mean_square(&played.right)).log10();
                    own.push(level_db);
                    all.push((
                        level_db,
                        format!("{} {material} size {size} key {key}", kind.name()),
                    ));
                }
            }
        }
        let ends = (
            own.iter().copied().fold(f64::MAX, f64::min),
            own.iter().copied().fold(f64::MIN, f64::max),
        );
        println!("{:>16} {:6.2} to {:6.2} dB", kind.name(), ends.0, ends.1);
    }
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    for (level_db, what) in all.iter().take(8).chain(all.iter().rev().take(8)) {
        println!("{level_db:7.2} dB {what}");
    }
    all[all.len() - 1].0 - all[0].0
}

#[test]
fn bodies_and_sizes_are_within_3_db() {
    for (name, more) in [
        ("no dissipation", ("mu", "0")),
        ("mu 0.3", ("mu", "0.3")),
        ("restitution 0.8", ("dmode", "Restitution")),
    ] {
        let spread = spread(&[0.25, 1.0, 4.0], &[48, 72], &["Steel"], &[more]);
        println!("{name}: spread {spread:.2} dB");
        assert!(spread <= 3.0, "{name}: {spread} dB");
    }
}

/// The edges of the ranges: bodies lighter than the striker (wood weighs a tenth of steel), low
/// keys, other laws.
#[test]
#[ignore = "spread of levels over bodies, sizes and keys: cargo xtask measure loudness"]
fn how_far_two_way_coupling_spreads_them_at_the_edges() {
    for more in [
        &[("weight", "0.01")][..],
        &[("weight", "0.01"), ("mu", "0")],
        &[("mass", "0.1"), ("weight", "0.4")],
        &[("mass", "0.001")],
        &[("mu", "2")],
        &[("law", "Hertz-damper")],
        &[("mu", "0.3")],
        &[("mu", "0")],
    ] {
        let quiet = [&[("level", "-36")], more].concat();
        let both = [&[("coupl", "Two-way")], &quiet[..]].concat();
        println!(
            "EDGE {more:?}: spread {:.2} dB",
            spread(&[0.25, 1.0, 4.0], &[36, 60, 84], &["Steel", "Wood"], &both)
        );
        println!(
            "EDGE {more:?}: rigid {:.2} dB",
            spread(&[0.25, 1.0, 4.0], &[36, 60, 84], &["Steel", "Wood"], &quiet)
        );
    }
}

#[test]
#[ignore = "spread of levels over bodies, sizes and keys: cargo xtask measure loudness"]
fn bodies_sizes_materials_and_keys() {
    let materials = ["Own", "Glass", "Steel", "Wood"];
    for coupling in ["Rigid", "Two-way"] {
        let more = [("mu", "0"), ("level", "-36"), ("coupl", coupling)];
        let spread = spread(&[0.25, 0.5, 1.0, 2.0, 4.0], &[36, 48, 60, 72, 84], &materials, &more);
        println!("{coupling}: spread {spread:.2} dB");
    }
}
