//! The strikers on one body.

use crate::body::{Drive, Modes, PerMode, Steps};
use crate::contact::{Striker, Wall};
use crate::gesture::Blow;

/// Strikers that may be on one body at the same time. For the next one the oldest lifts off, which takes a moment:
/// hence some hands more.
const STRIKERS: usize = 4;
const HANDS: usize = STRIKERS + 4;

/// A striker that has to lift off before its contact is over does so in this time (s). A force that stopped at once
/// would be heard as a knock.
const LIFT_OFF_S: f64 = 0.02;

/// One striker and what it leaves in the modes.
#[derive(Clone, Debug, Default)]
struct Hand {
    striker: Striker,
    drive: Drive,
    /// Number of its blow on this body.
    blow: u64,
    lifts_off: bool,
}

impl Hand {
    fn is_idle(&self) -> bool {
        !self.striker.is_active()
    }

    /// Whether the body feels nothing of it during the next `dt_s`.
    fn is_clear(&self, dt_s: f64) -> bool {
        self.is_idle() || (!self.lifts_off && self.striker.is_clear(dt_s))
    }

    fn stays(&self) -> bool {
        !self.is_idle() && !self.lifts_off
    }
}

/// All that may strike one body.
#[derive(Clone, Debug, Default)]
pub struct Hands {
    hands: [Hand; HANDS],
    steps: Steps,
    blows: u64,
}

impl Hands {
    /// Nothing is near the body.
    pub fn reset(&mut self) {
        for hand in &mut self.hands {
            hand.striker.reset();
        }
    }

    /// The modes have changed.
    pub fn forget_steps(&mut self) {
        self.steps.forget();
    }

    /// Let a blow fall now, at the place where a force moves the modes by `gains`.
    pub fn strike(&mut self, blow: &Blow, gains: &PerMode) {
        self.make_room();
        self.blows += 1;
        // An idle hand; with every one busy, that which has been lifting off the longest.
        let free = self.hands.iter_mut().min_by_key(|hand| (!hand.is_idle(), !hand.lifts_off, hand.blow));
        if let Some(hand) = free {
            hand.blow = self.blows;
            hand.lifts_off = false;
            hand.drive.set_gains(gains);
            hand.striker.strike(&blow.contact, blow.speed_m_per_s, 0.0);
        }
    }

    /// Let the oldest striker lift off if as many as may be are on the body.
    fn make_room(&mut self) {
        let staying = self.hands.iter().filter(|hand| hand.stays()).count();
        let oldest = self.hands.iter_mut().filter(|hand| hand.stays()).min_by_key(|hand| hand.blow);
        if staying >= STRIKERS
            && let Some(oldest) = oldest
        {
            oldest.lifts_off = true;
        }
    }

    /// Whether anything is on the body, or about to be.
    pub fn are_touching(&self) -> bool {
        self.hands.iter().any(|hand| !hand.is_idle())
    }

    /// Let time pass as long as nothing touches the body, at most `most` samples. Returns how many have passed.
    pub fn fly(&mut self, dt_s: f64, most: usize) -> usize {
        if !self.are_touching() {
            return most;
        }
        for n in 0..most {
            if !self.hands.iter().all(|hand| hand.is_clear(dt_s)) {
                return n;
            }
            for hand in self.hands.iter_mut().filter(|hand| !hand.is_idle()) {
                hand.striker.advance(dt_s, &mut Wall::default());
            }
        }
        most
    }

    /// One sample of every contact; `take` is given what each leaves in the modes.
    pub fn advance(&mut self, modes: &Modes, dt_s: f64, mut take: impl FnMut(&Drive)) {
        for hand in self.hands.iter_mut().filter(|hand| !hand.is_idle()) {
            hand.drive.begin_sample();
            hand.striker.advance(dt_s, &mut hand.drive.on(modes, &mut self.steps));
            if hand.lifts_off && !hand.drive.ease(dt_s / LIFT_OFF_S) {
                hand.striker.reset();
            }
            take(&hand.drive);
        }
    }
}
