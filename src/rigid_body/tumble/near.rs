//! Corners that take part in an impact with the plane.

use arrayvec::ArrayVec;

use crate::rigid_body::inertia::{Inertia, mobility_per_kg};
use crate::rigid_body::motion::RigidMotion;
use crate::rigid_body::shape::{MAX_CORNERS, RigidShape};
use crate::rigid_body::simultaneous::{Contacts, MAX_POINTS};
use crate::rigid_body::vector::{Mat3, Vec3, mul};

/// Height, as a share of the body's radius, below which a corner takes part in an impact.
const NEAR: f64 = 2e-3;

/// Height, as a share of the body's radius, below which a corner touches.
const TOUCH: f64 = 1e-6;

/// Corners within reach of the plane.
pub struct LowestPoint {
    axes: Mat3,
    radius_m: f64,
    corners: ArrayVec<Corner, MAX_CORNERS>,
}

/// A corner within reach.
#[derive(Clone, Copy)]
struct Corner {
    index: usize,
    height_m: f64,
    arm_m: Vec3,
    velocity_m_per_s: Vec3,
}

impl LowestPoint {
    /// Finds the corners within reach.
    pub fn new(shape: &RigidShape, motion: &RigidMotion) -> Self {
        let radius_m = shape.radius_m;
        let reach = NEAR * radius_m;
        let mut corners = ArrayVec::new();
        if motion.centre_m[2] > radius_m + reach {
            return Self { axes: Mat3::default(), radius_m, corners };
        }
        let axes = motion.axes();
        for (index, &corner) in shape.corners_m.iter().enumerate() {
            let height_m = motion.height_m(&axes, corner);
            if height_m <= reach {
                let arm_m = mul(&axes, corner);
                let velocity_m_per_s = motion.point_velocity_m_per_s(&shape.inertia, arm_m);
                corners.push(Corner { index, height_m, arm_m, velocity_m_per_s });
            }
        }
        Self { axes, radius_m, corners }
    }

    /// The lowest corners whose falling speed (m/s) is `wanted`, at most eight, in their own order.
    pub fn chosen(&self, wanted: impl Fn(f64) -> bool) -> Chosen<'_> {
        let mut places: ArrayVec<usize, MAX_POINTS> = ArrayVec::new();
        for (place, corner) in self.corners.iter().enumerate() {
            if !wanted(corner.fall_m_per_s()) {
                continue;
            }
            if places.is_full() {
                let height = |k: usize| self.corners[places[k]].height_m;
                let highest =
                    (0..places.len()).fold(0, |a, b| if height(b) > height(a) { b } else { a });
                if height(highest) <= corner.height_m {
                    continue;
                }
                places.remove(highest);
            }
            places.push(place);
        }
        Chosen { low: self, places }
    }
}

impl Corner {
    fn fall_m_per_s(&self) -> f64 {
        -self.velocity_m_per_s[2]
    }
}

/// A selection of the corners within reach.
pub struct Chosen<'a> {
    low: &'a LowestPoint,
    places: ArrayVec<usize, MAX_POINTS>,
}

impl Chosen<'_> {
    fn corners(&self) -> impl Iterator<Item = &Corner> {
        self.places.iter().map(|&place| &self.low.corners[place])
    }

    /// True if one of them touches the plane and falls at least this fast, m/s.
    pub fn lands(&self, min_m_per_s: f64) -> bool {
        let touch = TOUCH * self.low.radius_m;
        self.corners()
            .any(|corner| corner.height_m <= touch && corner.fall_m_per_s() >= min_m_per_s)
    }

    /// True if one of them rises more slowly than this, m/s.
    pub fn lingers(&self, max_m_per_s: f64) -> bool {
        self.corners().any(|corner| -corner.fall_m_per_s() < max_m_per_s)
    }

    /// Their velocities and mobilities.
    pub fn near(&self, inertia: &Inertia, mu: f64) -> Near {
        let mut near =
            Near { corners: ArrayVec::new(), contacts: Contacts::new(), axes: self.low.axes };
        let contacts = &mut near.contacts;
        contacts.points = self.places.len();
        for (i, corner) in self.corners().enumerate() {
            near.corners.push(corner.index);
            contacts.mu[i] = mu;
            contacts.v_m_per_s[3 * i..3 * i + 3].copy_from_slice(&corner.velocity_m_per_s);
            for (j, other) in self.corners().take(i + 1).enumerate() {
                let block = mobility_per_kg(inertia, &near.axes, corner.arm_m, other.arm_m);
                for row in 0..3 {
                    for column in 0..3 {
                        contacts.a[3 * i + row][3 * j + column] = block[row][column];
                        contacts.a[3 * j + column][3 * i + row] = block[row][column];
                    }
                }
            }
        }
        near
    }
}

