//! Which corners of a body take part in an impact with the plane.

use arrayvec::ArrayVec;

use crate::rigid::inertia::mobility_per_kg;
use crate::rigid::motion::Motion;
use crate::rigid::shape::{MOST_CORNERS, Shape};
use crate::rigid::simultaneous::{Contacts, MOST_POINTS};
use crate::rigid::vector::{Mat3, mul};

/// Height, as a share of the body's radius, below which a corner takes part in an impact.
const NEAR: f64 = 2e-3;

/// Height, as a share of the body's radius, below which a corner touches.
const TOUCH: f64 = 1e-6;

/// Corners near the plane, and how they move.
pub struct Near {
    /// Which corners.
    pub corners: ArrayVec<usize, MOST_POINTS>,
    /// Which of them touch it.
    pub touching: ArrayVec<bool, MOST_POINTS>,
    /// Their velocities and mobilities.
    pub contacts: Contacts,
    /// The body's axes.
    pub axes: Mat3,
}

impl Near {
    /// The lowest corners within reach of the plane whose fall is `wanted`, at most eight, in their own order.
    pub fn new(shape: &Shape, motion: &Motion, mu: f64, wanted: impl Fn(f64) -> bool) -> Self {
        let axes = motion.axes();
        let (reach, touch) = (NEAR * shape.radius_m, TOUCH * shape.radius_m);
        let heights: ArrayVec<f64, MOST_CORNERS> =
            shape.corners_m.iter().map(|&corner| motion.height_m(&axes, corner)).collect();
        let mut corners: ArrayVec<usize, MOST_POINTS> = ArrayVec::new();
        let inertia = &shape.inertia;
        for (i, &height) in heights.iter().enumerate() {
            if height > reach {
                continue;
            }
            let arm = mul(&axes, shape.corners_m[i]);
            if !wanted(-motion.point_velocity_m_per_s(inertia, arm)[2]) {
                continue;
            }
            if corners.is_full() {
                let higher = |a: usize, b: usize| if heights[corners[b]] > heights[corners[a]] { b } else { a };
                let highest = (0..corners.len()).fold(0, higher);
                if heights[corners[highest]] <= height {
                    continue;
                }
                corners.remove(highest);
            }
            corners.push(i);
        }
        let touching = corners.iter().map(|&i| heights[i] <= touch).collect();
        let mut contacts = Contacts::new();
        contacts.points = corners.len();
        let mut arms = [[0.0; 3]; MOST_POINTS];
        for (arm, &corner) in arms.iter_mut().zip(&corners) {
            *arm = mul(&axes, shape.corners_m[corner]);
        }
        for i in 0..corners.len() {
            contacts.mu[i] = mu;
            contacts.v_m_per_s[3 * i..3 * i + 3].copy_from_slice(&motion.point_velocity_m_per_s(inertia, arms[i]));
            for j in 0..=i {
                let block = mobility_per_kg(inertia, &axes, arms[i], arms[j]);
                for row in 0..3 {
                    for column in 0..3 {
                        contacts.a[3 * i + row][3 * j + column] = block[row][column];
                        contacts.a[3 * j + column][3 * i + row] = block[row][column];
                    }
                }
            }
        }
        Self { corners, touching, contacts, axes }
    }

    /// Speed towards the plane, m/s.
    pub fn fall_m_per_s(&self, k: usize) -> f64 {
        -self.contacts.v_m_per_s[3 * k + 2]
    }
}
