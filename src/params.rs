//! The parameters of a sound: one table, and a validated set of values.
//!
//! A [`Patch`] never holds a value that is non-finite or out of range: every value (from a host, a
//! saved state, a preset or the command line) passes [`Patch::set_stored`].

pub mod destination;
pub mod event;
mod note_length;
pub mod spec;
pub mod table;
pub mod text;

pub use destination::Destination;
pub use note_length::note_length_s;
pub use spec::ParamScale;
pub use table::{Group, Param, ParamKind, Spec};

use crate::math::db_to_gain;

/// Maximum number of simultaneous notes.
pub const MAX_VOICES: usize = 64;

/// Number of key groups.
pub const KEY_GROUPS: usize = 4;

/// Parameters of each group: lowest key, highest key, choke switch.
const ROWS: [[Param; 3]; KEY_GROUPS] = [
    [Param::Group1Low, Param::Group1High, Param::Group1Chokes],
    [Param::Group2Low, Param::Group2High, Param::Group2Chokes],
    [Param::Group3Low, Param::Group3High, Param::Group3Chokes],
    [Param::Group4Low, Param::Group4High, Param::Group4Chokes],
];

/// A range of keys that form a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyGroup {
    /// Lowest key.
    pub low: u8,
    /// Highest key, not below the lowest.
    pub high: u8,
    /// Whether a note of this group ends the notes of its other keys.
    pub chokes: bool,
}

impl KeyGroup {
    /// True if a key belongs to the group.
    pub fn has(&self, key: u8) -> bool {
        (self.low..=self.high).contains(&key)
    }
}

/// A complete set of parameter values.
///
/// Each value is kept twice: as *stored*, the `f32` that hosts automate and presets keep (the
/// decimal logarithm for logarithmic parameters), and in SI units as the engine reads it. Two
/// patches with equal stored values are identical bit by bit, so a plug-in and the command line
/// produce the same sound.
#[derive(Clone, Debug, PartialEq)]
pub struct Patch {
    stored: [f32; Param::COUNT],
    si: [f64; Param::COUNT],
}

impl Default for Patch {
    fn default() -> Self {
        let mut patch = Self { stored: [f32::NAN; Param::COUNT], si: [0.0; Param::COUNT] };
        for param in Param::ALL {
            patch.set_stored(param, param.spec().default_stored());
        }
        patch
    }
}

impl Patch {
    /// True if all stored values are identical bit by bit.
    pub fn is_same(&self, other: &Self) -> bool {
        self.stored
            .iter()
            .zip(&other.stored)
            .fold(true, |same, (a, b)| same & (a.to_bits() == b.to_bits()))
    }

    /// Sets a stored value, limited to its range; NaN becomes the default.
    ///
    /// Returns whether the patch changed. Every value enters the patch here.
    pub fn set_stored(&mut self, param: Param, stored: f32) -> bool {
        let index = param as usize;
        // Compares bits, not values: called for every parameter in every block, nearly always
        // without a change.
        if self.stored[index].to_bits() == stored.to_bits() {
            return false;
        }
        let spec = param.spec();
        let stored = spec.clamp_stored(stored);
        if self.stored[index].to_bits() == stored.to_bits() {
            return false;
        }
        self.stored[index] = stored;
        self.si[index] = spec.stored_to_si(stored);
        true
    }

    /// Sets a value in SI units, by [`Patch::set_stored`].
    pub fn set(&mut self, param: Param, si: f64) -> bool {
        self.set_stored(param, param.spec().si_to_stored(si))
    }

    /// Stored value of a parameter.
    pub fn stored(&self, param: Param) -> f32 {
        self.stored[param as usize]
    }

    /// All stored values, in the order of the table.
    pub fn all_stored(&self) -> &[f32; Param::COUNT] {
        &self.stored
    }

    /// Value in SI units; the index for choices, 0 or 1 for switches.
    pub fn get(&self, param: Param) -> f64 {
        self.si[param as usize]
    }

