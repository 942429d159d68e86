//! The audio thread's part of the host: events and blocks in, samples and events out.
use super::handlers::Handlers;
use super::{Event, HostError, NoteOf, Score, Spoken, error};
use clack_host::events::event_types::{
    MidiEvent, NoteChokeEvent, NoteExpressionEvent, NoteExpressionType, NoteOffEvent, NoteOnEvent,
    ParamModEvent, ParamValueEvent, TransportEvent, TransportFlags,
};
use clack_host::events::spaces::CoreEventSpace;
use clack_host::events::{EventFlags, EventHeader, Match, Pckn, UnknownEvent};
use clack_host::prelude::*;
use clack_host::process::StartedPluginAudioProcessor;
use clack_host::utils::{BeatTime, ClapId, SecondsTime};

/// An event from the plug-in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Output {
    /// A note has ended.
    NoteEnd { key: Option<u16>, id: Option<u32> },
    /// The plug-in moved a parameter.
    Param { id: u32, value: f64 },
    /// Any other event, by its CLAP event type.
    Other(u16),
}

/// The result of one call of [`ClapHost::render`](super::ClapHost::render).
#[derive(Clone, Debug, Default)]
pub struct Rendered {
    pub left: Vec<f32>,
    pub right: Vec<f32>,
    /// Left and right of the outputs beside the main one.
    pub beside: Vec<[Vec<f32>; 2]>,
    /// The plug-in's events, with their times in samples from the start of the render.
    pub events: Vec<(u64, Output)>,
    /// The plug-in's answer to each block: whether it wants to be called again.
    pub statuses: Vec<ProcessStatus>,
}

impl Rendered {
    /// The largest magnitude of both channels; infinite if any sample is not finite, so that a peak
    /// check sees it.
    pub fn peak(&self) -> f32 {
        let magnitude = |peak: f32, x: &f32| {
            if x.is_finite() { peak.max(x.abs()) } else { f32::INFINITY }
        };
        self.left.iter().chain(&self.right).fold(0.0, magnitude)
    }

    /// The first sample of either channel that is not exactly zero.
    pub fn onset(&self) -> Option<usize> {
        self.left.iter().zip(&self.right).position(|(l, r)| *l != 0.0 || *r != 0.0)
    }

    /// Appends `next`.
    pub fn append(&mut self, next: Rendered) {
        let shift = self.left.len() as u64;
        self.left.extend(next.left);
        self.right.extend(next.right);
        for (ours, theirs) in self.beside.iter_mut().zip(next.beside) {
            ours.iter_mut().zip(theirs).for_each(|(side, more)| side.extend(more));
        }
        self.events.extend(next.events.into_iter().map(|(time, event)| (time + shift, event)));
        self.statuses.extend(next.statuses);
    }
}

/// An address in CLAP's form.
fn meant(note: NoteOf) -> Pckn {
    let or_all = |value: Option<u16>| value.map_or(Match::All, Match::Specific);
    Pckn::new(
        0u16,
        or_all(note.channel),
        or_all(note.key),
        note.id.map_or(Match::All, Match::Specific),
    )
}

/// Writes one event in CLAP's form, `time` samples into its block.
pub(super) fn push(buffer: &mut EventBuffer, time: u32, event: &Event) {
    let note = |channel: u16, key: u16, id: Option<u32>| {
        Pckn::new(0u16, channel, key, id.map_or(Match::All, Match::Specific))
    };
    match *event {
        Event::NoteOn { key, velocity, channel, id } => {
            buffer.push(&NoteOnEvent::new(time, note(channel, key, id), velocity))
        }
        Event::NoteOff { key, velocity, channel, id } => {
            buffer.push(&NoteOffEvent::new(time, note(channel, key, id), velocity))
        }
        Event::Choke { key } => {
            let key = key.map_or(Match::All, Match::Specific);
            buffer.push(&NoteChokeEvent::new(time, Pckn { key, ..Pckn::match_all() }));
        }
        Event::Param { id, value } => {
            buffer.push(&ParamValueEvent::new(time, ClapId::new(id), Pckn::match_all(), value))
        }
        Event::ChokeOf(note) => buffer.push(&NoteChokeEvent::new(time, meant(note))),
        Event::Express { what, value, note } => {
            let what = match what {
                Spoken::Volume => NoteExpressionType::Volume,
                Spoken::Pan => NoteExpressionType::Pan,
                Spoken::Tuning => NoteExpressionType::Tuning,
                Spoken::Vibrato => NoteExpressionType::Vibrato,
                Spoken::Expression => NoteExpressionType::Expression,
                Spoken::Brightness => NoteExpressionType::Brightness,
                Spoken::Pressure => NoteExpressionType::Pressure,
            };
            buffer.push(&NoteExpressionEvent::new(time, meant(note), what, value));
        }
        Event::Modulate { id, amount, note } => {
            buffer.push(&ParamModEvent::new(time, ClapId::new(id), meant(note), amount))
        }
        Event::Midi(bytes) => buffer.push(&MidiEvent::new(time, 0, bytes)),
    }
}

