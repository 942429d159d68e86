//! One block of the host's: its events in order, the engine between them, and what comes of it.

use nice_plug::midi::{Channel, Key, VoiceID};
use nice_plug::prelude::*;

use std::sync::atomic::Ordering;

use super::catch_panic::catch_panic;
use super::{Ictus, notes};
use crate::engine::{GroupOut, Io};
use crate::exciter::external::Input;
use crate::params::event::{Event, EventKind, NoteAddress, NoteEnd};

/// The outputs of the groups of keys, from sample `start` of the host's block on.
struct GroupBuffers<'a, 'b> {
    buffers: &'a mut [Buffer<'b>],
    start: usize,
    /// Which of them the host listens to, one bit each.
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

/// The host's block, and how far it has been played.
struct Block<'a> {
    input: &'a Input<'a>,
    left: &'a mut [f32],
    right: &'a mut [f32],
    start: usize,
}

/// How long the output fades when the host's bypass is switched, s.
const BYPASS_S: f32 = 0.01;

/// Delays the input of an effect as the limiter delays its output.
#[derive(Default)]
struct DryDelay {
    samples: Vec<f32>,
    next: usize,
}

impl DryDelay {
    fn process(&mut self, x: f32, is_late: bool) -> f32 {
        let Some(oldest) = self.samples.get_mut(self.next) else { return x };
        let late = std::mem::replace(oldest, x);
        self.next = (self.next + 1) % self.samples.len();
        if is_late { late } else { x }
    }
}

/// The host's bypass: an instrument falls silent, an effect lets its input through, as late as its
/// output is.
pub(super) struct BypassFade {
    /// Share of the instrument in what is heard.
    share: f32,
    dry: [DryDelay; 2],
}

impl Default for BypassFade {
    fn default() -> Self {
        Self { share: 1.0, dry: Default::default() }
    }
}

impl BypassFade {
    /// Takes over the delay of the limiter.
    pub(super) fn prepare(&mut self, look_ahead_samples: usize) {
        self.dry =
            std::array::from_fn(|_| DryDelay { samples: vec![0.0; look_ahead_samples], next: 0 });
    }

