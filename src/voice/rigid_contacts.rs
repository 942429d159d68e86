//! The strikers on one body.

use super::events::{self, ContactEventKind};
use super::strike_shapes::StrikeShapes;
use crate::body::kernel::MOMENTS;
use crate::body::{Drive, LANES, Modes, PerMode, Point, Row, StepRows, Steps};
use crate::contact::Striker;
use crate::contact::coupled::StepBudget;
use crate::exciter::{Ball, Blow, Throw};
use crate::params::Patch;
use crate::snapshot::{StrikerSnapshot, VoiceSnapshot};

/// Strikers that may be on one body at the same time. For the next one the oldest lifts off, which
/// takes a moment: hence some hands more.
const STRIKERS: usize = 4;
/// Corners of thrown bodies are gone sooner, and more of them come together.
const MAX_THROWN: usize = 8;
const RIGID_SLOTS: usize = MAX_THROWN + 4;

/// Work of one step of a rigid contact besides its pass over the modes, in passes over eight modes:
/// mostly powers of the compression.
const STEP_WORK: u32 = 12;

/// A striker that has to lift off before its contact is over does so in this time (s). A force that
/// stopped at once would be heard as a knock.
pub(super) const LIFT_OFF_S: f64 = 0.02;
/// The weight of a ball that has come to rest goes in this time (s). Nothing else is heard then
/// that could hide it.
pub(super) const FADE_AWAY_S: f64 = 0.25;

/// What the strikers meet.
#[derive(Clone, Copy, Debug)]
pub struct ContactContext<'a> {
    /// The body.
    pub modes: &'a Modes,
    /// The settings of this moment, for contacts to come.
    pub patch: &'a Patch,
    /// Mass of the body, kg.
    pub weight_kg: f64,
    /// Interval between samples, s.
    pub dt_s: f64,
}

impl ContactContext<'_> {
    /// How a force at a point of the body moves its modes.
    pub fn gains(&self, point: Point) -> PerMode {
        self.modes.drive_gains(point, self.weight_kg)
    }

    /// The same for a blow, which may ring two bodies.
    pub fn gains_of(&self, blow: &Blow) -> PerMode {
        self.modes.drive_gains_between(blow.point, blow.other, self.weight_kg)
    }
}

/// One striker and what it leaves in the modes.
#[derive(Clone, Debug)]
struct ContactSlot {
    striker: Striker,
    drive: Drive,
    /// What comes back after its contact, and differs each time.
    ball: Option<Ball>,
    /// Where on the body the contact is or was.
    point: Point,
    /// Number of its blow on this body.
    blow: u64,
    lifts_off: bool,
    /// In which time it lifts off, s.
    lift_off_s: f64,
}

impl ContactSlot {
    fn new(capacity: usize) -> Self {
        Self {
            striker: Striker::new(),
            drive: Drive::new(capacity),
            ball: None,
            point: Point::default(),
            blow: 0,
            lifts_off: false,
            lift_off_s: 0.0,
        }
    }

    fn renew(&mut self) {
        self.drive.renew();
        (self.striker, self.ball, self.point) = (Striker::new(), None, Point::default());
        (self.blow, self.lifts_off, self.lift_off_s) = (0, false, 0.0);
    }

    fn is_idle(&self) -> bool {
        !self.striker.is_active()
    }

    fn stays(&self) -> bool {
        !self.is_idle() && !self.lifts_off
    }

    /// Fall now, at the place where a force moves the modes by `gains`.
    fn strike(&mut self, blow: &Blow, gains: &[f64]) {
        self.ball = None;
        self.point = blow.point;
        self.drive.set_scaled_gains(gains, blow.weight);
        self.striker.strike(&blow.contact, blow.speed_m_per_s, blow.delay_s);
    }

    /// Be gone: at once from the air, and from the body without a knock.
    fn lift_off(&mut self, within_s: f64) {
        self.lifts_off = true;
        self.lift_off_s = within_s;
        if !self.striker.is_in_contact() && !self.striker.is_resting() {
            self.striker.reset();
        }
    }

