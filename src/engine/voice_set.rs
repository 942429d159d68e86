//! Voices that are made together, off the audio thread, with as much room as a patch needs.

use super::MAX_VOICES;
use super::pool::FADING;
use crate::body::{MAX_MODES, USUAL_MODES};
use crate::exciter::{Gesture, tumble};
use crate::modulation::slots;
use crate::params::{Param, Patch};
use crate::voice::Voice;

/// Multiples of this share of 1, taken modulo 1, never come close to each other (the golden
/// section).
const GOLDEN: f64 = 0.618_033_988_749_894_8;

/// How many voices there are, and how many modes each of them has room for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Room {
    /// Modes of each voice.
    pub modes: usize,
    /// Voices that play at once; those that fade come on top.
    pub voices: usize,
}

impl Room {
    /// What most patches need.
    pub const USUAL: Self = Self { modes: USUAL_MODES, voices: MAX_VOICES / 2 };
    /// What no patch needs more of.
    pub const ALL: Self = Self { modes: MAX_MODES, voices: MAX_VOICES };

    /// What a patch needs, rounded up to a size that is made.
    pub fn of(patch: &Patch) -> Self {
        // Several bodies in one voice share the most modes there can be.
        let has_several_bodies = match patch.gesture() {
            Gesture::Tumble => tumble::both_ring(patch),
            Gesture::Chain => patch.choice(Param::BallsRing) == 1,
            _ => false,
        };
        let modes = if has_several_bodies || slots::move_param(patch, Param::Modes) {
            MAX_MODES
        } else {
            // The cast saturates.
            (patch.get(Param::Modes).ceil() as usize)
                .clamp(USUAL_MODES, MAX_MODES)
                .next_power_of_two()
        };
        let voices =
            if patch.voices() > Self::USUAL.voices { MAX_VOICES } else { Self::USUAL.voices };
        Self { modes, voices }
    }

    /// Room for both.
    pub fn and(self, other: Self) -> Self {
        Self { modes: self.modes.max(other.modes), voices: self.voices.max(other.voices) }
    }

    /// Whether there is room for what needs `other`.
    pub fn covers(self, other: Self) -> bool {
        self.and(other) == self
    }
}

/// The voices of an engine.
#[derive(Clone, Debug)]
pub struct VoiceSet {
    pub(super) voices: Box<[Voice]>,
    pub(super) room: Room,
    sample_rate_hz: f64,
}

impl VoiceSet {
    /// As many voices as there is room for, and those that fade. Allocates.
    pub fn new(room: Room, sample_rate_hz: f64) -> Self {
        let voice = |slot: usize| {
            let mut voice = Voice::with_capacity(room.modes);
            // Thrown bodies of different voices are then not worked out at the same sample.
            voice.set_phase((slot as f64 * GOLDEN).fract());
            voice.prepare(sample_rate_hz);
            voice
        };
        Self { voices: (0..room.voices + FADING).map(voice).collect(), room, sample_rate_hz }
    }

    /// Prepares them for another sample rate.
    pub(super) fn prepare(&mut self, sample_rate_hz: f64) {
        if self.sample_rate_hz != sample_rate_hz {
            self.sample_rate_hz = sample_rate_hz;
            self.voices.iter_mut().for_each(|voice| voice.prepare(sample_rate_hz));
        }
    }
}
