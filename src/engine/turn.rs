//! What pedals, wheel, pressure and the messages for a whole channel do to its voices.

use super::Engine;
use super::controls::{self, Held};
use crate::event::NoteAddress;
use crate::patch::Patch;
use crate::voice::Voice;

impl Engine {
    /// A controller of a channel, or of all, is at `value`, 0…1.
    pub(super) fn turn(&mut self, patch: &Patch, channel: Option<u8>, number: u8, value: f64) {
        match number {
            controls::WHEEL => self.change(patch, channel, |held| held.wheel = value),
            controls::SUSTAIN => self.change(patch, channel, |held| held.sustain = value),
            controls::SOSTENUTO => self.change(patch, channel, |held| held.sostenuto = value),
            controls::MUTE => self.change(patch, channel, |held| held.mute = value),
            controls::SOUND_OFF => self.pool.on_channel(channel).for_each(Voice::choke),
            controls::RESET => self.forget(patch, channel),
            number if controls::NOTES_OFF.contains(&number) => {
                let controls = &self.controls;
                self.pool.on_channel(channel).for_each(|voice| controls.let_go(voice, patch));
            }
            _ => {}
        }
    }

    /// Pressure on a channel, or on the keys that the address means.
    pub(super) fn press(&mut self, address: &NoteAddress, value: f64) {
        if address.key.is_none() && address.id.is_none() {
            let pressed = |held: &mut Held| held.pressure = value;
            self.controls.change(address.channel, pressed);
            for voice in self.pool.on_channel(address.channel) {
                voice.press(self.controls.of(voice.channel()).pressed(), None);
            }
            return;
        }
        for voice in self.pool.matching(address) {
            voice.press(self.controls.of(voice.channel()).pressed(), Some(value));
        }
    }

    /// Every controller of a channel goes back to where it begins.
    fn forget(&mut self, patch: &Patch, channel: Option<u8>) {
        self.pool.on_channel(channel).for_each(|voice| voice.press(0.0, Some(0.0)));
        self.change(patch, channel, |held| *held = Held::default());
    }

    /// Change what is held on a channel, and tell its voices.
    fn change(&mut self, patch: &Patch, channel: Option<u8>, change: impl FnMut(&mut Held)) {
        let before = self.controls.clone();
        self.controls.change(channel, change);
        for voice in self.pool.on_channel(channel) {
            let (was, is) = (before.of(voice.channel()), self.controls.of(voice.channel()));
            voice.press(is.pressed(), None);
            voice.mute(is.mutes());
            if !is.holds() {
                voice.hold(false);
            } else if !was.holds() {
                voice.hold(voice.is_down());
            }
            if voice.is_kept() && !is.sustains() && !voice.is_held() {
                voice.let_go(patch);
            }
        }
    }
}
