//! What feels the body it is on: strikers, and one that rolls.

use super::events::{self, ContactEventKind};
use super::rigid_contacts::{ContactContext, FADE_AWAY_S, LIFT_OFF_S};
use super::strike_shapes::StrikeShapes;
use crate::body::bank::CHUNK;
use crate::body::coupled::CoupledModes;
use crate::body::shape::plate::free::Line;
use crate::body::{Bank, Modes, Point, Row};
use crate::contact::CoupledSolver;
use crate::contact::coupled::{
    CompliantSurface, FreeMass, MAX_CONTACT_SLOTS, OccupiedSlot, StepBudget, StepLevel,
};
use crate::contact::recorder::ContactRecorder;
use crate::exciter::roll::RollContact;
use crate::exciter::roll::note::{self, Played};
use crate::exciter::surface::SurfaceTable;
use crate::exciter::{Ball, Blow, Roll, Throw};
use crate::params::{Param, Patch};
use crate::snapshot::{RollSnapshot, StrikerSnapshot, VoiceSnapshot};
use std::sync::Arc;

/// The seat of what rolls.
const ROLLING: usize = MAX_CONTACT_SLOTS - 1;

/// Strikers that stay on one body at the same time. For the next one the oldest lifts off.
const STAYING: usize = 4;

/// A light body strikes back many times in a row. Only after a flight this many times as long as
/// the contact before it does a ball land as a new one: elsewhere, and with another effective mass.
const HOP: f64 = 8.0;

/// Between two looks at the shapes of the modes, what rolls goes at most this far, in lengths of
/// the body ...
const STRAIGHT: f64 = 2e-3;
/// ... and at most so many control periods. In between the shapes change evenly.
const MAX_STRAIGHT_TICKS: usize = 8;
/// The same beyond the step budget.
const OVERDRAWN_TICKS: usize = 32;

/// What is known of the striker on one seat.
#[derive(Clone, Copy, Debug, Default)]
struct CoupledSlot {
    ball: Option<Ball>,
    /// Where on the body.
    point: Point,
    /// Where on a second body that it belongs to.
    other: Option<Point>,
    /// Number of its blow on this body.
    blow: u64,
    /// Contacts that have been told of.
    contacts: u32,
    /// When it first touched: in which sample, and after how much of it, s.
    touched: Option<(u64, f64)>,
}

/// All that strikes one body and is pushed back by it.
#[derive(Clone, Debug)]
pub struct CoupledContacts {
    solver: CoupledSolver,
    coupled_modes: CoupledModes,
    weight_kg: f64,
    slots: [CoupledSlot; MAX_CONTACT_SLOTS],
    strike_shapes: StrikeShapes,
    blows: u64,
    roll: Roll,
    rolling_at: Point,
    /// The way of what rolls over the body.
    line: Line,
    recorder: ContactRecorder,
    /// Samples that have gone by while anything was there.
    now: u64,
}

impl CoupledContacts {
    /// Nothing is near the body. Room for `capacity` modes; allocates.
    pub fn new(capacity: usize) -> Self {
        Self {
            solver: CoupledSolver::default(),
            coupled_modes: CoupledModes::new(capacity),
            weight_kg: 0.0,
            slots: Default::default(),
            strike_shapes: StrikeShapes::new(capacity),
            blows: 0,
            roll: Roll::default(),
            rolling_at: Point::default(),
            line: Line::default(),
            recorder: ContactRecorder::default(),
            now: 0,
        }
    }

    /// As new, whatever it held.
    pub fn renew(&mut self) {
        self.coupled_modes.renew();
        self.strike_shapes.renew();
        (self.solver, self.weight_kg) = (CoupledSolver::default(), 0.0);
        (self.slots, self.blows, self.now) = (Default::default(), 0, 0);
        (self.roll, self.rolling_at, self.line) =
            (Roll::default(), Point::default(), Line::default());
        self.recorder = ContactRecorder::default();
    }

    /// All that is kept for each mode.
    pub(super) fn rows_in_memory(&mut self) -> Vec<&mut Row> {
        let mut rows = self.coupled_modes.rows_in_memory();
        rows.push(self.strike_shapes.row_in_memory());
        rows
    }

    /// Add what can be seen of them.
    pub fn write_snapshot(&self, view: &mut VoiceSnapshot) {
        for (slot, known) in self.slots.iter().enumerate() {
            let free_mass = self.solver.free_mass(slot);
            if free_mass.is_active() {
                let _ = view.strikers.try_push(StrikerSnapshot {
                    point: known.point,
                    height_m: -free_mass.compression_m() as f32,
                    is_touching: free_mass.is_in_contact(),
                });
            }
        }
        view.contact = self.recorder.last().cloned();
        if self.roll.is_active() {
            let motion = self.roll.motion();
            view.roll = Some(RollSnapshot {
                point: self.rolling_at,
                angle_rad: (std::f64::consts::TAU * motion.turn) as f32,
                height_m: (motion.z_m - motion.height_m) as f32,
                speed_m_per_s: motion.v_m_per_s as f32,
            });
        }
    }