    /// True if a switch is on.
    pub fn is_on(&self, param: Param) -> bool {
        self.get(param) >= 0.5
    }

    /// The index of a choice.
    pub fn choice(&self, param: Param) -> usize {
        self.get(param) as usize
    }

    /// Whether note-off damps the body, and whether it catches the gesture's moving parts.
    ///
    /// Both are false for one-shots; either limits a note to the duration of its key.
    pub fn note_off(&self) -> (bool, bool) {
        let choice = self.choice(Param::NoteOff);
        (matches!(choice, 1 | 3), matches!(choice, 2 | 3))
    }

    /// Speed of the striker at note velocity 0…1, m/s.
    ///
    /// It is `Speed` at full velocity and `Dynamics` decibels less at the softest.
    pub fn impact_speed_m_per_s(&self, velocity: f64) -> f64 {
        let below_full_db = self.get(Param::Dynamics) * (1.0 - velocity.clamp(0.0, 1.0));
        self.get(Param::Speed) * db_to_gain(-below_full_db)
    }

    /// Output gain as a factor, from *Level* and *Trim*.
    pub fn level(&self) -> f64 {
        db_to_gain(self.get(Param::Level) + self.get(Param::Trim))
    }

    /// Maximum number of simultaneous notes, at least 1.
    pub fn voices(&self) -> usize {
        self.choice(Param::Voices).max(1)
    }

    /// True if a sounding key strikes its body again instead of starting a new one.
    pub fn strikes_same_body(&self) -> bool {
        self.choice(Param::Restrike) == 0
    }

    /// The key groups. A range with swapped ends is corrected.
    pub fn key_groups(&self) -> [KeyGroup; KEY_GROUPS] {
        ROWS.map(|[low, high, chokes]| {
            let (a, b) = (self.choice(low) as u8, self.choice(high) as u8);
            KeyGroup { low: a.min(b), high: a.max(b), chokes: self.is_on(chokes) }
        })
    }
}

#[cfg(test)]
mod tests {
    mod reading;

    use super::*;

    #[test]
    fn no_value_from_outside_passes_the_gate_unbounded() {
        let hostile = [
            f32::NAN,
            f32::INFINITY,
            f32::NEG_INFINITY,
            1e30,
            -1e30,
            f32::MIN_POSITIVE / 2.0,
            -0.0,
        ];
        for param in Param::ALL {
            let spec = param.spec();
            for value in hostile {
                let mut patch = Patch::default();
                patch.set_stored(param, value);
                let si = patch.get(param);
                let (min, max) = spec.range_si();
                assert!(si.is_finite(), "{}: {value} became {si}", spec.id);
                assert!(
                    (min..=max).contains(&si),
                    "{}: {value} became {si}, outside {min}..{max}",
                    spec.id
                );
            }
        }
    }

    #[test]
    fn si_values_survive_storage_to_single_precision() {
        for param in Param::ALL {
            let spec = param.spec();
            let (min, max) = spec.range_si();
            for i in 0..=20 {
                let si = spec.stored_to_si(spec.position_to_stored(i as f64 / 20.0));
                let mut patch = Patch::default();
                patch.set(param, si);
                let back = patch.get(param);
                assert!(
                    (back - si).abs() <= 2e-6 * (max - min).min(si.abs().max(1e-9)) + 1e-9,
                    "{}: {si} came back as {back}",
                    spec.id
                );
            }
        }
    }

    #[test]
    fn velocity_spans_the_dynamics() {
        let mut patch = Patch::default();
        patch.set(Param::Speed, 4.0);
        patch.set(Param::Dynamics, 40.0);
        assert!((patch.impact_speed_m_per_s(1.0) - 4.0).abs() < 1e-6);
        assert!((patch.impact_speed_m_per_s(0.0) - 0.04).abs() < 1e-7);
        assert!(
            patch.impact_speed_m_per_s(f64::NAN).is_nan()
                || patch.impact_speed_m_per_s(2.0) <= 4.0 + 1e-6
        );
    }
}
