//! Free spin.
//!
//! With l the angular momentum in principal axes, `H = |l|^2/2I_a + l_c^2 (1/I_c - 1/I_a)/2 + l_b^2
//! (1/I_b - 1/I_a)/2`. The first part turns the body steadily about the angular momentum, each of
//! the others about one principal axis, and all three flows are exact. The first commutes with the
//! rest; the other two are interleaved (Strang). So the angular momentum in the world is kept
//! exactly, the energy of a three-axed body swings within O(step^2) without drift, and a body with
//! two equal moments (coin, rod, pin, die) moves exactly.

use super::quaternion::Quaternion;
use crate::rigid_body::inertia::Inertia;
use crate::rigid_body::vector::{Vec3, mul_transposed, norm, scale};

/// Most that the interleaved turns of one step come to, rad; energy then swings by about 1e-4.
const STEP_RAD: f64 = 0.05;

/// Most steps of one call.
pub const MAX_STEPS: u32 = 64;

/// Orientation after `time_s` of free spin with a constant angular momentum in the world.
pub fn turned(
    inertia: &Inertia,
    attitude: Quaternion,
    momentum_kg_m2_per_s: Vec3,
    time_s: f64,
) -> Quaternion {
    let moments = inertia.moments_kg_m2;
    // The axis whose moment stands apart from the other two.
    let gap = |i: usize, j: usize| (moments[i] - moments[j]).abs();
    let [a, b, c] = if gap(0, 1) <= gap(1, 2) && gap(0, 1) <= gap(0, 2) {
        [0, 1, 2]
    } else if gap(1, 2) <= gap(0, 2) {
        [1, 2, 0]
    } else {
        [2, 0, 1]
    };
    let mut body = mul_transposed(&attitude.matrix(), momentum_kg_m2_per_s);
    let size = norm(momentum_kg_m2_per_s);
    let excess = |axis: usize| 1.0 / moments[axis] - 1.0 / moments[a];
    let mut own = Quaternion::IDENTITY;
    let mut spin = |axis: usize, time_s: f64| {
        let angle = body[axis] * excess(axis) * time_s;
        if angle != 0.0 {
            own = own.after(Quaternion::about_axis(axis, angle));
            // In the turned body the momentum appears turned back.
            let (j, k) = ((axis + 1) % 3, (axis + 2) % 3);
            let (sin, cos) = angle.sin_cos();
            (body[j], body[k]) = (cos * body[j] + sin * body[k], cos * body[k] - sin * body[j]);
        }
    };
    let steps =
        (size * excess(b).abs() * time_s / STEP_RAD).ceil().clamp(1.0, f64::from(MAX_STEPS));
    let step_s = time_s / steps;
    for _ in 0..steps as u32 {
        spin(c, 0.5 * step_s);
        spin(b, step_s);
        spin(c, 0.5 * step_s);
    }
    let steady = Quaternion::from_turn(scale(time_s / moments[a], momentum_kg_m2_per_s));
    steady.after(attitude).after(own).normalised()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rigid_body::motion::RigidMotion;
    use crate::rigid_body::vector::{dot, sub};

    fn thrown(momentum_kg_m2_per_s: Vec3) -> RigidMotion {
        RigidMotion {
            centre_m: [0.0; 3],
            attitude: Quaternion::from_turn([0.3, -0.7, 1.1]),
            velocity_m_per_s: [0.0; 3],
            momentum_kg_m2_per_s,
        }
    }

    #[test]
    fn a_brick_tumbles_for_a_minute_without_drift() {
        // About its middle axis, where a poor integrator gains or loses within seconds.
        let brick = Inertia::cuboid(2.0, [0.2, 0.1, 0.06]);
        let mut motion = thrown([0.0; 3]);
        let axes = motion.axes();
        let i = brick.moments_kg_m2;
        motion.momentum_kg_m2_per_s =
            crate::rigid_body::vector::mul(&axes, [0.01 * i[0], 30.0 * i[1], 0.02 * i[2]]);
        let before = motion.kinetic_j(&brick);
        let mut worst: f64 = 0.0;
        let mut flips = 0;
        let mut side = 1.0;
        for _ in 0..60_000 {
            motion = motion.flown(&brick, 0.0, 1e-3);
            worst = worst.max((motion.kinetic_j(&brick) / before - 1.0).abs());
            let spin = mul_transposed(&motion.axes(), motion.spin_rad_per_s(&brick));
            if spin[1] * side < -10.0 {
                flips += 1;
                side = -side;
            }
        }
        assert!(worst < 2e-4, "energy swings by {worst:e}");
        assert!(flips > 20, "the middle axis must turn over, and did {flips} times");
    }

    /// A step that is cut into several is as good as several steps: the error of either goes with
    /// the square of its pieces.
    #[test]
    fn a_brick_turns_in_one_long_step_as_in_many_short_ones() {
        let brick = Inertia::cuboid(2.0, [0.2, 0.1, 0.06]);
        let start = thrown([0.05, -0.04, 0.06]);
        let one = start.flown(&brick, 9.81, 0.2);
        let many = (0..2000).fold(start, |motion, _| motion.flown(&brick, 9.81, 1e-4));
        for (a, b) in one.axes().iter().zip(many.axes()) {
            assert!(norm(sub(*a, b)) < 0.02, "{a:?}, {b:?}");
        }
        assert!(norm(sub(start.axes()[0], one.axes()[0])) > 0.1, "it has turned");
    }

    #[test]
    fn a_coin_moves_exactly() {
        let coin = Inertia { mass_kg: 0.01, moments_kg_m2: [4e-7, 4e-7, 8e-7] };
        let start = thrown([3e-5, -1e-5, 2e-5]);
        let one = start.flown(&coin, 9.81, 0.2);
        let mut many = start;
        for _ in 0..1000 {
            many = many.flown(&coin, 9.81, 0.2e-3);
        }
        for (a, b) in one.axes().iter().zip(many.axes()) {
            assert!(norm(sub(*a, b)) < 1e-10);
        }
        assert!(norm(sub(one.centre_m, many.centre_m)) < 1e-12);
        assert!(
            (one.kinetic_j(&coin) - many.kinetic_j(&coin)).abs() < 1e-12 * one.kinetic_j(&coin)
        );
        assert!(dot(one.momentum_kg_m2_per_s, one.momentum_kg_m2_per_s) > 0.0);
    }
}