    /// A ball lands in the sample to come: settle what it will meet. Says whether one does.
    fn prepare_landing(&mut self, contact_context: &ContactContext) -> bool {
        let (Some(ball), Some((_, speed))) =
            (&self.ball, self.striker.landing(contact_context.dt_s))
        else {
            return false;
        };
        let settings = ball.contact(contact_context.patch);
        let flight_s = 2.0 * speed / settings.gravity_m_per_s2;
        let weight = ball.weight(&settings, flight_s, self.striker.last_contact())
            * ball.rub(&settings, speed, contact_context.patch);
        self.point = ball.point(contact_context.patch);
        self.drive.set_scaled_gains(&contact_context.gains(self.point), weight);
        self.striker.set_settings(&settings);
        true
    }

    fn advance(
        &mut self,
        contact_context: &ContactContext,
        steps: &mut Steps,
        budget: &mut StepBudget,
        report_event: &mut impl FnMut(f64, ContactEventKind),
    ) {
        if self.prepare_landing(contact_context) {
            budget.spend(contact_context.modes.shape_work());
        }
        let before = self.striker.contacts();
        self.drive.begin_sample();
        // All it was given has acted once the surface is dropped.
        self.striker.set_step_level(budget.level());
        let mut steps_made = 0;
        let count = &mut |_: &_, _: &_| steps_made += 1;
        self.striker.advance_watched(
            contact_context.dt_s,
            &mut self.drive.on(contact_context.modes, steps),
            count,
        );
        budget.spend(steps_made * (STEP_WORK + contact_context.modes.len.div_ceil(LANES) as u32));
        if self.striker.contacts() > before {
            self.report(contact_context, report_event);
        }
        if self.striker.is_resting() && !self.lifts_off {
            report_event(contact_context.dt_s, ContactEventKind::Rest);
            // Nothing more is heard of a ball that lies there; its weight, if it presses, goes
            // gently.
            self.lift_off(FADE_AWAY_S);
        }
        if self.lifts_off
            && !(self.striker.is_active()
                && self.drive.ease(contact_context.dt_s / self.lift_off_s))
        {
            self.striker.reset();
        }
    }

    /// A contact is over: tell of it, and see what follows.
    fn report(
        &mut self,
        contact_context: &ContactContext,
        report_event: &mut impl FnMut(f64, ContactEventKind),
    ) {
        let last = *self.striker.last_contact();
        let own_mass_kg =
            self.ball.as_ref().map_or(last.mass_kg, |ball| ball.own_mass_kg(contact_context.patch));
        let settings = *self.striker.settings();
        report_event(
            last.ended_s,
            events::ended(
                &last,
                self.point,
                own_mass_kg,
                settings.gravity_m_per_s2,
                Some(settings),
            ),
        );
        let (Some(ball), Some((left_s, speed))) =
            (&mut self.ball, self.striker.landing(contact_context.dt_s))
        else {
            return;
        };
        if self.lifts_off {
            self.striker.reset();
        } else if speed > 0.0 {
            ball.leave(contact_context.patch, &last, left_s + contact_context.dt_s - last.ended_s);
        } else {
            // It lands once more, unheard; that needs no waiting for.
            report_event(contact_context.dt_s + left_s, ContactEventKind::Rest);
            self.striker.reset();
        }
    }
}

/// All that may strike one body.
#[derive(Clone, Debug)]
pub struct RigidContacts {
    rigid_contacts: [ContactSlot; RIGID_SLOTS],
    steps: Steps,
    strike_shapes: StrikeShapes,
    blows: u64,
    /// All from here on are idle: they lie far apart, and most of the time one or none is at work.
    end: usize,
    /// One of them has been since the last reset.
    used: bool,
}

impl RigidContacts {
    /// Nothing is near the body. Room for `capacity` modes; allocates.
    pub fn new(capacity: usize) -> Self {
        Self {
            rigid_contacts: std::array::from_fn(|_| ContactSlot::new(capacity)),
            steps: Steps::new(capacity),
            strike_shapes: StrikeShapes::new(capacity),
            blows: 0,
            end: 0,
            used: false,
        }
    }

    /// As new, whatever it held.
    pub fn renew(&mut self) {
        self.rigid_contacts.iter_mut().for_each(ContactSlot::renew);
        self.steps.forget();
        self.strike_shapes.renew();
        (self.blows, self.end, self.used) = (0, 0, false);
    }

