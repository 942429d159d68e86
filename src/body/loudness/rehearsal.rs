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

mod course;
mod doubt;
mod meeting;
mod played;
mod step;

use super::super::kernel::{Rows, RowsMut};
use super::super::yielding::{Ratios, StepRows};
use super::super::{LANES, MAX_MODES, Modes, PerMode};
use super::blow::FeltBlow;
use super::complex::Complex;
use super::ear::{Ear, Pass};
use crate::contact::ContactSettings;
use crate::contact::law::Spring;
use course::Course;
pub(super) use meeting::Meeting;
pub(super) use played::MOST_PLAYED;
pub use played::Stage;
use std::f64::consts::PI;

/// After so many steps they are made twice as long, ...
const STEPS_PER_STAGE: u32 = 160;
/// ... and so on through so many stages: 1760 steps at most, 3400 times as long as the contact with a wall or longer. A blow on what is
/// heavier than the striker is over after some thirty. Two-way contact itself takes more for the same blow, on all modes.
const STAGES: u32 = 11;
/// Most steps of the first playing.
pub(super) const MOST_STEPS: u32 = STAGES * STEPS_PER_STAGE;
/// Most steps of the second, which is finer, if there is one.
pub(super) const MOST_FINER_STEPS: u32 = 2 * MOST_STEPS;
/// Modes that turn more often than this within the contact only give way.
const QUICK_TURNS: f64 = 6.0;
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
    /// What each pickup hears of a mode.
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
    /// What the blow came to as it was played, as power, per what coarse steps had told of it.
    over_told: Option<f64>,
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
            over_told: None,
        }
    }
}

/// The law with its damping settled for an approach.
fn spring_at(contact: &ContactSettings, approach_m_per_s: f64) -> Spring {
    contact.at_onset(approach_m_per_s.max(SLOWEST_ONSET_M_PER_S)).spring()
}

impl Rehearsal {
    /// A new body: what playing came to on the last one says nothing of it.
    pub fn forget_played(&mut self) {
        self.over_told = None;
    }

    /// Let `blow` fall on a body of `body_kg` whose first `lanes` modes deflect by `struck` where it does; of what a pickup hears,
    /// `in_full` times as much counts. Where coarse steps are not enough and the body is lent for it, it falls on that as it will be played;
    /// where it cannot be lent again, since it rings, they are taken to be as far off as they were then. `may_fall`: it is the blow that will. The work that it was, in steps of a mode; an error if it was not over after `most`.
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
        (stage, may_fall, most): (Option<&mut Stage>, bool, u32),
    ) -> Result<u32, u32> {
        let all = modes.len.min(lanes);
        self.meeting = self.meet(modes, blow, (struck, lanes), body_kg);
        let mut work = self.play_in(1, modes, blow, all, in_full, most)?;
        let (first, power) = (self.course, self.power());
        let finer = first.worth_finer(blow.speed_m_per_s(), self.meeting.lightness, all);
        let left = most - work;
        // What would not be over in time is better told coarsely than not at all.
        if let Some(finer) = finer.filter(|finer| left / finer >= work + work / 4) {
            work += self.play_in(finer, modes, blow, all, in_full, left).map_err(|again| work + again)?;
        }
        let is_doubted = first.is_wild(self.meeting.lightness, all) || first.is_doubted(all, self.power() / power);
        if !(is_doubted && may_fall) {
            return Ok(work);
        }
        // All that is struck has to be there.
        if let Some(stage) = stage.filter(|_| all == modes.len && most - work >= MOST_PLAYED) {
            let told = self.power();
            work += self.play_on(stage, modes, blow, in_full);
            self.over_told = Some(self.power() / told).filter(|over| over.is_finite());
        } else if let Some(over) = self.over_told {
            self.come_to(over * self.power());
        }
        Ok(work)
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
        self.take_part(modes, all, self.meeting.contact_s, in_full);
        self.ears = [Ear::default(); 2];
        self.course = Course::new(blow.speed_m_per_s());
        self.go_on(finer, modes, blow.contact(), spring_at(blow.contact(), blow.speed_m_per_s()), most)
    }

    /// Go on from where striker and modes are, in steps that are `finer` than usual.
    fn go_on(
        &mut self,
        finer: u32,
        modes: &Modes,
        contact: &ContactSettings,
        mut spring: Spring,
        most: u32,
    ) -> Result<u32, u32> {
        self.rows.set_first(modes, self.len, self.meeting.step_s / f64::from(finer));
        let most_steps = most / self.len.max(1) as u32;
        let mut steps = 0;
        for stage in 0..STAGES {
            if stage > 0 {
                self.rows.double(self.len);
            }
            self.pace(modes);
            let pass = Pass::new(self.rows.step_s());
            for _ in 0..(finer * STEPS_PER_STAGE).min(MOST_FINER_STEPS - steps) {
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
            (self.left[i], self.right[i]) = (in_full * modes.left.target(i), in_full * modes.right.target(i));
            (self.y_re[i], self.y_im[i]) = (0.0, 0.0);
        }
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
mod tests;
