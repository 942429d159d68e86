//! What there is, file by file.

use std::fs;
use std::path::{Path, PathBuf};

use super::{Entry, Origin, files, order};
use crate::io::presets::{About, factory};

/// How deep folders in the folder are looked into.
const MAX_DEPTH: usize = 4;
/// More files than this are not listed.
const MAX_FILES: usize = 5000;

/// The instrument's own, by name.
pub fn factory() -> Vec<Entry> {
    let entry = |(key, text): &(&'static str, &str)| {
        entry(Origin::Factory(key), key, About::read(text, key))
    };
    let mut entries: Vec<_> = factory::ALL.iter().map(entry).collect();
    entries.sort_by_cached_key(|entry| order::pieces(&entry.about.name));
    entries
}

/// The user's, by name.
pub fn user(folder: &Path) -> Vec<Entry> {
    let mut paths = Vec::new();
    collect(folder, MAX_DEPTH, &mut paths);
    let mut entries: Vec<_> = paths
        .into_iter()
        .map(|path| {
            let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            let about = About::load(&path);
            entry(Origin::User(path), &stem, about)
        })
        .collect();
    entries.sort_by_cached_key(|entry| order::pieces(&entry.about.name));
    entries
}

fn entry(origin: Origin, stem: &str, about: anyhow::Result<About>) -> Entry {
    let (about, fault) = match about {
        Ok(about) => (about, None),
        Err(error) => {
            (About { name: stem.to_string(), ..About::default() }, Some(format!("{error:#}")))
        }
    };
    Entry { origin, about, favourite: false, fault }
}

/// Files of presets in a folder and below. Links are not followed: they may lead in a circle.
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
