//! `cargo xtask render`: a phrase through the built CLAP plug-in into raw samples, to compare other
//! hosts with.
use crate::clap_host::{ClapHost, fixed_blocks};
use crate::phrase::Phrase;
use crate::workspace::Workspace;
use anyhow::{Context, Result, bail};
use std::path::PathBuf;

/// Renders as the arguments say and writes left and right in turn, 32-bit little-endian floats.
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
