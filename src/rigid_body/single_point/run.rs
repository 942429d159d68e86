//! One impact, from the start of compression to the end of restitution: integration first, closed
//! forms as soon as they hold.

use super::hodograph::{Hodograph, SlidePhase, State, Vec2, dot2, norm2};
use super::{Accuracy, Impact, MAX_STEPS, Restitution, invariant};

/// Largest number of iterations to locate an event inside a step.
const MAX_TRIALS: u32 = 40;

/// Slip, relative to the initial slip, that counts as vanished once the steps are used up.
const HARDLY: f64 = 0.05;

/// State of the integration of an impact.
pub struct ImpactRun {
    course: SlidePhase,
    restitution: Restitution,
    /// Progress along the normal.
    pub normal: Normal,
    /// Tangential impulse so far, N s.
    pub tangential: Vec2,
    /// Normal impulse where the slip vanished, and whether compression had ended.
    pub vanished: Option<(f64, bool)>,
    /// Steps of integration so far.
    pub steps: u32,
    /// True if the steps were used up.
    pub capped: bool,
}

/// How the integration of a sliding phase ended.
enum Slide {
    Over,
    /// Straight along a direction with this growth until `slip` has vanished.
    Straight {
        direction: Vec2,
        lambda: f64,
        speed: f64,
    },
    Vanished,
    Capped {
        slip: Vec2,
    },
}

impl ImpactRun {
    /// The state at the start of an impact.
    pub fn new(impact: &Impact) -> Self {
        let [x, y, v_z] = impact.v_m_per_s;
        let flow = Hodograph::new(&impact.w, impact.mu);
        Self {
            course: SlidePhase { flow, slip_before: [x, y], v_z_before: v_z },
            restitution: impact.restitution,
            normal: Normal { i_z: 0.0, v_z, energy: 0.0, compressed: None },
            tangential: [0.0; 2],
            vanished: None,
            steps: 0,
            capped: false,
        }
    }

    /// Integrates to the end.
    pub fn go(&mut self, accuracy: &Accuracy) {
        let flow = self.course.flow;
        let slip = self.course.slip_before;
        if flow.mu <= 0.0 {
            self.line([0.0; 2], f64::INFINITY);
            return;
        }
        let end = if norm2(slip) > 0.0 { self.slide(accuracy) } else { Slide::Vanished };
        match end {
            Slide::Over => {}
            Slide::Vanished => self.after_vanishing(),
            Slide::Straight { direction, lambda, speed } => {
                let limit = if lambda < 0.0 { speed / -lambda } else { f64::INFINITY };
                if !self.line([-flow.mu * direction[0], -flow.mu * direction[1]], limit) {
                    self.after_vanishing();
                }
            }
            Slide::Capped { slip } => self.fall_back(slip),
        }
    }

    /// Increases the impulse along `(sigma, 1)`. Returns true once the impact is over.
    fn line(&mut self, sigma: Vec2, limit: f64) -> bool {
        let gain = self.course.flow.w_zz + dot2(self.course.flow.d, sigma);
        let before = self.normal.i_z;
        let over = self.normal.run(gain, limit, &self.restitution);
        let by = self.normal.i_z - before;
        self.tangential[0] += sigma[0] * by;
        self.tangential[1] += sigma[1] * by;
        over
    }

    /// Continues after the slip has vanished: sticks, or slides along the centrifugal direction.
    fn after_vanishing(&mut self) {
        let flow = self.course.flow;
        self.vanished = Some((self.normal.i_z, self.normal.compressed.is_some()));
        // On the line of sticking, eq. (25), independent of rounding in the steps before.
        let here = State { slip: [0.0; 2], i_z: self.normal.i_z, energy: self.normal.energy };
        self.tangential = self.course.tangential(&here);
        self.normal.v_z = self.course.v_z(&here);
        if self.normal.compressed.is_some() {
            self.normal.v_z = self.normal.v_z.max(0.0);
        }
        let sigma = match invariant::resumed(&flow) {
            None => [-flow.grip[0], -flow.grip[1]],
            Some(way) => [-flow.mu * way.direction[0], -flow.mu * way.direction[1]],
        };
        self.line(sigma, f64::INFINITY);
    }

