//! What pedals, controllers and the messages for a whole channel do to its voices.

use super::Engine;
use super::controls::{self, HeldController};
use super::rpn::RpnState;
use crate::modulation::Controllers;
use crate::params::Patch;
use crate::params::event::{ExpressionKind, NoteAddress};
use crate::voice::Voice;

impl Engine {
    /// A controller of a channel, or of all, is at `value`, 0…1.
    pub(super) fn turn(&mut self, patch: &Patch, channel: Option<u8>, number: u8, value: f64) {
        let reach = self.zone(patch).reach(channel);
        match number {
            number if RpnState::takes(number) => self.register(patch, channel, number, value),
            controls::SUSTAIN => self.change(patch, channel, |held| held.sustain = value),
            controls::SOSTENUTO => self.change(patch, channel, |held| held.sostenuto = value),
            controls::MUTE => self.change(patch, channel, |held| held.mute = value),
            controls::SOUND_OFF => self.pool.on_channel(reach).for_each(Voice::choke),
            controls::RESET => self.forget(patch, channel),
            number if controls::NOTES_OFF.contains(&number) => {
                let controls = &self.controls;
                self.pool.on_channel(reach).for_each(|voice| controls.let_go(voice, patch));
            }
            _ => self.change(patch, channel, |held| {
                held.controllers.turn(number, value);
            }),
        }
    }

    /// The pitch wheel of a channel, or of all, is at `value`, -1…1.
    pub(super) fn bend(&mut self, patch: &Patch, channel: Option<u8>, value: f64) {
        self.change(patch, channel, |held| held.controllers.bend = value);
    }

    /// Pressure on a channel, or on the keys that the address means.
    pub(super) fn press(&mut self, patch: &Patch, address: &NoteAddress, value: f32) {
        if address.key.is_none() && address.id.is_none() {
            let value = controls::gate(value);
            return self.change(patch, address.channel, |held| held.controllers.pressure = value);
        }
        self.pool
            .matching(address)
            .for_each(|voice| voice.express(ExpressionKind::Pressure, value));
    }

    /// Every controller of a channel goes back to where it begins.
    fn forget(&mut self, patch: &Patch, channel: Option<u8>) {
        let reach = self.zone(patch).reach(channel);
        self.pool.on_channel(reach).for_each(|voice| voice.express(ExpressionKind::Pressure, 0.0));
        self.change(patch, channel, |held| {
            // What was registered is no controller.
            let controllers =
                Controllers { range_st: held.controllers.range_st, ..Controllers::default() };
            *held = HeldController { controllers, rpn: held.rpn, ..HeldController::default() };
        });
    }

    /// Change what is held on a channel, and tell its voices.
    pub(super) fn change(
        &mut self,
        patch: &Patch,
        channel: Option<u8>,
        change: impl FnMut(&mut HeldController),
    ) {
        let (zone, before) = (self.zone(patch), self.controls.clone());
        self.controls.change(channel, change);
        for voice in self.pool.on_channel(zone.reach(channel)) {
            let (was, is) =
                (before.felt(voice.channel(), zone), self.controls.felt(voice.channel(), zone));
            voice.feel(&is.controllers);
            voice.mute(is.mutes());
            if !is.holds() {
                voice.hold(false);
            } else if !was.holds() {
                voice.hold(voice.is_down());
            }
            if voice.is_sustained() && !is.sustains() && !voice.is_held() {
                voice.let_go(patch);
            }
        }
    }
}
