//! The course of a contact, kept for whoever wants to see it. Nothing that sounds depends on it.
//!
//! Kept of contacts that cannot be had once more ([`Again`](super::replay::ReplayInputs)): with a
//! body that gives way, and in a row of balls.

use arrayvec::ArrayVec;

use super::report::ContactReport;
use super::settings::ContactSettings;

/// Most moments that are kept of one contact. A longer one keeps every second, every fourth and so
/// on.
pub const MOMENTS: usize = 192;

/// One moment of a contact.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RecordedPoint {
    /// Since the onset, s.
    pub time_s: f32,
    /// Compression, m.
    pub compression_m: f32,
    /// What the force has come to since the onset, N s. Its change over the time between two
    /// moments is the mean force.
    pub impulse_ns: f32,
    /// Kinetic energy of the striker, that of its height over the onset, and that of the contact's
    /// spring, J.
    pub energy_j: f32,
}

/// What a striker met.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ContactWith {
    /// A body that gives way.
    #[default]
    Body,
    /// Its neighbour in a row: speeds are those at which the two approach each other, energies
    /// those of that motion.
    Ball,
}

/// A contact that is over.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ContactRecording {
    /// How many were kept before it.
    pub number: u32,
    /// What was met.
    pub contact_with: ContactWith,
    /// What it was told.
    pub settings: ContactSettings,
    /// What it was like as a whole.
    pub report: ContactReport,
    /// From onset to release.
    pub moments: ArrayVec<RecordedPoint, MOMENTS>,
}

impl ContactRecording {
    /// What the force came to, N s.
    pub fn impulse_ns(&self) -> f32 {
        self.moments.last().map_or(0.0, |last| last.impulse_ns)
    }

    /// Add a moment; the room that it needs is made by leaving out every second one. Says whether
    /// it was made.
    fn add(&mut self, moment: RecordedPoint) -> bool {
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

/// Keeps the course of one contact at a time, and the last that is over.
#[derive(Clone, Debug, Default)]
pub struct RecordingBuffer {
    under_way: ContactRecording,
    /// One step of so many is kept, and so many have gone by since the last.
    every: u32,
    since: u32,
    last: Option<ContactRecording>,
}

impl RecordingBuffer {
    /// Forget what was kept.
    pub fn reset(&mut self) {
        self.last = None;
    }

    /// The last contact that is over.
    pub fn last(&self) -> Option<&ContactRecording> {
        self.last.as_ref()
    }

    /// A contact begins.
    pub fn begin(&mut self, onset: RecordedPoint) {
        self.under_way.moments.clear();
        self.under_way.moments.push(onset);
        (self.every, self.since) = (1, 0);
    }

    /// How it stands after a step.
    pub fn step(&mut self, moment: RecordedPoint) {
        self.since += 1;
        if self.since >= self.every {
            self.since = 0;
            if self.under_way.add(moment) {
                self.every = self.every.saturating_mul(2);
            }
        }
    }

    /// It is over. Unless it `is_new`, it takes the place of the last one only if it is stronger.
    pub fn end(
        &mut self,
        contact_with: ContactWith,
        settings: &ContactSettings,
        report: &ContactReport,
        release: RecordedPoint,
        is_new: bool,
    ) {
        // Where in its last step it came off is known to a part of that step: with gravity, what
        // that is worth could be a pull.
        let impulse_ns = release.impulse_ns.max(self.under_way.impulse_ns());
        self.under_way.add(RecordedPoint { impulse_ns, ..release });
        let number = self.last.as_ref().map_or(0, |last| last.number.wrapping_add(1));
        if is_new || self.last.as_ref().is_none_or(|last| impulse_ns > last.impulse_ns()) {
            let moments = self.under_way.moments.clone();
            self.last = Some(ContactRecording {
                number,
                contact_with,
                settings: *settings,
                report: *report,
                moments,
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_contact_keeps_its_beginning_and_its_end() {
        let at = |i: usize| RecordedPoint { time_s: i as f32, ..RecordedPoint::default() };
        let mut buffer = RecordingBuffer::default();
        buffer.begin(at(0));
        for i in 1..10 * MOMENTS {
            buffer.step(at(i));
        }
        let (settings, report) = (ContactSettings::default(), ContactReport::default());
        buffer.end(ContactWith::Body, &settings, &report, at(10 * MOMENTS), true);
        let trace = buffer.last().expect("it is over");
        assert_eq!(trace.moments.first(), Some(&at(0)));
        assert_eq!(trace.moments.last(), Some(&at(10 * MOMENTS)));
        assert!(
            trace.moments.len() > MOMENTS / 2
                && trace.moments.is_sorted_by(|a, b| a.time_s < b.time_s)
        );
    }

    #[test]
    fn a_weaker_one_that_is_not_new_is_not_kept() {
        let at = |impulse_ns: f32| RecordedPoint { impulse_ns, ..RecordedPoint::default() };
        let (settings, report) = (ContactSettings::default(), ContactReport::default());
        let mut buffer = RecordingBuffer::default();
        for (impulse_ns, is_new, kept) in [
            (2.0, true, 2.0),
            (1.0, false, 2.0),
            (3.0, false, 3.0),
            (1.0, true, 1.0),
            (0.5, false, 1.0),
        ] {
            buffer.begin(at(0.0));
            buffer.end(ContactWith::Body, &settings, &report, at(impulse_ns), is_new);
            assert_eq!(
                buffer.last().map(ContactRecording::impulse_ns),
                Some(kept),
                "{impulse_ns} {is_new}"
            );
        }
    }
}
