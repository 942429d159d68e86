//! How the sliding velocity moves while normal impulse gathers.
//!
//! `d gamma/d I_z = -mu B gamma/|gamma| + d`, eq. (31). With `d tau = d I_z/|gamma|` this becomes
//! `gamma_tau = -mu B gamma + d |gamma|`: smooth everywhere, without a direction to normalise, and
//! a vanishing slip is reached only as tau grows without end, exponentially and in a straight line.

use crate::rigid_body::vector::Mat3;

/// A vector in the plane of contact.
pub type Vec2 = [f64; 2];

/// Scalar product in the plane.
#[inline]
pub fn dot2(a: Vec2, b: Vec2) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

/// Length in the plane.
#[inline]
pub fn norm2(a: Vec2) -> f64 {
    dot2(a, a).sqrt()
}

/// What of W and mu the hodograph obeys. It does not depend on the velocity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hodograph {
    /// Coefficient of friction.
    pub mu: f64,
    /// Tangential part of W, eq. (21): xx, xy, yy, 1/kg.
    pub b: [f64; 3],
    /// What a normal impulse does to the slip, eq. (22), 1/kg.
    pub d: Vec2,
    /// What it does to the normal velocity, 1/kg.
    pub w_zz: f64,
    /// `B^-1 d`: friction coefficient that sticking asks for, by components.
    pub grip: Vec2,
    /// `W_zz - d B^-1 d`, 1/kg: gain of normal velocity while sticking; positive.
    pub stick_gain: f64,
}

impl Hodograph {
    /// From the inverse inertia matrix.
    pub fn new(w: &Mat3, mu: f64) -> Self {
        let b = [w[0][0], w[0][1], w[1][1]];
        let d = [w[0][2], w[1][2]];
        let grip = solve_b(b, d);
        Self { mu, b, d, w_zz: w[2][2], grip, stick_gain: w[2][2] - dot2(d, grip) }
    }

    /// `B a`.
    #[inline]
    pub fn times_b(&self, a: Vec2) -> Vec2 {
        [self.b[0] * a[0] + self.b[1] * a[1], self.b[1] * a[0] + self.b[2] * a[1]]
    }

    /// `B^-1 a`.
    #[inline]
    pub fn over_b(&self, a: Vec2) -> Vec2 {
        solve_b(self.b, a)
    }

    /// Change of the slip per normal impulse while sliding along the unit vector `s`, 1/kg: eq.
    /// (31).
    #[inline]
    pub fn rate(&self, s: Vec2) -> Vec2 {
        let bs = self.times_b(s);
        [self.d[0] - self.mu * bs[0], self.d[1] - self.mu * bs[1]]
    }

    /// Whether friction can hold a slip that has vanished (section 5).
    pub fn sticks(&self) -> bool {
        norm2(self.grip) <= self.mu
    }

    /// Bound of the rates in tau: the step is measured by it, 1/kg.
    pub fn pace(&self) -> f64 {
        self.mu * (self.b[0] + self.b[2]) + norm2(self.d)
    }

    /// How a direction stands to its nearest invariant one.
    pub fn bearing(&self, s: Vec2) -> Bearing {
        let normal = [-s[1], s[0]];
        let rate = self.rate(s);
        let (along, turn) = (dot2(s, rate), dot2(normal, rate));
        Bearing { along, turn, settling: along + self.mu * dot2(normal, self.times_b(normal)) }
    }
}

/// A direction against the flow.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bearing {
    /// Growth of the slip, 1/kg: negative while it shrinks.
    pub along: f64,
    /// Its turning, 1/kg: 0 on an invariant direction.
    pub turn: f64,
    /// How fast the turning dies out, 1/kg; negative near an unstable invariant direction.
    pub settling: f64,
}

fn solve_b(b: [f64; 3], a: Vec2) -> Vec2 {
    let det = b[0] * b[2] - b[1] * b[1];
    [(b[2] * a[0] - b[1] * a[1]) / det, (b[0] * a[1] - b[1] * a[0]) / det]
}
