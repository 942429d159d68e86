//! Stepping of a roll.

use std::f64::consts::TAU;

use super::End;
use super::{Ahead, Manner, Roll, RollMotion};
use crate::contact::coupled::{ContactBody, InverseMassFn, MotionBounds};
use crate::contact::integrator::passive::{Push, Reach};
use crate::contact::law::Spring;
use crate::exciter::surface::profile::SHARPEN;
use crate::math::smoothstep;

/// Friction along the slope changes the force by at most this share.
const MAX_SHARE: f64 = 0.9;

/// Length of the control period, samples.
const CONTROL: f64 = 8.0;

impl Roll {
    /// Starts a sample and returns the number of steps needed on a rigid ground.
    ///
    /// The number is a power of two, at most 64.
    pub fn begin_sample(&mut self) -> u32 {
        self.plan().map_or(1, |class| self.step_size.steps(class, 1.0))
    }

    /// Starts a sample on a compliant ground; the number of steps need not be a power of two.
    ///
    /// `inverse_mass` gives the ground's inverse mass for a push of so many seconds. A light ground
    /// shortens the contact: a resting one with the root of the masses, a hop's by a little less.
    pub(super) fn begin_sample_on(&mut self, inverse_mass: impl Fn(f64) -> f64) -> u32 {
        let Some(class) = self.plan() else { return 1 };
        let (step_size, mass_kg, dt_s) = (&self.step_size, self.settings.mass_kg, self.dt_s);
        *self.steps[class].get_or_insert_with(|| {
            let shorter =
                (1.0 + mass_kg * inverse_mass(step_size.push_s(class, dt_s)).max(0.0)).sqrt();
            step_size.steps_alone(class, shorter)
        })
    }

    /// Removes energy from the vertical motion, J, as far as there is any: for a solution that did
    /// not converge.
    pub fn dissipate(&mut self, energy_j: f64) {
        let v = self.motion.z_m_per_s;
        self.motion.z_m_per_s =
            (v * v - 2.0 * energy_j / self.settings.mass_kg).max(0.0).sqrt().copysign(v);
    }

    /// Updates speed and weight for the next [`CONTROL`] samples; a turn takes many of them.
    fn control(&mut self) {
        let time_s = CONTROL * self.dt_s;
        let v_m_per_s = self.v_end_m_per_s;
        let turns_per_s = self.rates.turns_per_m * v_m_per_s;
        let (sin, _) = self.heavy_side(self.motion.turn + 0.5 * time_s * turns_per_s);
        self.v_end_m_per_s =
            self.travel.speed_on(&self.pull, &self.settings, v_m_per_s, sin, time_s);
        self.motion.v_m_per_s = v_m_per_s;
        self.gain_m_per_s2 = (self.v_end_m_per_s - v_m_per_s) / time_s;
        self.reader.set_speed(v_m_per_s);
        self.stand(time_s);
        let mean_m_per_s = 0.5 * (v_m_per_s + self.v_end_m_per_s);
        let (_, cos) =
            self.heavy_side(self.motion.turn + time_s * self.rates.turns_per_m * mean_m_per_s);
        let end_m_per_s2 = self.fall_at_end_m_per_s2(cos);
        // Linear interpolation; each sample has the value at its middle. Steps would be audible as
        // a tone.
        self.fall_step_m_per_s2 = (end_m_per_s2 - self.fall_end_m_per_s2) / CONTROL;
        self.fall_m_per_s2 = self.fall_end_m_per_s2 - 0.5 * self.fall_step_m_per_s2;
        self.fall_end_m_per_s2 = end_m_per_s2;
    }

