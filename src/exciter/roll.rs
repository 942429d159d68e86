//! Rolling and scraping: simulated geometry and contact, no filtered noise.
//!
//! A ball of radius R at speed v follows the ground as filtered by its radius
//! ([`surface`](super::surface)), plus its own roughness, which repeats every turn, plus the motion
//! of the body:
//!
//! ```text
//! eta   = s_R(x) + b(theta) + y - z          compression, m
//! F     = k eta^alpha (1 + mu eta') + c eta', never negative; mu and c by the law
//! m z'' = F - m g - m d w^2 cos(theta)       d: centre of mass off the centre; w = theta' = v/R
//! ```
//!
//! after Rath 2003 (rolling filter, asymmetry), stepped by [`passive`]: the surface's rise is an
//! imposed part of the free change, and the energy grows only by the work it does. Hopping where
//! `d w^2 > g` and rattling where `v^2 |s_R''| > g` are not special cases: they follow from the
//! model.
//!
//! Limits: the ball does not slip, and radiated sound does not slow it down.

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

/// The search for a level starting position: number of positions tried, and their spacing.
const PLACES: usize = 64;
const PLACES_PER_RADIUS: f64 = 16.0;

/// Values derived from the settings and needed in every step.
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

/// A ball, wheel or dragged tip on one body.
///
/// Per sample: [`Roll::begin_sample`], then for each step [`Roll::reach`], [`Roll::meet`], a
/// solution under [`Roll::spring`], and [`Roll::accept`]. [`Roll::advance`] does all that on a
/// single [`RollSurface`]; a solver of several contacts on one body makes the same calls.
#[derive(Clone, Debug)]
pub struct Roll {
    settings: RollSettings,
    rates: Rates,
    landing: Landing,
    hold: Hold,
    /// The law of the current contact.
    law: Spring,
    /// The law of a dragged tip in the current step: friction along the slope stiffens or softens
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
    /// Samples left in the control period, the acceleration along the way in it (m/s^2), and the
    /// speed at its end (m/s).
    until_control: u32,
    gain_m_per_s2: f64,
    v_end_m_per_s: f64,
    /// Share of the weight that is applied, 0...1.
    load: f64,
    stood_s: f64,
    dt_s: f64,
    /// Initial guess for the force of the next step, N.
    guess_n: f64,
    /// Cached steps per sample of each contact class on this body. Cleared with every update of the
    /// settings, at the control rate, because the contact point moves.
    steps: [Option<u32>; step_size::CLASSES],
    /// Acceleration towards the ground without contact in this sample, its change per sample, and
    /// its value at the end of the control period, m/s^2.
    fall_m_per_s2: f64,
    fall_step_m_per_s2: f64,
    fall_end_m_per_s2: f64,
    /// New damping is pending: it takes effect when the compression rate changes sign or the
    /// contact ends.
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

    /// Changes the settings; to be called at the control rate.
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

    /// Changes the drive: a speed to follow, or none, so that it rolls out.
    pub fn set_pull(&mut self, pull: Pull) {
        self.pull = pull.within_limits();
    }

    /// Changes the path over the body.
    pub fn set_wander(&mut self, wander: Wander) {
        self.wander = wander;
    }

    /// Crossfades to another surface within 50 ms.
    ///
    /// Frees nothing as long as the owner keeps a clone of every table in use
    /// ([`SwapSlot`](super::surface::SwapSlot)).
    pub fn set_table(&mut self, table: &Arc<SurfaceTable>) {
        self.reader.set_table(Arc::clone(table));
    }

    /// Drops the tables of a stopped roll, so that their owner can free them.
    pub fn release_table(&mut self) {
        self.reader.reset();
    }

