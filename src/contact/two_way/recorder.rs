//! Follows the contacts of what feels the body, for whoever wants to see them. Nothing that sounds depends on it.

use super::super::report::ContactReport;
use super::super::trace::{Keeper, Met, Trace};
use super::{Beater, SEATS};

/// Follows one striker at a time.
#[derive(Clone, Debug, Default)]
pub struct Recorder {
    is_on: bool,
    /// The striker whose contact is followed.
    seat: Option<usize>,
    /// Contacts that it had before.
    contacts: u32,
    /// A contact that was told before it was over: its seat, and the contacts there before it.
    told: Option<(usize, u32)>,
    keeper: Keeper,
}

impl Recorder {
    /// Somebody looks on, or nobody does.
    pub fn set_on(&mut self, is_on: bool) {
        if self.is_on != is_on {
            self.reset();
            self.is_on = is_on;
        }
    }

    /// Whether somebody looks on.
    pub fn is_on(&self) -> bool {
        self.is_on
    }

    /// Forget what was seen.
    pub fn reset(&mut self) {
        (self.seat, self.told) = (None, None);
        self.keeper.reset();
    }

    /// The last contact. Of the many with which a light body answers one blow, the strongest so far.
    pub fn last(&self) -> Option<&Trace> {
        self.keeper.last()
    }

    /// A step is over.
    pub fn watch(&mut self, beaters: &[Beater; SEATS]) {
        if self.seat.is_none() {
            self.turn_to(self.pressing(beaters), beaters);
        }
        let Some((seat, beater)) = self.seat.map(|seat| (seat, &beaters[seat])) else { return };
        if let Some(report) = beater.let_go() {
            // Over, unless the surface catches it up before it is out of its dent; who presses meanwhile is not kept waiting.
            if let Some(next) = self.pressing(beaters) {
                self.end(beater, &report);
                self.told = Some((seat, beater.contacts()));
                self.turn_to(Some(next), beaters);
            }
        } else if let Some(moment) = beater.moment() {
            self.keeper.step(moment);
        } else {
            self.seat = None;
            // One that was taken away from the body before its time has no end.
            if beater.contacts() > self.contacts {
                self.end(beater, beater.last_contact());
            }
        }
    }

    /// The first that is pushed, but for one whose contact has been told.
    fn pressing(&self, beaters: &[Beater; SEATS]) -> Option<usize> {
        let is_told = |seat: usize| self.told == Some((seat, beaters[seat].contacts()));
        (0..SEATS).find(|&seat| beaters[seat].is_pressing() && !is_told(seat))
    }

    fn turn_to(&mut self, seat: Option<usize>, beaters: &[Beater; SEATS]) {
        self.seat = seat;
        if let Some(seat) = seat {
            self.contacts = beaters[seat].contacts();
            self.keeper.begin(beaters[seat].onset());
        }
    }

    /// Keep what was followed.
    fn end(&mut self, beater: &Beater, report: &ContactReport) {
        // What comes back lands anew; all contacts of what does not are one blow.
        let is_new = self.contacts == 0 || beater.gravity_m_per_s2() > 0.0;
        self.keeper.end(Met::Body, beater.settings(), report, beater.release(report), is_new);
    }
}
