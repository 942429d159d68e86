//! Records the last contact for the editor's Physics view; the sound does not depend on it.
//!
//! Contacts with a compliant body and contacts between two balls are copied while the editor is
//! open. A contact with a rigid wall needs no recording: its settings and its speed determine it,
//! and the view simulates it again ([`RigidTrial`](super::trial::RigidTrial)).

use arrayvec::ArrayVec;

use super::ContactReport;
use super::settings::ContactSettings;

/// Maximum number of points per contact. A longer contact keeps every second point, every fourth
/// and so on.
pub const MAX_POINTS: usize = 192;

/// One point of a recorded contact.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RecordedPoint {
    /// Time since onset, s.
    pub time_s: f32,
    /// Compression, m.
    pub compression_m: f32,
    /// Impulse since onset, N s. Its difference over the time between two points is the mean force.
    pub impulse_ns: f32,
    /// Kinetic energy of the striker, its potential energy above the onset, and the energy of the
    /// contact's spring, J.
    pub energy_j: f32,
}

/// The counterpart of the striker.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ContactWith {
    /// A compliant body.
    #[default]
    Body,
    /// The neighbouring ball of a chain: speeds are approach speeds, energies those of the relative
    /// motion.
    Ball,
}

/// A recorded contact that has ended.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ContactRecording {
    /// Number of recordings before this one.
    pub number: u32,
    /// The counterpart.
    pub contact_with: ContactWith,
    /// The settings of the contact.
    pub settings: ContactSettings,
    /// The report of the contact.
    pub report: ContactReport,
    /// Points from onset to release.
    pub points: ArrayVec<RecordedPoint, MAX_POINTS>,
}

impl ContactRecording {
    /// Total impulse, N s.
    pub fn impulse_ns(&self) -> f32 {
        self.points.last().map_or(0.0, |last| last.impulse_ns)
    }

    /// Adds a point. Drops every second one first if there is no room, and returns whether it did.
    fn add(&mut self, point: RecordedPoint) -> bool {
        let is_full = self.points.is_full();
        if is_full {
            let mut index = 0usize;
            self.points.retain(|_| {
                index += 1;
                index % 2 == 1
            });
        }
        self.points.push(point);
        is_full
    }
}

/// Records one contact at a time and keeps the strongest of the latest group.
///
/// One strike on a light body causes many contacts, and so does one click of a cradle. Such
/// contacts form a group ([`begin_group`](Self::begin_group)), of which the strongest is shown.
#[derive(Clone, Debug, Default)]
pub struct ContactRecorder {
    is_on: bool,
    /// Slot of the contact being recorded.
    slot: Option<usize>,
    current: ContactRecording,
    /// One step in this many is recorded, and the steps since the last recorded one.
    every: u32,
    since: u32,
    /// Duration of a group of contacts, s, and the time since its first contact ended, s.
    group_s: f64,
    since_group_s: f64,
    last: Option<ContactRecording>,
    /// Slot of a contact reported before it ended, and the contacts that slot had had before.
    pub(super) reported: Option<(usize, u32)>,
    /// Contacts the slot being recorded had had before.
    pub(super) contacts_before: u32,
}

impl ContactRecorder {
    /// Switches recording on or off; a change drops the recording.
    pub fn set_on(&mut self, is_on: bool) {
        if self.is_on != is_on {
            self.reset();
            self.is_on = is_on;
        }
    }

    /// Returns whether contacts are recorded.
    pub fn is_on(&self) -> bool {
        self.is_on
    }

    /// Drops the recording, and the contact under way.
    pub fn reset(&mut self) {
        (self.slot, self.reported, self.last) = (None, None, None);
        self.since_group_s = f64::INFINITY;
    }

    /// The last contact that ended.
    pub fn last(&self) -> Option<&ContactRecording> {
        self.last.as_ref()
    }

    /// Slot of the contact being recorded.
    pub fn slot(&self) -> Option<usize> {
        self.slot
    }

    /// The next contact to end begins a group of contacts, all that end within `group_s`.
    pub fn begin_group(&mut self, group_s: f64) {
        (self.group_s, self.since_group_s) = (group_s, f64::INFINITY);
    }

