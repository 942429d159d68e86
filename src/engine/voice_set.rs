//! Voices that are made together, off the audio thread.

use super::pool::SLOTS;
use crate::body::{MAX_MODES, USUAL_MODES};
use crate::gesture::{Gesture, tumble};
use crate::modulation::slots;
use crate::patch::{Param, Patch};
use crate::voice::Voice;

/// Multiples of this share of 1, taken modulo 1, never come close to each other (the golden
/// section).
const GOLDEN: f64 = 0.618_033_988_749_894_8;

/// As many voices as an engine has, with room for the same number of modes.
#[derive(Clone, Debug)]
pub struct VoiceSet {
    pub(super) voices: Box<[Voice]>,
    modes: usize,
    sample_rate_hz: f64,
}

impl VoiceSet {
    /// Room for `modes` modes in each voice, rounded up to a size that is made. Allocates.
    pub fn new(modes: usize, sample_rate_hz: f64) -> Self {
        let modes = room_for(modes);
        let voice = |slot: usize| {
            let mut voice = Voice::with_capacity(modes);
            // Thrown bodies of different voices are then not worked out at the same sample.
            voice.set_phase((slot as f64 * GOLDEN).fract());
            voice.prepare(sample_rate_hz);
            voice
        };
        Self { voices: (0..SLOTS).map(voice).collect(), modes, sample_rate_hz }
    }

    /// The sample rate that they are prepared for.
    pub fn sample_rate_hz(&self) -> f64 {
        self.sample_rate_hz
    }

    /// Modes that each voice has room for.
    pub fn modes(&self) -> usize {
        self.modes
    }

    /// The larger voice of each place.
    pub(super) fn voices_in_place_of(mut self, mut others: Box<[Voice]>) -> Box<[Voice]> {
        for (voice, other) in self.voices.iter_mut().zip(&mut others) {
            if other.capacity() > voice.capacity() {
                std::mem::swap(voice, other);
            }
        }
        self.voices
    }

    pub(super) fn prepare(&mut self, sample_rate_hz: f64) {
        self.sample_rate_hz = sample_rate_hz;
        self.voices.iter_mut().for_each(|voice| voice.prepare(sample_rate_hz));
    }
}

/// Modes that a voice needs room for to play this patch.
pub fn modes_of(patch: &Patch) -> usize {
    // Several bodies in one voice share the most modes there can be.
    let has_several_bodies = match patch.gesture() {
        Gesture::Tumble => tumble::both_ring(patch),
        Gesture::Chain => patch.choice(Param::BallsRing) == 1,
        _ => false,
    };
    if has_several_bodies || slots::move_param(patch, Param::Modes) {
        return MAX_MODES;
    }
    // The cast saturates.
    room_for(patch.get(Param::Modes).ceil() as usize)
}

fn room_for(modes: usize) -> usize {
    modes.clamp(USUAL_MODES, MAX_MODES).next_power_of_two()
}