    /// Fallback after too many steps: keeps the direction while friction along it brakes, then
    /// continues without friction.
    fn fall_back(&mut self, slip: Vec2) {
        self.capped = true;
        let flow = self.course.flow;
        let speed = norm2(slip);
        if speed > 0.0 {
            let s = [slip[0] / speed, slip[1] / speed];
            let along = dot2(s, flow.rate(s));
            let gain = flow.w_zz - flow.mu * dot2(flow.d, s);
            let limit = if along < 0.0 { speed / -along } else { f64::INFINITY };
            if (gain > 0.0 || limit.is_finite())
                && self.line([-flow.mu * s[0], -flow.mu * s[1]], limit)
            {
                return;
            }
            let turned = dot2([-s[1], s[0]], flow.rate(s)) * limit;
            if turned.abs() <= HARDLY * norm2(self.course.slip_before) {
                self.after_vanishing();
                return;
            }
        }
        self.line([0.0; 2], f64::INFINITY);
    }

    fn take(&mut self, at: &State) {
        self.normal.i_z = at.i_z;
        self.normal.energy = at.energy;
        self.normal.v_z = self.course.v_z(at);
        self.tangential = self.course.tangential(at);
    }

    /// Integrates the hodograph until the impact is over, the slip has vanished, or closed forms
    /// take over.
    fn slide(&mut self, accuracy: &Accuracy) -> Slide {
        let course = self.course;
        let pace = course.flow.pace();
        let mut at = State { slip: course.slip_before, i_z: 0.0, energy: 0.0 };
        let first_speed = norm2(at.slip);
        let max = accuracy.max_steps.min(MAX_STEPS);
        // No step is longer than the stability limit of the pair, however straight the curve.
        let longest = 2.5 / pace;
        let mut h = 0.1 * longest;
        let mut rates = course.rates(&at);
        let close = 1e-6 * accuracy.tolerance;
        // Every iteration is a step, at most `max` of them, or the last.
        loop {
            let speed = norm2(at.slip);
            let s = [at.slip[0] / speed, at.slip[1] / speed];
            let bearing = course.flow.bearing(s);
            let vanishing = speed <= accuracy.vanishing * first_speed && bearing.along < 0.0;
            let exact = vanishing || bearing.turn.abs() <= 1e-14 * pace;
            let settled = bearing.settling > 0.0
                && bearing.turn.abs() <= accuracy.straight_rad * bearing.settling;
            if exact || settled {
                let lean = if exact { 0.0 } else { bearing.turn / bearing.settling };
                let raw = [s[0] - lean * s[1], s[1] + lean * s[0]];
                let length = norm2(raw);
                let direction = [raw[0] / length, raw[1] / length];
                self.take(&at);
                return Slide::Straight {
                    direction,
                    lambda: dot2(direction, course.flow.rate(direction)),
                    speed,
                };
            }
            if self.steps >= max {
                self.take(&at);
                return Slide::Capped { slip: at.slip };
            }
            self.steps += 1;
            let step = course.step(&at, &rates, h);
            let after = step.after;
            let slip_error = step.slip_error / (speed + 0.01 * first_speed);
            let error = slip_error.max(step.impulse_error / after.i_z.abs()) / accuracy.tolerance;
            if (error > 1.0 || error.is_nan()) && h > 1e-6 * longest {
                h *= (0.9 / error.sqrt().sqrt()).clamp(0.2, 0.9);
                if !h.is_finite() || h <= 0.0 {
                    h = 1e-6 * longest;
                }
                continue;
            }
            if self.normal.compressed.is_none() && course.v_z(&after) >= 0.0 {
                let mut reached = locate(
                    &at,
                    h,
                    close,
                    |h| course.step(&at, &rates, h).after,
                    |state| (course.v_z(state), self.v_z_slope(state)),
                );
                self.take(&reached);
                self.normal.v_z = 0.0;
                self.normal.turn(&self.restitution);
                reached.energy = self.normal.energy;
                if self.restitution.coefficient() <= 0.0 {
                    return Slide::Over;
                }
                at = reached;
                rates = course.rates(&at);
                continue;
            }
            if self.normal.compressed.is_some() && self.left(&after).0 <= 0.0 {
                let reached = locate(
                    &at,
                    h,
                    close,
                    |h| course.step(&at, &rates, h).after,
                    |state| {
                        let (value, slope) = self.left(state);
                        (-value, -slope)
                    },
                );
                self.take(&reached);
                return Slide::Over;
            }
            (at, rates) = (after, step.rates);
            h = (h * (0.9 / error.max(1e-9).sqrt().sqrt()).clamp(0.5, 4.0)).min(longest);
        }
    }

