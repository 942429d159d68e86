//! The strikers on one body.

use super::happening::{self, What};
use super::place::Place;
use crate::body::kernel::MOMENTS;
use crate::body::{Drive, LANES, Modes, PerMode, Point, Row, StepRows, Steps};
use crate::contact::Striker;
use crate::contact::two_way::StepBudget;
use crate::gesture::{Ball, Blow, Throw};
use crate::patch::Patch;
use crate::view::{StrikerView, VoiceView};

/// Strikers that may be on one body at the same time. For the next one the oldest lifts off, which takes a moment:
/// hence some hands more.
const STRIKERS: usize = 4;
/// Corners of thrown bodies are gone sooner, and more of them come together.
const MOST_THROWN: usize = 8;
const HANDS: usize = MOST_THROWN + 4;

/// Work of one step of a rigid contact besides its pass over the modes, in passes over eight modes:
/// mostly powers of the compression.
const STEP_WORK: u32 = 12;

/// A striker that has to lift off before its contact is over does so in this time (s). A force that stopped at once
/// would be heard as a knock.
pub(super) const LIFT_OFF_S: f64 = 0.02;
/// The weight of a ball that has come to rest goes in this time (s). Nothing else is heard then that could hide it.
pub(super) const FADE_AWAY_S: f64 = 0.25;

/// What the strikers meet.
#[derive(Clone, Copy, Debug)]
pub struct Scene<'a> {
    /// The body.
    pub modes: &'a Modes,
    /// The settings of this moment, for contacts to come.
    pub patch: &'a Patch,
    /// Mass of the body, kg.
    pub weight_kg: f64,
    /// Interval between samples, s.
    pub dt_s: f64,
}

impl Scene<'_> {
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
struct Hand {
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

impl Hand {
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
    fn prepare_landing(&mut self, scene: &Scene) -> bool {
        let (Some(ball), Some((_, speed))) = (&self.ball, self.striker.landing(scene.dt_s)) else {
            return false;
        };
        let settings = ball.contact(scene.patch);
        let flight_s = 2.0 * speed / settings.gravity_m_per_s2;
        let weight =
            ball.weight(&settings, flight_s, self.striker.last_contact()) * ball.rub(&settings, speed, scene.patch);
        self.point = ball.point(scene.patch);
        self.drive.set_scaled_gains(&scene.gains(self.point), weight);
        self.striker.set_settings(&settings);
        true
    }

    fn advance(&mut self, scene: &Scene, steps: &mut Steps, budget: &mut StepBudget, tell: &mut impl FnMut(f64, What)) {
        if self.prepare_landing(scene) {
            budget.spend(scene.modes.shape_work());
        }
        let before = self.striker.contacts();
        self.drive.begin_sample();
        // All it was given has acted once the surface is dropped.
        self.striker.set_step_level(budget.level());
        let mut steps_made = 0;
        let count = &mut |_: &_, _: &_| steps_made += 1;
        self.striker.advance_watched(scene.dt_s, &mut self.drive.on(scene.modes, steps), count);
        budget.spend(steps_made * (STEP_WORK + scene.modes.len.div_ceil(LANES) as u32));
        if self.striker.contacts() > before {
            self.report(scene, tell);
        }
        if self.striker.is_resting() && !self.lifts_off {
            tell(scene.dt_s, What::Rest);
            // Nothing more is heard of a ball that lies there; its weight, if it presses, goes gently.
            self.lift_off(FADE_AWAY_S);
        }
        if self.lifts_off && !(self.striker.is_active() && self.drive.ease(scene.dt_s / self.lift_off_s)) {
            self.striker.reset();
        }
    }

