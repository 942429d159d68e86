//! The look that was used last, for instances to come. A project's own comes before it.
//!
//! A small file in the user's folder for settings: read when an instance is made, written when a
//! window is closed that looks other than it did when it was opened. Where it cannot be read or
//! written everything goes on without it.

use std::env::var_os;
use std::fs;
use std::path::{Path, PathBuf};

use super::window_settings::WindowSettings;
use crate::io::presets::library::files;

/// A longer file is none of ours.
const MAX_BYTES: u64 = 4096;

/// `~/.config/Ictus/window.json` (or under `XDG_CONFIG_HOME`), `~/Library/Application
/// Support/Ictus/window.json` on macOS, `%APPDATA%\Ictus\window.json` on Windows.
fn path() -> Option<PathBuf> {
    let given = |name: &str| var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let home = || std::env::home_dir().filter(|path| path.is_absolute());
    let settings = if cfg!(target_os = "macos") {
        home()?.join("Library/Application Support")
    } else if cfg!(target_os = "windows") {
        given("APPDATA")?
    } else {
        given("XDG_CONFIG_HOME").or_else(|| Some(home()?.join(".config")))?
    };
    Some(settings.join("Ictus").join("window.json"))
}

/// The look that was used last, if any is known.
pub fn load() -> Option<WindowSettings> {
    read(&path()?)
}

/// Keep a look for instances to come.
pub fn save(window_settings: &WindowSettings) {
    if let Some(path) = path() {
        write(&path, window_settings);
    }
}

fn read(path: &Path) -> Option<WindowSettings> {
    if fs::metadata(path).ok()?.len() > MAX_BYTES {
        return None;
    }
    let text = fs::read_to_string(path).ok()?;
    serde_json::from_str::<WindowSettings>(&text).ok().map(WindowSettings::within_limits)
}

fn write(path: &Path, window_settings: &WindowSettings) {
    if let Ok(text) = serde_json::to_string(window_settings)
        && let Err(error) = files::write(path, text.as_bytes())
    {
        // The next window opens in the usual size; nobody needs to be told.
        nice_plug::nice_log!("the size of the window is not kept: {error:#}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_look_comes_back_and_what_is_none_does_not() {
        let folder = std::env::temp_dir().join(format!("ictus-look-{}", std::process::id()));
        let path = folder.join("deep").join("window.json");
        assert_eq!(read(&path), None);
        let window_settings =
            WindowSettings { width: 1234.0, height: 777.0, zoom: 1.5, light: true };
        write(&path, &window_settings);
        assert_eq!(read(&path), Some(window_settings));
        for text in ["", "[", "{\"width\": \"wide\"}", &" ".repeat(5000)] {
            fs::write(&path, text).unwrap();
            assert_eq!(read(&path), None, "{text}");
        }
        fs::write(&path, "{\"width\": 1e30, \"zoom\": -4}").unwrap();
        assert_eq!(
            read(&path),
            Some(WindowSettings { width: 8000.0, zoom: 0.75, ..WindowSettings::default() })
        );
        // A folder that is a file stands for one that cannot be written.
        write(&path.join("window.json"), &window_settings);
        fs::remove_dir_all(folder).unwrap();
    }
}
