//! What becomes of the blow where the body gives way.
//!
//! A light body takes a blow softly: it runs before the striker, holds it longer, and strikes back. How much, no single mass
//! tells: slow modes act as masses, quick ones as springs, and a membrane as what carries the energy off. A heavy striker
//! rides on it for many of its periods and takes most of what it gave back with it. So the blow is rehearsed, coarsely and in
//! bounded time: the passive scheme of [two-way contact](crate::contact::two_way) with the very law and damping, on the very
//! modes, from rest, until the striker is gone. What is heard meanwhile is added up; what the modes are left with rings on.
//!
//! **Steps** are a share of the contact, and double in length while the striker stays. **Modes** too quick for the contact to
//! set them ringing only give way: together they are one spring.

use super::super::kernel::{Bout, Bouted, Rows, RowsMut};
use super::super::yielding::{Ratios, StepRows};
use super::super::{LANES, MAX_MODES, Modes, PerMode};
use super::blow::FeltBlow;
use super::complex::Complex;
use super::ear::{Ear, Pass};
use super::hasty;
use super::weighting::shelf_power;
use super::window::WINDOW_S;
use crate::contact::integrator::passive::{Push, Reach};
use crate::contact::law::Spring;
use crate::contact::{ContactSettings, Dent, Law};
use std::f64::consts::PI;

/// Steps in the time that the striker would be on a wall, had it the mass of striker and body in series: on a heavy body, and on one
/// that is lighter than the striker, where much of what is given comes back and what stays is a small difference, ...
const STEPS_PER_CONTACT: (f64, f64) = (12.0, 24.0);
/// ... which counts as no shorter than this share of the contact of its own mass.
const SHORTEST: f64 = 0.25;
/// A damper stops the striker within m/c, which has so many of them.
const STEPS_PER_STOP: f64 = 3.0;
/// After so many steps they are made twice as long, ...
const STEPS_PER_STAGE: u32 = 160;
/// ... and so on through so many stages: 1440 steps at most, 850 times as long as the contact with a wall or longer. A blow on what is
/// heavier than the striker is over after some thirty. Two-way contact itself takes more for the same blow, on all modes.
const STAGES: u32 = 9;
/// Most steps of one playing.
pub(super) const MOST_STEPS: u32 = STAGES * STEPS_PER_STAGE;
/// A striker that takes more than this share of its speed back with it leaves a small difference of what it gave and got, which so
/// coarse steps may miss by 4 dB: the blow is rehearsed again, ...
const DELICATE: f64 = 0.9;
/// ... in steps this many times as fine, ...
const FINER: u32 = 2;
/// ... if it took more than a plain contact has and no more than this, so that both together stay within 2200 steps.
const DELICATE_STEPS: std::ops::Range<u32> = 100..700;
/// Modes that turn more often than this within the contact only give way.
const QUICK_TURNS: f64 = 6.0;
/// In the air it is looked whether the striker is gone at once, and then after every so many steps.
const LOOK_EVERY: u32 = 4;
/// Slowest approach for which damping is made to give a wanted restitution, m/s.
const SLOWEST_ONSET_M_PER_S: f64 = 1e-4;

/// What a rehearsal needs room for, and what it comes to.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub(super) struct Rehearsal {
    rows: StepRows,
    ratios: Ratios,
    /// phi and phi/m at the strike point.
    shape: PerMode,
    gain: PerMode,
    /// What each pickup hears of a mode, with the weighting's shelf.
    left: PerMode,
    right: PerMode,
    /// What a newton leaves in a mode, and how far the modes take the surface in the step after the next.
    push_re: PerMode,
    push_im: PerMode,
    sway_re: PerMode,
    sway_im: PerMode,
    /// State of the modes.
    y_re: PerMode,
    y_im: PerMode,
    /// How many modes take part.
    len: usize,
    /// What one newton, held over a step, adds to the displacement at the strike point, and what the quick modes give way by, m/N.
    give_m_per_n: f64,
    slack_m_per_n: f64,
    /// How far the surface goes in the next step and in the one after without a force, m, and in the latter by each newton of the
    /// former, m/N. So the force of a step need not wait for the last one to have moved all modes.
    surface_m: f64,
    later_m: f64,
    echo_m_per_n: f64,
    ears: [Ear; 2],
    course: Course,
    meeting: Meeting,
}

