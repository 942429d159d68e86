//! Something rolls or is dragged over a surface: geometry and contact, no filtered noise.
//!
//! A ball of radius R at speed v follows what its radius lets it feel of the ground
//! ([`surface`](super::surface)), plus its own roughness, which comes back every turn, plus
//! whatever the body does:
//!
//! ```text
//! eta   = s_R(x) + b(theta) + y - z          compression, m
//! F     = k eta^alpha (1 + mu eta') + c eta', never negative; mu and c by the law
//! m z'' = F - m g - m d w^2 cos(theta)       d: centre of mass off the centre; w = theta' = v/R
//! ```
//!
//! after Rath 2003 (rolling filter, asymmetry), stepped by [`passive`]: the surface's rise is an
//! imposed part of the free change, and the energy grows by its work and by nothing else. That a
//! ball hops where `d w^2 > g`, and rattles where `v^2 |s_R''| > g`, is no rule here; it comes out.
//!
//! Limits: the ball does not slip, and does not slow down by what it radiates.

pub mod contacts;
mod landing;
pub mod note;
pub mod reader;
pub mod settings;
mod step;
pub mod step_size;
pub mod travel;

use std::sync::Arc;

use contacts::RollContacts;
use landing::{Hold, Landing};
use reader::Reader;
use step_size::RollHop;

pub use contacts::RollContact;
pub use settings::{Manner, RollSettings};
pub use step_size::RollStepSize;
pub use travel::{AtTheEnd, Pull, Travel, Wander};

use crate::contact::integrator::passive::{self, Push};
use crate::contact::law::Spring;
use crate::exciter::surface::SurfaceTable;

/// How many places are looked at for a level one to put it down, and how close they lie.
const PLACES: usize = 64;
const PLACES_PER_RADIUS: f64 = 16.0;

/// What follows from the settings and is asked for at every step.
#[derive(Clone, Copy, Debug)]
struct Rates {
    per_mass_per_kg: f64,
    turns_per_m: f64,
    /// Acceleration by weight and press, m/s^2.
    weight_m_per_s2: f64,
}

impl Rates {
    fn new(settings: &RollSettings) -> Self {
        Self {
            per_mass_per_kg: 1.0 / settings.mass_kg,
            turns_per_m: settings.turns_hz(1.0),
            weight_m_per_s2: settings.weight_n() / settings.mass_kg,
        }
    }
}

/// One ball, wheel or dragged tip on one body.
///
/// Per sample: [`Roll::begin_sample`], then for each step [`Roll::reach`], [`Roll::meet`], a
/// solution under [`Roll::spring`], and [`Roll::accept`]; [`Roll::advance`] does all that on a
/// [`RollSurface`] of its own. Whoever solves several contacts on one body together does the same.
#[derive(Clone, Debug)]
pub struct Roll {
    settings: RollSettings,
    rates: Rates,
    landing: Landing,
    hold: Hold,
    /// The law of the contact under way.
    law: Spring,
    /// The law of a dragged tip in the step under way: friction along the slope stiffens or softens
    /// it.
    spring: Spring,
    step_size: RollStepSize,
    hop: RollHop,
    pull: Pull,
    travel: Travel,
    wander: Wander,
    reader: Reader,
    phase: RollPhase,
    motion: RollMotion,
    ahead: Ahead,
    /// Height of the ground one sample ago, m.
    last_height_m: f64,
    /// Samples left of the control period; change of speed over it, m/s^2, and the speed at its
    /// end.
    until_control: u32,
    gain_m_per_s2: f64,
    v_end_m_per_s: f64,
    /// How much of the weight is on, 0...1.
    load: f64,
    stood_s: f64,
    dt_s: f64,
    /// What the force of the next step is expected to be, N.
    guess_n: f64,
    /// Steps per sample of a contact of each class on this body, as far as they were asked for
    /// since the last change of settings: they come at the control rate, and with them the point
    /// has moved.
    steps: [Option<u32>; step_size::CLASSES],
    /// Acceleration towards the ground without contact in this sample, m/s^2; by how much it
    /// changes from one to the next, and what it is at the end of the control period.
    fall_m_per_s2: f64,
    fall_step_m_per_s2: f64,
    fall_end_m_per_s2: f64,
    /// Its damping is another from when its compression stands still, or it has come off.
    waits: bool,
    contacts: RollContacts,
}

impl Default for Roll {
    fn default() -> Self {
        Self::new()
    }
}

