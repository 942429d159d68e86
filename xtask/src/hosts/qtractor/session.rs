//! A session in Qtractor itself: notes, automation, saving, loading. JACK gives the time and takes the sound; the keys and the mouse are
//! those of a display without a screen.
use super::Home;
use crate::display;
use crate::process::{self, Ends};
use crate::workspace::Workspace;
use anyhow::{Context, Result, bail, ensure};
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// What Qtractor's engine cannot do without: the ALSA sequencer of the kernel.
const SEQUENCER: &str = "/dev/snd/seq";
const PROGRAMS: [&str; 4] = ["jackd", "jack_rec", "xdotool", "Xvfb"];
/// What comes out of it, as JACK names it.
const OUTPUTS: [&str; 2] = ["Qtractor:Master/out_1", "Qtractor:Master/out_2"];
/// Of JACK, so that nobody's is disturbed.
const SERVER: &str = "ictus-hosts";
/// How long to wait for what takes its time, s: an emulated machine is slow.
const PATIENCE_S: u64 = 120;
/// A take, s: the notes are over after 2.
const TAKE_S: u64 = 6;
/// So long after the first blow the level is turned down, samples of 48 kHz (a block of JACK after 1.35 s, before the last blow): by 60 dB, and
/// the blows differ among themselves.
const QUIET_AFTER: usize = 70_500;
const QUIETER: f64 = 0.01;
/// The button that mutes the first track, in the window as it opens.
const MUTE: [&str; 2] = ["57", "207"];

/// What is missing here, if anything is.
pub fn missing() -> Option<&'static str> {
    if !Path::new(SEQUENCER).exists() {
        return Some("ALSA sequencer");
    }
    PROGRAMS.into_iter().find(|program| !process::succeeds("sh", &["-c", &format!("command -v {program}")]))
}

/// Load, play by a file, automate, save, open again: twice the same sound, and what was turned stays turned.
pub fn run(workspace: &Workspace, home: &Home) -> Result<Vec<String>> {
    let folder = home.folder.join("qtractor");
    fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let source = workspace.root.join("tests/hosts/qtractor");
    for name in ["notes.mid", "curves.mid"] {
        fs::copy(source.join(name), folder.join(name)).with_context(|| format!("cannot copy {name}"))?;
    }
    let session = folder.join("ictus.qtr");
    let text = fs::read_to_string(source.join("session.qtr")).context("cannot read the session")?;
    let bundle = home.folder.join(".clap").join("Ictus.clap");
    fs::write(&session, text.replace("BUNDLE", &bundle.to_string_lossy())).context("cannot write the session")?;
    let (display, _screen) = display::start(&folder)?;
    let stage = Stage { folder, session, display };

    let first = stage.play("one.wav", true)?;
    let (peak, quiet) = (peak(&first), peak(first.get(QUIET_AFTER..).unwrap_or_default()));
    ensure!(peak > 0.01 && quiet < QUIETER * peak, "the automation is not heard: {peak}, then {quiet}");
    let mut lines =
        vec![format!("plays four notes of a file in real time (peak {peak:.3}); automation of Level is followed")];
    let saved = stage.saved()?;
    let again = stage.play("two.wav", false)?;
    let both = first.len().min(again.len());
    let differ = first.iter().zip(&again).filter(|(a, b)| a != b).count();
    ensure!(both > 48_000 && differ == 0, "{differ} of {both} samples differ in the session opened again");
    lines.push(format!("saves the session, opens it again and plays {both} samples to the bit alike"));
    // Without its curves all that it has is the state of the plug-in.
    let mut bare = fs::read_to_string(&stage.session).context("cannot read the saved session")?;
    while let Some((start, end)) = bare.find("<curve-file>").zip(bare.find("</curve-file>")) {
        bare.replace_range(start..end + "</curve-file>".len(), "");
    }
    fs::write(&stage.session, bare).context("cannot write the session")?;
    stage.play("three.wav", true).map(drop).or_else(|error| if error.is::<Silent>() { Ok(()) } else { Err(error) })?;
    let kept = stage.saved()?;
    ensure!(saved == kept, "the state is another in the session opened again:\n{saved:?}\n{kept:?}");
    lines.push(format!(
        "keeps {} parameters by the state of the plug-in (Size {}, Level {})",
        kept.len(),
        of(&kept, "Size")?,
        of(&kept, "Level")?
    ));
    Ok(lines)
}

/// Nothing came out.
#[derive(Debug)]
struct Silent;

impl std::fmt::Display for Silent {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Qtractor is not heard")
    }
}

impl std::error::Error for Silent {}

struct Stage {
    folder: PathBuf,
    session: PathBuf,
    display: String,
}

impl Stage {
    /// A program among those of the stage.
    fn command(&self, name: &str) -> Command {
        let mut command = Command::new(name);
        command.current_dir(&self.folder).env("DISPLAY", &self.display).env("JACK_DEFAULT_SERVER", SERVER);
        command.env("HOME", &self.folder).env_remove("XDG_CONFIG_HOME").env_remove("WAYLAND_DISPLAY");
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command
    }

    fn start(&self, name: &str, args: &[&str]) -> Result<Ends> {
        let log = File::create(self.folder.join(format!("{name}.log"))).context("cannot write a log")?;
        let log = (log.try_clone().context("cannot write a log twice")?, log);
        let child = self.command(name).args(args).stdout(log.0).stderr(log.1).spawn();
        child.map(Ends).with_context(|| format!("cannot start {name}"))
    }

