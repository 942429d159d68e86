//! What feels the body it is on: strikers, and one that rolls.

use super::hands::{FADE_AWAY_S, LIFT_OFF_S, Scene};
use super::happening::{self, What};
use super::place::Place;
use crate::body::bank::CHUNK;
use crate::body::shape::plate::free::Line;
use crate::body::yielding::Yielding;
use crate::body::{Bank, Modes, Point, Row};
use crate::contact::TwoWay;
use crate::contact::two_way::recorder::Recorder;
use crate::contact::two_way::{Beater, Ground, SEATS, Seated, StepBudget, StepLevel};
use crate::gesture::roll::Passed;
use crate::gesture::roll::note::{self, Played};
use crate::gesture::surface::SurfaceTable;
use crate::gesture::{Ball, Blow, Roll, Throw};
use crate::patch::{Param, Patch};
use crate::view::{RollView, StrikerView, VoiceView};
use std::sync::Arc;

/// The seat of what rolls.
const ROLLING: usize = SEATS - 1;

/// Strikers that stay on one body at the same time. For the next one the oldest lifts off.
const STAYING: usize = 4;

/// A light body strikes back many times in a row. Only after a flight this many times as long as the contact before it
/// does a ball land as a new one: elsewhere, and with another effective mass.
const HOP: f64 = 8.0;

/// Between two looks at the shapes of the modes, what rolls goes at most this far, in lengths of the body ...
const STRAIGHT: f64 = 2e-3;
/// ... and at most so many control periods. In between the shapes change evenly.
const MAX_STRAIGHT_TICKS: usize = 8;
/// The same beyond the step budget.
const OVERDRAWN_TICKS: usize = 32;

/// What is known of the striker on one seat.
#[derive(Clone, Copy, Debug, Default)]
struct Seat {
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
pub struct Riders {
    two_way: TwoWay,
    yielding: Yielding,
    weight_kg: f64,
    seats: [Seat; SEATS],
    place: Place,
    blows: u64,
    roll: Roll,
    rolling_at: Point,
    /// The way of what rolls over the body.
    line: Line,
    recorder: Recorder,
    /// Samples that have gone by while anything was there.
    now: u64,
}

impl Riders {
    /// Nothing is near the body. Room for `capacity` modes; allocates.
    pub fn new(capacity: usize) -> Self {
        Self {
            two_way: TwoWay::default(),
            yielding: Yielding::new(capacity),
            weight_kg: 0.0,
            seats: Default::default(),
            place: Place::new(capacity),
            blows: 0,
            roll: Roll::default(),
            rolling_at: Point::default(),
            line: Line::default(),
            recorder: Recorder::default(),
            now: 0,
        }
    }

    /// As new, whatever it held.
    pub fn renew(&mut self) {
        self.yielding.renew();
        self.place.renew();
        (self.two_way, self.weight_kg) = (TwoWay::default(), 0.0);
        (self.seats, self.blows, self.now) = (Default::default(), 0, 0);
        (self.roll, self.rolling_at, self.line) = (Roll::default(), Point::default(), Line::default());
        self.recorder = Recorder::default();
    }

    /// All that is kept for each mode.
    pub(super) fn rows_in_memory(&mut self) -> Vec<&mut Row> {
        let mut rows = self.yielding.rows_in_memory();
        rows.push(self.place.row_in_memory());
        rows
    }

