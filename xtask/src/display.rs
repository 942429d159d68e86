//! A display without a screen.
use crate::process::KillOnDrop;
use anyhow::{Context, Result, bail};
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

const SCREEN: &str = "1600x1200x24";

/// Xvfb picks a free display itself and writes its number; its screen lies in a file in `folder`.
pub fn start(folder: &Path) -> Result<(String, KillOnDrop)> {
    let mut child = Command::new("Xvfb")
        .args(["-displayfd", "1", "-screen", "0", SCREEN, "-wr", "-nolisten", "tcp", "-fbdir"])
        .arg(folder)
        .stdout(Stdio::piped())
        .stderr(fs::File::create(folder.join("xvfb.log")).context("cannot write Xvfb's log")?)
        .spawn()
        .context("cannot start Xvfb (Debian, Ubuntu: apt-get install xvfb)")?;
    let output = child.stdout.take().context("Xvfb has no output")?;
    let server = KillOnDrop(child);
    let mut number = String::new();
    BufReader::new(output).read_line(&mut number).context("cannot read from Xvfb")?;
    if number.trim().is_empty() {
        let log = fs::read_to_string(folder.join("xvfb.log")).unwrap_or_default();
        bail!("Xvfb did not start: {}", log.trim());
    }
    Ok((format!(":{}", number.trim()), server))
}
