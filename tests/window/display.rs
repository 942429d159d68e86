//! A display without a screen.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::support::child;

/// Holds the process id of the server, for a test that takes it away.
pub const SERVER: &str = "ICTUS_TEST_SERVER";

/// Ends with the test.
pub struct Display {
    server: Child,
    name: String,
    settings: Folder,
}

/// A folder that ends with the test.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new() -> Self {
        static FOLDERS: AtomicUsize = AtomicUsize::new(0);
        let name =
            format!("window-{}-{}", std::process::id(), FOLDERS.fetch_add(1, Ordering::Relaxed));
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        std::fs::create_dir_all(&folder).expect("it can be made");
        Self(folder)
    }

    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

impl Display {
    /// Xvfb picks a free display itself and writes its number.
    pub fn start(options: &[&str]) -> Self {
        let mut server = Command::new("Xvfb")
            .args(["-displayfd", "1", "-screen", "0", "1600x1200x24", "-nolisten", "tcp"])
            .args(options)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("Xvfb starts (Debian, Ubuntu: apt-get install xvfb)");
        let mut number = String::new();
        let output = server.stdout.take().expect("it has an output");
        BufReader::new(output).read_line(&mut number).expect("it says its number");
        let name = format!(":{}", number.trim());
        Self { server, name, settings: Folder::new() }
    }

    /// Play one of the scenes of this program on it, by its module and name. Returns what it said.
    pub fn run(&self, scene: &str, variables: &[(&str, &str)]) -> String {
        child::run(scene, |command| {
            self.prepare(command);
            command.envs(variables.iter().copied());
        })
    }

    /// Lets a program that is started later use it.
    pub fn prepare(&self, command: &mut Command) {
        command
            .env("DISPLAY", &self.name)
            .env_remove("WAYLAND_DISPLAY")
            // The machine's graphics card has nothing to do with this display.
            .env("LIBGL_ALWAYS_SOFTWARE", "1")
            // What a window looked like last is kept there.
            .env("XDG_CONFIG_HOME", self.settings.path())
            .env(SERVER, self.server.id().to_string());
    }
}

impl Drop for Display {
    fn drop(&mut self) {
        // Nothing is left to do when it has ended before.
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}
