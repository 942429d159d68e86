//! Power series of the ends of a Hunt–Crossley contact, and Taylor panels between them.
//!
//! At an end, with `s = t^(alpha+1)`, t from the end, compression, velocity and force are `t X(s)`,
//! `V(s)` and `t^alpha G(s)` with analytic X, V and G. In reversed time the contact obeys the same
//! equations with the other sign of u.

use super::super::law::Power;
use super::{Law, State, TOLERANCE, rough_log2};

/// Terms of a series.
const TERMS: usize = 14;

/// `1 + u v` below this is negligible: under heavy damping the speed is constant for most of the
/// expansion.
const NEGLIGIBLE: f64 = 1e-12;

/// The series at one end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct EndSeries {
    alpha: f64,
    raise: Power,
    /// Factors `1/((alpha + 1) (k + 1))` that integrate a force to a velocity.
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
    /// The series at an end with this speed and this `ln(1 + u v)`; `direction` is -1 in reversed
    /// time.
    pub(super) fn new(law: &Law, speed: f64, log_q: f64, direction: f64) -> Self {
        let q = log_q.exp();
        let (alpha, u) = (law.alpha, direction * law.u);
        let stretch = alpha + 1.0;
        let (mut x, mut v, mut force) = ([0.0; TERMS], [0.0; TERMS], [0.0; TERMS]);
        // In reverse order, so that products of series are sums along both.
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

    /// The time up to which the last terms are negligible, and the compression there. It ends
    /// before the maximum compression, near which the compression does not determine the time.
    fn find_reach(&self, log_q: f64) -> (f64, f64) {
        let stretch = self.alpha + 1.0;
        let speed = self.x[0];
        let within = |series: &[f64; TERMS], scale: f64| {
            let of = |k: usize| rough_log2(series[k].abs() / (TOLERANCE * scale)) / k as f64;
            // Of three terms, as one or two may be small by chance.
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
        // The compression is nearly proportional to time: each Newton step doubles the digits.
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

/// Longest panel with a linear damper, in units of its decay time: the first omitted term of exp is
/// 3e-3 there.
const MAX_DECAY: f64 = 4.0;

/// 1/n.
const SHARES: [f64; TERMS + 2] = {
    let mut shares = [0.0; TERMS + 2];
    let mut n = 1;
    while n < TERMS + 2 {
        shares[n] = 1.0 / n as f64;
        n += 1;
    }
    shares
};

/// A part of a contact as a Taylor series in time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Panel {
    start: State,
    end: State,
    /// Coefficients of the force and of its elastic part.
    force: [f64; TERMS],
    elastic: [f64; TERMS],
    /// Of the velocity lost since the start, over time.
    lost: [f64; TERMS],
    u: f64,
    length: f64,
}

fn lost_of(force: &[f64; TERMS]) -> [f64; TERMS] {
    std::array::from_fn(|k| force[k] * SHARES[k + 1])
}

impl Panel {
    /// The panel from a state with a compression above 0.
    ///
    /// With `p = x^alpha`, `x p' = alpha x' p` gives `(x p)' = (alpha + 1) v p`: so the
    /// coefficients of p follow from those of x and of the product v p, and those of the force are
    /// `p + u v p + C v`.
    pub(super) fn new(law: &Law, start: &State) -> Self {
        let Law { alpha, u, damper, .. } = *law;
        // Coefficients of x and v.
        let mut way = [[0.0; 2]; TERMS];
        let mut force = [0.0; TERMS];
        // In reverse order, so that products of series are sums along both.
        let mut power = [0.0; TERMS];
        (way[0], power[TERMS - 1]) = ([start.x, start.v], law.raise.raise(start.x));
        let over_x = 1.0 / start.x;
        let mut product = start.v * power[TERMS - 1];
        force[0] = start.q * power[TERMS - 1] + damper * start.v;
        for n in 1..TERMS {
            let v = -force[n - 1] * SHARES[n];
            way[n] = [way[n - 1][1] * SHARES[n], v];
            let [mut with_x, mut with_v] = [0.0; 2];
            for ([x, v], power) in way[1..=n].iter().zip(&power[TERMS - n..]) {
                with_x += x * power;
                with_v += v * power;
            }
            let here = ((alpha + 1.0) * product * SHARES[n] - with_x) * over_x;
            power[TERMS - 1 - n] = here;
            product = with_v + start.v * here;
            force[n] = start.q * here + u * with_v + damper * v;
        }
        power.reverse();
        // The last terms are negligible relative to the largest force, which is about 1 + u or C.
        let scale = TOLERANCE * (1.0 + u).max(damper);
        let last = |n: usize| {
            rough_log2((force[n].abs() / scale).max(power[n].abs() / TOLERANCE)) * SHARES[n]
        };
        // Three of them, since one or two may be small by chance. The panel ends before x could be
        // 0, where it has no series.
        let steepest = last(TERMS - 1).max(last(TERMS - 2)).max(last(TERMS - 3));
        let length = (-steepest).exp2().min(start.x / start.v.abs());
        // With a strong damper the velocity falls as exp(-C t); its series is inaccurate far beyond
        // 1/C.
        let length = if damper > 0.0 { length.min(MAX_DECAY / damper) } else { length };
        let lost = lost_of(&force);
        let mut panel = Self { start: *start, end: *start, force, elastic: power, lost, u, length };
        panel.end = panel.state(length);
        panel
    }

    /// The first panel with a linear damper, whose force dominates there.
    pub(super) fn first(law: &Law, length: f64) -> Self {
        let start = State { x: 0.0, v: 1.0, q: 1.0, elastic: 0.0 };
        let (mut force, mut elastic) = ([0.0; TERMS], [0.0; TERMS]);
        // The spring's force has no series here; its impulse is distributed evenly.
        elastic[0] = length.powf(law.alpha) / (law.alpha + 1.0);
        force[0] = law.damper + elastic[0];
        force[1] = -law.damper * law.damper;
        let mut panel =
            Self { start, end: start, force, elastic, lost: lost_of(&force), u: 0.0, length };
        panel.end = panel.state(length);
        panel
    }

    pub(super) fn length(&self) -> f64 {
        self.length
    }

    /// State at its end.
    pub(super) fn end(&self) -> &State {
        &self.end
    }

    /// Shortens it.
    pub(super) fn cut(&mut self, length: f64) {
        self.length = length;
        self.end = self.state(length);
    }

    #[inline]
    pub(super) fn forces(&self, t: [f64; 4]) -> [f64; 4] {
        horner_of_four(&self.force, t)
    }

    #[inline]
    fn force(&self, t: f64) -> f64 {
        self.force.iter().rev().fold(0.0, |sum, term| sum * t + term)
    }

    #[inline]
    pub(super) fn velocity(&self, t: f64) -> f64 {
        self.start.v - t * self.lost.iter().rev().fold(0.0, |sum, term| sum * t + term)
    }

    pub(super) fn state(&self, t: f64) -> State {
        let State { x, v, q, elastic } = self.start;
        let (mut lost, mut way, mut given) = (0.0, 0.0, 0.0);
        for k in (0..TERMS).rev() {
            let term = self.lost[k];
            lost = lost * t + term;
            way = way * t + term * SHARES[k + 2];
            given = given * t + self.elastic[k] * SHARES[k + 1];
        }
        let lost = lost * t;
        State {
            x: x + t * (v - t * way),
            v: v - lost,
            q: q - self.u * lost,
            elastic: elastic + t * given,
        }
    }

    /// Time within the panel at which the force vanishes during expansion.
    pub(super) fn time_of_release(&self) -> Option<f64> {
        let has_vanished = |t: f64| self.velocity(t) < 0.0 && self.force(t) <= 0.0;
        if !has_vanished(self.length) {
            return None;
        }
        let (mut low, mut high) = (0.0, self.length);
        // As many bisections as a length has digits.
        for _ in 0..50 {
            let middle = 0.5 * (low + high);
            if has_vanished(middle) { high = middle } else { low = middle }
        }
        Some(high)
    }

    /// Replaces the panel by a release at constant speed, and returns its duration: `x^alpha` falls
    /// to C |v|.
    pub(super) fn release_linearly(&mut self, law: &Law) -> f64 {
        let State { x, v, .. } = self.start;
        let speed = -v;
        let until = (law.damper * speed).powf(1.0 / law.alpha).min(x);
        let length = (x - until) / speed;
        let impulse =
            (x.powf(law.alpha + 1.0) - until.powf(law.alpha + 1.0)) / ((law.alpha + 1.0) * speed);
        let lost = (impulse - law.damper * speed * length).max(0.0);
        // A force that falls linearly to zero.
        self.force = [0.0; TERMS];
        if length > 0.0 {
            (self.force[0], self.force[1]) = (2.0 * lost / length, -2.0 * lost / (length * length));
        }
        self.lost = lost_of(&self.force);
        length
    }
}

/// Evaluates a series at four points.
#[inline]
fn horner_of_four(series: &[f64], at: [f64; 4]) -> [f64; 4] {
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
