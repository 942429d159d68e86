//! How a rehearsed blow goes.

use crate::contact::integrator::passive::Push;

/// A striker that takes more than this share of its speed back with it leaves a small difference of what it gave and got, which so
/// coarse steps may miss by 4 dB: the blow is rehearsed again, ...
const DELICATE: f64 = 0.8;
/// ... if it took more steps than a plain contact has, ...
const DELICATE_STEPS: u32 = 100;
/// ... in steps so many times as fine: one that was soon over, and one that was not. So the second has room in
/// [`MOST_FINER_STEPS`](super::MOST_FINER_STEPS).
const FINER: (u32, u32) = (4, 2);
const SOON_OVER_STEPS: u32 = super::MOST_STEPS / 2;

/// The striker, and what its force has come to.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::body::loudness) struct Course {
    /// Compression, m; a gap below 0.
    pub x_m: f64,
    pub v_m_per_s: f64,
    pub force_n: f64,
    pub guess_n: f64,
    pub touching: bool,
    /// Steps since it was last there, or on its way there.
    pub away: u32,
    /// Steps that were made.
    pub steps: u32,
    pub time_s: f64,
    pub impulse_ns: f64,
    /// Its first and second moment in time.
    first: f64,
    second: f64,
}

impl Course {
    /// It touches, and comes at this speed.
    pub fn new(v_m_per_s: f64) -> Self {
        Self { v_m_per_s, touching: true, ..Self::default() }
    }

    /// Take over what came of a step.
    pub fn accept(&mut self, push: &Push, mass_kg: f64, h_s: f64) {
        self.guess_n = (2.0 * push.force_n - self.force_n).max(0.0);
        self.force_n = push.force_n;
        self.x_m += push.change_m;
        let (given_ns, middle_s) = (push.force_n * h_s, self.time_s + 0.5 * h_s);
        self.v_m_per_s -= given_ns / mass_kg;
        self.impulse_ns += given_ns;
        self.first += given_ns * middle_s;
        self.second += given_ns * middle_s * middle_s;
        self.time_s += h_s;
        self.steps += 1;
    }

    /// How many times finer steps are worth their while, because so little of what was given is left; it came at `v_in_m_per_s`.
    pub fn worth_finer(&self, v_in_m_per_s: f64) -> Option<u32> {
        let is_delicate = self.steps >= DELICATE_STEPS && -self.v_m_per_s > DELICATE * v_in_m_per_s;
        is_delicate.then_some(if self.steps <= SOON_OVER_STEPS { FINER.0 } else { FINER.1 })
    }

    /// Variance of the impulse in time, s^2.
    pub fn variance_s2(&self) -> f64 {
        if self.impulse_ns <= 0.0 {
            return 0.0;
        }
        let middle_s = self.first / self.impulse_ns;
        (self.second / self.impulse_ns - middle_s * middle_s).max(0.0)
    }
}
