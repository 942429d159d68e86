//! Default window settings for new instances. A project's own settings take precedence.
//!
//! They are stored in a small file in the user's configuration folder, which is read when an
//! instance is created and written when a window closes with other settings than it opened with.
//! Errors are ignored.

use std::env::var_os;
use std::fs;
use std::path::{Path, PathBuf};

use super::window_settings::WindowSettings;
use crate::io::presets::library::files;

/// Bounds the file that is read; a valid one has about 60 bytes.
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

/// Loads the window settings that were used last.
pub fn load() -> Option<WindowSettings> {
    read(&path()?)
}

/// Saves the window settings for new instances.
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
        // The next window opens with default settings, so the log suffices.
        nice_plug::nice_log!("the window settings were not saved: {error:#}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_restored_and_invalid_files_are_ignored() {
        let folder = std::env::temp_dir().join(format!("ictus-window-{}", std::process::id()));
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
        // The folder is a file here, so that writing fails.
        write(&path.join("window.json"), &window_settings);
        fs::remove_dir_all(folder).unwrap();
    }
}
