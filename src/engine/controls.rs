//! Pedals and controllers of each MIDI channel.

use std::ops::RangeInclusive;

use super::rpn::RpnState;
use crate::modulation::{Controllers, Zone};
use crate::params::Patch;
use crate::voice::Voice;

/// Channels there are.
const CHANNELS: usize = 16;

/// Number of the sustain pedal.
pub const SUSTAIN: u8 = 64;
/// Number of the sostenuto pedal.
pub const SOSTENUTO: u8 = 66;
/// Number of the soft pedal, which mutes.
pub const MUTE: u8 = 67;
/// All sound off: every note of the channel is choked.
pub const SOUND_OFF: u8 = 120;
/// Every controller goes back to where it begins.
pub const RESET: u8 = 121;
/// All notes off: every key of the channel is let go, and pedals keep what they keep. The messages
/// that choose a mode say the same.
pub const NOTES_OFF: RangeInclusive<u8> = 123..=127;

/// What a player holds on one channel; pedals are 0…1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct HeldController {
    /// Wheels, pressure and the like.
    pub controllers: Controllers,
    /// Sustain pedal; down from one half.
    pub sustain: f64,
    /// Sostenuto pedal; down from one half.
    pub sostenuto: f64,
    /// Soft pedal; down from one half.
    pub mute: f64,
    /// Registered parameters.
    pub rpn: RpnState,
}

impl HeldController {
    /// Whether the soft pedal is down: a hand on every body of the channel.
    pub fn mutes(&self) -> bool {
        self.mute >= 0.5
    }

    /// Whether the sostenuto pedal is down, which holds the keys that were down when it went down.
    pub fn holds(&self) -> bool {
        self.sostenuto >= 0.5
    }

    /// Whether the sustain pedal is down.
    pub fn sustains(&self) -> bool {
        self.sustain >= 0.5
    }
}

/// All channels.
#[derive(Clone, Debug, Default)]
pub struct Controls {
    channels: [HeldController; CHANNELS],
    /// Which channels are one instrument, if a master has said so.
    pub zone: Option<Zone>,
}

impl Controls {
    /// Everything is let go.
    pub fn reset(&mut self) {
        *self = Self::default();
    }

    /// Which channels are one instrument: as a master has said, or as the knob says.
    pub fn zone(&self, patch: &Patch) -> Zone {
        self.zone.unwrap_or_else(|| Zone::of_patch(patch))
    }

    /// What is held on a channel; an unknown one means the first.
    pub fn of(&self, channel: Option<u8>) -> &HeldController {
        &self.channels[index(channel)]
    }

    /// What a voice on a channel feels: what is held there, and on the master of its zone.
    pub fn felt(&self, channel: Option<u8>, zone: Zone) -> HeldController {
        let own = *self.of(channel);
        let Some(master) = zone.master_of(index(channel) as u8).map(|master| self.of(Some(master)))
        else {
            return own;
        };
        HeldController {
            controllers: master.controllers.with_member(&own.controllers),
            sustain: master.sustain.max(own.sustain),
            sostenuto: master.sostenuto.max(own.sostenuto),
            mute: master.mute.max(own.mute),
            rpn: own.rpn,
        }
    }

    /// Change what is held on a channel, or on all of them.
    pub fn change(&mut self, channel: Option<u8>, mut change: impl FnMut(&mut HeldController)) {
        match channel {
            Some(_) => change(&mut self.channels[index(channel)]),
            None => self.channels.iter_mut().for_each(change),
        }
    }

    /// The key of a voice is let go; a pedal may keep its note.
    pub fn let_go(&self, voice: &mut Voice, patch: &Patch) {
        if !voice.is_down() {
            return;
        }
        if voice.is_held() || self.felt(voice.channel(), self.zone(patch)).sustains() {
            voice.keep();
        } else {
            voice.let_go(patch);
        }
    }
}

/// Place of a channel among all; an unknown one means the first.
pub fn index(channel: Option<u8>) -> usize {
    usize::from(channel.unwrap_or(0)).min(CHANNELS - 1)
}

/// A controller is 0…1, whatever is sent; what is no number has been let go.
pub fn gate(value: f32) -> f64 {
    if value.is_nan() { 0.0 } else { f64::from(value).clamp(0.0, 1.0) }
}
