//! Translation of a VST3 block to CLAP blocks.
//!
//! Every automation point, note and expression becomes a CLAP event at its sample. At one sample,
//! parameters come first, then controllers, then notes.

use std::mem::size_of;
use std::ptr::{null, null_mut};
use std::sync::atomic::Ordering;

use clap_sys::audio_buffer::clap_audio_buffer;
use clap_sys::events::*;
use clap_sys::fixedpoint::{CLAP_BEATTIME_FACTOR, CLAP_SECTIME_FACTOR};
use clap_sys::process::{CLAP_PROCESS_ERROR, clap_process};
use vst3::ComRef;
use vst3::Steinberg::Vst::ProcessContext_::StatesAndFlags_ as states;
use vst3::Steinberg::Vst::*;

use super::core::{Core, Edit, work};
use super::events::{
    AnyEvent, CONTROLLER, NOTE, Ordered, VALUE, header, midi_event, midi_rank, translate,
    value_event,
};
use super::params::Kind;

/// Maximum number of events of a CLAP block. A VST3 block with more is split.
const MAX_EVENTS: usize = 8192;
/// Length of the sub-blocks, samples: short enough for a point of every parameter at every sample.
const SUB_BLOCK_SAMPLES: usize = 32;
/// Maximum number of parameter queues of a block.
const MAX_QUEUES: usize = 1024;

/// Buffers of the audio thread, allocated in advance.
pub struct Audio {
    events: Vec<Ordered>,
    /// The next point to read of each queue of the block.
    cursors: Vec<i32>,
    inputs: Vec<clap_audio_buffer>,
    outputs: Vec<clap_audio_buffer>,
    /// Channel pointers of a sub-block, for all buses.
    pointers: Vec<*mut f32>,
    steady_time: i64,
}

impl Audio {
    /// Allocates for a number of buses on each side.
    pub fn new(inputs: usize, outputs: usize) -> Self {
        let buffer = clap_audio_buffer {
            data32: null_mut(),
            data64: null_mut(),
            channel_count: 0,
            latency: 0,
            constant_mask: 0,
        };
        Self {
            events: Vec::with_capacity(MAX_EVENTS),
            cursors: Vec::with_capacity(MAX_QUEUES),
            inputs: vec![buffer; inputs],
            outputs: vec![buffer; outputs],
            pointers: vec![null_mut(); 64 * (inputs + outputs).max(1)],
            steady_time: 0,
        }
    }

    /// Processes a block. `active` contains the active input and output buses, one bit each.
    ///
    /// # Safety
    /// The block is the host's, valid during its call, and has 32-bit samples.
    pub unsafe fn process(&mut self, core: &Core, data: &ProcessData, active: (u64, u64)) -> bool {
        let frames = usize::try_from(data.numSamples).unwrap_or(0);
        // SAFETY: guaranteed by the caller.
        let (changes, events) = unsafe {
            (ComRef::from_raw(data.inputParameterChanges), ComRef::from_raw(data.inputEvents))
        };
        self.cursors.clear();
        let queues = changes.as_ref().map_or(0, |changes| unsafe { changes.getParameterCount() });
        self.cursors.resize((queues.max(0) as usize).min(MAX_QUEUES), 0);
        let sub_block = match unsafe { count(changes.as_ref(), events.as_ref()) } {
            total if total > MAX_EVENTS => SUB_BLOCK_SAMPLES,
            _ => frames.max(1),
        };
        let mut start = 0;
        let mut is_processed = true;
        loop {
            let end = (start + sub_block).min(frames);
            let is_last = end == frames;
            self.events.clear();
            // SAFETY: guaranteed by the caller.
            unsafe {
                if let Some(changes) = &changes {
                    self.read_changes(core, changes, start..end, is_last);
                }
                if let Some(events) = &events {
                    self.read_events(events, start..end, is_last);
                }
                self.events.sort_unstable_by_key(|(order, _)| *order);
                is_processed &= self.process_sub_block(core, data, start..end, active);
            }
            if is_last {
                break;
            }
            start = end;
        }
        let is_served =
            |index: usize| index < self.outputs.len() && active.1 >> index.min(63) & 1 == 1;
        // SAFETY: guaranteed by the caller.
        unsafe { clear_outputs(data, is_served) };
        if !core.has_run_loop.load(Ordering::Relaxed) {
            // SAFETY: guaranteed by the caller.
            unsafe { report_edits(core, data.outputParameterChanges) };
        }
        is_processed
    }

