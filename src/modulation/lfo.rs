//! The low-frequency oscillator of a voice.
//!
//! It starts with the note at the set phase, with an optional fade-in. Its rate is a frequency, or
//! a note length at the host's tempo.

use crate::params::{Param, Patch, note_length_s};
use crate::random::signed_unit_of;

/// Keeps the random steps apart from other streams indexed by note number.
const STREAM: u64 = 1 << 63;

/// Waveforms, in the order of the parameter's choices. New ones come last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LfoShape {
    /// Sine, rising from 0.
    #[default]
    Sine,
    /// Triangle, rising from 0.
    Triangle,
    /// 1 in the first half, -1 in the second.
    Square,
    /// Rises from -1 to 1.
    SawUp,
    /// Falls from 1 to -1.
    SawDown,
    /// A new random value in every cycle.
    Steps,
}

impl LfoShape {
    const ALL: [LfoShape; 6] = [
        LfoShape::Sine,
        LfoShape::Triangle,
        LfoShape::Square,
        LfoShape::SawUp,
        LfoShape::SawDown,
        LfoShape::Steps,
    ];

    /// Value after `cycles`; only the random steps depend on the whole part.
    fn at(self, cycles: f64, seed: u64, note: u64) -> f64 {
        let phase = cycles - cycles.floor();
        match self {
            LfoShape::Sine => (std::f64::consts::TAU * phase).sin(),
            LfoShape::Triangle => 1.0 - (4.0 * (phase + 0.25).fract() - 2.0).abs(),
            LfoShape::Square => {
                if phase < 0.5 {
                    1.0
                } else {
                    -1.0
                }
            }
            LfoShape::SawUp => 2.0 * phase - 1.0,
            LfoShape::SawDown => 1.0 - 2.0 * phase,
            // The cast saturates, and cycles are never below 0.
            LfoShape::Steps => signed_unit_of(seed, STREAM ^ note, cycles as u64),
        }
    }
}

/// Settings of the LFO.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LfoSettings {
    /// Cycles per second.
    pub rate_hz: f64,
    /// Waveform.
    pub shape: LfoShape,
    /// Fade-in time, s.
    pub fade_s: f64,
    /// Start phase, 0…1.
    pub phase: f64,
    /// Seed of the random steps.
    pub seed: u64,
}

impl LfoSettings {
    /// Reads the settings from a patch, with a possibly modulated rate and a tempo in quarter notes
    /// per minute.
    pub fn new(patch: &Patch, rate_hz: f64, tempo_bpm: f64) -> Self {
        let synced_hz =
            note_length_s(patch.choice(Param::LfoSync), tempo_bpm).map(|gap_s| 1.0 / gap_s);
        Self {
            rate_hz: synced_hz.unwrap_or(rate_hz),
            shape: LfoShape::ALL.get(patch.choice(Param::LfoShape)).copied().unwrap_or_default(),
            fade_s: patch.get(Param::LfoFade),
            phase: patch.get(Param::LfoPhase),
            seed: patch.get(Param::Seed) as u64,
        }
    }
}

/// State of the LFO.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Lfo {
    /// Cycles since the onset.
    cycles: f64,
    /// Time since the onset, s.
    age_s: f64,
    note: u64,
}

impl Lfo {
    /// Restarts for note number `note`.
    pub fn begin(&mut self, note: u64) {
        *self = Self { note, ..Self::default() };
    }

    /// Advances time.
    pub fn pass(&mut self, time_s: f64, settings: &LfoSettings) {
        self.cycles += settings.rate_hz * time_s;
        self.age_s += time_s;
    }

    /// Current value, -1…1.
    pub fn value(&self, settings: &LfoSettings) -> f64 {
        let grown = if self.age_s < settings.fade_s { self.age_s / settings.fade_s } else { 1.0 };
        grown * settings.shape.at(self.cycles + settings.phase, settings.seed, self.note)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(shape: LfoShape) -> LfoSettings {
        LfoSettings { rate_hz: 2.0, shape, fade_s: 0.0, phase: 0.0, seed: 1 }
    }

    #[test]
    fn each_shape_is_what_its_name_says() {
        let at = |shape, cycles| settings(shape).shape.at(cycles, 1, 0);
        for (shape, values) in [
            (LfoShape::Sine, [0.0, 1.0, 0.0, -1.0]),
            (LfoShape::Triangle, [0.0, 1.0, 0.0, -1.0]),
            (LfoShape::Square, [1.0, 1.0, -1.0, -1.0]),
            (LfoShape::SawUp, [-1.0, -0.5, 0.0, 0.5]),
            (LfoShape::SawDown, [1.0, 0.5, 0.0, -0.5]),
        ] {
            for (quarter, value) in values.into_iter().enumerate() {
                let got = at(shape, 3.0 + 0.25 * quarter as f64);
                assert!((got - value).abs() < 1e-12, "{shape:?} {quarter}: {got}");
            }
        }
        assert_eq!(at(LfoShape::Steps, 4.1), at(LfoShape::Steps, 4.9));
        assert_ne!(at(LfoShape::Steps, 4.1), at(LfoShape::Steps, 5.1));
    }

    #[test]
    fn its_period_does_not_depend_on_how_often_it_is_asked() {
        for ticks_per_s in [44_100.0 / 32.0, 192_000.0 / 32.0, 7.0] {
            let (mut lfo, settings) = (Lfo::default(), settings(LfoShape::Sine));
            let ticks = 10_000;
            for _ in 0..ticks {
                lfo.pass(1.0 / ticks_per_s, &settings);
            }
            let wanted = 2.0 * f64::from(ticks) / ticks_per_s;
            assert!((lfo.cycles - wanted).abs() < 1e-9 * wanted);
        }
    }

    #[test]
    fn it_fades_in() {
        let settings = LfoSettings { fade_s: 1.0, ..settings(LfoShape::Square) };
        let mut lfo = Lfo::default();
        assert_eq!(lfo.value(&settings), 0.0);
        lfo.pass(0.125, &settings);
        assert!((lfo.value(&settings) - 0.125).abs() < 1e-12);
        (0..9).for_each(|_| lfo.pass(0.1375, &settings));
        assert_eq!(lfo.value(&settings).abs(), 1.0);
    }
}
