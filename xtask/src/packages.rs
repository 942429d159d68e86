//! What has to be on the machine besides the Rust toolchain, and what each system calls it.
use crate::process::succeeds;
use std::process::Command;

/// What the machine is to be ready for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Purpose {
    /// Building and opening the instrument.
    Play,
    /// Everything that `cargo xtask test` does.
    Test,
}

/// How one sees that a need is met.
#[derive(Clone, Copy)]
enum Check {
    /// The program can be run with this argument.
    Program(&'static str, &'static str),
    /// pkg-config knows the library.
    Module(&'static str),
    /// The dynamic linker knows the library.
    Library(&'static str),
    /// Only the package database knows.
    Package,
    /// `python3 -m venv` can make an environment with pip in it; the module may come with Python
    /// itself.
    Venv,
}

/// One thing that must be there.
#[derive(Clone, Copy)]
pub struct Need {
    /// Package on Debian and Ubuntu.
    pub debian: &'static str,
    /// Package on Fedora.
    pub fedora: &'static str,
    /// Package on Arch.
    pub arch: &'static str,
    /// What it is there for.
    pub why: &'static str,
    /// Whether the build fails without it; the others are only missed later.
    pub to_build: bool,
    check: Check,
}

const fn need(check: Check, names: [&'static str; 3], to_build: bool, why: &'static str) -> Need {
    let [debian, fedora, arch] = names;
    Need { debian, fedora, arch, why, to_build, check }
}

/// For building the standalone instrument and opening its window. The framework loads the window
/// libraries while it runs, so the build does not notice when they are missing.
const PLAY: &[Need] = &[
    need(
        Check::Program("pkg-config", "--version"),
        ["pkg-config", "pkgconf-pkg-config", "pkgconf"],
        true,
        "finds libraries",
    ),
    need(
        Check::Module("alsa"),
        ["libasound2-dev", "alsa-lib-devel", "alsa-lib"],
        true,
        "audio and MIDI devices",
    ),
    need(
        Check::Module("jack"),
        ["libjack-jackd2-dev", "jack-audio-connection-kit-devel", "jack2"],
        true,
        "JACK",
    ),
    need(Check::Library("libX11.so.6"), ["libx11-6", "libX11", "libx11"], false, "the window"),
    need(
        Check::Library("libX11-xcb.so.1"),
        ["libx11-xcb1", "libX11-xcb", "libx11"],
        false,
        "the window",
    ),
    need(Check::Library("libxcb.so.1"), ["libxcb1", "libxcb", "libxcb"], false, "the window"),
    need(
        Check::Library("libXcursor.so.1"),
        ["libxcursor1", "libXcursor", "libxcursor"],
        false,
        "the mouse",
    ),
    need(
        Check::Library("libxkbcommon.so.0"),
        ["libxkbcommon0", "libxkbcommon", "libxkbcommon"],
        false,
        "the keyboard",
    ),
    need(
        Check::Library("libxkbcommon-x11.so.0"),
        ["libxkbcommon-x11-0", "libxkbcommon-x11", "libxkbcommon-x11"],
        false,
        "the keyboard",
    ),
    need(Check::Library("libGL.so.1"), ["libgl1", "libglvnd-glx", "libglvnd"], false, "drawing"),
    need(Check::Package, ["libgl1-mesa-dri", "mesa-dri-drivers", "mesa"], false, "drawing"),
];

/// For the tests besides [`PLAY`]: a display without a screen, and Python for the other hosts.
const TEST: &[Need] = &[
    need(
        Check::Program("Xvfb", "-help"),
        ["xvfb", "xorg-x11-server-Xvfb", "xorg-server-xvfb"],
        false,
        "the editor's screenshot",
    ),
    need(
        Check::Program("valgrind", "--version"),
        ["valgrind", "valgrind", "valgrind"],
        false,
        "counting instructions",
    ),
    need(
        Check::Program("python3", "--version"),
        ["python3", "python3", "python"],
        false,
        "other hosts",
    ),
    need(Check::Venv, ["python3-venv", "python3", "python"], false, "other hosts"),
    // What those hosts are linked with and do not bring along.
    need(
        Check::Library("libatomic.so.1"),
        ["libatomic1", "libatomic", "gcc-libs"],
        false,
        "other hosts",
    ),
    need(
        Check::Library("libglib-2.0.so.0"),
        ["libglib2.0-0", "glib2", "glib2"],
        false,
        "other hosts",
    ),
    need(
        Check::Library("libstdc++.so.6"),
        ["libstdc++6", "libstdc++", "gcc-libs"],
        false,
        "other hosts",
    ),
];

/// The needs that are not met here. Only Linux has any: elsewhere the system brings all but Python.
pub fn missing(purpose: Purpose, debian: bool) -> Vec<Need> {
    let libraries = known_libraries();
    let wanted = |need: &&Need| cfg!(target_os = "linux") || matches!(need.check, Check::Venv);
    needs(purpose)
        .iter()
        .filter(wanted)
        .filter(|need| !met(need, debian, &libraries))
        .copied()
        .collect()
}

fn needs(purpose: Purpose) -> Vec<Need> {
    match purpose {
        Purpose::Play => PLAY.to_vec(),
        Purpose::Test => [PLAY, TEST].concat(),
    }
}

fn met(need: &Need, debian: bool, libraries: &str) -> bool {
    match need.check {
        Check::Program(program, argument) => succeeds(program, &[argument]),
        Check::Module(module) => succeeds("pkg-config", &["--exists", module]),
        Check::Library(file) => lists(libraries, file),
        Check::Package => !debian || installed(need.debian),
        Check::Venv => succeeds(crate::python::SYSTEM, &["-c", "import venv, ensurepip"]),
    }
}

/// What the dynamic linker would find; its program lies where an ordinary user's PATH does not
/// reach.
fn known_libraries() -> String {
    ["/sbin/ldconfig", "ldconfig"]
        .iter()
        .find_map(|program| Command::new(program).arg("-p").output().ok())
        .map(|output| String::from_utf8_lossy(&output.stdout).into_owned())
        .unwrap_or_default()
}

fn lists(libraries: &str, file: &str) -> bool {
    libraries.lines().any(|line| line.split_whitespace().next() == Some(file))
}

fn installed(package: &str) -> bool {
    Command::new("dpkg-query")
        .args(["--show", "--showformat=${db:Status-Status}", package])
        .output()
        .is_ok_and(|output| output.stdout == b"installed")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_library_is_found_by_its_whole_name() {
        let listing = "2 libs found\n\tlibGL.so.1 (libc6,x86-64) => /usr/lib/libGL.so.1\n\tlibX11-xcb.so.1 (libc6) => /x\n";
        assert!(lists(listing, "libGL.so.1"));
        assert!(!lists(listing, "libX11.so.6"));
        assert!(!lists(listing, "libGL.so"));
    }

    #[test]
    fn the_tests_need_all_that_playing_needs() {
        let names = |purpose| needs(purpose).iter().map(|need| need.debian).collect::<Vec<_>>();
        assert!(names(Purpose::Test).starts_with(&names(Purpose::Play)));
    }
}
