//! Shapes of tumbling bodies: corners and inertia.
//!
//! A body touches a plane only with its corners. Round bodies are approximated by rings of corners:
//! a coin rolls as an octagon.

use arrayvec::ArrayVec;

use super::inertia::Inertia;
use super::vector::{Vec3, add, norm, scale, sub};
use crate::random::Random;

/// Largest number of corners of a body.
pub const MAX_CORNERS: usize = 24;

/// Kind of body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RigidShapeKind {
    /// A cube.
    #[default]
    Die,
    /// A brick, 215 : 102.5 : 65.
    Brick,
    /// A disc, 12.5 times as wide as it is thick.
    Coin,
    /// A square bar, 20 times as long as it is thick.
    Rod,
    /// A bowling pin, solid throughout.
    BowlingPin,
    /// An ellipsoid 10 : 8 : 6.5 with corners pushed in and out at random.
    Stone,
}

impl RigidShapeKind {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::Die, Self::Brick, Self::Coin, Self::Rod, Self::BowlingPin, Self::Stone];

    /// Name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Die => "die",
            Self::Brick => "brick",
            Self::Coin => "coin",
            Self::Rod => "rod",
            Self::BowlingPin => "bowling pin",
            Self::Stone => "stone",
        }
    }
}

/// Corners and inertia, about the centre of mass and along the principal axes.
#[derive(Clone, Debug, PartialEq)]
pub struct RigidShape {
    /// Corners, m.
    pub corners_m: ArrayVec<Vec3, MAX_CORNERS>,
    /// Mass and moments.
    pub inertia: Inertia,
    /// Distance of the farthest corner, m.
    pub radius_m: f64,
}

impl RigidShape {
    /// A body of this size (longest edge, diameter or height, m) and mass. The seed shapes the
    /// stone.
    pub fn new(kind: RigidShapeKind, size_m: f64, mass_kg: f64, seed: u64) -> Self {
        let (corners_m, inertia) = match kind {
            RigidShapeKind::Die => cuboid([size_m; 3], mass_kg),
            RigidShapeKind::Brick => {
                cuboid([size_m, size_m * 102.5 / 215.0, size_m * 65.0 / 215.0], mass_kg)
            }
            RigidShapeKind::Rod => cuboid([size_m, 0.05 * size_m, 0.05 * size_m], mass_kg),
            RigidShapeKind::Coin => coin(size_m, mass_kg),
            RigidShapeKind::BowlingPin => pin(size_m, mass_kg),
            RigidShapeKind::Stone => stone(size_m, mass_kg, seed),
        };
        let radius_m = corners_m.iter().fold(0.0f64, |max, &corner| max.max(norm(corner)));
        Self { corners_m, inertia, radius_m }
    }
}

type Parts = (ArrayVec<Vec3, MAX_CORNERS>, Inertia);

fn cuboid(edges_m: Vec3, mass_kg: f64) -> Parts {
    let mut corners = ArrayVec::new();
    // Each bit of `i` selects the side along one axis.
    const CORNERS: u32 = 1 << 3;
    for i in 0..CORNERS {
        corners.push(std::array::from_fn(
            |axis| if i >> axis & 1 == 0 { 0.5 } else { -0.5 } * edges_m[axis],
        ));
    }
    (corners, Inertia::cuboid(mass_kg, edges_m))
}

/// `count` corners at height `z_m` on a circle about the z axis.
fn ring(corners: &mut ArrayVec<Vec3, MAX_CORNERS>, count: u32, radius_m: f64, z_m: f64) {
    for i in 0..count {
        let (sin, cos) =
            (std::f64::consts::TAU * (f64::from(i) + 0.5) / f64::from(count)).sin_cos();
        let _ = corners.try_push([radius_m * cos, radius_m * sin, z_m]);
    }
}

fn coin(size_m: f64, mass_kg: f64) -> Parts {
    let (radius, thickness) = (0.5 * size_m, 0.08 * size_m);
    let mut corners = ArrayVec::new();
    ring(&mut corners, 8, radius, 0.5 * thickness);
    ring(&mut corners, 8, radius, -0.5 * thickness);
    let across = mass_kg * (3.0 * radius * radius + thickness * thickness) / 12.0;
    (corners, Inertia { mass_kg, moments_kg_m2: [across, across, 0.5 * mass_kg * radius * radius] })
}

/// Height and diameter of a bowling pin (the ten-pin specification), in inches.
const PIN_IN: [[f64; 2]; 16] = [
    [0.0, 2.031],
    [0.75, 2.828],
    [2.25, 3.906],
    [3.375, 4.510],
    [4.5, 4.766],
    [5.875, 4.563],
    [7.25, 3.703],
    [8.625, 2.472],
    [9.375, 1.965],
    [10.0, 1.797],
    [10.875, 1.870],
    [11.75, 2.094],
    [12.625, 2.406],
    [13.5, 2.547],
    [14.4, 1.80],
    [15.0, 0.0],
];

