//! A free mass that flies, touches a compliant surface, separates and returns.

mod contact_body;

use super::super::ContactReport;
use super::super::law::Spring;
use super::super::settings::{ContactSettings, Dent, SLOWEST_ONSET_M_PER_S, SPEED_LIMIT_M_PER_S};
use super::step_size::{CompressionTime, StepSize};
use super::{CompliantSurface, MotionBounds, sample};

/// Minimum approach speed for which the damping of a wanted restitution is computed, m/s. A slower
/// hop ends within a sample, and its excessive damping would act on the next loud vibration of the
/// body.
const SLOWEST_LATCH_M_PER_S: f64 = 1e-4;

/// A contact this many times longer than its compression time lasts: the weight holds the mass
/// down.
const STAY: f64 = 16.0;

/// A contact that takes less than this share of its momentum from a mass is ignored.
const BRUSH: f64 = 1e-6;

/// It rests once its own speed, and that of its compression, would lift it by less than this share
/// of the compression.
const STILL: f64 = 1e-3;

/// A free mass over a compliant surface.
///
/// **Onset** needs no search: the step in which the gap closes is solved like any other, and its
/// force begins at 0. The damping of a wanted restitution is computed there, from the relative
/// speed. The instants of onset and release are interpolated within their steps; speeds and heights
/// are those at the ends of the steps. **Leaving.** Without gravity, a mass that moves away becomes
/// inactive once the vibrating body cannot reach it: it is farther away than all modes together
/// reach, or faster than all of them together. **Rest** is not a separate state: the mass is still
/// stepped, with fewer and fewer steps, which are passive at any length.
#[derive(Clone, Copy, Debug)]
pub struct FreeMass {
    active: bool,
    settings: ContactSettings,
    step_size: StepSize,
    /// The law of the contact.
    pub(super) spring: Spring,
    /// Compression, m; a gap below 0.
    pub(super) x_m: f64,
    /// Own velocity, m/s, positive into the surface.
    pub(super) v_m_per_s: f64,
    /// Height at launch, m, and its own displacement since, m.
    pub(super) from_m: f64,
    pub(super) way_m: f64,
    /// Speed at which the compression changed in the last step, m/s.
    rate_m_per_s: f64,
    force_n: f64,
    /// Initial guess of the force of the next step, N.
    guess_n: f64,
    /// The contact under way.
    pub(super) contact: Option<CoupledContact>,
    /// Time since the sample under way began, s.
    now_s: f64,
    contacts: u32,
    /// Time to the largest compression, as last predicted, s.
    compression_time_s: f64,
    /// Maximum useful sub-steps per sample.
    max_substeps: u32,
    last: ContactReport,
    /// Share of the force that remains during a lift-off, and its decrease per second.
    hold: f64,
    easing_per_s: f64,
}

impl Default for FreeMass {
    fn default() -> Self {
        let settings = ContactSettings::default();
        Self {
            active: false,
            settings,
            step_size: StepSize::default(),
            spring: settings.law.prepare(),
            x_m: 0.0,
            v_m_per_s: 0.0,
            from_m: 0.0,
            way_m: 0.0,
            rate_m_per_s: 0.0,
            force_n: 0.0,
            guess_n: 0.0,
            contact: None,
            now_s: 0.0,
            contacts: 0,
            compression_time_s: f64::INFINITY,
            max_substeps: 1,
            last: ContactReport::default(),
            hold: 1.0,
            easing_per_s: 0.0,
        }
    }
}

impl FreeMass {
    /// A mass that touches after `delay_s` with `v_in_m_per_s`.
    pub fn striking(settings: &ContactSettings, v_in_m_per_s: f64, delay_s: f64) -> Self {
        let gravity = settings.within_limits().gravity_m_per_s2;
        let delay_s = if delay_s.is_finite() { delay_s.max(0.0) } else { 0.0 };
        let v = v_in_m_per_s - gravity * delay_s;
        Self::thrown(settings, (v + 0.5 * gravity * delay_s) * delay_s, v)
    }

