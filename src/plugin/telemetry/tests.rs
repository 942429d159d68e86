//! Both sides at work at once, as the audio thread and the editor are.

use super::*;
use crate::body::Point;
use crate::contact::ContactSettings;
use crate::voice::events::passed;

/// Miri is a thousand times slower, and makes up for it by trying orders that no processor would.
const ROUNDS: u32 = if cfg!(miri) { 24 } else { 20_000 };

/// A contact that can be told from others by its speed.
fn contact(number: u32) -> ContactEvent {
    let speed = f64::from(number);
    let ContactEventKind::Contact(contact) =
        passed(1e-3, (speed, speed), Point::default(), 0.01, 0.0)
    else {
        panic!("something that passed by is a contact")
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
fn both_sides_may_be_at_work_at_once() {
    let telemetry = Telemetry::new();
    std::thread::scope(|scope| {
        // It plays, and tells of it.
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
        // It looks, and plays keys with a velocity that counts them.
        let (mut view, mut contact, mut peak, mut gain) = (0, 0.0, 0f32, 1f32);
        let mut look = || {
            if let Some(new) = telemetry.take_snapshot() {
                assert!(
                    new.notes > view && new.keys == u128::from(new.notes),
                    "{new:?} after {view}"
                );
                view = new.notes;
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
            look();
        }
        let (mut notes, silences) = audio.join().expect("it does not panic");
        look();
        notes.extend(telemetry.take_notes());
        // Of views and contacts the newest are never missed, of meters nothing is.
        assert_eq!((view, contact), (ROUNDS.into(), f64::from(2 * ROUNDS + 1)));
        assert_eq!((peak, gain, telemetry.voices()), (ROUNDS as f32, 1.0 / ROUNDS as f32, ROUNDS));
        assert_eq!(silences + usize::from(telemetry.take_silence_request()), 1, "asked for once");
        // Notes may be missing where the queue was full, but each is whole and in its turn.
        assert!(notes.len() >= NOTES.min(ROUNDS as usize), "{} notes", notes.len());
        let numbers: Vec<_> = notes
            .iter()
            .map(|(key, velocity)| (*key, velocity.expect("all are on") as u32))
            .collect();
        assert!(numbers.windows(2).all(|pair| pair[0].1 < pair[1].1), "{numbers:?}");
        assert!(numbers.iter().all(|(key, number)| u32::from(*key) == number % 128), "{numbers:?}");
    });
}
