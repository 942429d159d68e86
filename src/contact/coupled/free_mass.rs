//! A free mass that flies, touches, comes off and returns, over a surface that moves.

mod contact;
mod contact_body;
mod snapshot;

use super::super::law::Spring;
use super::super::report::ContactReport;
use super::super::settings::{ContactSettings, Dent, SLOWEST_ONSET_M_PER_S, SPEED_LIMIT_M_PER_S};
use super::MotionBounds;
use super::step_size::StepSize;
use contact::{CoupledContact, Separation};

/// Slowest approach for which damping is made to give a wanted restitution, m/s. Below, a hop is
/// over within a sample, and a damping beyond all measure would answer the next loud ring of the
/// body.
const SLOWEST_LATCH_M_PER_S: f64 = 1e-4;

/// A contact this many times longer than its way in is a stay: the mass is held down by its weight.
const STAY: f64 = 16.0;

/// A touch that takes less than this share of its speed from a mass is none.
const BRUSH: f64 = 1e-6;

/// It lies still once its own speed, and that of its compression, would lift it by less than this
/// share of the compression.
const STILL: f64 = 1e-3;

/// A free mass against a ground.
///
/// **Onset** needs no search: the step in which the gap closes is solved like any other, and its
/// force begins at 0. Damping that follows a wanted restitution is settled there, from the relative
/// speed. Where in that step the gap closed, and where in the last one it opened, is told to a
/// small part of the step; speeds and heights are those of the step's ends. **Leaving.** Without
/// gravity, a mass that moves away is gone once the ring of the body can no longer get to it:
/// because it is farther off than all modes together reach, or faster than all of them together
/// are. **Rest** is not a state of its own: the mass goes on being stepped, passively at any length
/// of step, with ever fewer steps as it calms down.
#[derive(Clone, Copy, Debug)]
pub struct FreeMass {
    active: bool,
    settings: ContactSettings,
    step_size: StepSize,
    /// The law of the contact.
    spring: Spring,
    /// Compression, m; a gap below 0.
    x_m: f64,
    /// Own velocity, m/s, positive into the surface.
    v_m_per_s: f64,
    /// How high it was let go, m, and its own way since, m.
    from_m: f64,
    way_m: f64,
    /// Speed at which the compression changed in the last step, m/s.
    rate_m_per_s: f64,
    force_n: f64,
    /// What the force of the next step is expected to be, N: where its search begins.
    guess_n: f64,
    /// The contact under way.
    contact: Option<CoupledContact>,
    v_in_m_per_s: f64,
    own_in_m_per_s: f64,
    height_in_m: f64,
    /// Time since the sample under way began, s.
    now_s: f64,
    contacts: u32,
    /// Time to the largest compression, as last predicted, s.
    compression_time_s: f64,
    /// Most sub-steps per sample that it has use for.
    max_substeps: u32,
    last: ContactReport,
    /// Share of the force that is left while it is taken away, and its change per second.
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
            v_in_m_per_s: 0.0,
            own_in_m_per_s: 0.0,
            height_in_m: 0.0,
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
    /// On its way, to touch after `delay_s` with `v_in_m_per_s`.
    pub fn striking(settings: &ContactSettings, v_in_m_per_s: f64, delay_s: f64) -> Self {
        let gravity = settings.within_limits().gravity_m_per_s2;
        let delay_s = if delay_s.is_finite() { delay_s.max(0.0) } else { 0.0 };
        let v = v_in_m_per_s - gravity * delay_s;
        Self::thrown(settings, (v + 0.5 * gravity * delay_s) * delay_s, v)
    }

    /// At `height_m` over the surface with a velocity towards it.
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

    /// Be gone.
    pub fn reset(&mut self) {
        *self = Self::default();
    }

    /// New settings for the contacts to come. One under way keeps its law and its mass.
    pub fn set_settings(&mut self, settings: &ContactSettings) {
        let settings = settings.within_limits();
        let mass_kg = if self.contact.is_some() { self.settings.mass_kg } else { settings.mass_kg };
        self.settings = ContactSettings { mass_kg, ..settings };
        self.step_size = StepSize::new(settings.law.alpha, settings.steps_per_sample);
        if let Some(coupled_contact) = &mut self.contact {
            coupled_contact.settled = None;
        }
    }

    /// Another weight from now on.
    pub fn set_gravity(&mut self, gravity_m_per_s2: f64) {
        self.set_settings(&ContactSettings { gravity_m_per_s2, ..self.settings });
    }

    /// Take it off the surface within `time_s`, whatever it is doing: its force fades, which can
    /// only take energy.
    pub fn lift_off(&mut self, time_s: f64) {
        self.easing_per_s = 1.0 / time_s.max(1e-3);
    }

    /// It is being taken away.
    pub fn lifts_off(&self) -> bool {
        self.easing_per_s > 0.0
    }

    /// On the body or on its way.
    pub fn is_active(&self) -> bool {
        self.active
    }