    /// A mass at `height_m` above the surface with a velocity towards it.
    pub fn thrown(settings: &ContactSettings, height_m: f64, towards_m_per_s: f64) -> Self {
        let settings = settings.within_limits();
        let fast = towards_m_per_s.clamp(-SPEED_LIMIT_M_PER_S, SPEED_LIMIT_M_PER_S);
        let spring = settings.at_onset(fast.abs().max(SLOWEST_LATCH_M_PER_S)).spring();
        Self {
            active: height_m.is_finite() && towards_m_per_s.is_finite(),
            step_size: StepSize::new(settings.law.alpha, settings.steps_per_sample),
            settings,
            spring,
            x_m: -height_m.max(0.0),
            from_m: height_m.max(0.0),
            v_m_per_s: fast,
            ..Self::default()
        }
    }

    /// Resets to an inactive mass.
    pub fn reset(&mut self) {
        *self = Self::default();
    }

    /// Sets the settings of future contacts. A contact under way keeps its law and its mass.
    pub fn set_settings(&mut self, settings: &ContactSettings) {
        let settings = settings.within_limits();
        let mass_kg = if self.contact.is_some() { self.settings.mass_kg } else { settings.mass_kg };
        self.settings = ContactSettings { mass_kg, ..settings };
        self.step_size = StepSize::new(settings.law.alpha, settings.steps_per_sample);
        if let Some(coupled_contact) = &mut self.contact {
            coupled_contact.prediction = None;
        }
    }

    /// Sets the gravity.
    pub fn set_gravity(&mut self, gravity_m_per_s2: f64) {
        self.set_settings(&ContactSettings { gravity_m_per_s2, ..self.settings });
    }

    /// Lifts the mass off the surface within `time_s`: its force fades, which only dissipates.
    pub fn lift_off(&mut self, time_s: f64) {
        self.easing_per_s = 1.0 / time_s.max(1e-3);
    }

    /// True during a lift-off.
    pub fn lifts_off(&self) -> bool {
        self.easing_per_s > 0.0
    }

    /// True in contact or in flight.
    pub fn is_active(&self) -> bool {
        self.active
    }

    /// True in contact.
    pub fn is_in_contact(&self) -> bool {
        self.active && self.contact.is_some()
    }

    /// True if it rests on the surface and is inaudible from now on.
    pub fn is_resting(&self) -> bool {
        let speed = self.v_m_per_s.abs().max(self.rate_m_per_s.abs());
        let lift_m = speed * speed / (2.0 * self.settings.gravity_m_per_s2);
        self.is_staying() && lift_m < STILL * self.x_m
    }

    fn is_staying(&self) -> bool {
        self.settings.gravity_m_per_s2 > 0.0
            && self.contact.is_some_and(|coupled_contact| {
                coupled_contact.time_s > STAY * coupled_contact.compression_time_s
            })
    }

    /// True in contact until its force has ended.
    pub fn is_pressing(&self) -> bool {
        self.active && self.contact.is_some_and(|coupled_contact| coupled_contact.left.is_none())
    }

    /// Report of its contact, if the force has ended but the mass is still in its dent.
    pub fn let_go(&self) -> Option<ContactReport> {
        let coupled_contact = self.contact.filter(|_| self.active)?;
        coupled_contact.left.map(|left| self.report(&coupled_contact, left))
    }

    /// Compression, m; a gap below 0.
    pub fn compression_m(&self) -> f64 {
        self.x_m
    }

    /// Its own velocity, m/s, positive into the surface.
    pub fn velocity_m_per_s(&self) -> f64 {
        self.v_m_per_s
    }

    /// Mean force of the last step, N.
    pub fn force_n(&self) -> f64 {
        self.force_n
    }

    /// Number of finished contacts.
    pub fn contacts(&self) -> u32 {
        self.contacts
    }

