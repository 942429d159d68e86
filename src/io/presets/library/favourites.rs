//! Which presets are marked: a small file beside them.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::path::Path;

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

use super::files;

/// Hidden, and without the ending of a preset: neither the list nor a host's browser takes it for
/// one.
const FILE: &str = ".favourites";
/// Held while the file is changed.
const LOCK: &str = ".favourites.lock";
/// Anything larger is something else.
const MAX_BYTES: u64 = 1 << 20;

/// The marks.
#[derive(Default, Deserialize, Serialize)]
pub struct Favourites {
    favourites: BTreeSet<String>,
}

impl Favourites {
    /// Those of a folder; none if there is no file or it is damaged.
    pub fn read(folder: &Path) -> Self {
        Self::parse(folder).unwrap_or_default()
    }

    fn parse(folder: &Path) -> Result<Self> {
        let path = folder.join(FILE);
        anyhow::ensure!(fs::metadata(&path)?.len() <= MAX_BYTES, "is too large");
        Ok(serde_json::from_str(&fs::read_to_string(path)?)?)
    }

    /// Whether a preset is marked.
    pub fn contains(&self, set_mark: &str) -> bool {
        self.favourites.contains(set_mark)
    }

    /// Set or clear one mark. Read again under a lock, so that instances that do this at once lose
    /// no mark of each other.
    pub fn change(folder: &Path, set_mark: &str, on: bool) -> Result<()> {
        fs::create_dir_all(folder)
            .with_context(|| format!("{}: the folder cannot be made", folder.display()))?;
        let lock = File::create(folder.join(LOCK))
            .with_context(|| format!("{}: cannot be written", folder.display()))?;
        // Some network disks know no locks; then the last one wins, and the file is still whole.
        let locked = lock.lock();
        let path = folder.join(FILE);
        let mut all = match Self::parse(folder) {
            Ok(all) => all,
            Err(_) => {
                if path.exists() {
                    let _ = fs::rename(&path, folder.join(".favourites.damaged"));
                }
                Self::default()
            }
        };
        let changed = if on {
            all.favourites.insert(set_mark.to_string())
        } else {
            all.favourites.remove(set_mark)
        };
        let result = if changed {
            files::write(&path, serde_json::to_string_pretty(&all)?.as_bytes())
        } else {
            Ok(())
        };
        if locked.is_ok() {
            let _ = lock.unlock();
        }
        result
    }
}
