//! A window to choose a file by browsing folders.

use std::path::{Path, PathBuf};

use egui::{ScrollArea, Ui};

use super::theme;

/// Bounds the entries shown of a folder.
const MAX_ENTRIES: usize = 2000;
/// Size of the list, points.
const SIZE: (f32, f32) = (320.0, 240.0);

/// A file or folder.
struct FolderEntry {
    name: String,
    is_folder: bool,
}

/// The window with its current folder.
pub struct FilePicker {
    title: &'static str,
    /// Accepted file extensions, in lower case.
    extensions: &'static [&'static str],
    open: bool,
    folder: PathBuf,
    entries: Vec<FolderEntry>,
    error: Option<String>,
}

impl FilePicker {
    /// Creates a closed window that starts in the home folder.
    pub fn new(title: &'static str, extensions: &'static [&'static str]) -> Self {
        Self::at(std::env::home_dir().unwrap_or_else(|| PathBuf::from("/")), title, extensions)
    }

    /// Creates a closed window that starts in `folder`.
    pub fn at(folder: PathBuf, title: &'static str, extensions: &'static [&'static str]) -> Self {
        Self { title, extensions, open: false, folder, entries: Vec::new(), error: None }
    }

    /// Shows the button and, while it is open, the window. Returns the chosen file.
    pub fn show(&mut self, ui: &mut Ui) -> Option<PathBuf> {
        if ui.button("Browse").on_hover_text(self.title).clicked() {
            self.open = !self.open;
            self.read_folder();
        }
        let (mut open, mut chosen) = (self.open, None);
        egui::Window::new(self.title)
            .open(&mut open)
            .collapsible(false)
            .resizable(false)
            .default_pos(egui::pos2(300.0, 120.0))
            .show(ui.ctx(), |ui| chosen = self.draw(ui));
        self.open =
            open && chosen.is_none() && !ui.input(|input| input.key_pressed(egui::Key::Escape));
        chosen
    }

    fn draw(&mut self, ui: &mut Ui) -> Option<PathBuf> {
        ui.set_width(SIZE.0);
        let (mut chosen, mut next) = (None, None);
        ui.horizontal(|ui| {
            if ui.button("Up").clicked() {
                next = self.folder.parent().map(Path::to_path_buf);
            }
            let folder = theme::muted(ui, self.folder.display().to_string());
            ui.add(egui::Label::new(folder).truncate());
        });
        ScrollArea::vertical().id_salt("files").max_height(SIZE.1).auto_shrink(false).show(
            ui,
            |ui| {
                for FolderEntry { name, is_folder } in &self.entries {
                    let shown = if *is_folder { format!("{name}/") } else { name.clone() };
                    if ui.selectable_label(false, shown).clicked() {
                        let path = self.folder.join(name);
                        if *is_folder {
                            next = Some(path);
                        } else {
                            chosen = Some(path);
                        }
                    }
                }
                if let Some(error) = &self.error {
                    ui.label(theme::result(ui, error, false));
                } else if self.entries.is_empty() {
                    let extensions = self.extensions.join(", ");
                    ui.label(theme::muted(ui, format!("No folders here, and no {extensions}.")));
                }
            },
        );
        if let Some(folder) = next {
            self.folder = folder;
            self.read_folder();
        }
        chosen
    }

    /// Reads the folder: subfolders first, then accepted files, by name.
    fn read_folder(&mut self) {
        self.entries.clear();
        self.error = None;
        let entries = match std::fs::read_dir(&self.folder) {
            Ok(entries) => entries,
            Err(error) => {
                self.error = Some(format!("{}: {error}", self.folder.display()));
                return;
            }
        };
        for entry in entries.flatten() {
            let Ok(name) = entry.file_name().into_string() else { continue };
            let is_folder = entry.path().is_dir();
            let is_accepted = is_folder
                || self.extensions.iter().any(|extension| name.to_lowercase().ends_with(extension));
            if is_accepted && !name.starts_with('.') && self.entries.len() < MAX_ENTRIES {
                self.entries.push(FolderEntry { name, is_folder });
            }
        }
        self.entries.sort_by_key(|entry| (!entry.is_folder, entry.name.to_lowercase()));
    }
}
