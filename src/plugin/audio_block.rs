//! Processing of one host block: its events in order, the engine between them, and the results.

use std::sync::atomic::Ordering;

use nice_plug::midi::{Channel, Key, VoiceID};
use nice_plug::prelude::*;

use super::Ictus;
use crate::engine::{GroupOut, Io};
use crate::exciter::external::Input;
use crate::modulation::controllers::bend_of_wheel;
use crate::params::Param as Row;
use crate::params::event::{Event, EventKind, ExpressionKind, NoteAddress, NoteEnd};
use crate::shared_state::catch_panic;
use crate::shared_state::params::HostParams;

/// The outputs of the key groups, from sample `start` of the host's block on.
struct GroupBuffers<'a, 'b> {
    buffers: &'a mut [Buffer<'b>],
    start: usize,
    /// Outputs that the host has connected, one bit each.
    connected: u32,
}

impl GroupOut for GroupBuffers<'_, '_> {
    fn is_connected(&self, group: usize) -> bool {
        group < self.buffers.len() && self.connected >> group & 1 == 1
    }

    fn write(&mut self, group: usize, start: usize, left: &[f64], right: &[f64]) {
        let Some(buffer) = self.buffers.get_mut(group) else { return };
        for (channel, side) in buffer.as_slice().iter_mut().zip([left, right]) {
            let from = (self.start + start).min(channel.len());
            for (out, x) in channel[from..].iter_mut().zip(side) {
                *out = *x as f32;
            }
        }
    }
}

/// The host's block, and the position up to which it has been rendered.
struct Block<'a> {
    input: &'a Input<'a>,
    left: &'a mut [f32],
    right: &'a mut [f32],
    start: usize,
}

/// Duration of the fade when the host switches the bypass, s. Short enough to feel immediate, long
/// enough not to click.
const BYPASS_FADE_S: f32 = 0.01;

/// Delays the input of an effect as the limiter delays its output.
#[derive(Default)]
struct DryDelay {
    samples: Vec<f32>,
    next: usize,
}

impl DryDelay {
    /// Returns the input, delayed if `is_delayed`. The delay line runs in both cases.
    fn process(&mut self, x: f32, is_delayed: bool) -> f32 {
        let Some(oldest) = self.samples.get_mut(self.next) else { return x };
        let delayed = std::mem::replace(oldest, x);
        self.next = (self.next + 1) % self.samples.len();
        if is_delayed { delayed } else { x }
    }
}

/// The host's bypass. A bypassed instrument is silent; a bypassed effect passes its input on, with
/// the latency of its output.
pub(super) struct BypassFade {
    /// Gain of the processed signal, 0…1. The rest is the dry signal.
    wet_gain: f32,
    dry: [DryDelay; 2],
}

impl Default for BypassFade {
    fn default() -> Self {
        Self { wet_gain: 1.0, dry: Default::default() }
    }
}

impl BypassFade {
    /// Sets the delay of the dry signal to that of the limiter.
    pub(super) fn prepare(&mut self, look_ahead_samples: usize) {
        self.dry =
            std::array::from_fn(|_| DryDelay { samples: vec![0.0; look_ahead_samples], next: 0 });
    }

    /// Fades between `main` and `dry`, which is delayed if `is_delayed`, and fades the groups.
    fn process(
        &mut self,
        is_on: bool,
        rate_hz: f32,
        (main, dry, is_delayed): (&mut Buffer, Option<&Input>, bool),
        groups: &mut [Buffer],
    ) {
        let is_idle = !is_on && self.wet_gain == 1.0;
        if is_idle && dry.is_none() {
            return;
        }
        let (start, target) = (self.wet_gain, f32::from(!is_on));
        let step = 1.0 / (BYPASS_FADE_S * rate_hz.max(1.0));
        let fade = |channel: &mut [f32], dry: &[f32], delay: &mut DryDelay| {
            let mut wet_gain = start;
            for (x, dry) in channel.iter_mut().zip(dry.iter().chain(std::iter::repeat(&0.0))) {
                let dry = delay.process(*dry, is_delayed);
                wet_gain += (target - wet_gain).clamp(-step, step);
                if !is_idle {
                    *x = wet_gain * *x + (1.0 - wet_gain) * dry;
                }
            }
            wet_gain
        };
        let dry = dry.map_or([&[][..]; 2], |dry| [dry.left, dry.right]);
        for ((channel, dry), delay) in main.as_slice().iter_mut().zip(dry).zip(&mut self.dry) {
            self.wet_gain = fade(channel, dry, delay);
        }
        for group in groups {
            group
                .as_slice()
                .iter_mut()
                .for_each(|channel| _ = fade(channel, &[], &mut DryDelay::default()));
        }
    }
}