impl Default for Rehearsal {
    fn default() -> Self {
        let zero = [0.0; MAX_MODES];
        Self {
            rows: StepRows::default(),
            ratios: Ratios::default(),
            len: 0,
            shape: zero,
            gain: zero,
            left: zero,
            right: zero,
            give_m_per_n: 0.0,
            slack_m_per_n: 0.0,
            push_re: zero,
            push_im: zero,
            sway_re: zero,
            sway_im: zero,
            surface_m: 0.0,
            later_m: 0.0,
            echo_m_per_n: 0.0,
            y_re: zero,
            y_im: zero,
            ears: [Ear::default(); 2],
            course: Course::default(),
            meeting: Meeting::default(),
        }
    }
}

/// The striker, and what its force has come to.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Course {
    /// Compression, m; a gap below 0.
    x_m: f64,
    v_m_per_s: f64,
    force_n: f64,
    guess_n: f64,
    touching: bool,
    /// Steps since it was last there, or on its way there.
    away: u32,
    /// Steps that were made.
    pub steps: u32,
    pub time_s: f64,
    pub impulse_ns: f64,
    /// Its first and second moment in time.
    first: f64,
    second: f64,
}

impl Course {
    fn accept(&mut self, push: &Push, mass_kg: f64, h_s: f64) {
        self.guess_n = (2.0 * push.force_n - self.force_n).max(0.0);
        self.force_n = push.force_n;
        self.x_m += push.change_m;
        let (given_ns, middle_s) = (push.force_n * h_s, self.time_s + 0.5 * h_s);
        self.v_m_per_s -= given_ns / mass_kg;
        self.impulse_ns += given_ns;
        self.first += given_ns * middle_s;
        self.second += given_ns * middle_s * middle_s;
        self.time_s += h_s;
        self.steps += 1;
    }

    /// Whether so little of what was given is left that finer steps are worth their while; it came at `v_in_m_per_s`.
    fn is_delicate(&self, v_in_m_per_s: f64) -> bool {
        DELICATE_STEPS.contains(&self.steps) && -self.v_m_per_s > DELICATE * v_in_m_per_s
    }

    /// Variance of the impulse in time, s^2.
    pub fn variance_s2(&self) -> f64 {
        if self.impulse_ns <= 0.0 {
            return 0.0;
        }
        let middle_s = self.first / self.impulse_ns;
        (self.second / self.impulse_ns - middle_s * middle_s).max(0.0)
    }
}

/// How striker and body meet.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Meeting {
    /// How long the first contact takes, and its steps, s.
    pub contact_s: f64,
    step_s: f64,
    /// The striker's mass over that of the body, as the contact feels it.
    pub lightness: f64,
}

/// The law with its damping settled for an approach.
fn spring_at(contact: &ContactSettings, approach_m_per_s: f64) -> Spring {
    contact.at_onset(approach_m_per_s.max(SLOWEST_ONSET_M_PER_S)).spring()
}

impl Rehearsal {
    /// Let `blow` fall on a body of `body_kg` whose first `lanes` modes deflect by `struck` where it does; of what a pickup hears,
    /// `in_full` times as much counts. The work that it was, in steps of a mode; an error if it was not over after `most`.
    ///
    /// # Errors
    /// The work that was in vain.
    pub fn play(
        &mut self,
        modes: &Modes,
        blow: &FeltBlow,
        (struck, lanes): (&PerMode, usize),
        body_kg: f64,
        in_full: f64,
        most: u32,
    ) -> Result<u32, u32> {
        let all = modes.len.min(lanes);
        self.meeting = self.meet(modes, blow, (struck, lanes), body_kg);
        let work = self.play_in(1, modes, blow, all, in_full, most)?;
        if !self.course.is_delicate(blow.speed_m_per_s()) {
            return Ok(work);
        }
        match self.play_in(FINER, modes, blow, all, in_full, most.saturating_sub(work)) {
            Ok(again) => Ok(work + again),
            Err(again) => Err(work + again),
        }
    }

