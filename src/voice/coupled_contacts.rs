//! Strikers that are solved together with the body, and push back on it: single strikers, balls,
//! and one that rolls.

use std::sync::Arc;

use super::body::Object;
use super::events::{self, ContactEventKind, EventWriter};
use super::exciters::{
    ContactContext, ControlTick, Exciter, FADE_AWAY_S, FreeBody, LIFT_OFF_S, Sample, StrikeShapes,
};
use crate::body::bank::CHUNK;
use crate::body::coupled::CoupledModes;
use crate::body::shape::plate::FreePlateLine;
use crate::body::{Bank, Modes, Point, Row};
use crate::contact::CoupledSolver;
use crate::contact::coupled::{
    CompliantSurface, FreeMass, MAX_CONTACT_SLOTS, OccupiedSlot, StepLevel,
};
use crate::contact::recorder::ContactRecorder;
use crate::exciter::roll::RollContact;
use crate::exciter::roll::note::{self, Played};
use crate::exciter::surface::SurfaceTable;
use crate::exciter::{Ball, Blow, Roll, Throw};
use crate::params::Param;
use crate::snapshot::{RollSnapshot, StrikerSnapshot, VoiceSnapshot};

/// The contact slot of the ball or tip that rolls.
const ROLL_SLOT: usize = MAX_CONTACT_SLOTS - 1;

/// Most strikers on one body at the same time. For the next one the oldest lifts off.
const MAX_STRIKERS: usize = 4;

/// A light body strikes back many times in a row. Only after a flight of this many contact times
/// does a ball land anew: elsewhere, and with another effective mass.
const MIN_FLIGHT_CONTACTS: f64 = 8.0;

/// Longest distance that rolls between two evaluations of the mode shapes, in lengths of the body.
/// The shapes are interpolated in between.
const MAX_GLIDE: f64 = 5e-4;
/// Most control periods between two evaluations.
const MAX_GLIDE_TICKS: usize = 8;
/// Control periods between two evaluations when the step budget is overdrawn.
const OVERDRAWN_GLIDE_TICKS: usize = 32;

/// The striker in one contact slot.
#[derive(Clone, Copy, Debug, Default)]
struct CoupledSlot {
    ball: Option<Ball>,
    /// Point on the body.
    point: Point,
    /// Point on a second body that it strikes too.
    other: Option<Point>,
    /// Number of its blow on this body.
    blow: u64,
    /// Contacts that have been reported.
    contacts: u32,
    /// First contact: sample number, and time within that sample, s.
    touched: Option<(u64, f64)>,
}

/// All coupled contacts of one body.
#[derive(Clone, Debug)]
pub struct CoupledContacts {
    solver: CoupledSolver,
    coupled_modes: CoupledModes,
    slots: [CoupledSlot; MAX_CONTACT_SLOTS],
    strike_shapes: StrikeShapes,
    blows: u64,
    roll: Roll,
    roll_point: Point,
    /// Path of the roll over the body.
    line: FreePlateLine,
    recorder: ContactRecorder,
    /// Samples since the first striker.
    now: u64,
}

impl CoupledContacts {
    /// No contacts. Room for `capacity` modes; allocates.
    pub fn new(capacity: usize) -> Self {
        Self {
            solver: CoupledSolver::default(),
            coupled_modes: CoupledModes::new(capacity),
            slots: Default::default(),
            strike_shapes: StrikeShapes::new(capacity),
            blows: 0,
            roll: Roll::default(),
            roll_point: Point::default(),
            line: FreePlateLine::default(),
            recorder: ContactRecorder::default(),
            now: 0,
        }
    }

    /// The strikers of all slots in use.
    fn free_masses(&self) -> impl Iterator<Item = &FreeMass> {
        let slots = (0..MAX_CONTACT_SLOTS).map(|slot| self.solver.free_mass(slot));
        slots.filter(|free_mass| free_mass.is_active())
    }