    /// Adds an event. Drops it if the list is full, which takes more than a point of every
    /// parameter at a sample.
    fn push(&mut self, (time, kind, number, rank): (u32, u64, u64, u8), event: AnyEvent) {
        if self.events.len() < MAX_EVENTS {
            let arrival = self.events.len() as u64;
            let order = u64::from(time) << 40
                | kind << 38
                | number.min(0x3fff) << 24
                | u64::from(rank) << 20
                | arrival;
            self.events.push((order, event));
        }
    }

    /// The time of an offset within a sub-block; `None` if it belongs to a later one.
    fn time(offset: i32, sub_block: &std::ops::Range<usize>, is_last: bool) -> Option<u32> {
        let offset = usize::try_from(offset).unwrap_or(0);
        if offset >= sub_block.end && !is_last {
            return None;
        }
        // Clamp late events to the last sample and early ones to the first.
        let last = sub_block.end.saturating_sub(1).max(sub_block.start);
        Some((offset.clamp(sub_block.start, last) - sub_block.start) as u32)
    }

    /// Reads the automation points of a sub-block.
    unsafe fn read_changes(
        &mut self,
        core: &Core,
        changes: &ComRef<IParameterChanges>,
        sub_block: std::ops::Range<usize>,
        is_last: bool,
    ) {
        for index in 0..self.cursors.len() {
            // SAFETY: guaranteed by the caller.
            let Some(queue) = (unsafe { ComRef::from_raw(changes.getParameterData(index as i32)) })
            else {
                continue;
            };
            // SAFETY: as above.
            let (id, points) = unsafe { (queue.getParameterId(), queue.getPointCount()) };
            let Some(param) = core.table().find(id) else { continue };
            let (mut last_time, mut number) = (None, 0);
            while self.cursors[index] < points {
                let (mut offset, mut value) = (0, 0.0);
                // SAFETY: as above.
                let result =
                    unsafe { queue.getPoint(self.cursors[index], &mut offset, &mut value) };
                let Some(time) = Self::time(offset, &sub_block, is_last) else { break };
                self.cursors[index] += 1;
                if result != vst3::Steinberg::kResultOk || !value.is_finite() {
                    continue;
                }
                number = if last_time == Some(time) { number + 1 } else { 0 };
                last_time = Some(time);
                match param.kind {
                    Kind::Clap { .. } => {
                        let param = value_event(time, id, param.plain(value));
                        self.push((time, VALUE, number, 0), AnyEvent { param });
                    }
                    Kind::Midi { channel, controller } => {
                        param.store(value);
                        let midi = midi_event(time, channel, controller, value);
                        let order = (time, CONTROLLER, number, midi_rank(controller));
                        self.push(order, AnyEvent { midi });
                    }
                    Kind::Program => {
                        // An offline render can wait for the load; otherwise the main thread loads
                        // it.
                        if core.is_offline.load(Ordering::Relaxed) {
                            core.load_program(value);
                        } else {
                            core.requested_program.store(value.to_bits(), Ordering::Release);
                            core.request_work(work::PROGRAM);
                        }
                    }
                }
            }
        }
    }

    /// Reads the notes and expressions of a sub-block.
    unsafe fn read_events(
        &mut self,
        events: &ComRef<IEventList>,
        sub_block: std::ops::Range<usize>,
        is_last: bool,
    ) {
        // SAFETY: guaranteed by the caller.
        let count = unsafe { events.getEventCount() };
        for index in 0..count {
            // SAFETY: an event of zeros is a valid value.
            let mut event: Event = unsafe { std::mem::zeroed() };
            // SAFETY: guaranteed by the caller.
            if unsafe { events.getEvent(index, &mut event) } != vst3::Steinberg::kResultOk {
                continue;
            }
            let offset = usize::try_from(event.sampleOffset).unwrap_or(0);
            // It belongs to an earlier sub-block.
            if offset < sub_block.start {
                continue;
            }
            let Some(time) = Self::time(event.sampleOffset, &sub_block, is_last) else { continue };
            // SAFETY: the type denotes the union field that is set.
            for any in unsafe { translate(&event, time) }.into_iter().flatten() {
                self.push((time, NOTE, 0, 0), any);
            }
        }
    }

