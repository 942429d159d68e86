//! A host's block, repaired for the framework: all ports present, events in order and in range.

use std::cell::{Cell, UnsafeCell};
use std::mem::size_of;
use std::ptr::{null, null_mut};
use std::sync::atomic::Ordering;

use clap_sys::audio_buffer::clap_audio_buffer;
use clap_sys::events::*;
use clap_sys::ext::audio_ports::{
    CLAP_EXT_AUDIO_PORTS, clap_audio_port_info, clap_plugin_audio_ports,
};
use clap_sys::process::{clap_process, clap_process_status};

use super::edits::Edit;
use super::instance::{Instance, framework};

/// Maximum number of the editor's edits that one block or flush takes.
const MAX_EDITS: usize = 4096;
/// Longest event that is copied to correct its time, in words of 8 bytes: a transport event.
const EVENT_WORDS: usize = 16;

/// The ports of the current layout, with storage for buffers that a host omits.
#[derive(Default)]
pub struct Ports {
    inputs: Vec<Port>,
    outputs: Vec<Port>,
    input_buffers: Vec<clap_audio_buffer>,
    output_buffers: Vec<clap_audio_buffer>,
    max_frames: usize,
    edits: Vec<clap_event_param_value>,
}

/// One port: the channels passed to the framework, each the host's or our own.
struct Port {
    pointers: Vec<*mut f32>,
    own: Vec<Vec<f32>>,
    /// Whether our own channels are mixed into the host's after the block.
    is_mixed: bool,
}

/// An empty buffer.
const NO_BUFFER: clap_audio_buffer = clap_audio_buffer {
    data32: null_mut(),
    data64: null_mut(),
    channel_count: 0,
    latency: 0,
    constant_mask: 0,
};

impl Port {
    fn new(channels: usize, frames: usize) -> Self {
        Self {
            pointers: vec![null_mut(); channels],
            own: vec![vec![0.0; frames]; channels],
            is_mixed: false,
        }
    }

    /// The host's pointer to a channel, or null.
    ///
    /// # Safety
    /// The buffer is the host's, valid during its call.
    unsafe fn channel(buffer: Option<&clap_audio_buffer>, index: usize) -> *mut f32 {
        match buffer {
            Some(buffer) if index < buffer.channel_count as usize && !buffer.data32.is_null() => {
                // SAFETY: guaranteed by the caller; the index is within the list.
                unsafe { *buffer.data32.add(index) }
            }
            _ => null_mut(),
        }
    }

    /// Points at the host's input. A mono input feeds all channels; missing channels are silent.
    unsafe fn set_input(&mut self, buffer: Option<&clap_audio_buffer>, frames: usize) {
        let is_mono = buffer.is_some_and(|buffer| buffer.channel_count == 1);
        for (index, (pointer, own)) in self.pointers.iter_mut().zip(&mut self.own).enumerate() {
            // SAFETY: guaranteed by the caller.
            *pointer = unsafe { Self::channel(buffer, if is_mono { 0 } else { index }) };
            if pointer.is_null() {
                own[..frames].fill(0.0);
                *pointer = own.as_mut_ptr();
            }
        }
    }

    /// Points at the host's output, or at our own channels if any of the host's is missing. Returns
    /// whether the host has connected any channel.
    unsafe fn set_output(&mut self, buffer: Option<&clap_audio_buffer>) -> bool {
        // SAFETY: guaranteed by the caller.
        let channel = |index| unsafe { Self::channel(buffer, index) };
        let count = self.pointers.len();
        self.is_mixed = (0..count).any(|index| channel(index).is_null());
        for (index, pointer) in self.pointers.iter_mut().enumerate() {
            *pointer = if self.is_mixed { self.own[index].as_mut_ptr() } else { channel(index) };
        }
        (0..count).any(|index| !channel(index).is_null())
    }