    /// Whether something rolls, lies on the body or comes back to it.
    pub fn has_lasting_contact(&self) -> bool {
        let returns =
            |free_mass: &FreeMass| free_mass.is_active() && free_mass.gravity_m_per_s2() > 0.0;
        self.roll.is_active() || self.solver.occupied().iter().any(returns)
    }

    /// Ends a stretch without contact, before anything else changes the modes or their state.
    pub fn land(&mut self, bank: &mut Bank, modes: &Modes) {
        if self.solver.is_coasting() {
            self.solver.land(&mut self.coupled_modes.on(bank, modes));
        }
    }

    /// Starts a strike at the current sample.
    pub fn strike(&mut self, blow: &Blow, context: &ContactContext, bank: &mut Bank) {
        let slot = self.take_slot(None, blow.point, context);
        if blow.other.is_some() {
            self.slots[slot].other = blow.other;
            self.coupled_modes
                .set_point(slot, &context.modes.drive_gains_between(blow.point, blow.other, 1.0));
        }
        let surface = &mut self.coupled_modes.on(bank, context.modes);
        self.solver.strike(surface, slot, &blow.contact, blow.speed_m_per_s, blow.delay_s);
    }

    /// Releases a ball at the current sample.
    pub fn throw(&mut self, throw: &Throw, context: &ContactContext, bank: &mut Bank) {
        let slot = self.take_slot(Some(throw.ball), throw.ball.point(context.patch), context);
        let surface = &mut self.coupled_modes.on(bank, context.modes);
        let mut settings = throw.ball.contact(context.patch);
        if throw.fall_s > 0.0 {
            // A ball in sync with the tempo is thrown up, and comes down with this gravity.
            settings.gravity_m_per_s2 =
                settings.gravity_m_per_s2.min(2.0 * throw.landing_m_per_s / throw.fall_s);
        }
        self.solver.strike(surface, slot, &settings, throw.landing_m_per_s, throw.fall_s);
    }

    /// Starts to roll. What rolls already goes on, with the new velocity.
    pub fn roll(
        &mut self,
        played: &Played,
        table: &Arc<SurfaceTable>,
        context: &ContactContext,
        bank: &mut Bank,
    ) {
        self.land(bank, context.modes);
        if !self.roll.is_active() {
            let speed_m_per_s = note::speed_m_per_s(context.patch, played);
            self.roll.set_wander(note::wander(context.patch));
            let (settings, pull) =
                (note::settings(context.patch), note::pull(context.patch, played));
            self.roll.begin(&settings, table, speed_m_per_s, pull);
            self.solver.claim(ROLL_SLOT, true);
            self.roll_point =
                context.patch.place(self.roll.point(), context.patch.get(Param::PositionY));
            self.coupled_modes
                .set_point(ROLL_SLOT, &context.modes.drive_gains(self.roll_point, 1.0));
        }
    }

    /// Whether something rolls and no other striker is in use.
    pub fn is_only_rolling(&self) -> bool {
        self.roll.is_active() && !self.solver.is_active()
    }

    /// A slot for a new striker: a free one, or the one that has been lifting off the longest.
    fn take_slot(&mut self, ball: Option<Ball>, point: Point, context: &ContactContext) -> usize {
        let stays = |slot: &usize| {
            let free_mass = self.solver.free_mass(*slot);
            free_mass.is_active() && !free_mass.lifts_off()
        };
        let oldest = (0..MAX_CONTACT_SLOTS).filter(stays).min_by_key(|&slot| self.slots[slot].blow);
        if (0..MAX_CONTACT_SLOTS).filter(stays).count() >= MAX_STRIKERS
            && let Some(oldest) = oldest
        {
            self.solver.free_mass_mut(oldest).lift_off(LIFT_OFF_S);
        }
        self.blows += 1;
        let longest = || {
            let lifting = |slot: &usize| self.solver.free_mass(*slot).lifts_off();
            (0..MAX_CONTACT_SLOTS).filter(lifting).min_by_key(|&slot| self.slots[slot].blow)
        };
        let index = self.solver.free_slot().or_else(longest).unwrap_or(0);
        self.slots[index] =
            CoupledSlot { ball, point, other: None, blow: self.blows, contacts: 0, touched: None };
        self.coupled_modes.set_point(index, self.strike_shapes.gains(context, point, 1.0));
        index
    }

