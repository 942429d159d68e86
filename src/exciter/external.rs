//! Sound from outside that strikes a body or drives it.
//!
//! *Strikes*: an envelope follower finds onsets and plays the key of `External key`, let go again
//! when the sound is gone. *Force*: the sound itself, less its mean, is a force in newtons at the
//! strike point of that key's body.
//!
//! Both run sample by sample on their own clock: where a host cuts its blocks is not heard.

pub mod detector;
pub mod force;
pub mod input;

pub use input::Input;

use crate::math::db_to_gain;
use crate::params::event::NoteAddress;
use crate::params::{Param, Patch};
use detector::Detector;
use force::Force;

/// Channel of the notes that are struck from outside: beyond MIDI's, so that nobody else's note is
/// theirs, and no host is told of the end of a note that it has not begun.
pub const CHANNEL: u8 = 16;

/// What the sound from outside does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExternalMode {
    /// Nothing.
    Off,
    /// Its onsets strike.
    Strikes,
    /// It is a force.
    Force,
}

/// What a patch says of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ExternalSettings {
    /// What it does.
    pub mode: ExternalMode,
    /// Factor on it; as a force 1 is one newton at full scale.
    pub gain: f64,
    /// An onset reaches this; full scale is 1.
    pub threshold: f64,
    /// Shortest time from strike to strike, s; in as long the follower forgets by 60 dB.
    pub hold_s: f64,
    /// How far the softest note is below the hardest, dB of speed.
    pub dynamics_db: f64,
    /// Key of the body.
    pub key: u8,
}

impl ExternalSettings {
    /// Of this patch.
    pub fn of(patch: &Patch) -> Self {
        let mode = match patch.choice(Param::ExternalMode) {
            0 => ExternalMode::Off,
            1 => ExternalMode::Strikes,
            _ => ExternalMode::Force,
        };
        // Read in every block, and most of the time for nothing.
        let factor = |param: Param| {
            if mode == ExternalMode::Off { 1.0 } else { db_to_gain(patch.get(param)) }
        };
        Self {
            mode,
            gain: factor(Param::ExternalGain),
            threshold: factor(Param::ExternalThreshold),
            hold_s: patch.get(Param::ExternalHold),
            dynamics_db: patch.get(Param::Dynamics),
            key: patch.choice(Param::ExternalKey) as u8,
        }
    }

    /// The note that is struck or driven.
    pub fn note(&self) -> NoteAddress {
        NoteAddress { id: None, channel: Some(CHANNEL), key: Some(self.key) }
    }
}

/// All notes from outside.
pub const NOTES: NoteAddress = NoteAddress { id: None, channel: Some(CHANNEL), key: None };

/// Something that the sound from outside makes happen before the next sample.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Trigger {
    /// A key is struck.
    Strike {
        /// How hard, 0…1.
        velocity: f32,
    },
    /// It is let go.
    LetGo,
    /// A force sets in after silence.
    Push,
}

/// The listener.
#[derive(Clone, Debug, Default)]
pub struct External {
    detector: Detector,
    force: Force,
    pending: Option<Trigger>,
    /// The key that was driven last.
    key: u8,
}

impl External {
    /// Take over a sample rate, and forget the past.
    pub fn prepare(&mut self, sample_rate_hz: f64) {
        self.detector.prepare(sample_rate_hz);
        self.force.prepare(sample_rate_hz);
        self.pending = None;
    }

    /// Forget the past.
    pub fn reset(&mut self) {
        self.detector.reset();
        self.force.reset();
        self.pending = None;
    }

    /// What happens now, before the next sample.
    pub fn take_trigger(&mut self) -> Option<Trigger> {
        self.pending.take()
    }

    /// Whether something is about to happen.
    pub fn is_waiting(&self) -> bool {
        self.pending.is_some() || self.detector.is_rising()
    }

    /// What was driven is gone: a force that goes on begins anew.
    pub fn renew(&mut self) {
        self.force.renew();
    }

    /// Listen to up to `forces_n.len()` samples of `input` from `start` on, until something
    /// happens. Returns how many went by; the force in each of them is in `forces_n`.
    pub fn listen(
        &mut self,
        settings: &ExternalSettings,
        input: &Input,
        start: usize,
        forces_n: &mut [f64],
    ) -> usize {
        let samples = forces_n.len();
        if settings.mode != ExternalMode::Strikes && self.detector.let_go() {
            self.pending = Some(Trigger::LetGo);
            return 0;
        }
        if settings.mode != ExternalMode::Force {
            self.force.reset();
            forces_n.fill(0.0);
        }
        match settings.mode {
            ExternalMode::Off => samples,
            ExternalMode::Strikes => {
                let steps = self.detector.steps(settings);
                for sample in 0..samples {
                    self.pending =
                        self.detector.advance(&steps, settings.gain * input.at(start + sample));
                    if self.pending.is_some() {
                        return sample + 1;
                    }
                }
                samples
            }
            ExternalMode::Force => {
                if std::mem::replace(&mut self.key, settings.key) != settings.key {
                    self.force.renew();
                }
                for (sample, force_n) in forces_n.iter_mut().enumerate() {
                    if self.force.advance(settings.gain, || input.at(start + sample)) {
                        self.pending = Some(Trigger::Push);
                        return sample;
                    }
                    *force_n = self.force.take();
                }
                samples
            }
        }
    }
}