    /// The same with the first `all` modes, in steps that are `finer` than usual.
    fn play_in(
        &mut self,
        finer: u32,
        modes: &Modes,
        blow: &FeltBlow,
        all: usize,
        in_full: f64,
        most: u32,
    ) -> Result<u32, u32> {
        let Meeting { contact_s, step_s, .. } = self.meeting;
        let step_s = step_s / f64::from(finer);
        let contact = blow.contact();
        let mut spring = spring_at(contact, blow.speed_m_per_s());
        self.take_part(modes, all, contact_s, in_full);
        self.ears = [Ear::default(); 2];
        self.course = Course { v_m_per_s: blow.speed_m_per_s(), touching: true, ..Course::default() };
        self.rows.set_first(modes, self.len, step_s);
        let most_steps = most / self.len.max(1) as u32;
        let mut steps = 0;
        for stage in 0..STAGES {
            if stage > 0 {
                self.rows.double(self.len);
            }
            self.pace(modes);
            let pass = Pass::new(self.rows.step_s());
            let in_stage = (finer * STEPS_PER_STAGE).min(MOST_STEPS - steps);
            for _ in 0..in_stage {
                if steps >= most_steps {
                    return Err(steps * self.len as u32);
                }
                steps += 1;
                if self.step(modes, contact, &mut spring, &pass) {
                    return Ok(steps * self.len as u32);
                }
            }
        }
        Ok(steps * self.len as u32)
    }

    /// Make ready for steps of another length.
    fn pace(&mut self, modes: &Modes) {
        let (n, kernel, rows) = (self.len, modes.kernel, &self.rows);
        let hold = Rows { re: &rows.hold_re[..n], im: &rows.hold_im[..n] };
        let (shape, gain) = (&self.shape[..n], &self.gain[..n]);
        self.give_m_per_n = kernel.dot4(shape, gain, hold.im, &self.ratios.per_omega[..n]);
        let slack = &self.ratios.slack[..n];
        let turn = Rows { re: &rows.turn_re[..n], im: &rows.turn_im[..n] };
        let push = RowsMut { re: &mut self.push_re[..n], im: &mut self.push_im[..n] };
        let sway = RowsMut { re: &mut self.sway_re[..n], im: &mut self.sway_im[..n] };
        self.echo_m_per_n = kernel.bout([shape, gain], slack, turn, hold, push, sway);
        let y = Rows { re: &self.y_re[..n], im: &self.y_im[..n] };
        self.surface_m = kernel.sway(shape, slack, hold, y);
        self.later_m = kernel.dot(&self.sway_re[..n], y).0 - kernel.dot(&self.sway_im[..n], y).1;
    }

    /// What is known of the first contact before it is played.
    pub fn meet(
        &mut self,
        modes: &Modes,
        blow: &FeltBlow,
        (struck, lanes): (&PerMode, usize),
        body_kg: f64,
    ) -> Meeting {
        let all = modes.len.min(lanes);
        for (i, struck) in struck.iter().enumerate().take(all) {
            self.shape[i] = modes.presence[i] * struck;
            self.gain[i] = self.shape[i] / body_kg;
        }
        self.pace_s(modes, all, blow, &spring_at(blow.contact(), blow.speed_m_per_s()))
    }

    fn pace_s(&self, modes: &Modes, len: usize, blow: &FeltBlow, spring: &Spring) -> Meeting {
        let (mass_kg, wall_s) = (blow.contact().mass_kg, blow.contact_s());
        let (mut contact_s, mut lightness) = (wall_s, 0.0);
        // A mode that swings back within the contact counts for less, and the contact is the shorter the lighter they are.
        for _ in 0..2 {
            let (shape, gain, omega) = (&self.shape[..len], &self.gain[..len], &modes.omega[..len]);
            lightness = mass_kg * modes.kernel.lightness(shape, gain, omega, 0.5 * contact_s);
            contact_s = wall_s * (1.0 + lightness).powf(-1.0 / (spring.alpha() + 1.0));
        }
        let (few, many) = STEPS_PER_CONTACT;
        let steps = few + (many - few) * lightness.min(1.0);
        let damper = spring.damper_n_s_per_m();
        if damper > 0.0 {
            contact_s = contact_s.min(steps / STEPS_PER_STOP * mass_kg / damper);
        }
        let contact_s = contact_s.max(SHORTEST * wall_s);
        Meeting { contact_s, step_s: contact_s / steps, lightness }
    }

