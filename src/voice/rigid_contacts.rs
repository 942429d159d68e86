//! Strikers whose contact force does not depend on how the body moves: the body acts as a rigid
//! wall, and the force then drives its modes.

use super::body::Object;
use super::events::{self, ContactEventKind, EventWriter};
use super::exciters::{
    ContactContext, Exciter, FADE_AWAY_S, FreeBody, LIFT_OFF_S, Sample, StrikeShapes,
};
use crate::body::kernel::MOMENTS;
use crate::body::{Drive, LANES, Point, Row, StepRows, Steps};
use crate::contact::Striker;
use crate::contact::coupled::StepBudget;
use crate::exciter::{Ball, Blow, Throw};
use crate::params::Patch;
use crate::snapshot::{StrikerSnapshot, VoiceSnapshot};

/// Most strikers on one body at the same time. For the next one the oldest lifts off.
const MAX_STRIKERS: usize = 4;
/// The same for corners of tumbling bodies, which leave sooner and come together more often.
const MAX_CORNERS: usize = 8;
/// Contact slots: four more, for strikers that are lifting off.
const SLOTS: usize = MAX_CORNERS + 4;

/// Work of one step of a rigid contact besides its pass over the modes (mostly powers of the
/// compression), in passes over eight modes.
const STEP_WORK: u32 = 12;

/// One striker and its drive of the modes.
#[derive(Clone, Debug)]
struct ContactSlot {
    striker: Striker,
    drive: Drive,
    /// The ball, if it comes back after its contact; its contacts differ.
    ball: Option<Ball>,
    /// Where the last contact was.
    point: Point,
    /// Number of its blow on this body.
    blow: u64,
    lifts_off: bool,
    /// Duration of the lift-off, s.
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

