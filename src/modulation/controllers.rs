//! Controllers of a channel, how they act on a voice, and MPE zones.
//!
//! An MPE zone takes all sixteen channels; its master is the first or the last of them (MIDI
//! Association, MPE 1.1).

use super::source::{Source, Sources};
use crate::params::{Param, Patch};

/// Controller number of the modulation wheel.
pub const WHEEL: u8 = 1;
/// Controller number of the breath controller.
pub const BREATH: u8 = 2;
/// Controller number of the expression pedal.
pub const EXPRESSION: u8 = 11;
/// Controller number of timbre, the third dimension of MPE.
pub const TIMBRE: u8 = 74;

/// Controller values of a channel, or as they act on a voice. All 0 by default.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Controllers {
    /// Modulation wheel, 0…1.
    pub wheel: f64,
    /// Pressure of the whole channel, 0…1.
    pub pressure: f64,
    /// Pitch bend of the channel, -1…1; under MPE that of the zone's master.
    pub bend: f64,
    /// Pitch bend of the note's own channel under MPE, -1…1.
    pub note_bend: f64,
    /// Bend range, semitones, if the channel has set one; otherwise the parameter applies.
    pub range_st: Option<f64>,
    /// Bend range of the note's own channel under MPE, semitones, if it has set one.
    pub note_range_st: Option<f64>,
    /// Timbre, -1…1.
    pub timbre: f64,
    /// Expression pedal, 0…1.
    pub expression: f64,
    /// Breath, 0…1.
    pub breath: f64,
}

impl Controllers {
    /// Sets controller `number` to `value`, 0…1. Returns whether the number is supported.
    pub fn turn(&mut self, number: u8, value: f64) -> bool {
        match number {
            WHEEL => self.wheel = value,
            BREATH => self.breath = value,
            EXPRESSION => self.expression = value,
            TIMBRE => self.timbre = centred(value),
            _ => return false,
        }
        true
    }

    /// Combines a zone's master (`self`) with a member channel, for a note on that channel.
    ///
    /// Each bend keeps its own range. No other channel acts on the note.
    pub fn with_member(&self, own: &Controllers) -> Self {
        Self {
            wheel: self.wheel.max(own.wheel),
            pressure: self.pressure.max(own.pressure),
            bend: self.bend,
            note_bend: own.bend,
            range_st: self.range_st,
            note_range_st: own.range_st,
            timbre: (self.timbre + own.timbre).clamp(-1.0, 1.0),
            expression: self.expression.max(own.expression),
            breath: self.breath.max(own.breath),
        }
    }

    /// Total pitch bend, semitones.
    pub fn bend_st(&self, patch: &Patch) -> f64 {
        let range_st = self.range_st.unwrap_or_else(|| patch.get(Param::BendRange));
        let note_range_st = self.note_range_st.unwrap_or_else(|| patch.get(Param::MpeBendRange));
        self.bend * range_st + self.note_bend * note_range_st
    }

    /// Writes the values to the modulation sources.
    pub fn write_to(&self, sources: &mut Sources) {
        sources.set(Source::Wheel, self.wheel);
        sources.set(Source::Pressure, self.pressure);
        sources.set(Source::Bend, self.bend + self.note_bend);
        sources.set(Source::Timbre, self.timbre);
        sources.set(Source::Expression, self.expression);
        sources.set(Source::Breath, self.breath);
    }
}

/// Maps a controller of 0…127 to -1…1, with 64 at 0.
fn centred(value: f64) -> f64 {
    let steps = 127.0 * value - 64.0;
    if steps < 0.0 { steps / 64.0 } else { steps / 63.0 }
}

/// Pitch bend, -1…1, of a wheel position given as a share of its 16383 steps, 0…1.
///
/// The centre is step 8192, with fewer steps above it than below. Exactly one half also counts as
/// the centre.
pub fn bend_of_wheel(share: f32) -> f32 {
    let steps = 16_383.0 * f64::from(share) - 8192.0;
    let bend = match steps {
        _ if steps.abs() < 0.75 => 0.0,
        _ if steps < 0.0 => steps / 8192.0,
        _ => steps / 8191.0,
    };
    bend as f32
}

/// Limits a bend to -1…1; NaN becomes 0.
pub fn gate_bend(value: f32) -> f64 {
    if value.is_nan() { 0.0 } else { f64::from(value).clamp(-1.0, 1.0) }
}

/// Which channels form one MPE instrument.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Zone {
    /// No zone: each channel is independent.
    #[default]
    Off,
    /// Channel 1 is the master of 2 to 16.
    Lower,
    /// Channel 16 is the master of 1 to 15.
    Upper,
}

impl Zone {
    /// The zone of a patch.
    pub fn of_patch(patch: &Patch) -> Self {
        match patch.choice(Param::Mpe) {
            1 => Zone::Lower,
            2 => Zone::Upper,
            _ => Zone::Off,
        }
    }

    /// The master channel, 0…15, if there is one.
    pub fn master(self) -> Option<u8> {
        match self {
            Zone::Off => None,
            Zone::Lower => Some(0),
            Zone::Upper => Some(15),
        }
    }

    /// The master of a member channel; the master has none.
    pub fn master_of(self, channel: u8) -> Option<u8> {
        self.master().filter(|&master| master != channel)
    }

    /// The channel whose voices receive a channel's controllers.
    ///
    /// None means all voices, as for a master.
    pub fn reach(self, channel: Option<u8>) -> Option<u8> {
        channel.filter(|_| channel != self.master())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn timbre_is_0_in_the_middle_and_1_at_the_ends() {
        let mut held = Controllers::default();
        for (value, timbre) in [(0u8, -1.0), (64, 0.0), (127, 1.0)] {
            assert!(held.turn(TIMBRE, f64::from(value) / 127.0));
            assert!((held.timbre - timbre).abs() < 1e-12, "{value}: {}", held.timbre);
        }
        assert!(!held.turn(7, 1.0), "not one of these");
    }

    #[test]
    fn a_wheel_is_0_in_the_middle_and_1_at_the_ends() {
        let bend = |step: u16| bend_of_wheel(f32::from(step) / 16_383.0);
        assert_eq!((bend(0), bend(8192), bend(16_383)), (-1.0, 0.0, 1.0));
        assert_eq!(bend_of_wheel(0.5), 0.0);
        assert!((bend(12_288) - 0.5).abs() < 1e-4 && bend(8193) > 0.0 && bend(8190) < 0.0);
        assert_eq!((gate_bend(f32::NAN), gate_bend(9.0)), (0.0, 1.0));
    }

    #[test]
    fn a_member_is_bent_by_its_own_range_and_by_the_masters() {
        let bent = |bend: f64| Controllers { bend, ..Controllers::default() };
        let patch = Patch::default();
        assert!((bent(0.5).bend_st(&patch) - 1.0).abs() < 1e-12);
        assert!((bent(0.5).with_member(&bent(-0.25)).bend_st(&patch) - (1.0 - 12.0)).abs() < 1e-12);
    }
}

#[cfg(test)]
mod mpe_tests {
    use super::*;

    #[test]
    fn a_master_reaches_all_and_a_member_itself() {
        assert_eq!((Zone::Lower.reach(Some(0)), Zone::Lower.reach(Some(3))), (None, Some(3)));
        assert_eq!((Zone::Upper.reach(Some(15)), Zone::Upper.reach(Some(0))), (None, Some(0)));
        assert_eq!((Zone::Off.reach(Some(0)), Zone::Off.reach(None)), (Some(0), None));
        assert_eq!((Zone::Lower.master_of(0), Zone::Lower.master_of(15)), (None, Some(0)));
    }
}