impl Ictus {
    /// Processes one block of the instrument or the effect. A bypassed effect passes its `input`
    /// on. A panic silences the sounding notes and has no other effect.
    pub(super) fn process_guarded<P: Plugin<SysExMessage = ()>>(
        &mut self,
        buffer: &mut Buffer,
        (input, is_effect): (&Input, bool),
        groups: &mut [Buffer],
        context: &mut impl ProcessContext<P>,
    ) -> ProcessStatus {
        let status = catch_panic(None, || Some(self.process_block(buffer, input, groups, context)));
        let status = status.unwrap_or_else(|| {
            buffer.as_slice().iter_mut().for_each(|channel| channel.fill(0.0));
            for group in groups.iter_mut() {
                group.as_slice().iter_mut().for_each(|channel| channel.fill(0.0));
            }
            self.silence();
            ProcessStatus::Normal
        });
        let (is_on, rate_hz) = (self.parts.params.is_bypassed(), context.transport().sample_rate);
        let main = (buffer, is_effect.then_some(input), self.parts.latency.samples() > 0);
        self.bypass_fade.process(is_on, rate_hz, main, groups);
        status
    }

    fn process_block<P: Plugin<SysExMessage = ()>>(
        &mut self,
        buffer: &mut Buffer,
        input: &Input,
        groups: &mut [Buffer],
        context: &mut impl ProcessContext<P>,
    ) -> ProcessStatus {
        let is_editor_open = self.parts.editor_state.is_open();
        let duration_s = buffer.samples() as f32 / context.transport().sample_rate.max(1.0);
        self.update_settings(is_editor_open, duration_s, context);
        let [left, right] = buffer.as_slice() else {
            return ProcessStatus::Error("Ictus needs a stereo output");
        };
        self.engine.watch(is_editor_open);
        let started = std::time::Instant::now();
        self.queue_editor_events();
        let mut block = Block { input, left, right, start: 0 };
        let tail_samples = self.render_block(&mut block, groups, context);
        if is_editor_open {
            self.report_to_editor(started.elapsed().as_secs_f32() / duration_s.max(1e-9));
        }
        match u32::try_from(tail_samples) {
            Ok(0) => ProcessStatus::Normal,
            Ok(samples) => ProcessStatus::Tail(samples),
            Err(_) => ProcessStatus::KeepAlive,
        }
    }

    /// Updates patch, latency, tempo and the project data for a block of `duration_s`.
    fn update_settings<P: Plugin<SysExMessage = ()>>(
        &mut self,
        is_editor_open: bool,
        duration_s: f32,
        context: &mut impl ProcessContext<P>,
    ) {
        let voices = self.patch.voices();
        let before = is_editor_open.then(|| self.patch.clone());
        let is_current = self.parts.params.update_patch(&mut self.patch, duration_s);
        if before.is_some_and(|before| before != self.patch) {
            self.parts.repaint.request_repaint();
        }
        if self.patch.voices() != voices {
            context.set_current_voice_capacity(self.patch.voices() as u32);
        }
        self.parts.latency.update(self.engine.latency_samples(&self.patch));
        if let Some(tempo_bpm) = context.transport().tempo {
            self.engine.set_tempo(tempo_bpm);
        }
        // Mode list, tuning and surface change together with the parameters of their sound.
        if !is_current {
            return;
        }
        let extras = &self.parts.extras;
        if let Some(list) = extras.take_list() {
            self.engine.set_list(&list);
        }
        if let Some(tuning) = extras.take_tuning() {
            self.engine.set_tuning(&tuning);
        }
        self.surfaces.update(&self.patch, &mut self.engine);
        extras.voices().update(&self.patch, &mut self.engine, self.surfaces.is_offline());
    }

    /// Starts the queue of the block with what the editor has sent.
    fn queue_editor_events(&mut self) {
        self.queue.clear();
        let telemetry = &self.parts.telemetry;
        if telemetry.take_silence_request() {
            let everything = NoteAddress::default();
            let _ = self.queue.push(Event { offset: 0, note: everything, kind: EventKind::Choke });
        }
        for (key, velocity) in telemetry.take_notes() {
            let note = NoteAddress { id: None, channel: Some(0), key: Some(key) };
            let kind =
                velocity.map_or(EventKind::NoteOff, |velocity| EventKind::NoteOn { velocity });
            let _ = self.queue.push(Event { offset: 0, note, kind });
        }
    }

    /// Renders a block with the host's events. Returns the remaining tail, samples.
    fn render_block<P: Plugin<SysExMessage = ()>>(
        &mut self,
        block: &mut Block,
        groups: &mut [Buffer],
        context: &mut impl ProcessContext<P>,
    ) -> u64 {
        let length = block.left.len();
        self.deferred_range = 0..self.deferred_events.as_slice().len();
        let mut next = self.next_event(context);
        loop {
            let start = block.start;
            let change =
                start.saturating_add(self.surfaces.samples_to_change().unwrap_or(usize::MAX));
            // Render when the queue is full, so that no event is lost.
            while let Some(event) = next.filter(|event| event.offset.min(length) < change) {
                let offset = event.offset.saturating_sub(start);
                let is_deferred = event.offset >= length && !self.deferred_events.is_full();
                let (queue, offset) = if is_deferred {
                    (&mut self.deferred_events, 0)
                } else {
                    (&mut self.queue, offset)
                };
                if queue.push(Event { offset, ..event }).is_err() {
                    break;
                }
                next = self.next_event(context);
            }
            let end = next.map_or(length, |event| event.offset.clamp(start, length)).min(change);
            let tail_samples = self.render(block, groups, end, context);
            self.surfaces.advance(end - start, &mut self.engine);
            if next.is_none() && block.start == length {
                return tail_samples;
            }
        }
    }