    fn rebuild(&mut self) {
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

    /// Starts a strike at the current sample, where a force drives the modes by `gains`.
    fn strike(&mut self, blow: &Blow, gains: &[f64]) {
        self.ball = None;
        self.point = blow.point;
        self.drive.set_scaled_gains(gains, blow.weight);
        self.striker.strike(&blow.contact, blow.speed_m_per_s, blow.delay_s);
    }

    /// Removes the striker: at once from the air, and gradually from the body.
    fn lift_off(&mut self, within_s: f64) {
        self.lifts_off = true;
        self.lift_off_s = within_s;
        if !self.striker.is_in_contact() && !self.striker.is_resting() {
            self.striker.reset();
        }
    }

    /// If a ball lands in the next sample, sets up its contact. Returns whether one does.
    fn prepare_landing(&mut self, context: &ContactContext) -> bool {
        let (Some(ball), Some((_, speed))) = (&self.ball, self.striker.landing(context.dt_s))
        else {
            return false;
        };
        let settings = ball.contact(context.patch);
        let flight_s = 2.0 * speed / settings.gravity_m_per_s2;
        let weight = ball.weight(&settings, flight_s, self.striker.last_contact())
            * ball.rub(&settings, speed, context.patch);
        self.point = ball.point(context.patch);
        self.drive.set_scaled_gains(&context.gains(self.point), weight);
        self.striker.set_settings(&settings);
        true
    }

    fn advance(
        &mut self,
        context: &ContactContext,
        steps: &mut Steps,
        budget: &mut StepBudget,
        events: &mut EventWriter,
    ) {
        if self.prepare_landing(context) {
            budget.spend(context.modes.shape_work());
        }
        let before = self.striker.contacts();
        self.drive.begin_sample();
        self.striker.set_step_level(budget.level());
        let mut step_count = 0;
        let count = &mut |_: &_, _: &_| step_count += 1;
        self.striker.advance_watched(context.dt_s, &mut self.drive.on(context.modes, steps), count);
        budget.spend(step_count * (STEP_WORK + context.modes.len.div_ceil(LANES) as u32));
        if self.striker.contacts() > before {
            self.report(context, events);
        }
        if self.striker.is_resting() && !self.lifts_off {
            events.report(context.dt_s, ContactEventKind::Rest);
            // A ball at rest is silent; its weight is removed slowly.
            self.lift_off(FADE_AWAY_S);
        }
        if self.lifts_off
            && !(self.striker.is_active() && self.drive.ease(context.dt_s / self.lift_off_s))
        {
            self.striker.reset();
        }
    }

    /// Reports a contact that is over, and prepares the flight after it.
    fn report(&mut self, context: &ContactContext, events: &mut EventWriter) {
        let last = *self.striker.last_contact();
        let own_mass_kg =
            self.ball.as_ref().map_or(last.mass_kg, |ball| ball.own_mass_kg(context.patch));
        let settings = *self.striker.settings();
        events.report(
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
            (&mut self.ball, self.striker.landing(context.dt_s))
        else {
            return;
        };
        if self.lifts_off {
            self.striker.reset();
        } else if speed > 0.0 {
            ball.leave(context.patch, &last, left_s + context.dt_s - last.ended_s);
        } else {
            // Its next landing is inaudible.
            events.report(context.dt_s + left_s, ContactEventKind::Rest);
            self.striker.reset();
        }
    }
}

/// All rigid contacts of one body.
#[derive(Clone, Debug)]
pub struct RigidContacts {
    slots: [ContactSlot; SLOTS],
    strike_shapes: StrikeShapes,
    blows: u64,
    /// All slots from here on are idle. They are far apart in memory, and mostly one or none is in
    /// use.
    end: usize,
    /// A slot has been in use since the last reset.
    is_used: bool,
}

impl RigidContacts {
    /// Nothing is near the body. Room for `capacity` modes; allocates.
    pub fn new(capacity: usize) -> Self {
        Self {
            slots: std::array::from_fn(|_| ContactSlot::new(capacity)),
            strike_shapes: StrikeShapes::new(capacity),
            blows: 0,
            end: 0,
            is_used: false,
        }
    }

    /// A slot for a new striker, of which at most `max` may be on the body.
    fn take_slot(&mut self, max: usize) -> &mut ContactSlot {
        (self.end, self.is_used) = (SLOTS, true);
        free_slot(&mut self.slots, &mut self.blows, max)
    }

    /// Starts a strike at the current sample.
    pub fn strike(&mut self, blow: &Blow, context: &ContactContext) {
        (self.end, self.is_used) = (SLOTS, true);
        let gains = self.strike_shapes.gains(context, blow.point, context.weight_kg);
        free_slot(&mut self.slots, &mut self.blows, MAX_STRIKERS)
            .strike(blow, &gains[..context.modes.len]);
    }

    /// Starts a strike of a corner of a tumbling body, where a force drives the modes by `gains`.
    pub fn land(&mut self, blow: &Blow, gains: &[f64]) {
        self.take_slot(MAX_CORNERS).strike(blow, gains);
    }

    /// Releases a ball at the current sample.
    pub fn throw(&mut self, throw: &Throw, patch: &Patch) {
        let slot = self.take_slot(MAX_STRIKERS);
        slot.ball = Some(throw.ball);
        // Shown by the editor; the contact is set up when it lands.
        slot.point = throw.ball.point(patch);
        slot.striker.strike(&throw.ball.contact(patch), throw.landing_m_per_s, throw.fall_s);
    }

    /// Slots in use.
    fn active(&self) -> impl Iterator<Item = &ContactSlot> {
        self.slots[..self.end].iter().filter(|slot| !slot.is_idle())
    }

    /// Number of samples, up to `max`, before anything touches the body.
    fn airborne(&self, max: usize, dt_s: f64) -> usize {
        self.active().fold(max as u64, |samples, slot| slot.striker.airborne(samples, dt_s))
            as usize
    }

    /// Advances up to `forces.len()` samples at once, if a single striker is near and its force is
    /// smooth. Writes the moments of the force in each sample. Returns the number of samples, the
    /// step coefficients of the modes, and the gains of the force.
    pub fn push_smoothly<'a>(
        &'a mut self,
        context: &ContactContext,
        steps: &'a mut Steps,
        forces: &mut [[f64; MOMENTS]],
    ) -> Option<(usize, StepRows<'a>, &'a [f64])> {
        let len = context.modes.len;
        let mut active = self.slots[..self.end].iter_mut().filter(|slot| !slot.is_idle());
        let (Some(slot), None) = (active.next(), active.next()) else { return None };
        let gains = slot.drive.gains_of_all(len).filter(|_| !slot.lifts_off)?;
        let samples = slot.striker.advance_smooth(context.dt_s, forces);
        (samples > 0).then(|| (samples, steps.of(context.modes, context.dt_s, (0, len)), gains))
    }
}

impl Exciter for RigidContacts {
    fn reset(&mut self) {
        self.end = 0;
        if std::mem::take(&mut self.is_used) {
            self.slots.iter_mut().for_each(|slot| slot.striker.reset());
        }
    }

