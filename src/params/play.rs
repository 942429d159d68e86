//! What a patch says of voices and keys.

use super::{Param, Patch};

/// Notes that may sound at once at most.
pub const MAX_VOICES: usize = 64;

/// Groups of keys there are.
pub const KEY_GROUPS: usize = 4;

/// Lowest key, highest key, and whether it chokes, of each group.
const ROWS: [[Param; 3]; KEY_GROUPS] = [
    [Param::Group1Low, Param::Group1High, Param::Group1Chokes],
    [Param::Group2Low, Param::Group2High, Param::Group2Chokes],
    [Param::Group3Low, Param::Group3High, Param::Group3Chokes],
    [Param::Group4Low, Param::Group4High, Param::Group4Chokes],
];

/// A range of keys that belong together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyGroup {
    /// Lowest key.
    pub low: u8,
    /// Highest key, not below the lowest.
    pub high: u8,
    /// Whether a note of it ends the notes of its other keys.
    pub chokes: bool,
}

impl KeyGroup {
    /// Whether a key belongs to it.
    pub fn has(&self, key: u8) -> bool {
        (self.low..=self.high).contains(&key)
    }
}

impl Patch {
    /// How many notes may sound at once, 1 or more.
    pub fn voices(&self) -> usize {
        self.choice(Param::Voices).max(1)
    }

    /// Whether a key that sounds is struck again, rather than a new body beside it.
    pub fn strikes_same_body(&self) -> bool {
        self.choice(Param::Restrike) == 0
    }

    /// The groups of keys. A range entered the wrong way round is turned.
    pub fn key_groups(&self) -> [KeyGroup; KEY_GROUPS] {
        ROWS.map(|[low, high, chokes]| {
            let (a, b) = (self.choice(low) as u8, self.choice(high) as u8);
            KeyGroup { low: a.min(b), high: a.max(b), chokes: self.is_on(chokes) }
        })
    }
}
