//! Where the user's presets are.

use std::env::var_os;
use std::path::PathBuf;

use anyhow::{Context, Result};

/// Says another folder, for tests and for portable installations.
const VARIABLE: &str = "ICTUS_PRESETS";

/// The platform's usual folder: `~/.local/share/Ictus/Presets` (or under `XDG_DATA_HOME`),
/// `~/Library/Audio/Presets/Ictus` on macOS, `%APPDATA%\Ictus\Presets` on Windows. It need not be
/// there yet.
pub fn default_folder() -> Result<PathBuf> {
    let given =
        |name: &str| var_os(name).map(PathBuf::from).filter(|path| !path.as_os_str().is_empty());
    if let Some(folder) = given(VARIABLE) {
        return Ok(folder);
    }
    let home = || {
        let home = std::env::home_dir().filter(|path| path.is_absolute());
        home.with_context(|| {
            format!("this account has no home folder; {VARIABLE} can name a folder for presets")
        })
    };
    if cfg!(target_os = "macos") {
        return Ok(home()?.join("Library/Audio/Presets/Ictus"));
    }
    let data = if cfg!(target_os = "windows") {
        given("APPDATA")
            .map_or_else(|| Ok(home()?.join("AppData").join("Roaming")), Ok::<_, anyhow::Error>)?
    } else {
        // The standard says that a relative path is to be ignored.
        let data = given("XDG_DATA_HOME").filter(|path| path.is_absolute());
        data.map_or_else(|| Ok(home()?.join(".local/share")), Ok::<_, anyhow::Error>)?
    };
    Ok(data.join("Ictus").join("Presets"))
}
