//! Motion along the way: speed, distance, and the contact point on the body.

use std::f64::consts::PI;

use super::settings::{Manner, RollSettings};
use crate::math::{clamp_or, reflect};

/// Maximum speed along the way, m/s.
pub const FASTEST_M_PER_S: f64 = 20.0;

/// What drives the motion along the way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Pull {
    /// The speed follows a target with a time constant.
    Follow {
        /// Target speed, m/s.
        speed_m_per_s: f64,
        /// Time constant, s.
        time_s: f64,
    },
    /// Slope and friction only.
    Free,
}

impl Pull {
    /// Returns a copy within limits.
    pub fn within_limits(self) -> Self {
        match self {
            Pull::Free => Pull::Free,
            Pull::Follow { speed_m_per_s, time_s } => Pull::Follow {
                speed_m_per_s: clamp_or(speed_m_per_s, -FASTEST_M_PER_S, FASTEST_M_PER_S, 0.0),
                time_s: clamp_or(time_s, 1e-3, 100.0, 1e-3),
            },
        }
    }
}

/// Motion along the way: rolling or dragged, driven or free.
#[derive(Clone, Copy, Debug, Default)]
pub struct Travel {
    /// The controller, while driven.
    speed_controller: Option<SpeedController>,
}

impl Travel {
    /// Speed after `dt_s`, m/s.
    ///
    /// `turn` is the angle, 0...1, with the centre of mass lowest at 0.
    ///
    /// Free: `v' = -g (c cos i - sin i + d/R sin(theta))/(1 + I/(m R^2))`, which is 5/7 of the
    /// force per mass for a ball. Friction opposes the motion, stops it, and holds it unless slope
    /// and centre of mass pull harder. The last term is the off-centre mass moving up and down:
    /// `v^2` varies by `(10/7) g d` to both sides over a turn, and a ball that comes to rest rocks.
    /// A `SpeedController` allows the same variation and keeps the mean at the target.
    pub fn speed_after(
        &mut self,
        pull: &Pull,
        settings: &RollSettings,
        v: f64,
        turn: f64,
        dt_s: f64,
    ) -> f64 {
        // Evaluated at the middle of the step; otherwise rocking would gain energy.
        let middle = turn + 0.5 * settings.turns_hz(v * dt_s);
        self.speed_on(pull, settings, v, (2.0 * PI * middle).sin(), dt_s)
    }

    /// Same, from the sine of the centre of mass's angle in the middle of the step.
    pub(super) fn speed_on(
        &mut self,
        pull: &Pull,
        settings: &RollSettings,
        v: f64,
        sin: f64,
        dt_s: f64,
    ) -> f64 {
        let (friction, inertia, off_centre) = match settings.manner {
            Manner::Roll => (settings.rolling_friction, settings.inertia, settings.off_centre),
            Manner::Scrape { friction } => (friction, 0.0, 0.0),
        };
        let gravity = settings.gravity_m_per_s2 / (1.0 + inertia);
        let (downhill, heavy) = (-sin, off_centre * gravity);
        let after = match *pull {
            Pull::Follow { speed_m_per_s, time_s } => {
                let speed_controller =
                    self.speed_controller.get_or_insert(SpeedController::taking(v));
                let sway = downhill * heavy.min(max_sway_m_per_s2(v, settings.radius_m));
                speed_controller.speed_after(speed_m_per_s, time_s, v, sway, dt_s)
            }
            Pull::Free => {
                self.speed_controller = None;
                let brake = friction * settings.weight_n() / (settings.mass_kg * (1.0 + inertia));
                coasted(v, gravity * settings.slope_rad.sin() + downhill * heavy, brake, dt_s)
            }
        };
        after.clamp(-FASTEST_M_PER_S, FASTEST_M_PER_S)
    }
}

/// Speed after `dt_s` under the accelerations `pull` and `brake`, m/s^2.
fn coasted(v: f64, pull: f64, brake: f64, dt_s: f64) -> f64 {
    if v == 0.0 {
        return (pull.abs() - brake).max(0.0).copysign(pull) * dt_s;
    }
    let after = v + (pull - brake.copysign(v)) * dt_s;
    // The ball stops before it reverses; the rest of the step is neglected.
    if after * v < 0.0 { 0.0 } else { after }
}

/// Largest share of its speed that a driven off-centre ball gains and loses within a turn. A slower
/// ball would not get over the top; the drive helps.
const MAX_SWAY: f64 = 0.5;

/// Largest acceleration by the off-centre mass while driven, m/s^2: `MAX_SWAY v^2/R`.
pub fn max_sway_m_per_s2(v_m_per_s: f64, radius_m: f64) -> f64 {
    MAX_SWAY * v_m_per_s * v_m_per_s / radius_m
}

/// Controls the speed so that its mean over a turn equals the target.
///
/// An off-centre ball is slow while its heavy side rises and fast while it falls, and loses time
/// over a turn. A controller of the speed alone would therefore be some per cent off. This one has
/// a reference position that moves at the speed u:
///
/// ```text
/// u' = (wanted - u)/T                                    T: time constant
/// v' = u' - (v - u)/T - (x - x_u)/(2 T)^2 + sway         x_u' = u
/// ```
///
/// It is critically damped: a change of speed is an exponential without overshoot.
#[derive(Clone, Copy, Debug)]
pub struct SpeedController {
    /// The reference speed u, m/s.
    pace_m_per_s: f64,
    /// Distance ahead of the reference position, m.
    ahead_m: f64,
    fading: Fading,
}

