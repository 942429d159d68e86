//! The audio thread's part of the VST3 host: blocks with any buses, and a score in VST3's form.

use super::objects::{Changes, Events, lock};
use super::{HostError, Vst3Host, error};
use crate::support::clap_host::{Event, Output, Rendered, Score, Spoken};
use std::collections::HashMap;
use vst3::Steinberg::Vst::Event_::EventTypes_ as Kind;
use vst3::Steinberg::Vst::ProcessContext_::StatesAndFlags_::{kPlaying, kTempoValid};
use vst3::Steinberg::Vst::{
    AudioBusBuffers, AudioBusBuffers__type0, ControllerNumbers_, Event as VstEvent, Event__type0,
    IAudioProcessorTrait, IEventList, IMidiMappingTrait, IParameterChanges, NoteExpressionTypeIDs_,
    NoteExpressionValueEvent, NoteOffEvent, NoteOnEvent, PolyPressureEvent, ProcessContext,
    ProcessData, Sample32, SymbolicSampleSizes_,
};
use vst3::Steinberg::{kResultOk, tresult};

/// The buffers of one bus in a block.
#[derive(Clone, Debug)]
pub enum Bus {
    /// One buffer for each channel; they hold the output afterwards.
    Channels(Vec<Vec<f32>>),
    /// This many channels, and a null pointer in place of their list.
    NoList(i32),
    /// This many channels, and a list of null pointers.
    NoBuffers(i32),
}

impl Bus {
    /// Channels full of NaN: a sample that the plug-in does not write must not pass for silence.
    pub fn unwritten(channels: usize, frames: usize) -> Self {
        Bus::Channels(vec![vec![f32::NAN; frames]; channels])
    }

    /// The existing buffers.
    pub fn channels(&self) -> &[Vec<f32>] {
        match self {
            Bus::Channels(channels) => channels,
            _ => &[],
        }
    }
}

/// All buses of one direction.
#[derive(Clone, Debug)]
pub enum Buses {
    List(Vec<Bus>),
    /// A null pointer with a non-zero count.
    Missing(i32),
}

impl Buses {
    pub fn list(&self) -> &[Bus] {
        match self {
            Buses::List(buses) => buses,
            Buses::Missing(_) => &[],
        }
    }
}

/// The arguments of one call of `process`. Offsets are passed on as they are, sorted or not.
#[derive(Clone)]
pub struct Block {
    pub frames: i32,
    /// Parameter, offset and normalised value.
    pub points: Vec<(u32, i32, f64)>,
    /// Queues without a point.
    pub empty_queues: Vec<u32>,
    pub events: Vec<VstEvent>,
    pub inputs: Buses,
    pub outputs: Buses,
    pub tempo: Option<f64>,
    /// Whether lists of changes and events and a context are present; if not, they are null.
    pub has_lists: bool,
    pub clock: u64,
}

impl Block {
    /// Without events and buses.
    pub fn new(frames: u32) -> Self {
        Self {
            frames: frames as i32,
            points: Vec::new(),
            empty_queues: Vec::new(),
            events: Vec::new(),
            inputs: Buses::List(Vec::new()),
            outputs: Buses::List(Vec::new()),
            tempo: None,
            has_lists: true,
            clock: 0,
        }
    }

    /// The buffers of the main output.
    pub fn main(&self) -> &[Vec<f32>] {
        self.outputs.list().first().map_or(&[], |bus| bus.channels())
    }
}

/// The results of `process`.
pub struct Answer {
    pub result: tresult,
    /// Parameter, offset and normalised value from the plug-in.
    pub points: Vec<(u32, i32, f64)>,
}

/// Buses with the pointers into them.
struct Wired {
    buses: Vec<AudioBusBuffers>,
    // Keeps the lists alive that the buses point to.
    _lists: Vec<Vec<*mut Sample32>>,
}

