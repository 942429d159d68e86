//! Something rolls or is dragged over a surface: geometry and contact, no filtered noise.
//!
//! A ball of radius R at speed v follows what its radius lets it feel of the ground ([`surface`](super::surface)), plus
//! its own roughness, which comes back every turn, plus whatever the body does:
//!
//! ```text
//! eta   = s_R(x) + b(theta) + y - z          compression, m
//! F     = k eta^alpha (1 + mu eta') + c eta', never negative
//! m z'' = F - m g - m d w^2 cos(theta)       d: centre of mass off the centre; w = theta' = v/R
//! ```
//!
//! after Rath 2003 (rolling filter, asymmetry), stepped by [`passive`]: the surface's rise
//! is an imposed part of the free change, and the energy grows by its work and by nothing else. That a ball hops where
//! `d w^2 > g`, and rattles where `v^2 |s_R''| > g`, is no rule here; it comes out.
//!
//! Limits: the ball does not slip, and does not slow down by what it radiates.

pub mod note;
pub mod pace;
pub mod reader;
mod rider;
pub mod settings;
pub mod travel;
pub mod wander;

use std::f64::consts::PI;
use std::sync::Arc;

use crate::contact::integrator::passive::{self, Push, Reach};
use crate::contact::law::Spring;
use crate::gesture::surface::SurfaceTable;

pub use pace::Pace;
pub use settings::{Manner, RollSettings};
pub use travel::Pull;
pub use wander::{AtTheEnd, Wander};

use reader::Reader;

/// The weight comes on in this time, s. A weight that came at once would be a blow.
const SET_DOWN_S: f64 = 0.05;
/// It is taken off in this time, s.
const LIFT_S: f64 = 0.2;
/// Whatever has stopped lies still for this time, s, before its weight is taken off, unheard.
const STAND_S: f64 = 0.3;
/// Friction along the slope changes the force by this share at most.
const MOST_SHARE: f64 = 0.9;

/// What something rolls on, seen by the one contact.
///
/// Over a step of h under a constant force the place below the ball moves by `free + mobility F`, towards the ball and
/// away from it.
pub trait Ground {
    /// What it would move towards the ball in the next `h_s` without force, m.
    fn free_m(&mut self, h_s: f64) -> f64;
    /// What each newton takes off that, m/N.
    fn mobility_m_per_n(&mut self, h_s: f64) -> f64;
    /// Move on by `h_s` under a force of `force_n`.
    fn push(&mut self, force_n: f64, h_s: f64);
}

/// Ground that does not give way.
#[derive(Clone, Copy, Debug, Default)]
pub struct Rigid;

impl Ground for Rigid {
    fn free_m(&mut self, _: f64) -> f64 {
        0.0
    }
    fn mobility_m_per_n(&mut self, _: f64) -> f64 {
        0.0
    }
    fn push(&mut self, _: f64, _: f64) {}
}

/// Where it is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Motion {
    /// Way so far, m.
    pub x_m: f64,
    /// Speed along the way, m/s.
    pub v_m_per_s: f64,
    /// Angle, in turns, 0...1.
    pub turn: f64,
    /// Height of ground and ball's own roughness at the contact, m.
    pub height_m: f64,
    /// Height of the ball, m; touching at the height of the ground.
    pub z_m: f64,
    /// Its velocity, m/s, upwards.
    pub z_m_per_s: f64,
    /// Compression, m; negative: a gap.
    pub compression_m: f64,
    /// Its rate of change, m/s.
    pub closing_m_per_s: f64,
    /// Force of the last step, N.
    pub force_n: f64,
    /// Landings so far.
    pub landings: u64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Phase {
    #[default]
    Gone,
    Rolls,
    Lifts,
}

/// Where the step under way will end.
#[derive(Clone, Copy, Debug, Default)]
struct Ahead {
    x_m: f64,
    v_m_per_s: f64,
    turn: f64,
    height_m: f64,
    fall_m_per_s2: f64,
    h_s: f64,
}