impl Roll {
    /// A roll at rest.
    pub fn new() -> Self {
        let settings = RollSettings::default();
        let dt_s = 1.0 / 48_000.0;
        let landing = Landing::new(&settings);
        let law = landing.spring(&Hold::Off, 0.0);
        Self {
            settings,
            rates: Rates::new(&settings),
            landing,
            hold: Hold::Off,
            law,
            spring: law,
            step_size: RollStepSize::new(&settings, dt_s),
            hop: RollHop::default(),
            pull: Pull::Free,
            travel: Travel::default(),
            wander: Wander::default(),
            reader: Reader::default(),
            phase: RollPhase::Gone,
            motion: RollMotion::default(),
            ahead: Ahead::default(),
            last_height_m: 0.0,
            until_control: 0,
            gain_m_per_s2: 0.0,
            v_end_m_per_s: 0.0,
            load: 0.0,
            stood_s: 0.0,
            dt_s,
            guess_n: 0.0,
            steps: [None; step_size::CLASSES],
            fall_m_per_s2: 0.0,
            fall_step_m_per_s2: 0.0,
            fall_end_m_per_s2: 0.0,
            waits: false,
            contacts: RollContacts::default(),
        }
    }

    /// Sets the sample rate and resets.
    pub fn prepare(&mut self, sample_rate_hz: f64) {
        self.dt_s = 1.0 / sample_rate_hz;
        self.step_size = RollStepSize::new(&self.settings, self.dt_s);
        self.reset();
    }

    /// Stops at once.
    pub fn reset(&mut self) {
        self.phase = RollPhase::Gone;
        self.motion = RollMotion::default();
        self.hold = Hold::Off;
        self.waits = false;
        self.contacts.reset();
        self.reader.reset();
    }