    /// One sample of all strikers and of the body.
    pub fn advance_body(
        &mut self,
        context: &ContactContext,
        bank: &mut Bank,
        events: &mut EventWriter,
    ) {
        self.now += 1;
        if self.is_only_rolling() {
            let surface = &mut self.coupled_modes.on(bank, context.modes);
            self.solver.advance_single(surface, context.dt_s, ROLL_SLOT, &mut self.roll);
            self.solver.claim(ROLL_SLOT, self.roll.is_active());
            return self.report_roll(context, events);
        }
        self.coupled_modes.glide(context.modes);
        let surface = &mut self.coupled_modes.on(bank, context.modes);
        if self.roll.is_active() {
            let guests = &mut [OccupiedSlot { slot: ROLL_SLOT, contact_body: &mut self.roll }];
            self.solver.advance_with(surface, context.dt_s, guests, &mut |_, _| {});
            self.solver.claim(ROLL_SLOT, self.roll.is_active());
            self.report_roll(context, events);
        } else if self.recorder.is_on() {
            let recorder = &mut self.recorder;
            let record = &mut |free_masses: &_, _: &_| recorder.watch(free_masses);
            self.solver.advance_with(surface, context.dt_s, &mut [], record);
        } else {
            self.solver.advance(surface, context.dt_s);
        }
        for index in 0..self.solver.occupied().len() {
            if self.solver.free_mass(index).contacts() > self.slots[index].contacts {
                self.report(index, context, bank, events);
            }
            let free_mass = self.solver.free_mass_mut(index);
            if free_mass.is_active() && free_mass.is_resting() && !free_mass.lifts_off() {
                events.report(context.dt_s, ContactEventKind::Rest);
                // A ball at rest is silent; its weight is removed slowly.
                free_mass.lift_off(FADE_AWAY_S);
            }
        }
    }

    /// Impulse of all forces since the last call, N s.
    pub fn take_impulse_ns(&mut self) -> f64 {
        self.coupled_modes.take_impulse_ns()
    }

    /// Reports the contacts between hops, and the end of the roll.
    fn report_roll(&self, context: &ContactContext, events: &mut EventWriter) {
        let settings = self.roll.settings();
        for RollContact { ended_s, duration_s, v_in_m_per_s, v_out_m_per_s } in self.roll.passed() {
            let speeds = (*v_in_m_per_s, *v_out_m_per_s);
            let (mass_kg, gravity) = (settings.mass_kg, settings.gravity_m_per_s2);
            events.report(
                *ended_s,
                events::passed(*duration_s, speeds, self.roll_point, mass_kg, gravity),
            );
        }
        // Its weight faded before, so that it may not have touched for a while.
        if !self.roll.is_active() {
            events.report(context.dt_s, ContactEventKind::Rest);
        }
    }

