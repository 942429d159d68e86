//! Inertia, and mobility at a contact point.

use super::vector::{Mat3, Vec3, cross, mul, mul_transposed};

/// Mass and principal moments of one body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Inertia {
    /// Mass, kg.
    pub mass_kg: f64,
    /// Moments about the principal axes, kg m^2.
    pub moments_kg_m2: Vec3,
}

impl Inertia {
    /// An immovable body: a wall, the ground.
    pub const IMMOVABLE: Self = Self { mass_kg: f64::INFINITY, moments_kg_m2: [f64::INFINITY; 3] };

    /// A solid ball.
    pub fn ball(mass_kg: f64, radius_m: f64) -> Self {
        Self { mass_kg, moments_kg_m2: [0.4 * mass_kg * radius_m * radius_m; 3] }
    }

    /// A solid box with these edges.
    pub fn cuboid(mass_kg: f64, edges_m: Vec3) -> Self {
        let [a, b, c] = edges_m.map(|edge| edge * edge);
        Self { mass_kg, moments_kg_m2: [b + c, a + c, a + b].map(|sum| mass_kg * sum / 12.0) }
    }

    /// Spin (rad/s) caused by an angular impulse (N m s), both in world axes. `axes` maps body to
    /// world coordinates.
    #[inline]
    pub fn spin_of_twist(&self, axes: &Mat3, twist_nms: Vec3) -> Vec3 {
        let mut body = mul_transposed(axes, twist_nms);
        for (value, moment) in body.iter_mut().zip(self.moments_kg_m2) {
            *value /= moment;
        }
        mul(axes, body)
    }
}

/// One of the two bodies of a contact at the instant of impact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Side {
    /// Its inertia.
    pub inertia: Inertia,
    /// Maps principal axes to world axes.
    pub axes: Mat3,
    /// Vector from the centre of mass to the contact, world axes, m.
    pub arm_m: Vec3,
}

/// Velocity (m/s) that an impulse of 1 N s at arm `at_m` gives to the point at arm `from_m` of the
/// same body.
///
/// `1/m U - P_from R Q^-1 R^T P_at` with `P u = r x u`: eq. (5) of Jia and Wang for one body.
#[inline]
pub fn mobility_per_kg(inertia: &Inertia, axes: &Mat3, from_m: Vec3, at_m: Vec3) -> Mat3 {
    let mut columns = [[0.0; 3]; 3];
    for (axis, column) in columns.iter_mut().enumerate() {
        let mut unit = [0.0; 3];
        unit[axis] = 1.0;
        *column = cross(inertia.spin_of_twist(axes, cross(at_m, unit)), from_m);
        column[axis] += 1.0 / inertia.mass_kg;
    }
    let mut rows = [[0.0; 3]; 3];
    for (i, row) in rows.iter_mut().enumerate() {
        for (j, entry) in row.iter_mut().enumerate() {
            *entry = columns[j][i];
        }
    }
    rows
}

/// The inverse inertia matrix W of a contact, 1/kg: `delta v = W I`, eq. (5). Symmetric and
/// positive definite.
pub fn inverse_inertia_per_kg(one: &Side, two: &Side) -> Mat3 {
    let a = mobility_per_kg(&one.inertia, &one.axes, one.arm_m, one.arm_m);
    let b = mobility_per_kg(&two.inertia, &two.axes, two.arm_m, two.arm_m);
    let mut w = [[0.0; 3]; 3];
    for i in 0..3 {
        for j in 0..3 {
            // Both parts are symmetric apart from rounding; the solvers rely on exact symmetry.
            w[i][j] = 0.5 * (a[i][j] + a[j][i] + b[i][j] + b[j][i]);
        }
    }
    w
}

#[cfg(test)]
mod tests {
    use super::*;

    const UPRIGHT: Mat3 = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

    #[test]
    fn two_balls_have_the_matrix_of_the_paper() {
        let (m1, m2) = (0.3, 0.7);
        let one =
            Side { inertia: Inertia::ball(m1, 0.05), axes: UPRIGHT, arm_m: [0.0, 0.0, -0.05] };
        let two = Side { inertia: Inertia::ball(m2, 0.02), axes: UPRIGHT, arm_m: [0.0, 0.0, 0.02] };
        let sum = 1.0 / m1 + 1.0 / m2;
        let w = inverse_inertia_per_kg(&one, &two);
        for (i, row) in w.iter().enumerate() {
            for (j, &entry) in row.iter().enumerate() {
                let expected = if i != j {
                    0.0
                } else if i < 2 {
                    3.5 * sum
                } else {
                    sum
                };
                assert!((entry - expected).abs() < 1e-12 * sum, "{w:?}");
            }
        }
    }

    #[test]
    fn the_ground_adds_nothing() {
        let ball =
            Side { inertia: Inertia::ball(0.5, 0.1), axes: UPRIGHT, arm_m: [0.0, 0.0, -0.1] };
        let ground = Side { inertia: Inertia::IMMOVABLE, axes: UPRIGHT, arm_m: [3.0, -2.0, 1.0] };
        let w = inverse_inertia_per_kg(&ball, &ground);
        for (i, expected) in [7.0, 7.0, 2.0].into_iter().enumerate() {
            assert!((w[i][i] - expected).abs() < 1e-12, "{w:?}");
        }
    }
}