    /// Change what rolls; for the control rate.
    pub fn set_settings(&mut self, settings: &RollSettings) {
        let settings = settings.within_limits();
        self.steps = [None; step_size::CLASSES];
        if settings != self.settings {
            self.settings = settings;
            self.rates = Rates::new(&settings);
            self.set_landing(Landing::new(&settings));
            self.step_size = RollStepSize::new(&settings, self.dt_s);
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

    /// Pass over to another surface within 50 ms. Frees nothing as long as the giver keeps a clone
    /// of every table in use ([`SwapSlot`](super::surface::SwapSlot)).
    pub fn set_table(&mut self, table: &Arc<SurfaceTable>) {
        self.reader.set_table(Arc::clone(table));
    }

    /// Drops the tables of what has stopped rolling, so that their giver can free them.
    pub fn release_table(&mut self) {
        self.reader.reset();
    }

    /// Put it down on the body with this speed along the way.
    pub fn begin(
        &mut self,
        settings: &RollSettings,
        table: &Arc<SurfaceTable>,
        speed_m_per_s: f64,
        pull: Pull,
    ) {
        self.motion = RollMotion::default();
        self.set_settings(settings);
        self.set_pull(pull);
        self.reader.begin(Arc::clone(table));
        let fastest = travel::FASTEST_M_PER_S;
        let v_m_per_s =
            if speed_m_per_s.is_nan() { 0.0 } else { speed_m_per_s.clamp(-fastest, fastest) };
        self.reader.set_speed(v_m_per_s);
        self.motion = RollMotion { v_m_per_s, ..RollMotion::default() };
        self.let_go();
        self.contacts.reset();
        self.reader.set_start(self.level_place_m());
        let height_m = self.reader.height_m(0.0, self.turn(0.0), 0.0);
        // It goes with the ground, so that it is put down and not dropped.
        self.motion.z_m_per_s = v_m_per_s * self.reader.slope(0.0);
        (self.motion.height_m, self.motion.z_m) = (height_m, height_m);
        self.last_height_m = height_m;
        self.v_end_m_per_s = v_m_per_s;
        self.travel = Travel::default();
        (self.load, self.stood_s) = (0.0, 0.0);
        (self.until_control, self.fall_end_m_per_s2) = (0, 0.0);
        self.hop = RollHop::default();
        // Nor is what pressed last a guess for what begins.
        self.guess_n = 0.0;
        self.phase = RollPhase::Rolls;
    }

    /// The most level of the first places on the way, m: put down on the flank of a tile at 3 m/s
    /// it would be thrown into the air, and heard a quarter of a second late.
    fn level_place_m(&self) -> f64 {
        let place_m = |n: usize| n as f64 * self.settings.radius_m / PLACES_PER_RADIUS;
        let steepness = |n: &usize| self.reader.slope(place_m(*n)).abs();
        let level = (0..PLACES).min_by(|a, b| steepness(a).total_cmp(&steepness(b)));
        level.map_or(0.0, place_m)
    }

    /// Lifts it off the body within 0.2 s.
    pub fn lift(&mut self) {
        if self.phase == RollPhase::Rolls {
            self.phase = RollPhase::Lifts;
        }
    }

    /// Whether anything is on the body.
    pub fn is_active(&self) -> bool {
        self.phase != RollPhase::Gone
    }

    /// Where it is.
    pub fn motion(&self) -> &RollMotion {
        &self.motion
    }

    /// The settings in use.
    pub fn settings(&self) -> &RollSettings {
        &self.settings
    }

    /// How fast the contact moves over the body, in lengths of it per second.
    pub fn lengths_per_s(&self) -> f64 {
        self.wander.lengths(self.motion.v_m_per_s)
    }

    /// Place of the contact on the body, 0...1. It moves slowly: read it at control rate, and ramp
    /// what follows from it.
    pub fn point(&self) -> f64 {
        self.wander.point(self.motion.x_m)
    }

    /// The law of the step under way.
    pub fn spring(&self) -> &Spring {
        match self.settings.manner {
            Manner::Roll => &self.law,
            Manner::Scrape { .. } => &self.spring,
        }
    }

    fn turn(&self, turn: f64) -> Option<f64> {
        (self.settings.manner == Manner::Roll).then_some(turn)
    }

    /// One sample on a ground of its own. Returns the number of steps it took.
    pub fn advance(&mut self, ground: &mut impl RollSurface) -> u32 {
        if !self.is_active() {
            return 0;
        }
        let steps = self.begin_sample();
        let h_s = self.dt_s / f64::from(steps);
        for _ in 0..steps {
            let mut reach = self.reach(h_s);
            reach.free_m += ground.free_m(h_s);
            reach.mobility_m_per_n += ground.mobility_m_per_n(h_s);
            self.meet(&reach);
            let push = passive::follow(self.spring(), &reach);
            self.accept(&push);
            ground.push(push.force_n, h_s);
        }
        steps
    }
}

/// Where it is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RollMotion {
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

/// Where the step under way will end.
#[derive(Clone, Copy, Debug, Default)]
struct Ahead {
    x_m: f64,
    v_m_per_s: f64,
    turn: f64,
    height_m: f64,
    h_s: f64,
}

/// Where a step will end.
#[derive(Clone, Copy, Debug, Default)]
struct End {
    x_m: f64,
    turn: f64,
    height_m: f64,
}

/// The weight comes on in this time, s. A weight that came at once would be a blow.
const SET_DOWN_S: f64 = 0.05;
/// It is taken off in this time, s.
const LIFT_S: f64 = 0.2;
/// Whatever has stopped lies still for this time, s, before its weight is taken off, unheard.
const STAND_S: f64 = 0.3;

/// What becomes of its weight.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum RollPhase {
    #[default]
    Gone,
    Rolls,
    Lifts,
}

impl Roll {
    /// Set it down, let it stand, lift it off.
    fn stand(&mut self, dt_s: f64) {
        let moves =
            self.motion.v_m_per_s != 0.0 || self.v_end_m_per_s != 0.0 || self.pull != Pull::Free;
        self.stood_s = if moves { 0.0 } else { self.stood_s + dt_s };
        match self.phase {
            RollPhase::Gone => {}
            RollPhase::Rolls => {
                self.load = (self.load + dt_s / SET_DOWN_S).min(1.0);
                if self.stood_s > STAND_S {
                    self.phase = RollPhase::Lifts;
                }
            }
            RollPhase::Lifts => {
                self.load -= dt_s / LIFT_S;
                if self.load <= 0.0 {
                    self.load = 0.0;
                    self.phase = RollPhase::Gone;
                }
            }
        }
    }
}

/// What something rolls on, seen by the one contact.
///
/// Over a step of h under a constant force the place below the ball moves by `free + mobility F`,
/// towards the ball and away from it.
pub trait RollSurface {
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

impl RollSurface for Rigid {
    fn free_m(&mut self, _: f64) -> f64 {
        0.0
    }
    fn mobility_m_per_n(&mut self, _: f64) -> f64 {
        0.0
    }
    fn push(&mut self, _: f64, _: f64) {}
}

impl Roll {
    /// The contacts that ended in the last sample.
    pub fn passed(&self) -> &[RollContact] {
        &self.contacts.passed
    }

    /// What a step came to, for whoever listens.
    #[inline]
    fn report_event(&mut self, push: &Push) {
        let to_m = self.motion.compression_m;
        let gone = self.phase == RollPhase::Gone;
        self.contacts.step(self.ahead.h_s, (to_m - push.change_m, to_m), push.force_n, gone);
    }
}