    /// Report of the last contact: relative speed at onset, own velocity at separation.
    pub fn last_contact(&self) -> &ContactReport {
        &self.last
    }

    /// Kinetic and potential energy, and that of the contact's spring, J.
    pub fn energy_j(&self) -> f64 {
        let ContactSettings { mass_kg, gravity_m_per_s2, .. } = self.settings;
        0.5 * mass_kg * self.v_m_per_s * self.v_m_per_s - mass_kg * gravity_m_per_s2 * self.way_m
            + self.spring.potential_j(self.x_m)
    }

    /// Height above the rest position of the surface, m.
    pub fn height_m(&self, displacement_m: f64) -> f64 {
        -self.x_m - displacement_m
    }

    /// Settings of its contacts.
    pub fn settings(&self) -> &ContactSettings {
        &self.settings
    }

    /// Gravity, m/s^2.
    pub fn gravity_m_per_s2(&self) -> f64 {
        self.settings.gravity_m_per_s2
    }

    pub(super) fn begin_sample(&mut self) {
        self.now_s = 0.0;
    }

    /// True if it moves away and only the body could reach it.
    pub(super) fn may_leave(&self) -> bool {
        let held = self.settings.gravity_m_per_s2 > 0.0 || self.contact.is_some();
        !(held || self.v_m_per_s > 0.0 || self.x_m > 0.0)
    }

    /// Makes the mass inactive if the surface cannot reach it any more.
    pub(super) fn leave_for_good(&mut self, motion_bounds: &MotionBounds) {
        if !self.may_leave() {
            return;
        }
        let out_of_reach = self.height_m(motion_bounds.displacement_m) > motion_bounds.reach_m;
        if out_of_reach || self.v_m_per_s + motion_bounds.speed_m_per_s < 0.0 {
            self.active = false;
            self.force_n = 0.0;
        }
    }

    /// Resets the mass if its motion is not finite.
    pub(super) fn check(&mut self) {
        if !(self.x_m.is_finite() && self.v_m_per_s.is_finite() && self.force_n.is_finite()) {
            *self = Self::default();
        }
    }

    fn begin(&mut self, approach_m_per_s: f64, late_s: f64) {
        let v = approach_m_per_s.clamp(SLOWEST_ONSET_M_PER_S, SPEED_LIMIT_M_PER_S);
        let spring = self.settings.at_onset(v.max(SLOWEST_LATCH_M_PER_S)).spring().eased(self.hold);
        self.spring = spring;
        // Only a mass with weight may stay. A slow one is pressed in by its weight, faster than by
        // its speed.
        let ContactSettings { mass_kg, gravity_m_per_s2, .. } = self.settings;
        let compression_time_s = if gravity_m_per_s2 > 0.0 {
            let by_speed_s = self
                .step_size
                .compression_time(&spring, mass_kg, &|_| 0.0, v, 0.0, f64::INFINITY)
                .time_s;
            by_speed_s.min(spring.sinking_s(mass_kg, gravity_m_per_s2))
        } else {
            f64::INFINITY
        };
        self.contact = Some(CoupledContact {
            v_in_m_per_s: v,
            // Both of the same instant, so that the energy is consistent.
            own_in_m_per_s: self.v_m_per_s,
            height_in_m: self.from_m - self.way_m,
            time_s: 0.0,
            late_s,
            compression_time_s,
            steps: 0,
            prediction: None,
            impulse_ns: 0.0,
            tail: 0,
            left: None,
        });
    }

    fn ease(&mut self, h_s: f64) {
        if self.easing_per_s > 0.0 {
            let left = (self.hold - self.easing_per_s * h_s).max(0.0);
            self.spring = self.spring.eased(if self.hold > 0.0 { left / self.hold } else { 0.0 });
            self.hold = left;
            if left <= 0.0 {
                self.active = false;
                self.force_n = 0.0;
            }
        }
    }

