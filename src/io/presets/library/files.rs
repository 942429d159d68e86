//! Files that are written whole or not at all.

use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::{Context, Result};

/// How files of presets end.
pub const EXTENSION: &str = "json";
/// Bytes of a file name without its ending.
const MAX_STEM_BYTES: usize = 100;
/// Names that Windows keeps for devices.
const DEVICES: [&str; 6] = ["con", "prn", "aux", "nul", "com", "lpt"];

/// The file name, without its ending, for a preset of this name: letters and digits in lower case,
/// the rest as hyphens.
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

/// The file for a preset of this name.
pub fn path_for(folder: &Path, name: &str) -> PathBuf {
    folder.join(stem(name)).with_extension(EXTENSION)
}

/// Write a file whole: under another name first, on the disk, and then in place of the old one.
/// Whatever goes wrong, the old file is as it was.
pub fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    let folder = path.parent().context("a file lies in a folder")?;
    fs::create_dir_all(folder)
        .with_context(|| format!("{}: the folder cannot be made", folder.display()))?;
    static WRITTEN: AtomicU64 = AtomicU64::new(0);
    let number = WRITTEN.fetch_add(1, Ordering::Relaxed);
    let file = path.file_name().context("a file has a name")?.to_string_lossy();
    // Hidden: the list passes over what begins with a dot.
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
    // The new name reaches the disk with its folder, where folders can be opened.
    if let Some(folder) = path.parent()
        && let Ok(folder) = File::open(folder)
    {
        let _ = folder.sync_all();
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_name_makes_a_file_name_that_every_system_takes() {
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
