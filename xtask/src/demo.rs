//! The phrase that is heard where no instrument can be opened.
use crate::clap_host::{ClapHost, Rendered, Score, fixed_blocks};
use crate::phrase::Phrase;
use crate::process;
use crate::workspace::Workspace;
use anyhow::{Context, Result, bail};
use std::fs;
use std::path::Path;

const BLOCK: u32 = 512;
/// Below this the ring-out has ended: -80 dBFS.
const SILENCE: f32 = 1e-4;
const MAX_RING_SECONDS: u64 = 12;

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
    for _ in 0..MAX_RING_SECONDS * 4 {
        let ring = host.render(&Score::new(), &fixed_blocks(rate / 4, BLOCK))?;
        let silent = ring.peak() < SILENCE;
        heard.append(ring);
        if silent {
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
