//! The preset library: factory presets and the user's folder.
//!
//! Nothing is cached or watched, because other instances and programs may change the folder at any
//! time. Damaged files are listed with their error.

pub mod files;

use std::env::var_os;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};

use super::{About, Preset, factory};
use files::Favourites;

/// Origin of a preset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A factory preset, by its key.
    Factory(&'static str),
    /// A file of the user.
    User(PathBuf),
}

/// An entry of the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Origin.
    pub origin: Origin,
    /// Name and description; of a damaged file the name only.
    pub about: About,
    /// Whether it is a favourite.
    pub favourite: bool,
    /// Error of a damaged file.
    pub fault: Option<String>,
}

/// The factory presets and the user's folder.
#[derive(Clone, Debug)]
pub struct Library {
    folder: Result<PathBuf, String>,
}

impl Default for Library {
    fn default() -> Self {
        Self { folder: default_folder().map_err(|error| format!("{error:#}")) }
    }
}

impl Library {
    /// A library with the user's presets in this folder, which may not exist yet.
    pub fn at(folder: PathBuf) -> Self {
        Self { folder: Ok(folder) }
    }

    /// The user's folder.
    pub fn folder(&self) -> Result<&Path> {
        match &self.folder {
            Ok(folder) => Ok(folder),
            Err(error) => bail!("{error}"),
        }
    }

    /// All presets, factory presets first. An unreadable folder counts as empty.
    pub fn entries(&self) -> Vec<Entry> {
        let favourites = self.folder().map(Favourites::read).unwrap_or_default();
        let mut entries = factory_entries();
        if let Ok(folder) = self.folder() {
            entries.extend(user_entries(folder));
        }
        for entry in &mut entries {
            entry.favourite = favourites.contains(&self.favourite_key(&entry.origin));
        }
        entries
    }

    /// The first of the user's presets with this name or file name, ignoring case and punctuation.
    pub fn find(&self, name: &str) -> Option<Origin> {
        let wanted = files::stem(name);
        let entries = self.folder().map(user_entries).unwrap_or_default();
        let is_match = |entry: &Entry| match &entry.origin {
            Origin::User(path) => {
                files::stem(&entry.about.name) == wanted
                    || path.file_stem().is_some_and(|stem| *stem == *wanted)
            }
            Origin::Factory(_) => false,
        };
        entries.into_iter().find(is_match).map(|entry| entry.origin)
    }

    /// Reads a preset.
    pub fn load(&self, origin: &Origin) -> Result<Preset> {
        match origin {
            Origin::Factory(key) => factory::load(key),
            Origin::User(path) => Preset::load(path),
        }
    }

    /// Writes a preset to the user's folder, under a file name derived from its name.
    ///
    /// # Errors
    /// A preset of that name exists and `replace` is false, or the file cannot be written.
    pub fn save(&self, preset: &Preset, replace: bool) -> Result<PathBuf> {
        let folder = self.folder()?;
        let text = preset.write();
        // Never write what cannot be read.
        Preset::read(&text, "").context("this preset cannot be saved")?;
        let path = files::path_for(folder, &preset.about.name);
        ensure!(replace || !path.exists(), "there is a preset '{}' already", preset.about.name);
        files::write(&path, text.as_bytes())?;
        Ok(path)
    }

    /// Renames a preset of the user. The old file is removed once the new one is complete.
    pub fn rename(&self, path: &Path, name: &str) -> Result<PathBuf> {
        let old = self.check_inside(path)?;
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
            if Favourites::read(self.folder()?).contains(&self.favourite_key(&from)) {
                self.set_favourite(&from, false)?;
                self.set_favourite(&to, true)?;
            }
        }
        Ok(new)
    }

    /// Removes a preset of the user.
    pub fn delete(&self, path: &Path) -> Result<()> {
        let path = self.check_inside(path)?;
        std::fs::remove_file(path).with_context(|| format!("{}: cannot be removed", path.display()))
    }

    /// Adds a preset to the favourites, or removes it.
    pub fn set_favourite(&self, origin: &Origin, favourite: bool) -> Result<()> {
        Favourites::set(self.folder()?, &self.favourite_key(origin), favourite)
    }

    /// Checks that a path is inside the folder, so that this library may change it.
    fn check_inside<'a>(&self, path: &'a Path) -> Result<&'a Path> {
        let inside = path.strip_prefix(self.folder()?).is_ok_and(|rest| {
            rest.components().all(|part| matches!(part, std::path::Component::Normal(_)))
        });
        ensure!(inside, "{}: is not in the folder of the presets", path.display());
        Ok(path)
    }

    /// Identifier of a preset in the favourites, independent of the location of the folder.
    fn favourite_key(&self, origin: &Origin) -> String {
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

/// Deepest level of subfolders that is searched.
const MAX_DEPTH: usize = 4;
/// Most files that are listed, which bounds the time of a scan.
const MAX_FILES: usize = 5000;

/// The factory presets, sorted by name.
fn factory_entries() -> Vec<Entry> {
    let entry = |(key, text): &(&'static str, &str)| {
        new_entry(Origin::Factory(key), key, About::read(text, key))
    };
    let mut entries: Vec<_> = factory::ALL.iter().map(entry).collect();
    entries.sort_by_cached_key(|entry| sort_key(&entry.about.name));
    entries
}

/// The user's presets, sorted by name.
fn user_entries(folder: &Path) -> Vec<Entry> {
    let mut paths = Vec::new();
    collect(folder, MAX_DEPTH, &mut paths);
    let mut entries: Vec<_> = paths
        .into_iter()
        .map(|path| {
            let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            let about = About::load(&path);
            new_entry(Origin::User(path), &stem, about)
        })
        .collect();
    entries.sort_by_cached_key(|entry| sort_key(&entry.about.name));
    entries
}

fn new_entry(origin: Origin, stem: &str, about: anyhow::Result<About>) -> Entry {
    let (about, fault) = match about {
        Ok(about) => (about, None),
        Err(error) => {
            (About { name: stem.to_string(), ..About::default() }, Some(format!("{error:#}")))
        }
    };
    Entry { origin, about, favourite: false, fault }
}

/// Collects the preset files of a folder and its subfolders. Links are skipped: they may form
/// cycles.
fn collect(folder: &Path, depth: usize, paths: &mut Vec<PathBuf>) {
    let Ok(files) = fs::read_dir(folder) else { return };
    let mut found: Vec<_> = files.filter_map(Result::ok).collect();
    found.sort_by_key(fs::DirEntry::file_name);
    for file in found {
        let (path, hidden) = (file.path(), file.file_name().to_string_lossy().starts_with('.'));
        let Ok(kind) = file.file_type() else { continue };
        if hidden || paths.len() >= MAX_FILES {
            continue;
        }
        if kind.is_dir() && depth > 0 {
            collect(&path, depth - 1, paths);
        } else if kind.is_file()
            && path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case(files::EXTENSION))
        {
            paths.push(path);
        }
    }
}