/// One ball, wheel or dragged tip on one body.
///
/// Per sample: [`Roll::begin_sample`], then for each step [`Roll::reach`], a solution under [`Roll::spring`], and
/// [`Roll::accept`]; [`Roll::advance`] does all that on a [`Ground`] of its own. Whoever solves several contacts on one body
/// together does the same.
#[derive(Clone, Debug)]
pub struct Roll {
    settings: RollSettings,
    law: Spring,
    /// The law of the step under way: friction along the slope stiffens or softens it.
    spring: Spring,
    pace: Pace,
    pull: Pull,
    wander: Wander,
    reader: Reader,
    phase: Phase,
    motion: Motion,
    ahead: Ahead,
    /// Change of speed over this sample, m/s^2, and the speed at its end.
    gain_m_per_s2: f64,
    v_end_m_per_s: f64,
    /// How much of the weight is on, 0...1.
    load: f64,
    stood_s: f64,
    dt_s: f64,
    /// Steps of this sample.
    steps: u32,
}

impl Default for Roll {
    fn default() -> Self {
        Self::new()
    }
}

impl Roll {
    /// Nothing rolls.
    pub fn new() -> Self {
        let settings = RollSettings::default();
        let dt_s = 1.0 / 48_000.0;
        Self {
            settings,
            law: settings.spring(),
            spring: settings.spring(),
            pace: Pace::new(&settings, dt_s),
            pull: Pull::Free,
            wander: Wander::default(),
            reader: Reader::default(),
            phase: Phase::Gone,
            motion: Motion::default(),
            ahead: Ahead::default(),
            gain_m_per_s2: 0.0,
            v_end_m_per_s: 0.0,
            load: 0.0,
            stood_s: 0.0,
            dt_s,
            steps: 1,
        }
    }

    /// Take over a sample rate; nothing rolls.
    pub fn prepare(&mut self, sample_rate_hz: f64) {
        self.dt_s = 1.0 / sample_rate_hz;
        self.pace = Pace::new(&self.settings, self.dt_s);
        self.reset();
    }

    /// Nothing rolls, at once.
    pub fn reset(&mut self) {
        self.phase = Phase::Gone;
        self.motion = Motion::default();
        self.reader.reset();
    }

    /// Change what rolls; for the control rate.
    pub fn set_settings(&mut self, settings: &RollSettings) {
        let settings = settings.within_limits();
        if settings != self.settings {
            self.settings = settings;
            self.law = settings.spring();
            self.pace = Pace::new(&settings, self.dt_s);
        }
    }

    /// Change what moves it along: a new speed to follow, or none, and it rolls out.
    pub fn set_pull(&mut self, pull: Pull) {
        self.pull = pull.within_limits();
    }

    /// Change the way over the body.
    pub fn set_wander(&mut self, wander: Wander) {
        self.wander = wander;
    }

    /// Pass over to another surface within 50 ms. Frees nothing as long as the giver keeps a clone of every table in use
    /// ([`Shelf`](super::surface::Shelf)).
    pub fn set_table(&mut self, table: &Arc<SurfaceTable>) {
        self.reader.set_table(Arc::clone(table));
    }

    /// Put it down on the body with this speed along the way.
    pub fn begin(&mut self, settings: &RollSettings, table: &Arc<SurfaceTable>, speed_m_per_s: f64, pull: Pull) {
        self.set_settings(settings);
        self.set_pull(pull);
        self.reader.begin(Arc::clone(table));
        let fastest = travel::FASTEST_M_PER_S;
        let v_m_per_s = if speed_m_per_s.is_nan() { 0.0 } else { speed_m_per_s.clamp(-fastest, fastest) };
        self.reader.set_speed(v_m_per_s);
        self.motion = Motion { v_m_per_s, ..Motion::default() };
        let height_m = self.reader.height_m(0.0, self.turn(0.0));
        // It goes with the ground, so that it is put down and not dropped.
        self.motion.z_m_per_s = v_m_per_s * self.reader.slope(0.0);
        (self.motion.height_m, self.motion.z_m) = (height_m, height_m);
        self.v_end_m_per_s = v_m_per_s;
        (self.load, self.stood_s) = (0.0, 0.0);
        self.phase = Phase::Rolls;
    }

    /// Take its weight off; after 0.2 s it is gone.
    pub fn lift(&mut self) {
        if self.phase == Phase::Rolls {
            self.phase = Phase::Lifts;
        }
    }

