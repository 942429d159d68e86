//! What the audio thread and the editor exchange besides parameters: meters out, notes in. It is
//! lock-free: either side may miss a message, and neither ever waits.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use atomic_float::{AtomicF32, AtomicF64};
use crossbeam_queue::ArrayQueue;

use crate::contact::trial::RigidTrial;
use crate::engine::Status;
use crate::snapshot::Snapshot;
use crate::voice::events::{ContactEvent, ContactEventKind};

/// Notes that the editor may send in one block.
const MAX_NOTES: usize = 64;

/// Contacts queued for the editor: as many as it draws. The newest are kept.
const MAX_CONTACTS: usize = 5;

/// Shared by the audio thread and the editor.
pub struct Telemetry {
    peak: [AtomicF32; 2],
    limiter_gain: AtomicF32,
    voices: AtomicU32,
    load: AtomicF32,
    sample_rate_hz: AtomicF64,
    silence: AtomicBool,
    /// The newest snapshot.
    snapshots: ArrayQueue<Snapshot>,
    /// The newest contacts with a rigid surface.
    contacts: ArrayQueue<RigidTrial>,
    /// Key and velocity; no velocity for a note off.
    notes: ArrayQueue<(u8, Option<f32>)>,
}

impl Telemetry {
    /// Creates an idle exchange.
    pub fn new() -> Self {
        Self {
            peak: [AtomicF32::new(0.0), AtomicF32::new(0.0)],
            limiter_gain: AtomicF32::new(1.0),
            voices: AtomicU32::new(0),
            load: AtomicF32::new(0.0),
            sample_rate_hz: AtomicF64::new(48_000.0),
            silence: AtomicBool::new(false),
            snapshots: ArrayQueue::new(1),
            contacts: ArrayQueue::new(MAX_CONTACTS),
            notes: ArrayQueue::new(MAX_NOTES),
        }
    }

    /// Reports the status of a sub-block. Audio thread.
    pub fn report(&self, status: &Status) {
        for (shown, peak) in self.peak.iter().zip(status.peak) {
            shown.fetch_max(peak, Ordering::Relaxed);
        }
        self.limiter_gain.fetch_min(status.limiter_gain, Ordering::Relaxed);
        self.voices.store(status.voices as u32, Ordering::Relaxed);
    }

    /// Takes the notes played in the editor since the last call. Audio thread. Returns at most one
    /// queue's length, however fast the editor sends.
    pub fn take_notes(&self) -> impl Iterator<Item = (u8, Option<f32>)> {
        (0..MAX_NOTES).map_while(|_| self.notes.pop())
    }

    /// Publishes a snapshot. Audio thread.
    pub fn publish_snapshot(&self, snapshot: Snapshot) {
        self.snapshots.force_push(snapshot);
    }

    /// Reports the contacts of a block. Audio thread. Only the newest are passed on, and also while
    /// the editor is closed: it shows them when it opens.
    pub fn report_contacts(&self, contact_events: &[ContactEvent]) {
        let sample_rate_hz = self.sample_rate_hz();
        let contacts = contact_events.iter().filter_map(|contact_event| {
            let ContactEventKind::Contact(contact) = &contact_event.what else { return None };
            let settings = contact.wall_settings?;
            let onset_s = contact_event.after_s - contact.duration_s;
            Some(RigidTrial {
                onset: (onset_s * sample_rate_hz).rem_euclid(1.0),
                ..RigidTrial::single(settings, contact.speed_in_m_per_s, sample_rate_hz)
            })
        });
        let surplus = contacts.clone().count().saturating_sub(MAX_CONTACTS);
        for trial in contacts.skip(surplus) {
            self.contacts.force_push(trial);
        }
    }

    /// Sets the sample rate. Audio thread.
    pub fn set_sample_rate(&self, hz: f64) {
        self.sample_rate_hz.store(hz, Ordering::Relaxed);
    }

    /// Reports the processing time of a block as a share of its duration. Audio thread.
    pub fn report_load(&self, share: f32) {
        let before = self.load.load(Ordering::Relaxed);
        self.load.store(before + 0.1 * (share - before), Ordering::Relaxed);
    }

    /// Takes the request for silence. Audio thread.
    pub fn take_silence_request(&self) -> bool {
        self.silence.swap(false, Ordering::Relaxed)
    }

    /// Takes the newest snapshot, if there is a new one. Editor.
    pub fn take_snapshot(&self) -> Option<Snapshot> {
        self.snapshots.pop()
    }

    /// Takes the contacts with a rigid surface since the last call, the newest last. Some may be
    /// missing, but never the newest. Editor.
    pub fn take_contacts(&self) -> impl Iterator<Item = RigidTrial> {
        (0..MAX_CONTACTS).map_while(|_| self.contacts.pop())
    }

    /// The sample rate, Hz. Editor.
    pub fn sample_rate_hz(&self) -> f64 {
        self.sample_rate_hz.load(Ordering::Relaxed)
    }

    /// Smoothed processing time as a share of real time. Editor.
    pub fn load(&self) -> f32 {
        self.load.load(Ordering::Relaxed)
    }