    /// Reports a contact that is over, and prepares the flight after it.
    fn report(
        &mut self,
        index: usize,
        context: &ContactContext,
        bank: &mut Bank,
        events: &mut EventWriter,
    ) {
        let free_mass = self.solver.free_mass_mut(index);
        let slot = &mut self.slots[index];
        slot.contacts = free_mass.contacts();
        let last = *free_mass.last_contact();
        let own_mass_kg =
            slot.ball.as_ref().map_or(last.mass_kg, |ball| ball.own_mass_kg(context.patch));
        let gravity_m_per_s2 = free_mass.gravity_m_per_s2();
        events.report(
            last.ended_s,
            events::ended(&last, slot.point, own_mass_kg, gravity_m_per_s2, None),
        );
        let Some(ball) = &mut slot.ball else { return };
        let is_first = slot.touched.is_none();
        let (sample, onset_s) =
            *slot.touched.get_or_insert((self.now, last.ended_s - last.duration_s));
        if free_mass.is_in_contact() {
            return;
        }
        // From here on at the end of this sample.
        let since_s = (self.now - sample + 1) as f64 * context.dt_s - onset_s;
        let away_m_per_s = -free_mass.velocity_m_per_s();
        let synced_s = ball.flight_left_s(since_s, is_first).filter(|_| away_m_per_s > 0.0);
        let flight_s = synced_s.unwrap_or(-2.0 * last.v_out_m_per_s / gravity_m_per_s2);
        if flight_s > MIN_FLIGHT_CONTACTS * last.duration_s {
            ball.leave(context.patch, &last, flight_s);
            slot.point = ball.point(context.patch);
            free_mass.set_settings(&ball.contact(context.patch));
            self.coupled_modes.set_point(index, &context.modes.drive_gains(slot.point, 1.0));
        }
        if let (Some(flight_s), Some(synced)) = (synced_s, ball.synced()) {
            let surface_m = self.coupled_modes.on(bank, context.modes).displacement_m(index);
            let gravity_m_per_s2 =
                synced.aim(flight_s, away_m_per_s, free_mass.height_m(surface_m));
            free_mass.set_gravity(gravity_m_per_s2);
        }
    }
}

impl Exciter for CoupledContacts {
    fn prepare(&mut self, sample_rate_hz: f64) {
        self.roll.prepare(sample_rate_hz);
        self.reset();
    }

    fn reset(&mut self) {
        self.recorder.reset();
        self.solver.reset();
        self.coupled_modes.reset();
        self.roll.reset();
        self.now = 0;
    }

    fn rebuild(&mut self) {
        self.coupled_modes.renew();
        self.strike_shapes.rebuild();
        self.solver = CoupledSolver::default();
        (self.slots, self.blows, self.now) = (Default::default(), 0, 0);
        (self.roll, self.roll_point, self.line) =
            (Roll::default(), Point::default(), FreePlateLine::default());
        self.recorder = ContactRecorder::default();
    }

    fn rows_in_memory(&mut self) -> Vec<&mut Row> {
        let mut rows = self.coupled_modes.rows_in_memory();
        rows.push(self.strike_shapes.row_in_memory());
        rows
    }

    fn is_active(&self) -> bool {
        self.solver.is_active() || self.roll.is_active()
    }

    fn is_pending(&self) -> bool {
        self.free_masses().any(|free_mass| free_mass.contacts() == 0 && !free_mass.is_in_contact())
    }

    fn needs_step_budget(&self, _samples: usize, _dt_s: f64) -> bool {
        self.has_lasting_contact()
    }

    fn needs_contact_budget(&self, samples: usize, _dt_s: f64) -> bool {
        self.roll.is_active() || self.solver.is_active() && self.solver.coasting_samples() < samples
    }

    fn set_contact_budget(&mut self, work: u32, _samples: usize) {
        self.solver.set_share(work);
    }

    fn take_contact_work(&mut self) -> u32 {
        self.solver.take_work()
    }

    fn catch(&mut self) {
        for index in (0..MAX_CONTACT_SLOTS).filter(|&index| self.slots[index].ball.is_some()) {
            let free_mass = self.solver.free_mass_mut(index);
            if free_mass.is_in_contact() {
                free_mass.lift_off(LIFT_OFF_S);
            } else {
                free_mass.reset();
            }
        }
        self.roll.lift();
    }