    /// Starts a sample and returns the expected contact class.
    ///
    /// None in flight: no contact is near, and one step is enough.
    fn plan(&mut self) -> Option<usize> {
        self.contacts.begin_sample();
        if self.until_control == 0 {
            self.control();
            self.until_control = CONTROL as u32;
        }
        self.until_control -= 1;
        self.fall_m_per_s2 += self.fall_step_m_per_s2;
        let (m, dt_s, fall_m_per_s2) = (&self.motion, self.dt_s, self.fall_m_per_s2);
        // Predicted closest approach in this sample: the ground continues its motion, and the
        // contact may release its energy.
        let rise_m = m.height_m - self.last_height_m - m.z_m_per_s * dt_s;
        self.last_height_m = m.height_m;
        let near_m = m.compression_m + rise_m.max(2.0 * m.closing_m_per_s * dt_s).max(0.0);
        if near_m <= 0.0 {
            // A conservative bound: between both ends the surface may be higher, and the body moves
            // too.
            let moves_m =
                rise_m.abs() + m.closing_m_per_s.abs() * dt_s + fall_m_per_s2.abs() * dt_s * dt_s;
            return (near_m + moves_m > 0.0).then_some(self.step_size.resting());
        }
        // Square of the speed at which it landed or will leave, less the work against the weight.
        // Not positive if it cannot leave.
        let stored = 2.0 * self.law.potential_j(m.compression_m) * self.rates.per_mass_per_kg;
        let closing = m.closing_m_per_s.abs().max((rise_m / dt_s).abs());
        let square = closing * closing + stored - 2.0 * fall_m_per_s2 * m.compression_m.max(0.0);
        let speed_m_per_s = square.max(0.0).sqrt();
        Some(self.hop.sample(&self.step_size, self.step_size.landing(speed_m_per_s), speed_m_per_s))
    }

    /// Position after a step of `time_s`.
    #[inline]
    fn after(&self, m: &RollMotion, time_s: f64) -> End {
        let way_m = time_s * (m.v_m_per_s + 0.5 * self.gain_m_per_s2 * time_s);
        let (x_m, turn) = (m.x_m + way_m, round(m.turn + self.rates.turns_per_m * way_m));
        let step_m = m.v_m_per_s * time_s;
        let height_m = self.reader.height_m(x_m, self.turn(turn), SHARPEN * step_m * step_m);
        End { x_m, turn, height_m }
    }

    /// Prepares the next step of `h_s`: the ball's mobility, and the free change of ball and
    /// surface without that of the body.
    #[inline]
    pub fn reach(&mut self, h_s: f64) -> Reach {
        self.reader.pass(h_s);
        let m = &self.motion;
        let end = self.after(m, h_s);
        let End { x_m, turn, height_m } = end;
        let fall_m_per_s2 = self.fall_m_per_s2;
        if let Manner::Scrape { friction } = self.settings.manner {
            self.spring = self.sloped(friction, &end);
        }
        self.ahead =
            Ahead { x_m, v_m_per_s: m.v_m_per_s + self.gain_m_per_s2 * h_s, turn, height_m, h_s };
        Reach {
            x_m: m.compression_m,
            free_m: (height_m - m.height_m) - h_s * (m.z_m_per_s - 0.5 * fall_m_per_s2 * h_s),
            mobility_m_per_n: 0.5 * h_s * h_s * self.rates.per_mass_per_kg,
            h_s,
            guess_n: self.guess_n,
        }
    }

    /// Sine and cosine of the angle of the off-centre mass.
    fn heavy_side(&self, turn: f64) -> (f64, f64) {
        if self.settings.manner == Manner::Roll && self.settings.off_centre > 0.0 {
            sin_cos(turn)
        } else {
            (0.0, 1.0)
        }
    }

    /// Acceleration towards the ground without contact at the end of the control period, m/s^2, for
    /// the cosine of the angle.
    fn fall_at_end_m_per_s2(&self, cos: f64) -> f64 {
        let s = &self.settings;
        let load = smoothstep(self.load);
        let w = self.v_end_m_per_s / s.radius_m;
        let swing = match s.manner {
            Manner::Roll => s.off_centre * s.radius_m * w * w * cos,
            Manner::Scrape { .. } => 0.0,
        };
        load * (self.rates.weight_m_per_s2 + swing)
    }

    /// The law of a dragged tip, with the friction along the slope that it climbs.
    ///
    /// The vertical component `friction F s'` adds to the contact force on both sides. The drive
    /// supplies its work.
    #[inline]
    fn sloped(&self, friction: f64, end: &End) -> Spring {
        let m = &self.motion;
        let way_m = end.x_m - m.x_m;
        let uphill = if self.reader.is_changing() {
            // The change of height includes the crossfade: use the slope along the way only.
            self.reader.slope(0.5 * (m.x_m + end.x_m)) * way_m.signum()
        } else if way_m == 0.0 {
            0.0
        } else {
            (end.height_m - m.height_m) / way_m.abs()
        };
        let share = 1.0 + (friction * uphill).clamp(-MAX_SHARE, MAX_SHARE);
        self.law.eased(share)
    }

