//! Notes, expressions, controllers and values as CLAP events.

use std::mem::size_of;
use std::ptr::null_mut;

use clap_sys::events::*;
use vst3::Steinberg::Vst::Event_::EventTypes_;
use vst3::Steinberg::Vst::*;

use super::params::{CHANNEL_PRESSURE, PITCH_BEND};

/// Any CLAP event that a block carries.
#[derive(Clone, Copy)]
#[repr(C)]
pub union AnyEvent {
    pub header: clap_event_header,
    pub param: clap_event_param_value,
    pub note: clap_event_note,
    pub expression: clap_event_note_expression,
    pub midi: clap_event_midi,
}

/// A sort key and an event. The key orders by time, kind, number within the sample, rank and
/// arrival.
pub type Ordered = (u64, AnyEvent);

/// Kinds of events, in the order in which they take effect at one sample.
pub const VALUE: u64 = 0;
pub const CONTROLLER: u64 = 1;
pub const NOTE: u64 = 2;

/// The header of an event of type `T`.
pub fn header<T>(type_: clap_event_type, time: u32) -> clap_event_header {
    clap_event_header {
        size: size_of::<T>() as u32,
        time,
        space_id: CLAP_CORE_EVENT_SPACE_ID,
        type_,
        flags: 0,
    }
}

/// A parameter value as an event.
pub fn value_event(time: u32, param_id: u32, value: f64) -> clap_event_param_value {
    clap_event_param_value {
        header: header::<clap_event_param_value>(CLAP_EVENT_PARAM_VALUE, time),
        param_id,
        cookie: null_mut(),
        note_id: -1,
        port_index: -1,
        channel: -1,
        key: -1,
        value,
    }
}

/// A controller's value as a MIDI message.
pub fn midi_event(time: u32, channel: u8, controller: u8, value: f64) -> clap_event_midi {
    let value = if value.is_finite() { value.clamp(0.0, 1.0) } else { 0.0 };
    let value_7_bit = (value * 127.0).round() as u8;
    let data = match controller {
        CHANNEL_PRESSURE => [0xd0 | channel, value_7_bit, 0],
        PITCH_BEND => {
            let bend = (value * 16_383.0).round() as u16;
            [0xe0 | channel, (bend & 0x7f) as u8, (bend >> 7) as u8]
        }
        number => [0xb0 | channel, number, value_7_bit],
    };
    clap_event_midi {
        header: header::<clap_event_midi>(CLAP_EVENT_MIDI, time),
        port_index: 0,
        data,
    }
}

/// The order in which controllers take effect at one sample: a parameter number comes before its
/// value. VST3 hosts send each controller in a separate queue, so the original order is lost.
pub fn midi_rank(controller: u8) -> u8 {
    match controller {
        98..=101 => 0,
        6 => 1,
        38 => 2,
        _ => 3,
    }
}

/// Translates a VST3 event to one or two CLAP events.
///
/// # Safety
/// The event's type denotes the union field that is set.
pub unsafe fn translate(event: &Event, time: u32) -> [Option<AnyEvent>; 2] {
    let note = |type_, channel, key, note_id, velocity: f32| AnyEvent {
        note: clap_event_note {
            header: header::<clap_event_note>(type_, time),
            note_id,
            port_index: 0,
            channel,
            key,
            velocity: f64::from(velocity),
        },
    };
    let note_expression = |id, (note_id, channel, key), value| AnyEvent {
        expression: clap_event_note_expression {
            header: header::<clap_event_note_expression>(CLAP_EVENT_NOTE_EXPRESSION, time),
            expression_id: id,
            note_id,
            port_index: 0,
            channel,
            key,
            value,
        },
    };
    // SAFETY: guaranteed by the caller.
    unsafe {
        match u32::from(event.r#type) {
            kind if kind == EventTypes_::kNoteOnEvent as u32 => {
                let on = event.__field0.noteOn;
                let tuning = (on.tuning != 0.0).then(|| {
                    let semitones = f64::from(on.tuning) / 100.0;
                    note_expression(
                        CLAP_NOTE_EXPRESSION_TUNING,
                        (on.noteId, on.channel, on.pitch),
                        semitones,
                    )
                });
                let on = note(CLAP_EVENT_NOTE_ON, on.channel, on.pitch, on.noteId, on.velocity);
                [Some(on), tuning]
            }
            kind if kind == EventTypes_::kNoteOffEvent as u32 => {
                let off = event.__field0.noteOff;
                let off =
                    note(CLAP_EVENT_NOTE_OFF, off.channel, off.pitch, off.noteId, off.velocity);
                [Some(off), None]
            }
            kind if kind == EventTypes_::kPolyPressureEvent as u32 => {
                let pressed = event.__field0.polyPressure;
                let address = (pressed.noteId, pressed.channel, pressed.pitch);
                let value = f64::from(pressed.pressure);
                [Some(note_expression(CLAP_NOTE_EXPRESSION_PRESSURE, address, value)), None]
            }
            kind if kind == EventTypes_::kNoteExpressionValueEvent as u32 => {
                let change = event.__field0.noteExpressionValue;
                let expression = expression(change.typeId).map(|(id, scale, offset)| {
                    note_expression(id, (change.noteId, -1, -1), scale * change.value + offset)
                });
                [expression, None]
            }
            _ => [None, None],
        }
    }
}

/// The CLAP expression of a VST3 expression, with the scale and offset of its value.
pub fn expression(id: NoteExpressionTypeID) -> Option<(clap_note_expression, f64, f64)> {
    match id {
        // A gain of 4 at 1, unity gain at 0.25.
        id if id == NoteExpressionTypeIDs_::kVolumeTypeID as u32 => {
            Some((CLAP_NOTE_EXPRESSION_VOLUME, 4.0, 0.0))
        }
        id if id == NoteExpressionTypeIDs_::kPanTypeID as u32 => {
            Some((CLAP_NOTE_EXPRESSION_PAN, 1.0, 0.0))
        }
        // −120 to +120 semitones.
        id if id == NoteExpressionTypeIDs_::kTuningTypeID as u32 => {
            Some((CLAP_NOTE_EXPRESSION_TUNING, 240.0, -120.0))
        }
        id if id == NoteExpressionTypeIDs_::kVibratoTypeID as u32 => {
            Some((CLAP_NOTE_EXPRESSION_VIBRATO, 1.0, 0.0))
        }
        id if id == NoteExpressionTypeIDs_::kExpressionTypeID as u32 => {
            Some((CLAP_NOTE_EXPRESSION_EXPRESSION, 1.0, 0.0))
        }
        id if id == NoteExpressionTypeIDs_::kBrightnessTypeID as u32 => {
            Some((CLAP_NOTE_EXPRESSION_BRIGHTNESS, 1.0, 0.0))
        }
        _ => None,
    }
}