    /// Advances the time within a group.
    pub fn pass(&mut self, time_s: f64) {
        self.since_group_s += time_s;
    }

    /// Stops recording the contact under way and drops it.
    pub fn abandon(&mut self) {
        self.slot = None;
    }

    /// Starts recording the contact in `slot` with the energy at its onset, unless another contact
    /// is being recorded.
    pub fn begin(&mut self, slot: usize, onset_j: f64) {
        if self.slot.is_none() {
            self.slot = Some(slot);
            self.current.points.clear();
            let energy_j = onset_j as f32;
            self.current.points.push(RecordedPoint { energy_j, ..RecordedPoint::default() });
            (self.every, self.since) = (1, 0);
        }
    }

    /// Records a step of the contact in `slot`, if that is the one being recorded.
    pub fn step(&mut self, slot: usize, point: impl FnOnce() -> RecordedPoint) {
        if self.slot == Some(slot) {
            self.since += 1;
            if self.since >= self.every {
                self.since = 0;
                if self.current.add(point()) {
                    self.every = self.every.saturating_mul(2);
                }
            }
        }
    }

    /// Ends the contact in `slot`, if that is the one being recorded, at the point `release`. It is
    /// kept if it begins a group, or if it is stronger than the contact kept of its group.
    pub fn end(
        &mut self,
        slot: usize,
        contact_with: ContactWith,
        settings: &ContactSettings,
        report: &ContactReport,
        release: RecordedPoint,
    ) {
        if self.slot != Some(slot) {
            return;
        }
        self.slot = None;
        let is_new = self.since_group_s >= self.group_s;
        if is_new {
            self.since_group_s = 0.0;
        }
        // The instant of release within the last step is interpolated: with gravity, the impulse
        // computed from it could decrease.
        let impulse_ns = release.impulse_ns.max(self.current.impulse_ns());
        self.current.add(RecordedPoint { impulse_ns, ..release });
        if is_new || self.last.as_ref().is_none_or(|last| impulse_ns > last.impulse_ns()) {
            self.last = Some(ContactRecording {
                number: self.last.as_ref().map_or(0, |last| last.number.wrapping_add(1)),
                contact_with,
                settings: *settings,
                report: *report,
                points: self.current.points.clone(),
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn end(recorder: &mut ContactRecorder, release: RecordedPoint) {
        let (settings, report) = (ContactSettings::default(), ContactReport::default());
        recorder.end(0, ContactWith::Body, &settings, &report, release);
    }

    #[test]
    fn a_long_contact_keeps_its_beginning_and_its_end() {
        let at = |i: usize| RecordedPoint { time_s: i as f32, ..RecordedPoint::default() };
        let mut recorder = ContactRecorder::default();
        recorder.begin(0, 0.0);
        for i in 1..10 * MAX_POINTS {
            recorder.step(0, || at(i));
        }
        end(&mut recorder, at(10 * MAX_POINTS));
        let recording = recorder.last().expect("the contact ended");
        assert_eq!(recording.points.first(), Some(&at(0)));
        assert_eq!(recording.points.last(), Some(&at(10 * MAX_POINTS)));
        assert!(
            recording.points.len() > MAX_POINTS / 2
                && recording.points.is_sorted_by(|a, b| a.time_s < b.time_s)
        );
    }

    #[test]
    fn the_strongest_contact_of_a_group_is_kept() {
        let mut recorder = ContactRecorder::default();
        for (impulse_ns, is_new, kept) in [
            (2.0, true, 2.0),
            (1.0, false, 2.0),
            (3.0, false, 3.0),
            (1.0, true, 1.0),
            (0.5, false, 1.0),
        ] {
            if is_new {
                recorder.begin_group(f64::INFINITY);
            }
            recorder.begin(0, 0.0);
            end(&mut recorder, RecordedPoint { impulse_ns, ..RecordedPoint::default() });
            let last = recorder.last().map(ContactRecording::impulse_ns);
            assert_eq!(last, Some(kept), "{impulse_ns} {is_new}");
        }
    }
}
