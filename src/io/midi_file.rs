//! Notes of a standard MIDI file, with times in samples.

use std::path::Path;

use anyhow::{Context, Result, ensure};
use midly::num::u7;
use midly::{MetaMessage, MidiMessage, Smf, Timing, TrackEventKind};

use crate::modulation::controllers::bend_of_wheel;
use crate::params::event::{Event, EventKind, NoteAddress};

/// Tempo before the first tempo event, microseconds per quarter note.
const DEFAULT_TEMPO_US: u32 = 500_000;

/// Offset of the timing byte in a header: for SMPTE time the negated frames per second.
const TIMING_OFFSET: usize = 12;

/// Reads the events of all tracks in the order of time.
pub fn read(path: &Path, rate_hz: f64) -> Result<Vec<Event>> {
    let bytes =
        std::fs::read(path).with_context(|| format!("{}: cannot be read", path.display()))?;
    parse(&bytes, rate_hz).with_context(|| path.display().to_string())
}

/// Reads events from the contents of a MIDI file.
pub fn parse(bytes: &[u8], rate_hz: f64) -> Result<Vec<Event>> {
    // midly panics at -128 frames per second, and reads every header in the file.
    let is_invalid = |header: &[u8]| header.starts_with(b"MThd") && header[TIMING_OFFSET] == 0x80;
    ensure!(
        !bytes.windows(TIMING_OFFSET + 1).any(is_invalid),
        "is not a MIDI file: 128 frames per second are not allowed"
    );
    let smf = Smf::parse(bytes).context("is not a MIDI file")?;
    let events = notes(&smf, rate_hz);
    ensure!(!events.is_empty(), "holds no notes");
    Ok(events)
}

fn notes(smf: &Smf, rate_hz: f64) -> Vec<Event> {
    let mut all = Vec::new();
    for track in &smf.tracks {
        let mut tick = 0u64;
        for event in track {
            tick += u64::from(event.delta.as_int());
            all.push((tick, event.kind));
        }
    }
    // Stable: events at one tick keep the order of their tracks.
    all.sort_by_key(|(tick, _)| *tick);

    let mut clock = Clock::new(smf.header.timing);
    let mut events = Vec::new();
    for (tick, kind) in all {
        let seconds = clock.seconds_at(tick);
        match kind {
            TrackEventKind::Meta(MetaMessage::Tempo(tempo)) => clock.set_tempo(tempo.as_int()),
            TrackEventKind::Midi { channel, message } => {
                let Some((key, kind)) = translate(message) else { continue };
                let note = NoteAddress { id: None, channel: Some(channel.as_int()), key };
                events.push(Event { offset: (seconds * rate_hz).round() as usize, note, kind });
            }
            _ => {}
        }
    }
    events
}

/// The key and the event of a message; `None` for messages that the instrument ignores.
fn translate(message: MidiMessage) -> Option<(Option<u8>, EventKind)> {
    let share = |value: u7| f32::from(value.as_int()) / 127.0;
    Some(match message {
        MidiMessage::NoteOn { key, vel } if vel.as_int() > 0 => {
            (Some(key.as_int()), EventKind::NoteOn { velocity: share(vel) })
        }
        MidiMessage::NoteOn { key, .. } | MidiMessage::NoteOff { key, .. } => {
            (Some(key.as_int()), EventKind::NoteOff)
        }
        MidiMessage::Controller { controller, value } => {
            (None, EventKind::Controller { number: controller.as_int(), value: share(value) })
        }
        MidiMessage::ChannelAftertouch { vel } => (None, EventKind::Pressure { value: share(vel) }),
        MidiMessage::Aftertouch { key, vel } => {
            (Some(key.as_int()), EventKind::Pressure { value: share(vel) })
        }
        MidiMessage::PitchBend { bend } => {
            (None, EventKind::Bend { value: bend_of_wheel(f32::from(bend.0.as_int()) / 16_383.0) })
        }
        _ => return None,
    })
}

/// Converts ticks to seconds, with tempo changes.
struct Clock {
    timing: Timing,
    tempo_us: u32,
    tick: u64,
    seconds: f64,
}

impl Clock {
    fn new(timing: Timing) -> Self {
        Self { timing, tempo_us: DEFAULT_TEMPO_US, tick: 0, seconds: 0.0 }
    }

    fn seconds_at(&mut self, tick: u64) -> f64 {
        let ticks = tick.saturating_sub(self.tick) as f64;
        self.seconds += match self.timing {
            Timing::Metrical(per_quarter) => {
                ticks * f64::from(self.tempo_us) * 1e-6 / f64::from(per_quarter.as_int().max(1))
            }
            Timing::Timecode(fps, per_frame) => {
                ticks / (f64::from(fps.as_f32()) * f64::from(per_frame.max(1)))
            }
        };
        self.tick = tick;
        self.seconds
    }

    fn set_tempo(&mut self, tempo_us: u32) {
        self.tempo_us = tempo_us;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use midly::num::{u4, u7, u15, u24, u28};
    use midly::{Format, Header, TrackEvent};

    fn event(delta: u32, kind: TrackEventKind<'static>) -> TrackEvent<'static> {
        TrackEvent { delta: u28::new(delta), kind }
    }

    fn note(delta: u32, key: u8, vel: u8) -> TrackEvent<'static> {
        let message = MidiMessage::NoteOn { key: u7::new(key), vel: u7::new(vel) };
        event(delta, TrackEventKind::Midi { channel: u4::new(3), message })
    }

    #[test]
    fn an_invalid_frame_rate_is_refused() {
        let mut file = b"MThd\0\0\0\x06\0\0\0\x01\0\x60MTrk\0\0\0\x04\0\x90\x3c\x64".to_vec();
        assert_eq!(parse(&file, 1000.0).unwrap().len(), 1);
        let second = file.len();
        file.extend(b"MThd\0\0\0\x06\0\0\0\x01\0\x60");
        assert_eq!(parse(&file, 1000.0).unwrap().len(), 1, "a second header is ignored");
        for header in [second, 0] {
            file[header + TIMING_OFFSET] = 0x80;
            assert!(parse(&file, 1000.0).is_err());
        }
    }

    #[test]
    fn tempo_changes_of_one_track_move_the_notes_of_another() {
        let mut smf = Smf::new(Header::new(Format::Parallel, Timing::Metrical(u15::new(100))));
        smf.tracks
            .push(vec![event(100, TrackEventKind::Meta(MetaMessage::Tempo(u24::new(1_000_000))))]);
        smf.tracks.push(vec![note(0, 60, 127), note(100, 61, 64), note(100, 60, 0)]);
        let events = notes(&smf, 1000.0);
        // a quarter at 120 per minute, then one at 60
        assert_eq!(events.iter().map(|e| e.offset).collect::<Vec<_>>(), [0, 500, 1500]);
        assert_eq!(events[0].kind, EventKind::NoteOn { velocity: 1.0 });
        assert_eq!(events[2].kind, EventKind::NoteOff, "velocity 0 is a note-off");
        assert_eq!(events[2].note, NoteAddress { id: None, channel: Some(3), key: Some(60) });
    }
}