    /// A contact is over: tell of it, and see what follows.
    fn report(&mut self, scene: &Scene, tell: &mut impl FnMut(f64, What)) {
        let last = *self.striker.last_contact();
        let own_mass_kg = self.ball.as_ref().map_or(last.mass_kg, |ball| ball.own_mass_kg(scene.patch));
        let (gravity, again) = (self.striker.gravity_m_per_s2(), self.striker.last_again(scene.dt_s));
        tell(last.ended_s, happening::ended(&last, self.point, own_mass_kg, gravity, Some(again)));
        let (Some(ball), Some((left_s, speed))) = (&mut self.ball, self.striker.landing(scene.dt_s)) else {
            return;
        };
        if self.lifts_off {
            self.striker.reset();
        } else if speed > 0.0 {
            ball.leave(scene.patch, &last, left_s + scene.dt_s - last.ended_s);
        } else {
            // It lands once more, unheard; that needs no waiting for.
            tell(scene.dt_s + left_s, What::Rest);
            self.striker.reset();
        }
    }
}

/// All that may strike one body.
#[derive(Clone, Debug)]
pub struct Hands {
    hands: [Hand; HANDS],
    steps: Steps,
    place: Place,
    blows: u64,
    /// All from here on are idle: they lie far apart, and most of the time one or none is at work.
    end: usize,
    /// One of them has been since the last reset.
    used: bool,
}

impl Hands {
    /// Nothing is near the body. Room for `capacity` modes; allocates.
    pub fn new(capacity: usize) -> Self {
        Self {
            hands: std::array::from_fn(|_| Hand::new(capacity)),
            steps: Steps::new(capacity),
            place: Place::new(capacity),
            blows: 0,
            end: 0,
            used: false,
        }
    }

    /// As new, whatever it held.
    pub fn renew(&mut self) {
        self.hands.iter_mut().for_each(Hand::renew);
        self.steps.forget();
        self.place.renew();
        (self.blows, self.end, self.used) = (0, 0, false);
    }

    /// All that is kept for each mode.
    pub(super) fn rows_in_memory(&mut self) -> Vec<&mut Row> {
        let drives = self.hands.iter_mut().flat_map(|hand| hand.drive.rows_in_memory());
        drives.chain([self.place.row_in_memory()]).chain(self.steps.rows_in_memory()).collect()
    }

    /// Add what can be seen of them, `dt_s` from sample to sample.
    pub fn see(&self, dt_s: f64, view: &mut VoiceView) {
        for hand in self.hands.iter().filter(|hand| !hand.is_idle()) {
            let _ = view.strikers.try_push(StrikerView {
                point: hand.point,
                height_m: hand.striker.height_m(dt_s) as f32,
                touching: hand.striker.is_in_contact(),
            });
        }
    }

    /// Nothing is near the body.
    pub fn reset(&mut self) {
        self.end = 0;
        if std::mem::take(&mut self.used) {
            for hand in &mut self.hands {
                hand.striker.reset();
            }
        }
    }

    /// The modes have changed.
    pub fn forget_steps(&mut self) {
        self.steps.forget();
        self.place.forget();
    }

    /// Steps of the modes, for whoever else drives them.
    pub fn steps(&mut self) -> &mut Steps {
        &mut self.steps
    }

    /// Let a blow fall now.
    pub fn strike(&mut self, blow: &Blow, scene: &Scene) {
        (self.end, self.used) = (HANDS, true);
        let Some(hand) = free_hand(&mut self.hands, &mut self.blows, STRIKERS) else { return };
        hand.strike(blow, &self.place.gains(scene, blow.point, scene.weight_kg)[..scene.modes.len]);
    }

    /// The same for a corner of a thrown body, at the place where a force moves the modes by `gains`.
    pub fn land(&mut self, blow: &Blow, gains: &[f64]) {
        (self.end, self.used) = (HANDS, true);
        let Some(hand) = free_hand(&mut self.hands, &mut self.blows, MOST_THROWN) else { return };
        hand.strike(blow, gains);
    }

    /// Let go of a ball now.
    pub fn throw(&mut self, throw: &Throw, patch: &Patch) {
        (self.end, self.used) = (HANDS, true);
        let Some(hand) = free_hand(&mut self.hands, &mut self.blows, STRIKERS) else { return };
        hand.ball = Some(throw.ball);
        // Where it is seen to fall; what it meets is settled when it lands.
        hand.point = throw.ball.point(patch);
        hand.striker.strike(&throw.ball.contact(patch), throw.landing_m_per_s, throw.fall_s);
    }

    /// Catch all balls: those in the air at once, those on the body without a knock.
    pub fn catch(&mut self) {
        for hand in self.hands.iter_mut().filter(|hand| hand.ball.is_some() && hand.stays()) {
            hand.lift_off(LIFT_OFF_S);
        }
    }

    /// Whether anything is on the body, or about to be.
    pub fn are_touching(&self) -> bool {
        self.hands[..self.end].iter().any(|hand| !hand.is_idle())
    }

