//! Qtractor: its plug-in scanner, and a session where JACK and the ALSA sequencer are available.

use super::{Home, HostReport};
use crate::display;
use crate::process::{self, KillOnDrop};
use crate::workspace::Workspace;
use anyhow::{Context, Result, bail, ensure};
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Path on Debian and Ubuntu.
const SCANNER: &str = "/usr/lib/x86_64-linux-gnu/qtractor/qtractor_plugin_scan";

/// Scans, and plays a session where that is possible.
pub fn run(workspace: &Workspace, home: &Home) -> Result<HostReport> {
    if !Path::new(SCANNER).exists() {
        return Ok(None);
    }
    let mut lines = scan(home)?;
    match missing() {
        Some(missing) => lines.push(format!("no session: there is no {missing}")),
        None => lines.extend(play_sessions(workspace, home)?),
    }
    Ok(Some(lines))
}

/// Checks that the scanner finds both plug-ins of the CLAP bundle with their channels.
fn scan(home: &Home) -> Result<Vec<String>> {
    let mut scanner = Command::new(SCANNER)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .context("cannot start Qtractor's scanner")?;
    let bundle = home.folder.join(".clap").join("Ictus.clap");
    let mut input = scanner.stdin.take().context("the scanner has no input")?;
    writeln!(input, "CLAP:{}", bundle.display()).context("the scanner reads no input")?;
    drop(input);
    let output = scanner.wait_with_output().context("the scanner does not end")?;
    let report = String::from_utf8_lossy(&output.stdout).into_owned();
    // Kind, name, channels in and out, notes in and out, parameters in and out, and more.
    let found: Vec<Vec<&str>> = report
        .lines()
        .map(|line| line.split('|').collect())
        .filter(|row: &Vec<_>| row.len() > 5)
        .collect();
    ensure!(found.len() == 2, "Qtractor finds {} plug-ins in the bundle: {report}", found.len());
    ensure!(
        found[0][1..4] == ["Ictus", "0:2", "1:0"],
        "Qtractor reads the instrument wrongly: {report}"
    );
    ensure!(
        found[1][1..4] == ["Ictus FX", "2:2", "1:0"],
        "Qtractor reads the effect wrongly: {report}"
    );
    Ok(found
        .iter()
        .map(|row| format!("scans {} ({}), {} parameters", row[1], row[0], row[4]))
        .collect())
}

/// Samples after the first note from which the automated level is down by 60 dB: one JACK block
/// after 1.35 s, before the last note.
const QUIET_AFTER: usize = 70_500;
/// Largest peak after that over the peak before; the notes differ in level.
const QUIETER: f64 = 0.01;
/// Final values of Size (32 of 127) and Level, as the host writes them.
const AUTOMATED: (&str, &str) = ("0.251969", "0");

/// Loads, plays a MIDI file, automates, saves and opens again; the sound and the state must
/// persist.
fn play_sessions(workspace: &Workspace, home: &Home) -> Result<Vec<String>> {
    let folder = home.folder.join("qtractor");
    fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let source = workspace.root.join("tests/hosts/qtractor");
    for name in ["notes.mid", "curves.mid"] {
        fs::copy(source.join(name), folder.join(name))
            .with_context(|| format!("cannot copy {name}"))?;
    }
    let session = folder.join("ictus.qtr");
    let text = fs::read_to_string(source.join("session.qtr")).context("cannot read the session")?;
    let bundle = home.folder.join(".clap").join("Ictus.clap");
    fs::write(&session, text.replace("BUNDLE", &bundle.to_string_lossy()))
        .context("cannot write the session")?;
    let (display, _screen) = display::start(&folder)?;
    let host_session = HostSession { folder, session, display };

    let first = host_session.play("one.wav", true)?;
    let (peak, quiet) = (peak(&first), peak(first.get(QUIET_AFTER..).unwrap_or_default()));
    ensure!(
        peak > 0.01 && quiet < QUIETER * peak,
        "the automation is not heard: {peak}, then {quiet}"
    );
    let mut lines = vec![format!(
        "plays four notes of a file in real time (peak {peak:.3}); automation of Level is followed"
    )];
    let before = saved(&host_session.session)?;
    let (size, level) = (of(&before, "Size")?, of(&before, "Level")?);
    ensure!((size, level) == AUTOMATED, "the curves set Size to {size} and Level to {level}");
    let again = host_session.play("two.wav", false)?;
    let both = first.len().min(again.len());
    let differ = first.iter().zip(&again).filter(|(a, b)| a != b).count();
    ensure!(
        both > 48_000 && differ == 0,
        "{differ} of {both} samples differ in the session opened again"
    );
    lines.push(format!(
        "saves the session, opens it again and plays {both} samples to the bit alike"
    ));
    // Without the curves the session has only the state of the plug-in.
    let mut bare =
        fs::read_to_string(&host_session.session).context("cannot read the saved session")?;
    while let Some((start, end)) = bare.find("<curve-file>").zip(bare.find("</curve-file>")) {
        bare.replace_range(start..end + "</curve-file>".len(), "");
    }
    fs::write(&host_session.session, bare).context("cannot write the session")?;
    // The sound is not compared: the level was saved at its minimum.
    host_session.play("three.wav", true)?;
    let kept = saved(&host_session.session)?;
    ensure!(before == kept, "the state differs in the session opened again:\n{before:?}\n{kept:?}");
    lines.push(format!(
        "keeps {} parameters by the state of the plug-in (Size {size}, Level {level})",
        kept.len()
    ));
    Ok(lines)
}

