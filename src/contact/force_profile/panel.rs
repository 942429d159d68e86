//! A stretch of a contact between its ends, as a Taylor series in time.

use super::end_series::horner_of_four;
use super::{Law, State, TOLERANCE, rough_log2};

/// Terms of the series of the force.
const TERMS: usize = 14;

/// Longest panel beside a linear damper, in times of its decay: there the first term left out of
/// exp is 3e-3.
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

/// One stretch.
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
    /// From a state with a compression above 0.
    ///
    /// With `p = x^alpha`, `x p' = alpha x' p` gives `(x p)' = (alpha + 1) v p`: so the
    /// coefficients of p follow from those of x and of the product v p, and those of the force are
    /// `p + u v p + C v`.
    pub(super) fn new(law: &Law, start: &State) -> Self {
        let Law { alpha, u, damper, .. } = *law;
        // Of x and v, side by side.
        let mut way = [[0.0; 2]; TERMS];
        let mut force = [0.0; TERMS];
        // Backwards, so that products of series are sums along both.
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
        // The last terms are nothing beside the largest force, which is about 1 + u or C.
        let scale = TOLERANCE * (1.0 + u).max(damper);
        let last = |n: usize| {
            rough_log2((force[n].abs() / scale).max(power[n].abs() / TOLERANCE)) * SHARES[n]
        };
        // Three of them, since one or two may be small by chance. Not as far as to where x would be
        // 0, and has no series.
        let steepest = last(TERMS - 1).max(last(TERMS - 2)).max(last(TERMS - 3));
        let length = (-steepest).exp2().min(start.x / start.v.abs());
        // Beside a strong damper the velocity falls as exp(-C t); its series is worth nothing much
        // beyond 1/C.
        let length = if damper > 0.0 { length.min(MAX_DECAY / damper) } else { length };
        let lost = lost_of(&force);
        let mut panel = Self { start: *start, end: *start, force, elastic: power, lost, u, length };
        panel.end = panel.state(length);
        panel
    }

    /// The first moment beside a linear damper, in which the force is all but that of the damper.
    pub(super) fn first(law: &Law, length: f64) -> Self {
        let start = State { x: 0.0, v: 1.0, q: 1.0, elastic: 0.0 };
        let (mut force, mut elastic) = ([0.0; TERMS], [0.0; TERMS]);
        // The spring's force has no series here; its impulse is taken evenly.
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

    /// Where it ends.
    pub(super) fn end(&self) -> &State {
        &self.end
    }

    /// Ends it sooner.
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

    /// Time within the panel at which the force is gone on the way out.
    pub(super) fn time_of_release(&self) -> Option<f64> {
        let is_gone = |t: f64| self.velocity(t) < 0.0 && self.force(t) <= 0.0;
        if !is_gone(self.length) {
            return None;
        }
        let (mut low, mut high) = (0.0, self.length);
        // As many halvings as a length has digits.
        for _ in 0..50 {
            let middle = 0.5 * (low + high);
            if is_gone(middle) { high = middle } else { low = middle }
        }
        Some(high)
    }

    /// Leaves in a straight line, and says how long that takes: `x^alpha` falls to C |v|.
    pub(super) fn let_go(&mut self, law: &Law) -> f64 {
        let State { x, v, .. } = self.start;
        let speed = -v;
        let until = (law.damper * speed).powf(1.0 / law.alpha).min(x);
        let length = (x - until) / speed;
        let impulse =
            (x.powf(law.alpha + 1.0) - until.powf(law.alpha + 1.0)) / ((law.alpha + 1.0) * speed);
        let lost = (impulse - law.damper * speed * length).max(0.0);
        // A force that falls evenly to nothing.
        self.force = [0.0; TERMS];
        if length > 0.0 {
            (self.force[0], self.force[1]) = (2.0 * lost / length, -2.0 * lost / (length * length));
        }
        self.lost = lost_of(&self.force);
        length
    }
}