    fn set_body(&mut self, object: &Object) {
        let modes = &object.modes;
        self.coupled_modes.forget_steps();
        self.strike_shapes.invalidate();
        self.coupled_modes.set_mass(object.settings.weight_kg, modes.len);
        if self.roll.is_active() {
            self.coupled_modes.set_point(ROLL_SLOT, &modes.drive_gains(self.roll_point, 1.0));
        }
        for (index, slot) in self.slots.iter().enumerate() {
            if self.solver.free_mass(index).is_active() {
                self.coupled_modes
                    .set_point(index, &modes.drive_gains_between(slot.point, slot.other, 1.0));
            }
        }
    }

    /// Moves the roll over the body, and follows the player, the patch and the surface.
    fn tick(&mut self, ControlTick { contact, played, table, budget }: &mut ControlTick) {
        if !self.roll.is_active() {
            return self.roll.release_table();
        }
        let patch = contact.patch;
        self.roll.set_settings(&note::settings(patch));
        self.roll.set_pull(note::pull(patch, played));
        if let Some(table) = table {
            self.roll.set_table(table);
        }
        self.roll_point = patch.place(self.roll.point(), patch.get(Param::PositionY));
        if !self.coupled_modes.is_gliding() {
            let per_tick = self.roll.lengths_per_s().abs() * contact.dt_s * CHUNK as f64;
            // The cast saturates, and NaN becomes 0.
            let ticks = match budget.level() {
                StepLevel::Target => ((MAX_GLIDE / per_tick) as usize).clamp(1, MAX_GLIDE_TICKS),
                _ => OVERDRAWN_GLIDE_TICKS,
            };
            budget.spend(contact.modes.shape_work());
            let gains = contact.modes.drive_gains_along(&mut self.line, self.roll_point, 1.0);
            self.coupled_modes.aim_point(ROLL_SLOT, &gains, ticks * CHUNK);
        }
    }

    fn clear_samples(&mut self, max: usize, body: &mut FreeBody) -> usize {
        if !self.is_active() {
            return max;
        }
        // A stretch under way is continued: to evaluate the body would end the frame of the bank,
        // and the block size of the host would be heard.
        let clear = match self.solver.coasting_samples() {
            0 => {
                let surface = &mut self.coupled_modes.on(body.bank, &body.object.modes);
                self.solver.free_samples(surface, body.object.dt_s(), body.until_tick)
            }
            left => left.min(body.until_tick),
        };
        clear.min(max)
    }

    fn skip(&mut self, samples: usize, body: &mut FreeBody) {
        if !self.is_active() {
            return;
        }
        self.now += samples as u64;
        if self.solver.coasted(samples) {
            self.solver.land(&mut self.coupled_modes.on(body.bank, &body.object.modes));
        }
    }

    /// Advances the body too.
    fn advance(&mut self, sample: &mut Sample) {
        if !self.is_active() {
            return;
        }
        let context = sample.object.contact_context(sample.patch);
        self.advance_body(&context, sample.bank, sample.events);
        sample.object.modes.move_on(1);
        sample.impulse_ns += self.take_impulse_ns();
    }

    fn set_recording(&mut self, is_on: bool) {
        self.recorder.set_on(is_on);
    }

    fn write_snapshot(&self, _dt_s: f64, snapshot: &mut VoiceSnapshot) {
        for (slot, known) in self.slots.iter().enumerate() {
            let free_mass = self.solver.free_mass(slot);
            if free_mass.is_active() {
                let _ = snapshot.strikers.try_push(StrikerSnapshot {
                    point: known.point,
                    height_m: -free_mass.compression_m() as f32,
                    is_touching: free_mass.is_in_contact(),
                });
            }
        }
        snapshot.contact = self.recorder.last().cloned();
        if self.roll.is_active() {
            let motion = self.roll.motion();
            snapshot.roll = Some(RollSnapshot {
                point: self.roll_point,
                angle_rad: (std::f64::consts::TAU * motion.turn) as f32,
                height_m: (motion.z_m - motion.height_m) as f32,
                speed_m_per_s: motion.v_m_per_s as f32,
            });
        }
    }
}
