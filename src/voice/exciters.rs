//! The exciters of a voice: everything that can move its body.
//!
//! [`Exciters`] is the only place that lists them. To add one, write a file with a type that
//! implements [`Exciter`], and add it to the struct, to `all` and to `split`.

use std::sync::Arc;

use super::ball_chain::BallChain;
use super::body::{Object, VoiceBody};
use super::coupled_contacts::CoupledContacts;
use super::events::{ContactEventKind, EventWriter};
use super::external_force::ExternalForce;
use super::rigid_contacts::RigidContacts;
use super::tumbling::{FallenBlows, TumblingBodies};
use crate::body::{Bank, Modes, PerMode, Point, Row, Steps};
use crate::contact::coupled::StepBudget;
use crate::exciter::roll::note::Played;
use crate::exciter::surface::SurfaceTable;
use crate::exciter::{Blow, Throw};
use crate::params::{Param, Patch};
use crate::snapshot::VoiceSnapshot;

/// A striker that has to lift off before its contact is over does so in this time, s. A force that
/// stopped at once would be heard as a knock.
pub const LIFT_OFF_S: f64 = 0.02;
/// The weight of a ball that has come to rest fades in this time, s. Nothing else sounds then that
/// could mask it.
pub const FADE_AWAY_S: f64 = 0.25;

/// What exciters need to know of the body.
#[derive(Clone, Copy, Debug)]
pub struct ContactContext<'a> {
    /// The modes of the body.
    pub modes: &'a Modes,
    /// The patch of this moment, for contacts to come.
    pub patch: &'a Patch,
    /// Mass of the body, kg.
    pub weight_kg: f64,
    /// Interval between samples, s.
    pub dt_s: f64,
}

impl ContactContext<'_> {
    /// How a force at a point of the body drives its modes.
    pub fn gains(&self, point: Point) -> PerMode {
        self.modes.drive_gains(point, self.weight_kg)
    }

    /// The same for a blow, which may drive two bodies.
    pub fn gains_of(&self, blow: &Blow) -> PerMode {
        self.modes.drive_gains_between(blow.point, blow.other, self.weight_kg)
    }
}

/// What exciters read and write at a control tick.
pub struct ControlTick<'a> {
    pub contact: ContactContext<'a>,
    /// What the player does to the note.
    pub played: &'a Played,
    /// The surface that is rolled over, if any.
    pub table: Option<&'a Arc<SurfaceTable>>,
    pub budget: &'a mut StepBudget,
}

/// A body that rings by itself.
pub struct FreeBody<'a> {
    pub object: &'a mut Object,
    pub bank: &'a mut Bank,
    /// Samples until the body may change.
    pub until_tick: usize,
}

/// What exciters read and write in one sample.
pub struct Sample<'a, 'b> {
    pub object: &'a mut Object,
    pub bank: &'a mut Bank,
    pub patch: &'a Patch,
    /// Step coefficients of the modes, shared by exciters that do not feel the body.
    pub steps: &'a mut Steps,
    pub budget: &'a mut StepBudget,
    /// The external force, N.
    pub force_n: f64,
    /// Impulse of all contacts of this sample, N s.
    pub impulse_ns: f64,
    pub events: &'a mut EventWriter<'b>,
}

/// Something that moves the body of a voice.
///
/// Calls come in this order: [`tick`](Self::tick) at control rate; then, until the next tick,
/// either [`clear_samples`](Self::clear_samples) and [`skip`](Self::skip), or
/// [`advance`](Self::advance) for one sample. None of them allocates.
pub trait Exciter {
    /// Sets the sample rate, Hz.
    fn prepare(&mut self, _sample_rate_hz: f64) {}

    /// Removes everything that acts on the body.
    fn reset(&mut self);

    /// Clears all memory, NaN included.
    fn rebuild(&mut self);

    /// Memory with one value per mode, for fault injection.
    fn rows_in_memory(&mut self) -> Vec<&mut Row> {
        Vec::new()
    }

    /// Whether it acts on the body or may do so later without a new note.
    fn is_active(&self) -> bool;

    /// Whether it is on the body or on its way to it.
    fn is_touching(&self, _dt_s: f64) -> bool {
        self.is_active()
    }

    /// Whether a contact is to come or under way.
    fn may_strike(&self) -> bool {
        self.is_active()
    }

    /// Whether it has yet to strike for the first time, so that its loudness is unknown.
    fn is_pending(&self) -> bool {
        self.may_strike()
    }

    /// Whether it spends from the budget of rigid contacts and body changes within `samples`.
    fn needs_step_budget(&self, _samples: usize, _dt_s: f64) -> bool {
        false
    }

    /// Whether it spends from the budget of coupled contacts and ball chains within `samples`.
    fn needs_contact_budget(&self, _samples: usize, _dt_s: f64) -> bool {
        false
    }