/// A transport with this tempo and no other data.
fn transport(bpm: f64) -> TransportEvent {
    let (beats, seconds) = (BeatTime::from_int(0), SecondsTime::from_int(0));
    TransportEvent {
        header: EventHeader::new_core(0, EventFlags::empty()),
        flags: TransportFlags::HAS_TEMPO | TransportFlags::IS_PLAYING,
        song_pos_beats: beats,
        song_pos_seconds: seconds,
        tempo: bpm,
        tempo_inc: 0.0,
        loop_start_beats: beats,
        loop_end_beats: beats,
        loop_start_seconds: seconds,
        loop_end_seconds: seconds,
        bar_start: beats,
        bar_number: 0,
        time_signature_numerator: 4,
        time_signature_denominator: 4,
    }
}

/// Plays a score through the plug-in in the given blocks; `clock` is the steady time of the first
/// sample.
pub(super) fn run(
    processor: &mut StartedPluginAudioProcessor<Handlers>,
    score: &Score,
    blocks: &[u32],
    clock: u64,
    input: &[f32],
    outputs: usize,
) -> Result<Rendered, HostError> {
    let total: usize = blocks.iter().map(|b| *b as usize).sum();
    // The buffers start with invalid values: a sample that the plug-in does not write must not pass
    // for silence.
    let mut rendered = Rendered {
        left: vec![f32::NAN; total],
        right: vec![f32::NAN; total],
        ..Default::default()
    };
    rendered.beside = vec![[vec![f32::NAN; total], vec![f32::NAN; total]]; outputs - 1];
    let (mut ports, mut input_ports) =
        (AudioPorts::with_capacity(2 * outputs, outputs), AudioPorts::with_capacity(2, 1));
    let mut incoming = [input.to_vec(), input.to_vec()];
    let (mut sent, mut received) = (EventBuffer::new(), EventBuffer::new());
    let (mut events, mut start) = (score.events(), 0u64);
    for &frames in blocks {
        let end = start + u64::from(frames);
        let due = events.partition_point(|(time, _)| *time < end);
        sent.clear();
        received.clear();
        for (time, event) in &events[..due] {
            push(&mut sent, (time - start) as u32, event);
        }
        events = &events[due..];
        let range = start as usize..end as usize;
        let inputs = if input.is_empty() {
            InputAudioBuffers::empty()
        } else {
            let channels = incoming
                .iter_mut()
                .map(|side| InputChannel::from_buffer(&mut side[range.clone()], false));
            input_ports.with_input_buffers([AudioPortBuffer {
                latency: 0,
                channels: AudioPortBufferType::f32_input_only(channels),
            }])
        };
        let main = [&mut rendered.left[range.clone()], &mut rendered.right[range.clone()]];
        let beside = rendered
            .beside
            .iter_mut()
            .map(|[left, right]| [&mut left[range.clone()], &mut right[range.clone()]]);
        let all: Vec<_> = std::iter::once(main).chain(beside).collect();
        let mut output =
            ports.with_output_buffers(all.into_iter().map(|channels| AudioPortBuffer {
                latency: 0,
                channels: AudioPortBufferType::f32_output_only(channels.into_iter()),
            }));
        let (mut reported, transport) =
            (received.as_output(), score.tempo_at(start).map(transport));
        let status = processor
            .process(
                &inputs,
                &mut output,
                &sent.as_input(),
                &mut reported,
                Some(clock + start),
                transport.as_ref(),
            )
            .map_err(|e| error(format!("processing failed at sample {start}: {e}")))?;
        rendered.statuses.push(status);
        for event in received.iter() {
            rendered.events.push((start + u64::from(event.header().time()), output_event(event)));
        }
        start = end;
    }
    Ok(rendered)
}

fn output_event(event: &UnknownEvent) -> Output {
    match event.as_core_event() {
        Some(CoreEventSpace::NoteEnd(end)) => {
            Output::NoteEnd { key: end.key().into_specific(), id: end.note_id().into_specific() }
        }
        Some(CoreEventSpace::ParamValue(change)) => Output::Param {
            id: change.param_id().map_or(u32::MAX, |id| id.get()),
            value: change.value(),
        },
        _ => Output::Other(event.header().type_id()),
    }
}
