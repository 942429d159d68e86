//! Free flight between impacts.
//!
//! The state is position, orientation, velocity and angular momentum. In flight the centre moves on
//! its exact parabola and the angular momentum is constant to the last bit; only the
//! orientation (`rotation`) is integrated.

mod rotation;

use super::inertia::Inertia;
use super::vector::{Mat3, Vec3, add, add_scaled, cross, dot, mul, norm};
pub use rotation::Quaternion;

/// Acceleration of gravity, m/s^2, along -z.
pub const GRAVITY_M_PER_S2: f64 = 9.81;

/// Position, orientation and motion of a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RigidMotion {
    /// Centre of mass, m.
    pub centre_m: Vec3,
    /// Orientation: maps principal axes to world axes.
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

    /// Kinetic energy plus potential energy above z = 0, J.
    pub fn energy_j(&self, inertia: &Inertia, gravity_m_per_s2: f64) -> f64 {
        self.kinetic_j(inertia) + inertia.mass_kg * gravity_m_per_s2 * self.centre_m[2]
    }

    /// Velocity of a point of the body at `arm_m` from the centre, world axes, m/s.
    pub fn point_velocity_m_per_s(&self, inertia: &Inertia, arm_m: Vec3) -> Vec3 {
        add(self.velocity_m_per_s, cross(self.spin_rad_per_s(inertia), arm_m))
    }

    /// Applies an impulse (N s) at `arm_m` from the centre.
    pub fn push(&mut self, inertia: &Inertia, arm_m: Vec3, impulse_ns: Vec3) {
        self.velocity_m_per_s =
            add_scaled(self.velocity_m_per_s, 1.0 / inertia.mass_kg, impulse_ns);
        self.momentum_kg_m2_per_s = add(self.momentum_kg_m2_per_s, cross(arm_m, impulse_ns));
    }

    /// Motion after `time_s` of free flight under `gravity_m_per_s2`.
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

    /// World position of a body point, m.
    pub fn place_m(&self, axes: &Mat3, point_m: Vec3) -> Vec3 {
        add(self.centre_m, mul(axes, point_m))
    }
}

/// Largest rotation between two samples of the search, rad. A point may dip below the plane and out
/// again between samples by 1e-3 of its arm; such a graze is missed.
const LOOK_RAD: f64 = 0.1;

/// Largest number of samples in one search.
pub const MAX_LOOKS: u32 = 64;

/// Accuracy of a landing time, s.
const CLOSE_S: f64 = 0.06e-9;

/// Largest number of iterations between two samples; each at least halves the interval, and 1 ms
/// needs 24 halvings.
const MAX_TURNS: u32 = 24;

/// Time (s) within `time_s` at which the first point of `points_m` (body axes) that `may_land`
/// reaches the plane.
pub fn first_landing_s(
    motion: &RigidMotion,
    inertia: &Inertia,
    gravity_m_per_s2: f64,
    time_s: f64,
    points_m: &[Vec3],
    may_land: impl Fn(usize) -> bool,
) -> Option<f64> {
    let spin = norm(motion.spin_rad_per_s(inertia));
    let looks = ((spin * time_s / LOOK_RAD).ceil().max(1.0) as u32).min(MAX_LOOKS);
    let lowest = |at_s: f64| {
        let there = motion.flown(inertia, gravity_m_per_s2, at_s);
        let axes = there.axes();
        let heights = points_m.iter().enumerate().filter(|&(i, _)| may_land(i));
        heights.map(|(_, &point)| there.height_m(&axes, point)).fold(f64::INFINITY, f64::min)
    };
    let reach = points_m.iter().fold(0.0f64, |max, &point| max.max(dot(point, point))).sqrt();
    let sink = time_s * ((-motion.velocity_m_per_s[2]).max(0.0) + gravity_m_per_s2 * time_s);
    if motion.centre_m[2] - reach - sink > 0.0 {
        return None;
    }
    for look in 1..=looks {
        let from_s = time_s * f64::from(look - 1) / f64::from(looks);
        let to_s = time_s * f64::from(look) / f64::from(looks);
        let end_m = lowest(to_s);
        if end_m < 0.0 {
            return Some(crossing_s(lowest, from_s, to_s, end_m));
        }
    }
    None
}

/// Last time found with `height_m` not below 0, within [`CLOSE_S`] of the zero crossing.
///
/// The secant estimate is tried [`CLOSE_S`]/4 to both sides: once it is good, the two bracket the
/// crossing. If that does not halve the interval, its middle is tried.
fn crossing_s(height_m: impl Fn(f64) -> f64, from_s: f64, to_s: f64, to_m: f64) -> f64 {
    let (mut above_s, mut below_s, mut below_m) = (from_s, to_s, to_m);
    // A point below the plane at the start counts as landing there.
    let mut above_m = height_m(from_s).max(0.0);
    for _ in 0..MAX_TURNS {
        let before_s = below_s - above_s;
        if before_s <= CLOSE_S {
            break;
        }
        let guess_s = above_s + before_s * above_m / (above_m - below_m);
        for at_s in [guess_s - 0.25 * CLOSE_S, guess_s + 0.25 * CLOSE_S, 0.5 * (above_s + below_s)]
        {
            let halved = below_s - above_s <= 0.5 * before_s;
            if at_s <= above_s || at_s >= below_s || (halved && at_s != guess_s + 0.25 * CLOSE_S) {
                continue;
            }
            let at_m = height_m(at_s);
            if at_m < 0.0 {
                (below_s, below_m) = (at_s, at_m);
            } else {
                (above_s, above_m) = (at_s, at_m);
            }
        }
    }
    above_s
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rigid_body::vector::{norm, sub};

    /// A body point moves with the velocity of the rigid motion.
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