    /// Take over a sample rate; nothing is near the body.
    pub fn prepare(&mut self, sample_rate_hz: f64) {
        self.roll.prepare(sample_rate_hz);
        self.reset();
    }

    /// Switches the recording of contacts for the editor on or off; the sound does not change.
    pub fn watch(&mut self, is_on: bool) {
        self.recorder.set_on(is_on);
    }

    /// Nothing is near the body.
    pub fn reset(&mut self) {
        self.recorder.reset();
        self.solver.reset();
        self.coupled_modes.reset();
        self.roll.reset();
        self.now = 0;
    }

    /// Whether anything is on the body, or about to be.
    pub fn are_active(&self) -> bool {
        self.solver.is_active() || self.roll.is_active()
    }

    /// Whether something rolls, lies on the body or comes back to it. A striker is gone before it
    /// could miss what nobody hears.
    pub fn stay(&self) -> bool {
        let returns =
            |free_mass: &FreeMass| free_mass.is_active() && free_mass.gravity_m_per_s2() > 0.0;
        self.roll.is_active() || self.solver.occupied().iter().any(returns)
    }

    /// Whether something may touch within `samples`.
    pub fn are_due(&self, samples: usize) -> bool {
        self.roll.is_active() || self.solver.is_active() && self.solver.coasting_samples() < samples
    }

    /// Work of contacts since the last call.
    pub fn take_work(&mut self) -> u32 {
        self.solver.take_work()
    }

    /// Sets the work of contacts until the next call.
    pub fn set_share(&mut self, work: u32) {
        self.solver.set_share(work);
    }

    /// Whether something is in the air that has not touched yet.
    pub fn are_coming(&self) -> bool {
        let coming = |slot: usize| {
            let free_mass = self.solver.free_mass(slot);
            free_mass.is_active() && free_mass.contacts() == 0 && !free_mass.is_in_contact()
        };
        (0..MAX_CONTACT_SLOTS).any(coming)
    }

    /// End a stretch without contact: before the modes, or their state, are changed by anybody
    /// else.
    pub fn land(&mut self, bank: &mut Bank, modes: &Modes) {
        if self.solver.is_coasting() {
            self.solver.land(&mut self.coupled_modes.on(bank, modes));
        }
    }

    /// The modes or the weight of the body have changed.
    pub fn set_body(&mut self, modes: &Modes, weight_kg: f64) {
        self.weight_kg = weight_kg;
        self.coupled_modes.forget_steps();
        self.strike_shapes.forget();
        self.coupled_modes.set_mass(weight_kg, modes.len);
        if self.roll.is_active() {
            self.coupled_modes.set_point(ROLLING, &modes.drive_gains(self.rolling_at, 1.0));
        }
        for (index, slot) in self.slots.iter().enumerate() {
            if self.solver.free_mass(index).is_active() {
                self.coupled_modes
                    .set_point(index, &modes.drive_gains_between(slot.point, slot.other, 1.0));
            }
        }
    }

    /// Let a blow fall now.
    pub fn strike(&mut self, blow: &Blow, contact_context: &ContactContext, bank: &mut Bank) {
        let slot = self.take_slot(None, blow.point, contact_context);
        if blow.other.is_some() {
            self.slots[slot].other = blow.other;
            self.coupled_modes.set_point(
                slot,
                &contact_context.modes.drive_gains_between(blow.point, blow.other, 1.0),
            );
        }
        let ground = &mut self.coupled_modes.on(bank, contact_context.modes);
        self.solver.strike(ground, slot, &blow.contact, blow.speed_m_per_s, blow.delay_s);
    }

    /// Let go of a ball now.
    pub fn throw(&mut self, throw: &Throw, contact_context: &ContactContext, bank: &mut Bank) {
        let slot = self.take_slot(
            Some(throw.ball),
            throw.ball.point(contact_context.patch),
            contact_context,
        );
        let ground = &mut self.coupled_modes.on(bank, contact_context.modes);
        let mut settings = throw.ball.contact(contact_context.patch);
        if throw.fall_s > 0.0 {
            // A synced ball is tossed, and comes from above.
            settings.gravity_m_per_s2 =
                settings.gravity_m_per_s2.min(2.0 * throw.landing_m_per_s / throw.fall_s);
        }
        self.solver.strike(ground, slot, &settings, throw.landing_m_per_s, throw.fall_s);
    }

