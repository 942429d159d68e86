//! One contact point, two bodies, Coulomb friction: Jia and Wang with Stronge's or Poisson's restitution.
//!
//! The normal impulse takes the place of time. While the contact slides, the slip follows its
//! [`hodograph`]; where the slip vanishes the contact sticks or goes on along the one centrifugal
//! [direction](invariant), and from there on, as on every invariant direction, closed forms lead to the end.
//!
//! An invariant direction is reached only in the limit, so the "l" of the paper's event sequences is a matter of
//! tolerance; here it is a shortcut that [`Accuracy`] governs and that no result names. Sequences are `cr`, `csr`
//! and `scr`: end of compression, vanishing slip, end of restitution.

mod gate;
pub mod hodograph;
pub mod invariant;
mod slide;
mod straight;

use hodograph::{Hodograph, Vec2, dot2, norm2};
use slide::{Course, State};
use straight::Normal;

use super::vector::{Mat3, Vec3};

/// Most steps of integration, whatever [`Accuracy`] asks for.
pub const MOST_STEPS: u32 = 4096;

/// Most trials while an event is located inside a step.
const MOST_TRIALS: u32 = 40;

/// Share of the first slip that counts as hardly any once the steps are used up.
const HARDLY: f64 = 0.05;

/// What comes back after compression.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Restitution {
    /// e^2 of the stored energy: Stronge's energetic coefficient, 0...1.
    Stronge(f64),
    /// e times the normal impulse of compression: Poisson's kinetic coefficient, 0...1.
    Poisson(f64),
}

impl Restitution {
    /// The coefficient.
    pub fn coefficient(&self) -> f64 {
        let (Self::Stronge(e) | Self::Poisson(e)) = *self;
        e
    }
}

/// How finely the slip is followed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Accuracy {
    /// Error allowed in one step, relative.
    pub tolerance: f64,
    /// Angle to a stable invariant direction, rad, below which the rest is taken as straight.
    pub straight_rad: f64,
    /// Share of the first slip that is as good as none: the little that is left is taken as straight.
    pub vanishing: f64,
    /// Most steps; then the fallback (see [`solve`]).
    pub most_steps: u32,
}

impl Accuracy {
    /// For sound: results within 2e-5.
    pub const DEFAULT: Self = Self { tolerance: 1e-5, straight_rad: 3e-5, vanishing: 1e-5, most_steps: 128 };
    /// For study: results within 1e-9.
    pub const FINE: Self = Self { tolerance: 1e-12, straight_rad: 1e-10, vanishing: 1e-10, most_steps: MOST_STEPS };
}

/// One impact to be solved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Impact {
    /// Inverse inertia at the contact, 1/kg; symmetric and positive definite, z the normal.
    pub w: Mat3,
    /// Velocity of body 1 against body 2 at the contact, m/s; z below 0 while they approach.
    pub v_m_per_s: Vec3,
    /// Coefficient of friction, 0 and above.
    pub mu: f64,
    /// What comes back.
    pub restitution: Restitution,
}

/// In which order compression (c), slip (s) and restitution (r) ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sequence {
    /// The slip never vanished.
    Cr,
    /// It vanished during restitution.
    Csr,
    /// It vanished during compression, or there was none.
    Scr,
}

impl Sequence {
    /// As it is written.
    pub fn name(self) -> &'static str {
        match self {
            Self::Cr => "cr",
            Self::Csr => "csr",
            Self::Scr => "scr",
        }
    }
}

/// What an impact comes to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outcome {
    /// Total impulse on body 1, N s.
    pub impulse_ns: Vec3,
    /// Velocity at the contact afterwards, m/s.
    pub v_m_per_s: Vec3,
    /// Order of events.
    pub sequence: Sequence,
    /// Normal impulse at the end of compression, N s.
    pub i_zc_ns: f64,
    /// Normal impulse where the slip vanished, N s.
    pub i_zs_ns: Option<f64>,
    /// Steps of integration taken.
    pub steps: u32,
    /// The fallback had to end it.
    pub capped: bool,
}

impl Outcome {
    fn nothing(impact: &Impact) -> Self {
        Self {
            impulse_ns: [0.0; 3],
            v_m_per_s: impact.v_m_per_s,
            sequence: Sequence::Cr,
            i_zc_ns: 0.0,
            i_zs_ns: None,
            steps: 0,
            capped: false,
        }
    }
}