fn wire(buses: &mut Buses) -> (Wired, i32, *mut AudioBusBuffers) {
    let list = match buses {
        Buses::Missing(count) => {
            return (Wired { buses: Vec::new(), _lists: Vec::new() }, *count, std::ptr::null_mut());
        }
        Buses::List(list) => list,
    };
    let mut wired = Wired { buses: Vec::new(), _lists: Vec::new() };
    for bus in list.iter_mut() {
        let mut pointers: Vec<*mut Sample32> = match bus {
            Bus::Channels(channels) => {
                channels.iter_mut().map(|channel| channel.as_mut_ptr()).collect()
            }
            Bus::NoList(_) => Vec::new(),
            Bus::NoBuffers(count) => vec![std::ptr::null_mut(); *count as usize],
        };
        let count = if let Bus::NoList(count) = bus { *count } else { pointers.len() as i32 };
        let is_null = matches!(bus, Bus::NoList(_));
        let buffers = if is_null { std::ptr::null_mut() } else { pointers.as_mut_ptr() };
        wired.buses.push(AudioBusBuffers {
            numChannels: count,
            silenceFlags: 0,
            __field0: AudioBusBuffers__type0 { channelBuffers32: buffers },
        });
        wired._lists.push(pointers);
    }
    let pointer = wired.buses.as_mut_ptr();
    (wired, list.len() as i32, pointer)
}

/// A silence flag must be accurate, because a host may skip a bus that has it.
fn check_flags(wired: &Wired, buses: &Buses) -> Result<(), HostError> {
    for (number, (bus, wired)) in buses.list().iter().zip(&wired.buses).enumerate() {
        for (channel, samples) in bus.channels().iter().enumerate() {
            let is_flagged = wired.silenceFlags >> channel & 1 != 0;
            if is_flagged && samples.iter().any(|sample| *sample != 0.0) {
                return Err(error(format!(
                    "output {number}, channel {channel} sounds and is flagged as silent"
                )));
            }
        }
    }
    Ok(())
}

/// The sounding notes, and the host's state between blocks.
#[derive(Default)]
pub(super) struct Player {
    clock: u64,
    /// Channel and key by note id.
    notes: HashMap<u32, (i16, i16)>,
}

fn event(offset: i32, kind: u32, body: Event__type0) -> VstEvent {
    VstEvent {
        busIndex: 0,
        sampleOffset: offset,
        ppqPosition: 0.0,
        flags: 0,
        r#type: kind as u16,
        __field0: body,
    }
}

/// A note-on.
pub fn note_on(offset: i32, channel: i16, pitch: i16, velocity: f32, note_id: i32) -> VstEvent {
    let note = NoteOnEvent { channel, pitch, tuning: 0.0, velocity, length: 0, noteId: note_id };
    event(offset, Kind::kNoteOnEvent, Event__type0 { noteOn: note })
}

/// A note-off.
pub fn note_off(offset: i32, channel: i16, pitch: i16, velocity: f32, note_id: i32) -> VstEvent {
    let note = NoteOffEvent { channel, pitch, velocity, noteId: note_id, tuning: 0.0 };
    event(offset, Kind::kNoteOffEvent, Event__type0 { noteOff: note })
}

fn pressure(offset: i32, channel: i16, pitch: i16, pressure: f32, note_id: i32) -> VstEvent {
    let event_body = PolyPressureEvent { channel, pitch, pressure, noteId: note_id };
    event(offset, Kind::kPolyPressureEvent, Event__type0 { polyPressure: event_body })
}

fn expression(offset: i32, kind: u32, value: f64, note_id: u32) -> VstEvent {
    let body = NoteExpressionValueEvent { typeId: kind, noteId: note_id as i32, value };
    event(offset, Kind::kNoteExpressionValueEvent, Event__type0 { noteExpressionValue: body })
}

impl Vst3Host {
    /// One call of `process`, on the current thread.
    pub fn process(&self, block: &mut Block) -> Result<Answer, HostError> {
        let changes = Changes::new(&block.points);
        block.empty_queues.iter().for_each(|id| drop(changes.queue(*id)));
        let reported = Changes::new(&[]);
        let (events, out_events) = (Events::new(&block.events), Events::new(&[]));
        let (inputs, input_count, input_pointer) = wire(&mut block.inputs);
        let (outputs, output_count, output_pointer) = wire(&mut block.outputs);
        // SAFETY: a plain structure of numbers.
        let mut context: ProcessContext = unsafe { std::mem::zeroed() };
        context.sampleRate = *lock(&self.rate);
        context.projectTimeSamples = block.clock as i64;
        context.continousTimeSamples = block.clock as i64;
        context.state = kPlaying;
        if let Some(bpm) = block.tempo {
            context.tempo = bpm;
            context.state |= kTempoValid;
        }
        let mut data = ProcessData {
            processMode: *lock(&self.mode),
            symbolicSampleSize: SymbolicSampleSizes_::kSample32 as i32,
            numSamples: block.frames,
            numInputs: input_count,
            numOutputs: output_count,
            inputs: input_pointer,
            outputs: output_pointer,
            inputParameterChanges: std::ptr::null_mut(),
            outputParameterChanges: std::ptr::null_mut(),
            inputEvents: std::ptr::null_mut(),
            outputEvents: std::ptr::null_mut(),
            processContext: std::ptr::null_mut(),
        };
        if block.has_lists {
            let is_there = "the list has its interface";
            data.inputParameterChanges =
                changes.as_com_ref::<IParameterChanges>().expect(is_there).as_ptr();
            data.outputParameterChanges =
                reported.as_com_ref::<IParameterChanges>().expect(is_there).as_ptr();
            data.inputEvents = events.as_com_ref::<IEventList>().expect(is_there).as_ptr();
            data.outputEvents = out_events.as_com_ref::<IEventList>().expect(is_there).as_ptr();
            data.processContext = &mut context;
        }
        // SAFETY: all pointers are valid until the end of this function.
        let result = unsafe { self.processor.process(&mut data) };
        drop(inputs);
        check_flags(&outputs, &block.outputs)?;
        Ok(Answer { result, points: reported.points() })
    }

