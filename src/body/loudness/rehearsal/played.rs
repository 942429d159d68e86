//! A blow rehearsed in the very steps in which it will be played.
//!
//! What a heavy striker leaves in a light body is a small difference of what it gave and took back, and may turn on a single touch among
//! dozens: steps of any other length, finer ones as well, end elsewhere by some decibels. The contact that is played is bound to follow
//! the same rules from the same beginning, so it is tried on the body itself, which is silent before its first blow.

use super::super::super::bank::CHUNK;
use super::super::super::yielding::{Yielding, YieldingModes};
use super::super::super::{Bank, MAX_MODES, Modes};
use super::super::blow::FeltBlow;
use super::super::ear::{Ear, Pass};
use super::super::window::WINDOW_S;
use super::{MOST_FINER_STEPS, Rehearsal, spring_at};
use crate::contact::TwoWay;
use crate::contact::two_way::{Ground, MOST_STEPS, SEATS};

/// The seat of the striker: the first that is free on a body that nobody has struck.
const SEAT: usize = 0;

/// Most work in those steps: some 16 000 of eight modes, 6000 of 64, 1900 of 256; a millisecond on one core, for which whoever plays
/// waits. Four times as much would bring the worst of 556 cases closer by 1.4 dB (`tests/levelling_blows`). What is not over by then goes on in
/// others.
const MOST_AS_PLAYED: u32 = 8 << 16;
/// Most work of all of it: what is allowed, the sample in which that ends, which is carried through, and how it goes on in coarse
/// steps.
pub(in crate::body::loudness) const MOST_PLAYED: u32 =
    MOST_AS_PLAYED + MOST_STEPS * (MAX_MODES as u32 + WORK_PER_STEP) + MAX_MODES as u32 * MOST_FINER_STEPS;
/// What a step takes besides its modes, in steps of a mode.
const WORK_PER_STEP: u32 = 24;

/// A body at rest that nothing is near, lent for a rehearsal: it is at rest again afterwards.
#[derive(Debug)]
pub struct Stage<'a> {
    /// How it gives way: the mass of its modes is known, its seats are free.
    pub yielding: &'a mut Yielding,
    /// Its state.
    pub bank: &'a mut Bank,
    /// Interval between samples, s.
    pub dt_s: f64,
    /// Sub-steps that every sample allows a contact, and that may be saved up.
    pub allowance: (u32, u32),
}

impl Rehearsal {
    /// Let `blow` fall as it will be played, on all modes. What it comes to takes the place of what was rehearsed before; if it had to go on in
    /// other steps, neither is better known, and it ends halfway between both, in decibels. The work that it was.
    pub(super) fn play_on(&mut self, stage: &mut Stage, modes: &Modes, blow: &FeltBlow, in_full: f64) -> u32 {
        let told = self.power();
        let Stage { yielding, bank, dt_s, allowance } = stage;
        let (n, dt_s, pass) = (modes.len, *dt_s, Pass::new(*dt_s));
        let work_per_step = n as u32 + WORK_PER_STEP;
        let most_steps = MOST_AS_PLAYED / work_per_step;
        for i in 0..n {
            (self.left[i], self.right[i]) = (in_full * modes.left.target(i), in_full * modes.right.target(i));
        }
        let (left, right) = (&self.left[..n], &self.right[..n]);
        let (mut ears, mut samples, mut steps) = ([Ear::default(); 2], 0, 0);
        let mut hear = |ground: &YieldingModes| {
            let (left, right) = modes.kernel.hear(left, right, ground.state().re);
            ears[0].hear(left, &pass);
            ears[1].hear(right, &pass);
        };
        let mut two_way = TwoWay::default();
        two_way.set_allowance(allowance.0, allowance.1);
        yielding.set_point(SEAT, &self.shape);
        let ground = &mut yielding.on(bank, modes);
        two_way.strike(ground, SEAT, blow.contact(), blow.speed_m_per_s(), 0.0);
        while steps < most_steps && samples as f64 * dt_s < WINDOW_S {
            let free = two_way.free_samples(ground, dt_s, CHUNK - samples % CHUNK);
            if !two_way.is_active() {
                break;
            }
            if free == 0 {
                two_way.advance(ground, dt_s);
                hear(ground);
                (samples, steps) = (samples + 1, steps + two_way.steps());
                continue;
            }
            ground.prepare(1, dt_s);
            for _ in 0..free {
                ground.push(&[0.0; SEATS]);
                hear(ground);
            }
            (samples, steps) = (samples + free, steps + free as u32);
            if two_way.coasted(free) {
                two_way.land(ground);
            }
        }
        let y = ground.state();
        self.y_re[..n].copy_from_slice(y.re);
        self.y_im[..n].copy_from_slice(y.im);
        (self.len, self.ears, self.slack_m_per_n) = (n, ears, 0.0);
        let beater = two_way.beater(SEAT);
        (self.course.x_m, self.course.v_m_per_s) = (beater.compression_m(), beater.velocity_m_per_s());
        (self.course.touching, self.course.force_n) = (beater.is_in_contact(), beater.force_n());
        self.course.time_s = samples as f64 * dt_s;
        stage.yielding.take_impulse_ns();
        stage.bank.reset();
        let mut work = steps * work_per_step;
        if two_way.is_active() && self.course.time_s < WINDOW_S {
            let spring = spring_at(blow.contact(), blow.speed_m_per_s());
            // The pulse was told in full by the rehearsal before.
            let told_pulse = self.course;
            let (Ok(on) | Err(on)) = self.go_on(2, modes, blow.contact(), spring, u32::MAX);
            self.course.keep_pulse(&told_pulse);
            work += on;
            self.come_to((told * self.power()).sqrt());
        }
        work
    }

    /// Let the modes be left with so much power.
    pub(super) fn come_to(&mut self, power: f64) {
        let times = (power / self.power()).sqrt();
        if times.is_finite() {
            let (n, y_re, y_im) = (self.len, &mut self.y_re, &mut self.y_im);
            y_re[..n].iter_mut().chain(&mut y_im[..n]).for_each(|y| *y *= times);
        }
    }
}