    /// Writes our own channels to the host's: the mean of all to a mono output. Clears surplus
    /// channels.
    unsafe fn finish_output(&self, buffer: &clap_audio_buffer, frames: usize) {
        let share = 1.0 / self.own.len().max(1) as f32;
        for index in 0..buffer.channel_count as usize {
            // SAFETY: guaranteed by the caller.
            let pointer = unsafe { Self::channel(Some(buffer), index) };
            if pointer.is_null() || (index < self.own.len() && !self.is_mixed) {
                continue;
            }
            // SAFETY: a channel of the host has as many samples as the block, and is not one of
            // ours.
            let out = unsafe { std::slice::from_raw_parts_mut(pointer, frames) };
            match self.own.get(index) {
                Some(_) if buffer.channel_count == 1 => {
                    out.iter_mut().enumerate().for_each(|(n, x)| {
                        *x = share * self.own.iter().map(|own| own[n]).sum::<f32>();
                    })
                }
                Some(own) => out.copy_from_slice(&own[..frames]),
                None => out.fill(0.0),
            }
        }
    }
}

impl Ports {
    /// The ports of the layout that the framework was activated with.
    pub fn new(instance: &Instance, max_frames: usize) -> Self {
        let widths = |is_input| port_widths(instance, is_input);
        let port = |channels: usize| Port::new(channels, max_frames);
        let (inputs, outputs) = (widths(true), widths(false));
        Self {
            input_buffers: vec![NO_BUFFER; inputs.len()],
            output_buffers: vec![NO_BUFFER; outputs.len()],
            inputs: inputs.into_iter().map(port).collect(),
            outputs: outputs.into_iter().map(port).collect(),
            max_frames,
            edits: Vec::with_capacity(MAX_EDITS),
        }
    }

    /// Processes a block; `None` if it is longer than announced.
    pub fn process(
        &mut self,
        instance: &Instance,
        block: &clap_process,
    ) -> Option<clap_process_status> {
        let frames = block.frames_count as usize;
        if frames > self.max_frames {
            return None;
        }
        if frames == 0 {
            self.flush(instance, block.in_events, block.out_events);
            return Some(clap_sys::process::CLAP_PROCESS_CONTINUE);
        }
        let mut connected = 0u32;
        // SAFETY: the lists are the host's, valid during its call, with the stated lengths.
        unsafe {
            let buffer = |list: *const clap_audio_buffer, count: u32, index: usize| {
                (index < count as usize && !list.is_null()).then(|| &*list.add(index))
            };
            for (index, port) in self.inputs.iter_mut().enumerate() {
                port.set_input(buffer(block.audio_inputs, block.audio_inputs_count, index), frames);
                self.input_buffers[index] = port_buffer(port);
            }
            for (index, port) in self.outputs.iter_mut().enumerate() {
                let given = buffer(block.audio_outputs, block.audio_outputs_count, index);
                connected |= u32::from(port.set_output(given)) << index.min(31);
                self.output_buffers[index] = port_buffer(port);
            }
        }
        instance.parts.connected_outputs.store(connected, Ordering::Relaxed);
        let out = output_list(block.out_events);
        self.take_edits(instance, out);
        let events = Events::new(block.in_events, &self.edits, block.frames_count);
        let safe = clap_process {
            audio_inputs: self.input_buffers.as_ptr(),
            audio_inputs_count: self.input_buffers.len() as u32,
            audio_outputs: self.output_buffers.as_mut_ptr(),
            audio_outputs_count: self.output_buffers.len() as u32,
            in_events: &events.list(),
            out_events: out,
            ..*block
        };
        let status = framework!(instance, process, &raw const safe)?;
        for index in 0..block.audio_outputs_count as usize {
            // SAFETY: as above.
            unsafe {
                let Some(given) = block.audio_outputs.add(index).as_mut() else { break };
                given.constant_mask = 0;
                match self.outputs.get(index) {
                    Some(port) => port.finish_output(given, frames),
                    None => clear(given, frames),
                }
            }
        }
        Some(status)
    }

    /// Takes parameter values without processing audio.
    pub fn flush(
        &mut self,
        instance: &Instance,
        input: *const clap_input_events,
        output: *const clap_output_events,
    ) {
        let out = output_list(output);
        self.take_edits(instance, out);
        let events = Events::new(input, &self.edits, 1);
        // SAFETY: this name denotes this type.
        let params = unsafe {
            instance.framework_extension::<clap_sys::ext::params::clap_plugin_params>(
                clap_sys::ext::params::CLAP_EXT_PARAMS,
            )
        };
        if let Some(flush) = params.and_then(|params| params.flush) {
            // SAFETY: called as the host would have called it, with lists that outlive the call.
            unsafe { flush(instance.framework(), &events.list(), out) };
        }
    }