    /// Of `all` modes, let those take part that the contact may set ringing.
    fn take_part(&mut self, modes: &Modes, all: usize, contact_s: f64, in_full: f64) {
        let quick = 2.0 * PI * QUICK_TURNS / contact_s;
        let slow = (0..all).rev().find(|&i| modes.omega[i] > 0.0 && modes.omega[i] < quick).map_or(1, |last| last + 1);
        self.len = slow.next_multiple_of(LANES).min(all);
        self.slack_m_per_n = (self.len..all)
            .filter(|&i| modes.omega[i] > 0.0)
            .map(|i| self.shape[i] * self.gain[i] / (modes.omega[i] * modes.omega[i]))
            .sum();
        self.ratios.set(modes);
        for i in 0..self.len {
            let heard = in_full * shelf_power(modes.omega[i] / (2.0 * PI)).sqrt();
            (self.left[i], self.right[i]) = (heard * modes.left.target(i), heard * modes.right.target(i));
            (self.y_re[i], self.y_im[i]) = (0.0, 0.0);
        }
    }

    /// One step of the prepared length. Says whether the striker is gone for good, or nobody listens any more.
    fn step(&mut self, modes: &Modes, contact: &ContactSettings, spring: &mut Spring, pass: &Pass) -> bool {
        let (n, kernel, rows, ratios) = (self.len, modes.kernel, &self.rows, &self.ratios);
        let (shape, course, h_s) = (&self.shape[..n], &mut self.course, rows.step_s());
        // The quick modes come back by as much as the force has left them.
        let free_m = h_s * course.v_m_per_s - self.surface_m + self.slack_m_per_n * course.force_n;
        if !course.touching && course.x_m <= 0.0 && course.x_m + free_m > 0.0 {
            course.touching = true;
            *spring = spring_at(contact, free_m / h_s);
        }
        let mobility_m_per_n = 0.5 * h_s * h_s / contact.mass_kg + self.give_m_per_n + self.slack_m_per_n;
        let reach = Reach { x_m: course.x_m, free_m, mobility_m_per_n, h_s, guess_n: course.guess_n };
        let push = hasty::push(spring, &reach);
        course.accept(&push, contact.mass_kg, h_s);
        let bout = Bout {
            turn: Rows { re: &rows.turn_re[..n], im: &rows.turn_im[..n] },
            push: Rows { re: &self.push_re[..n], im: &self.push_im[..n] },
            sway: Rows { re: &self.sway_re[..n], im: &self.sway_im[..n] },
            ears: [&self.left[..n], &self.right[..n]],
        };
        let y = RowsMut { re: &mut self.y_re[..n], im: &mut self.y_im[..n] };
        self.surface_m = self.later_m + self.echo_m_per_n * push.force_n;
        let Bouted { later, heard: [left, right] } = kernel.play_bout(y, &bout, push.force_n);
        self.later_m = later;
        self.ears[0].hear(left, pass);
        self.ears[1].hear(right, pass);
        if course.touching {
            let let_go = contact.kind == Law::HertzDamper && push.force_n == 0.0 && push.change_m < 0.0;
            course.touching = course.x_m > 0.0 && !let_go;
            if !course.touching && contact.dent == Dent::Stays {
                course.x_m = course.x_m.min(0.0);
            }
        } else if push.force_n > 0.0 {
            course.touching = true;
            *spring = spring_at(contact, push.change_m / h_s);
        }
        if course.touching || course.x_m > 0.0 || course.v_m_per_s > 0.0 {
            course.away = 0;
            return course.time_s >= WINDOW_S;
        }
        course.away += 1;
        if course.away % LOOK_EVERY != 1 {
            return false;
        }
        // In the air: the ring of the body is too slow for it, or no longer gets so far.
        let y = Rows { re: &self.y_re[..n], im: &self.y_im[..n] };
        let (reach_m, speed_m_per_s) = kernel.bounds(shape, [&ratios.per_omega[..n], &ratios.quickness[..n]], y);
        course.v_m_per_s + speed_m_per_s < 0.0 || -course.x_m > 2.0 * reach_m || course.time_s >= WINDOW_S
    }

