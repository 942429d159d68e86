//! Which corners of a body take part in an impact with the plane.

use arrayvec::ArrayVec;

use crate::rigid::inertia::{Inertia, mobility_per_kg};
use crate::rigid::motion::Motion;
use crate::rigid::shape::{MOST_CORNERS, Shape};
use crate::rigid::simultaneous::{Contacts, MOST_POINTS};
use crate::rigid::vector::{Mat3, Vec3, mul};

/// Height, as a share of the body's radius, below which a corner takes part in an impact.
const NEAR: f64 = 2e-3;

/// Height, as a share of the body's radius, below which a corner touches.
const TOUCH: f64 = 1e-6;

/// Which corners are within reach of the plane.
pub struct Low {
    axes: Mat3,
    radius_m: f64,
    corners: ArrayVec<Corner, MOST_CORNERS>,
}

/// A corner within reach.
#[derive(Clone, Copy)]
struct Corner {
    index: usize,
    height_m: f64,
    arm_m: Vec3,
    velocity_m_per_s: Vec3,
}

impl Low {
    /// Look for them.
    pub fn new(shape: &Shape, motion: &Motion) -> Self {
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

    /// The lowest whose fall (m/s) is `wanted`, at most eight, in their own order.
    pub fn chosen(&self, wanted: impl Fn(f64) -> bool) -> Chosen<'_> {
        let mut places: ArrayVec<usize, MOST_POINTS> = ArrayVec::new();
        for (place, corner) in self.corners.iter().enumerate() {
            if !wanted(corner.fall_m_per_s()) {
                continue;
            }
            if places.is_full() {
                let height = |k: usize| self.corners[places[k]].height_m;
                let highest = (0..places.len()).fold(0, |a, b| if height(b) > height(a) { b } else { a });
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

/// Some corners within reach.
pub struct Chosen<'a> {
    low: &'a Low,
    places: ArrayVec<usize, MOST_POINTS>,
}

impl Chosen<'_> {
    fn corners(&self) -> impl Iterator<Item = &Corner> {
        self.places.iter().map(|&place| &self.low.corners[place])
    }

    /// One of them touches the plane and falls at least this fast, m/s.
    pub fn lands(&self, least_m_per_s: f64) -> bool {
        let touch = TOUCH * self.low.radius_m;
        self.corners().any(|corner| corner.height_m <= touch && corner.fall_m_per_s() >= least_m_per_s)
    }

    /// One of them rises more slowly than this, m/s.
    pub fn lingers(&self, most_m_per_s: f64) -> bool {
        self.corners().any(|corner| -corner.fall_m_per_s() < most_m_per_s)
    }

    /// How they move and move each other.
    pub fn near(&self, inertia: &Inertia, mu: f64) -> Near {
        let mut near = Near { corners: ArrayVec::new(), contacts: Contacts::new(), axes: self.low.axes };
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

/// Corners that take part in an impact, and how they move.
pub struct Near {
    /// Which corners.
    pub corners: ArrayVec<usize, MOST_POINTS>,
    /// Their velocities and mobilities.
    pub contacts: Contacts,
    /// The body's axes.
    pub axes: Mat3,
}
