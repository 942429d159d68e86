//! The host's events as the engine's.

use nice_plug::midi::{Channel, Key, VoiceID};
use nice_plug::prelude::*;

use super::params::HostParams;
use crate::modulation::controllers::bend_of_wheel;
use crate::params::Param as Row;
use crate::params::event::{Event, EventKind, ExpressionKind, NoteAddress};

/// What an event asks for; none if it means nothing here.
///
/// Automation of a parameter that is also modulated needs no event: the patch is read anew at every
/// change, and each voice follows it.
pub fn translate(event: NoteEvent<()>, params: &HostParams) -> Option<Event> {
    let (address, kind) =
        of_note(&event).or_else(|| of_channel(&event)).or_else(|| modulation(&event, params))?;
    Some(Event { offset: event.timing() as usize, note: address, kind })
}

/// Of one note.
fn of_note(event: &NoteEvent<()>) -> Option<(NoteAddress, EventKind)> {
    let express = |kind, value| EventKind::Expression { kind, value };
    let (voice_id, channel, key, kind) = match *event {
        NoteEvent::NoteOn { voice_id, channel, key, velocity, .. } => {
            (voice_id, channel, key, EventKind::NoteOn { velocity })
        }
        NoteEvent::NoteOff { voice_id, channel, key, .. } => {
            (voice_id, channel, key, EventKind::NoteOff)
        }
        NoteEvent::Choke { voice_id, channel, key, .. } => {
            (voice_id, channel, key, EventKind::Choke)
        }
        NoteEvent::PolyPressure { voice_id, channel, key, pressure, .. } => {
            (voice_id, channel, key, EventKind::Pressure { value: pressure })
        }
        NoteEvent::PolyVolume { voice_id, channel, key, gain, .. } => {
            (voice_id, channel, key, express(ExpressionKind::Volume, gain))
        }
        NoteEvent::PolyPan { voice_id, channel, key, pan, .. } => {
            (voice_id, channel, key, express(ExpressionKind::Pan, pan))
        }
        NoteEvent::PolyTuning { voice_id, channel, key, tuning, .. } => {
            (voice_id, channel, key, express(ExpressionKind::Tuning, tuning))
        }
        NoteEvent::PolyVibrato { voice_id, channel, key, vibrato, .. } => {
            (voice_id, channel, key, express(ExpressionKind::Vibrato, vibrato))
        }
        NoteEvent::PolyExpression { voice_id, channel, key, expression, .. } => {
            (voice_id, channel, key, express(ExpressionKind::Expression, expression))
        }
        NoteEvent::PolyBrightness { voice_id, channel, key, brightness, .. } => {
            (voice_id, channel, key, express(ExpressionKind::Brightness, brightness))
        }
        _ => return None,
    };
    Some((address(voice_id, channel, key), kind))
}

/// Of a whole channel.
fn of_channel(event: &NoteEvent<()>) -> Option<(NoteAddress, EventKind)> {
    let (channel, kind) = match *event {
        NoteEvent::MidiChannelPressure { channel, pressure, .. } => {
            (channel, EventKind::Pressure { value: pressure })
        }
        NoteEvent::MidiPitchBend { channel, value, .. } => {
            (channel, EventKind::Bend { value: bend_of_wheel(value) })
        }
        NoteEvent::MidiCC { channel, cc, value, .. } => {
            (channel, EventKind::Controller { number: cc, value })
        }
        _ => return None,
    };
    Some((address(VoiceID::Wildcard, Channel::Number(channel), Key::Wildcard), kind))
}

/// The host moves a parameter of one note. Its offset is from the knob, and stands in for what it
/// moves for all notes.
fn modulation(event: &NoteEvent<()>, params: &HostParams) -> Option<(NoteAddress, EventKind)> {
    let NoteEvent::PolyModulation { voice_id, poly_modulation_id, normalized_offset, .. } = *event
    else {
        return None;
    };
    let param = *Row::ALL.get(poly_modulation_id as usize)?;
    let offset = normalized_offset - params.slot(param).moved_for_all();
    let note = NoteAddress { id: Some(voice_id), channel: None, key: None };
    Some((note, EventKind::Modulation { param, offset }))
}

fn address(voice_id: VoiceID, channel: Channel, key: Key) -> NoteAddress {
    NoteAddress { id: voice_id.id(), channel: channel.number(), key: key.number() }
}
