//! Sliding, stepped in tau by the fifth-order pair of Dormand and Prince.

use super::hodograph::{Hodograph, Vec2, dot2, norm2};

/// Where the impact is: everything follows from slip, normal impulse and stored energy.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct State {
    /// Slip, m/s.
    pub slip: Vec2,
    /// Normal impulse so far, N s.
    pub i_z: f64,
    /// Energy stored in the contact, J: `E' = -v_z`, eq. (11).
    pub energy: f64,
}

/// The hodograph with its start: v_z is linear in slip and normal impulse, eqs. (10) and (24).
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

    /// What changes per tau: slip (two), normal impulse, energy.
    #[inline]
    pub fn rates(&self, at: &State) -> Rates {
        let speed = norm2(at.slip);
        let b = self.flow.times_b(at.slip);
        let (mu, d) = (self.flow.mu, self.flow.d);
        [d[0] * speed - mu * b[0], d[1] * speed - mu * b[1], speed, -self.v_z(at) * speed]
    }

    /// One step of length `h` in tau from a state and its rates.
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

/// What a step leads to.
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
