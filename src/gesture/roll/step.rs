//! One step of a roll: what it asks for, and how it is carried out.

use super::motion::End;
use super::{Ahead, Manner, Motion, Roll, angle, course, pace};
use crate::contact::integrator::passive::{Push, Reach};
use crate::contact::law::Spring;

/// Friction along the slope changes the force by this share at most.
const MOST_SHARE: f64 = 0.9;

impl Roll {
    /// Begin a sample. Returns how many steps it asks for on a ground that does not give way: a power of two, at most 64.
    pub fn begin_sample(&mut self) -> u32 {
        self.class = self.plan();
        let steps = self.class.map_or(1, |class| self.pace.steps(class, 1.0));
        self.look_ahead(steps);
        steps
    }

    /// The same on a ground that is as light as `lightness` says of a push of so many seconds, and not only powers of two.
    pub(super) fn begin_sample_on(&mut self, lightness: impl Fn(f64) -> f64) -> u32 {
        self.class = self.plan();
        let steps = self.steps_on(lightness);
        self.look_ahead(steps);
        steps
    }

    /// Steps this sample asks for where the ground is as light as `lightness` says of a push of so many seconds: one over its mass.
    /// The lighter of the two makes the contact shorter, the resting one with the root of the masses, a hop's by a little less.
    fn steps_on(&mut self, lightness: impl Fn(f64) -> f64) -> u32 {
        let Some(class) = self.class else { return 1 };
        let contact_s = pace::STEPS * self.dt_s / pace::per_sample(class);
        let mass_kg = self.settings.mass_kg;
        let shorter = *self.shorter[class]
            .get_or_insert_with(|| (1.0 + mass_kg * lightness(contact_s).max(0.0)).sqrt() / pace::MARGIN);
        self.pace.steps_alone(class, shorter.max(1.0))
    }

    /// Give up that much of the energy of its upright motion, or as much as there is, J: for a solution that did not settle.
    pub fn pay(&mut self, energy_j: f64) {
        let v = self.motion.z_m_per_s;
        self.motion.z_m_per_s = (v * v - 2.0 * energy_j / self.settings.mass_kg).max(0.0).sqrt().copysign(v);
    }

    /// What moves it in this sample, and the class of contact that may be expected; none in flight, when nothing of the
    /// surface is felt, and one step will do.
    fn plan(&mut self) -> Option<usize> {
        self.told.begin_sample();
        let dt_s = self.dt_s;
        self.motion.v_m_per_s = self.v_end_m_per_s;
        let Motion { v_m_per_s, turn, .. } = self.motion;
        // A turn takes many samples: where the off-centre mass is in the middle of this one holds for all of it.
        let (sin, cos) = self.heavy_side(turn + 0.5 * dt_s * self.rates.turns_per_m * v_m_per_s);
        self.v_end_m_per_s = self.travel.speed_on(&self.pull, &self.settings, v_m_per_s, sin, dt_s);
        self.gain_m_per_s2 = (self.v_end_m_per_s - self.motion.v_m_per_s) / dt_s;
        self.reader.set_speed(self.motion.v_m_per_s);
        self.stand(dt_s);
        self.fall_m_per_s2 = self.fall_m_per_s2(cos);
        let m = &self.motion;
        // What the sample will bring as far as one can see: the height at its end, and the energy in the contact, which
        // keeps the speed of the approach in mind while the ball turns round.
        self.end = self.after(m, dt_s);
        let rise_m = self.end.height_m - m.height_m - m.z_m_per_s * dt_s;
        let near_m = m.compression_m + rise_m.max(2.0 * m.closing_m_per_s * dt_s).max(0.0);
        if near_m <= 0.0 {
            // Rather too near: between both ends the surface may be higher, and the body moves, too.
            let moves_m = rise_m.abs() + m.closing_m_per_s.abs() * dt_s + self.fall_m_per_s2.abs() * dt_s * dt_s;
            return (near_m + moves_m > 0.0).then_some(self.pace.in_flight());
        }
        let stored = 2.0 * self.law.potential_j(m.compression_m) * self.rates.per_mass_per_kg;
        let closing = m.closing_m_per_s.abs().max((rise_m / dt_s).abs());
        Some(self.pace.in_contact((closing * closing + stored).sqrt()))
    }

