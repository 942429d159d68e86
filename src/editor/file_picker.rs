//! A file chosen by hand alone, without typing: a small window that goes through folders.

use std::path::{Path, PathBuf};

use egui::{RichText, ScrollArea, Ui};

use super::theme;

/// No more of a folder is shown.
const MAX: usize = 2000;
const SIZE: (f32, f32) = (320.0, 240.0);

/// One thing in a folder.
struct FolderEntry {
    name: String,
    is_folder: bool,
}

/// The window, and where it stands.
pub struct FilePicker {
    title: &'static str,
    /// How the files that are wanted end, in small letters.
    ends: &'static [&'static str],
    open: bool,
    folder: PathBuf,
    entries: Vec<FolderEntry>,
    fault: Option<String>,
}

impl FilePicker {
    /// Closed; it begins in the user's home.
    pub fn new(title: &'static str, ends: &'static [&'static str]) -> Self {
        Self::at(std::env::home_dir().unwrap_or_else(|| PathBuf::from("/")), title, ends)
    }

    /// The same in another folder.
    pub fn at(folder: PathBuf, title: &'static str, ends: &'static [&'static str]) -> Self {
        Self { title, ends, open: false, folder, entries: Vec::new(), fault: None }
    }

    /// The button that opens it, and the window while it is open. What was chosen.
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
            let place = RichText::new(self.folder.display().to_string()).color(theme::of(ui).muted);
            ui.add(egui::Label::new(place).truncate());
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
                if let Some(fault) = &self.fault {
                    ui.label(RichText::new(fault).color(theme::of(ui).warning));
                } else if self.entries.is_empty() {
                    let kinds = self.ends.join(", ");
                    ui.label(
                        RichText::new(format!("No folders here, and no {kinds}."))
                            .color(theme::of(ui).muted),
                    );
                }
            },
        );
        if let Some(folder) = next {
            self.folder = folder;
            self.read_folder();
        }
        chosen
    }

    /// Read the folder: folders first, then the files that are wanted, by name.
    fn read_folder(&mut self) {
        self.entries.clear();
        self.fault = None;
        let entries = match std::fs::read_dir(&self.folder) {
            Ok(entries) => entries,
            Err(error) => {
                self.fault = Some(format!("{}: {error}", self.folder.display()));
                return;
            }
        };
        for entry in entries.flatten() {
            let Ok(name) = entry.file_name().into_string() else { continue };
            let is_folder = entry.path().is_dir();
            let is_wanted =
                is_folder || self.ends.iter().any(|end| name.to_lowercase().ends_with(end));
            if is_wanted && !name.starts_with('.') && self.entries.len() < MAX {
                self.entries.push(FolderEntry { name, is_folder });
            }
        }
        self.entries.sort_by_key(|found| (!found.is_folder, found.name.to_lowercase()));
    }
}
