//! A hand that moves something along and keeps the pace.
//!
//! An off-centre ball sways: it is slow while its heavy side goes up and fast while it comes down,
//! and over a turn it loses time that way. A hand that only pulled towards the speed asked for
//! would let it turn some per cent too slowly or too fast. This one keeps a place of its own, which
//! moves at the pace, and draws what it holds towards that place:
//!
//! ```text
//! u' = (wanted - u)/T                                    the pace; T: time constant
//! v' = u' - (v - u)/T - (x - x_u)/(2 T)^2 + sway         what is held; x_u' = u
//! ```
//!
//! Critically damped, so that a change of speed is an exponential without overshoot. What is held
//! never gets away from the place for good: its mean speed over a turn is the pace, whatever it
//! does within the turn.

use super::travel::FASTEST_M_PER_S;

/// Largest share of its speed that an off-centre ball gains and loses within a turn while a hand
/// moves it along. A slower ball would not get over the top at all; the hand helps.
const MAX_SWAY: f64 = 0.5;

/// Most sway that a hand lets through at a speed, m/s^2: `MAX_SWAY v^2/R`.
pub fn max_sway_m_per_s2(v_m_per_s: f64, radius_m: f64) -> f64 {
    MAX_SWAY * v_m_per_s * v_m_per_s / radius_m
}

/// A hand that has hold of something.
#[derive(Clone, Copy, Debug)]
pub struct SpeedController {
    /// The pace u, m/s.
    pace_m_per_s: f64,
    /// How far ahead of the hand it is, m.
    ahead_m: f64,
    fading: Fading,
}

/// What is left of a difference of speeds after a sample, kept as long as neither number changes.
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
    /// Take hold of what moves with `v_m_per_s`.
    pub fn taking(v_m_per_s: f64) -> Self {
        Self { pace_m_per_s: v_m_per_s, ahead_m: 0.0, fading: Fading::UNKNOWN }
    }

    /// Speed after `dt_s`, m/s, of what moves with `v` and sways, for a hand that wants a speed and
    /// has a time constant. Exact but for the sway, so that it does not depend on the sample rate.
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
        // What is held goes the mean of its speeds, and so does the hand. It runs away only where
        // its speed is cut off.
        let max_m = FASTEST_M_PER_S * time_s;
        let gained_m = 0.5 * dt_s * ((v - self.pace_m_per_s) + (after - step_size));
        self.ahead_m = (self.ahead_m + gained_m).clamp(-max_m, max_m);
        self.pace_m_per_s = step_size;
        after
    }
}

#[cfg(test)]
mod tests {
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