    /// Processes one sub-block with its events.
    unsafe fn process_sub_block(
        &mut self,
        core: &Core,
        data: &ProcessData,
        sub_block: std::ops::Range<usize>,
        (inputs, outputs): (u64, u64),
    ) -> bool {
        let mut pointers = &mut self.pointers[..];
        // SAFETY: guaranteed by the caller.
        unsafe {
            for (list, count, on, buffers) in [
                (data.inputs, data.numInputs, inputs, &mut self.inputs),
                (data.outputs, data.numOutputs, outputs, &mut self.outputs),
            ] {
                for (index, buffer) in buffers.iter_mut().enumerate() {
                    let is_on = on >> index.min(63) & 1 == 1;
                    let is_there = is_on && !list.is_null() && index < count.max(0) as usize;
                    let bus = is_there.then(|| &*list.add(index));
                    let (own, rest) = pointers.split_at_mut(bus_width(bus).min(pointers.len()));
                    pointers = rest;
                    point(buffer, bus, own, sub_block.start);
                }
            }
        }
        let transport = transport(data, sub_block.start);
        let input = clap_input_events {
            ctx: (&raw const self.events).cast_mut().cast(),
            size: Some(event_count),
            get: Some(event_at),
        };
        let block = clap_process {
            steady_time: self.steady_time,
            frames_count: sub_block.len() as u32,
            transport: transport.as_ref().map_or(null(), |transport| transport),
            audio_inputs: self.inputs.as_ptr(),
            audio_outputs: self.outputs.as_mut_ptr(),
            audio_inputs_count: self.inputs.len() as u32,
            audio_outputs_count: self.outputs.len() as u32,
            in_events: &input,
            out_events: &core.edit_list(),
        };
        self.steady_time += sub_block.len() as i64;
        let plugin = core.plugin();
        // SAFETY: called as a CLAP host does.
        let status = unsafe { (*plugin).process.map(|process| process(plugin, &block)) };
        status.is_some_and(|status| status != CLAP_PROCESS_ERROR)
    }
}

/// Counts the points and events of a block.
unsafe fn count(
    changes: Option<&ComRef<IParameterChanges>>,
    events: Option<&ComRef<IEventList>>,
) -> usize {
    // SAFETY: guaranteed by the caller.
    unsafe {
        let points = changes.map_or(0, |changes| {
            let queues = (0..changes.getParameterCount())
                .filter_map(|index| ComRef::from_raw(changes.getParameterData(index)));
            queues.map(|queue| queue.getPointCount().max(0) as usize).sum()
        });
        // A note may carry a tuning, which becomes a second event.
        points + events.map_or(0, |events| 2 * events.getEventCount().max(0) as usize)
    }
}

/// The number of channels of a bus that are used.
fn bus_width(bus: Option<&AudioBusBuffers>) -> usize {
    bus.map_or(0, |bus| bus.numChannels.clamp(0, 64) as usize)
}

/// Points a CLAP buffer at a bus, from sample `start` on.
unsafe fn point(
    buffer: &mut clap_audio_buffer,
    bus: Option<&AudioBusBuffers>,
    pointers: &mut [*mut f32],
    start: usize,
) {
    // SAFETY: the samples have 32 bits; guaranteed by the caller of `process`.
    let list = bus.map_or(null_mut(), |bus| unsafe { bus.__field0.channelBuffers32 });
    let is_there = !list.is_null() && !pointers.is_empty();
    if is_there {
        for (index, pointer) in pointers.iter_mut().enumerate() {
            // SAFETY: the list has as many channels as the bus states.
            unsafe {
                let channel = *list.add(index);
                *pointer = if channel.is_null() { null_mut() } else { channel.add(start) };
            }
        }
    }
    buffer.data32 = if is_there { pointers.as_mut_ptr() } else { null_mut() };
    buffer.channel_count = if is_there { pointers.len() as u32 } else { 0 };
}

