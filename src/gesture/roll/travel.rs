//! Along the way: speed and distance.

use super::settings::{Manner, RollSettings};

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
        let keep = |value: f64, low: f64, high: f64| if value.is_nan() { low.max(0.0) } else { value.clamp(low, high) };
        match self {
            Pull::Free => Pull::Free,
            Pull::Follow { speed_m_per_s, time_s } => Pull::Follow {
                speed_m_per_s: keep(speed_m_per_s, -FASTEST_M_PER_S, FASTEST_M_PER_S),
                time_s: keep(time_s, 1e-3, 100.0),
            },
        }
    }
}

/// Speed after `dt_s`, m/s.
///
/// Free: `v' = -g (c cos i - sin i)/(1 + I/(m R^2))`, which is 5/7 of the force per mass for a ball; friction opposes the
/// motion, stops it, and holds it unless the slope is steeper than it.
pub fn speed_after(pull: &Pull, settings: &RollSettings, speed_m_per_s: f64, dt_s: f64) -> f64 {
    let after = match *pull {
        Pull::Follow { speed_m_per_s: wanted, time_s } => wanted + (speed_m_per_s - wanted) * (-dt_s / time_s).exp(),
        Pull::Free => coasted(settings, speed_m_per_s, dt_s),
    };
    after.clamp(-FASTEST_M_PER_S, FASTEST_M_PER_S)
}

fn coasted(settings: &RollSettings, v: f64, dt_s: f64) -> f64 {
    let (friction, inertia) = match settings.manner {
        Manner::Roll => (settings.rolling_friction, settings.inertia),
        Manner::Scrape { friction } => (friction, 0.0),
    };
    let downhill = settings.gravity_m_per_s2 * settings.slope_rad.sin() / (1.0 + inertia);
    let brake = friction * settings.weight_n() / (settings.mass_kg * (1.0 + inertia));
    if v == 0.0 {
        let left = (downhill.abs() - brake).max(0.0);
        return left.copysign(downhill) * dt_s;
    }
    let after = v + (downhill - brake.copysign(v)) * dt_s;
    // Turning round takes a stop; what is left of the step is not worth a case of its own.
    if after * v < 0.0 { 0.0 } else { after }
}