fn pin(size_m: f64, mass_kg: f64) -> Parts {
    // A stack of thin discs: volume, first and second moments along the axis, and r^4 for the spin
    // about it.
    let [mut volume, mut first, mut second, mut fourth] = [0.0; 4];
    const SLICES: u32 = 16;
    for pair in PIN_IN.windows(2) {
        let ([z0, d0], [z1, d1]) = (pair[0], pair[1]);
        for slice in 0..SLICES {
            let share = (f64::from(slice) + 0.5) / f64::from(SLICES);
            let (z, r) = (z0 + share * (z1 - z0), 0.5 * (d0 + share * (d1 - d0)));
            let disc = r * r * (z1 - z0) / f64::from(SLICES);
            volume += disc;
            first += z * disc;
            second += z * z * disc;
            fourth += r * r * disc;
        }
    }
    let unit = size_m / 15.0;
    let middle = first / volume;
    let along = second / volume - middle * middle;
    let about = 0.5 * fourth / volume;
    let across = along + 0.5 * about;
    let scale = mass_kg * unit * unit;
    let mut corners = ArrayVec::new();
    for (count, height_in, diameter_in) in
        [(6, 0.0, 2.031), (8, 4.5, 4.766), (6, 13.5, 2.547), (1, 15.0, 0.0)]
    {
        ring(&mut corners, count, 0.5 * diameter_in * unit, (height_in - middle) * unit);
    }
    (corners, Inertia { mass_kg, moments_kg_m2: [across * scale, across * scale, about * scale] })
}

fn stone(size_m: f64, mass_kg: f64, seed: u64) -> Parts {
    const COUNT: u32 = 14;
    let half = [0.5, 0.4, 0.325].map(|share| share * size_m);
    let mut random = Random::new(seed);
    let mut corners = ArrayVec::new();
    for i in 0..COUNT {
        // Evenly over the sphere along a golden spiral, then displaced radially by up to 15 %.
        let z = 1.0 - 2.0 * (f64::from(i) + 0.5) / f64::from(COUNT);
        let (sin, cos) = (2.399_963_229_728_653 * f64::from(i)).sin_cos();
        let r = (1.0 - z * z).sqrt();
        let out = random.between(0.85, 1.15);
        let _ =
            corners.try_push([r * cos * half[0] * out, r * sin * half[1] * out, z * half[2] * out]);
    }
    let sum = corners.iter().fold([0.0; 3], |sum, &corner| add(sum, corner));
    let middle = scale(1.0 / f64::from(COUNT), sum);
    for corner in &mut corners {
        *corner = sub(*corner, middle);
    }
    let [a, b, c] = half.map(|axis| axis * axis);
    (
        corners,
        Inertia { mass_kg, moments_kg_m2: [b + c, a + c, a + b].map(|sum| 0.2 * mass_kg * sum) },
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against the integrals over thin discs: `r^2/2` about the axis, `z^2 + r^2/4` across it.
    #[test]
    fn a_pin_is_as_hard_to_turn_as_its_discs_together() {
        let (size_m, mass_kg) = (0.381, 1.5);
        let unit_m = size_m / 15.0;
        let radius_in = |z: f64| {
            let above =
                PIN_IN.iter().position(|[height, _]| *height > z).unwrap_or(PIN_IN.len() - 1);
            let ([z0, d0], [z1, d1]) = (PIN_IN[above - 1], PIN_IN[above]);
            0.5 * (d0 + (d1 - d0) * (z - z0) / (z1 - z0))
        };
        let integral = |of: &dyn Fn(f64, f64) -> f64| {
            const SLICES: u32 = 30_000;
            let at = |i: u32| 15.0 * (f64::from(i) + 0.5) / f64::from(SLICES);
            (0..SLICES).map(|i| of(at(i), radius_in(at(i))) * radius_in(at(i)).powi(2)).sum::<f64>()
        };
        let volume = integral(&|_, _| 1.0);
        let middle = integral(&|z, _| z) / volume;
        let across = integral(&|z, r| (z - middle).powi(2) + 0.25 * r * r) / volume
            * mass_kg
            * unit_m
            * unit_m;
        let about = integral(&|_, r| 0.5 * r * r) / volume * mass_kg * unit_m * unit_m;
        let (corners, inertia) = pin(size_m, mass_kg);
        for (own, expected) in inertia.moments_kg_m2.iter().zip([across, across, about]) {
            assert!((own / expected - 1.0).abs() < 1e-3, "{own}, not {expected} kg m^2");
        }
        // The lowest corners are at the foot, and the height equals the size.
        let heights = || corners.iter().map(|corner| corner[2]);
        let (lowest, highest) =
            (heights().fold(f64::MAX, f64::min), heights().fold(f64::MIN, f64::max));
        assert!(
            (lowest + middle * unit_m).abs() < 1e-4 && (highest - lowest - size_m).abs() < 1e-12
        );
    }
}