    /// Add what can be seen of them.
    pub fn see(&self, view: &mut VoiceView) {
        for (seat, known) in self.seats.iter().enumerate() {
            let beater = self.two_way.beater(seat);
            if beater.is_active() {
                let _ = view.strikers.try_push(StrikerView {
                    point: known.point,
                    height_m: -beater.compression_m() as f32,
                    touching: beater.is_in_contact(),
                });
            }
        }
        view.contact = self.recorder.last().cloned();
        if self.roll.is_active() {
            let motion = self.roll.motion();
            view.roll = Some(RollView {
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

    /// Somebody looks on, and wants to see how contacts go; or nobody does. What is heard is the same.
    pub fn watch(&mut self, is_on: bool) {
        self.recorder.set_on(is_on);
    }

    /// Nothing is near the body.
    pub fn reset(&mut self) {
        self.recorder.reset();
        self.two_way.reset();
        self.yielding.reset();
        self.roll.reset();
        self.now = 0;
    }

    /// Whether anything is on the body, or about to be.
    pub fn are_active(&self) -> bool {
        self.two_way.is_active() || self.roll.is_active()
    }

    /// Whether something rolls, lies on the body or comes back to it. A striker is gone before it could miss what nobody hears.
    pub fn stay(&self) -> bool {
        let returns = |beater: &Beater| beater.is_active() && beater.gravity_m_per_s2() > 0.0;
        self.roll.is_active() || self.two_way.seated().iter().any(returns)
    }

    /// Whether something may touch within `samples`.
    pub fn are_due(&self, samples: usize) -> bool {
        self.roll.is_active() || self.two_way.is_active() && self.two_way.coasting_samples() < samples
    }

    /// Work of contacts since the last call.
    pub fn take_work(&mut self) -> u32 {
        self.two_way.take_work()
    }

    /// Sets the work of contacts until the next call.
    pub fn set_share(&mut self, work: u32) {
        self.two_way.set_share(work);
    }

    /// Whether something is in the air that has not touched yet.
    pub fn are_coming(&self) -> bool {
        let coming = |seat: usize| {
            let beater = self.two_way.beater(seat);
            beater.is_active() && beater.contacts() == 0 && !beater.is_in_contact()
        };
        (0..SEATS).any(coming)
    }

    /// End a stretch without contact: before the modes, or their state, are changed by anybody else.
    pub fn land(&mut self, bank: &mut Bank, modes: &Modes) {
        if self.two_way.is_coasting() {
            self.two_way.land(&mut self.yielding.on(bank, modes));
        }
    }

    /// The modes or the weight of the body have changed.
    pub fn set_body(&mut self, modes: &Modes, weight_kg: f64) {
        self.weight_kg = weight_kg;
        self.yielding.forget_steps();
        self.place.forget();
        self.yielding.set_mass(weight_kg, modes.len);
        if self.roll.is_active() {
            self.yielding.set_point(ROLLING, &modes.drive_gains(self.rolling_at, 1.0));
        }
        for (index, seat) in self.seats.iter().enumerate() {
            if self.two_way.beater(index).is_active() {
                self.yielding.set_point(index, &modes.drive_gains_between(seat.point, seat.other, 1.0));
            }
        }
    }

    /// Let a blow fall now.
    pub fn strike(&mut self, blow: &Blow, scene: &Scene, bank: &mut Bank) {
        let seat = self.take_seat(None, blow.point, scene);
        if blow.other.is_some() {
            self.seats[seat].other = blow.other;
            self.yielding.set_point(seat, &scene.modes.drive_gains_between(blow.point, blow.other, 1.0));
        }
        let ground = &mut self.yielding.on(bank, scene.modes);
        self.two_way.strike(ground, seat, &blow.contact, blow.speed_m_per_s, blow.delay_s);
    }

    /// Let go of a ball now.
    pub fn throw(&mut self, throw: &Throw, scene: &Scene, bank: &mut Bank) {
        let seat = self.take_seat(Some(throw.ball), throw.ball.point(scene.patch), scene);
        let ground = &mut self.yielding.on(bank, scene.modes);
        let mut settings = throw.ball.contact(scene.patch);
        if throw.fall_s > 0.0 {
            // A synced ball is tossed, and comes from above.
            settings.gravity_m_per_s2 = settings.gravity_m_per_s2.min(2.0 * throw.landing_m_per_s / throw.fall_s);
        }
        self.two_way.strike(ground, seat, &settings, throw.landing_m_per_s, throw.fall_s);
    }

    /// Set something down that rolls; what rolls already gets a push.
    pub fn roll(&mut self, played: &Played, table: &Arc<SurfaceTable>, scene: &Scene, bank: &mut Bank) {
        self.land(bank, scene.modes);
        if !self.roll.is_active() {
            let speed_m_per_s = note::speed_m_per_s(scene.patch, played);
            self.roll.set_wander(note::wander(scene.patch));
            let (settings, pull) = (note::settings(scene.patch), note::pull(scene.patch, played));
            self.roll.begin(&settings, table, speed_m_per_s, pull);
            self.two_way.claim(ROLLING, true);
            self.rolling_at = scene.patch.place(self.roll.point(), scene.patch.get(Param::PositionY));
            self.yielding.set_point(ROLLING, &scene.modes.drive_gains(self.rolling_at, 1.0));
        }
    }

    /// Control rate of what rolls: follow the hand, the patch, the table, and the way over the body.
    pub fn tick(&mut self, played: &Played, table: Option<&Arc<SurfaceTable>>, scene: &Scene, budget: &mut StepBudget) {
        if !self.roll.is_active() {
            return self.roll.release_table();
        }
        self.roll.set_settings(&note::settings(scene.patch));
        self.roll.set_pull(note::pull(scene.patch, played));
        if let Some(table) = table {
            self.roll.set_table(table);
        }
        self.rolling_at = scene.patch.place(self.roll.point(), scene.patch.get(Param::PositionY));
        if !self.yielding.is_gliding() {
            let per_tick = self.roll.lengths_per_s().abs() * scene.dt_s * CHUNK as f64;
            // The cast saturates, and NaN becomes 0.
            let ticks = match budget.level() {
                StepLevel::Target => ((STRAIGHT / per_tick) as usize).clamp(1, MAX_STRAIGHT_TICKS),
                _ => OVERDRAWN_TICKS,
            };
            budget.spend(scene.modes.shape_work());
            let gains = scene.modes.drive_gains_along(&mut self.line, self.rolling_at, 1.0);
            self.yielding.aim_point(ROLLING, &gains, ticks * CHUNK);
        }
    }

    /// Whether something rolls, and nothing else is on the body.
    pub fn only_roll(&self) -> bool {
        self.roll.is_active() && !self.two_way.is_active()
    }

    /// A seat for a new striker: a free one; with none free, that which has been lifting off the longest.
    fn take_seat(&mut self, ball: Option<Ball>, point: Point, scene: &Scene) -> usize {
        let stays = |seat: &usize| {
            let beater = self.two_way.beater(*seat);
            beater.is_active() && !beater.lifts_off()
        };
        let oldest = (0..SEATS).filter(stays).min_by_key(|&seat| self.seats[seat].blow);
        if (0..SEATS).filter(stays).count() >= STAYING
            && let Some(oldest) = oldest
        {
            self.two_way.beater_mut(oldest).lift_off(LIFT_OFF_S);
        }
        self.blows += 1;
        let longest = || {
            let lifting = |seat: &usize| self.two_way.beater(*seat).lifts_off();
            (0..SEATS).filter(lifting).min_by_key(|&seat| self.seats[seat].blow)
        };
        let index = self.two_way.free_seat().or_else(longest).unwrap_or(0);
        self.seats[index] = Seat { ball, point, other: None, blow: self.blows, contacts: 0, touched: None };
        self.yielding.set_point(index, self.place.gains(scene, point, 1.0));
        index
    }

    /// Catch all balls: those in the air at once, those on the body without a knock.
    pub fn catch(&mut self) {
        for index in (0..SEATS).filter(|&index| self.seats[index].ball.is_some()) {
            let beater = self.two_way.beater_mut(index);
            if beater.is_in_contact() {
                beater.lift_off(LIFT_OFF_S);
            } else {
                beater.reset();
            }
        }
        self.roll.lift();
    }

    /// How many of the next samples are certain to pass without contact; `room` are left until the body may change.
    pub fn clear_samples(&mut self, bank: &mut Bank, modes: &Modes, dt_s: f64, room: usize) -> usize {
        if !self.are_active() {
            return room;
        }
        // A stretch under way is left alone: looking at the body would end the bank's frame, and where a host's block
        // ends would be heard.
        match self.two_way.coasting_samples() {
            0 => self.two_way.free_samples(&mut self.yielding.on(bank, modes), dt_s, room),
            left => left.min(room),
        }
    }

    /// The body has rung by itself for `samples` of those.
    pub fn coasted(&mut self, bank: &mut Bank, modes: &Modes, samples: usize) {
        if !self.are_active() {
            return;
        }
        self.now += samples as u64;
        if self.two_way.coasted(samples) {
            self.two_way.land(&mut self.yielding.on(bank, modes));
        }
    }

    /// One sample of all strikers and of the body. `tell` is told what happened and when, in seconds from the start of
    /// the sample.
    pub fn advance(&mut self, scene: &Scene, bank: &mut Bank, mut tell: impl FnMut(f64, What)) {
        self.now += 1;
        if self.only_roll() {
            let ground = &mut self.yielding.on(bank, scene.modes);
            self.two_way.advance_alone(ground, scene.dt_s, ROLLING, &mut self.roll);
            self.two_way.claim(ROLLING, self.roll.is_active());
            return self.report_roll(scene, &mut tell);
        }
        self.yielding.glide(scene.modes);
        let ground = &mut self.yielding.on(bank, scene.modes);
        if self.roll.is_active() {
            let guests = &mut [Seated { seat: ROLLING, rider: &mut self.roll }];
            self.two_way.advance_with(ground, scene.dt_s, guests, &mut |_, _| {});
            self.two_way.claim(ROLLING, self.roll.is_active());
            self.report_roll(scene, &mut tell);
        } else if self.recorder.is_on() {
            let recorder = &mut self.recorder;
            self.two_way.advance_with(ground, scene.dt_s, &mut [], &mut |beaters, _| recorder.watch(beaters));
        } else {
            self.two_way.advance(ground, scene.dt_s);
        }
        for index in 0..self.two_way.seated().len() {
            if self.two_way.beater(index).contacts() > self.seats[index].contacts {
                self.report(index, scene, bank, &mut tell);
            }
            let beater = self.two_way.beater_mut(index);
            if beater.is_active() && beater.is_resting() && !beater.lifts_off() {
                tell(scene.dt_s, What::Rest);
                // Nothing more is heard of a ball that lies there; its weight goes gently.
                beater.lift_off(FADE_AWAY_S);
            }
        }
    }

    /// What all forces came to since the last call, N s.
    pub fn take_impulse_ns(&mut self) -> f64 {
        self.yielding.take_impulse_ns()
    }

    /// What rolls has been on the body until it hopped.
    fn report_roll(&self, scene: &Scene, tell: &mut impl FnMut(f64, What)) {
        let settings = self.roll.settings();
        for Passed { ended_s, duration_s, v_in_m_per_s, v_out_m_per_s } in self.roll.passed() {
            let speeds = (*v_in_m_per_s, *v_out_m_per_s);
            let (mass_kg, gravity) = (settings.mass_kg, settings.gravity_m_per_s2);
            tell(*ended_s, happening::passed(*duration_s, speeds, self.rolling_at, mass_kg, gravity));
        }
        // Its weight was taken off before it went, so that it may have touched nothing for a while. Told once: what is gone is
        // not asked again.
        if !self.roll.is_active() {
            tell(scene.dt_s, What::Rest);
        }
    }

    /// A contact is over: tell of it, and see what follows.
    fn report(&mut self, index: usize, scene: &Scene, bank: &mut Bank, tell: &mut impl FnMut(f64, What)) {
        let beater = self.two_way.beater_mut(index);
        let seat = &mut self.seats[index];
        seat.contacts = beater.contacts();
        let last = *beater.last_contact();
        let own_mass_kg = seat.ball.as_ref().map_or(last.mass_kg, |ball| ball.own_mass_kg(scene.patch));
        let gravity_m_per_s2 = beater.gravity_m_per_s2();
        tell(last.ended_s, happening::ended(&last, seat.point, own_mass_kg, gravity_m_per_s2, None));
        let Some(ball) = &mut seat.ball else { return };
        let is_first = seat.touched.is_none();
        let (sample, onset_s) = *seat.touched.get_or_insert((self.now, last.ended_s - last.duration_s));
        if beater.is_in_contact() {
            return;
        }
        // All from here on is of the end of this sample.
        let since_s = (self.now - sample + 1) as f64 * scene.dt_s - onset_s;
        let away_m_per_s = -beater.velocity_m_per_s();
        let synced_s = ball.flight_left_s(since_s, is_first).filter(|_| away_m_per_s > 0.0);
        let flight_s = synced_s.unwrap_or(-2.0 * last.v_out_m_per_s / gravity_m_per_s2);
        if flight_s > HOP * last.duration_s {
            ball.leave(scene.patch, &last, flight_s);
            seat.point = ball.point(scene.patch);
            beater.set_settings(&ball.contact(scene.patch));
            self.yielding.set_point(index, &scene.modes.drive_gains(seat.point, 1.0));
        }
        if let (Some(flight_s), Some(synced)) = (synced_s, ball.synced()) {
            let surface_m = self.yielding.on(bank, scene.modes).displacement_m(index);
            let gravity_m_per_s2 = synced.aim(flight_s, away_m_per_s, beater.height_m(surface_m));
            beater.set_gravity(gravity_m_per_s2);
        }
    }
}

/// Which way a new striker goes.
pub fn is_two_way(patch: &Patch) -> bool {
    patch.choice(Param::Coupling) == 1
}