    /// Publishes the load and a snapshot for the open editor.
    fn report_to_editor(&mut self, load: f32) {
        self.parts.telemetry.report_load(load);
        let snapshot = self.engine.snapshot();
        // An idle editor repaints rarely; a new note wakes it.
        if snapshot.keys != self.shown_keys {
            self.shown_keys = snapshot.keys;
            self.parts.repaint.request_repaint();
        }
        self.parts.telemetry.publish_snapshot(snapshot);
    }

    /// Returns the next event, first those that the last sub-block deferred.
    ///
    /// The framework splits a block before a parameter change and gives the notes at that sample to
    /// the sub-block that ends there. There they would strike with the old settings, but with the
    /// new ones if the host's block starts at that sample: the sound would depend on the block
    /// size.
    fn next_event<P: Plugin<SysExMessage = ()>>(
        &mut self,
        context: &mut impl ProcessContext<P>,
    ) -> Option<Event> {
        if let Some(index) = self.deferred_range.next() {
            let event = self.deferred_events.as_slice().get(index).copied();
            if self.deferred_range.is_empty() {
                self.deferred_events.clear();
            }
            return event;
        }
        // Skip events that the engine does not use.
        loop {
            if let Some(event) = translate(context.next_event()?, &self.parts.params) {
                return Some(event);
            }
        }
    }

    /// Discards the deferred events.
    pub(super) fn clear_deferred_events(&mut self) {
        self.deferred_events.clear();
        self.deferred_range = 0..0;
    }

    /// Renders up to sample `end` with the queued events. Returns the remaining tail, samples.
    fn render<P: Plugin<SysExMessage = ()>>(
        &mut self,
        block: &mut Block,
        groups: &mut [Buffer],
        end: usize,
        context: &mut impl ProcessContext<P>,
    ) -> u64 {
        let start = block.start;
        let (left, right) = (&mut block.left[start..end], &mut block.right[start..end]);
        let Input { left: input_left, right: input_right } = *block.input;
        let input = Input {
            left: input_left.get(start..).unwrap_or_default(),
            right: input_right.get(start..).unwrap_or_default(),
        };
        // The first output is the main one.
        let connected = self.parts.connected_outputs.load(Ordering::Relaxed) >> 1;
        let mut groups = GroupBuffers { buffers: groups, start, connected };
        let groups =
            if groups.buffers.is_empty() { None } else { Some(&mut groups as &mut dyn GroupOut) };
        let io = Io { input, left, right, groups };
        let status = self.engine.process_io(&self.patch, self.queue.as_slice(), io, &mut self.ends);
        self.parts.telemetry.report(&status);
        self.parts.telemetry.report_contacts(self.engine.contact_events());
        for NoteEnd { offset, note } in self.ends.drain(..) {
            // A note without an id is identified by its key and channel.
            let _ = context.try_send_event(NoteEvent::VoiceTerminated {
                timing: (start + offset) as u32,
                voice_id: note.id.map_or(VoiceID::Wildcard, VoiceID::ID),
                channel: note.channel.map_or(Channel::Wildcard, Channel::Number),
                key: note.key.map_or(Key::Wildcard, Key::Number),
            });
        }
        self.queue.clear();
        block.start = end;
        status.tail_samples
    }
}

/// Translates a host event; `None` if the engine does not use it.
///
/// Automation needs no event: the patch is read again at every change, and each voice follows it.
fn translate(event: NoteEvent<()>, params: &HostParams) -> Option<Event> {
    let (address, kind) = note_event(&event)
        .or_else(|| channel_event(&event))
        .or_else(|| modulation_event(&event, params))?;
    Some(Event { offset: event.timing() as usize, note: address, kind })
}

/// Translates an event of one note.
fn note_event(event: &NoteEvent<()>) -> Option<(NoteAddress, EventKind)> {
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

/// Translates an event of a whole channel.
fn channel_event(event: &NoteEvent<()>) -> Option<(NoteAddress, EventKind)> {
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

/// Translates the modulation of one note's parameter. The host's offset is relative to the knob and
/// replaces the modulation for all notes.
fn modulation_event(
    event: &NoteEvent<()>,
    params: &HostParams,
) -> Option<(NoteAddress, EventKind)> {
    let NoteEvent::PolyModulation { voice_id, poly_modulation_id, normalized_offset, .. } = *event
    else {
        return None;
    };
    let param = *Row::ALL.get(poly_modulation_id as usize)?;
    let offset = normalized_offset - params.slot(param).global_modulation();
    let note = NoteAddress { id: Some(voice_id), channel: None, key: None };
    Some((note, EventKind::Modulation { param, offset }))
}

fn address(voice_id: VoiceID, channel: Channel, key: Key) -> NoteAddress {
    NoteAddress { id: voice_id.id(), channel: channel.number(), key: key.number() }
}
