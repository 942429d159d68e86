//! Qtractor: its scanner, which loads the plug-in in a process of its own, and where its engine can
//! start a session.
mod host_session;
mod session;

use super::{Home, HostReport};
use crate::workspace::Workspace;
use anyhow::{Context, Result, ensure};
use std::io::Write;
use std::process::{Command, Stdio};

/// Where Debian and Ubuntu have it.
const SCANNER: &str = "/usr/lib/x86_64-linux-gnu/qtractor/qtractor_plugin_scan";

/// Scan, and what else can be had.
pub fn run(workspace: &Workspace, home: &Home) -> Result<HostReport> {
    if !std::path::Path::new(SCANNER).exists() {
        return Ok(None);
    }
    let mut lines = scan(home)?;
    match host_session::missing() {
        Some(missing) => lines.push(format!("no session: there is no {missing}")),
        None => lines.extend(session::run(workspace, home)?),
    }
    Ok(Some(lines))
}

/// Both plug-ins of the CLAP bundle are found, with their channels and parameters.
fn scan(home: &Home) -> Result<Vec<String>> {
    let mut scanner = Command::new(SCANNER)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .context("cannot start Qtractor's scanner")?;
    let bundle = home.folder.join(".clap").join("Ictus.clap");
    let mut input = scanner.stdin.take().context("the scanner has no input")?;
    writeln!(input, "CLAP:{}", bundle.display()).context("the scanner does not listen")?;
    drop(input);
    let output = scanner.wait_with_output().context("the scanner does not end")?;
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    // Kind, name, channels in and out, notes in and out, parameters in and out, and more.
    let found: Vec<Vec<&str>> = told
        .lines()
        .map(|line| line.split('|').collect())
        .filter(|row: &Vec<_>| row.len() > 5)
        .collect();
    ensure!(found.len() == 2, "Qtractor finds {} plug-ins in the bundle: {told}", found.len());
    ensure!(
        found[0][1..4] == ["Ictus", "0:2", "1:0"],
        "Qtractor takes the instrument for another: {told}"
    );
    ensure!(
        found[1][1..4] == ["Ictus FX", "2:2", "1:0"],
        "Qtractor takes the effect for another: {told}"
    );
    Ok(found
        .iter()
        .map(|row| format!("scans {} ({}), {} parameters", row[1], row[0], row[4]))
        .collect())
}