    /// All that is kept for each mode.
    pub(super) fn rows_in_memory(&mut self) -> Vec<&mut Row> {
        let drives = self.rigid_contacts.iter_mut().flat_map(|slot| slot.drive.rows_in_memory());
        drives
            .chain([self.strike_shapes.row_in_memory()])
            .chain(self.steps.rows_in_memory())
            .collect()
    }

    /// Add what can be seen of them, `dt_s` from sample to sample.
    pub fn write_snapshot(&self, dt_s: f64, view: &mut VoiceSnapshot) {
        for slot in self.rigid_contacts.iter().filter(|slot| !slot.is_idle()) {
            let _ = view.strikers.try_push(StrikerSnapshot {
                point: slot.point,
                height_m: slot.striker.height_m(dt_s) as f32,
                is_touching: slot.striker.is_in_contact(),
            });
        }
    }

    /// Nothing is near the body.
    pub fn reset(&mut self) {
        self.end = 0;
        if std::mem::take(&mut self.used) {
            for slot in &mut self.rigid_contacts {
                slot.striker.reset();
            }
        }
    }

    /// The modes have changed.
    pub fn forget_steps(&mut self) {
        self.steps.forget();
        self.strike_shapes.forget();
    }

    /// Steps of the modes, for whoever else drives them.
    pub fn steps(&mut self) -> &mut Steps {
        &mut self.steps
    }

    /// Let a blow fall now.
    pub fn strike(&mut self, blow: &Blow, contact_context: &ContactContext) {
        (self.end, self.used) = (RIGID_SLOTS, true);
        let Some(slot) = free_slot(&mut self.rigid_contacts, &mut self.blows, STRIKERS) else {
            return;
        };
        slot.strike(
            blow,
            &self.strike_shapes.gains(contact_context, blow.point, contact_context.weight_kg)
                [..contact_context.modes.len],
        );
    }

    /// The same for a corner of a thrown body, at the place where a force moves the modes by
    /// `gains`.
    pub fn land(&mut self, blow: &Blow, gains: &[f64]) {
        (self.end, self.used) = (RIGID_SLOTS, true);
        let Some(slot) = free_slot(&mut self.rigid_contacts, &mut self.blows, MAX_THROWN) else {
            return;
        };
        slot.strike(blow, gains);
    }

    /// Let go of a ball now.
    pub fn throw(&mut self, throw: &Throw, patch: &Patch) {
        (self.end, self.used) = (RIGID_SLOTS, true);
        let Some(slot) = free_slot(&mut self.rigid_contacts, &mut self.blows, STRIKERS) else {
            return;
        };
        slot.ball = Some(throw.ball);
        // Where it is seen to fall; what it meets is settled when it lands.
        slot.point = throw.ball.point(patch);
        slot.striker.strike(&throw.ball.contact(patch), throw.landing_m_per_s, throw.fall_s);
    }

    /// Catch all balls: those in the air at once, those on the body without a knock.
    pub fn catch(&mut self) {
        for slot in
            self.rigid_contacts.iter_mut().filter(|slot| slot.ball.is_some() && slot.stays())
        {
            slot.lift_off(LIFT_OFF_S);
        }
    }

    /// Whether anything is on the body, or about to be.
    pub fn are_touching(&self) -> bool {
        self.rigid_contacts[..self.end].iter().any(|slot| !slot.is_idle())
    }

    /// Whether something is in the air that has not touched yet.
    pub fn are_coming(&self) -> bool {
        let mut rigid_contacts = self.rigid_contacts[..self.end].iter();
        rigid_contacts.any(|slot| {
            !slot.is_idle() && slot.striker.contacts() == 0 && !slot.striker.is_in_contact()
        })
    }

    /// How many samples, up to `max`, will go by before anything touches the body.
    pub fn airborne(&self, max: usize, dt_s: f64) -> usize {
        let active = self.rigid_contacts[..self.end].iter().filter(|slot| !slot.is_idle());
        active.fold(max as u64, |samples, slot| slot.striker.airborne(samples, dt_s)) as usize
    }