    /// Requests silence. Editor.
    pub fn request_silence(&self) {
        self.silence.store(true, Ordering::Relaxed);
    }

    /// Plays a key, or releases it if there is no velocity. Dropped if the queue is full. Editor.
    pub fn send_note(&self, key: u8, velocity: Option<f32>) {
        let _ = self.notes.push((key, velocity));
    }

    /// Takes the largest output since the last call, left and right. Editor.
    pub fn take_peak(&self) -> [f32; 2] {
        self.peak.each_ref().map(|peak| peak.swap(0.0, Ordering::Relaxed))
    }

    /// Takes the smallest gain of the limiter since the last call. Editor.
    pub fn take_limiter_gain(&self) -> f32 {
        self.limiter_gain.swap(1.0, Ordering::Relaxed)
    }

    /// The number of sounding voices. Editor.
    pub fn voices(&self) -> u32 {
        self.voices.load(Ordering::Relaxed)
    }
}

impl Default for Telemetry {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::Point;
    use crate::contact::ContactSettings;
    use crate::voice::events::passed;

    /// Miri is a thousand times slower, but explores more orderings than a processor.
    const ROUNDS: u32 = if cfg!(miri) { 24 } else { 20_000 };

    /// A contact that its speed identifies.
    fn contact(number: u32) -> ContactEvent {
        let speed = f64::from(number);
        let ContactEventKind::Contact(contact) =
            passed(1e-3, (speed, speed), Point::default(), 0.01, 0.0)
        else {
            panic!("a finished contact is expected")
        };
        let wall_settings = Some(ContactSettings::default());
        let what = ContactEventKind::Contact(crate::voice::events::FinishedContact {
            wall_settings,
            ..contact
        });
        let note = crate::params::event::NoteAddress { id: None, channel: Some(0), key: Some(60) };
        ContactEvent { offset: 0, after_s: 0.0, note, what }
    }

    #[test]
    fn both_sides_may_run_at_once() {
        let telemetry = Telemetry::new();
        std::thread::scope(|scope| {
            // The audio thread.
            let audio = scope.spawn(|| {
                let (mut notes, mut silences) = (Vec::new(), 0);
                for number in 1..=ROUNDS {
                    silences += usize::from(telemetry.take_silence_request());
                    notes.extend(telemetry.take_notes());
                    let (peak, limiter_gain) = (number as f32, 1.0 / number as f32);
                    let status = Status {
                        voices: number as usize,
                        peak: [peak; 2],
                        limiter_gain,
                        ..Status::default()
                    };
                    telemetry.report(&status);
                    telemetry.publish_snapshot(Snapshot {
                        notes: number.into(),
                        keys: number.into(),
                        voice: None,
                    });
                    telemetry.report_contacts(&[contact(2 * number), contact(2 * number + 1)]);
                    std::thread::yield_now();
                }
                (notes, silences)
            });
            // The editor, which plays keys with a velocity that counts them.
            let (mut notes_seen, mut contact, mut peak, mut gain) = (0, 0.0, 0f32, 1f32);
            let mut poll = || {
                if let Some(new) = telemetry.take_snapshot() {
                    assert!(
                        new.notes > notes_seen && new.keys == u128::from(new.notes),
                        "{new:?} after {notes_seen}"
                    );
                    notes_seen = new.notes;
                }
                for trial in telemetry.take_contacts() {
                    assert!(trial.v_in_m_per_s > contact, "{} after {contact}", trial.v_in_m_per_s);
                    contact = trial.v_in_m_per_s;
                }
                let [left, right] = telemetry.take_peak();
                (peak, gain) = (peak.max(left).max(right), gain.min(telemetry.take_limiter_gain()));
            };
            telemetry.request_silence();
            for number in 1..=ROUNDS {
                telemetry.send_note((number % 128) as u8, Some(number as f32));
                poll();
            }
            let (mut notes, silences) = audio.join().expect("the audio thread does not panic");
            poll();
            notes.extend(telemetry.take_notes());
            // The newest snapshots and contacts are never lost; meters lose nothing.
            assert_eq!((notes_seen, contact), (ROUNDS.into(), f64::from(2 * ROUNDS + 1)));
            assert_eq!(
                (peak, gain, telemetry.voices()),
                (ROUNDS as f32, 1.0 / ROUNDS as f32, ROUNDS)
            );
            assert_eq!(
                silences + usize::from(telemetry.take_silence_request()),
                1,
                "requested once"
            );
            // Notes may be lost while the queue is full, but each is complete and in order.
            assert!(notes.len() >= MAX_NOTES.min(ROUNDS as usize), "{} notes", notes.len());
            let numbers: Vec<_> = notes
                .iter()
                .map(|(key, velocity)| (*key, velocity.expect("all are on") as u32))
                .collect();
            assert!(numbers.windows(2).all(|pair| pair[0].1 < pair[1].1), "{numbers:?}");
            assert!(
                numbers.iter().all(|(key, number)| u32::from(*key) == number % 128),
                "{numbers:?}"
            );
        });
    }
}
