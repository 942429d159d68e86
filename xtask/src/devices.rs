//! Whether there is a screen to draw on and something to be heard with.
use std::path::{Path, PathBuf};

/// Why no window can be opened, or `None` when one can.
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

/// A display on this machine has a socket, in the file system or hidden; one on another machine is
/// taken at its word.
#[cfg(target_os = "linux")]
fn answers(display: &str) -> bool {
    use std::os::linux::net::SocketAddrExt;
    use std::os::unix::net::{SocketAddr, UnixStream};
    let Some(socket) = local_socket(display) else {
        return true;
    };
    let hidden = SocketAddr::from_abstract_name(socket.as_os_str().as_encoded_bytes());
    UnixStream::connect(&socket).is_ok()
        || hidden.is_ok_and(|address| UnixStream::connect_addr(&address).is_ok())
}

#[cfg(not(target_os = "linux"))]
fn answers(display: &str) -> bool {
    local_socket(display).is_none_or(|socket| socket.exists())
}

/// `:0` and `:0.0` are display 0 of this machine; every X server puts its sockets into this one
/// folder.
fn local_socket(display: &str) -> Option<PathBuf> {
    let number = display.strip_prefix(':')?.split('.').next()?;
    Some(Path::new("/tmp/.X11-unix").join(format!("X{number}")))
}

/// Why nothing could be heard, or `None` when there is a device or a sound server.
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

/// ALSA's playback devices are called `pcmC0D0p`, those for recording `pcmC0D0c`.
fn is_playback(name: &str) -> bool {
    name.starts_with("pcm") && name.ends_with('p')
}

/// The name under which the instrument can open the first MIDI keyboard that ALSA knows of.
pub fn midi_keyboard() -> Option<String> {
    first_keyboard(&std::fs::read_to_string("/proc/asound/seq/clients").ok()?)
}

/// The list has clients (`Client  24 : "Keys" [Kernel]`) with ports (`  Port   0 : "Keys MIDI 1"
/// (RWeX)`). A port that others can read from (R) and be connected to (e) may be a keyboard.
fn first_keyboard(clients: &str) -> Option<String> {
    let mut client = None;
    for line in clients.lines() {
        let Some((kind, number, name, rest)) = entry(line) else {
            continue;
        };
        if kind == "Client" {
            client = Some((number, name));
            continue;
        }
        let Some((client_number, client_name)) = client else {
            continue;
        };
        let itself =
            matches!(client_name, "System" | "Midi Through") || client_name.starts_with("PipeWire");
        let port = rest.trim_start().strip_prefix('(').unwrap_or_default();
        if !itself && port.starts_with('R') && port.contains('e') {
            return Some(format!("{client_name}:{name} {client_number}:{number}"));
        }
    }
    None
}

fn entry(line: &str) -> Option<(&str, u32, &str, &str)> {
    let (head, rest) = line.split_once(" : \"")?;
    let (name, rest) = rest.rsplit_once('"')?;
    let (kind, number) = head.trim().split_once(' ')?;
    Some((kind, number.trim().parse().ok()?, name, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_real_keyboard_is_found() {
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
