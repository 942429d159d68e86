//! What the engine does at an event: notes, MIDI controllers, and triggers from the side-chain.

use super::controls::{
    self, BEND_RANGE, DATA, FINE_DATA, FINE_NUMBER, HeldController, MAX_BEND_ST, NUMBER, RpnState,
    ZONE,
};
use super::{Engine, NoteEnds, pool, report_note_end};
use crate::exciter::external::{self, Trigger};
use crate::modulation::controllers::gate_bend;
use crate::modulation::{Controllers, Destination, Onset, Zone, velocity};
use crate::params::event::{Event, EventKind, ExpressionKind, NoteAddress, NoteEnd};
use crate::params::{Param, Patch};
use crate::voice::Voice;

impl Engine {
    /// Carries out one event.
    pub(super) fn handle_event(
        &mut self,
        patch: &Patch,
        event: &Event,
        offset: usize,
        ends: &mut NoteEnds,
    ) {
        match event.kind {
            EventKind::NoteOn { velocity } => {
                if let Some(note) = self.begin_note(patch, event.note, gate_velocity(velocity)) {
                    report_note_end(ends, NoteEnd { offset, note });
                }
            }
            EventKind::NoteOff => {
                let controls = &self.controls;
                self.pool.matching(&event.note).for_each(|voice| controls.release(voice, patch));
            }
            EventKind::Choke => self.pool.matching(&event.note).for_each(Voice::choke),
            EventKind::Controller { number, value } => {
                self.set_controller(patch, event.note.channel, number, controls::gate(value));
            }
            EventKind::Pressure { value } => self.set_pressure(patch, &event.note, value),
            EventKind::Bend { value } => self.set_bend(patch, event.note.channel, gate_bend(value)),
            EventKind::Expression { kind, value } => {
                self.pool.matching(&event.note).for_each(|voice| voice.express(kind, value));
            }
            EventKind::Modulation { param, offset } if Destination::takes(param) => {
                self.pool.matching(&event.note).for_each(|voice| voice.modulate(param, offset));
            }
            EventKind::Modulation { .. } => {}
        }
    }

    /// Begins a note. Returns the note that this ends: the new one itself if its key has no pitch.
    fn begin_note(
        &mut self,
        patch: &Patch,
        note: NoteAddress,
        velocity: f64,
    ) -> Option<NoteAddress> {
        if self.inputs.tuning.pitch_st(pool::key_of(&note)).is_none() {
            return Some(note);
        }
        let onset = Onset {
            velocity: velocity::curved(patch, velocity),
            count: self.next_note_number(patch),
        };
        let context = self.inputs.context(patch);
        let (voice, before) = self.pool.voice_for(note, &context);
        let held = self.controls.effective(note.channel, self.controls.zone(patch));
        voice.mute(held.mutes());
        voice.feel(&held.controllers);
        voice.play(onset, &context);
        self.budget.note_begun();
        before
    }

    /// Number of the next note, from which all random values follow.
    fn next_note_number(&mut self, patch: &Patch) -> u64 {
        let count = if patch.choice(Param::Fresh) == 1 { self.notes_ever } else { self.notes };
        self.notes += 1;
        self.notes_ever = self.notes_ever.wrapping_add(1);
        count
    }

    /// Sets a controller of one channel, or of all, to `value`, 0…1.
    fn set_controller(&mut self, patch: &Patch, channel: Option<u8>, number: u8, value: f64) {
        let reach = self.zone(patch).reach(channel);
        match number {
            number if RpnState::is_rpn_controller(number) => {
                self.set_rpn(patch, channel, number, value)
            }
            controls::SUSTAIN => {
                self.change_controllers(patch, channel, |held| held.sustain = value)
            }
            controls::SOSTENUTO => {
                self.change_controllers(patch, channel, |held| held.sostenuto = value)
            }
            controls::MUTE => self.change_controllers(patch, channel, |held| held.mute = value),
            controls::SOUND_OFF => self.pool.on_channel(reach).for_each(Voice::choke),
            controls::RESET => self.reset_controllers(patch, channel),
            number if controls::NOTES_OFF.contains(&number) => {
                let controls = &self.controls;
                self.pool.on_channel(reach).for_each(|voice| controls.release(voice, patch));
            }
            _ => self.change_controllers(patch, channel, |held| {
                held.controllers.turn(number, value);
            }),
        }
    }

    /// Sets the pitch wheel of one channel, or of all, to `value`, -1…1.
    fn set_bend(&mut self, patch: &Patch, channel: Option<u8>, value: f64) {
        self.change_controllers(patch, channel, |held| held.controllers.bend = value);
    }

    /// Sets the pressure of a channel, or of the keys that the address matches.
    fn set_pressure(&mut self, patch: &Patch, address: &NoteAddress, value: f32) {
        if address.key.is_none() && address.id.is_none() {
            let value = controls::gate(value);
            return self.change_controllers(patch, address.channel, |held| {
                held.controllers.pressure = value
            });
        }
        self.pool
            .matching(address)
            .for_each(|voice| voice.express(ExpressionKind::Pressure, value));
    }

    /// Resets all controllers of a channel.
    fn reset_controllers(&mut self, patch: &Patch, channel: Option<u8>) {
        let reach = self.zone(patch).reach(channel);
        self.pool.on_channel(reach).for_each(|voice| voice.express(ExpressionKind::Pressure, 0.0));
        self.change_controllers(patch, channel, |held| {
            // Registered parameters are not controllers, and stay.
            let controllers =
                Controllers { range_st: held.controllers.range_st, ..Controllers::default() };
            *held = HeldController { controllers, rpn: held.rpn, ..HeldController::default() };
        });
    }

