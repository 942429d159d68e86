//! Bodies in flight, their landings and their shapes.

use ictus::random::Random;
use ictus::rigid_body::inertia::mobility_per_kg;
use ictus::rigid_body::motion::{RigidMotion, first_landing_s};
use ictus::rigid_body::shape::{RigidShape, RigidShapeKind};

#[test]
fn flights() {
    crate::number_snapshots::check(
        "rigid_flights.txt",
        &super::names("flight", 20),
        |seed, nudge| {
            let mut chance = Random::new(seed as u64);
            let inertia = super::inertia(&mut chance, seed);
            let mut motion = RigidMotion {
                centre_m: super::vector(&mut chance, 1.0),
                attitude: super::attitude(&mut chance),
                velocity_m_per_s: super::vector(&mut chance, 3.0).map(|v| v * (1.0 + nudge)),
                momentum_kg_m2_per_s: super::vector(&mut chance, 0.05),
            };
            let (arm, impulse) = (super::vector(&mut chance, 0.2), super::vector(&mut chance, 0.3));
            let mut numbers = Vec::new();
            for time_s in [1e-4, 3e-3, 0.05, 0.4] {
                let axes = motion.axes();
                numbers.extend(axes.iter().flatten());
                numbers.extend(motion.spin_rad_per_s(&inertia));
                numbers.extend([
                    motion.kinetic_j(&inertia),
                    motion.energy_j(&inertia, 9.81),
                    motion.height_m(&axes, arm),
                ]);
                numbers.extend(motion.place_m(&axes, arm));
                numbers.extend(motion.point_velocity_m_per_s(&inertia, arm));
                numbers.extend(mobility_per_kg(&inertia, &axes, arm, impulse).iter().flatten());
                motion.push(&inertia, arm, impulse);
                motion = motion.flown(&inertia, 9.81, time_s);
                numbers.extend(motion.attitude.0);
                numbers.extend(
                    motion
                        .centre_m
                        .iter()
                        .chain(&motion.velocity_m_per_s)
                        .chain(&motion.momentum_kg_m2_per_s),
                );
            }
            numbers
        },
    );
}

#[test]
fn landings() {
    crate::number_snapshots::check(
        "rigid_landings.txt",
        &super::names("landing", 60),
        |seed, nudge| {
            let mut chance = Random::new(seed as u64);
            let kind = RigidShapeKind::ALL[seed % 6];
            let shape = RigidShape::new(
                kind,
                chance.between(0.02, 0.3),
                chance.between(0.01, 2.0),
                seed as u64,
            );
            let motion = RigidMotion {
                centre_m: [0.0, 0.0, chance.between(0.3, 1.05) * shape.radius_m],
                attitude: super::attitude(&mut chance),
                velocity_m_per_s: super::vector(&mut chance, 3.0).map(|v| v * (1.0 + nudge)),
                momentum_kg_m2_per_s: super::vector(
                    &mut chance,
                    60.0 * shape.inertia.moments_kg_m2[seed % 3],
                ),
            };
            let count = shape.corners_m.len();
            [(9.81, 1e-3, 0), (9.81, 0.1, 0), (0.0, 0.02, 3), (100.0, 0.5, 1)]
                .map(|(gravity, time_s, first)| {
                    let may = |corner: usize| corner >= first && corner < count;
                    first_landing_s(&motion, &shape.inertia, gravity, time_s, &shape.corners_m, may)
                        .unwrap_or(-1.0)
                })
                .to_vec()
        },
    );
}

#[test]
fn shapes() {
    crate::number_snapshots::check(
        "rigid_shapes.txt",
        &super::names("shape", 12),
        |seed, nudge| {
            let size_m = 0.1 * (1 + seed) as f64 * (1.0 + nudge);
            let shape = RigidShape::new(
                RigidShapeKind::ALL[seed % 6],
                size_m,
                0.3 + seed as f64,
                7 * seed as u64,
            );
            let mut numbers: Vec<f64> = shape.corners_m.iter().flatten().copied().collect();
            numbers.push(shape.radius_m);
            // Scaled, as they would be negligible beside the corners.
            numbers.extend(
                shape
                    .inertia
                    .moments_kg_m2
                    .map(|moment| moment / (shape.inertia.mass_kg * size_m * size_m)),
            );
            numbers
        },
    );
}
