//! All presets there are: those of the instrument, and the user's own folder.
//!
//! Nothing is kept open or watched. Whatever lies in the folder is listed, damaged files with what
//! is wrong with them; other instances and other programs may change it at any time.

mod favourites;
pub mod files;
mod folder;
mod list;
mod order;
mod search;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};

use super::format::Preset;
use super::{About, factory};
use favourites::Favourites;
pub use search::{Query, categories};

/// Where a preset is from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// One of the instrument's own, by its key.
    Factory(&'static str),
    /// A file.
    User(PathBuf),
}

/// One line of the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Where it is from.
    pub origin: Origin,
    /// What it says of itself; of a damaged file the name alone.
    pub about: About,
    /// Whether the user has marked it.
    pub favourite: bool,
    /// Why it cannot be read, if so.
    pub fault: Option<String>,
}

/// The instrument's presets and the user's folder.
#[derive(Clone, Debug)]
pub struct Library {
    folder: Result<PathBuf, String>,
}

impl Default for Library {
    fn default() -> Self {
        Self { folder: folder::default_folder().map_err(|error| format!("{error:#}")) }
    }
}

impl Library {
    /// With the user's presets in this folder, which need not be there yet.
    pub fn at(folder: PathBuf) -> Self {
        Self { folder: Ok(folder) }
    }

    /// Where the user's presets are.
    pub fn folder(&self) -> Result<&Path> {
        match &self.folder {
            Ok(folder) => Ok(folder),
            Err(error) => bail!("{error}"),
        }
    }

    /// Every preset, the instrument's first. A folder that cannot be read counts as empty.
    pub fn entries(&self) -> Vec<Entry> {
        let favourites = self.folder().map(Favourites::read).unwrap_or_default();
        let mut entries = list::factory();
        if let Ok(folder) = self.folder() {
            entries.extend(list::user(folder));
        }
        for entry in &mut entries {
            entry.favourite = favourites.contains(&self.mark(&entry.origin));
        }
        entries
    }

    /// The user's preset with this name or file name, however it is written. Of several, the first
    /// in the list.
    pub fn find(&self, name: &str) -> Option<Origin> {
        let wanted = files::stem(name);
        let own = self.folder().map(list::user).unwrap_or_default();
        let is_it = |entry: &Entry| match &entry.origin {
            Origin::User(path) => {
                files::stem(&entry.about.name) == wanted
                    || path.file_stem().is_some_and(|stem| *stem == *wanted)
            }
            Origin::Factory(_) => false,
        };
        own.into_iter().find(is_it).map(|entry| entry.origin)
    }

    /// Read a preset whole. Nothing else changes, whatever is wrong with it.
    pub fn load(&self, origin: &Origin) -> Result<Preset> {
        match origin {
            Origin::Factory(key) => factory::load(key),
            Origin::User(path) => Preset::load(path),
        }
    }

    /// Write a preset to the user's folder, under a file name made from its name. A preset of the
    /// same name is replaced if `replace` says so, and otherwise is an error.
    pub fn save(&self, preset: &Preset, replace: bool) -> Result<PathBuf> {
        let folder = self.folder()?;
        let text = preset.write();
        // What cannot be read again is not written.
        Preset::read(&text, "").context("this preset cannot be saved")?;
        let path = files::path_for(folder, &preset.about.name);
        ensure!(replace || !path.exists(), "there is a preset '{}' already", preset.about.name);
        files::write(&path, text.as_bytes())?;
        Ok(path)
    }

    /// Give a preset of the user's another name. The old file goes when the new one is complete.
    pub fn rename(&self, path: &Path, name: &str) -> Result<PathBuf> {
        let old = self.own(path)?;
        let mut preset = Preset::load(old)?;
        preset.about.name = name.trim().to_string();
        let text = preset.write();
        Preset::read(&text, "").context("this name cannot be given")?;
        let parent = old.parent().unwrap_or(self.folder()?);
        let new = files::path_for(parent, &preset.about.name);
        ensure!(new == old || !new.exists(), "there is a preset '{}' already", preset.about.name);
        files::write(&new, text.as_bytes())?;
        if new != old {
            std::fs::remove_file(old)
                .with_context(|| format!("{}: cannot be removed", old.display()))?;
            let (from, to) = (Origin::User(old.to_path_buf()), Origin::User(new.clone()));
            if Favourites::read(self.folder()?).contains(&self.mark(&from)) {
                self.set_favourite(&from, false)?;
                self.set_favourite(&to, true)?;
            }
        }
        Ok(new)
    }

    /// Remove a preset of the user's.
    pub fn delete(&self, path: &Path) -> Result<()> {
        let path = self.own(path)?;
        std::fs::remove_file(path).with_context(|| format!("{}: cannot be removed", path.display()))
    }

    /// Mark a preset, or take the mark away.
    pub fn set_favourite(&self, origin: &Origin, favourite: bool) -> Result<()> {
        Favourites::change(self.folder()?, &self.mark(origin), favourite)
    }

    /// A preset that this library may change: a file inside its folder.
    fn own<'a>(&self, path: &'a Path) -> Result<&'a Path> {
        let inside = path.strip_prefix(self.folder()?).is_ok_and(|rest| {
            rest.components().all(|part| matches!(part, std::path::Component::Normal(_)))
        });
        ensure!(inside, "{}: is not in the folder of the presets", path.display());
        Ok(path)
    }

    /// How the list of favourites calls a preset: the same wherever the folder lies.
    fn mark(&self, origin: &Origin) -> String {
        match origin {
            Origin::Factory(key) => format!("factory:{key}"),
            Origin::User(path) => {
                let inside = self
                    .folder()
                    .ok()
                    .and_then(|folder| path.strip_prefix(folder).ok())
                    .unwrap_or(path);
                let parts: Vec<_> = inside.iter().map(|part| part.to_string_lossy()).collect();
                format!("user:{}", parts.join("/"))
            }
        }
    }
}