    /// Completes the step that [`Roll::reach`] prepared, with the solved push.
    #[inline]
    pub fn accept(&mut self, push: &Push) {
        let h_s = self.ahead.h_s;
        let m = &mut self.motion;
        let dv = (push.force_n * self.rates.per_mass_per_kg - self.fall_m_per_s2) * h_s;
        let was_off = m.force_n <= 0.0;
        let was_closing = m.closing_m_per_s > 0.0;
        m.z_m += h_s * (m.z_m_per_s + 0.5 * dv);
        m.z_m_per_s += dv;
        m.compression_m += push.change_m;
        m.closing_m_per_s = push.change_m / h_s;
        // Linear extrapolation is a better guess for the next force than the last force.
        self.guess_n = (2.0 * push.force_n - m.force_n).max(0.5 * push.force_n);
        m.landings += u64::from(was_off && push.force_n > 0.0);
        m.force_n = push.force_n;
        (m.x_m, m.v_m_per_s) = (self.ahead.x_m, self.ahead.v_m_per_s);
        (m.turn, m.height_m) = (self.ahead.turn, self.ahead.height_m);
        self.report_event(push);
        self.follow(push, was_closing);
    }
}

/// Wraps an angle to 0...1 turns. Avoids the division where possible: it would take longer than the
/// rest of a step.
#[inline]
fn round(turn: f64) -> f64 {
    if (0.0..1.0).contains(&turn) { turn } else { turn.rem_euclid(1.0) }
}

/// Sine and cosine of an angle in turns, to 1e-11.
///
/// Evaluated at every sample, in a tenth of the time of the full-precision functions.
///
/// Uses Taylor's series around the nearest quarter, up to `(pi/4)^12`.
#[inline]
pub fn sin_cos(turns: f64) -> (f64, f64) {
    let quarters = 4.0 * turns;
    let nearest = (quarters + 0.5_f64.copysign(quarters)) as i64;
    let a = 0.25 * TAU * (quarters - nearest as f64);
    let b = a * a;
    let sin = 1.0
        - b * (1.0 / 6.0)
            * (1.0
                - b * (1.0 / 20.0)
                    * (1.0
                        - b * (1.0 / 42.0) * (1.0 - b * (1.0 / 72.0) * (1.0 - b * (1.0 / 110.0)))));
    let cos = 1.0
        - b * (1.0 / 2.0)
            * (1.0
                - b * (1.0 / 12.0)
                    * (1.0
                        - b * (1.0 / 30.0)
                            * (1.0
                                - b * (1.0 / 56.0)
                                    * (1.0 - b * (1.0 / 90.0) * (1.0 - b * (1.0 / 132.0))))));
    let sin = a * sin;
    match nearest & 3 {
        0 => (sin, cos),
        1 => (cos, -sin),
        2 => (-sin, -cos),
        _ => (-cos, sin),
    }
}

impl ContactBody for Roll {
    fn target_substeps(
        &mut self,
        _: &MotionBounds,
        inverse_mass: InverseMassFn<'_>,
        _: f64,
    ) -> Option<u32> {
        Some(self.begin_sample_on(inverse_mass))
    }

    #[inline]
    fn reach(&mut self, surface_m: f64, h_s: f64) -> Reach {
        let reach = Roll::reach(self, h_s);
        let reach = Reach { free_m: reach.free_m - surface_m, ..reach };
        self.meet(&reach);
        reach
    }

    fn spring(&self) -> &Spring {
        Roll::spring(self)
    }

    #[inline]
    fn accept(&mut self, push: &Push, _: f64) {
        Roll::accept(self, push);
    }

    fn dissipate(&mut self, energy_j: f64) {
        Roll::dissipate(self, energy_j);
    }
}

#[cfg(test)]
mod angle_tests {
    use super::*;

    #[test]
    fn they_are_sine_and_cosine() {
        for i in -3000..3000 {
            let turns = f64::from(i) / 1000.0;
            let (sin, cos) = (TAU * turns).sin_cos();
            let got = sin_cos(turns);
            assert!((got.0 - sin).abs() < 1e-11 && (got.1 - cos).abs() < 1e-11, "{turns}: {got:?}");
        }
        assert!(sin_cos(f64::NAN).0.is_nan());
    }
}
