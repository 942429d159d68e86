//! The data of a project besides its parameters: a mode list, a surface from a file, and a tuning.
//!
//! The threads that load and save lock mutexes; the audio thread only uses the queues and counters.

use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use anyhow::{Context, Result};
use crossbeam_queue::ArrayQueue;
use serde::Serialize;

use super::lock;
use super::voice_allocator::VoiceAllocator;
use super::window_settings::WindowSettings;
use crate::body::UserModes;
use crate::exciter::surface::{SurfaceTable, UserSurface};
use crate::io::mode_lists;
use crate::io::presets::sound;
use crate::io::surfaces::{StoredSurface, SurfaceRequest};
use crate::io::tunings;
use crate::tuning::Tuning;

/// Tables that are kept for reuse, 2.4 MB each: one per factory preset that rolls or scrapes.
const MAX_RECENT: usize = 8;

/// Project data, shared by the plug-in, its parameters and its editor.
pub struct Extras {
    list: Mutex<UserModes>,
    new_lists: ArrayQueue<UserModes>,
    surface: Mutex<Option<Arc<UserSurface>>>,
    surface_id: AtomicU64,
    new_surfaces: ArrayQueue<BuiltSurface>,
    voices: VoiceAllocator,
    window_settings: Mutex<WindowSettings>,
    tuning: Mutex<tunings::StoredTuning>,
    new_tunings: ArrayQueue<Tuning>,
}

impl Default for Extras {
    fn default() -> Self {
        Self {
            list: Mutex::new(UserModes::default()),
            new_lists: ArrayQueue::new(1),
            surface: Mutex::new(None),
            surface_id: AtomicU64::new(0),
            new_surfaces: ArrayQueue::new(1),
            voices: VoiceAllocator::default(),
            window_settings: Mutex::new(WindowSettings::default()),
            tuning: Mutex::default(),
            new_tunings: ArrayQueue::new(1),
        }
    }
}

impl Extras {
    /// Replaces the mode list.
    pub fn set_list(&self, list: &UserModes) {
        *lock(&self.list) = list.clone();
        self.new_lists.force_push(list.clone());
    }

    /// The mode list. Not for the audio thread.
    pub fn list(&self) -> UserModes {
        lock(&self.list).clone()
    }

    /// The window settings. Not for the audio thread.
    pub fn window_settings(&self) -> WindowSettings {
        *lock(&self.window_settings)
    }

    /// Changes the window settings.
    pub fn change_window_settings(&self, change: impl FnOnce(&mut WindowSettings)) {
        let mut window_settings = lock(&self.window_settings);
        change(&mut window_settings);
        *window_settings = window_settings.within_limits();
    }

    /// A copy of the project data.
    pub fn all(&self) -> sound::Extras {
        let list = self.list();
        let modes = (list != UserModes::default()).then(|| Arc::new(list));
        let tuning = Some(self.tuning()).filter(|tuning| !tuning.is_empty()).map(Arc::new);
        sound::Extras { modes, surface: self.surface(), tuning }
    }

    /// Replaces the project data. Equal parts are left alone, because a new surface costs time.
    pub fn set_all(&self, all: &sound::Extras) {
        let now = self.all();
        if now.modes != all.modes {
            self.set_list(&all.modes.as_deref().cloned().unwrap_or_default());
        }
        if now.surface != all.surface {
            self.replace_surface(all.surface.clone());
        }
        if now.tuning != all.tuning {
            // The tuning of a sound has been parsed before.
            let _ =
                self.set_tuning(all.tuning.as_deref().unwrap_or(&tunings::StoredTuning::default()));
        }
    }

    /// Takes a new mode list. Audio thread.
    pub fn take_list(&self) -> Option<UserModes> {
        self.new_lists.pop()
    }

    /// Replaces the tuning. Changes nothing if it cannot be parsed.
    pub fn set_tuning(&self, stored: &tunings::StoredTuning) -> Result<()> {
        let tuning = stored.read()?;
        *lock(&self.tuning) = stored.clone();
        self.new_tunings.force_push(tuning);
        Ok(())
    }

    /// The tuning as text. Not for the audio thread.
    pub fn tuning(&self) -> tunings::StoredTuning {
        lock(&self.tuning).clone()
    }

    /// Takes a new tuning. Audio thread.
    pub fn take_tuning(&self) -> Option<Tuning> {
        self.new_tunings.pop()
    }