    /// How many modes took part.
    pub fn len(&self) -> usize {
        self.len
    }

    /// What a mode was left with, m/s.
    pub fn left_with(&self, mode: usize) -> Complex {
        Complex { re: self.y_re[mode], im: self.y_im[mode] }
    }

    /// What the pickups hear of a mode.
    pub fn heard(&self, mode: usize) -> [f64; 2] {
        [self.left[mode], self.right[mode]]
    }

    /// The pickups, and what they have heard so far.
    pub fn ears(&self) -> &[Ear; 2] {
        &self.ears
    }

    /// How it began.
    pub fn meeting(&self) -> &Meeting {
        &self.meeting
    }

    /// How it went.
    pub fn course(&self) -> &Course {
        &self.course
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::MAX_MODES;
    use super::super::blow::{half_sine, half_sine_of_s};
    use super::*;
    use crate::contact::HuntCrossley;

    const STRIKER_KG: f64 = 0.02;
    const SPEED_M_PER_S: f64 = 3.0;

    fn blow() -> FeltBlow {
        let law = HuntCrossley { stiffness: 1.0, mu_s_per_m: 0.0, alpha: 1.5 };
        let contact = ContactSettings { law, mass_kg: STRIKER_KG, ..ContactSettings::default() };
        FeltBlow::new(&contact, 1.0, 440.0, SPEED_M_PER_S)
    }

    /// A group of modes, the first of `hz` and the others an octave apart each, all with deflection 1 but for padding.
    fn rehearse(hz: f64, count: usize, body_kg: f64) -> (Modes, Rehearsal) {
        let (mut modes, mut rehearsal) = (Modes::default(), Rehearsal::default());
        modes.len = LANES;
        for i in 0..count {
            modes.omega[i] = 2.0 * PI * hz * f64::from(1 << i);
            modes.presence[i] = 1.0;
        }
        assert!(rehearsal.play(&modes, &blow(), (&[1.0; MAX_MODES], MAX_MODES), body_kg, 1.0, u32::MAX).is_ok());
        (modes, rehearsal)
    }

    #[test]
    fn a_body_that_hardly_swings_takes_the_impulse_of_an_elastic_collision() {
        for body_kg in [0.002, 0.02, 0.4, 50.0] {
            let (_, rehearsal) = rehearse(0.01, 1, body_kg);
            let both_kg = STRIKER_KG * body_kg / (STRIKER_KG + body_kg);
            let expected_ns = 2.0 * both_kg * SPEED_M_PER_S;
            for got_ns in [rehearsal.course().impulse_ns, body_kg * rehearsal.left_with(0).re] {
                assert!((got_ns / expected_ns - 1.0).abs() < 0.005, "{body_kg}: {got_ns} {expected_ns}");
            }
        }
    }

    #[test]
    fn a_body_that_does_not_give_way_is_the_wall_of_the_closed_form() {
        let body_kg = 1e4;
        let (modes, rehearsal) = rehearse(100.0, 4, body_kg);
        let pulse_s = half_sine_of_s(rehearsal.course().variance_s2());
        assert!((0.5 * blow().contact_s()..blow().contact_s()).contains(&pulse_s), "{pulse_s}");
        for i in 0..4 {
            let wall_ns = 2.0 * STRIKER_KG * SPEED_M_PER_S * half_sine(modes.omega[i] / (2.0 * PI) * pulse_s);
            let got_ns = body_kg * rehearsal.left_with(i).power().sqrt();
            assert!((got_ns / wall_ns - 1.0).abs() < 0.02, "mode {i}: {got_ns} {wall_ns}");
        }
    }

    #[test]
    fn a_usual_blow_is_over_after_a_few_steps_and_none_takes_more_than_the_bound() {
        let steps = |hz, body_kg| rehearse(hz, 8, body_kg).1.course().steps;
        assert!(steps(200.0, 2.0) < 40, "{}", steps(200.0, 2.0));
        for (hz, body_kg) in [(20.0, 1e-5), (200.0, 1e-4), (1000.0, 1e-6)] {
            let steps = steps(hz, body_kg);
            assert!(steps <= MOST_STEPS, "{hz} {body_kg}: {steps}");
        }
    }
}
