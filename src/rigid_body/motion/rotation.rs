//! Free rotation.
//!
//! With l the angular momentum in principal axes, `H = |l|^2/2I_a + l_c^2 (1/I_c - 1/I_a)/2 + l_b^2
//! (1/I_b - 1/I_a)/2`. The first part rotates the body uniformly about the angular momentum, each
//! of the others about one principal axis, and all three flows are exact. The first commutes with
//! the rest; the other two are interleaved (Strang splitting). So the angular momentum in world
//! axes is conserved exactly, the energy of a three-axed body oscillates within O(step^2) without
//! drift, and a body with two equal moments (coin, rod, pin, die) moves exactly.

use crate::rigid_body::inertia::Inertia;
use crate::rigid_body::vector::{Mat3, Vec3, mul_transposed, norm, scale};

/// Largest interleaved rotation of one step, rad; energy then oscillates by about 1e-4.
const STEP_RAD: f64 = 0.05;

/// Largest number of steps of one call.
pub const MAX_STEPS: u32 = 64;

/// Orientation after `time_s` of free rotation with constant angular momentum in world axes.
pub fn turned(
    inertia: &Inertia,
    attitude: Quaternion,
    momentum_kg_m2_per_s: Vec3,
    time_s: f64,
) -> Quaternion {
    let moments = inertia.moments_kg_m2;
    // c is the axis whose moment differs most from the other two.
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
            // In the rotated body axes the momentum rotates backwards.
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

/// A unit quaternion: scalar part first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quaternion(pub [f64; 4]);

impl Quaternion {
    /// No rotation.
    pub const IDENTITY: Self = Self([1.0, 0.0, 0.0, 0.0]);

    /// Rotation about a vector by its length, rad.
    pub fn from_turn(turn_rad: Vec3) -> Self {
        let angle = norm(turn_rad);
        let (sin, cos) = (0.5 * angle).sin_cos();
        // sin(a/2)/a tends to 1/2.
        let share = if angle > 1e-9 { sin / angle } else { 0.5 };
        Self([cos, share * turn_rad[0], share * turn_rad[1], share * turn_rad[2]])
    }

    /// Rotation about one of the three axes.
    pub fn about_axis(axis: usize, angle_rad: f64) -> Self {
        let (sin, cos) = (0.5 * angle_rad).sin_cos();
        let mut parts = [cos, 0.0, 0.0, 0.0];
        parts[1 + axis] = sin;
        Self(parts)
    }

    /// The product of two rotations: `other` first, then this one.
    #[must_use]
    pub fn after(self, other: Self) -> Self {
        let ([a, b, c, d], [e, f, g, h]) = (self.0, other.0);
        Self([
            a * e - b * f - c * g - d * h,
            a * f + b * e + c * h - d * g,
            a * g - b * h + c * e + d * f,
            a * h + b * g - c * f + d * e,
        ])
    }

    /// Scaled to length 1; the identity if the length is 0 or not finite.
    #[must_use]
    pub fn normalised(self) -> Self {
        let length = self.0.iter().map(|part| part * part).sum::<f64>().sqrt();
        if length > 0.0 && length.is_finite() {
            Self(self.0.map(|part| part / length))
        } else {
            Self::IDENTITY
        }
    }

    /// Matrix from body to world.
    pub fn matrix(self) -> Mat3 {
        let [w, x, y, z] = self.0;
        [
            [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)],
            [2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)],
            [2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)],
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rigid_body::motion::RigidMotion;
    use crate::rigid_body::vector::{add, cross, dot, mul, scale, sub};

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
        // Rotation about the unstable intermediate axis, where an inaccurate integrator drifts
        // within seconds.
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

    /// Splitting a step gives the same result up to the error of order step^2.
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

    /// Rodrigues' formula: `v cos a + (k x v) sin a + k (k.v)(1 - cos a)`.
    #[test]
    fn a_turn_is_that_of_rodrigues() {
        for turn in [[0.3, -0.7, 1.1], [2.0, 2.0, -1.0], [1e-10, 0.0, 2e-10], [0.0, 0.0, 3.0]] {
            let angle = norm(turn);
            let k = scale(1.0 / angle, turn);
            for v in [[1.0, 2.0, 3.0], [-0.5, 0.2, 0.9]] {
                let turned = add(scale(angle.cos(), v), scale(angle.sin(), cross(k, v)));
                let turned = add(turned, scale(dot(k, v) * (1.0 - angle.cos()), k));
                assert!(
                    norm(sub(mul(&Quaternion::from_turn(turn).matrix(), v), turned)) < 1e-14,
                    "{turn:?}"
                );
            }
        }
    }

    #[test]
    fn one_turn_after_another_is_the_product_of_their_matrices() {
        let (first, then) =
            (Quaternion::from_turn([0.4, -1.0, 0.2]), Quaternion::about_axis(1, 0.8));
        let v = [0.3, -2.0, 1.0];
        let both = mul(&then.after(first).matrix(), v);
        assert!(norm(sub(both, mul(&then.matrix(), mul(&first.matrix(), v)))) < 1e-14);
        assert_eq!(Quaternion::about_axis(2, 0.6), Quaternion::from_turn([0.0, 0.0, 0.6]));
    }

    #[test]
    fn what_has_no_length_is_no_turn() {
        let half = Quaternion([0.0, 3.0, 0.0, 4.0]).normalised();
        assert_eq!(half, Quaternion([0.0, 0.6, 0.0, 0.8]));
        for none in [[0.0; 4], [f64::INFINITY, 1.0, 0.0, 0.0], [f64::NAN; 4]] {
            assert_eq!(Quaternion(none).normalised(), Quaternion::IDENTITY);
        }
    }
}