    /// Replaces the surface, rounded as a project stores it.
    pub fn set_surface(&self, surface: &UserSurface) -> Result<()> {
        let surface = StoredSurface::of(surface).read()?;
        self.replace_surface(Some(Arc::new(surface)));
        Ok(())
    }

    fn replace_surface(&self, surface: Option<Arc<UserSurface>>) {
        let mut current = lock(&self.surface);
        self.surface_id
            .store(surface.as_ref().map_or(0, |surface| surface.id()), Ordering::Release);
        *current = surface;
    }

    /// The surface from a file, if any. Not for the audio thread.
    pub fn surface(&self) -> Option<Arc<UserSurface>> {
        lock(&self.surface).clone()
    }

    /// [`UserSurface::id`] of the file; 0 if there is none.
    pub fn surface_id(&self) -> u64 {
        self.surface_id.load(Ordering::Acquire)
    }

    /// The allocator of voices for the audio thread.
    pub fn voices(&self) -> &VoiceAllocator {
        &self.voices
    }

    /// Passes a table to the audio thread, which uses it once it has the matching parameters.
    pub fn load_surface(&self, surface: BuiltSurface) {
        // Frees a table that the audio thread has not taken.
        drop(self.new_surfaces.force_push(surface));
    }

    /// Takes a loaded table. Audio thread.
    pub fn take_surface(&self) -> Option<BuiltSurface> {
        self.new_surfaces.pop()
    }

    /// The fields of a saved project.
    pub fn save(&self) -> BTreeMap<String, String> {
        let mut fields = write(&self.all());
        if self.window_settings() != WindowSettings::default()
            && let Some(text) = to_json(&self.window_settings())
        {
            fields.insert("window".to_string(), text);
        }
        fields
    }

    /// Restores the fields of a project. Invalid fields have been refused before ([`check`]).
    pub fn restore(&self, fields: &BTreeMap<String, String>) {
        let window_settings = fields
            .get("window")
            .and_then(|text| serde_json::from_str::<WindowSettings>(text).ok())
            .unwrap_or_default();
        self.change_window_settings(|settings| *settings = window_settings);
        self.set_all(&read(fields));
    }
}

/// Parses the fields of a project and omits invalid ones.
pub fn read(fields: &BTreeMap<String, String>) -> sound::Extras {
    sound::Extras {
        modes: fields.get("modes").and_then(|text| read_list(text).ok()).map(Arc::new),
        surface: fields.get("surface").and_then(|text| read_surface(text).ok()).map(Arc::new),
        tuning: fields.get("tuning").and_then(|text| read_tuning(text).ok()).map(Arc::new),
    }
}

/// The fields of a project.
pub fn write(extras: &sound::Extras) -> BTreeMap<String, String> {
    let modes = extras.modes.as_ref().map(|modes| to_json(&mode_lists::write(modes)));
    let surface = extras.surface.as_ref().map(|surface| to_json(&StoredSurface::of(surface)));
    let tuning = extras.tuning.as_ref().map(|tuning| to_json(tuning.as_ref()));
    [("modes", modes), ("surface", surface), ("tuning", tuning)]
        .into_iter()
        .filter_map(|(field, text)| Some((field.to_string(), text??)))
        .collect()
}

fn to_json(value: &impl Serialize) -> Option<String> {
    serde_json::to_string(value).ok()
}

/// Checks that the fields of a project can be parsed.
pub fn check(fields: &BTreeMap<String, String>) -> Result<()> {
    fields.get("modes").map_or(Ok(()), |text| read_list(text).map(drop))?;
    fields.get("surface").map_or(Ok(()), |text| read_surface(text).map(drop))?;
    fields.get("tuning").map_or(Ok(()), |text| read_tuning(text).map(drop))
}

fn read_list(text: &str) -> Result<UserModes> {
    let modes = serde_json::from_str::<Vec<mode_lists::StoredMode>>(text);
    mode_lists::check("modes", &modes.context("field 'modes'")?)
}

fn read_surface(text: &str) -> Result<UserSurface> {
    let stored = serde_json::from_str::<StoredSurface>(text).context("field 'surface'")?;
    stored.read().context("field 'surface'")
}