    /// Touching.
    pub fn is_in_contact(&self) -> bool {
        self.active && self.contact.is_some()
    }

    /// Lying on the surface, so quietly that nothing more is to be heard of it.
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

    /// Something pushes it.
    pub fn is_pressing(&self) -> bool {
        self.active && self.contact.is_some_and(|coupled_contact| coupled_contact.left.is_none())
    }

    /// What its contact was like, where nothing pushes it any more but it is not yet out of its
    /// dent.
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

    /// Contacts that are over.
    pub fn contacts(&self) -> u32 {
        self.contacts
    }

    /// What the last one was like: the relative speed at onset, the mass's own velocity at
    /// separation.
    pub fn last_contact(&self) -> &ContactReport {
        &self.last
    }

    /// Kinetic energy, that of height, and that of the contact's spring, J.
    pub fn energy_j(&self) -> f64 {
        let ContactSettings { mass_kg, gravity_m_per_s2, .. } = self.settings;
        0.5 * mass_kg * self.v_m_per_s * self.v_m_per_s - mass_kg * gravity_m_per_s2 * self.way_m
            + self.spring.potential_j(self.x_m)
    }

    /// Height over where the surface rests, m.
    pub fn height_m(&self, displacement_m: f64) -> f64 {
        -self.x_m - displacement_m
    }

    /// What its contacts are told.
    pub fn settings(&self) -> &ContactSettings {
        &self.settings
    }

    /// What pulls it down, m/s^2.
    pub fn gravity_m_per_s2(&self) -> f64 {
        self.settings.gravity_m_per_s2
    }

    pub(super) fn begin_sample(&mut self) {
        self.now_s = 0.0;
    }

    /// It is on its way out, and nothing brings it back but the body.
    pub(super) fn may_leave(&self) -> bool {
        let held = self.settings.gravity_m_per_s2 > 0.0 || self.contact.is_some();
        !(held || self.v_m_per_s > 0.0 || self.x_m > 0.0)
    }

    /// The rule of leaving.
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

    /// What is no number is gone.
    pub(super) fn check(&mut self) {
        if !(self.x_m.is_finite() && self.v_m_per_s.is_finite() && self.force_n.is_finite()) {
            *self = Self::default();
        }
    }

    fn begin(&mut self, approach_m_per_s: f64, late_s: f64) {
        let v = approach_m_per_s.clamp(SLOWEST_ONSET_M_PER_S, SPEED_LIMIT_M_PER_S);
        let spring = self.settings.at_onset(v.max(SLOWEST_LATCH_M_PER_S)).spring().eased(self.hold);
        self.spring = spring;
        self.v_in_m_per_s = v;
        // Of the same instant, or no energy could be made of them.
        (self.own_in_m_per_s, self.height_in_m) = (self.v_m_per_s, self.from_m - self.way_m);
        // Only what has weight may stay. What comes down gently is pressed in by it, sooner than
        // its speed would tell.
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
            time_s: 0.0,
            late_s,
            compression_time_s,
            steps: 0,
            settled: None,
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

    /// Others have pressed the surface out of its way when it was about to touch; or it only
    /// brushed it, for some billionths of a second, which has no steps of its own and cannot be
    /// heard.
    fn has_hardly_felt(&self, coupled_contact: &CoupledContact) -> bool {
        coupled_contact.impulse_ns <= BRUSH * self.settings.mass_kg * self.own_in_m_per_s.abs()
    }

    /// As it is now, at the beginning of a contact's time.
    fn leaving(&self) -> Separation {
        Separation {
            time_s: 0.0,
            v_m_per_s: self.v_m_per_s,
            x_m: self.x_m,
            height_m: self.from_m - self.way_m,
        }
    }

    /// A contact is over, and was so when nothing pushed any more.
    fn end(&mut self, coupled_contact: &CoupledContact, left: Separation) {
        self.contact = None;
        self.contacts = self.contacts.saturating_add(1);
        self.last = self.report(coupled_contact, left);
        if self.settings.dent == Dent::Stays {
            // The surface is from now on where the mass left it, and its spring is empty.
            self.x_m = self.x_m.min(0.0);
        }
    }

    fn report(&self, coupled_contact: &CoupledContact, left: Separation) -> ContactReport {
        ContactReport {
            // Before the sample began, if it was in its dent for longer than that.
            ended_s: self.now_s - (coupled_contact.time_s - left.time_s),
            mass_kg: self.settings.mass_kg,
            v_in_m_per_s: self.v_in_m_per_s,
            own_in_m_per_s: self.own_in_m_per_s,
            v_out_m_per_s: left.v_m_per_s,
            duration_s: (left.time_s - coupled_contact.late_s).max(0.0),
            separation_m: left.x_m.max(0.0),
            height_in_m: self.height_in_m,
            height_m: left.height_m,
            steps: coupled_contact.steps - coupled_contact.tail,
        }
    }
}