    /// Let up to `max` samples go by in which nothing touches the body; returns how many did.
    pub fn fly(&mut self, max: usize, dt_s: f64) -> usize {
        let samples = self.airborne(max, dt_s) as u64;
        for slot in self.rigid_contacts[..self.end].iter_mut().filter(|slot| !slot.is_idle()) {
            slot.striker.fly(samples);
        }
        samples as usize
    }

    /// Up to `forces.len()` samples of a contact in which one striker pushes smoothly and no other
    /// is near: what its force was like in each, the step that this is for the modes, and how it
    /// moves them. None if that is not so.
    pub fn push_smoothly<'a>(
        &'a mut self,
        contact_context: &ContactContext,
        forces: &mut [[f64; MOMENTS]],
    ) -> Option<(usize, StepRows<'a>, &'a [f64])> {
        let len = contact_context.modes.len;
        let mut active = self.rigid_contacts[..self.end].iter_mut().filter(|slot| !slot.is_idle());
        let (Some(slot), None) = (active.next(), active.next()) else { return None };
        let gains = slot.drive.gains_of_all(len).filter(|_| !slot.lifts_off)?;
        let samples = slot.striker.advance_smooth(contact_context.dt_s, forces);
        (samples > 0).then(|| {
            (samples, self.steps.of(contact_context.modes, contact_context.dt_s, (0, len)), gains)
        })
    }

    /// One sample of every contact; `take` is given what each leaves in the modes, and
    /// `report_event` what happened and when, in seconds from the start of the sample.
    pub fn advance(
        &mut self,
        contact_context: &ContactContext,
        budget: &mut StepBudget,
        mut take: impl FnMut(&Drive),
        mut report_event: impl FnMut(f64, ContactEventKind),
    ) {
        self.end = self.rigid_contacts[..self.end]
            .iter()
            .rposition(|slot| !slot.is_idle())
            .map_or(0, |last| last + 1);
        for slot in self.rigid_contacts[..self.end].iter_mut().filter(|slot| !slot.is_idle()) {
            if slot.striker.airborne(1, contact_context.dt_s) == 1 {
                slot.striker.fly(1);
                continue;
            }
            slot.advance(contact_context, &mut self.steps, budget, &mut report_event);
            take(&slot.drive);
        }
    }
}

/// The first idle hand for the next of all `blows`, whatever it did before: what several do at once
/// is rounded in their order, and a note is not to be heard otherwise for those before it. With
/// every one busy, that which has been lifting off the longest.
fn free_slot<'a>(
    rigid_contacts: &'a mut [ContactSlot],
    blows: &mut u64,
    max: usize,
) -> Option<&'a mut ContactSlot> {
    make_room(rigid_contacts, max);
    *blows += 1;
    let turn = |slot: &&mut ContactSlot| {
        if slot.is_idle() { (false, false, 0) } else { (true, !slot.lifts_off, slot.blow) }
    };
    let slot = rigid_contacts.iter_mut().min_by_key(turn)?;
    slot.blow = *blows;
    slot.lifts_off = false;
    Some(slot)
}

/// Let the oldest striker lift off if as many as may be are on the body.
fn make_room(rigid_contacts: &mut [ContactSlot], max: usize) {
    let staying = rigid_contacts.iter().filter(|slot| slot.stays()).count();
    let oldest = rigid_contacts.iter_mut().filter(|slot| slot.stays()).min_by_key(|slot| slot.blow);
    if staying >= max
        && let Some(oldest) = oldest
    {
        oldest.lift_off(LIFT_OFF_S);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// It was the one that had struck least recently: after a stop that was another than on a new
    /// engine, and two blows at once were added up the other way round.
    #[test]
    fn whatever_was_struck_before_the_first_idle_slot_strikes() {
        let mut rigid_contacts: [ContactSlot; 3] = std::array::from_fn(|_| ContactSlot::new(8));
        let mut blows = 0;
        for before in 0..5 {
            let slot = free_slot(&mut rigid_contacts, &mut blows, STRIKERS).expect("all are idle");
            assert_eq!(slot.blow, before + 1);
            assert_eq!(rigid_contacts[0].blow, before + 1, "the first");
        }
    }
}