    /// Read the ground of all steps of the sample.
    fn look_ahead(&mut self, steps: u32) {
        // While one table gives way to another, every moment has its own ground.
        if self.reader.is_changing() || steps as usize > course::MOST {
            return self.course.forget();
        }
        let h_s = self.dt_s / f64::from(steps);
        self.course.begin(h_s);
        for step in 1..steps {
            self.course.add(self.after(&self.motion, f64::from(step) * h_s));
        }
        self.course.add(self.end);
    }

    /// Where it is after some time of this sample.
    #[inline]
    fn after(&self, m: &Motion, time_s: f64) -> End {
        let way_m = time_s * (m.v_m_per_s + 0.5 * self.gain_m_per_s2 * time_s);
        let (x_m, turn) = (m.x_m + way_m, round(m.turn + self.rates.turns_per_m * way_m));
        End { x_m, turn, height_m: self.reader.height_m(x_m, self.turn(turn)) }
    }

    /// What the next step of `h_s` needs to know of the ball's side: the mobility is its own, and the free change has the
    /// ball and the surface in it but not the body.
    #[inline]
    pub fn reach(&mut self, h_s: f64) -> Reach {
        self.reader.pass(h_s);
        let m = &self.motion;
        let known = self.course.take(h_s);
        let End { x_m, turn, height_m } = known.unwrap_or_else(|| self.after(m, h_s));
        let fall_m_per_s2 = self.fall_m_per_s2;
        self.spring = self.sloped(0.5 * (m.x_m + x_m));
        self.ahead = Ahead { x_m, v_m_per_s: m.v_m_per_s + self.gain_m_per_s2 * h_s, turn, height_m, h_s };
        Reach {
            x_m: m.compression_m,
            free_m: (height_m - m.height_m) - h_s * (m.z_m_per_s - 0.5 * fall_m_per_s2 * h_s),
            mobility_m_per_n: 0.5 * h_s * h_s * self.rates.per_mass_per_kg,
            h_s,
            guess_n: self.guess_n,
        }
    }

    /// Sine and cosine of where the off-centre mass is.
    fn heavy_side(&self, turn: f64) -> (f64, f64) {
        if self.settings.manner == Manner::Roll && self.settings.off_centre > 0.0 {
            angle::sin_cos(turn)
        } else {
            (0.0, 1.0)
        }
    }

    /// Acceleration towards the ground without contact, m/s^2, by the cosine of the angle.
    fn fall_m_per_s2(&self, cos: f64) -> f64 {
        let s = &self.settings;
        let load = self.load * self.load * (3.0 - 2.0 * self.load);
        let w = self.motion.v_m_per_s / s.radius_m;
        let swing = match s.manner {
            Manner::Roll => s.off_centre * s.radius_m * w * w * cos,
            Manner::Scrape { .. } => 0.0,
        };
        load * (self.rates.weight_m_per_s2 + swing)
    }

    /// A dragged tip feels friction along the slope it climbs: its upright share `friction F s'` joins the contact force,
    /// on both sides. The hand that drags pays for it.
    #[inline]
    fn sloped(&self, x_m: f64) -> Spring {
        let Manner::Scrape { friction } = self.settings.manner else { return self.law };
        let uphill = self.reader.slope(x_m) * self.motion.v_m_per_s.signum();
        let share = 1.0 + (friction * uphill).clamp(-MOST_SHARE, MOST_SHARE);
        self.law.eased(share)
    }

    /// Carry out the step that [`Roll::reach`] has prepared, under the push that was found.
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
        // The line through the last two forces meets the next one more nearly than the last.
        self.guess_n = (2.0 * push.force_n - m.force_n).max(0.5 * push.force_n);
        m.landings += u64::from(was_off && push.force_n > 0.0);
        m.force_n = push.force_n;
        (m.x_m, m.v_m_per_s) = (self.ahead.x_m, self.ahead.v_m_per_s);
        (m.turn, m.height_m) = (self.ahead.turn, self.ahead.height_m);
        self.tell(push);
        self.follow(push, was_closing);
    }
}

/// The part of a turn after the last whole one. A division would take longer than all the rest of a step.
#[inline]
fn round(turn: f64) -> f64 {
    if (0.0..1.0).contains(&turn) { turn } else { turn.rem_euclid(1.0) }
}