    /// Set something down that rolls; what rolls already gets a push.
    pub fn roll(
        &mut self,
        played: &Played,
        table: &Arc<SurfaceTable>,
        contact_context: &ContactContext,
        bank: &mut Bank,
    ) {
        self.land(bank, contact_context.modes);
        if !self.roll.is_active() {
            let speed_m_per_s = note::speed_m_per_s(contact_context.patch, played);
            self.roll.set_wander(note::wander(contact_context.patch));
            let (settings, pull) =
                (note::settings(contact_context.patch), note::pull(contact_context.patch, played));
            self.roll.begin(&settings, table, speed_m_per_s, pull);
            self.solver.claim(ROLLING, true);
            self.rolling_at = contact_context
                .patch
                .place(self.roll.point(), contact_context.patch.get(Param::PositionY));
            self.coupled_modes
                .set_point(ROLLING, &contact_context.modes.drive_gains(self.rolling_at, 1.0));
        }
    }

    /// Control rate of what rolls: follow the hand, the patch, the table, and the way over the
    /// body.
    pub fn tick(
        &mut self,
        played: &Played,
        table: Option<&Arc<SurfaceTable>>,
        contact_context: &ContactContext,
        budget: &mut StepBudget,
    ) {
        if !self.roll.is_active() {
            return self.roll.release_table();
        }
        self.roll.set_settings(&note::settings(contact_context.patch));
        self.roll.set_pull(note::pull(contact_context.patch, played));
        if let Some(table) = table {
            self.roll.set_table(table);
        }
        self.rolling_at = contact_context
            .patch
            .place(self.roll.point(), contact_context.patch.get(Param::PositionY));
        if !self.coupled_modes.is_gliding() {
            let per_tick = self.roll.lengths_per_s().abs() * contact_context.dt_s * CHUNK as f64;
            // The cast saturates, and NaN becomes 0.
            let ticks = match budget.level() {
                StepLevel::Target => ((STRAIGHT / per_tick) as usize).clamp(1, MAX_STRAIGHT_TICKS),
                _ => OVERDRAWN_TICKS,
            };
            budget.spend(contact_context.modes.shape_work());
            let gains =
                contact_context.modes.drive_gains_along(&mut self.line, self.rolling_at, 1.0);
            self.coupled_modes.aim_point(ROLLING, &gains, ticks * CHUNK);
        }
    }

    /// Whether something rolls, and nothing else is on the body.
    pub fn only_roll(&self) -> bool {
        self.roll.is_active() && !self.solver.is_active()
    }

    /// A seat for a new striker: a free one; with none free, that which has been lifting off the
    /// longest.
    fn take_slot(
        &mut self,
        ball: Option<Ball>,
        point: Point,
        contact_context: &ContactContext,
    ) -> usize {
        let stays = |slot: &usize| {
            let free_mass = self.solver.free_mass(*slot);
            free_mass.is_active() && !free_mass.lifts_off()
        };
        let oldest = (0..MAX_CONTACT_SLOTS).filter(stays).min_by_key(|&slot| self.slots[slot].blow);
        if (0..MAX_CONTACT_SLOTS).filter(stays).count() >= STAYING
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
        self.coupled_modes.set_point(index, self.strike_shapes.gains(contact_context, point, 1.0));
        index
    }