    fn process(
        &mut self,
        is_on: bool,
        rate_hz: f32,
        (main, dry, is_late): (&mut Buffer, Option<&Input>, bool),
        groups: &mut [Buffer],
    ) {
        let is_idle = !is_on && self.share == 1.0;
        if is_idle && dry.is_none() {
            return;
        }
        let (start, target) = (self.share, f32::from(!is_on));
        let step = 1.0 / (BYPASS_S * rate_hz.max(1.0));
        let fade = |channel: &mut [f32], dry: &[f32], delay: &mut DryDelay| {
            let mut share = start;
            for (x, dry) in channel.iter_mut().zip(dry.iter().chain(std::iter::repeat(&0.0))) {
                let dry = delay.process(*dry, is_late);
                share += (target - share).clamp(-step, step);
                if !is_idle {
                    *x = share * *x + (1.0 - share) * dry;
                }
            }
            share
        };
        let dry = dry.map_or([&[][..]; 2], |dry| [dry.left, dry.right]);
        for ((channel, dry), delay) in main.as_slice().iter_mut().zip(dry).zip(&mut self.dry) {
            self.share = fade(channel, dry, delay);
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
    /// One block of whichever plug-in this is the inside of. An effect passes its `input` on while
    /// it is bypassed. A panic costs what sounds, and nothing else.
    pub(super) fn process_guarded<P: Plugin<SysExMessage = ()>>(
        &mut self,
        buffer: &mut Buffer,
        (input, is_effect): (&Input, bool),
        groups: &mut [Buffer],
        context: &mut impl ProcessContext<P>,
    ) -> ProcessStatus {
        let status = catch_panic(None, || Some(self.play_block(buffer, input, groups, context)));
        let status = status.unwrap_or_else(|| {
            buffer.as_slice().iter_mut().for_each(|channel| channel.fill(0.0));
            for group in groups.iter_mut() {
                group.as_slice().iter_mut().for_each(|channel| channel.fill(0.0));
            }
            self.silence();
            ProcessStatus::Normal
        });
        let (is_on, rate_hz) = (self.params.is_bypassed(), context.transport().sample_rate);
        let main = (buffer, is_effect.then_some(input), self.latency.samples() > 0);
        self.bypass_fade.process(is_on, rate_hz, main, groups);
        status
    }

    fn play_block<P: Plugin<SysExMessage = ()>>(
        &mut self,
        buffer: &mut Buffer,
        input: &Input,
        groups: &mut [Buffer],
        context: &mut impl ProcessContext<P>,
    ) -> ProcessStatus {
        let voices = self.patch.voices();
        let is_open = self.editor_state.is_open();
        let before = is_open.then(|| self.patch.clone());
        let lasts_s = buffer.samples() as f32 / context.transport().sample_rate.max(1.0);
        let is_current = self.params.follow(&mut self.patch, lasts_s);
        if before.is_some_and(|before| before != self.patch) {
            self.repaint.request_repaint();
        }
        if self.patch.voices() != voices {
            context.set_current_voice_capacity(self.patch.voices() as u32);
        }
        self.latency.follow(self.engine.latency_samples(&self.patch));
        if let Some(tempo_bpm) = context.transport().tempo {
            self.engine.set_tempo(tempo_bpm);
        }
        // What belongs to a sound comes with its parameters.
        if is_current && let Some(list) = self.extras.take_list() {
            self.engine.set_list(&list);
        }
        if is_current && let Some(tuning) = self.extras.take_tuning() {
            self.engine.set_tuning(&tuning);
        }
        if is_current {
            self.surfaces.follow(&self.patch, &mut self.engine);
            let is_offline = self.surfaces.is_offline();
            self.extras.voices().follow(&self.patch, &mut self.engine, is_offline);
        }
        let [left, right] = buffer.as_slice() else {
            return ProcessStatus::Error("Ictus plays in stereo");
        };
        self.engine.watch(is_open);
        let clock = std::time::Instant::now();
        let mut block = Block { input, left, right, start: 0 };
        self.queue.clear();
        if self.telemetry.take_silence_request() {
            let everything = NoteAddress::default();
            let _ = self.queue.push(Event { offset: 0, note: everything, kind: EventKind::Choke });
        }
        for (key, velocity) in self.telemetry.take_notes() {
            let note = NoteAddress { id: None, channel: Some(0), key: Some(key) };
            let kind =
                velocity.map_or(EventKind::NoteOff, |velocity| EventKind::NoteOn { velocity });
            let _ = self.queue.push(Event { offset: 0, note, kind });
        }
        let length = block.left.len();
        self.deferred_range = 0..self.deferred_events.as_slice().len();
        let mut next = self.next_event(context);
        let tail_samples = loop {
            let start = block.start;
            let change =
                start.saturating_add(self.surfaces.samples_to_change().unwrap_or(usize::MAX));
            // A queue that fills up is played before it takes more: no event is ever lost.
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
            let tail_samples = self.play(&mut block, groups, end, context);
            self.surfaces.advance(end - start, &mut self.engine);
            if next.is_none() && block.start == length {
                break tail_samples;
            }
        };
        if is_open {
            self.telemetry.report_load(clock.elapsed().as_secs_f32() / lasts_s.max(1e-9));
            let view = self.engine.snapshot();
            // An editor at rest looks seldom; what begins wakes it.
            if view.keys != self.shown_keys {
                self.shown_keys = view.keys;
                self.repaint.request_repaint();
            }
            self.telemetry.publish_snapshot(view);
        }
        match u32::try_from(tail_samples) {
            Ok(0) => ProcessStatus::Normal,
            Ok(samples) => ProcessStatus::Tail(samples),
            Err(_) => ProcessStatus::KeepAlive,
        }
    }

    /// The next event: first those that the last piece left over.
    ///
    /// The framework cuts a block before a parameter change and gives the notes of that very sample
    /// to the piece that ends there. Played by it they would strike with the old settings, but with
    /// the new ones where a host's own block happens to begin: the sound would depend on the block
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
        // Skip what means nothing here.
        loop {
            if let Some(event) = notes::translate(context.next_event()?, &self.params) {
                return Some(event);
            }
        }
    }

    /// Forget what was kept for later.
    pub(super) fn release(&mut self) {
        self.deferred_events.clear();
        self.deferred_range = 0..0;
    }

    /// Play the queue up to sample `end`. Returns how long the rest will ring.
    fn play<P: Plugin<SysExMessage = ()>>(
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
        let connected = self.connected_outputs.load(Ordering::Relaxed) >> 1;
        let mut groups = GroupBuffers { buffers: groups, start, connected };
        let groups =
            if groups.buffers.is_empty() { None } else { Some(&mut groups as &mut dyn GroupOut) };
        let io = Io { input, left, right, groups };
        let status = self.engine.process_io(&self.patch, self.queue.as_slice(), io, &mut self.ends);
        self.telemetry.report(&status);
        self.telemetry.report_contacts(self.engine.contact_events());
        for NoteEnd { offset, note } in self.ends.drain(..) {
            // A note without an id cannot be ended by name; its key and channel say which it was.
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
