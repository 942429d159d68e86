//! Follows the contacts of what feels the body, for whoever wants to see them. Nothing that sounds
//! depends on it.

use super::super::recording::{ContactRecording, ContactWith, RecordingBuffer};
use super::super::report::ContactReport;
use super::{FreeMass, MAX_CONTACT_SLOTS};

/// Follows one striker at a time.
#[derive(Clone, Debug, Default)]
pub struct Recorder {
    is_on: bool,
    /// The striker whose contact is followed.
    slot: Option<usize>,
    /// Contacts that it had before.
    contacts: u32,
    /// A contact that was told before it was over: its seat, and the contacts there before it.
    reported: Option<(usize, u32)>,
    buffer: RecordingBuffer,
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
        (self.slot, self.reported) = (None, None);
        self.buffer.reset();
    }

    /// The last contact. Of the many with which a light body answers one blow, the strongest so
    /// far.
    pub fn last(&self) -> Option<&ContactRecording> {
        self.buffer.last()
    }

    /// A step is over.
    pub fn watch(&mut self, free_masses: &[FreeMass; MAX_CONTACT_SLOTS]) {
        if self.slot.is_none() {
            self.turn_to(self.pressing(free_masses), free_masses);
        }
        let Some((slot, free_mass)) = self.slot.map(|slot| (slot, &free_masses[slot])) else {
            return;
        };
        if let Some(report) = free_mass.let_go() {
            // Over, unless the surface catches it up before it is out of its dent; who presses
            // meanwhile is not kept waiting.
            if let Some(next) = self.pressing(free_masses) {
                self.end(free_mass, &report);
                self.reported = Some((slot, free_mass.contacts()));
                self.turn_to(Some(next), free_masses);
            }
        } else if let Some(moment) = free_mass.moment() {
            self.buffer.step(moment);
        } else {
            self.slot = None;
            // One that was taken away from the body before its time has no end.
            if free_mass.contacts() > self.contacts {
                self.end(free_mass, free_mass.last_contact());
            }
        }
    }

    /// The first that is pushed, but for one whose contact has been told.
    fn pressing(&self, free_masses: &[FreeMass; MAX_CONTACT_SLOTS]) -> Option<usize> {
        let is_reported = |slot: usize| self.reported == Some((slot, free_masses[slot].contacts()));
        (0..MAX_CONTACT_SLOTS).find(|&slot| free_masses[slot].is_pressing() && !is_reported(slot))
    }

    fn turn_to(&mut self, slot: Option<usize>, free_masses: &[FreeMass; MAX_CONTACT_SLOTS]) {
        self.slot = slot;
        if let Some(slot) = slot {
            self.contacts = free_masses[slot].contacts();
            self.buffer.begin(free_masses[slot].onset());
        }
    }

    /// Keep what was followed.
    fn end(&mut self, free_mass: &FreeMass, report: &ContactReport) {
        // What comes back lands anew; all contacts of what does not are one blow.
        let is_new = self.contacts == 0 || free_mass.gravity_m_per_s2() > 0.0;
        self.buffer.end(
            ContactWith::Body,
            free_mass.settings(),
            report,
            free_mass.release(report),
            is_new,
        );
    }
}