    /// Whether anything is on the body.
    pub fn is_active(&self) -> bool {
        self.phase != Phase::Gone
    }

    /// Where it is.
    pub fn motion(&self) -> &Motion {
        &self.motion
    }

    /// The settings in use.
    pub fn settings(&self) -> &RollSettings {
        &self.settings
    }

    /// Place of the contact on the body, 0...1. It moves slowly: read it at control rate, and ramp what follows from it.
    pub fn point(&self) -> f64 {
        self.wander.point(self.motion.x_m)
    }

    /// The law of the step under way.
    pub fn spring(&self) -> &Spring {
        &self.spring
    }

    fn turn(&self, turn: f64) -> Option<f64> {
        (self.settings.manner == Manner::Roll).then_some(turn)
    }

    /// Begin a sample. Returns how many steps it asks for on a ground that does not give way: a power of two, at most 64.
    pub fn begin_sample(&mut self) -> u32 {
        self.steps = self.plan();
        self.steps
    }

    /// Steps this sample asks for where the ground is as light as one over `per_mass_per_kg`. The lighter of the two makes the
    /// contact shorter, the resting one with the root of the masses, a hop's by a little less.
    pub fn steps_on(&self, per_mass_per_kg: f64) -> u32 {
        let shorter = (1.0 + self.settings.mass_kg * per_mass_per_kg.max(0.0)).sqrt();
        let wanted = f64::from(self.steps) * (shorter / pace::MARGIN).max(1.0);
        (wanted.min(f64::from(pace::MOST_STEPS)).ceil() as u32).next_power_of_two()
    }

    /// Length of a contact for which the steps of this sample are meant, s.
    pub fn contact_s(&self) -> f64 {
        pace::STEPS * self.dt_s / f64::from(self.steps)
    }

    /// Give up that much of the energy of its upright motion, or as much as there is, J: for a solution that did not settle.
    pub fn pay(&mut self, energy_j: f64) {
        let v = self.motion.z_m_per_s;
        self.motion.z_m_per_s = (v * v - 2.0 * energy_j / self.settings.mass_kg).max(0.0).sqrt().copysign(v);
    }

    fn plan(&mut self) -> u32 {
        let dt_s = self.dt_s;
        self.motion.v_m_per_s = self.v_end_m_per_s;
        self.v_end_m_per_s =
            travel::speed_after(&self.pull, &self.settings, self.motion.v_m_per_s, self.motion.turn, dt_s);
        self.gain_m_per_s2 = (self.v_end_m_per_s - self.motion.v_m_per_s) / dt_s;
        self.reader.set_speed(self.motion.v_m_per_s);
        self.stand(dt_s);
        let m = &self.motion;
        // What the sample will bring as far as one can see: the height at its end, and the energy in the contact, which
        // keeps the speed of the approach in mind while the ball turns round.
        let x_m = m.x_m + m.v_m_per_s * dt_s;
        let turn = m.turn + self.settings.turns_hz(m.v_m_per_s * dt_s);
        let rise_m = self.reader.height_m(x_m, self.turn(turn)) - m.height_m - m.z_m_per_s * dt_s;
        let near_m = m.compression_m + rise_m.max(2.0 * m.closing_m_per_s * dt_s).max(0.0);
        if near_m <= 0.0 {
            return self.pace.in_flight();
        }
        let stored = 2.0 * self.law.potential_j(m.compression_m) / self.settings.mass_kg;
        let closing = m.closing_m_per_s.abs().max((rise_m / dt_s).abs());
        self.pace.in_contact((closing * closing + stored).sqrt())
    }

    /// Set it down, let it stand, lift it off.
    fn stand(&mut self, dt_s: f64) {
        let moves = self.motion.v_m_per_s != 0.0 || self.v_end_m_per_s != 0.0 || self.pull != Pull::Free;
        self.stood_s = if moves { 0.0 } else { self.stood_s + dt_s };
        match self.phase {
            Phase::Gone => {}
            Phase::Rolls => {
                self.load = (self.load + dt_s / SET_DOWN_S).min(1.0);
                if self.stood_s > STAND_S {
                    self.phase = Phase::Lifts;
                }
            }
            Phase::Lifts => {
                self.load -= dt_s / LIFT_S;
                if self.load <= 0.0 {
                    self.load = 0.0;
                    self.phase = Phase::Gone;
                }
            }
        }
    }

