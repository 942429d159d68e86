//! Keyboard mappings in Scala's format (.kbm): the degree of each key, and the reference frequency.
//!
//! Format: Manuel Op de Coul, "Keyboard mappings", huygens-fokker.org/scala/help.htm#mappings.
//! Lines that begin with an exclamation mark are comments. The others are: size of the pattern,
//! first and last key, middle key (where the pattern begins), reference key, its frequency, the
//! degree of the octave (by which successive patterns differ), and for each key of the pattern its
//! degree or an x for none. Missing entries at the end count as x. A pattern of size 0 maps
//! successive degrees to successive keys.

use std::ops::RangeInclusive;

use super::fault::{Fault, lines, shown, word};
use super::{KEYS, PITCHES_HZ, ScalaScale, semitones};

/// Maximum size of a pattern.
pub const MAX_ENTRIES: i64 = 1024;
/// Largest degree in either direction.
const FARTHEST_DEGREE: i64 = 1024;
const LAST_KEY: i64 = KEYS as i64 - 1;

/// A mapping of scale degrees to keys.
#[derive(Clone, Debug, PartialEq)]
pub struct Keyboard {
    keys: RangeInclusive<usize>,
    middle: i64,
    reference: usize,
    reference_line: usize,
    /// Pitch of the reference key, in semitones from A4 = 440 Hz.
    reference_st: f64,
    octave_degree: i64,
    /// Degrees of the pattern; empty: successive degrees on successive keys.
    pattern: Vec<Option<i64>>,
}

impl Default for Keyboard {
    /// Successive degrees from C4, which has its equal-tempered pitch.
    fn default() -> Self {
        Self {
            keys: 0..=KEYS - 1,
            middle: 60,
            reference: 60,
            reference_line: 1,
            reference_st: -9.0,
            octave_degree: 0,
            pattern: Vec::new(),
        }
    }
}

impl Keyboard {
    /// Parses a keyboard mapping.
    ///
    /// # Errors
    /// Names the line and the field that are invalid, and the allowed values.
    pub fn parse(text: &str) -> Result<Self, Fault> {
        let last_line = text.lines().count().max(1);
        let mut lines = lines(text).filter(|(_, text)| !text.trim().is_empty());
        let mut next = |field: &str| {
            let what = || format!("ends where '{field}' is expected");
            lines.next().ok_or_else(|| Fault { line: last_line, what: what() })
        };
        let size = whole(next("size of the pattern")?, "size of the pattern", (0, MAX_ENTRIES))?;
        let first = whole(next("first key")?, "first key", (0, LAST_KEY))?;
        let last = whole(next("last key")?, "last key", (first, LAST_KEY))?;
        let middle = whole(next("middle key")?, "middle key", (0, LAST_KEY))?;
        let (reference_line, reference) = next("reference key")?;
        let reference = whole((reference_line, reference), "reference key", (0, LAST_KEY))?;
        let reference_st = semitones(frequency_hz(next("reference frequency")?)?);
        let octave_degree = whole(next("octave degree")?, "octave degree", (0, FARTHEST_DEGREE))?;
        let mut pattern = Vec::new();
        for (line, text) in lines {
            if pattern.len() as i64 == size {
                let what = format!("another key after the {size} of the pattern");
                return Err(Fault { line, what });
            }
            let is_out = word(text).eq_ignore_ascii_case("x");
            let degree =
                || whole((line, text), "degree of a key", (-FARTHEST_DEGREE, FARTHEST_DEGREE));
            pattern.push(if is_out { None } else { Some(degree()?) });
        }
        pattern.resize(size as usize, None);
        let (first, last, reference) = (first as usize, last as usize, reference as usize);
        Ok(Self {
            keys: first..=last,
            middle,
            reference,
            reference_line,
            reference_st,
            octave_degree,
            pattern,
        })
    }

    /// The range of mapped keys.
    pub fn keys(&self) -> &RangeInclusive<usize> {
        &self.keys
    }

    /// The key with the reference frequency.
    pub fn reference_key(&self) -> usize {
        self.reference
    }

    /// Line number of the reference key.
    pub fn reference_line(&self) -> usize {
        self.reference_line
    }

    /// Pitch of the reference key, in semitones from A4 = 440 Hz.
    pub fn reference_st(&self) -> f64 {
        self.reference_st
    }

    /// Semitones of a key above degree 0 of the scale; none if the key is not mapped.
    pub fn pitch_st(&self, scale: &ScalaScale, key: usize) -> Option<f64> {
        let above = key as i64 - self.middle;
        let size = self.pattern.len() as i64;
        if size == 0 {
            return Some(scale.pitch_st(above));
        }
        let degree = self.pattern[above.rem_euclid(size) as usize]?;
        Some(
            above.div_euclid(size) as f64 * scale.pitch_st(self.octave_degree)
                + scale.pitch_st(degree),
        )
    }
}

fn whole((line, text): (usize, &str), field: &str, (low, high): (i64, i64)) -> Result<i64, Fault> {
    let word = word(text);
    word.parse::<i64>().ok().filter(|value| (low..=high).contains(value)).ok_or_else(|| Fault {
        line,
        what: format!("{field} '{}': allowed is a whole number from {low} to {high}", shown(word)),
    })
}

fn frequency_hz((line, text): (usize, &str)) -> Result<f64, Fault> {
    let (word, (low, high)) = (word(text), PITCHES_HZ);
    word.parse::<f64>().ok().filter(|hz| (low..=high).contains(hz)).ok_or_else(|| Fault {
        line,
        what: format!("reference frequency '{}': allowed is {low} to {high} Hz", shown(word)),
    })
}
