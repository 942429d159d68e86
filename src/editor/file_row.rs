//! Rows to load files: a surface or a list of modes, and a Scala tuning.

use std::path::Path;
use std::sync::Arc;

use egui::{DragValue, TextEdit, Ui};

use super::file_picker::FilePicker;
use super::theme;
use crate::body::BodyKind;
use crate::io::tunings::{StoredTuning, TextFile};
use crate::io::{mode_lists, surfaces};
use crate::params::Param;
use crate::shared_state::extras::Extras;
use crate::shared_state::params::HostParams;

/// A text field for a path, with a button to browse.
struct PathField {
    path: String,
    picker: FilePicker,
}

impl PathField {
    fn new(picker: FilePicker) -> Self {
        Self { path: String::new(), picker }
    }

    fn show(&mut self, ui: &mut Ui, label: &str, hint: &str) {
        let label = ui.label(label);
        ui.add(TextEdit::singleline(&mut self.path).desired_width(240.0).hint_text(hint))
            .labelled_by(label.id)
            .on_hover_text("Where the file is.");
        if let Some(path) = self.picker.show(ui) {
            self.path = path.display().to_string();
        }
    }

    fn path(&self) -> &Path {
        Path::new(self.path.trim())
    }
}

/// A button with a tooltip; true if it was clicked.
fn is_clicked(ui: &mut Ui, label: &str, help: &str) -> bool {
    ui.button(label).on_hover_text(help).clicked()
}

/// The row to load a surface or a list of modes.
pub struct FileRow {
    extras: Arc<Extras>,
    field: PathField,
    length_m: f64,
    rms_um: f64,
    /// The result of the last attempt, and whether it succeeded.
    message: Option<(String, bool)>,
}

impl FileRow {
    /// Creates an empty row.
    pub fn new(extras: Arc<Extras>) -> Self {
        let picker = FilePicker::new(
            "Choose a surface or a list of modes",
            &[".wav", ".png", ".pgm", ".json"],
        );
        let field = PathField::new(picker);
        Self { extras, field, length_m: 1.0, rms_um: 10.0, message: None }
    }

    /// True if the parameters select a surface or a body from a file.
    pub fn is_needed(params: &HostParams) -> bool {
        let file = Param::Surface.spec().range_si().1 as usize;
        params.choice(Param::Surface) == file
            || BodyKind::from_choice(params.choice(Param::Body)).is_mode_list()
    }

    /// Draws the row, and loads files.
    pub fn show(&mut self, ui: &mut Ui) {
        ui.horizontal(|ui| {
            self.field.show(ui, "File", "path of a WAV, PNG, PGM or JSON file");
            let label = ui.label("length");
            ui.add(DragValue::new(&mut self.length_m).range(0.01..=20.0).speed(0.01).suffix(" m"))
                .labelled_by(label.id)
                .on_hover_text("How long the surface in the file is, in m.");
            let label = ui.label("rms");
            ui.add(
                DragValue::new(&mut self.rms_um).range(0.001..=50_000.0).speed(0.1).suffix(" µm"),
            )
            .labelled_by(label.id)
            .on_hover_text("How rough the surface in the file is, root mean square in µm.");
            let help = "Takes the heights that are rolled over from the file.";
            if is_clicked(ui, "Load surface", help) {
                let result = self.load_surface();
                self.set_message("surface", result);
            }
            if is_clicked(ui, "Load modes", "Takes the modes of the body from the file (JSON).") {
                let result = self.load_modes();
                self.set_message("modes", result);
            }
        });
        if let Some((text, is_good)) = &self.message {
            ui.label(theme::result(ui, text, *is_good));
        }
    }

    fn load_surface(&self) -> anyhow::Result<()> {
        let height = surfaces::Height::Rms(1e-6 * self.rms_um);
        let scale = surfaces::SurfaceScale { length_m: self.length_m, height, row: None };
        self.extras.set_surface(&surfaces::load(self.field.path(), &scale)?)
    }

    fn load_modes(&self) -> anyhow::Result<()> {
        self.extras.set_list(&mode_lists::read(self.field.path())?);
        Ok(())
    }

    fn set_message(&mut self, what: &str, result: anyhow::Result<()>) {
        self.message = Some(match result {
            Ok(()) => (format!("The {what} came from {}", self.field.path().display()), true),
            Err(error) => (format!("{error:#}"), false),
        });
    }
}

/// The row to load a scale and a keyboard mapping in Scala's formats.
pub struct TuningRow {
    extras: Arc<Extras>,
    field: PathField,
    /// The error of the last attempt.
    error: Option<String>,
}

impl TuningRow {
    /// Creates an empty row.
    pub fn new(extras: Arc<Extras>) -> Self {
        let picker = FilePicker::new("Choose a scale or a mapping of keys", &[".scl", ".kbm"]);
        Self { extras, field: PathField::new(picker), error: None }
    }

    /// Draws the row, and loads files.
    pub fn show(&mut self, ui: &mut Ui) {
        let current = self.extras.tuning();
        let name = |file: &Option<TextFile>, none: &str| {
            file.as_ref().map_or(none.to_string(), |file| file.name.clone())
        };
        ui.horizontal(|ui| {
            self.field.show(ui, "Tuning", "path of a .scl or .kbm file");
            let help = "Takes the steps of the scale from this Scala file (.scl).";
            if is_clicked(ui, "Load scale", help) {
                self.change(|path| {
                    Ok(StoredTuning { scl: Some(TextFile::read(path)?), ..current.clone() })
                });
            }
            let help = "Takes which key plays which step from this file (.kbm).";
            if is_clicked(ui, "Load keys", help) {
                self.change(|path| {
                    Ok(StoredTuning { kbm: Some(TextFile::read(path)?), ..current.clone() })
                });
            }
            let help = "Back to 12 equal steps from C4.";
            if !current.is_empty() && is_clicked(ui, "Clear tuning", help) {
                self.change(|_| Ok(StoredTuning::default()));
            }
            let (scale, keys) =
                (name(&current.scl, "12 equal steps"), name(&current.kbm, "from C4"));
            ui.label(theme::muted(ui, format!("{scale}, {keys}")));
        });
        if let Some(error) = &self.error {
            ui.label(theme::result(ui, error, false));
        }
    }

    /// Changes the tuning; an error changes nothing and is shown.
    fn change(&mut self, change: impl FnOnce(&Path) -> anyhow::Result<StoredTuning>) {
        let result = change(self.field.path()).and_then(|tuning| self.extras.set_tuning(&tuning));
        self.error = result.err().map(|error| format!("{error:#}"));
    }
}
