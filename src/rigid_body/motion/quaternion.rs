//! Orientation as a unit quaternion.

use crate::rigid_body::vector::{Mat3, Vec3, norm};

/// A unit quaternion: scalar part first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quaternion(pub [f64; 4]);

impl Quaternion {
    /// No turn.
    pub const IDENTITY: Self = Self([1.0, 0.0, 0.0, 0.0]);

    /// The turn about a vector by its length, rad.
    pub fn from_turn(turn_rad: Vec3) -> Self {
        let angle = norm(turn_rad);
        let (sin, cos) = (0.5 * angle).sin_cos();
        // sin(a/2)/a tends to 1/2.
        let share = if angle > 1e-9 { sin / angle } else { 0.5 };
        Self([cos, share * turn_rad[0], share * turn_rad[1], share * turn_rad[2]])
    }

    /// The turn about one of the three axes.
    pub fn about_axis(axis: usize, angle_rad: f64) -> Self {
        let (sin, cos) = (0.5 * angle_rad).sin_cos();
        let mut parts = [cos, 0.0, 0.0, 0.0];
        parts[1 + axis] = sin;
        Self(parts)
    }

    /// First `other`, then this.
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

    /// With its length brought back to 1.
    #[must_use]
    pub fn normalised(self) -> Self {
        let length = self.0.iter().map(|part| part * part).sum::<f64>().sqrt();
        if length > 0.0 && length.is_finite() {
            Self(self.0.map(|part| part / length))
        } else {
            Self::IDENTITY
        }
    }

    /// As a matrix from body to world.
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
    use crate::rigid_body::vector::{add, cross, dot, mul, scale, sub};

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
