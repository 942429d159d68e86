//! Orientation as a unit quaternion.

use crate::rigid::vector::{Mat3, Vec3, norm};

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
        if length > 0.0 && length.is_finite() { Self(self.0.map(|part| part / length)) } else { Self::IDENTITY }
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
