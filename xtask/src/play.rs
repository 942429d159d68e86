//! `cargo xtask play`: builds the instrument and opens it, or plays the demo without display or
//! audio.

use crate::progress::Steps;
use crate::setup::Purpose;
use crate::workspace::Workspace;
use crate::{bundle, process, render, setup};
use anyhow::{Result, bail};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Installs packages, builds, and opens the instrument, or plays the demo where that is impossible.
pub fn play(workspace: &Workspace, args: &[String]) -> Result<()> {
    let (own, passed_on) = match args.iter().position(|argument| argument == "--") {
        Some(place) => (&args[..place], &args[place + 1..]),
        None => (args, &[][..]),
    };
    let is_forced = match own {
        [] => false,
        [one] if one == "--demo" => true,
        _ => bail!(
            "`cargo xtask play` takes --demo, and options of the instrument after `--`, but was given {}",
            own.join(" ")
        ),
    };
    let asks_for_help = passed_on.iter().any(|argument| argument == "--help" || argument == "-h");
    let lacking = [no_display(), no_audio()];
    let is_demo = is_forced || (!asks_for_help && lacking.iter().any(Option::is_some));

    let last = if is_demo { "demo" } else { "instrument" };
    let mut steps = Steps::new(&["system libraries", "build", "bundle", last]);
    steps.run(|| setup::set_up(Purpose::Play));
    steps.run(|| bundle::build_release(workspace));
    steps.run(|| bundle::bundle_release(workspace));
    steps.run(|| {
        if !is_demo {
            return open(workspace, passed_on);
        }
        if !is_forced {
            for reason in lacking.iter().flatten() {
                eprintln!("  {reason}");
            }
            eprintln!(
                "  The instrument cannot be opened; the plug-in plays a phrase into a file instead."
            );
        }
        render::demo(workspace)
    });
    steps.into_result()
}

fn open(workspace: &Workspace, args: &[String]) -> Result<()> {
    let mut command = Command::new(workspace.standalone());
    command.args(args);
    let chosen = args.iter().any(|argument| argument.starts_with("--midi-input"));
    if let Some(keyboard) = midi_keyboard().filter(|_| !chosen) {
        eprintln!("  MIDI keyboard: {keyboard} (another: cargo xtask play -- --midi-input NAME)");
        command.args(["--midi-input", &keyboard]);
    }
    eprintln!("  The instrument is open; it ends when its window is closed.");
    process::run(&mut command)
}

/// Why no window can be opened, or `None` if one can.
pub fn no_display() -> Option<String> {
    if !cfg!(target_os = "linux") {
        return None;
    }
    let value = |name| std::env::var(name).ok().filter(|value: &String| !value.is_empty());
    match value("DISPLAY") {
        Some(display) if answers(&display) => None,
        Some(display) => Some(format!("no X server answers on DISPLAY={display}")),
        None if value("WAYLAND_DISPLAY").is_some() => {
            Some("there is a Wayland display, but no X11 one (XWayland) beside it".into())
        }
        None => Some("there is no display (DISPLAY is not set)".into()),
    }
}

/// Whether an X server listens on a display of this machine. A remote display counts as running.
#[cfg(target_os = "linux")]
fn answers(display: &str) -> bool {
    use std::os::linux::net::SocketAddrExt;
    use std::os::unix::net::{SocketAddr, UnixStream};
    let Some(socket) = local_socket(display) else {
        return true;
    };
    let abstract_name = SocketAddr::from_abstract_name(socket.as_os_str().as_encoded_bytes());
    UnixStream::connect(&socket).is_ok()
        || abstract_name.is_ok_and(|address| UnixStream::connect_addr(&address).is_ok())
}

#[cfg(not(target_os = "linux"))]
fn answers(display: &str) -> bool {
    local_socket(display).is_none_or(|socket| socket.exists())
}

/// The socket of a local display: `:0` and `:0.0` are display 0.
fn local_socket(display: &str) -> Option<PathBuf> {
    let number = display.strip_prefix(':')?.split('.').next()?;
    Some(Path::new("/tmp/.X11-unix").join(format!("X{number}")))
}