/// A part of a sort key.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum SortKeyPart {
    /// A run of digits, by its value.
    Number(u64),
    /// Text between digits, in lower case.
    Text(String),
}

/// Sort key of a name: "Bottle" before "Bottle rack", "Bell 2" before "Bell 10".
fn sort_key(name: &str) -> Vec<SortKeyPart> {
    let mut parts: Vec<SortKeyPart> = Vec::new();
    for sign in name.trim().chars() {
        match (sign.to_digit(10), parts.last_mut()) {
            (Some(digit), Some(SortKeyPart::Number(number))) => {
                *number = number.saturating_mul(10).saturating_add(u64::from(digit));
            }
            (Some(digit), _) => parts.push(SortKeyPart::Number(u64::from(digit))),
            (None, Some(SortKeyPart::Text(text))) => text.extend(sign.to_lowercase()),
            (None, _) => parts.push(SortKeyPart::Text(sign.to_lowercase().collect())),
        }
    }
    parts
}

/// A search in the list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Query {
    /// Words that must all occur anywhere, ignoring case.
    pub text: String,
    /// Only this category, ignoring case.
    pub category: Option<String>,
    /// Only favourites.
    pub favourites: bool,
}

impl Query {
    /// Whether an entry matches.
    pub fn matches(&self, entry: &Entry) -> bool {
        let about = &entry.about;
        if self.favourites && !entry.favourite {
            return false;
        }
        let category = about.category.to_lowercase();
        if self.category.as_ref().is_some_and(|wanted| wanted.to_lowercase() != category) {
            return false;
        }
        let all = [&about.name, &about.category, &about.author, &about.description];
        let texts: Vec<_> =
            all.into_iter().chain(&about.tags).map(|text| text.to_lowercase()).collect();
        self.text
            .to_lowercase()
            .split_whitespace()
            .all(|word| texts.iter().any(|text| text.contains(word)))
    }
}

/// The categories that occur, sorted.
pub fn categories(entries: &[Entry]) -> Vec<String> {
    let named = entries.iter().map(|entry| &entry.about.category).filter(|name| !name.is_empty());
    let mut names: Vec<_> = named.cloned().collect();
    names.sort();
    names.dedup();
    names
}

/// Environment variable with another folder, for tests and portable installations.
const FOLDER_VARIABLE: &str = "ICTUS_PRESETS";

/// The user's folder on this platform, which may not exist yet.
///
/// `~/.local/share/Ictus/Presets` (or under `XDG_DATA_HOME`), `~/Library/Audio/Presets/Ictus` on
/// macOS, `%APPDATA%\Ictus\Presets` on Windows.
fn default_folder() -> Result<PathBuf> {
    let given =
        |name: &str| var_os(name).map(PathBuf::from).filter(|path| !path.as_os_str().is_empty());
    if let Some(folder) = given(FOLDER_VARIABLE) {
        return Ok(folder);
    }
    let home = || {
        let home = std::env::home_dir().filter(|path| path.is_absolute());
        home.with_context(|| {
            format!(
                "this account has no home folder; {FOLDER_VARIABLE} can name a folder for presets"
            )
        })
    };
    if cfg!(target_os = "macos") {
        return Ok(home()?.join("Library/Audio/Presets/Ictus"));
    }
    let data = if cfg!(target_os = "windows") {
        given("APPDATA")
            .map_or_else(|| Ok(home()?.join("AppData").join("Roaming")), Ok::<_, anyhow::Error>)?
    } else {
        // The XDG specification ignores relative paths.
        let data = given("XDG_DATA_HOME").filter(|path| path.is_absolute());
        data.map_or_else(|| Ok(home()?.join(".local/share")), Ok::<_, anyhow::Error>)?
    };
    Ok(data.join("Ictus").join("Presets"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_sort_by_words_and_numbers() {
        let wanted = [
            "2 stones",
            "10 stones",
            "Bell 2",
            "bell 10",
            "Bottle",
            "Bottle rack",
            "Bottle-rack",
            "bottles",
        ];
        let mut names = wanted;
        names.reverse();
        names.sort_by_cached_key(|name| sort_key(name));
        assert_eq!(names, wanted);
    }
}