/// Parameters as the session has them, by name.
fn saved(session: &Path) -> Result<Vec<(String, String)>> {
    let text = fs::read_to_string(session).context("cannot read the saved session")?;
    ensure!(
        text.contains("<config key=\"state\">"),
        "Qtractor has not saved the state of the plug-in"
    );
    let mut values: Vec<_> = text
        .split("<param ")
        .skip(1)
        .filter_map(|rest| {
            // The order of the attributes varies.
            let (tag, rest) = rest.split_once('>')?;
            let name = tag.split_once("name=\"")?.1.split('"').next()?;
            Some((name.to_owned(), rest.split('<').next()?.to_owned()))
        })
        .collect();
    values.sort();
    ensure!(!values.is_empty(), "Qtractor has saved no parameters");
    Ok(values)
}

fn peak(samples: &[i32]) -> f64 {
    samples.iter().map(|x| f64::from(x.unsigned_abs())).fold(0.0, f64::max) / 2f64.powi(31)
}

fn of<'a>(values: &'a [(String, String)], name: &str) -> Result<&'a str> {
    let value = values.iter().find(|(own, _)| own == name);
    value.map(|(_, value)| value.as_str()).with_context(|| format!("the session has no {name}"))
}

/// The ALSA sequencer of the kernel, which the engine needs.
const SEQUENCER: &str = "/dev/snd/seq";
const PROGRAMS: [&str; 6] = ["jackd", "jack_lsp", "jack_rec", "jack_transport", "xdotool", "Xvfb"];
/// JACK ports of the master output.
const OUTPUTS: [&str; 2] = ["Qtractor:Master/out_1", "Qtractor:Master/out_2"];
/// JACK client name of the recorder.
const RECORDER: &str = "jackrec:";
/// Name of a private JACK server.
const SERVER: &str = "ictus-hosts";
/// Longest wait, s. An emulated machine is slow.
const MAX_WAIT_S: u64 = 120;
/// Length of a recording, s. The notes end after 2.
const TAKE_S: u64 = 6;
/// Position of the mute button of the first track in the window, px.
const MUTE: [&str; 2] = ["57", "207"];

/// The first missing requirement, if any.
fn missing() -> Option<&'static str> {
    if !Path::new(SEQUENCER).exists() {
        return Some("ALSA sequencer");
    }
    PROGRAMS
        .into_iter()
        .find(|program| !process::succeeds("sh", &["-c", &format!("command -v {program}")]))
}

/// A session file, a display and a folder for logs and recordings.
struct HostSession {
    folder: PathBuf,
    session: PathBuf,
    display: String,
}

impl HostSession {
    /// A command on the private display and JACK server.
    fn command(&self, name: &str) -> Command {
        let mut command = Command::new(name);
        command
            .current_dir(&self.folder)
            .env("DISPLAY", &self.display)
            .env("JACK_DEFAULT_SERVER", SERVER);
        command
            .env("HOME", &self.folder)
            .env_remove("XDG_CONFIG_HOME")
            .env_remove("WAYLAND_DISPLAY");
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command
    }

    fn start(&self, name: &str, args: &[&str]) -> Result<KillOnDrop> {
        let log =
            File::create(self.folder.join(format!("{name}.log"))).context("cannot write a log")?;
        let log = (log.try_clone().context("cannot write a log twice")?, log);
        let child = self.command(name).args(args).stdout(log.0).stderr(log.1).spawn();
        child.map(KillOnDrop).with_context(|| format!("cannot start {name}"))
    }

