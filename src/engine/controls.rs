//! Pedals and controllers of each MIDI channel.

use crate::modulation::{Controllers, Zone};

/// Channels there are.
const CHANNELS: usize = 16;

/// Number of the soft pedal, which mutes.
pub const MUTE: u8 = 67;
/// Number of the sustain pedal.
pub const SUSTAIN: u8 = 64;

/// What a player holds on one channel, 0…1 each.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Held {
    /// Wheels, pressure and the like.
    pub controllers: Controllers,
    /// Soft pedal; down from one half.
    pub mute: f64,
    /// Sustain pedal; down from one half.
    pub sustain: f64,
}

impl Held {
    /// Whether the soft pedal is down: a hand on every body of the channel.
    pub fn mutes(&self) -> bool {
        self.mute >= 0.5
    }

    /// Whether the sustain pedal is down.
    pub fn sustains(&self) -> bool {
        self.sustain >= 0.5
    }
}

/// All channels.
#[derive(Clone, Debug, Default)]
pub struct Controls {
    channels: [Held; CHANNELS],
}

impl Controls {
    /// Everything is let go.
    pub fn reset(&mut self) {
        *self = Self::default();
    }

    /// What is held on a channel; an unknown one means the first.
    pub fn of(&self, channel: Option<u8>) -> &Held {
        &self.channels[index(channel.unwrap_or(0))]
    }

    /// What a voice on a channel feels of the controllers.
    pub fn felt(&self, channel: Option<u8>, zone: Zone) -> Controllers {
        Controllers::felt(zone, channel.unwrap_or(0), |channel| self.of(Some(channel)).controllers)
    }

    /// Whether something is held on a channel, or on its master.
    pub fn holds(&self, channel: Option<u8>, zone: Zone, what: impl Fn(&Held) -> bool) -> bool {
        what(self.of(channel)) || zone.master_of(channel.unwrap_or(0)).is_some_and(|master| what(self.of(Some(master))))
    }

    /// Change what is held on a channel, or on all of them.
    pub fn change(&mut self, channel: Option<u8>, mut change: impl FnMut(&mut Held)) {
        match channel {
            Some(channel) => change(&mut self.channels[index(channel)]),
            None => self.channels.iter_mut().for_each(change),
        }
    }
}

fn index(channel: u8) -> usize {
    usize::from(channel).min(CHANNELS - 1)
}

/// A controller is 0…1, whatever is sent; what is no number has been let go.
pub fn gate(value: f32) -> f64 {
    if value.is_nan() { 0.0 } else { f64::from(value).clamp(0.0, 1.0) }
}