/// Decay of a speed difference over a sample, cached while its inputs are unchanged.
#[derive(Clone, Copy, Debug)]
struct Fading {
    time_s: f64,
    dt_s: f64,
    /// `e^(-dt/(2 T))`
    left: f64,
}

impl Fading {
    const UNKNOWN: Fading = Fading { time_s: f64::NAN, dt_s: f64::NAN, left: 1.0 };

    fn left(&mut self, time_s: f64, dt_s: f64) -> f64 {
        if (self.time_s, self.dt_s) != (time_s, dt_s) {
            *self = Self { time_s, dt_s, left: (-0.5 * dt_s / time_s).exp() };
        }
        self.left
    }
}

impl SpeedController {
    /// Starts at `v_m_per_s`.
    pub fn taking(v_m_per_s: f64) -> Self {
        Self { pace_m_per_s: v_m_per_s, ahead_m: 0.0, fading: Fading::UNKNOWN }
    }

    /// Speed after `dt_s`, m/s, for a target speed and a time constant.
    ///
    /// Exact except for the sway term, so that it does not depend on the sample rate.
    pub fn speed_after(
        &mut self,
        wanted: f64,
        time_s: f64,
        v: f64,
        sway_m_per_s2: f64,
        dt_s: f64,
    ) -> f64 {
        let left = self.fading.left(time_s, dt_s);
        let step_size = wanted + (self.pace_m_per_s - wanted) * left * left;
        // Both poles at 1/(2 T).
        let pole = 0.5 / time_s;
        let faster = v - self.pace_m_per_s;
        let homing = left * (faster - pole * dt_s * (faster + pole * self.ahead_m));
        let after = step_size + homing + sway_m_per_s2 * dt_s;
        // Both positions advance by the mean of their speeds. The limit matters only where the
        // speed is clipped.
        let max_m = FASTEST_M_PER_S * time_s;
        let gained_m = 0.5 * dt_s * ((v - self.pace_m_per_s) + (after - step_size));
        self.ahead_m = (self.ahead_m + gained_m).clamp(-max_m, max_m);
        self.pace_m_per_s = step_size;
        after
    }
}

/// Behaviour at the end of the body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AtTheEnd {
    /// The contact reverses.
    #[default]
    Reflect,
    /// The contact continues from the other end: for closed bodies.
    Loop,
}

/// Path of the contact point over the body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wander {
    /// Start, 0...1 along the body.
    pub start: f64,
    /// Length of the body along the way, m. 0: the point does not move.
    pub span_m: f64,
    /// Behaviour at the ends.
    pub at_the_end: AtTheEnd,
}

impl Default for Wander {
    fn default() -> Self {
        Self { start: 0.3, span_m: 1.0, at_the_end: AtTheEnd::Reflect }
    }
}

impl Wander {
    /// Converts a distance to body lengths.
    pub(super) fn lengths(&self, way_m: f64) -> f64 {
        if self.span_m > 0.0 { way_m / self.span_m.max(1e-3) } else { 0.0 }
    }

    /// Position on the body after a distance of `x_m`, 0...1.
    pub fn point(&self, x_m: f64) -> f64 {
        let start = if self.start.is_nan() { 0.5 } else { self.start.clamp(0.0, 1.0) };
        let lengths = start + self.lengths(x_m);
        if !lengths.is_finite() {
            return start;
        }
        match self.at_the_end {
            AtTheEnd::Loop => lengths.rem_euclid(1.0),
            AtTheEnd::Reflect => reflect(lengths),
        }
    }
}

#[cfg(test)]
mod speed_controller_tests {
    use super::*;

    #[test]
    fn without_sway_the_speed_is_an_exponential_at_every_rate() {
        for rate_hz in [8000.0, 44_100.0, 192_000.0] {
            let (mut speed_controller, mut v) = (SpeedController::taking(0.2), 0.2);
            for _ in 0..(0.3 * rate_hz) as usize {
                v = speed_controller.speed_after(1.0, 0.15, v, 0.0, 1.0 / rate_hz);
            }
            let wanted = 1.0 - 0.8 * (-2.0f64).exp();
            assert!((v - wanted).abs() < 1e-4, "{rate_hz}: {v} instead of {wanted}");
        }
    }

    #[test]
    fn what_is_pushed_back_all_the_time_still_keeps_the_pace() {
        let (mut speed_controller, mut v, dt_s) =
            (SpeedController::taking(0.5), 0.5, 1.0 / 48_000.0);
        for _ in 0..48_000 * 5 {
            v = speed_controller.speed_after(0.5, 0.15, v, -0.4, dt_s);
        }
        assert!((v - 0.5).abs() < 1e-6, "{v}");
    }
}

#[cfg(test)]
mod wander_tests {
    use super::*;

    #[test]
    fn it_turns_back_or_goes_round_and_never_leaves() {
        let reflect = Wander { start: 0.25, span_m: 2.0, at_the_end: AtTheEnd::Reflect };
        for (x_m, point) in [
            (0.0, 0.25),
            (1.0, 0.75),
            (2.0, 0.75),
            (3.5, 0.0),
            (-0.5, 0.0),
            (-1.0, 0.25),
            (4.0, 0.25),
        ] {
            assert!((reflect.point(x_m) - point).abs() < 1e-12, "{x_m}: {}", reflect.point(x_m));
        }
        let round = Wander { at_the_end: AtTheEnd::Loop, ..reflect };
        assert!((round.point(1.6) - 0.05).abs() < 1e-12);
        for x_m in [f64::NAN, f64::INFINITY, -1e300, 1e9] {
            assert!(
                (0.0..=1.0).contains(&reflect.point(x_m))
                    && (0.0..=1.0).contains(&round.point(x_m))
            );
        }
    }
}