    /// Whether something is in the air that has not touched yet.
    pub fn are_coming(&self) -> bool {
        let mut hands = self.hands[..self.end].iter();
        hands.any(|hand| !hand.is_idle() && hand.striker.contacts() == 0 && !hand.striker.is_in_contact())
    }

    /// How many samples, up to `most`, will go by before anything touches the body.
    pub fn airborne(&self, most: usize, dt_s: f64) -> usize {
        let active = self.hands[..self.end].iter().filter(|hand| !hand.is_idle());
        active.fold(most as u64, |samples, hand| hand.striker.airborne(samples, dt_s)) as usize
    }

    /// Let up to `most` samples go by in which nothing touches the body; returns how many did.
    pub fn fly(&mut self, most: usize, dt_s: f64) -> usize {
        let samples = self.airborne(most, dt_s) as u64;
        for hand in self.hands[..self.end].iter_mut().filter(|hand| !hand.is_idle()) {
            hand.striker.fly(samples);
        }
        samples as usize
    }

    /// Up to `forces.len()` samples of a contact in which one striker pushes smoothly and no other is near: what its force was like in
    /// each, the step that this is for the modes, and how it moves them. None if that is not so.
    pub fn push_smoothly<'a>(
        &'a mut self,
        scene: &Scene,
        forces: &mut [[f64; MOMENTS]],
    ) -> Option<(usize, StepRows<'a>, &'a [f64])> {
        let len = scene.modes.len;
        let mut active = self.hands[..self.end].iter_mut().filter(|hand| !hand.is_idle());
        let (Some(hand), None) = (active.next(), active.next()) else { return None };
        let gains = hand.drive.gains_of_all(len).filter(|_| !hand.lifts_off)?;
        let samples = hand.striker.advance_smooth(scene.dt_s, forces);
        (samples > 0).then(|| (samples, self.steps.of(scene.modes, scene.dt_s, (0, len)), gains))
    }

    /// One sample of every contact; `take` is given what each leaves in the modes, and `tell` what happened and when,
    /// in seconds from the start of the sample.
    pub fn advance(
        &mut self,
        scene: &Scene,
        budget: &mut StepBudget,
        mut take: impl FnMut(&Drive),
        mut tell: impl FnMut(f64, What),
    ) {
        self.end = self.hands[..self.end].iter().rposition(|hand| !hand.is_idle()).map_or(0, |last| last + 1);
        for hand in self.hands[..self.end].iter_mut().filter(|hand| !hand.is_idle()) {
            if hand.striker.airborne(1, scene.dt_s) == 1 {
                hand.striker.fly(1);
                continue;
            }
            hand.advance(scene, &mut self.steps, budget, &mut tell);
            take(&hand.drive);
        }
    }
}

/// The first idle hand for the next of all `blows`, whatever it did before: what several do at once is rounded in their order, and a note
/// is not to be heard otherwise for those before it. With every one busy, that which has been lifting off the longest.
fn free_hand<'a>(hands: &'a mut [Hand], blows: &mut u64, most: usize) -> Option<&'a mut Hand> {
    make_room(hands, most);
    *blows += 1;
    let turn = |hand: &&mut Hand| if hand.is_idle() { (false, false, 0) } else { (true, !hand.lifts_off, hand.blow) };
    let hand = hands.iter_mut().min_by_key(turn)?;
    hand.blow = *blows;
    hand.lifts_off = false;
    Some(hand)
}

/// Let the oldest striker lift off if as many as may be are on the body.
fn make_room(hands: &mut [Hand], most: usize) {
    let staying = hands.iter().filter(|hand| hand.stays()).count();
    let oldest = hands.iter_mut().filter(|hand| hand.stays()).min_by_key(|hand| hand.blow);
    if staying >= most
        && let Some(oldest) = oldest
    {
        oldest.lift_off(LIFT_OFF_S);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// It was the one that had struck least recently: after a stop that was another than on a new engine, and two blows at once were added
    /// up the other way round.
    #[test]
    fn whatever_was_struck_before_the_first_idle_hand_strikes() {
        let mut hands: [Hand; 3] = std::array::from_fn(|_| Hand::new(8));
        let mut blows = 0;
        for before in 0..5 {
            let hand = free_hand(&mut hands, &mut blows, STRIKERS).expect("all are idle");
            assert_eq!(hand.blow, before + 1);
            assert_eq!(hands[0].blow, before + 1, "the first");
        }
    }
}