/// Corners that take part in an impact, and their motion.
pub struct Near {
    /// Indices of the corners.
    pub corners: ArrayVec<usize, MAX_POINTS>,
    /// Their velocities and mobilities.
    pub contacts: Contacts,
    /// The body's axes.
    pub axes: Mat3,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rigid_body::motion::Quaternion;

    /// A plate of ten corners, all within reach of the plane, in rising order of height except for
    /// two. The centre falls at 1 m/s.
    fn plate() -> (RigidShape, RigidMotion) {
        let heights = [1.0, 9.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 2.0, 10.0];
        let corners_m = heights.iter().enumerate().map(|(i, height)| {
            let (sin, cos) = (0.6 * i as f64).sin_cos();
            [0.1 * cos, 0.1 * sin, 1e-5 * height]
        });
        let inertia = Inertia::cuboid(2.0, [0.2, 0.3, 0.1]);
        let shape = RigidShape { corners_m: corners_m.collect(), inertia, radius_m: 0.1 };
        let motion = RigidMotion {
            centre_m: [0.3, 0.4, 0.0],
            attitude: Quaternion::IDENTITY,
            velocity_m_per_s: [0.5, 0.0, -1.0],
            momentum_kg_m2_per_s: [0.01, -0.02, 0.03],
        };
        (shape, motion)
    }

    #[test]
    fn of_more_than_eight_the_highest_are_left_out() {
        let (shape, motion) = plate();
        let low = LowestPoint::new(&shape, &motion);
        let near = low.chosen(|_| true).near(&shape.inertia, 0.4);
        assert_eq!(near.corners[..], [0, 2, 3, 4, 5, 6, 7, 8]);
        assert_eq!(near.contacts.points, 8);
        let few = low.chosen(|fall| fall < 1.0).near(&shape.inertia, 0.4);
        assert!(!few.corners.is_empty() && few.corners.len() < 8, "{:?}", few.corners);
    }

    #[test]
    fn corners_move_and_are_moved_as_points_of_the_body() {
        let (shape, motion) = plate();
        let low = LowestPoint::new(&shape, &motion);
        let near = low.chosen(|_| true).near(&shape.inertia, 0.4);
        let axes = motion.axes();
        for (i, &one) in near.corners.iter().enumerate() {
            let v = motion.point_velocity_m_per_s(&shape.inertia, mul(&axes, shape.corners_m[one]));
            assert_eq!(near.contacts.v_m_per_s[3 * i..3 * i + 3], v);
            assert_eq!(near.contacts.mu[i], 0.4);
            for (j, &other) in near.corners.iter().enumerate() {
                let (from_m, at_m) = (shape.corners_m[one], shape.corners_m[other]);
                let block = mobility_per_kg(&shape.inertia, &axes, from_m, at_m);
                for row in 0..3 {
                    for column in 0..3 {
                        let entry = near.contacts.a[3 * i + row][3 * j + column];
                        assert!((entry - block[row][column]).abs() < 1e-12, "{i} {j}: {entry}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_corner_lands_if_it_touches_and_falls_and_lingers_if_it_hardly_rises() {
        let (shape, mut motion) = plate();
        motion.momentum_kg_m2_per_s = [0.0; 3];
        // The lowest corner is 1e-5 m high; it touches below 1e-7 m.
        motion.centre_m[2] = -1e-5;
        let at = |motion: &RigidMotion| LowestPoint::new(&shape, motion);
        assert!(at(&motion).chosen(|_| true).lands(0.9) && at(&motion).chosen(|_| true).lands(1.0));
        assert!(!at(&motion).chosen(|_| true).lands(1.1));
        motion.centre_m[2] = 0.0;
        assert!(!at(&motion).chosen(|_| true).lands(0.9));
        motion.velocity_m_per_s[2] = 0.02;
        assert!(
            at(&motion).chosen(|_| true).lingers(0.021)
                && !at(&motion).chosen(|_| true).lingers(0.019)
        );
        // Corners higher than 2e-3 of the radius are out of reach.
        motion.centre_m[2] = 2e-4 - 5.5e-5;
        assert_eq!(
            at(&motion).chosen(|_| true).near(&shape.inertia, 0.1).corners[..],
            [0, 2, 3, 4, 8]
        );
        motion.centre_m[2] = 0.11;
        assert!(at(&motion).chosen(|_| true).near(&shape.inertia, 0.1).corners.is_empty());
    }
}