    /// Sets the work of coupled contacts and ball chains for `samples`.
    fn set_contact_budget(&mut self, _work: u32, _samples: usize) {}

    /// Work of coupled contacts and ball chains since the last call.
    fn take_contact_work(&mut self) -> u32 {
        0
    }

    /// The key is released and the patch stops balls: those in the air at once, those on the body
    /// without a knock.
    fn catch(&mut self) {}

    /// The preset has changed: whatever moves belongs to the old sound.
    fn preset_change(&mut self) {
        self.reset();
    }

    /// The modes, the mass or the strike point of the body have changed.
    fn set_body(&mut self, _object: &Object) {}

    /// Control rate.
    fn tick(&mut self, _tick: &mut ControlTick) {}

    /// Number of samples, up to `max`, in which it does not act on the body.
    fn clear_samples(&mut self, max: usize, _body: &mut FreeBody) -> usize {
        max
    }

    /// The body has rung by itself for so many samples, after [`clear_samples`](Self::clear_samples).
    fn skip(&mut self, _samples: usize, _body: &mut FreeBody) {}

    /// One sample in which something may act on the body.
    fn advance(&mut self, sample: &mut Sample);

    /// Enables contact recording for the editor. The sound is the same.
    fn set_recording(&mut self, _is_on: bool) {}

    /// Adds what the editor shows.
    fn write_snapshot(&self, _dt_s: f64, _snapshot: &mut VoiceSnapshot) {}
}

/// All exciters of a voice.
#[derive(Clone, Debug)]
pub struct Exciters {
    pub coupled: CoupledContacts,
    pub tumbling: TumblingBodies,
    pub rigid: RigidContacts,
    pub ball_chain: BallChain,
    pub external_force: ExternalForce,
    /// Step coefficients of the modes, shared by exciters that do not feel the body.
    pub steps: Steps,
    /// Work of rigid contacts and of changes of the body.
    pub budget: StepBudget,
}

impl Exciters {
    /// Nothing acts on the body. Room for `capacity` modes; allocates.
    pub fn new(capacity: usize) -> Self {
        Self {
            coupled: CoupledContacts::new(capacity),
            tumbling: TumblingBodies::default(),
            rigid: RigidContacts::new(capacity),
            ball_chain: BallChain::new(capacity),
            external_force: ExternalForce::new(capacity),
            steps: Steps::new(capacity),
            budget: StepBudget::default(),
        }
    }

    /// In the order in which they act within a sample. It decides the order of summation, and so
    /// the last bit. The ball chain comes after those that limit how far it may fly.
    pub fn all(&self) -> [&dyn Exciter; 5] {
        [&self.coupled, &self.tumbling, &self.rigid, &self.ball_chain, &self.external_force]
    }

    /// All of them, and what they share.
    fn split(&mut self) -> ([&mut dyn Exciter; 5], &mut Steps, &mut StepBudget) {
        let Self { coupled, tumbling, rigid, ball_chain, external_force, steps, budget } = self;
        ([coupled, tumbling, rigid, ball_chain, external_force], steps, budget)
    }

    /// Whether a property holds for any of them.
    pub fn any(&self, has_property: impl Fn(&dyn Exciter) -> bool) -> bool {
        self.all().into_iter().any(has_property)
    }

    /// Calls a function for each of them.
    pub fn for_each(&mut self, function: impl FnMut(&mut dyn Exciter)) {
        self.split().0.into_iter().for_each(function);
    }

    /// Removes everything that acts on the body.
    pub fn reset(&mut self) {
        self.for_each(|exciter| exciter.reset());
        self.budget = StepBudget::default();
    }

    /// Clears all memory, NaN included.
    pub fn rebuild(&mut self) {
        self.for_each(|exciter| exciter.rebuild());
        self.steps.forget();
        self.budget = StepBudget::default();
    }

    /// Whether this one is active and no other is.
    fn is_only(&self, exciter: &dyn Exciter) -> bool {
        exciter.is_active() && self.all().iter().filter(|other| other.is_active()).count() == 1
    }

    /// Whether something rolls over the body and nothing else acts on it.
    pub fn is_only_rolling(&self) -> bool {
        self.coupled.is_only_rolling() && self.is_only(&self.coupled)
    }

    /// Whether rigid contacts are the only exciter.
    pub fn is_only_rigid(&self) -> bool {
        self.is_only(&self.rigid)
    }

    /// Control rate.
    pub fn tick(
        &mut self,
        contact: ContactContext,
        played: &Played,
        table: Option<&Arc<SurfaceTable>>,
    ) {
        let (exciters, _, budget) = self.split();
        let mut tick = ControlTick { contact, played, table, budget };
        exciters.into_iter().for_each(|exciter| exciter.tick(&mut tick));
    }