    /// Opens and plays the session; returns the left channel from the first sound on.
    fn play(&self, take: &str, saves: bool) -> Result<Vec<i32>> {
        let mut jack = self.start(
            "jackd",
            &["--no-realtime", "--name", SERVER, "-d", "dummy", "-r", "48000", "-p", "4096"],
        )?;
        self.wait_for("JACK", &mut jack, || self.ports().is_some())?;
        let session = self.session.to_string_lossy();
        let mut qtractor = self.start("qtractor", &[&session])?;
        let is_ready = || {
            self.ports().is_some_and(|ports| ports.contains(OUTPUTS[1])) && self.window().is_some()
        };
        self.wait_for("Qtractor's engine", &mut qtractor, is_ready)?;
        // Qtractor loads the session after its engine has started.
        std::thread::sleep(Duration::from_secs(8));
        let seconds = TAKE_S.to_string();
        let [left, right] = OUTPUTS;
        let mut recorder =
            self.start("jack_rec", &["-f", take, "-d", &seconds, "-b", "32", left, right])?;
        self.wait_for("the recorder", &mut recorder, || {
            self.ports().is_some_and(|ports| ports.contains(RECORDER))
        })?;
        // The recorder connects its ports after it appears.
        std::thread::sleep(Duration::from_secs(1));
        self.transport("play")?;
        recorder.0.wait().context("cannot wait for the take")?;
        self.transport("stop")?;
        if saves {
            self.save()?;
        }
        let file = self.folder.join(take);
        let mut wave = hound::WavReader::open(&file)
            .with_context(|| format!("no take in {}", file.display()))?;
        let left: Vec<i32> = wave.samples::<i32>().step_by(2).collect::<Result<_, _>>()?;
        let begin = left.iter().position(|x| *x != 0).unwrap_or(left.len());
        Ok(left[begin..].to_vec())
    }

    fn ports(&self) -> Option<String> {
        let output = self.command("jack_lsp").stdout(Stdio::piped()).output().ok()?;
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
    }

    fn window(&self) -> Option<String> {
        let mut search = self.command("xdotool");
        let output = search
            .args(["search", "--onlyvisible", "--class", "qtractor"])
            .stdout(Stdio::piped())
            .output()
            .ok()?;
        String::from_utf8_lossy(&output.stdout).lines().next().map(str::to_owned)
    }

    fn transport(&self, word: &str) -> Result<()> {
        let mut child = self
            .command("jack_transport")
            .stdin(Stdio::piped())
            .spawn()
            .context("cannot start jack_transport")?;
        let mut input = child.stdin.take().context("jack_transport has no input")?;
        writeln!(input, "{word}").context("jack_transport reads no input")?;
        drop(input);
        child.wait().map(drop).context("jack_transport does not end")
    }

    /// Saves through the window. Qtractor saves only a changed session, so a track is muted twice.
    fn save(&self) -> Result<()> {
        let before = fs::read(&self.session).context("cannot read the session")?;
        let window = self.window().context("Qtractor has no window")?;
        let press = |args: &[&str]| {
            ensure!(
                self.command("xdotool").args(args).status()?.success(),
                "xdotool {args:?} failed"
            );
            std::thread::sleep(Duration::from_secs(2));
            Ok(())
        };
        press(&["windowfocus", &window])?;
        let [x, y] = MUTE;
        press(&["mousemove", x, y, "click", "1"])?;
        press(&["click", "1"])?;
        press(&["key", "ctrl+s"])?;
        let start = Instant::now();
        let is_saved =
            |now: Vec<u8>| now != before && now.trim_ascii_end().ends_with(b"</session>");
        while !fs::read(&self.session).is_ok_and(is_saved) {
            ensure!(start.elapsed().as_secs() < MAX_WAIT_S, "Qtractor does not save");
            std::thread::sleep(Duration::from_millis(500));
        }
        Ok(())
    }

    fn wait_for(
        &self,
        what: &str,
        program: &mut KillOnDrop,
        is_ready: impl Fn() -> bool,
    ) -> Result<()> {
        let start = Instant::now();
        while !is_ready() {
            if let Some(status) = program.0.try_wait().context("cannot watch a program")? {
                bail!("{what} ended by itself ({status})");
            }
            ensure!(
                start.elapsed().as_secs() < MAX_WAIT_S,
                "{what} is not there after {MAX_WAIT_S} s"
            );
            std::thread::sleep(Duration::from_millis(500));
        }
        Ok(())
    }
}