/// Why no audio can be played, or `None` if there is a device or a sound server.
pub fn no_audio() -> Option<String> {
    if !cfg!(target_os = "linux") {
        return None;
    }
    let begins = |folder: &str, good: fn(&str) -> bool| {
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        entries.into_iter().any(|entry| good(&entry.file_name().to_string_lossy()))
    };
    let runtime = std::env::var_os("XDG_RUNTIME_DIR").map(PathBuf::from);
    let server = runtime.is_some_and(|folder| {
        folder.join("pipewire-0").exists() || folder.join("pulse/native").exists()
    });
    let jack =
        begins("/dev/shm", |name| name.starts_with("jack_default") || name.starts_with("jack-"));
    if server || jack || begins("/dev/snd", is_playback) {
        None
    } else {
        Some("there is no audio device (no playback device in /dev/snd, no PipeWire, PulseAudio or JACK server)".into())
    }
}

/// Whether a file of `/dev/snd` is a playback device: `pcmC0D0p`, while `pcmC0D0c` records.
fn is_playback(name: &str) -> bool {
    name.starts_with("pcm") && name.ends_with('p')
}

/// The name by which the instrument opens the first MIDI keyboard that ALSA lists.
pub fn midi_keyboard() -> Option<String> {
    first_keyboard(&std::fs::read_to_string("/proc/asound/seq/clients").ok()?)
}

/// The first client port that may be a keyboard.
///
/// The list has clients (`Client  24 : "Keys" [Kernel]`) with ports (`  Port   0 : "Keys MIDI 1"
/// (RWeX)`). A keyboard's port is readable (R) and exported (e).
fn first_keyboard(clients: &str) -> Option<String> {
    let mut client = None;
    for line in clients.lines() {
        let Some((kind, number, name, rest)) = parse_entry(line) else {
            continue;
        };
        if kind == "Client" {
            client = Some((number, name));
            continue;
        }
        let Some((client_number, client_name)) = client else {
            continue;
        };
        let is_virtual =
            matches!(client_name, "System" | "Midi Through") || client_name.starts_with("PipeWire");
        let port = rest.trim_start().strip_prefix('(').unwrap_or_default();
        if !is_virtual && port.starts_with('R') && port.contains('e') {
            return Some(format!("{client_name}:{name} {client_number}:{number}"));
        }
    }
    None
}

fn parse_entry(line: &str) -> Option<(&str, u32, &str, &str)> {
    let (head, rest) = line.split_once(" : \"")?;
    let (name, rest) = rest.rsplit_once('"')?;
    let (kind, number) = head.trim().split_once(' ')?;
    Some((kind, number.trim().parse().ok()?, name, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_hardware_keyboard_is_found() {
        let clients = "Client info\n  cur  clients : 3\n\nClient   0 : \"System\" [Kernel]\n  Port   0 : \"Timer\" (Rwe-)\n\
            Client  14 : \"Midi Through\" [Kernel]\n  Port   0 : \"Midi Through Port-0\" (RWe-)\n\
            Client  24 : \"Keys 61\" [Kernel Legacy]\n  Port   0 : \"Keys 61 out\" (-We-)\n  Port   1 : \"Keys 61 MIDI 1\" (RWeX)\n";
        assert_eq!(first_keyboard(clients).as_deref(), Some("Keys 61:Keys 61 MIDI 1 24:1"));
        assert_eq!(first_keyboard(""), None);
    }

    #[test]
    fn only_playback_devices_count() {
        assert!(is_playback("pcmC0D3p"));
        assert!(!is_playback("pcmC0D0c"));
        assert!(!is_playback("controlC0p"));
    }

    #[test]
    fn local_displays_have_sockets() {
        assert_eq!(local_socket(":1.0"), Some("/tmp/.X11-unix/X1".into()));
        assert_eq!(local_socket("host:0"), None);
    }
}