fn read_tuning(text: &str) -> Result<tunings::StoredTuning> {
    let stored: tunings::StoredTuning = serde_json::from_str(text).context("field 'tuning'")?;
    stored.read().context("field 'tuning'")?;
    Ok(stored)
}

/// The inputs of a table. Equal sources give equal tables.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfaceSource {
    /// The request of the parameters.
    pub request: SurfaceRequest,
    /// [`UserSurface::id`] of the file; 0 if the request does not use it, or there is none.
    pub file_id: u64,
}

impl SurfaceSource {
    /// The source of a request. Ignores the file if the request does not use it.
    pub fn new(request: SurfaceRequest, file_id: u64) -> Self {
        Self { request, file_id: if request.uses_file() { file_id } else { 0 } }
    }
}

/// A surface table and its source.
pub struct BuiltSurface {
    /// The source of the table.
    pub source: SurfaceSource,
    /// The table.
    pub table: Arc<SurfaceTable>,
}

impl BuiltSurface {
    /// Builds a table. Takes tens of milliseconds.
    pub fn new(request: SurfaceRequest, file: Option<&UserSurface>) -> Self {
        let source = SurfaceSource::new(request, file.map_or(0, UserSurface::id));
        Self { source, table: recent_or_build(source, || request.build(file)) }
    }
}

/// Returns a copy of a recently built table of this process, or builds it. Hosts and users go back
/// and forth between presets. It is a copy, because the engine must own its table alone.
fn recent_or_build(
    source: SurfaceSource,
    build: impl FnOnce() -> Arc<SurfaceTable>,
) -> Arc<SurfaceTable> {
    static RECENT: Mutex<VecDeque<(SurfaceSource, Arc<SurfaceTable>)>> =
        Mutex::new(VecDeque::new());
    let copy = |table: &SurfaceTable| Arc::new(table.clone());
    let known =
        lock(&RECENT).iter().find(|(known, _)| *known == source).map(|(_, table)| table.clone());
    known.map(|table| copy(&table)).unwrap_or_else(|| {
        let table = build();
        let copied = copy(&table);
        let mut recent = lock(&RECENT);
        recent.truncate(MAX_RECENT - 1);
        recent.push_front((source, copied));
        table
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::shape::UserMode;

    #[test]
    fn project_data_survives_saving_and_restoring() {
        let extras = Extras::default();
        assert!(extras.save().is_empty(), "a fresh instance saves nothing");
        let list =
            UserModes::new(&[1.0, 2.3, 4.4].map(|ratio| UserMode { ratio, ..UserMode::default() }));
        extras.set_list(&list);
        let heights = (0..100_000).map(|n| 1e-5 * f64::from(n).sin()).collect();
        extras.set_surface(&UserSurface::new(heights, 2.0).unwrap()).unwrap();
        let five = "five\n5\n240.\n480.\n720.\n960.\n2/1\n".to_string();
        let stored = tunings::StoredTuning {
            scl: Some(tunings::TextFile { name: "five.scl".to_string(), text: five }),
            kbm: None,
        };
        extras.set_tuning(&stored).unwrap();
        let fields = extras.save();
        assert!(check(&fields).is_ok());
        let other = Extras::default();
        other.restore(&fields);
        assert_eq!(other.take_list(), Some(list));
        assert_eq!(other.surface(), extras.surface());
        assert_eq!(other.take_tuning(), Some(stored.read().unwrap()));
        assert_eq!(other.save(), fields);
    }

    #[test]
    fn invalid_fields_are_reported() {
        for (field, text) in [
            ("modes", "[]"),
            ("modes", r#"[{"ratio": 1e39}]"#),
            ("modes", "[[[[[[[["),
            ("tuning", "[[[[[["),
            ("tuning", r#"{"scl": {"name": "a.scl", "text": ""}}"#),
            ("tuning", r#"{"kbm": {"name": "a.kbm", "text": "1\n0\n127\n60\n69\n1e39\n1\n"}}"#),
            ("surface", "{}"),
            ("surface", r#"{"length_m": 1e300, "heights_nm": [1]}"#),
            ("surface", r#"{"length_m": 1, "heights_nm": [9223372036854775807]}"#),
        ] {
            let fields = BTreeMap::from([(field.to_string(), text.to_string())]);
            let error = format!("{:#}", check(&fields).unwrap_err());
            assert!(error.contains(field), "{text}: {error}");
        }
    }
}
