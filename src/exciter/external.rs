//! The side-chain: audio input that strikes a body or drives it as a force.
//!
//! *Strikes*: an envelope follower detects onsets and plays the key of `External key`; it releases
//! the key when the input falls silent. *Force*: the input, without its DC component, is a force in
//! newtons at the strike point of that key's body.
//!
//! Both run sample by sample with their own state, so the result does not depend on the block size.

pub mod detector;

use detector::Detector;

use crate::math::{DcBlock, db_to_gain};
use crate::params::event::NoteAddress;
use crate::params::{Param, Patch};

/// Channel of the side-chain's notes: outside MIDI's range, so that they never match a host's note
/// and no note end is reported to the host for them.
pub const CHANNEL: u8 = 16;

/// Effect of the side-chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExternalMode {
    /// The input is ignored.
    Off,
    /// Onsets trigger strikes.
    Strikes,
    /// The input is an external force.
    Force,
}

/// Settings of the side-chain.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ExternalSettings {
    /// The effect of the input.
    pub mode: ExternalMode,
    /// Input gain; as a force, 1 means one newton at full scale.
    pub gain: f64,
    /// Level at which an onset begins; full scale is 1.
    pub threshold: f64,
    /// Minimum time between strikes, s; the follower decays by 60 dB in this time.
    pub hold_s: f64,
    /// Speed of the softest note below the hardest, dB.
    pub dynamics_db: f64,
    /// Key that is struck or driven.
    pub key: u8,
}

impl ExternalSettings {
    /// Reads the settings from a patch.
    pub fn of(patch: &Patch) -> Self {
        let mode = match patch.choice(Param::ExternalMode) {
            0 => ExternalMode::Off,
            1 => ExternalMode::Strikes,
            _ => ExternalMode::Force,
        };
        // Called in every block and usually off: skip the conversion.
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

    /// Address of the note that is struck or driven.
    pub fn note(&self) -> NoteAddress {
        NoteAddress { id: None, channel: Some(CHANNEL), key: Some(self.key) }
    }
}

/// Matches all notes of the side-chain.
pub const NOTES: NoteAddress = NoteAddress { id: None, channel: Some(CHANNEL), key: None };

/// An action that the side-chain triggers before the next sample.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Trigger {
    /// Strikes the key.
    Strike {
        /// Velocity, 0…1.
        velocity: f32,
    },
    /// Releases the key.
    LetGo,
    /// Starts a force after silence.
    Push,
}

/// State of the side-chain.
#[derive(Clone, Debug, Default)]
pub struct External {
    detector: Detector,
    force: Force,
    pending: Option<Trigger>,
    /// The key that was driven last.
    key: u8,
}

impl External {
    /// Sets the sample rate and resets.
    pub fn prepare(&mut self, sample_rate_hz: f64) {
        self.detector.prepare(sample_rate_hz);
        self.force.prepare(sample_rate_hz);
        self.pending = None;
    }

    /// Resets.
    pub fn reset(&mut self) {
        self.detector.reset();
        self.force.reset();
        self.pending = None;
    }

    /// The pending trigger, if any.
    pub fn take_trigger(&mut self) -> Option<Trigger> {
        self.pending.take()
    }

    /// Whether a trigger is pending or an onset is being measured.
    pub fn is_waiting(&self) -> bool {
        self.pending.is_some() || self.detector.is_rising()
    }

    /// Marks the driven note as gone, so that a continuing force triggers a new one.
    pub fn renew(&mut self) {
        self.force.renew();
    }

    /// Processes up to `forces_n.len()` samples of `input` from `start` until a trigger occurs.
    ///
    /// Returns the number of processed samples and writes the force of each to `forces_n`.
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

/// Input samples are limited to this; full scale is 1.
const LARGEST: f64 = 16.0;

/// The two channels of the side-chain for one block; missing samples are silent.
#[derive(Clone, Copy, Debug, Default)]
pub struct Input<'a> {
    /// Left channel.
    pub left: &'a [f32],
    /// Right channel; empty for a mono input.
    pub right: &'a [f32],
}

impl Input<'_> {
    /// The mean of both channels at a sample; NaN and infinity become silence, large samples are
    /// clipped.
    pub fn at(&self, sample: usize) -> f64 {
        let gate = |channel: &[f32]| {
            let x = channel.get(sample).copied().map_or(0.0, f64::from);
            if x.is_finite() { x.clamp(-LARGEST, LARGEST) } else { 0.0 }
        };
        if self.right.is_empty() {
            gate(self.left)
        } else {
            0.5 * (gate(self.left) + gate(self.right))
        }
    }
}

/// Forces up to this count as zero, N; the motion they cause is inaudible.
const SILENCE_N: f64 = 1e-8;

/// Converts samples to a force in newtons, without DC: a constant force is inaudible but would
/// displace the body.
#[derive(Clone, Debug)]
pub struct Force {
    dc: DcBlock,
    pole: f64,
    /// Whether the last sample exceeded the silence threshold.
    pushes: bool,
    /// The force of a sample that has been read but not yet taken, N.
    waiting_n: Option<f64>,
}

impl Default for Force {
    fn default() -> Self {
        let mut force = Self { dc: DcBlock::default(), pole: 0.0, pushes: false, waiting_n: None };
        force.prepare(48_000.0);
        force
    }
}

impl Force {
    /// Sets the sample rate and resets.
    pub fn prepare(&mut self, sample_rate_hz: f64) {
        self.pole = DcBlock::pole(sample_rate_hz);
        self.reset();
    }

    /// Resets.
    pub fn reset(&mut self) {
        (self.dc, self.pushes, self.waiting_n) = (DcBlock::default(), false, None);
    }

    /// Treats the next non-silent sample as the first after silence.
    pub fn renew(&mut self) {
        self.pushes = false;
    }

    /// Reads the next sample, unless one is already pending.
    ///
    /// Returns true if its force is the first after silence; the force stays pending until
    /// [`Force::take`].
    pub fn advance(&mut self, gain: f64, sample: impl Fn() -> f64) -> bool {
        if self.waiting_n.is_some() {
            return false;
        }
        let force_n = gain * self.dc.process(self.pole, sample());
        let (pushed, pushes) = (self.pushes, force_n.abs() > SILENCE_N);
        self.pushes = pushes;
        self.waiting_n = Some(if pushes { force_n } else { 0.0 });
        pushes && !pushed
    }

    /// Takes the pending force, N.
    pub fn take(&mut self) -> f64 {
        self.waiting_n.take().unwrap_or(0.0)
    }
}

#[cfg(test)]
mod force_tests {
    use super::*;

    #[test]
    fn a_steady_push_goes_away_and_silence_is_none() {
        let mut force = Force::default();
        let mut onsets = 0;
        for n in 0..96_000 {
            onsets += usize::from(force.advance(1.0, || 0.5));
            let force_n = force.take();
            assert!(n != 0 || force_n == 0.5);
            assert!(n < 48_000 || force_n.abs() < 1e-7, "{n}: {force_n} N");
        }
        assert_eq!(onsets, 1);
        force.reset();
        assert!((0..1000).all(|_| !force.advance(100.0, || 0.0) && force.take() == 0.0));
    }
}
