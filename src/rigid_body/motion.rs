//! A body between impacts.
//!
//! State is position, orientation, velocity and angular momentum. In flight the centre moves on its
//! exact parabola and the angular momentum stays what it is, to the last bit; only the
//! [orientation](rotation) is stepped.

pub mod landing;
pub mod quaternion;
pub mod rotation;

use quaternion::Quaternion;

use super::inertia::Inertia;
use super::vector::{Mat3, Vec3, add, add_scaled, cross, dot, mul};

/// Acceleration of gravity, m/s^2, along -z.
pub const GRAVITY_M_PER_S2: f64 = 9.81;

/// Where a body is and how it moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RigidMotion {
    /// Centre of mass, m.
    pub centre_m: Vec3,
    /// Turns principal axes into world axes.
    pub attitude: Quaternion,
    /// Velocity of the centre, m/s.
    pub velocity_m_per_s: Vec3,
    /// Angular momentum about the centre, world axes, kg m^2/s.
    pub momentum_kg_m2_per_s: Vec3,
}

impl RigidMotion {
    /// Principal axes in the world.
    pub fn axes(&self) -> Mat3 {
        self.attitude.matrix()
    }

    /// Spin, world axes, rad/s.
    pub fn spin_rad_per_s(&self, inertia: &Inertia) -> Vec3 {
        inertia.spin_of_twist(&self.axes(), self.momentum_kg_m2_per_s)
    }

    /// Kinetic energy, J.
    pub fn kinetic_j(&self, inertia: &Inertia) -> f64 {
        let v = self.velocity_m_per_s;
        0.5 * (inertia.mass_kg * dot(v, v)
            + dot(self.momentum_kg_m2_per_s, self.spin_rad_per_s(inertia)))
    }

    /// Kinetic energy and that of height above z = 0, J.
    pub fn energy_j(&self, inertia: &Inertia, gravity_m_per_s2: f64) -> f64 {
        self.kinetic_j(inertia) + inertia.mass_kg * gravity_m_per_s2 * self.centre_m[2]
    }

    /// Velocity of a point of the body at `arm_m` from the centre, world axes, m/s.
    pub fn point_velocity_m_per_s(&self, inertia: &Inertia, arm_m: Vec3) -> Vec3 {
        add(self.velocity_m_per_s, cross(self.spin_rad_per_s(inertia), arm_m))
    }

    /// Take an impulse (N s) at `arm_m` from the centre.
    pub fn push(&mut self, inertia: &Inertia, arm_m: Vec3, impulse_ns: Vec3) {
        self.velocity_m_per_s =
            add_scaled(self.velocity_m_per_s, 1.0 / inertia.mass_kg, impulse_ns);
        self.momentum_kg_m2_per_s = add(self.momentum_kg_m2_per_s, cross(arm_m, impulse_ns));
    }

    /// Free flight under `gravity_m_per_s2` for `time_s`.
    #[must_use]
    pub fn flown(&self, inertia: &Inertia, gravity_m_per_s2: f64, time_s: f64) -> Self {
        let mut centre_m = add_scaled(self.centre_m, time_s, self.velocity_m_per_s);
        centre_m[2] -= 0.5 * gravity_m_per_s2 * time_s * time_s;
        let mut velocity_m_per_s = self.velocity_m_per_s;
        velocity_m_per_s[2] -= gravity_m_per_s2 * time_s;
        let attitude = rotation::turned(inertia, self.attitude, self.momentum_kg_m2_per_s, time_s);
        Self { centre_m, attitude, velocity_m_per_s, ..*self }
    }

    /// Height of a body point above z = 0, m.
    pub fn height_m(&self, axes: &Mat3, point_m: Vec3) -> f64 {
        self.centre_m[2] + dot(axes[2], point_m)
    }

    /// A body point in the world, m.
    pub fn place_m(&self, axes: &Mat3, point_m: Vec3) -> Vec3 {
        add(self.centre_m, mul(axes, point_m))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rigid_body::vector::{norm, sub};

    /// Points keep their distance from the centre, and their height is that of their place.
    #[test]
    fn a_body_point_turns_with_the_body() {
        let attitude = Quaternion::IDENTITY;
        let mut motion = RigidMotion {
            centre_m: [0.3, -0.2, 0.5],
            attitude,
            velocity_m_per_s: [1.0, 0.0, 2.0],
            momentum_kg_m2_per_s: [2e-5, -1e-5, 3e-5],
        };
        let inertia = Inertia::cuboid(0.1, [0.03, 0.02, 0.01]);
        let point_m = [0.015, -0.01, 0.005];
        for _ in 0..4 {
            let (axes, centre_m) = (motion.axes(), motion.centre_m);
            let place_m = motion.place_m(&axes, point_m);
            assert!((norm(sub(place_m, centre_m)) - norm(point_m)).abs() < 1e-15);
            assert!((place_m[2] - motion.height_m(&axes, point_m)).abs() < 1e-15);
            let step_s = 1e-6;
            let next = motion.flown(&inertia, GRAVITY_M_PER_S2, step_s);
            let moved = sub(next.place_m(&next.axes(), point_m), place_m);
            let velocity = motion.point_velocity_m_per_s(&inertia, sub(place_m, centre_m));
            let off = sub(moved.map(|way_m| way_m / step_s), velocity);
            assert!(norm(off) < 1e-4 * norm(velocity), "{moved:?} m in a step, {velocity:?} m/s");
            motion = motion.flown(&inertia, GRAVITY_M_PER_S2, 0.01);
        }
    }
}