    /// The body was rebuilt.
    pub fn set_body(&mut self, object: &Object) {
        self.steps.forget();
        self.for_each(|exciter| exciter.set_body(object));
    }

    /// Brings the state of the modes up to date, before anything else changes it.
    pub fn sync(&mut self, body: &mut VoiceBody) {
        body.bank.catch_up(&body.object.modes);
        self.coupled.land(&mut body.bank, &body.object.modes);
    }

    /// Starts a strike at the current sample.
    pub fn strike(&mut self, blow: &Blow, patch: &Patch, body: &mut VoiceBody) {
        let context = body.object.contact_context(patch);
        if is_coupled(patch) {
            self.coupled.strike(blow, &context, &mut body.bank);
        } else {
            self.rigid.strike(blow, &context);
        }
    }

    /// Releases a ball at the current sample.
    pub fn throw(&mut self, throw: &Throw, patch: &Patch, body: &mut VoiceBody) {
        if is_coupled(patch) {
            self.coupled.throw(throw, &body.object.contact_context(patch), &mut body.bank);
        } else {
            self.rigid.throw(throw, patch);
        }
    }

    /// Starts the strikes of tumbling bodies that fall in the next sample, and reports the bodies
    /// that came to rest.
    pub fn strike_tumbling(
        &mut self,
        patch: &Patch,
        body: &mut VoiceBody,
        events: &mut EventWriter,
    ) {
        if !self.tumbling.is_active() {
            return;
        }
        let mut blows = FallenBlows::new();
        let rested = self.tumbling.take_due(body.object.dt_s(), patch, &mut blows);
        // Ahead of time, so that bodies that land together do not compute their mode shapes
        // together.
        if let Some(point) = self.tumbling.take_next_point(patch) {
            body.object.modes.expect_strike_at(point);
        }
        let context = body.object.contact_context(patch);
        for blow in &blows {
            if is_coupled(patch) {
                self.coupled.strike(blow, &context, &mut body.bank);
            } else {
                self.rigid.land(blow, &context.gains_of(blow));
            }
        }
        (0..rested).for_each(|_| events.report(0.0, ContactEventKind::Rest));
    }

    /// Number of samples, up to `max`, in which nothing but the external force acts on the body.
    pub fn clear_samples(&mut self, max: usize, body: &mut FreeBody) -> usize {
        let mut clear = max;
        for exciter in self.split().0 {
            clear = exciter.clear_samples(clear, body);
            if clear == 0 {
                break;
            }
        }
        clear
    }

    /// One sample of the body and of all exciters. Returns the impulse of the contacts, N s.
    pub fn advance(
        &mut self,
        VoiceBody { object, bank, .. }: &mut VoiceBody,
        patch: &Patch,
        force_n: f64,
        events: &mut EventWriter,
    ) -> f64 {
        if !self.coupled.is_active() {
            // Coupled contacts advance the body themselves.
            bank.advance(&mut object.modes);
        }
        let (exciters, steps, budget) = self.split();
        let impulse_ns = 0.0;
        let mut sample = Sample { object, bank, patch, steps, budget, force_n, impulse_ns, events };
        exciters.into_iter().for_each(|exciter| exciter.advance(&mut sample));
        sample.impulse_ns
    }
}

/// How a force at the point of the last strike drives the modes. The next strike mostly falls at
/// the same point.
#[derive(Clone, Debug)]
pub struct StrikeShapes {
    of: Option<(Point, f64)>,
    gains: Row,
    /// Gains from here on are 0.
    len: usize,
}

impl StrikeShapes {
    /// Empty, with room for `capacity` modes. Allocates.
    pub fn new(capacity: usize) -> Self {
        Self { of: None, gains: Row::new(capacity), len: 0 }
    }

    /// Clears all memory, NaN included.
    pub fn rebuild(&mut self) {
        self.gains.fill(0.0);
        (self.of, self.len) = (None, 0);
    }

    /// Memory with one value per mode, for fault injection.
    pub fn row_in_memory(&mut self) -> &mut Row {
        &mut self.gains
    }

    /// The modes have changed.
    pub fn invalidate(&mut self) {
        self.of = None;
    }

    /// How a force at a point of the body drives its modes. `mass_kg`: mass of the body.
    pub fn gains(&mut self, context: &ContactContext, point: Point, mass_kg: f64) -> &[f64] {
        if self.of != Some((point, mass_kg)) {
            self.gains[..self.len].fill(0.0);
            context.modes.add_gains(0, point, mass_kg, &mut self.gains);
            self.len = context.modes.len;
            self.of = Some((point, mass_kg));
        }
        &self.gains
    }
}

/// Whether new strikers feel the body.
pub fn is_coupled(patch: &Patch) -> bool {
    patch.choice(Param::Coupling) == 1
}