/// Solve one impact.
///
/// Bodies that do not approach, and numbers that are none, give no impulse. Beyond `most_steps` the slip's direction
/// is kept for as long as friction along it brakes; if then hardly any slip is left it counts as vanished, else the
/// rest goes without friction. Whatever happened, a last gate sees to it that momentum is kept, the impulse is in
/// its cone, the bodies do not approach and energy has not risen.
pub fn solve(impact: &Impact, accuracy: &Accuracy) -> Outcome {
    let Some(impact) = gate::admit(impact) else {
        return Outcome::nothing(impact);
    };
    let flow = Hodograph::new(&impact.w, impact.mu);
    let slip = [impact.v_m_per_s[0], impact.v_m_per_s[1]];
    let course = Course { flow, slip_before: slip, v_z_before: impact.v_m_per_s[2] };
    let mut run = Run {
        course,
        restitution: impact.restitution,
        normal: Normal { i_z: 0.0, v_z: impact.v_m_per_s[2], energy: 0.0, compressed: None },
        tangential: [0.0; 2],
        vanished: None,
        steps: 0,
        capped: false,
    };
    run.go(accuracy);
    let raw = [run.tangential[0], run.tangential[1], run.normal.i_z];
    let (impulse_ns, v_m_per_s) = gate::release(&impact, raw);
    let i_zc_ns = run.normal.compressed.map_or(run.normal.i_z, |(i_zc, _)| i_zc);
    let sequence = match run.vanished {
        None => Sequence::Cr,
        Some((_, true)) => Sequence::Csr,
        Some((_, false)) => Sequence::Scr,
    };
    Outcome {
        impulse_ns,
        v_m_per_s,
        sequence,
        i_zc_ns,
        i_zs_ns: run.vanished.map(|(i_zs, _)| i_zs),
        steps: run.steps,
        capped: run.capped,
    }
}

struct Run {
    course: Course,
    restitution: Restitution,
    normal: Normal,
    tangential: Vec2,
    /// Normal impulse where the slip vanished, and whether compression had ended.
    vanished: Option<(f64, bool)>,
    steps: u32,
    capped: bool,
}