    /// Slope of v_z in tau.
    fn v_z_slope(&self, at: &State) -> f64 {
        let flow = &self.course.flow;
        flow.w_zz * norm2(at.slip) - flow.mu * dot2(flow.d, at.slip)
    }

    /// Remaining restitution, falling to 0 at its end, with its slope in tau.
    fn left(&self, at: &State) -> (f64, f64) {
        let speed = norm2(at.slip);
        let spent = (at.energy, -self.course.v_z(at) * speed);
        let (Restitution::Poisson(e), Some((i_zc, e_c))) =
            (self.restitution, self.normal.compressed)
        else {
            return spent;
        };
        // Both values are energies, J; the smaller one determines the end.
        let unit = e_c / i_zc;
        let impulse = (((1.0 + e) * i_zc - at.i_z) * unit, -speed * unit);
        if impulse.0 < spent.0 { impulse } else { spent }
    }
}

/// Fraction of a step of `h` at which a decreasing function crosses zero: Newton's method within a
/// shrinking bracket. `close` is the tolerance as a share of the step.
fn locate(
    from: &State,
    h: f64,
    close: f64,
    step: impl Fn(f64) -> State,
    value_and_slope: impl Fn(&State) -> (f64, f64),
) -> State {
    let (mut low, mut high) = (0.0, h);
    let (start, slope) = value_and_slope(from);
    let mut t = if slope > 0.0 { -start / slope } else { 0.5 * h };
    let mut reached = *from;
    for _ in 0..MAX_TRIALS {
        if !(t > low && t < high) {
            t = 0.5 * (low + high);
        }
        reached = step(t);
        let (value, slope) = value_and_slope(&reached);
        if value >= 0.0 {
            high = t;
        } else {
            low = t;
        }
        let next = t - value / slope;
        if value == 0.0 || (next - t).abs() <= close * h || high - low <= 1e-16 * h {
            break;
        }
        t = next;
    }
    reached
}

/// Progress of an impact along the normal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Normal {
    /// Normal impulse so far, N s.
    pub i_z: f64,
    /// Normal velocity, m/s.
    pub v_z: f64,
    /// Stored energy, J.
    pub energy: f64,
    /// Normal impulse and energy at the end of compression, once it has ended.
    pub compressed: Option<(f64, f64)>,
}

impl Normal {
    /// Ends compression: removes the energy that restitution does not return.
    pub fn turn(&mut self, restitution: &Restitution) {
        self.compressed = Some((self.i_z, self.energy));
        if let Restitution::Stronge(e) = restitution {
            self.energy *= e * e;
        }
    }

    /// Impulse until the end of restitution if v_z gains `gain` per impulse; infinite if there is
    /// no end.
    ///
    /// Stronge: until the energy is used up. Poisson: until e times the impulse of compression, or
    /// until all energy is used up if that comes first, so that neither can create energy.
    fn left(&self, gain: f64, restitution: &Restitution) -> f64 {
        let spent = {
            let root = self.v_z * self.v_z + 2.0 * gain * self.energy;
            let sum = self.v_z + root.max(0.0).sqrt();
            if self.energy <= 0.0 {
                0.0
            } else if root < 0.0 || sum <= 0.0 {
                f64::INFINITY
            } else {
                2.0 * self.energy / sum
            }
        };
        match (restitution, self.compressed) {
            (Restitution::Poisson(e), Some((i_zc, _))) => {
                spent.min(((1.0 + e) * i_zc - self.i_z).max(0.0))
            }
            _ => spent,
        }
    }

    fn advance(&mut self, by: f64, gain: f64) {
        self.energy -= (self.v_z + 0.5 * gain * by) * by;
        self.v_z += gain * by;
        self.i_z += by;
    }

    /// Advances along a line on which v_z gains `gain` (1/kg) per impulse, at most by `limit` (N
    /// s). Returns true once the impact is over.
    pub fn run(&mut self, gain: f64, limit: f64, restitution: &Restitution) -> bool {
        let mut limit = limit;
        if self.compressed.is_none() {
            let until = if gain > 0.0 { (-self.v_z / gain).max(0.0) } else { f64::INFINITY };
            if until > limit {
                self.advance(limit, gain);
                return false;
            }
            self.advance(until, gain);
            self.v_z = 0.0;
            limit -= until;
            self.turn(restitution);
        }
        let until = self.left(gain, restitution);
        let over = until <= limit;
        self.advance(until.min(limit), gain);
        over
    }
}