    /// What the next step of `h_s` needs to know of the ball's side: the mobility is its own, and the free change has the
    /// ball and the surface in it but not the body.
    pub fn reach(&mut self, h_s: f64) -> Reach {
        let m = &self.motion;
        let way_m = h_s * (m.v_m_per_s + 0.5 * self.gain_m_per_s2 * h_s);
        let x_m = m.x_m + way_m;
        let turned = self.settings.turns_hz(way_m);
        self.reader.pass(h_s);
        let turn = (m.turn + turned).rem_euclid(1.0);
        let height_m = self.reader.height_m(x_m, self.turn(turn));
        let fall_m_per_s2 = self.fall_m_per_s2(m.turn + 0.5 * turned);
        self.spring = self.sloped(m.x_m + 0.5 * way_m);
        self.ahead =
            Ahead { x_m, v_m_per_s: m.v_m_per_s + self.gain_m_per_s2 * h_s, turn, height_m, fall_m_per_s2, h_s };
        Reach {
            x_m: m.compression_m,
            free_m: (height_m - m.height_m) - h_s * (m.z_m_per_s - 0.5 * fall_m_per_s2 * h_s),
            mobility_m_per_n: 0.5 * h_s * h_s / self.settings.mass_kg,
            h_s,
            guess_n: m.force_n,
        }
    }

    /// Acceleration towards the ground without contact, m/s^2.
    fn fall_m_per_s2(&self, turn: f64) -> f64 {
        let s = &self.settings;
        let load = self.load * self.load * (3.0 - 2.0 * self.load);
        let w = self.motion.v_m_per_s / s.radius_m;
        let swing = match s.manner {
            Manner::Roll => s.off_centre * s.radius_m * w * w * (2.0 * PI * turn).cos(),
            Manner::Scrape { .. } => 0.0,
        };
        load * (s.weight_n() / s.mass_kg + swing)
    }

    /// A dragged tip feels friction along the slope it climbs: its upright share `friction F s'` joins the contact force,
    /// on both sides. The hand that drags pays for it.
    fn sloped(&self, x_m: f64) -> Spring {
        let Manner::Scrape { friction } = self.settings.manner else { return self.law };
        let uphill = self.reader.slope(x_m) * self.motion.v_m_per_s.signum();
        let share = 1.0 + (friction * uphill).clamp(-MOST_SHARE, MOST_SHARE);
        let law = crate::contact::HuntCrossley { stiffness: share * self.law.stiffness(), ..self.settings.law };
        law.prepare().with_damper(share * self.law.damper_n_s_per_m())
    }

    /// Carry out the step that [`Roll::reach`] has prepared, under the push that was found.
    pub fn accept(&mut self, push: &Push) {
        let Ahead { h_s, fall_m_per_s2, .. } = self.ahead;
        let m = &mut self.motion;
        let dv = (push.force_n / self.settings.mass_kg - fall_m_per_s2) * h_s;
        let was_off = m.force_n <= 0.0;
        m.z_m += h_s * (m.z_m_per_s + 0.5 * dv);
        m.z_m_per_s += dv;
        m.compression_m += push.change_m;
        m.closing_m_per_s = push.change_m / h_s;
        m.landings += u64::from(was_off && push.force_n > 0.0);
        m.force_n = push.force_n;
        (m.x_m, m.v_m_per_s) = (self.ahead.x_m, self.ahead.v_m_per_s);
        (m.turn, m.height_m) = (self.ahead.turn, self.ahead.height_m);
    }

    /// One sample on a ground of its own. Returns the number of steps it took.
    pub fn advance(&mut self, ground: &mut impl Ground) -> u32 {
        if !self.is_active() {
            return 0;
        }
        let steps = self.begin_sample();
        let h_s = self.dt_s / f64::from(steps);
        for _ in 0..steps {
            let mut reach = self.reach(h_s);
            reach.free_m += ground.free_m(h_s);
            reach.mobility_m_per_n += ground.mobility_m_per_n(h_s);
            let push = passive::solve(&self.spring, &reach);
            self.accept(&push);
            ground.push(push.force_n, h_s);
        }
        steps
    }
}
