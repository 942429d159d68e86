//! System packages that the build and the tests need: finds what is missing and installs or names
//! it.

use crate::process::{self, succeeds};
use anyhow::{Context, Result, bail};
use std::io::IsTerminal;
use std::process::Command;

/// Installs the missing packages on Debian and its derivatives; elsewhere it names them.
pub fn set_up(purpose: Purpose) -> Result<()> {
    let debian = is_debian(&std::fs::read_to_string("/etc/os-release").unwrap_or_default())
        && succeeds("apt-get", &["--version"]);
    let missing_here = missing(purpose, debian);
    if missing_here.is_empty() {
        eprintln!("  all there");
        return Ok(());
    }
    for need in &missing_here {
        eprintln!("  missing: {} ({})", need.debian, need.why);
    }
    if debian { install(&missing_here, purpose) } else { name(&missing_here, purpose) }
}

/// Whether this is Debian, Ubuntu or a system that declares itself like them.
fn is_debian(os_release: &str) -> bool {
    os_release
        .lines()
        .filter_map(|line| line.split_once('='))
        .filter(|(key, _)| matches!(*key, "ID" | "ID_LIKE"))
        .flat_map(|(_, value)| value.trim_matches('"').split_whitespace())
        .any(|id| matches!(id, "debian" | "ubuntu"))
}

fn install(lacking: &[Need], purpose: Purpose) -> Result<()> {
    let mut names: Vec<_> = lacking.iter().map(|need| need.debian).collect();
    names.dedup();
    let by_hand = format!("apt-get install {}", names.join(" "));
    let rights = Rights::find()
        .with_context(|| format!("these packages need an administrator; run as one: {by_hand}"))?;
    // An old package list makes the installation fail. Without a network the old list may do.
    if let Err(error) = process::run(rights.apt_get().arg("update")) {
        eprintln!("  {error:#}; trying with the package list that is there");
    }
    let mut command = rights.apt_get();
    command.args(["install", "--yes", "--no-install-recommends"]).args(&names);
    process::run(&mut command)
        .with_context(|| format!("cannot install the packages; try by hand: {by_hand}"))?;
    let still: Vec<_> = missing(purpose, true).iter().map(|need| need.debian).collect();
    if !still.is_empty() {
        bail!("installed, but still not usable: {}", still.join(", "));
    }
    Ok(())
}

fn name(lacking: &[Need], purpose: Purpose) -> Result<()> {
    let list = |name: fn(&Need) -> &'static str| {
        let mut names: Vec<_> = lacking.iter().map(name).collect();
        names.sort_unstable();
        names.dedup();
        names.join(" ")
    };
    if cfg!(target_os = "linux") {
        eprintln!("  This is neither Debian nor Ubuntu, so please install them yourself:");
        eprintln!("    Fedora: dnf install {}", list(|need| need.fedora));
        eprintln!("    Arch:   pacman -S {}", list(|need| need.arch));
        eprintln!("    Debian: apt-get install {}", list(|need| need.debian));
    } else {
        eprintln!(
            "  Please install Python 3 with its venv module (python.org or your package manager)."
        );
    }
    if purpose == Purpose::Test || lacking.iter().any(|need| need.to_build) {
        bail!("what is listed above is missing; run this command again when it is there");
    }
    eprintln!("  Going on: the build does not need them.");
    Ok(())
}

/// How this user may install packages.
enum Rights {
    Root,
    Sudo { ask: bool },
}

impl Rights {
    fn find() -> Result<Self> {
        let id = Command::new("id").arg("-u").output().context("cannot run `id`")?;
        if id.stdout.trim_ascii() == b"0" {
            return Ok(Self::Root);
        }
        let ask = std::io::stdin().is_terminal() && std::env::var_os("CI").is_none();
        if !succeeds("sudo", &["--version"]) {
            bail!("sudo is not installed");
        }
        if !ask && !succeeds("sudo", &["--non-interactive", "true"]) {
            bail!("sudo wants a password, and there is no terminal to ask for it");
        }
        Ok(Self::Sudo { ask })
    }

    fn apt_get(&self) -> Command {
        let mut command = match self {
            Self::Root => Command::new("env"),
            Self::Sudo { ask } => {
                let mut sudo = Command::new("sudo");
                if !ask {
                    sudo.arg("--non-interactive");
                }
                sudo.arg("env");
                sudo
            }
        };
        // Through `env`, because sudo drops the environment.
        command.args(["DEBIAN_FRONTEND=noninteractive", "apt-get"]);
        command
    }
}

/// What the machine is prepared for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Purpose {
    /// Building and opening the instrument.
    Play,
    /// Everything that `cargo xtask test` does.
    Test,
}

/// How the presence of a package is detected.
#[derive(Clone, Copy)]
enum Check {
    /// The program runs with this argument.
    Program(&'static str, &'static str),
    /// pkg-config knows the library.
    Module(&'static str),
    /// The dynamic linker finds the library.
    Library(&'static str),
    /// The package database lists it.
    Package,
    /// `python3 -m venv` works, whichever package provides it.
    Venv,
}

/// One required package.
#[derive(Clone, Copy)]
pub struct Need {
    /// Package on Debian and Ubuntu.
    pub debian: &'static str,
    /// Package on Fedora.
    pub fedora: &'static str,
    /// Package on Arch.
    pub arch: &'static str,
    /// Purpose.
    pub why: &'static str,
    /// Whether the build fails without it.
    pub to_build: bool,
    check: Check,
}

const fn need(check: Check, names: [&'static str; 3], to_build: bool, why: &'static str) -> Need {
    let [debian, fedora, arch] = names;
    Need { debian, fedora, arch, why, to_build, check }
}

/// For building and opening the standalone instrument. The window libraries are loaded at run time,
/// so the build succeeds without them.
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

/// For the tests, besides [`PLAY`]: a virtual display, and Python for the other hosts.
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
    // Libraries that the Python hosts are linked with.
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

/// The missing packages. Outside Linux only Python can be missing.
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
        Check::Venv => succeeds(crate::test::SYSTEM_PYTHON, &["-c", "import venv, ensurepip"]),
    }
}

/// The libraries that the dynamic linker finds. `ldconfig` is often not on a user's PATH.
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
    fn debian_derivatives_are_recognised() {
        assert!(is_debian("PRETTY_NAME=\"Debian GNU/Linux 12\"\nID=debian\n"));
        assert!(is_debian("ID=ubuntu\nID_LIKE=debian\n"));
        assert!(is_debian("ID=linuxmint\nID_LIKE=\"ubuntu debian\"\n"));
        assert!(!is_debian("NAME=\"not debian\"\nID=fedora\n"));
        assert!(!is_debian(""));
    }

    #[test]
    fn a_library_is_found_by_its_whole_name() {
        let listing = "2 libs found\n\tlibGL.so.1 (libc6,x86-64) => /usr/lib/libGL.so.1\n\tlibX11-xcb.so.1 (libc6) => /x\n";
        assert!(lists(listing, "libGL.so.1"));
        assert!(!lists(listing, "libX11.so.6"));
        assert!(!lists(listing, "libGL.so"));
    }

    #[test]
    fn the_tests_need_everything_that_playing_needs() {
        let names = |purpose| needs(purpose).iter().map(|need| need.debian).collect::<Vec<_>>();
        assert!(names(Purpose::Test).starts_with(&names(Purpose::Play)));
    }
}
