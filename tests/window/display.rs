//! A display without a screen.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::support::child;

/// Environment variable with the process id of the server, for a test that ends it.
pub const SERVER: &str = "ICTUS_TEST_SERVER";

/// A child process that ends with the test.
pub struct Display {
    server: Child,
    name: String,
    settings: Folder,
}

/// A folder that is removed with the test.
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

    /// Runs a scene of this program on the display, by its module and name. Returns its output.
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
            // Independent of the machine's graphics card.
            .env("LIBGL_ALWAYS_SOFTWARE", "1")
            // The folder of window settings.
            .env("XDG_CONFIG_HOME", self.settings.path())
            .env(SERVER, self.server.id().to_string());
    }
}

impl Drop for Display {
    fn drop(&mut self) {
        // An error means that it has ended already.
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}
