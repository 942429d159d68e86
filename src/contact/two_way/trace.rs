//! The course of a contact, kept for whoever wants to see it. Nothing that sounds depends on it.

use arrayvec::ArrayVec;

use super::super::striker::ContactReport;
use super::{Beater, SEATS};

/// Most moments that are kept of one contact. A longer one keeps every second, every fourth and so on.
pub const MOMENTS: usize = 192;

/// One moment of a contact.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Moment {
    /// Since the onset, s.
    pub time_s: f32,
    /// Compression, m.
    pub compression_m: f32,
    /// What the force has come to since the onset, N s. Its change over the time between two moments is the mean force.
    pub impulse_ns: f32,
    /// Kinetic energy of the striker, that of its height over the onset, and that of the contact's spring, J.
    pub energy_j: f32,
}

/// A contact that is over.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trace {
    /// How many were kept before it.
    pub number: u32,
    /// What it was like as a whole.
    pub report: ContactReport,
    /// From onset to release.
    pub moments: ArrayVec<Moment, MOMENTS>,
}

impl Trace {
    /// What the force came to, N s.
    pub fn impulse_ns(&self) -> f32 {
        self.moments.last().map_or(0.0, |last| last.impulse_ns)
    }

    fn begin(&mut self, onset: Moment) {
        self.moments.clear();
        self.moments.push(onset);
    }

    /// Add a moment; the room that it needs is made by leaving out every second one. Says whether it was made.
    fn add(&mut self, moment: Moment) -> bool {
        let is_full = self.moments.is_full();
        if is_full {
            let mut index = 0usize;
            self.moments.retain(|_| {
                index += 1;
                index % 2 == 1
            });
        }
        self.moments.push(moment);
        is_full
    }
}

/// Follows one striker at a time.
#[derive(Clone, Debug, Default)]
pub struct Recorder {
    is_on: bool,
    /// The striker whose contact is followed.
    seat: Option<usize>,
    /// Contacts that it had before.
    contacts: u32,
    under_way: Trace,
    /// One step of so many is kept, and so many have gone by since the last.
    every: u32,
    since: u32,
    last: Option<Trace>,
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
        (self.seat, self.last) = (None, None);
    }

    /// The last contact. Of the many with which a light body answers one blow, the strongest so far.
    pub fn last(&self) -> Option<&Trace> {
        self.last.as_ref()
    }

    /// A step is over.
    pub fn watch(&mut self, beaters: &[Beater; SEATS]) {
        if self.seat.is_none() {
            self.seat = beaters.iter().position(Beater::is_in_contact);
            let Some(seat) = self.seat else { return };
            self.contacts = beaters[seat].contacts();
            self.under_way.begin(beaters[seat].onset());
            (self.every, self.since) = (1, 0);
        }
        let Some(beater) = self.seat.and_then(|seat| beaters.get(seat)) else { return };
        if let Some(moment) = beater.moment() {
            self.since += 1;
            if self.since >= self.every {
                self.since = 0;
                if self.under_way.add(moment) {
                    self.every = self.every.saturating_mul(2);
                }
            }
        } else {
            self.seat = None;
            // One that was taken away from the body before its time has no end.
            if beater.contacts() > self.contacts {
                self.keep(beater);
            }
        }
    }

    fn keep(&mut self, beater: &Beater) {
        let (release, so_far_ns) = (beater.release(), self.under_way.impulse_ns());
        // Where in its last step it came off is known to a part of that step: with gravity, what that is worth could be a pull.
        self.under_way.add(Moment { impulse_ns: release.impulse_ns.max(so_far_ns), ..release });
        self.under_way.report = *beater.last_contact();
        // What comes back lands anew; all contacts of what does not are one blow.
        let is_new = beater.contacts() == 1 || beater.gravity_m_per_s2() > 0.0;
        let number = self.last.as_ref().map_or(0, |last| last.number.wrapping_add(1));
        if is_new || self.last.as_ref().is_none_or(|last| self.under_way.impulse_ns() > last.impulse_ns()) {
            self.last = Some(Trace { number, ..self.under_way.clone() });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_contact_keeps_its_beginning_and_its_end() {
        let at = |i: usize| Moment { time_s: i as f32, ..Moment::default() };
        let mut trace = Trace::default();
        trace.begin(at(0));
        for i in 1..10 * MOMENTS {
            trace.add(at(i));
        }
        assert_eq!(trace.moments.first(), Some(&at(0)));
        assert_eq!(trace.moments.last(), Some(&at(10 * MOMENTS - 1)));
        assert!(trace.moments.is_sorted_by(|a, b| a.time_s < b.time_s));
    }
}
