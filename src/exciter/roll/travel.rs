//! Along the way: speed and distance.

use std::f64::consts::PI;

use super::settings::{Manner, RollSettings};
use super::speed_controller::{self, SpeedController};
use crate::math::clamp_or;

/// Fastest that anything rolls, m/s.
pub const FASTEST_M_PER_S: f64 = 20.0;

/// What moves it along.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Pull {
    /// A hand: the speed follows `speed_m_per_s` with a time constant.
    Follow {
        /// Wanted speed, m/s.
        speed_m_per_s: f64,
        /// Time constant, s.
        time_s: f64,
    },
    /// Nothing but slope and friction.
    Free,
}

impl Pull {
    /// The same with its numbers in range.
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

/// What moves along the way: rolling or dragged, in a hand or free.
#[derive(Clone, Copy, Debug, Default)]
pub struct Travel {
    /// The hand that has hold of it.
    speed_controller: Option<SpeedController>,
}

impl Travel {
    /// Speed after `dt_s`, m/s, of what is at `turn` (0...1 around, the centre of mass lowest at
    /// 0).
    ///
    /// Free: `v' = -g (c cos i - sin i + d/R sin(theta))/(1 + I/(m R^2))`, which is 5/7 of the
    /// force per mass for a ball. Friction opposes the motion, stops it, and holds it unless slope
    /// and centre of mass pull harder. The last term is the off-centre mass on its way up and down:
    /// `v^2` swings by `(10/7) g d` to both sides over a turn, and a ball that comes to rest rocks.
    /// A `SpeedController` lets it sway likewise, and sees to the mean.
    pub fn speed_after(
        &mut self,
        pull: &Pull,
        settings: &RollSettings,
        v: f64,
        turn: f64,
        dt_s: f64,
    ) -> f64 {
        // At the middle of the step, or rocking would gain.
        let middle = turn + 0.5 * settings.turns_hz(v * dt_s);
        self.speed_on(pull, settings, v, (2.0 * PI * middle).sin(), dt_s)
    }

    /// The same with the sine of where the centre of mass is in the middle of the step.
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
                let sway =
                    downhill * heavy.min(speed_controller::max_sway_m_per_s2(v, settings.radius_m));
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

/// Speed after `dt_s` under a pull and a brake, m/s^2.
fn coasted(v: f64, pull: f64, brake: f64, dt_s: f64) -> f64 {
    if v == 0.0 {
        return (pull.abs() - brake).max(0.0).copysign(pull) * dt_s;
    }
    let after = v + (pull - brake.copysign(v)) * dt_s;
    // Turning round takes a stop; what is left of the step is not worth a case of its own.
    if after * v < 0.0 { 0.0 } else { after }
}
