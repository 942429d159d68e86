//! A display without a screen.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

/// Ends with the test.
pub struct Display {
    server: Child,
    name: String,
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
        Self { server, name }
    }

    /// Play one of the scenes of [`crate::inside`] on it.
    pub fn run(&self, scene: &str, variables: &[(&str, &str)]) {
        let output = Command::new(std::env::current_exe().expect("this program knows where it is"))
            .args(["--exact", &format!("inside::{scene}"), "--ignored", "--nocapture"])
            .env("DISPLAY", &self.name)
            .env_remove("WAYLAND_DISPLAY")
            // The machine's graphics card has nothing to do with this display.
            .env("LIBGL_ALWAYS_SOFTWARE", "1")
            .envs(variables.iter().copied())
            .output()
            .expect("it starts once more");
        let said = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
        println!("{said}");
        assert!(output.status.success(), "{scene}: {}", output.status);
        assert!(said.contains("1 passed"), "{scene} was not played");
    }
}

impl Drop for Display {
    fn drop(&mut self) {
        // Nothing is left to do when it has ended before.
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}
