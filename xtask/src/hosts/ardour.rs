//! Ardour: its scanner, Lua scripts and the exporter.
use super::{Home, HostReport};
use crate::workspace::Workspace;
use anyhow::{Context, Result, bail, ensure};
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// Folder of the scanner on Debian and Ubuntu.
const LIBRARIES: &str = "/usr/lib/ardour7";
/// Time from which the automated level is down, s.
const QUIET_FROM_S: f64 = 1.6;
/// Largest peak after that over the peak before. The level falls by 60 dB; the notes differ.
const QUIETER: f32 = 0.01;
/// Attempts of an export.
const TRIES: usize = 3;
/// Longest time of one attempt, s.
const MAX_WAIT_S: &str = "60";
/// Value of Size that the script sets.
const SIZE: f32 = 0.25;

/// Scans, loads, plays, records, automates, saves and loads; compares exports and real-time
/// playback.
pub fn run(workspace: &Workspace, home: &Home) -> Result<HostReport> {
    let scanner = Path::new(LIBRARIES).join("ardour-vst3-scanner");
    if !scanner.exists() {
        return Ok(None);
    }
    // Ardour discards a scan that is from the same second as the file.
    std::thread::sleep(Duration::from_millis(1100));
    let mut lines = Vec::new();
    let bundle = home.folder.join(".vst3").join("Ictus.vst3");
    let scanned = output_of(
        home,
        Command::new(scanner).env("LD_LIBRARY_PATH", LIBRARIES).arg("-v").arg(bundle),
    )?;
    ensure!(
        scanned.contains("Found Plugin: Ictus FX"),
        "Ardour does not find both plug-ins:\n{scanned}"
    );
    lines.push("scans Ictus and Ictus FX (VST3)".into());

    let session = home.folder.join("session");
    let script = |name: &str| {
        let mut command = Command::new("ardour7-lua");
        command
            .env("ICTUS_SESSION", &session)
            .arg(workspace.root.join("tests/hosts/ardour").join(name));
        output_of(home, &mut command)
    };
    let made = script("make.lua")?;
    let heard: f32 = value(&made, "heard")?;
    ensure!(heard > -40.0, "Ardour hears {heard} dB while it plays");
    ensure!(value::<u32>(&made, "saved")? == 1, "Ardour has not recorded one region:\n{made}");
    lines.push(format!(
        "loads it on a track, plays and records four notes in real time (peak {heard:.1} dB)"
    ));
    let size: f32 = value(&script("read.lua")?, "size")?;
    ensure!((size - SIZE).abs() < 1e-6, "Size is {size} in the session opened again");
    lines.push("saves the session, opens it again with the parameter as it was".into());

    let exported = |name: &str| -> Result<Vec<f32>> {
        let file = home.folder.join(name);
        let mut printed = String::new();
        // Ardour 7.3 sometimes deadlocks at the start of an export.
        for _ in 0..TRIES {
            let mut command = Command::new("timeout");
            command.args([MAX_WAIT_S, "ardour7-export", "-b", "float", "-s", "48000", "-o"]);
            printed = match output_of(home, command.arg(&file).arg(&session).arg("ictus")) {
                Ok(_) => break,
                Err(error) => error.to_string(),
            };
        }
        let mut wave = hound::WavReader::open(&file)
            .with_context(|| format!("Ardour exports nothing: {printed}"))?;
        Ok(wave.samples::<f32>().collect::<Result<_, _>>()?)
    };
    let (one, two) = (exported("one.wav")?, exported("two.wav")?);
    ensure!(
        one.iter().map(|x| x.to_bits()).eq(two.iter().map(|x| x.to_bits())),
        "two exports differ"
    );
    let peak = |samples: &[f32]| samples.iter().fold(0f32, |most, x| most.max(x.abs()));
    let quiet_from = (2.0 * 48_000.0 * QUIET_FROM_S) as usize;
    let (loud, quiet) = (peak(&one), peak(one.get(quiet_from..).unwrap_or_default()));
    ensure!(
        loud > 0.01 && quiet < QUIETER * loud,
        "the automation is not heard: {loud}, then {quiet}"
    );
    lines.push(format!("exports it twice offline, to the bit alike (peak {loud:.3}); automation of Level is followed"));
    script("take.lua")?;
    let alike = equal_samples(&one, &take(&session)?)?;
    lines.push(format!("plays it in real time as it exports it, {alike} samples to the bit alike"));
    Ok(Some(lines))
}

/// The left channel of the recording.
fn take(session: &Path) -> Result<Vec<f32>> {
    let folder = session.join("interchange").join("session").join("audiofiles");
    let entries =
        fs::read_dir(&folder).with_context(|| format!("{} is not there", folder.display()))?;
    let files: Vec<_> =
        entries.map(|entry| entry.map(|entry| entry.path())).collect::<Result<_, _>>()?;
    let left = files
        .iter()
        .find(|file| file.to_string_lossy().ends_with("%L.wav"))
        .context("nothing was recorded")?;
    let mut wave =
        hound::WavReader::open(left).with_context(|| format!("cannot read {}", left.display()))?;
    Ok(wave.samples::<f32>().collect::<Result<_, _>>()?)
}

/// Length of the shorter of an export (left channel) and a recording, both from their first sound.
///
/// # Errors
/// A sample differs. The position on the time line may differ.
fn equal_samples(export: &[f32], take: &[f32]) -> Result<usize> {
    let sounding =
        |sound: &mut dyn Iterator<Item = f32>| sound.skip_while(|x| *x == 0.0).collect::<Vec<_>>();
    let (export, take) =
        (sounding(&mut export.iter().step_by(2).copied()), sounding(&mut take.iter().copied()));
    let both = export.len().min(take.len());
    ensure!(both > 48_000, "only {both} samples sound");
    let differ = export.iter().zip(&take).filter(|(a, b)| a.to_bits() != b.to_bits()).count();
    ensure!(differ == 0, "{differ} of {both} samples of the take are not those of the export");
    Ok(both)
}

/// The output of a program that runs in the separate home.
fn output_of(home: &Home, command: &mut Command) -> Result<String> {
    let output = command
        .env("HOME", &home.folder)
        .env_remove("XDG_CONFIG_HOME")
        .env_remove("XDG_CACHE_HOME")
        .output()
        .with_context(|| format!("cannot start {:?}", command.get_program()))?;
    let printed = String::from_utf8_lossy(&output.stdout).into_owned()
        + &String::from_utf8_lossy(&output.stderr);
    if !output.status.success() || printed.contains("Error: ") {
        bail!("{:?} failed ({}):\n{printed}", command.get_program(), output.status);
    }
    Ok(printed)
}

/// The number after a word at the beginning of a line.
fn value<T: std::str::FromStr>(printed: &str, word: &str) -> Result<T> {
    printed
        .lines()
        .filter_map(|line| line.strip_prefix(word))
        .find_map(|rest| rest.split_whitespace().next()?.parse().ok())
        .with_context(|| format!("no {word} in:\n{printed}"))
}