/// How the integration of a slide ended.
enum Slide {
    Over,
    /// Straight on along a direction with this growth until `slip` is gone.
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

impl Run {
    fn go(&mut self, accuracy: &Accuracy) {
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

    /// Grow the impulse along `(sigma, 1)`. True once the impact is over.
    fn line(&mut self, sigma: Vec2, limit: f64) -> bool {
        let gain = self.course.flow.w_zz + dot2(self.course.flow.d, sigma);
        let before = self.normal.i_z;
        let over = self.normal.run(gain, limit, &self.restitution);
        let by = self.normal.i_z - before;
        self.tangential[0] += sigma[0] * by;
        self.tangential[1] += sigma[1] * by;
        over
    }

    /// The slip is gone: stick, or slide off along the centrifugal direction, to the end.
    fn after_vanishing(&mut self) {
        let flow = self.course.flow;
        self.vanished = Some((self.normal.i_z, self.normal.compressed.is_some()));
        // On the line of sticking, eq. (25), whatever the steps before left over.
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

    /// Too many steps: keep the direction while friction along it brakes, then go on without friction.
    fn fall_back(&mut self, slip: Vec2) {
        self.capped = true;
        let flow = self.course.flow;
        let speed = norm2(slip);
        if speed > 0.0 {
            let s = [slip[0] / speed, slip[1] / speed];
            let along = dot2(s, flow.rate(s));
            let gain = flow.w_zz - flow.mu * dot2(flow.d, s);
            let limit = if along < 0.0 { speed / -along } else { f64::INFINITY };
            if (gain > 0.0 || limit.is_finite()) && self.line([-flow.mu * s[0], -flow.mu * s[1]], limit) {
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

    /// Follow the hodograph until the impact is over, the slip has vanished, or closed forms take over.
    fn slide(&mut self, accuracy: &Accuracy) -> Slide {
        let course = self.course;
        let pace = course.flow.pace();
        let mut at = State { slip: course.slip_before, i_z: 0.0, energy: 0.0 };
        let first_speed = norm2(at.slip);
        let most = accuracy.most_steps.min(MOST_STEPS);
        // The clamp: no step is longer than the pair is stable for, however straight the curve looks.
        let longest = 2.5 / pace;
        let mut h = 0.1 * longest;
        loop {
            let speed = norm2(at.slip);
            let s = [at.slip[0] / speed, at.slip[1] / speed];
            let bearing = course.flow.bearing(s);
            let vanishing = speed <= accuracy.vanishing * first_speed && bearing.along < 0.0;
            let exact = vanishing || bearing.turn.abs() <= 1e-14 * pace;
            let settled = bearing.settling > 0.0 && bearing.turn.abs() <= accuracy.straight_rad * bearing.settling;
            if exact || settled {
                let lean = if exact { 0.0 } else { bearing.turn / bearing.settling };
                let raw = [s[0] - lean * s[1], s[1] + lean * s[0]];
                let length = norm2(raw);
                let direction = [raw[0] / length, raw[1] / length];
                return Slide::Straight { direction, lambda: dot2(direction, course.flow.rate(direction)), speed };
            }
            if self.steps >= most {
                return Slide::Capped { slip: at.slip };
            }
            self.steps += 1;
            let (after, slip_error, impulse_error) = course.step(&at, h);
            let allowed = accuracy.tolerance;
            let error = (slip_error / (speed + 0.01 * first_speed)).max(impulse_error / after.i_z.abs()) / allowed;
            if !(error <= 1.0) && h > 1e-6 * longest {
                h *= (0.9 * error.powf(-0.2)).clamp(0.2, 0.9);
                if !h.is_finite() || h <= 0.0 {
                    h = 1e-6 * longest;
                }
                continue;
            }
            let mut reached = after;
            if self.normal.compressed.is_none() && course.v_z(&after) >= 0.0 {
                reached = locate(&at, h, |h| course.step(&at, h).0, |state| (course.v_z(state), self.v_z_slope(state)));
                self.take(&reached);
                self.normal.v_z = 0.0;
                self.normal.turn(&self.restitution);
                reached.energy = self.normal.energy;
                if self.restitution.coefficient() <= 0.0 {
                    return Slide::Over;
                }
                at = reached;
                continue;
            }
            if self.normal.compressed.is_some() && self.left(&after).0 <= 0.0 {
                let reached = locate(
                    &at,
                    h,
                    |h| course.step(&at, h).0,
                    |state| {
                        let (value, slope) = self.left(state);
                        (-value, -slope)
                    },
                );
                self.take(&reached);
                return Slide::Over;
            }
            at = reached;
            self.take(&at);
            h = (h * (0.9 * error.max(1e-9).powf(-0.2)).clamp(0.5, 4.0)).min(longest);
        }
    }

    /// Slope of v_z in tau.
    fn v_z_slope(&self, at: &State) -> f64 {
        let flow = &self.course.flow;
        flow.w_zz * norm2(at.slip) - flow.mu * dot2(flow.d, at.slip)
    }

    /// What is left of restitution, falling to 0 where it ends, with its slope in tau.
    fn left(&self, at: &State) -> (f64, f64) {
        let speed = norm2(at.slip);
        let spent = (at.energy, -self.course.v_z(at) * speed);
        let (Restitution::Poisson(e), Some((i_zc, e_c))) = (self.restitution, self.normal.compressed) else {
            return spent;
        };
        // Both in joules, so that the lesser is the nearer.
        let unit = e_c / i_zc;
        let impulse = (((1.0 + e) * i_zc - at.i_z) * unit, -speed * unit);
        if impulse.0 < spent.0 { impulse } else { spent }
    }
}

/// Where inside a step of `h` a function that ends above 0 passes it: Newton between shrinking ends.
fn locate(from: &State, h: f64, step: impl Fn(f64) -> State, value_and_slope: impl Fn(&State) -> (f64, f64)) -> State {
    let (mut low, mut high) = (0.0, h);
    let (start, slope) = value_and_slope(from);
    let mut t = if slope > 0.0 { -start / slope } else { 0.5 * h };
    let mut reached = *from;
    for _ in 0..MOST_TRIALS {
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
        if value == 0.0 || (next - t).abs() <= 1e-15 * h || high - low <= 1e-16 * h {
            break;
        }
        t = next;
    }
    reached
}
