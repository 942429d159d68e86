//! Atomic writing of preset files, their names, and the file of favourites.

use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

/// Extension of preset files.
pub const EXTENSION: &str = "json";
/// Longest file name without extension, bytes: file systems allow 255 with the draft suffix.
const MAX_STEM_BYTES: usize = 100;
/// Names that Windows reserves for devices, without their number.
const DEVICES: [&str; 6] = ["con", "prn", "aux", "nul", "com", "lpt"];

/// The file name without extension for a preset name: lower-case letters, digits and hyphens.
pub fn stem(name: &str) -> String {
    let plain = name
        .to_lowercase()
        .chars()
        .map(|c| if c.is_alphanumeric() { c } else { '-' })
        .collect::<String>();
    let mut stem = plain.split('-').filter(|word| !word.is_empty()).collect::<Vec<_>>().join("-");
    while stem.len() > MAX_STEM_BYTES {
        stem.pop();
    }
    let is_device = DEVICES.contains(&stem.trim_end_matches(|c: char| c.is_ascii_digit()));
    match stem.as_str() {
        "" => "preset".to_string(),
        _ if is_device => format!("{stem}-preset"),
        _ => stem,
    }
}

/// The path of the file for a preset name.
pub fn path_for(folder: &Path, name: &str) -> PathBuf {
    folder.join(stem(name)).with_extension(EXTENSION)
}

/// Writes a file atomically: a synchronised draft replaces the old file.
///
/// # Errors
/// After an error the old file is unchanged.
pub fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    let folder = path.parent().context("the path has no folder")?;
    fs::create_dir_all(folder)
        .with_context(|| format!("{}: the folder cannot be made", folder.display()))?;
    static DRAFT_NUMBER: AtomicU64 = AtomicU64::new(0);
    let number = DRAFT_NUMBER.fetch_add(1, Ordering::Relaxed);
    let file = path.file_name().context("the path has no file name")?.to_string_lossy();
    // Hidden, because the list skips names that begin with a dot.
    let draft = folder.join(format!(".{file}.{}-{number}.tmp", std::process::id()));
    let result = write_draft_and_rename(&draft, path, bytes);
    if result.is_err() {
        let _ = fs::remove_file(&draft);
    }
    result.with_context(|| format!("{}: cannot be written", path.display()))
}

fn write_draft_and_rename(draft: &Path, path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).open(draft)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    drop(file);
    fs::rename(draft, path)?;
    // Synchronising the folder makes the rename durable, where folders can be opened.
    if let Some(folder) = path.parent()
        && let Ok(folder) = File::open(folder)
    {
        let _ = folder.sync_all();
    }
    Ok(())
}

/// Hidden and without extension, so that neither the list nor a host takes it for a preset.
const FAVOURITES_FILE: &str = ".favourites";
/// Locked while the favourites change.
const LOCK_FILE: &str = ".favourites.lock";
/// Largest file of favourites; a larger one counts as damaged.
const MAX_BYTES: u64 = 1 << 20;

/// The keys of the favourite presets.
#[derive(Default, Deserialize, Serialize)]
pub struct Favourites {
    favourites: BTreeSet<String>,
}

impl Favourites {
    /// The favourites of a folder; none if the file is missing or damaged.
    pub fn read(folder: &Path) -> Self {
        Self::parse(folder).unwrap_or_default()
    }

    fn parse(folder: &Path) -> Result<Self> {
        let path = folder.join(FAVOURITES_FILE);
        anyhow::ensure!(fs::metadata(&path)?.len() <= MAX_BYTES, "is too large");
        Ok(serde_json::from_str(&fs::read_to_string(path)?)?)
    }

    /// Whether a preset is a favourite.
    pub fn contains(&self, key: &str) -> bool {
        self.favourites.contains(key)
    }

    /// Adds or removes a favourite. The file is read and written under a lock, so that concurrent
    /// instances lose no change.
    pub fn set(folder: &Path, key: &str, on: bool) -> Result<()> {
        fs::create_dir_all(folder)
            .with_context(|| format!("{}: the folder cannot be made", folder.display()))?;
        let lock = File::create(folder.join(LOCK_FILE))
            .with_context(|| format!("{}: cannot be written", folder.display()))?;
        // Without locks, as on some network disks, the last write wins; the file stays complete.
        let locked = lock.lock();
        let path = folder.join(FAVOURITES_FILE);
        let mut all = match Self::parse(folder) {
            Ok(all) => all,
            Err(_) => {
                if path.exists() {
                    let _ = fs::rename(&path, folder.join(".favourites.damaged"));
                }
                Self::default()
            }
        };
        let changed =
            if on { all.favourites.insert(key.to_string()) } else { all.favourites.remove(key) };
        let result = if changed {
            write(&path, serde_json::to_string_pretty(&all)?.as_bytes())
        } else {
            Ok(())
        };
        if locked.is_ok() {
            let _ = lock.unlock();
        }
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_names_are_valid_on_every_system() {
        for (name, expected) in [
            ("Church bell", "church-bell"),
            ("  ../../etc/passwd ", "etc-passwd"),
            ("Größe 3", "größe-3"),
            ("???", "preset"),
            ("CON", "con-preset"),
            ("com1", "com1-preset"),
            (".hidden", "hidden"),
        ] {
            assert_eq!(stem(name), expected, "{name}");
        }
        assert!(stem(&"ä".repeat(64)).len() <= MAX_STEM_BYTES);
    }
}
