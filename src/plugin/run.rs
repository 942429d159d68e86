//! One block of the host's: its events in order, the engine between them, and what comes of it.

use nice_plug::midi::{Channel, Key, VoiceID};
use nice_plug::prelude::*;

use super::{Ictus, notes};
use crate::engine::io::{GroupOut, Io};
use crate::event::{Event, EventKind, NoteAddress, NoteEnd};
use crate::external::Input;

/// The outputs of the groups of keys, from sample `start` of the host's block on.
struct GroupBuffers<'a, 'b> {
    buffers: &'a mut [Buffer<'b>],
    start: usize,
}

impl GroupOut for GroupBuffers<'_, '_> {
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

impl Ictus {
    /// One block of whichever plug-in this is the inside of.
    pub(super) fn run<P: Plugin<SysExMessage = ()>>(
        &mut self,
        buffer: &mut Buffer,
        input: &Input,
        groups: &mut [Buffer],
        context: &mut impl ProcessContext<P>,
    ) -> ProcessStatus {
        let voices = self.patch.voices();
        let lasts_s = buffer.samples() as f32 / context.transport().sample_rate.max(1.0);
        let is_settled = self.params.follow(&mut self.patch, lasts_s);
        if self.patch.voices() != voices {
            context.set_current_voice_capacity(self.patch.voices() as u32);
        }
        if let Some(tempo_bpm) = context.transport().tempo {
            self.engine.set_tempo(tempo_bpm);
        }
        // What belongs to a sound comes with its parameters.
        if is_settled && let Some(list) = self.extras.take_list() {
            self.engine.set_list(&list);
        }
        if is_settled && let Some(tuning) = self.extras.take_tuning() {
            self.engine.set_tuning(&tuning);
        }
        if is_settled {
            self.surfaces.follow(&self.patch, &mut self.engine);
        }
        let [left, right] = buffer.as_slice() else {
            return ProcessStatus::Error("Ictus plays in stereo");
        };
        self.engine.watch(self.editor_state.is_open());
        let clock = std::time::Instant::now();
        let mut block = Block { input, left, right, start: 0 };
        self.queue.clear();
        if self.telemetry.take_silence() {
            let everything = NoteAddress::default();
            let _ = self.queue.push(Event { offset: 0, note: everything, kind: EventKind::Choke });
        }
        for (key, velocity) in self.telemetry.take_notes() {
            let note = NoteAddress { id: None, channel: Some(0), key: Some(key) };
            let kind = velocity.map_or(EventKind::NoteOff, |velocity| EventKind::NoteOn { velocity });
            let _ = self.queue.push(Event { offset: 0, note, kind });
        }
        let length = block.left.len();
        self.due = 0..self.held.as_slice().len();
        let mut next = self.next_event(context);
        let tail_samples = loop {
            let start = block.start;
            let change = start.saturating_add(self.surfaces.samples_to_change().unwrap_or(usize::MAX));
            // A queue that fills up is played before it takes more: no event is ever lost.
            while let Some(event) = next.filter(|event| event.offset.min(length) < change) {
                let offset = event.offset.saturating_sub(start);
                let is_later = event.offset >= length && !self.held.is_full();
                let (queue, offset) = if is_later { (&mut self.held, 0) } else { (&mut self.queue, offset) };
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
        if self.editor_state.is_open() {
            self.telemetry.report_load(clock.elapsed().as_secs_f32() / lasts_s.max(1e-9));
            let view = self.engine.view();
            // An editor at rest looks seldom; what begins wakes it.
            if view.keys != self.shown_keys {
                self.shown_keys = view.keys;
                self.repaint.request_repaint();
            }
            self.telemetry.show(view);
        }
        match u32::try_from(tail_samples) {
            Ok(0) => ProcessStatus::Normal,
            Ok(samples) => ProcessStatus::Tail(samples),
            Err(_) => ProcessStatus::KeepAlive,
        }
    }

    /// The next event: first those that the last piece left over.
    ///
    /// The framework cuts a block before a parameter change and gives the notes of that very sample to the piece
    /// that ends there. Played by it they would strike with the old settings, but with the new ones where a host's
    /// own block happens to begin: the sound would depend on the block size.
    fn next_event<P: Plugin<SysExMessage = ()>>(&mut self, context: &mut impl ProcessContext<P>) -> Option<Event> {
        if let Some(index) = self.due.next() {
            let event = self.held.as_slice().get(index).copied();
            if self.due.is_empty() {
                self.held.clear();
            }
            return event;
        }
        // Skip what means nothing here.
        loop {
            if let Some(event) = notes::translate(context.next_event()?, context.plugin_api(), &self.params) {
                return Some(event);
            }
        }
    }

    /// Forget what was kept for later.
    pub(super) fn let_go(&mut self) {
        self.held.clear();
        self.due = 0..0;
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
        let mut groups = GroupBuffers { buffers: groups, start };
        let groups = if groups.buffers.is_empty() { None } else { Some(&mut groups as &mut dyn GroupOut) };
        let io = Io { input, left, right, groups };
        let status = self.engine.process_io(&self.patch, self.queue.as_slice(), io, &mut self.ends);
        self.telemetry.report(&status);
        self.telemetry.tell(self.engine.happenings());
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
