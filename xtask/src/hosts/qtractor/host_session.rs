//! What a session of Qtractor needs around it: JACK gives the time and takes the sound; the keys
//! and the mouse are those of a display without a screen.
use crate::process::{self, KillOnDrop};
use anyhow::{Context, Result, bail, ensure};
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// What Qtractor's engine cannot do without: the ALSA sequencer of the kernel.
const SEQUENCER: &str = "/dev/snd/seq";
const PROGRAMS: [&str; 6] = ["jackd", "jack_lsp", "jack_rec", "jack_transport", "xdotool", "Xvfb"];
/// What comes out of it, as JACK names it.
const OUTPUTS: [&str; 2] = ["Qtractor:Master/out_1", "Qtractor:Master/out_2"];
/// What takes it, as soon as it is ready.
const RECORDER: &str = "jackrec:";
/// Of JACK, so that nobody's is disturbed.
const SERVER: &str = "ictus-hosts";
/// How long to wait for what takes its time, s: an emulated machine is slow.
const MAX_WAIT_S: u64 = 120;
/// A take, s: the notes are over after 2.
const TAKE_S: u64 = 6;
/// The button that mutes the first track, in the window as it opens.
const MUTE: [&str; 2] = ["57", "207"];

/// What is missing here, if anything is.
pub fn missing() -> Option<&'static str> {
    if !Path::new(SEQUENCER).exists() {
        return Some("ALSA sequencer");
    }
    PROGRAMS
        .into_iter()
        .find(|program| !process::succeeds("sh", &["-c", &format!("command -v {program}")]))
}

/// Where it is played.
pub struct HostSession {
    /// Of all that is written.
    pub folder: PathBuf,
    /// The file of the session.
    pub session: PathBuf,
    /// The display of its window.
    pub display: String,
}

impl HostSession {
    /// A program among those of the stage.
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

    /// Opens the session, plays it from its beginning, and returns the left side from where it
    /// begins to sound, if it does. Saves it if told so.
    pub fn play(&self, take: &str, saves: bool) -> Result<Vec<i32>> {
        let mut jack = self.start(
            "jackd",
            &["--no-realtime", "--name", SERVER, "-d", "dummy", "-r", "48000", "-p", "4096"],
        )?;
        self.wait_for("JACK", &mut jack, || self.ports().is_some())?;
        let session = self.session.to_string_lossy();
        let mut qtractor = self.start("qtractor", &[&session])?;
        let is_there = || {
            self.ports().is_some_and(|ports| ports.contains(OUTPUTS[1])) && self.window().is_some()
        };
        self.wait_for("Qtractor's engine", &mut qtractor, is_there)?;
        // The session is loaded after the engine has started.
        std::thread::sleep(Duration::from_secs(8));
        let seconds = TAKE_S.to_string();
        let [left, right] = OUTPUTS;
        let mut recorder =
            self.start("jack_rec", &["-f", take, "-d", &seconds, "-b", "32", left, right])?;
        self.wait_for("the recorder", &mut recorder, || {
            self.ports().is_some_and(|ports| ports.contains(RECORDER))
        })?;
        // It connects itself then.
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
        writeln!(input, "{word}").context("jack_transport does not listen")?;
        drop(input);
        child.wait().map(drop).context("jack_transport does not end")
    }

    /// As whoever sits before it would: it is only saved if something was done.
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
        is_there: impl Fn() -> bool,
    ) -> Result<()> {
        let start = Instant::now();
        while !is_there() {
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