/// Silences the output buses of a block for which `is_served` is false.
///
/// # Safety
/// The block is the host's, valid during its call.
pub unsafe fn clear_outputs(data: &ProcessData, is_served: impl Fn(usize) -> bool) {
    let frames = usize::try_from(data.numSamples).unwrap_or(0);
    let is_wide = data.symbolicSampleSize != SymbolicSampleSizes_::kSample32 as i32;
    let bytes = frames * if is_wide { size_of::<f64>() } else { size_of::<f32>() };
    if data.outputs.is_null() {
        return;
    }
    for index in 0..data.numOutputs.max(0) as usize {
        // SAFETY: guaranteed by the caller; a sample of either size is zero if its bytes are.
        unsafe {
            let bus = &mut *data.outputs.add(index);
            if is_served(index) {
                bus.silenceFlags = 0;
                continue;
            }
            bus.silenceFlags = (1u64 << bus.numChannels.clamp(0, 63)) - 1;
            let list = bus.__field0.channelBuffers32;
            for channel in 0..if list.is_null() { 0 } else { bus.numChannels.max(0) as usize } {
                let pointer = *list.add(channel);
                if !pointer.is_null() {
                    std::ptr::write_bytes(pointer.cast::<u8>(), 0, bytes);
                }
            }
        }
    }
}

unsafe extern "C" fn event_count(list: *const clap_input_events) -> u32 {
    // SAFETY: the context is the list of `process_sub_block`.
    unsafe { (*(*list).ctx.cast::<Vec<Ordered>>()).len() as u32 }
}

unsafe extern "C" fn event_at(
    list: *const clap_input_events,
    index: u32,
) -> *const clap_event_header {
    // SAFETY: as above; every event begins with its header.
    unsafe {
        let events = &*(*list).ctx.cast::<Vec<Ordered>>();
        events.get(index as usize).map_or(null(), |(_, event)| &raw const event.header)
    }
}

/// The transport state, if the host provides it.
fn transport(data: &ProcessData, start: usize) -> Option<clap_event_transport> {
    // SAFETY: the context is null or valid during the host's call.
    let context = unsafe { data.processContext.as_ref() }?;
    let has = |state: ProcessContext_::StatesAndFlags| context.state & state as u32 != 0;
    let passed_s = start as f64 / context.sampleRate.max(1.0);
    let passed_beats = if has(states::kTempoValid) { passed_s * context.tempo / 60.0 } else { 0.0 };
    let beats = |quarters: f64| (quarters * CLAP_BEATTIME_FACTOR as f64) as i64;
    let mut flags = 0;
    for (is_set, flag) in [
        (has(states::kTempoValid), CLAP_TRANSPORT_HAS_TEMPO),
        (has(states::kProjectTimeMusicValid), CLAP_TRANSPORT_HAS_BEATS_TIMELINE),
        (true, CLAP_TRANSPORT_HAS_SECONDS_TIMELINE),
        (has(states::kTimeSigValid), CLAP_TRANSPORT_HAS_TIME_SIGNATURE),
        (has(states::kPlaying), CLAP_TRANSPORT_IS_PLAYING),
        (has(states::kRecording), CLAP_TRANSPORT_IS_RECORDING),
        (has(states::kCycleActive) && has(states::kCycleValid), CLAP_TRANSPORT_IS_LOOP_ACTIVE),
    ] {
        if is_set {
            flags |= flag;
        }
    }
    let position_s = context.projectTimeSamples as f64 / context.sampleRate.max(1.0) + passed_s;
    Some(clap_event_transport {
        header: header::<clap_event_transport>(CLAP_EVENT_TRANSPORT, 0),
        flags,
        song_pos_beats: beats(context.projectTimeMusic + passed_beats),
        song_pos_seconds: (position_s * CLAP_SECTIME_FACTOR as f64) as i64,
        tempo: context.tempo,
        tempo_inc: 0.0,
        loop_start_beats: beats(context.cycleStartMusic),
        loop_end_beats: beats(context.cycleEndMusic),
        loop_start_seconds: 0,
        loop_end_seconds: 0,
        bar_start: beats(context.barPositionMusic),
        bar_number: 0,
        tsig_num: context.timeSigNumerator.clamp(0, 1 << 15) as u16,
        tsig_denom: context.timeSigDenominator.clamp(0, 1 << 15) as u16,
    })
}

/// Reports the editor's edits with the block, to a host without a run loop.
unsafe fn report_edits(core: &Core, changes: *mut IParameterChanges) {
    // SAFETY: guaranteed by the caller.
    let Some(changes) = (unsafe { ComRef::from_raw(changes) }) else { return };
    while let Some(edit) = core.pop_edit() {
        if let Edit::Set(id, value) = edit {
            let mut index = 0;
            // SAFETY: as above.
            unsafe {
                if let Some(queue) = ComRef::from_raw(changes.addParameterData(&id, &mut index)) {
                    queue.addPoint(0, value, &mut index);
                }
            }
        }
    }
}
