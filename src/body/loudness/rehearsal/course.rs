//! How a rehearsed blow goes.

use crate::contact::integrator::passive::Push;

/// The striker, and what its force has come to.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::body::loudness) struct Course {
    /// Compression, m; a gap below 0.
    pub x_m: f64,
    pub v_m_per_s: f64,
    pub force_n: f64,
    pub guess_n: f64,
    pub touching: bool,
    /// How often it touched again.
    pub returns: u32,
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

    /// It touches again.
    pub fn touch(&mut self) {
        self.touching = true;
        self.returns += 1;
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

    /// Let the impulse and its moments be those of another rehearsal of the same blow.
    pub fn keep_pulse(&mut self, other: &Self) {
        (self.impulse_ns, self.first, self.second) = (other.impulse_ns, other.first, other.second);
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