    /// Buses as the plug-in declares them now.
    pub fn declared(&self, frames: usize) -> (Buses, Buses) {
        let buses = |is_output, fill: fn(usize, usize) -> Bus| {
            Buses::List(
                self.bus_widths(is_output).into_iter().map(|width| fill(width, frames)).collect(),
            )
        };
        let silent = |channels, frames| Bus::Channels(vec![vec![0.0; frames]; channels]);
        (buses(false, silent), buses(true, Bus::unwritten))
    }

    /// A block with the declared buses.
    pub fn block(&self, frames: u32) -> Block {
        let (inputs, outputs) = self.declared(frames as usize);
        Block { inputs, outputs, ..Block::new(frames) }
    }

    /// Plays the score in the given blocks, on an audio thread.
    pub fn render(&self, score: &Score, blocks: &[u32]) -> Result<Rendered, HostError> {
        self.render_with(score, blocks, &[])
    }

    /// The same with an input, alike on both channels of the first input.
    pub fn render_with(
        &self,
        score: &Score,
        blocks: &[u32],
        input: &[f32],
    ) -> Result<Rendered, HostError> {
        std::thread::scope(|scope| {
            match scope.spawn(|| self.render_here(score, blocks, input)).join() {
                Ok(rendered) => rendered,
                Err(panic) => std::panic::resume_unwind(panic),
            }
        })
    }

    /// The same on the current thread.
    pub fn render_here(
        &self,
        score: &Score,
        blocks: &[u32],
        input: &[f32],
    ) -> Result<Rendered, HostError> {
        let total: u64 = blocks.iter().map(|frames| u64::from(*frames)).sum();
        if score.end() >= total && !score.events().is_empty() {
            return Err(error(format!(
                "an event at {} lies behind the last block, at {total}",
                score.end()
            )));
        }
        let mut player = lock(&self.player);
        let mut rendered = Rendered::default();
        let (mut events, mut start) = (score.events(), 0u64);
        for &frames in blocks {
            let end = start + u64::from(frames);
            let (due, later) = events.split_at(events.partition_point(|(time, _)| *time < end));
            events = later;
            let mut block = self.block(frames);
            block.clock = player.clock;
            block.tempo = score.tempo_at(start);
            for (id, value) in self.handler.take_pending() {
                block.points.push((id, 0, value));
            }
            for (time, event) in due {
                self.translate(&mut player, &mut block, (time - start) as i32, *event)?;
            }
            if let (Buses::List(buses), false) = (&mut block.inputs, input.is_empty())
                && let Some(Bus::Channels(channels)) = buses.first_mut()
            {
                let part = &input[start as usize..end as usize];
                channels.iter_mut().for_each(|channel| channel.copy_from_slice(part));
            }
            let answer = self.process(&mut block)?;
            if answer.result != kResultOk {
                return Err(error(format!(
                    "processing failed at sample {start}: {}",
                    answer.result
                )));
            }
            let reported = answer.points.into_iter();
            rendered.events.extend(reported.map(|(id, offset, value)| {
                let value = self.clap_value(id, value);
                (start + offset.max(0) as u64, Output::Param { id, value })
            }));
            let pair = |bus: &Bus| match bus.channels() {
                [left, right, ..] => [left.clone(), right.clone()],
                [one] => [one.clone(), one.clone()],
                [] => [Vec::new(), Vec::new()],
            };
            let pairs: Vec<_> = block.outputs.list().iter().map(pair).collect();
            let [left, right] = pairs.first().ok_or_else(|| error("there is no output"))?;
            rendered.left.extend(left);
            rendered.right.extend(right);
            rendered.beside.resize(pairs.len() - 1, Default::default());
            for (ours, new) in rendered.beside.iter_mut().zip(&pairs[1..]) {
                ours.iter_mut().zip(new).for_each(|(side, more)| side.extend(more));
            }
            player.clock += u64::from(frames);
            start = end;
        }
        Ok(rendered)
    }

