//! Number snapshots of rigid bodies over random inputs (see `support/number_snapshots.rs`).

mod bodies;
mod one_point;
mod rows;
mod several_points;
mod tumbles;

use ictus::random::Random;
use ictus::rigid_body::inertia::Inertia;
use ictus::rigid_body::motion::Quaternion;
use ictus::rigid_body::vector::Vec3;

fn vector(chance: &mut Random, size: f64) -> Vec3 {
    [0; 3].map(|_: i32| chance.between(-size, size))
}

fn attitude(chance: &mut Random) -> Quaternion {
    Quaternion([0; 4].map(|_: i32| chance.between(-1.0, 1.0))).normalised()
}

/// A box with all edges different, or with two or three equal.
fn inertia(chance: &mut Random, seed: usize) -> Inertia {
    let [a, b, c] = [0; 3].map(|_: i32| chance.between(0.02, 0.3));
    let edges_m = [[a, b, c], [a, a, c], [a, b, b], [a, b, a], [a, a, a]][seed % 5];
    Inertia::cuboid(chance.between(0.05, 2.0), edges_m)
}

fn names(what: &str, count: usize) -> Vec<String> {
    (0..count).map(|seed| format!("{what} {seed}")).collect()
}
