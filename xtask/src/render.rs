//! `cargo xtask render` and the demo: phrases played through the built CLAP plug-in.

use crate::clap_host::{ClapHost, Rendered, Score, fixed_blocks};
use crate::process;
use crate::workspace::Workspace;
use anyhow::{Context, Result, bail};
use serde::Deserialize;
use std::fs;
use std::path::{Path, PathBuf};

/// Renders a phrase into interleaved 32-bit little-endian floats.
pub fn render(workspace: &Workspace, args: &[String]) -> Result<()> {
    let (mut phrase, mut out, mut clap, mut block, mut rate) =
        (None, None, workspace.clap(), 512, None);
    let mut rest = args.iter();
    while let Some(option) = rest.next() {
        let value = rest.next().with_context(|| format!("{option} needs a value"))?;
        let number =
            || {
                value.parse::<u32>().ok().filter(|n| *n > 0).with_context(|| {
                    format!("{option} needs a whole number above 0, not {value:?}")
                })
            };
        match option.as_str() {
            "--phrase" => phrase = Some(PathBuf::from(value)),
            "--out" => out = Some(PathBuf::from(value)),
            "--clap" => clap = PathBuf::from(value),
            "--block" => block = number()?,
            "--rate" => rate = Some(number()?),
            _ => bail!("`cargo xtask render` knows no {option:?}; see `cargo xtask --help`"),
        }
    }
    let phrase = Phrase::read(&phrase.context("--phrase FILE.json is missing")?)?;
    let out = out.context("--out FILE.f32 is missing")?;
    let mut host = ClapHost::load(&clap).context("`cargo xtask bundle` builds the plug-in")?;
    let score = phrase.score(&mut host)?;
    host.activate(f64::from(rate.unwrap_or(phrase.rate)), block)?;
    let heard = host.render(&score, &fixed_blocks(phrase.frames, block))?;
    let frames = heard.left.iter().zip(&heard.right);
    let bytes: Vec<u8> =
        frames.flat_map(|(l, r)| [l.to_le_bytes(), r.to_le_bytes()]).flatten().collect();
    std::fs::write(&out, bytes).with_context(|| format!("cannot write {}", out.display()))
}

const BLOCK: u32 = 512;
/// A quarter of a second below this peak (-80 dBFS) ends the tail.
const SILENCE: f32 = 1e-4;
/// Longest tail, s.
const MAX_TAIL_S: u64 = 12;

/// Plays the built-in phrase through the built CLAP plug-in into `demo.wav` and draws `demo.png`.
pub fn demo(workspace: &Workspace) -> Result<()> {
    let folder = workspace.target.join("demo");
    fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let (wav, png) = (folder.join("demo.wav"), folder.join("demo.png"));
    let phrase = Phrase::demo();
    eprintln!(
        "  playing {} notes through {}",
        phrase.notes.len(),
        workspace.shown(&workspace.clap())
    );
    let heard = play(&workspace.clap(), &phrase)?;
    let peak = heard.peak();
    if !peak.is_finite() || peak < SILENCE {
        bail!(
            "the plug-in answered with {}",
            if peak.is_finite() { "silence" } else { "samples that are not numbers" }
        );
    }
    write_wav(&wav, &heard, phrase.rate)?;
    process::run(std::process::Command::new(workspace.cli()).arg("picture").args([&wav, &png]))?;
    let seconds = heard.left.len() as f64 / f64::from(phrase.rate);
    eprintln!("  {seconds:.1} s of sound, peak {:.1} dBFS", 20.0 * peak.log10());
    println!("{}", wav.display());
    Ok(())
}

/// The phrase, and then nothing until it has died away.
fn play(clap: &Path, phrase: &Phrase) -> Result<Rendered> {
    let mut host = ClapHost::load(clap)?;
    let score = phrase.score(&mut host)?;
    host.activate(phrase.rate.into(), BLOCK)?;
    let mut heard = host.render(&score, &fixed_blocks(phrase.frames, BLOCK))?;
    let rate = u64::from(phrase.rate);
    for _ in 0..MAX_TAIL_S * 4 {
        let tail = host.render(&Score::new(), &fixed_blocks(rate / 4, BLOCK))?;
        let is_silent = tail.peak() < SILENCE;
        heard.append(tail);
        if is_silent {
            break;
        }
    }
    Ok(heard)
}

fn write_wav(path: &Path, heard: &Rendered, rate: u32) -> Result<()> {
    let spec = hound::WavSpec {
        channels: 2,
        sample_rate: rate,
        bits_per_sample: 32,
        sample_format: hound::SampleFormat::Float,
    };
    let write = || -> hound::Result<()> {
        let mut writer = hound::WavWriter::create(path, spec)?;
        for (left, right) in heard.left.iter().zip(&heard.right) {
            writer.write_sample(*left)?;
            writer.write_sample(*right)?;
        }
        writer.finalize()
    };
    write().with_context(|| format!("cannot write {}", path.display()))
}

/// Notes and parameter changes. All times are in samples, so that every host renders the same.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Phrase {
    /// Samples per second.
    pub rate: u32,
    /// Length of the whole, in samples.
    pub frames: u64,
    /// Notes, in any order.
    pub notes: Vec<Note>,
    /// Parameter changes, in any order.
    #[serde(default)]
    pub moves: Vec<Move>,
}

/// One note.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Note {
    /// Onset, samples.
    pub at: u64,
    /// Time until note-off, samples.
    pub length: u64,
    /// MIDI key, 69 is A4.
    pub key: u8,
    /// MIDI velocity, 1 to 127.
    pub velocity: u8,
}

/// One parameter change.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Move {
    /// Time, samples.
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

    /// The phrase as events of the given plug-in.
    pub fn score(&self, host: &mut ClapHost) -> Result<Score> {
        let mut score = Score::new();
        for step in &self.moves {
            let param = host.param(&step.param)?;
            score =
                score.param(step.at, param.id, param.min + step.value * (param.max - param.min));
        }
        for note in &self.notes {
            // JUCE computes the velocity this way, and other hosts are compared bit for bit.
            let velocity = f64::from(f32::from(note.velocity) * (1.0 / 127.0));
            score = score.note(note.at, note.length, note.key.into(), velocity);
        }
        Ok(score)
    }

    /// The demo of `cargo xtask play`: all dynamics and registers, and a drum roll on one bar.
    pub fn demo() -> Self {
        let rate = 48_000;
        let mut notes = Vec::new();
        let mut strike = |time: f64, key: u8, velocity: f64| {
            let at = (time * f64::from(rate)).round() as u64;
            let velocity = velocity.round().clamp(1.0, 127.0) as u8;
            notes.push(Note { at, length: u64::from(rate) / 10, key, velocity });
        };
        // A crescendo over a low note.
        strike(0.1, 38, 60.0);
        for (index, key) in
            [62, 65, 69, 72, 74, 72, 69, 65, 62, 65, 69, 72, 77, 74, 72, 69].into_iter().enumerate()
        {
            strike(0.1 + 0.125 * index as f64, key, 22.0 + 5.5 * index as f64);
        }
        // Low and loud, then high and soft.
        strike(2.1, 33, 104.0);
        for (index, key) in [93, 98, 96, 101, 98, 105].into_iter().enumerate() {
            strike(2.35 + 0.18 * index as f64, key, 70.0 - 6.0 * index as f64);
        }
        // A crescendo on one bar.
        strike(3.6, 45, 84.0);
        for index in 0..22 {
            strike(3.6 + 0.058 * f64::from(index), 69, 12.0 + 5.0 * f64::from(index));
        }
        // Up through all registers, and a last chord.
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