    /// Opens the session, plays it from its beginning, and returns the left side from where it begins to sound. Saves it if told so.
    fn play(&self, take: &str, saves: bool) -> Result<Vec<i32>> {
        let mut jack =
            self.start("jackd", &["--no-realtime", "--name", SERVER, "-d", "dummy", "-r", "48000", "-p", "4096"])?;
        self.wait_for("JACK", &mut jack, || self.ports().is_some())?;
        let session = self.session.to_string_lossy();
        let mut qtractor = self.start("qtractor", &[&session])?;
        let is_there = || self.ports().is_some_and(|ports| ports.contains(OUTPUTS[1])) && self.window().is_some();
        self.wait_for("Qtractor's engine", &mut qtractor, is_there)?;
        // The session is loaded after the engine has started.
        std::thread::sleep(Duration::from_secs(8));
        let seconds = TAKE_S.to_string();
        let [left, right] = OUTPUTS;
        let mut recorder = self.start("jack_rec", &["-f", take, "-d", &seconds, "-b", "32", left, right])?;
        self.transport("play")?;
        recorder.0.wait().context("cannot wait for the take")?;
        self.transport("stop")?;
        if saves {
            self.save()?;
        }
        let file = self.folder.join(take);
        let mut wave = hound::WavReader::open(&file).with_context(|| format!("no take in {}", file.display()))?;
        let left: Vec<i32> = wave.samples::<i32>().step_by(2).collect::<Result<_, _>>()?;
        let begin = left.iter().position(|x| *x != 0).ok_or(Silent)?;
        Ok(left[begin..].to_vec())
    }

    fn ports(&self) -> Option<String> {
        let output = self.command("jack_lsp").stdout(Stdio::piped()).output().ok()?;
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
    }

    fn window(&self) -> Option<String> {
        let mut search = self.command("xdotool");
        let output =
            search.args(["search", "--onlyvisible", "--class", "qtractor"]).stdout(Stdio::piped()).output().ok()?;
        String::from_utf8_lossy(&output.stdout).lines().next().map(str::to_owned)
    }

    fn transport(&self, word: &str) -> Result<()> {
        let mut child =
            self.command("jack_transport").stdin(Stdio::piped()).spawn().context("cannot start jack_transport")?;
        let mut input = child.stdin.take().context("jack_transport has no input")?;
        writeln!(input, "{word}").context("jack_transport does not listen")?;
        drop(input);
        child.wait().map(drop).context("jack_transport does not end")
    }

    /// As whoever sits before it would: it is only saved if something was done.
    fn save(&self) -> Result<()> {
        let before = fs::read(&self.session).context("cannot read the session")?;
        let window = self.window().context("Qtractor has no window")?;
        let press = |args: &[&str]| {
            ensure!(self.command("xdotool").args(args).status()?.success(), "xdotool {args:?} failed");
            std::thread::sleep(Duration::from_secs(2));
            Ok(())
        };
        press(&["windowfocus", &window])?;
        let [x, y] = MUTE;
        press(&["mousemove", x, y, "click", "1"])?;
        press(&["click", "1"])?;
        press(&["key", "ctrl+s"])?;
        let start = Instant::now();
        while fs::read(&self.session).is_ok_and(|now| now == before || !now.trim_ascii_end().ends_with(b"</session>")) {
            ensure!(start.elapsed().as_secs() < PATIENCE_S, "Qtractor does not save");
            std::thread::sleep(Duration::from_millis(500));
        }
        Ok(())
    }

    /// Parameters as the session has them, by name.
    fn saved(&self) -> Result<Vec<(String, String)>> {
        let text = fs::read_to_string(&self.session).context("cannot read the saved session")?;
        ensure!(text.contains("<config key=\"state\">"), "Qtractor has not saved the state of the plug-in");
        let mut values: Vec<_> = text
            .split("<param ")
            .skip(1)
            .filter_map(|rest| {
                // In which order its attributes stand is left to chance.
                let (tag, rest) = rest.split_once('>')?;
                let name = tag.split_once("name=\"")?.1.split('"').next()?;
                Some((name.to_owned(), rest.split('<').next()?.to_owned()))
            })
            .collect();
        values.sort();
        ensure!(!values.is_empty(), "Qtractor has saved no parameters");
        Ok(values)
    }

    fn wait_for(&self, what: &str, program: &mut Ends, is_there: impl Fn() -> bool) -> Result<()> {
        let start = Instant::now();
        while !is_there() {
            if let Some(status) = program.0.try_wait().context("cannot watch a program")? {
                bail!("{what} ended by itself ({status})");
            }
            ensure!(start.elapsed().as_secs() < PATIENCE_S, "{what} is not there after {PATIENCE_S} s");
            std::thread::sleep(Duration::from_millis(500));
        }
        Ok(())
    }
}

fn peak(samples: &[i32]) -> f64 {
    samples.iter().map(|x| f64::from(x.unsigned_abs())).fold(0.0, f64::max) / 2f64.powi(31)
}

fn of<'a>(values: &'a [(String, String)], name: &str) -> Result<&'a str> {
    let value = values.iter().find(|(own, _)| own == name);
    value.map(|(_, value)| value.as_str()).with_context(|| format!("the session has no {name}"))
}
