//! Pedals, controllers and registered parameters of each MIDI channel.
//!
//! Registered parameters (RPN): controllers 101 and 100 select one, 6 and 38 set it (MIDI 1.0; MPE
//! 1.1 for the zone). They override the knobs until the knob of the zone moves.

use std::ops::RangeInclusive;

use crate::modulation::{Controllers, Zone};
use crate::params::Patch;
use crate::voice::Voice;

/// Number of MIDI channels.
const CHANNELS: usize = 16;

/// Sustain pedal.
pub const SUSTAIN: u8 = 64;
/// Sostenuto pedal.
pub const SOSTENUTO: u8 = 66;
/// Soft pedal, which mutes.
pub const MUTE: u8 = 67;
/// All sound off: chokes every note of the channel.
pub const SOUND_OFF: u8 = 120;
/// Resets all controllers.
pub const RESET: u8 = 121;
/// All notes off: releases every key of the channel; pedals still sustain. Channel mode messages
/// imply it.
pub const NOTES_OFF: RangeInclusive<u8> = 123..=127;

/// Controllers of the coarse and fine part of a value, and of the number of its parameter.
pub(super) const DATA: u8 = 6;
pub(super) const FINE_DATA: u8 = 38;
pub(super) const FINE_NUMBER: u8 = 100;
pub(super) const NUMBER: u8 = 101;

/// RPN of the bend range, in semitones and cents.
pub(super) const BEND_RANGE: (u8, u8) = (0, 0);
/// RPN by which a master channel sets its number of members; 0 ends the zone.
pub(super) const ZONE: (u8, u8) = (0, 6);

/// Maximum bend range, semitones.
pub(super) const MAX_BEND_ST: u8 = 96;

/// The selected RPN of a channel, and its bend range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RpnState {
    pub(super) number: (u8, u8),
    pub(super) bend: (u8, u8),
}

impl Default for RpnState {
    fn default() -> Self {
        Self { number: (127, 127), bend: (2, 0) }
    }
}

impl RpnState {
    /// Whether a controller selects or sets an RPN.
    pub fn is_rpn_controller(number: u8) -> bool {
        matches!(number, DATA | FINE_DATA | FINE_NUMBER | NUMBER)
    }
}

/// The controllers of one channel; pedals are 0…1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct HeldController {
    /// Wheels, pressure and other continuous controllers.
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
    /// Whether the soft pedal is down, which damps every body of the channel.
    pub fn mutes(&self) -> bool {
        self.mute >= 0.5
    }

    /// Whether the sostenuto pedal is down. It holds the keys that were down when it was pressed.
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
    /// The MPE zone, if a master channel has set it.
    pub zone: Option<Zone>,
}

impl Controls {
    /// Resets all channels.
    pub fn reset(&mut self) {
        *self = Self::default();
    }

    /// The MPE zone that a master channel has set, or else that of the patch.
    pub fn zone(&self, patch: &Patch) -> Zone {
        self.zone.unwrap_or_else(|| Zone::of_patch(patch))
    }

    /// The controllers of a channel; an unknown one means the first.
    pub fn of(&self, channel: Option<u8>) -> &HeldController {
        &self.channels[index(channel)]
    }

    /// The controllers that act on a voice: those of its channel and of the master of its zone.
    pub fn effective(&self, channel: Option<u8>, zone: Zone) -> HeldController {
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

    /// Changes the controllers of one channel, or of all.
    pub fn change(&mut self, channel: Option<u8>, mut change: impl FnMut(&mut HeldController)) {
        match channel {
            Some(_) => change(&mut self.channels[index(channel)]),
            None => self.channels.iter_mut().for_each(change),
        }
    }

    /// Releases the key of a voice; a pedal may sustain its note.
    pub fn release(&self, voice: &mut Voice, patch: &Patch) {
        if !voice.is_down() {
            return;
        }
        if voice.is_held() || self.effective(voice.channel(), self.zone(patch)).sustains() {
            voice.keep();
        } else {
            voice.let_go(patch);
        }
    }
}

/// Index of a channel; an unknown one means the first.
pub fn index(channel: Option<u8>) -> usize {
    usize::from(channel.unwrap_or(0)).min(CHANNELS - 1)
}

/// A controller value limited to 0…1; NaN becomes 0.
pub fn gate(value: f32) -> f64 {
    if value.is_nan() { 0.0 } else { f64::from(value).clamp(0.0, 1.0) }
}