    /// Catch all balls: those in the air at once, those on the body without a knock.
    pub fn catch(&mut self) {
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

    /// How many of the next samples are certain to pass without contact; `room` are left until the
    /// body may change.
    pub fn clear_samples(
        &mut self,
        bank: &mut Bank,
        modes: &Modes,
        dt_s: f64,
        room: usize,
    ) -> usize {
        if !self.are_active() {
            return room;
        }
        // A stretch under way is left alone: looking at the body would end the bank's frame, and
        // where a host's block ends would be heard.
        match self.solver.coasting_samples() {
            0 => self.solver.free_samples(&mut self.coupled_modes.on(bank, modes), dt_s, room),
            left => left.min(room),
        }
    }

    /// The body has rung by itself for `samples` of those.
    pub fn coasted(&mut self, bank: &mut Bank, modes: &Modes, samples: usize) {
        if !self.are_active() {
            return;
        }
        self.now += samples as u64;
        if self.solver.coasted(samples) {
            self.solver.land(&mut self.coupled_modes.on(bank, modes));
        }
    }

    /// One sample of all strikers and of the body. `report_event` is told what happened and when,
    /// in seconds from the start of the sample.
    pub fn advance(
        &mut self,
        contact_context: &ContactContext,
        bank: &mut Bank,
        mut report_event: impl FnMut(f64, ContactEventKind),
    ) {
        self.now += 1;
        if self.only_roll() {
            let ground = &mut self.coupled_modes.on(bank, contact_context.modes);
            self.solver.advance_single(ground, contact_context.dt_s, ROLLING, &mut self.roll);
            self.solver.claim(ROLLING, self.roll.is_active());
            return self.report_roll(contact_context, &mut report_event);
        }
        self.coupled_modes.glide(contact_context.modes);
        let ground = &mut self.coupled_modes.on(bank, contact_context.modes);
        if self.roll.is_active() {
            let guests = &mut [OccupiedSlot { slot: ROLLING, contact_body: &mut self.roll }];
            self.solver.advance_with(ground, contact_context.dt_s, guests, &mut |_, _| {});
            self.solver.claim(ROLLING, self.roll.is_active());
            self.report_roll(contact_context, &mut report_event);
        } else if self.recorder.is_on() {
            let recorder = &mut self.recorder;
            self.solver.advance_with(
                ground,
                contact_context.dt_s,
                &mut [],
                &mut |free_masses, _| recorder.watch(free_masses),
            );
        } else {
            self.solver.advance(ground, contact_context.dt_s);
        }
        for index in 0..self.solver.occupied().len() {
            if self.solver.free_mass(index).contacts() > self.slots[index].contacts {
                self.report(index, contact_context, bank, &mut report_event);
            }
            let free_mass = self.solver.free_mass_mut(index);
            if free_mass.is_active() && free_mass.is_resting() && !free_mass.lifts_off() {
                report_event(contact_context.dt_s, ContactEventKind::Rest);
                // Nothing more is heard of a ball that lies there; its weight goes gently.
                free_mass.lift_off(FADE_AWAY_S);
            }
        }
    }

    /// What all forces came to since the last call, N s.
    pub fn take_impulse_ns(&mut self) -> f64 {
        self.coupled_modes.take_impulse_ns()
    }

    /// What rolls has been on the body until it hopped.
    fn report_roll(
        &self,
        contact_context: &ContactContext,
        report_event: &mut impl FnMut(f64, ContactEventKind),
    ) {
        let settings = self.roll.settings();
        for RollContact { ended_s, duration_s, v_in_m_per_s, v_out_m_per_s } in self.roll.passed() {
            let speeds = (*v_in_m_per_s, *v_out_m_per_s);
            let (mass_kg, gravity) = (settings.mass_kg, settings.gravity_m_per_s2);
            report_event(
                *ended_s,
                events::passed(*duration_s, speeds, self.rolling_at, mass_kg, gravity),
            );
        }
        // Its weight was taken off before it went, so that it may have touched nothing for a while.
        // Told once: what is gone is not asked again.
        if !self.roll.is_active() {
            report_event(contact_context.dt_s, ContactEventKind::Rest);
        }
    }

    /// A contact is over: tell of it, and see what follows.
    fn report(
        &mut self,
        index: usize,
        contact_context: &ContactContext,
        bank: &mut Bank,
        report_event: &mut impl FnMut(f64, ContactEventKind),
    ) {
        let free_mass = self.solver.free_mass_mut(index);
        let slot = &mut self.slots[index];
        slot.contacts = free_mass.contacts();
        let last = *free_mass.last_contact();
        let own_mass_kg =
            slot.ball.as_ref().map_or(last.mass_kg, |ball| ball.own_mass_kg(contact_context.patch));
        let gravity_m_per_s2 = free_mass.gravity_m_per_s2();
        report_event(
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
        // All from here on is of the end of this sample.
        let since_s = (self.now - sample + 1) as f64 * contact_context.dt_s - onset_s;
        let away_m_per_s = -free_mass.velocity_m_per_s();
        let synced_s = ball.flight_left_s(since_s, is_first).filter(|_| away_m_per_s > 0.0);
        let flight_s = synced_s.unwrap_or(-2.0 * last.v_out_m_per_s / gravity_m_per_s2);
        if flight_s > HOP * last.duration_s {
            ball.leave(contact_context.patch, &last, flight_s);
            slot.point = ball.point(contact_context.patch);
            free_mass.set_settings(&ball.contact(contact_context.patch));
            self.coupled_modes
                .set_point(index, &contact_context.modes.drive_gains(slot.point, 1.0));
        }
        if let (Some(flight_s), Some(synced)) = (synced_s, ball.synced()) {
            let surface_m =
                self.coupled_modes.on(bank, contact_context.modes).displacement_m(index);
            let gravity_m_per_s2 =
                synced.aim(flight_s, away_m_per_s, free_mass.height_m(surface_m));
            free_mass.set_gravity(gravity_m_per_s2);
        }
    }
}

/// Which way a new striker goes.
pub fn is_coupled(patch: &Patch) -> bool {
    patch.choice(Param::Coupling) == 1
}
