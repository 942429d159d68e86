//! A Hunt–Crossley contact near either end, where the mass has just touched or is about to leave.
//!
//! With `s = t^(alpha+1)`, t from the end, compression, velocity and force are `t X(s)`, `V(s)` and
//! `t^alpha G(s)` with analytic X, V and G. In reversed time the contact obeys the same equations
//! with the other sign of u.

use super::super::law::Power;
use super::{Law, State, TOLERANCE, rough_log2};

/// Terms of a series.
const TERMS: usize = 14;

/// Share of `1 + u v` that is nothing beside 1: under heavy damping the mass leaves with constant
/// speed for most of the way out.
const NEGLIGIBLE: f64 = 1e-12;

/// The series at one end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct EndSeries {
    alpha: f64,
    raise: Power,
    /// `1/((alpha + 1) (k + 1))`: what makes a velocity of a force.
    shares: [f64; TERMS],
    /// Of the velocity lost since the end, over s.
    lost: [f64; TERMS],
    /// `1 + u v` at the end, and u with the sign of time.
    q: f64,
    u: f64,
    /// Of the compression.
    x: [f64; TERMS],
    /// Of the force.
    force: [f64; TERMS],
    /// Of the elastic force.
    elastic: [f64; TERMS],
    /// Time up to which the series holds, and the compression there.
    reach: f64,
    reach_x: f64,
}

impl EndSeries {
    /// At an end with this speed and this `ln(1 + u v)`; `direction` is -1 in reversed time.
    pub(super) fn new(law: &Law, speed: f64, log_q: f64, direction: f64) -> Self {
        let q = log_q.exp();
        let (alpha, u) = (law.alpha, direction * law.u);
        let stretch = alpha + 1.0;
        let (mut x, mut v, mut force) = ([0.0; TERMS], [0.0; TERMS], [0.0; TERMS]);
        // Backwards, so that products of series are sums along both.
        let mut elastic = [0.0; TERMS];
        let (raise, over_x) = (law.raise, 1.0 / speed);
        (x[0], v[0], elastic[TERMS - 1]) = (speed, speed, raise.raise(speed));
        force[0] = q * elastic[TERMS - 1];
        for n in 1..TERMS {
            let of = stretch * n as f64;
            // v' = -F, and x' = v.
            v[n] = -force[n - 1] / of;
            x[n] = v[n] / (1.0 + of);
            let (mut with_x, mut with_v) = (0.0, 0.0);
            for ((x, v), elastic) in x[1..=n].iter().zip(&v[1..=n]).zip(&elastic[TERMS - n..]) {
                with_x += x * elastic;
                with_v += v * elastic;
            }
            // (x x^alpha)' = (alpha + 1) v x^alpha, as in a panel: (n + 1) (X P)_n = (V P)_n.
            let here = ((with_v - with_x) / n as f64 - with_x) * over_x;
            elastic[TERMS - 1 - n] = here;
            // 1 + u v changes by u times the change of v.
            force[n] = q * here + u * with_v;
        }
        elastic.reverse();
        let shares: [f64; TERMS] = std::array::from_fn(|k| 1.0 / (stretch * (k + 1) as f64));
        let lost = std::array::from_fn(|k| force[k] * shares[k]);
        let mut series =
            Self { alpha, raise, shares, lost, q, u, x, force, elastic, reach: 0.0, reach_x: 0.0 };
        (series.reach, series.reach_x) = series.find_reach(log_q);
        series
    }

    /// Up to where the last terms are nothing beside the first, and the compression there. Not as
    /// far as to the largest compression, near which it would not tell the time.
    fn find_reach(&self, log_q: f64) -> (f64, f64) {
        let stretch = self.alpha + 1.0;
        let speed = self.x[0];
        let within = |series: &[f64; TERMS], scale: f64| {
            let of = |k: usize| rough_log2(series[k].abs() / (TOLERANCE * scale)) / k as f64;
            // One or two may be small by chance.
            (-of(TERMS - 1).max(of(TERMS - 2)).max(of(TERMS - 3))).exp2()
        };
        let mut s = within(&self.force, self.force[0].max(1.0)).min(within(&self.elastic, 1.0));
        if self.q < NEGLIGIBLE {
            // Backwards q grows as e^(-u a), a = x^alpha t/(alpha+1) the elastic impulse from here.
            s = (NEGLIGIBLE.ln() - log_q) / -self.u * stretch / speed.powf(self.alpha);
        }
        let mut t = s.powf(1.0 / stretch);
        let mut state = self.state(t);
        // Twenty times 0.8 is a hundredth.
        for _ in 0..20 {
            if state.v > 0.4 * speed {
                break;
            }
            t *= 0.8;
            state = self.state(t);
        }
        (t, state.x)
    }

    pub(super) fn reach(&self) -> f64 {
        self.reach
    }

    pub(super) fn reach_x(&self) -> f64 {
        self.reach_x
    }

    #[inline]
    pub(super) fn forces(&self, t: [f64; 4]) -> [f64; 4] {
        let t = t.map(|t| t.max(0.0));
        let powers = t.map(|t| self.raise.raise(t));
        let sums = horner_of_four(&self.force, std::array::from_fn(|i| powers[i] * t[i]));
        std::array::from_fn(|i| powers[i] * sums[i])
    }

    #[inline]
    pub(super) fn velocity(&self, t: f64) -> f64 {
        let s = self.raise.raise(t.max(0.0)) * t;
        self.x[0] - s * horner(&self.lost, s)
    }

    #[inline]
    fn x_at(&self, t: f64, s: f64) -> f64 {
        t * horner(&self.x, s)
    }

    pub(super) fn state(&self, t: f64) -> State {
        let s = self.raise.raise(t.max(0.0)) * t;
        let (mut lost, mut elastic) = (0.0, 0.0);
        for k in (0..TERMS).rev() {
            lost = lost * s + self.lost[k];
            elastic = elastic * s + self.elastic[k] * self.shares[k];
        }
        let (lost, elastic) = (lost * s, elastic * s);
        State { x: self.x_at(t, s), v: self.x[0] - lost, q: self.q - self.u * lost, elastic }
    }

    /// Time from the end at which the compression is `x`, within the reach.
    pub(super) fn time_of(&self, x: f64) -> f64 {
        let mut t = x / self.x[0];
        // The compression is all but proportional to time: each step doubles the digits.
        for _ in 0..5 {
            let state = self.state(t);
            let step = (x - state.x) / state.v;
            t += step;
            if step.abs() <= 1e-15 * t {
                break;
            }
        }
        t.max(0.0)
    }
}

/// A series at four places side by side.
#[inline]
pub(super) fn horner_of_four(series: &[f64], at: [f64; 4]) -> [f64; 4] {
    let mut sums = [0.0; 4];
    for term in series.iter().rev() {
        for (sum, at) in sums.iter_mut().zip(at) {
            *sum = *sum * at + term;
        }
    }
    sums
}

#[inline]
fn horner(series: &[f64], at: f64) -> f64 {
    series.iter().rev().fold(0.0, |sum, term| sum * at + term)
}
