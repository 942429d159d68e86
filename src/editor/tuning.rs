//! The row in which Scala files are chosen.

use std::path::Path;
use std::sync::Arc;

use egui::{TextEdit, Ui};

use super::file_picker::FilePicker;
use super::theme;
use crate::io::tunings::{StoredTuning, TextFile};
use crate::shared_state::extras::Extras;

/// A path to type or to choose, and what it is to be.
pub struct TuningRow {
    extras: Arc<Extras>,
    path: String,
    picker: FilePicker,
    /// What was wrong with the last attempt.
    fault: Option<String>,
}

impl TuningRow {
    /// Nothing typed yet.
    pub fn new(extras: Arc<Extras>) -> Self {
        let picker = FilePicker::new("Choose a scale or a mapping of keys", &[".scl", ".kbm"]);
        Self { extras, path: String::new(), picker, fault: None }
    }

    /// Draw it.
    pub fn show(&mut self, ui: &mut Ui) {
        let current = self.extras.tuning();
        let name = |file: &Option<TextFile>, none: &str| {
            file.as_ref().map_or(none.to_string(), |f| f.name.clone())
        };
        ui.horizontal(|ui| {
            let label = ui.label("Tuning");
            ui.add(
                TextEdit::singleline(&mut self.path)
                    .desired_width(240.0)
                    .hint_text("path of a .scl or .kbm file"),
            )
            .labelled_by(label.id)
            .on_hover_text("Where the file is.");
            if let Some(path) = self.picker.show(ui) {
                self.path = path.display().to_string();
            }
            if ui
                .button("Load scale")
                .on_hover_text("Takes the steps of the scale from this Scala file (.scl).")
                .clicked()
            {
                self.change(|path| {
                    Ok(StoredTuning { scl: Some(TextFile::read(path)?), ..current.clone() })
                });
            }
            if ui
                .button("Load keys")
                .on_hover_text("Takes which key plays which step from this file (.kbm).")
                .clicked()
            {
                self.change(|path| {
                    Ok(StoredTuning { kbm: Some(TextFile::read(path)?), ..current.clone() })
                });
            }
            if !current.is_empty()
                && ui
                    .button("Clear tuning")
                    .on_hover_text("Back to 12 equal steps from C4.")
                    .clicked()
            {
                self.change(|_| Ok(StoredTuning::default()));
            }
            let names = format!(
                "{}, {}",
                name(&current.scl, "12 equal steps"),
                name(&current.kbm, "from C4")
            );
            ui.label(egui::RichText::new(names).color(theme::of(ui).muted));
        });
        if let Some(fault) = &self.fault {
            ui.label(egui::RichText::new(fault).color(theme::of(ui).warning));
        }
    }

    /// What cannot be read changes nothing, and is told.
    fn change(&mut self, change: impl FnOnce(&Path) -> anyhow::Result<StoredTuning>) {
        let result = change(Path::new(self.path.trim()))
            .and_then(|written| self.extras.set_tuning(&written));
        self.fault = result.err().map(|error| format!("{error:#}"));
    }
}