    /// True if the impulse is negligible: other bodies pressed the surface away at onset, or the
    /// contact lasts some nanoseconds, which is inaudible.
    fn is_negligible(&self, coupled_contact: &CoupledContact) -> bool {
        coupled_contact.impulse_ns
            <= BRUSH * self.settings.mass_kg * coupled_contact.own_in_m_per_s.abs()
    }

    /// The current state as a separation, at time 0.
    fn separation(&self) -> Separation {
        Separation {
            time_s: 0.0,
            v_m_per_s: self.v_m_per_s,
            x_m: self.x_m,
            height_m: self.from_m - self.way_m,
        }
    }

    /// Ends a contact that separated as in `left`.
    fn end(&mut self, coupled_contact: &CoupledContact, left: Separation) {
        self.contact = None;
        self.contacts = self.contacts.saturating_add(1);
        self.last = self.report(coupled_contact, left);
        if self.settings.dent == Dent::Stays {
            // The surface stays where the mass left it, and the spring is empty.
            self.x_m = self.x_m.min(0.0);
        }
    }

    fn report(&self, coupled_contact: &CoupledContact, left: Separation) -> ContactReport {
        ContactReport {
            // Before the sample began, if it has been in its dent for longer.
            ended_s: self.now_s - (coupled_contact.time_s - left.time_s),
            mass_kg: self.settings.mass_kg,
            v_in_m_per_s: coupled_contact.v_in_m_per_s,
            own_in_m_per_s: coupled_contact.own_in_m_per_s,
            v_out_m_per_s: left.v_m_per_s,
            duration_s: (left.time_s - coupled_contact.late_s).max(0.0),
            separation_m: left.x_m.max(0.0),
            height_in_m: coupled_contact.height_in_m,
            height_m: left.height_m,
            steps: coupled_contact.steps - coupled_contact.tail,
        }
    }

    /// Target sub-steps of the next sample; `None` if it cannot touch within it. May make it
    /// inactive.
    pub(super) fn plan(
        &mut self,
        surface: &impl CompliantSurface,
        slot: usize,
        dt_s: f64,
    ) -> Option<u32> {
        // In contact the target follows from the current motion, not from its bounds.
        let motion_bounds = if self.is_in_contact() {
            MotionBounds::default()
        } else {
            surface.motion_bounds(slot)
        };
        self.leave_for_good(&motion_bounds);
        if self.is_active() {
            sample::plan(self, &motion_bounds, surface, slot, dt_s)
        } else {
            None
        }
    }
}

/// A contact under way.
#[derive(Clone, Copy, Debug)]
pub(super) struct CoupledContact {
    /// Approach speed at onset, m/s.
    pub v_in_m_per_s: f64,
    /// Own velocity of the mass at onset, m/s.
    pub own_in_m_per_s: f64,
    /// Height at onset, m.
    pub height_in_m: f64,
    /// Total duration of its steps, s.
    pub time_s: f64,
    /// Part of the first step before onset, s.
    pub late_s: f64,
    /// Predicted compression time, s.
    pub compression_time_s: f64,
    /// Number of steps.
    pub steps: u32,
    /// The prediction in use, and the time at which it was made, s.
    pub prediction: Option<(CompressionTime, f64)>,
    /// Impulse so far, N s.
    pub impulse_ns: f64,
    /// Number of steps since its force ended.
    pub tail: u32,
    /// State when the force ended. With a linear damper the mass is then still in its dent, and the
    /// surface may catch up with it, which continues the same contact.
    pub left: Option<Separation>,
}

/// State of a mass when its force ended.
#[derive(Clone, Copy, Debug)]
pub(super) struct Separation {
    /// Time since the first step of the contact began, s.
    pub time_s: f64,
    /// Its own velocity, m/s.
    pub v_m_per_s: f64,
    /// Compression, m.
    pub x_m: f64,
    /// Height, m.
    pub height_m: f64,
}
