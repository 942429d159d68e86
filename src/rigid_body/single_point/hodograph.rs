//! Sliding velocity as a function of the normal impulse.
//!
//! `d gamma/d I_z = -mu B gamma/|gamma| + d`, eq. (31). With `d tau = d I_z/|gamma|` this becomes
//! `gamma_tau = -mu B gamma + d |gamma|`: smooth everywhere, without a direction to normalise. A
//! vanishing slip is reached only for tau to infinity, exponentially and in a straight line. It is
//! integrated in tau with the fifth-order pair of Dormand and Prince.

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

/// Coefficients of the hodograph, from W and mu; they do not depend on the velocity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hodograph {
    /// Coefficient of friction.
    pub mu: f64,
    /// Tangential part of W, eq. (21): xx, xy, yy, 1/kg.
    pub b: [f64; 3],
    /// Change of the slip per normal impulse, eq. (22), 1/kg.
    pub d: Vec2,
    /// Change of the normal velocity per normal impulse, 1/kg.
    pub w_zz: f64,
    /// `B^-1 d`: friction coefficient required to stick, by components.
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

    /// True if friction can hold a vanished slip (section 5).
    pub fn sticks(&self) -> bool {
        norm2(self.grip) <= self.mu
    }

    /// Bound of the rates in tau, 1/kg; it scales the step.
    pub fn pace(&self) -> f64 {
        self.mu * (self.b[0] + self.b[2]) + norm2(self.d)
    }

    /// A direction relative to its nearest invariant one.
    pub fn bearing(&self, s: Vec2) -> Bearing {
        let normal = [-s[1], s[0]];
        let rate = self.rate(s);
        let (along, turn) = (dot2(s, rate), dot2(normal, rate));
        Bearing { along, turn, settling: along + self.mu * dot2(normal, self.times_b(normal)) }
    }
}

/// A direction relative to the flow.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bearing {
    /// Growth of the slip, 1/kg: negative while it shrinks.
    pub along: f64,
    /// Rotation of the slip, 1/kg: 0 on an invariant direction.
    pub turn: f64,
    /// Decay rate of the rotation, 1/kg; negative near an unstable invariant direction.
    pub settling: f64,
}

fn solve_b(b: [f64; 3], a: Vec2) -> Vec2 {
    let det = b[0] * b[2] - b[1] * b[1];
    [(b[2] * a[0] - b[1] * a[1]) / det, (b[0] * a[1] - b[1] * a[0]) / det]
}

/// State of a sliding impact; everything else follows from it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct State {
    /// Slip, m/s.
    pub slip: Vec2,
    /// Normal impulse so far, N s.
    pub i_z: f64,
    /// Energy stored in the contact, J: `E' = -v_z`, eq. (11).
    pub energy: f64,
}

/// A hodograph with its initial state: v_z is linear in slip and normal impulse, eqs. (10) and
/// (24).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SlidePhase {
    /// The flow.
    pub flow: Hodograph,
    /// Slip before the impact, m/s.
    pub slip_before: Vec2,
    /// Normal velocity before the impact, m/s.
    pub v_z_before: f64,
}

impl SlidePhase {
    /// Normal velocity, m/s.
    #[inline]
    pub fn v_z(&self, at: &State) -> f64 {
        let change = [at.slip[0] - self.slip_before[0], at.slip[1] - self.slip_before[1]];
        self.v_z_before + self.flow.stick_gain * at.i_z + dot2(self.flow.grip, change)
    }

    /// Tangential impulse, N s: eq. (24).
    pub fn tangential(&self, at: &State) -> Vec2 {
        let d = self.flow.d;
        self.flow.over_b([
            at.slip[0] - self.slip_before[0] - at.i_z * d[0],
            at.slip[1] - self.slip_before[1] - at.i_z * d[1],
        ])
    }

    /// Rates in tau: slip (two), normal impulse, energy.
    #[inline]
    pub fn rates(&self, at: &State) -> Rates {
        let speed = norm2(at.slip);
        let b = self.flow.times_b(at.slip);
        let (mu, d) = (self.flow.mu, self.flow.d);
        [d[0] * speed - mu * b[0], d[1] * speed - mu * b[1], speed, -self.v_z(at) * speed]
    }

    /// Integrates one step of length `h` in tau from a state and its rates.
    #[inline]
    pub fn step(&self, from: &State, k1: &Rates, h: f64) -> Step {
        let k1 = *k1;
        let k2 = self.rates(&from.moved(h, &[(1.0 / 5.0, &k1)]));
        let k3 = self.rates(&from.moved(h, &[(3.0 / 40.0, &k1), (9.0 / 40.0, &k2)]));
        let k4 = self
            .rates(&from.moved(h, &[(44.0 / 45.0, &k1), (-56.0 / 15.0, &k2), (32.0 / 9.0, &k3)]));
        let k5 = self.rates(&from.moved(
            h,
            &[
                (19372.0 / 6561.0, &k1),
                (-25360.0 / 2187.0, &k2),
                (64448.0 / 6561.0, &k3),
                (-212.0 / 729.0, &k4),
            ],
        ));
        let k6 = self.rates(&from.moved(
            h,
            &[
                (9017.0 / 3168.0, &k1),
                (-355.0 / 33.0, &k2),
                (46732.0 / 5247.0, &k3),
                (49.0 / 176.0, &k4),
                (-5103.0 / 18656.0, &k5),
            ],
        ));
        let after = from.moved(
            h,
            &[
                (35.0 / 384.0, &k1),
                (500.0 / 1113.0, &k3),
                (125.0 / 192.0, &k4),
                (-2187.0 / 6784.0, &k5),
                (11.0 / 84.0, &k6),
            ],
        );
        let k7 = self.rates(&after);
        let zero = State { slip: [0.0; 2], i_z: 0.0, energy: 0.0 };
        let error = zero.moved(
            h,
            &[
                (71.0 / 57600.0, &k1),
                (-71.0 / 16695.0, &k3),
                (71.0 / 1920.0, &k4),
                (-17253.0 / 339200.0, &k5),
                (22.0 / 525.0, &k6),
                (-1.0 / 40.0, &k7),
            ],
        );
        Step { after, rates: k7, slip_error: norm2(error.slip), impulse_error: error.i_z.abs() }
    }
}

/// Rates of slip, normal impulse and energy.
pub type Rates = [f64; 4];

/// Result of a step.
pub struct Step {
    /// The state after it.
    pub after: State,
    /// The rates there, which the next step begins with.
    pub rates: Rates,
    /// Estimated error of the slip, m/s.
    pub slip_error: f64,
    /// Estimated error of the normal impulse, N s.
    pub impulse_error: f64,
}

impl State {
    #[inline(always)]
    fn moved(&self, h: f64, terms: &[(f64, &Rates)]) -> Self {
        let mut sum = [0.0; 4];
        for (weight, rates) in terms {
            for (total, rate) in sum.iter_mut().zip(rates.iter()) {
                *total += weight * rate;
            }
        }
        Self {
            slip: [self.slip[0] + h * sum[0], self.slip[1] + h * sum[1]],
            i_z: self.i_z + h * sum[2],
            energy: self.energy + h * sum[3],
        }
    }
}