    /// Changes the controllers of a channel and applies them to its voices.
    fn change_controllers(
        &mut self,
        patch: &Patch,
        channel: Option<u8>,
        change: impl FnMut(&mut HeldController),
    ) {
        let (zone, before) = (self.zone(patch), self.controls.clone());
        self.controls.change(channel, change);
        for voice in self.pool.on_channel(zone.reach(channel)) {
            let (old, new) = (
                before.effective(voice.channel(), zone),
                self.controls.effective(voice.channel(), zone),
            );
            voice.feel(&new.controllers);
            voice.mute(new.mutes());
            if !new.holds() {
                voice.hold(false);
            } else if !old.holds() {
                voice.hold(voice.is_down());
            }
            if voice.is_sustained() && !new.sustains() && !voice.is_held() {
                voice.let_go(patch);
            }
        }
    }

    /// Sets one of the controllers that select or set an RPN to `value`, 0…1.
    fn set_rpn(&mut self, patch: &Patch, channel: Option<u8>, number: u8, value: f64) {
        let data = (127.0 * value).round() as u8;
        let mut rpn = self.controls.of(channel).rpn;
        match number {
            NUMBER => rpn.number.0 = data,
            FINE_NUMBER => rpn.number.1 = data,
            DATA if rpn.number == BEND_RANGE => rpn.bend = (data.min(MAX_BEND_ST), 0),
            FINE_DATA if rpn.number == BEND_RANGE => rpn.bend.1 = data.min(99),
            DATA if rpn.number == ZONE => return self.set_zone(patch, channel, data),
            _ => return,
        }
        self.change_controllers(patch, channel, |held| held.rpn = rpn);
        if rpn.number == BEND_RANGE && matches!(number, DATA | FINE_DATA) {
            let range_st = f64::from(rpn.bend.0) + 0.01 * f64::from(rpn.bend.1);
            self.set_bend_range(patch, channel, range_st);
        }
    }

    /// Sets the bend range of a channel; a member of a zone sets it for all members.
    fn set_bend_range(&mut self, patch: &Patch, channel: Option<u8>, range_st: f64) {
        let zone = self.zone(patch);
        let set = |held: &mut HeldController| held.controllers.range_st = Some(range_st);
        match channel.and_then(|channel| zone.master_of(channel)) {
            Some(master) => (0..16).filter(|member| *member != master).for_each(|member| {
                self.change_controllers(patch, Some(member), set);
            }),
            None => self.change_controllers(patch, channel, set),
        }
    }

    /// Makes the first or last channel the master of a zone, or ends the zone, and sets the bend
    /// ranges of MPE.
    fn set_zone(&mut self, patch: &Patch, channel: Option<u8>, members: u8) {
        let zone = match (channel, members) {
            (Some(0 | 15), 0) => Zone::Off,
            (Some(0), _) => Zone::Lower,
            (Some(15), _) => Zone::Upper,
            _ => return,
        };
        self.controls.zone = Some(zone);
        for channel in 0..16 {
            let range_st =
                if Some(channel) == zone.master() || zone == Zone::Off { 2.0 } else { 48.0 };
            self.change_controllers(patch, Some(channel), |held| {
                held.controllers.range_st = Some(range_st)
            });
        }
    }

    /// The MPE zone in effect.
    fn zone(&self, patch: &Patch) -> Zone {
        self.controls.zone(patch)
    }

    /// Carries out a trigger of the side-chain.
    pub(super) fn handle_trigger(
        &mut self,
        patch: &Patch,
        settings: &external::ExternalSettings,
        trigger: Trigger,
        offset: usize,
        ends: &mut NoteEnds,
    ) {
        let note = settings.note();
        match trigger {
            Trigger::Strike { velocity } => {
                self.handle_event(
                    patch,
                    &Event { offset, note, kind: EventKind::NoteOn { velocity } },
                    offset,
                    ends,
                );
            }
            Trigger::LetGo => {
                self.handle_event(
                    patch,
                    &Event { offset, note: external::NOTES, kind: EventKind::NoteOff },
                    offset,
                    ends,
                );
            }
            Trigger::Push => self.drive(patch, settings, offset, ends),
        }
    }

    /// Whether the side-chain drives the body of its key already, or that key has no pitch.
    pub(super) fn is_driven(&mut self, settings: &external::ExternalSettings) -> bool {
        let note = settings.note();
        self.pool.matching(&note).any(|voice| voice.is_pushed())
            || self.inputs.tuning.pitch_st(settings.key).is_none()
    }

    /// Drives the body of the side-chain's key with the side-chain as a force.
    fn drive(
        &mut self,
        patch: &Patch,
        settings: &external::ExternalSettings,
        offset: usize,
        ends: &mut NoteEnds,
    ) {
        if self.is_driven(settings) {
            return;
        }
        let note = settings.note();
        self.pool.matching(&external::NOTES).for_each(|voice| voice.push_no_more());
        let context = self.inputs.context(patch);
        let (voice, before) = self.pool.voice_for(note, &context);
        voice.push();
        self.budget.wake();
        if let Some(note) = before {
            report_note_end(ends, NoteEnd { offset, note });
        }
    }
}

/// A velocity limited to 0…1; NaN becomes full velocity, so that the note is heard.
fn gate_velocity(velocity: f32) -> f64 {
    if velocity.is_nan() { 1.0 } else { f64::from(velocity).clamp(0.0, 1.0) }
}
