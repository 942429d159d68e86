//! Colours and type.

use egui::{Color32, RichText};

/// The one colour that means "this moves".
pub const ACCENT: Color32 = Color32::from_rgb(232, 154, 60);
/// Something is too loud.
pub const WARNING: Color32 = Color32::from_rgb(226, 80, 64);
/// Behind everything.
pub const GROUND: Color32 = Color32::from_rgb(24, 25, 28);
/// Empty tracks and black keys.
pub const TRACK: Color32 = Color32::from_rgb(44, 46, 52);
/// Text that need not be read first.
pub const QUIET: Color32 = Color32::from_rgb(150, 152, 160);

/// Put them on.
pub fn apply(context: &egui::Context) {
    let mut visuals = egui::Visuals::dark();
    visuals.panel_fill = GROUND;
    visuals.window_fill = GROUND;
    visuals.selection.bg_fill = ACCENT;
    visuals.override_text_color = Some(Color32::from_rgb(226, 226, 222));
    context.set_visuals(visuals);
}

/// Title of a column.
pub fn group_title(name: &str) -> RichText {
    RichText::new(name).color(ACCENT).strong().size(15.0)
}