    /// Writes one event of a score into a block, in VST3's form.
    fn translate(
        &self,
        player: &mut Player,
        block: &mut Block,
        at: i32,
        event: Event,
    ) -> Result<(), HostError> {
        let number = |id: Option<u32>| id.map_or(-1, |id| id as i32);
        match event {
            Event::NoteOn { key, velocity, channel, id } => {
                if let Some(id) = id {
                    player.notes.insert(id, (channel as i16, key as i16));
                }
                block.events.push(note_on(
                    at,
                    channel as i16,
                    key as i16,
                    velocity as f32,
                    number(id),
                ));
            }
            Event::NoteOff { key, velocity, channel, id } => {
                block.events.push(note_off(
                    at,
                    channel as i16,
                    key as i16,
                    velocity as f32,
                    number(id),
                ));
            }
            Event::Param { id, value } => block.points.push((id, at, self.normalised(id, value))),
            Event::Express { what, value, note } => {
                let id = note.id.ok_or_else(|| error("VST3 speaks of notes by their id"))?;
                use NoteExpressionTypeIDs_ as Id;
                let (kind, value) = match what {
                    Spoken::Volume => (Id::kVolumeTypeID, value / 4.0),
                    Spoken::Pan => (Id::kPanTypeID, value),
                    Spoken::Tuning => (Id::kTuningTypeID, value / 240.0 + 0.5),
                    Spoken::Vibrato => (Id::kVibratoTypeID, value),
                    Spoken::Expression => (Id::kExpressionTypeID, value),
                    Spoken::Brightness => (Id::kBrightnessTypeID, value),
                    Spoken::Pressure => {
                        let place = player.notes.get(&id);
                        let (channel, key) = *place
                            .ok_or_else(|| error("pressure of a note that was not struck"))?;
                        block.events.push(pressure(at, channel, key, value as f32, id as i32));
                        return Ok(());
                    }
                };
                block.events.push(expression(at, kind, value, id));
            }
            Event::Midi(bytes) => self.translate_midi(block, at, bytes)?,
            Event::Choke { .. } | Event::ChokeOf(_) | Event::Modulate { .. } => {
                return Err(error(format!("VST3 has no {event:?}")));
            }
        }
        Ok(())
    }

    fn translate_midi(
        &self,
        block: &mut Block,
        at: i32,
        [status, first, second]: [u8; 3],
    ) -> Result<(), HostError> {
        let (channel, key) = (i16::from(status & 0x0f), i16::from(first));
        let share = |value: u8| f32::from(value) / 127.0;
        match status & 0xf0 {
            0x90 if second > 0 => block.events.push(note_on(at, channel, key, share(second), -1)),
            0x80 | 0x90 => block.events.push(note_off(at, channel, key, share(second), -1)),
            0xa0 => block.events.push(pressure(at, channel, key, share(second), -1)),
            0xb0 | 0xd0 | 0xe0 => {
                let (number, value) = match status & 0xf0 {
                    0xb0 => (key, f64::from(second) / 127.0),
                    0xd0 => (ControllerNumbers_::kAfterTouch as i16, f64::from(first) / 127.0),
                    _ => {
                        let wheel = u16::from(second) << 7 | u16::from(first);
                        (ControllerNumbers_::kPitchBend as i16, f64::from(wheel) / 16_383.0)
                    }
                };
                let id = self.midi_param(channel, number);
                let id = id.ok_or_else(|| {
                    error(format!("controller {number} of channel {channel} is not assigned"))
                })?;
                block.points.push((id, at, value));
            }
            _ => return Err(error(format!("VST3 has no MIDI {status:#x}"))),
        }
        Ok(())
    }

    /// The parameter of a controller of a channel; 128 is the channel pressure, 129 the bend.
    pub fn midi_param(&self, channel: i16, number: i16) -> Option<u32> {
        let mut id = 0;
        let mapping = self.midi.as_ref()?;
        (unsafe { mapping.getMidiControllerAssignment(0, channel, number, &mut id) } == kResultOk)
            .then_some(id)
    }
}