    /// Starts a roll with this speed along the way.
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
        // Starts with the slope's vertical speed, so that it is put down and not dropped.
        self.motion.z_m_per_s = v_m_per_s * self.reader.slope(0.0);
        (self.motion.height_m, self.motion.z_m) = (height_m, height_m);
        self.last_height_m = height_m;
        self.v_end_m_per_s = v_m_per_s;
        self.travel = Travel::default();
        (self.load, self.stood_s) = (0.0, 0.0);
        (self.until_control, self.fall_end_m_per_s2) = (0, 0.0);
        self.hop = RollHop::default();
        // The last force of a previous roll is no guess for this one.
        self.guess_n = 0.0;
        self.phase = RollPhase::Rolls;
    }

    /// The most level of the first positions on the way, m.
    ///
    /// At 3 m/s, a start on the flank of a tile would throw the ball into the air, and it would be
    /// heard a quarter of a second late.
    fn level_place_m(&self) -> f64 {
        let place_m = |n: usize| n as f64 * self.settings.radius_m / PLACES_PER_RADIUS;
        let steepness = |n: &usize| self.reader.slope(place_m(*n)).abs();
        let level = (0..PLACES).min_by(|a, b| steepness(a).total_cmp(&steepness(b)));
        level.map_or(0.0, place_m)
    }

    /// Starts to lift it off the body; takes 0.2 s.
    pub fn lift(&mut self) {
        if self.phase == RollPhase::Rolls {
            self.phase = RollPhase::Lifts;
        }
    }

    /// True while it is on the body.
    pub fn is_active(&self) -> bool {
        self.phase != RollPhase::Gone
    }

    /// Position, speed and force.
    pub fn motion(&self) -> &RollMotion {
        &self.motion
    }

    /// The settings in use.
    pub fn settings(&self) -> &RollSettings {
        &self.settings
    }

    /// Speed of the contact point over the body, in body lengths per second.
    pub fn lengths_per_s(&self) -> f64 {
        self.wander.lengths(self.motion.v_m_per_s)
    }

    /// Position of the contact on the body, 0...1.
    ///
    /// It moves slowly: read it at the control rate and ramp the derived values.
    pub fn point(&self) -> f64 {
        self.wander.point(self.motion.x_m)
    }

    /// The law of the current step.
    pub fn spring(&self) -> &Spring {
        match self.settings.manner {
            Manner::Roll => &self.law,
            Manner::Scrape { .. } => &self.spring,
        }
    }

    fn turn(&self, turn: f64) -> Option<f64> {
        (self.settings.manner == Manner::Roll).then_some(turn)
    }

    /// Processes one sample on the given surface. Returns the number of steps.
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

/// Position, speed and force of a roll.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RollMotion {
    /// Distance travelled, m.
    pub x_m: f64,
    /// Speed along the way, m/s.
    pub v_m_per_s: f64,
    /// Angle, in turns, 0...1.
    pub turn: f64,
    /// Height of ground and ball's own roughness at the contact, m.
    pub height_m: f64,
    /// Height of the ball, m; equal to the ground's height at touch.
    pub z_m: f64,
    /// Vertical velocity, m/s, upwards.
    pub z_m_per_s: f64,
    /// Compression, m; negative for a gap.
    pub compression_m: f64,
    /// Rate of change of the compression, m/s.
    pub closing_m_per_s: f64,
    /// Force of the last step, N.
    pub force_n: f64,
    /// Number of landings.
    pub landings: u64,
}

/// State along the way at the end of the current step.
#[derive(Clone, Copy, Debug, Default)]
struct Ahead {
    x_m: f64,
    v_m_per_s: f64,
    turn: f64,
    height_m: f64,
    h_s: f64,
}

/// Position at the end of a step.
#[derive(Clone, Copy, Debug, Default)]
struct End {
    x_m: f64,
    turn: f64,
    height_m: f64,
}

/// Time over which the weight is applied, s. A sudden weight would be an audible strike.
const SET_DOWN_S: f64 = 0.05;
/// Time over which the weight is removed, s.
const LIFT_S: f64 = 0.2;
/// Time at rest before the weight is removed, s; the removal is inaudible.
const STAND_S: f64 = 0.3;

/// Phase of the weight.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum RollPhase {
    #[default]
    Gone,
    Rolls,
    Lifts,
}

impl Roll {
    /// Advances the phase: applies the weight, waits at rest, removes the weight.
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

/// The surface under a single contact.
///
/// Over a step of h under a constant force F, the surface moves by `free - mobility F` towards the
/// ball.
pub trait RollSurface {
    /// Displacement towards the ball in the next `h_s` without force, m.
    fn free_m(&mut self, h_s: f64) -> f64;
    /// Reduction of that displacement per newton, m/N.
    fn mobility_m_per_n(&mut self, h_s: f64) -> f64;
    /// Advances by `h_s` under a force of `force_n`.
    fn push(&mut self, force_n: f64, h_s: f64);
}

/// An immovable surface.
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

    /// Records a step for the contact reports.
    #[inline]
    fn report_event(&mut self, push: &Push) {
        let to_m = self.motion.compression_m;
        let gone = self.phase == RollPhase::Gone;
        self.contacts.step(self.ahead.h_s, (to_m - push.change_m, to_m), push.force_n, gone);
    }
}