    /// Reports the user's edits to the host, and collects the values for the framework.
    fn take_edits(&mut self, instance: &Instance, out: *const clap_output_events) {
        self.edits.clear();
        while self.edits.len() < MAX_EDITS
            && let Some(edit) = instance.edits.pop()
        {
            let value = |param_id, value| clap_event_param_value {
                header: header::<clap_event_param_value>(CLAP_EVENT_PARAM_VALUE),
                param_id,
                cookie: null_mut(),
                note_id: -1,
                port_index: -1,
                channel: -1,
                key: -1,
                value,
            };
            let gesture = |param_id, type_| clap_event_param_gesture {
                header: header::<clap_event_param_gesture>(type_),
                param_id,
            };
            // SAFETY: the list is valid and copies the event.
            unsafe {
                let Some(push) = (*out).try_push else { return };
                match edit {
                    Edit::Begin(id) => {
                        push(out, &gesture(id, CLAP_EVENT_PARAM_GESTURE_BEGIN).header);
                    }
                    Edit::Set(id, plain) => {
                        let event = value(id, plain);
                        push(out, &event.header);
                        self.edits.push(event);
                    }
                    Edit::End(id) => {
                        push(out, &gesture(id, CLAP_EVENT_PARAM_GESTURE_END).header);
                    }
                }
            }
        }
    }
}

fn header<T>(type_: clap_event_type) -> clap_event_header {
    clap_event_header {
        size: size_of::<T>() as u32,
        time: 0,
        space_id: CLAP_CORE_EVENT_SPACE_ID,
        type_,
        flags: CLAP_EVENT_IS_LIVE,
    }
}

fn port_buffer(port: &mut Port) -> clap_audio_buffer {
    let channel_count = port.pointers.len() as u32;
    clap_audio_buffer { data32: port.pointers.as_mut_ptr(), channel_count, ..NO_BUFFER }
}

/// The number of channels of every port on one side.
fn port_widths(instance: &Instance, is_input: bool) -> Vec<usize> {
    // SAFETY: this name denotes this type; called as the host would have called it.
    unsafe {
        let ports = instance.framework_extension::<clap_plugin_audio_ports>(CLAP_EXT_AUDIO_PORTS);
        let Some((count, get)) = ports.and_then(|ports| Some((ports.count?, ports.get?))) else {
            return Vec::new();
        };
        let plugin = instance.framework();
        let width = |index| {
            let mut info: clap_audio_port_info = std::mem::zeroed();
            if get(plugin, index, is_input, &mut info) { info.channel_count as usize } else { 0 }
        };
        (0..count(plugin, is_input)).map(width).collect()
    }
}

/// Silences one buffer.
///
/// # Safety
/// The buffer is the host's, valid during its call, with `frames` samples in each channel.
unsafe fn clear(buffer: &clap_audio_buffer, frames: usize) {
    for index in 0..buffer.channel_count as usize {
        // SAFETY: guaranteed by the caller.
        unsafe {
            let pointer = Port::channel(Some(buffer), index);
            if !pointer.is_null() {
                std::slice::from_raw_parts_mut(pointer, frames).fill(0.0);
            }
        }
    }
}

/// Silences all outputs of a block that cannot be processed.
///
/// # Safety
/// The block is the host's, valid during its call.
pub unsafe fn clear_outputs(block: &clap_process) {
    if block.audio_outputs.is_null() {
        return;
    }
    for index in 0..block.audio_outputs_count as usize {
        // SAFETY: guaranteed by the caller.
        unsafe { clear(&*block.audio_outputs.add(index), block.frames_count as usize) };
    }
}

/// The host's output list, or one that discards events.
fn output_list(list: *const clap_output_events) -> *const clap_output_events {
    unsafe extern "C" fn ignore(
        _list: *const clap_output_events,
        _event: *const clap_event_header,
    ) -> bool {
        true
    }
    static DISCARD: clap_output_events =
        clap_output_events { ctx: null_mut(), try_push: Some(ignore) };
    // SAFETY: the list is null or the host's.
    let is_usable = unsafe { list.as_ref() }.is_some_and(|list| list.try_push.is_some());
    if is_usable { list } else { &raw const DISCARD }
}

/// The editor's values, then the host's events, with times within the block and in order.
struct Events<'a> {
    host: *const clap_input_events,
    edits: &'a [clap_event_param_value],
    frames: u32,
    /// Time of the latest event so far.
    last: Cell<u32>,
    copy: UnsafeCell<[u64; EVENT_WORDS]>,
    /// A separate copy, because the framework keeps the pointer.
    transport: UnsafeCell<[u64; EVENT_WORDS]>,
    nothing: UnsafeCell<clap_event_header>,
}