    fn rebuild(&mut self) {
        self.slots.iter_mut().for_each(ContactSlot::rebuild);
        self.strike_shapes.rebuild();
        (self.blows, self.end, self.is_used) = (0, 0, false);
    }

    fn rows_in_memory(&mut self) -> Vec<&mut Row> {
        let drives = self.slots.iter_mut().flat_map(|slot| slot.drive.rows_in_memory());
        drives.chain([self.strike_shapes.row_in_memory()]).collect()
    }

    fn is_active(&self) -> bool {
        self.active().next().is_some()
    }

    fn is_pending(&self) -> bool {
        self.active().any(|slot| slot.striker.contacts() == 0 && !slot.striker.is_in_contact())
    }

    fn needs_step_budget(&self, samples: usize, dt_s: f64) -> bool {
        self.airborne(samples, dt_s) < samples
    }

    fn catch(&mut self) {
        for slot in self.slots.iter_mut().filter(|slot| slot.ball.is_some() && slot.stays()) {
            slot.lift_off(LIFT_OFF_S);
        }
    }

    fn set_body(&mut self, _object: &Object) {
        self.strike_shapes.invalidate();
    }

    fn clear_samples(&mut self, max: usize, body: &mut FreeBody) -> usize {
        self.airborne(max, body.object.dt_s())
    }

    fn skip(&mut self, samples: usize, _body: &mut FreeBody) {
        for slot in self.slots[..self.end].iter_mut().filter(|slot| !slot.is_idle()) {
            slot.striker.fly(samples as u64);
        }
    }

    fn advance(&mut self, sample: &mut Sample) {
        self.end = self.slots[..self.end]
            .iter()
            .rposition(|slot| !slot.is_idle())
            .map_or(0, |last| last + 1);
        let context = sample.object.contact_context(sample.patch);
        for slot in self.slots[..self.end].iter_mut().filter(|slot| !slot.is_idle()) {
            if slot.striker.airborne(1, context.dt_s) == 1 {
                slot.striker.fly(1);
                continue;
            }
            slot.advance(&context, sample.steps, sample.budget, sample.events);
            sample.bank.take(context.modes, &slot.drive);
            sample.impulse_ns += slot.drive.impulse_ns();
        }
    }

    fn write_snapshot(&self, dt_s: f64, snapshot: &mut VoiceSnapshot) {
        for slot in self.slots.iter().filter(|slot| !slot.is_idle()) {
            let _ = snapshot.strikers.try_push(StrikerSnapshot {
                point: slot.point,
                height_m: slot.striker.height_m(dt_s) as f32,
                is_touching: slot.striker.is_in_contact(),
            });
        }
    }
}

/// The slot for the next of all `blows`, of which at most `max` may be on the body. The lowest idle
/// slot, so that the order of summation (and the last bit) does not depend on earlier notes. If all
/// are in use, the one that has been lifting off the longest.
fn free_slot<'a>(
    slots: &'a mut [ContactSlot; SLOTS],
    blows: &mut u64,
    max: usize,
) -> &'a mut ContactSlot {
    let staying = slots.iter().filter(|slot| slot.stays()).count();
    let oldest = slots.iter_mut().filter(|slot| slot.stays()).min_by_key(|slot| slot.blow);
    if staying >= max
        && let Some(oldest) = oldest
    {
        oldest.lift_off(LIFT_OFF_S);
    }
    *blows += 1;
    let priority = |index: &usize| {
        let slot = &slots[*index];
        if slot.is_idle() { (false, false, 0) } else { (true, !slot.lifts_off, slot.blow) }
    };
    let index = (0..SLOTS).min_by_key(priority).unwrap_or(0);
    let slot = &mut slots[index];
    slot.blow = *blows;
    slot.lifts_off = false;
    slot
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The order of summation must not depend on what was struck before.
    #[test]
    fn a_strike_takes_the_lowest_idle_slot() {
        let mut slots: [ContactSlot; SLOTS] = std::array::from_fn(|_| ContactSlot::new(8));
        let mut blows = 0;
        for before in 0..5 {
            let slot = free_slot(&mut slots, &mut blows, MAX_STRIKERS);
            assert_eq!(slot.blow, before + 1);
            assert_eq!(slots[0].blow, before + 1);
        }
    }
}
