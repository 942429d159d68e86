//! What a project keeps besides parameters: a list of modes, a surface from a file, and a tuning.
//!
//! The threads that load and save hold locks here; the audio thread takes what is new from queues
//! and counters.

use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context, Result};
use crossbeam_queue::ArrayQueue;

use super::voice_allocator::VoiceAllocator;
use super::window_settings::WindowSettings;
use crate::body::UserModes;
use crate::exciter::surface::{SurfaceTable, UserSurface};
use crate::io::mode_lists;
use crate::io::presets::sound;
use crate::io::surfaces::{StoredSurface, SurfaceRequest};
use crate::io::tunings;
use crate::tuning::Tuning;

/// Tables that are kept for the next time, 2.4 MB each: as many as factory presets roll or scrape.
const MAX_RECENT: usize = 8;

/// Shared by the plug-in, its parameters and its editor.
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
    /// Take another list of modes.
    pub fn set_list(&self, list: &UserModes) {
        *self.list.lock().unwrap_or_else(PoisonError::into_inner) = list.clone();
        self.new_lists.force_push(list.clone());
    }

    /// The list of modes. Not for the audio thread.
    pub fn list(&self) -> UserModes {
        self.list.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// How the window looks. Not for the audio thread.
    pub fn window_settings(&self) -> WindowSettings {
        *self.window_settings.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Change how the window looks.
    pub fn change_window_settings(&self, change: impl FnOnce(&mut WindowSettings)) {
        let mut window_settings =
            self.window_settings.lock().unwrap_or_else(PoisonError::into_inner);
        change(&mut window_settings);
        *window_settings = window_settings.within_limits();
    }

    /// What there is now, to be kept in memory.
    pub fn all(&self) -> sound::Extras {
        let list = self.list.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let modes = (list != UserModes::default()).then(|| Arc::new(list));
        let tuning = Some(self.tuning()).filter(|tuning| !tuning.is_empty()).map(Arc::new);
        sound::Extras { modes, surface: self.surface(), tuning }
    }

    /// Take all of it back. What is the same already is left alone: a new surface costs time.
    pub fn set_all(&self, all: &sound::Extras) {
        let now = self.all();
        if now.modes != all.modes {
            self.set_list(&all.modes.as_deref().cloned().unwrap_or_default());
        }
        if now.surface != all.surface {
            self.replace_surface(all.surface.clone());
        }
        if now.tuning != all.tuning {
            // What a sound holds has been read before.
            let _ =
                self.set_tuning(all.tuning.as_deref().unwrap_or(&tunings::StoredTuning::default()));
        }
    }

    /// Audio thread: a list that is new.
    pub fn take_list(&self) -> Option<UserModes> {
        self.new_lists.pop()
    }

    /// Take another tuning; one that cannot be read changes nothing.
    pub fn set_tuning(&self, written: &tunings::StoredTuning) -> Result<()> {
        let tuning = written.read()?;
        *self.tuning.lock().unwrap_or_else(PoisonError::into_inner) = written.clone();
        self.new_tunings.force_push(tuning);
        Ok(())
    }

    /// The tuning as it is written. Not for the audio thread.
    pub fn tuning(&self) -> tunings::StoredTuning {
        self.tuning.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Audio thread: a tuning that is new.
    pub fn take_tuning(&self) -> Option<Tuning> {
        self.new_tunings.pop()
    }

    /// Take another surface, as a project would keep it.
    pub fn set_surface(&self, surface: &UserSurface) -> Result<()> {
        let surface = StoredSurface::of(surface).read()?;
        self.replace_surface(Some(Arc::new(surface)));
        Ok(())
    }

    fn replace_surface(&self, surface: Option<Arc<UserSurface>>) {
        let mut kept = self.surface.lock().unwrap_or_else(PoisonError::into_inner);
        self.surface_id
            .store(surface.as_ref().map_or(0, |surface| surface.id()), Ordering::Release);
        *kept = surface;
    }

    /// The surface of a file, if there is one. Not for the audio thread.
    pub fn surface(&self) -> Option<Arc<UserSurface>> {
        self.surface.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// [`UserSurface::id`] of the file; 0 if there is none.
    pub fn surface_id(&self) -> u64 {
        self.surface_id.load(Ordering::Acquire)
    }

    /// Voices on their way to the audio thread.
    pub fn voices(&self) -> &VoiceAllocator {
        &self.voices
    }

    /// Hands a table to the audio thread, which uses it as soon as it has the parameters that ask
    /// for it.
    pub fn load_surface(&self, surface: BuiltSurface) {
        // Frees a table that was never taken.
        drop(self.new_surfaces.force_push(surface));
    }

    /// Audio thread: a table that was loaded.
    pub fn take_surface(&self) -> Option<BuiltSurface> {
        self.new_surfaces.pop()
    }

    /// What a project keeps.
    pub fn save(&self) -> BTreeMap<String, String> {
        let mut fields = write(&self.all());
        if self.window_settings() != WindowSettings::default()
            && let Ok(text) = serde_json::to_string(&self.window_settings())
        {
            fields.insert("window".to_string(), text);
        }
        fields
    }

    /// Take back what a project kept. What cannot be read was refused before ([`check`]).
    pub fn restore(&self, fields: &BTreeMap<String, String>) {
        let window_settings = fields
            .get("window")
            .and_then(|text| serde_json::from_str::<WindowSettings>(text).ok())
            .unwrap_or_default();
        self.change_window_settings(|settings| *settings = window_settings);
        self.set_all(&read(fields));
    }
}

/// What a project kept. What cannot be read is left out.
pub fn read(fields: &BTreeMap<String, String>) -> sound::Extras {
    let modes = fields.get("modes").and_then(|text| read_list(text).ok()).map(Arc::new);
    let surface = fields.get("surface").and_then(|text| read_surface(text).ok()).map(Arc::new);
    let tuning = fields.get("tuning").and_then(|text| read_tuning(text).ok()).map(Arc::new);
    sound::Extras { modes, surface, tuning }
}

/// As a project keeps it.
pub fn write(extras: &sound::Extras) -> BTreeMap<String, String> {
    let mut fields = BTreeMap::new();
    if let Some(modes) = &extras.modes
        && let Ok(text) = serde_json::to_string(&mode_lists::write(modes))
    {
        fields.insert("modes".to_string(), text);
    }
    if let Some(surface) = &extras.surface
        && let Ok(text) = serde_json::to_string(&StoredSurface::of(surface))
    {
        fields.insert("surface".to_string(), text);
    }
    if let Some(tuning) = &extras.tuning
        && let Ok(text) = serde_json::to_string(tuning.as_ref())
    {
        fields.insert("tuning".to_string(), text);
    }
    fields
}

fn read_surface(text: &str) -> Result<UserSurface> {
    serde_json::from_str::<StoredSurface>(text)
        .context("field 'surface'")?
        .read()
        .context("field 'surface'")
}

/// Whether the fields of a project can be read, and if not, why.
pub fn check(fields: &BTreeMap<String, String>) -> Result<()> {
    fields.get("modes").map_or(Ok(()), |text| read_list(text).map(drop))?;
    fields.get("surface").map_or(Ok(()), |text| read_surface(text).map(drop))?;
    fields.get("tuning").map_or(Ok(()), |text| read_tuning(text).map(drop))
}

fn read_tuning(text: &str) -> Result<tunings::StoredTuning> {
    let written: tunings::StoredTuning = serde_json::from_str(text).context("field 'tuning'")?;
    written.read().context("field 'tuning'")?;
    Ok(written)
}

fn read_list(text: &str) -> Result<UserModes> {
    mode_lists::check(
        "modes",
        &serde_json::from_str::<Vec<mode_lists::StoredMode>>(text).context("field 'modes'")?,
    )
}

/// What a table is built from. Equal sources give equal tables.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfaceSource {
    /// What the parameters ask for.
    pub request: SurfaceRequest,
    /// [`UserSurface::id`] of the file; 0 if the request does not use it, or there is none.
    pub file_id: u64,
}

impl SurfaceSource {
    /// Of a request, with the file only if the request uses it.
    pub fn new(request: SurfaceRequest, file_id: u64) -> Self {
        Self { request, file_id: if request.uses_file() { file_id } else { 0 } }
    }
}

/// A table, and what it was built from.
pub struct BuiltSurface {
    /// What it was built from.
    pub source: SurfaceSource,
    /// The table.
    pub table: Arc<SurfaceTable>,
}

impl BuiltSurface {
    /// Builds a table. Takes tens of milliseconds.
    pub fn new(request: SurfaceRequest, file: Option<&UserSurface>) -> Self {
        let source = SurfaceSource::new(request, file.map_or(0, UserSurface::id));
        Self { source, table: recent(source, || request.build(file)) }
    }
}

/// The table of a source, a copy of one of the last few of this process or built. Hosts and users
/// go back and forth between presets. A copy, because the engine must hold the only count of a
/// table.
fn recent(source: SurfaceSource, build: impl FnOnce() -> Arc<SurfaceTable>) -> Arc<SurfaceTable> {
    static RECENT: Mutex<VecDeque<(SurfaceSource, Arc<SurfaceTable>)>> =
        Mutex::new(VecDeque::new());
    let lock = || RECENT.lock().unwrap_or_else(PoisonError::into_inner);
    let copy = |table: &SurfaceTable| Arc::new(table.clone());
    let known = lock().iter().find(|(known, _)| *known == source).map(|(_, table)| table.clone());
    known.map(|table| copy(&table)).unwrap_or_else(|| {
        let table = build();
        let kept = copy(&table);
        let mut recent = lock();
        recent.truncate(MAX_RECENT - 1);
        recent.push_front((source, kept));
        table
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::shape::UserMode;

    #[test]
    fn what_is_kept_comes_back_as_it_was() {
        let extras = Extras::default();
        assert!(extras.save().is_empty(), "nothing to keep in a fresh instance");
        let list =
            UserModes::new(&[1.0, 2.3, 4.4].map(|ratio| UserMode { ratio, ..UserMode::default() }));
        extras.set_list(&list);
        let heights = (0..100_000).map(|n| 1e-5 * f64::from(n).sin()).collect();
        extras.set_surface(&UserSurface::new(heights, 2.0).unwrap()).unwrap();
        let five = "five\n5\n240.\n480.\n720.\n960.\n2/1\n".to_string();
        let written = tunings::StoredTuning {
            scl: Some(tunings::TextFile { name: "five.scl".to_string(), text: five }),
            kbm: None,
        };
        extras.set_tuning(&written).unwrap();
        let fields = extras.save();
        assert!(check(&fields).is_ok());
        let other = Extras::default();
        other.restore(&fields);
        assert_eq!(other.take_list(), Some(list));
        assert_eq!(other.surface(), extras.surface());
        assert_eq!(other.take_tuning(), Some(written.read().unwrap()));
        assert_eq!(other.save(), fields);
    }

    #[test]
    fn what_cannot_be_read_is_reported() {
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
