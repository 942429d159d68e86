//! Something to play: notes and parameter moves on a sample clock.
use crate::clap_host::{ClapHost, Score};
use anyhow::{Context, Result};
use serde::Deserialize;
use std::path::Path;

/// A phrase; all times are in samples, so that every host can be asked for exactly the same.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Phrase {
    /// Samples per second.
    pub rate: u32,
    /// Length of the whole, in samples.
    pub frames: u64,
    /// The notes, in any order.
    pub notes: Vec<Note>,
    /// Parameter moves, in any order.
    #[serde(default)]
    pub moves: Vec<Move>,
}

/// One strike.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Note {
    /// When it begins.
    pub at: u64,
    /// How long the key is held.
    pub length: u64,
    /// MIDI key, 69 is A4.
    pub key: u8,
    /// MIDI velocity, 1 to 127.
    pub velocity: u8,
}

/// One parameter gets one value.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Move {
    /// When.
    pub at: u64,
    /// The parameter's name.
    pub param: String,
    /// The value, 0 to 1 over the parameter's range.
    pub value: f64,
}

impl Phrase {
    /// Reads a phrase from a JSON file.
    pub fn read(path: &Path) -> Result<Self> {
        let text = std::fs::read_to_string(path)
            .with_context(|| format!("cannot read {}", path.display()))?;
        serde_json::from_str(&text).with_context(|| format!("{} is not a phrase", path.display()))
    }

    /// The phrase as the given plug-in understands it.
    pub fn score(&self, host: &mut ClapHost) -> Result<Score> {
        let mut score = Score::new();
        for step in &self.moves {
            let param = host.param(&step.param)?;
            score =
                score.param(step.at, param.id, param.min + step.value * (param.max - param.min));
        }
        for note in &self.notes {
            // In single precision and by this product, as JUCE does it: other hosts are compared
            // bit for bit.
            let velocity = f64::from(f32::from(note.velocity) * (1.0 / 127.0));
            score = score.note(note.at, note.length, note.key.into(), velocity);
        }
        Ok(score)
    }

    /// What `cargo xtask play` plays where nothing can be opened: soft and hard, low and high, and
    /// a roll that strikes the same bar again while it rings.
    pub fn demo() -> Self {
        let rate = 48_000;
        let mut notes = Vec::new();
        let mut strike = |time: f64, key: u8, velocity: f64| {
            let at = (time * f64::from(rate)).round() as u64;
            let velocity = velocity.round().clamp(1.0, 127.0) as u8;
            notes.push(Note { at, length: u64::from(rate) / 10, key, velocity });
        };
        // A figure that grows from very soft to loud over a low note.
        strike(0.1, 38, 60.0);
        for (index, key) in
            [62, 65, 69, 72, 74, 72, 69, 65, 62, 65, 69, 72, 77, 74, 72, 69].into_iter().enumerate()
        {
            strike(0.1 + 0.125 * index as f64, key, 22.0 + 5.5 * index as f64);
        }
        // Low and hard against high and soft.
        strike(2.1, 33, 104.0);
        for (index, key) in [93, 98, 96, 101, 98, 105].into_iter().enumerate() {
            strike(2.35 + 0.18 * index as f64, key, 70.0 - 6.0 * index as f64);
        }
        // A roll on one bar, from a murmur to full strength.
        strike(3.6, 45, 84.0);
        for index in 0..22 {
            strike(3.6 + 0.058 * f64::from(index), 69, 12.0 + 5.0 * f64::from(index));
        }
        // Up through all registers, and a last chord to ring out.
        for (index, key) in
            [38, 45, 50, 53, 57, 62, 65, 69, 74, 77, 81, 86, 89, 93].into_iter().enumerate()
        {
            strike(5.0 + 0.09 * index as f64, key, 88.0 - 2.0 * index as f64);
        }
        for (index, key) in [38, 50, 57, 65, 74].into_iter().enumerate() {
            strike(6.6 + 0.03 * index as f64, key, 104.0);
        }
        Self { rate, frames: 8 * u64::from(rate), notes, moves: Vec::new() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_demo_covers_dynamics_registers_and_a_re_strike() {
        let demo = Phrase::demo();
        let range = |values: Vec<u8>| {
            (*values.iter().min().expect("notes"), *values.iter().max().expect("notes"))
        };
        let (soft, hard) = range(demo.notes.iter().map(|note| note.velocity).collect());
        let (low, high) = range(demo.notes.iter().map(|note| note.key).collect());
        assert!(soft < 20 && hard > 100, "{soft}..{hard}");
        assert!(high - low >= 60, "{low}..{high}");
        assert!(demo.notes.iter().filter(|note| note.key == 69).count() > 20);
        assert!(demo.notes.iter().all(|note| note.at + note.length < demo.frames));
    }

    #[test]
    fn a_misspelt_field_is_refused() {
        assert!(
            serde_json::from_str::<Phrase>(r#"{"rate":48000,"frames":10,"nodes":[]}"#).is_err()
        );
        assert!(serde_json::from_str::<Phrase>(r#"{"rate":48000,"frames":10,"notes":[]}"#).is_ok());
    }
}
