//! A surface or a list of modes from a file, while the settings ask for one.

use std::path::Path;
use std::sync::Arc;

use egui::{DragValue, TextEdit, Ui};

use super::file_picker::FilePicker;
use super::theme;
use crate::body::BodyKind;
use crate::io::{mode_lists, surfaces};
use crate::params::Param;
use crate::shared_state::extras::Extras;
use crate::shared_state::params::HostParams;

/// The row in which a path is typed, or chosen.
pub struct FileRow {
    extras: Arc<Extras>,
    path: String,
    picker: FilePicker,
    length_m: f64,
    rms_um: f64,
    /// What came of the last attempt, and whether it went well.
    message: Option<(String, bool)>,
}

impl FileRow {
    /// Nothing typed yet.
    pub fn new(extras: Arc<Extras>) -> Self {
        let picker = FilePicker::new(
            "Choose a surface or a list of modes",
            &[".wav", ".png", ".pgm", ".json"],
        );
        Self { extras, path: String::new(), picker, length_m: 1.0, rms_um: 10.0, message: None }
    }

    /// Whether the settings ask for a file.
    pub fn is_needed(params: &HostParams) -> bool {
        let file = Param::Surface.spec().range_si().1 as usize;
        params.choice(Param::Surface) == file
            || BodyKind::from_choice(params.choice(Param::Body)).is_mode_list()
    }

    /// Draw it.
    pub fn show(&mut self, ui: &mut Ui) {
        ui.horizontal(|ui| {
            let name = ui.label("File");
            ui.add(
                TextEdit::singleline(&mut self.path)
                    .desired_width(240.0)
                    .hint_text("path of a WAV, PNG, PGM or JSON file"),
            )
            .labelled_by(name.id)
            .on_hover_text("Where the file is.");
            if let Some(path) = self.picker.show(ui) {
                self.path = path.display().to_string();
            }
            let name = ui.label("length");
            ui.add(DragValue::new(&mut self.length_m).range(0.01..=20.0).speed(0.01).suffix(" m"))
                .labelled_by(name.id)
                .on_hover_text("How long the surface in the file is, in m.");
            let name = ui.label("rms");
            ui.add(
                DragValue::new(&mut self.rms_um).range(0.001..=50_000.0).speed(0.1).suffix(" µm"),
            )
            .labelled_by(name.id)
            .on_hover_text("How rough the surface in the file is, root mean square in µm.");
            if ui
                .button("Load surface")
                .on_hover_text("Takes the heights that are rolled over from the file.")
                .clicked()
            {
                let result = self.load_surface();
                self.set_message("surface", result);
            }
            if ui
                .button("Load modes")
                .on_hover_text("Takes the modes of the body from the file (JSON).")
                .clicked()
            {
                let result = self.load_modes();
                self.set_message("modes", result);
            }
        });
        if let Some((text, good)) = &self.message {
            ui.label(egui::RichText::new(text).color(if *good {
                theme::of(ui).muted
            } else {
                theme::of(ui).warning
            }));
        }
    }

    fn load_surface(&self) -> anyhow::Result<()> {
        let height = surfaces::Height::Rms(1e-6 * self.rms_um);
        let scale = surfaces::SurfaceScale { length_m: self.length_m, height, row: None };
        self.extras.set_surface(&surfaces::load(Path::new(self.path.trim()), &scale)?)
    }

    fn load_modes(&self) -> anyhow::Result<()> {
        self.extras.set_list(&mode_lists::read(Path::new(self.path.trim()))?);
        Ok(())
    }

    fn set_message(&mut self, what: &str, result: anyhow::Result<()>) {
        self.message = Some(match result {
            Ok(()) => (format!("The {what} came from {}", self.path.trim()), true),
            Err(error) => (format!("{error:#}"), false),
        });
    }
}