/// Replaces an unreadable event: the framework ignores this event space.
const NO_EVENT: clap_event_header = clap_event_header {
    size: size_of::<clap_event_header>() as u32,
    time: 0,
    space_id: u16::MAX,
    type_: 0,
    flags: 0,
};

impl<'a> Events<'a> {
    fn new(
        host: *const clap_input_events,
        edits: &'a [clap_event_param_value],
        frames: u32,
    ) -> Self {
        Self {
            host,
            edits,
            frames,
            last: Cell::new(0),
            copy: UnsafeCell::default(),
            transport: UnsafeCell::default(),
            nothing: UnsafeCell::new(NO_EVENT),
        }
    }

    fn list(&self) -> clap_input_events {
        clap_input_events {
            ctx: (&raw const *self).cast_mut().cast(),
            size: Some(Self::size),
            get: Some(Self::get),
        }
    }

    unsafe extern "C" fn size(list: *const clap_input_events) -> u32 {
        // SAFETY: the context was set by `list`.
        unsafe {
            let this = &*(*list).ctx.cast::<Events>();
            let host = this.host.as_ref().and_then(|host| host.size);
            this.edits.len() as u32 + host.map_or(0, |size| size(this.host))
        }
    }

    unsafe extern "C" fn get(
        list: *const clap_input_events,
        index: u32,
    ) -> *const clap_event_header {
        // SAFETY: as above; the host's events are valid during its call.
        unsafe {
            let this = &*(*list).ctx.cast::<Events>();
            if let Some(edit) = this.edits.get(index as usize) {
                return &edit.header;
            }
            let index = index - this.edits.len() as u32;
            let get = this.host.as_ref().and_then(|host| host.get);
            let event = get.map_or(null(), |get| get(this.host, index));
            this.checked(event)
        }
    }

    /// Returns the event itself, a copy with a valid time, or [`NO_EVENT`].
    unsafe fn checked(&self, event: *const clap_event_header) -> *const clap_event_header {
        // SAFETY: the event is null or valid during the host's call.
        let header = unsafe { event.as_ref() };
        let Some((header, size)) = header.and_then(|header| Some((header, size_of_event(header)?)))
        else {
            // SAFETY: no other reference to it exists.
            unsafe {
                *self.nothing.get() = clap_event_header { time: self.last.get(), ..NO_EVENT }
            };
            return self.nothing.get();
        };
        let time = header.time.max(self.last.get()).min(self.frames.saturating_sub(1));
        self.last.set(time);
        if time == header.time {
            return event;
        }
        let is_transport = header.type_ == CLAP_EVENT_TRANSPORT;
        let copy = if is_transport { self.transport.get() } else { self.copy.get() };
        // SAFETY: no known event is longer than the copy, and no other reference to it
        // exists.
        unsafe {
            std::ptr::copy_nonoverlapping(event.cast::<u8>(), copy.cast::<u8>(), size);
            let copy = copy.cast::<clap_event_header>();
            (*copy).time = time;
            copy
        }
    }
}

/// Size of an event that the framework reads, bytes; `None` if the type is unknown or the event is
/// too short.
fn size_of_event(header: &clap_event_header) -> Option<usize> {
    if header.space_id != CLAP_CORE_EVENT_SPACE_ID {
        return None;
    }
    let size = match header.type_ {
        CLAP_EVENT_NOTE_ON | CLAP_EVENT_NOTE_OFF | CLAP_EVENT_NOTE_CHOKE => {
            size_of::<clap_event_note>()
        }
        CLAP_EVENT_NOTE_EXPRESSION => size_of::<clap_event_note_expression>(),
        CLAP_EVENT_PARAM_VALUE => size_of::<clap_event_param_value>(),
        CLAP_EVENT_PARAM_MOD => size_of::<clap_event_param_mod>(),
        CLAP_EVENT_TRANSPORT => size_of::<clap_event_transport>(),
        CLAP_EVENT_MIDI => size_of::<clap_event_midi>(),
        _ => return None,
    };
    const { assert!(size_of::<clap_event_transport>() <= 8 * EVENT_WORDS) };
    (header.size as usize >= size).then_some(size)
}
