//! The editor's own signs, in the order of `plugin-assets/fonts/make_icons.py`.

#![allow(missing_docs)] // The names say what they look like.

pub const PREVIOUS: &str = "\u{e000}";
pub const NEXT: &str = "\u{e001}";
pub const UNDO: &str = "\u{e002}";
pub const REDO: &str = "\u{e003}";
pub const SAVE: &str = "\u{e004}";
pub const HEART: &str = "\u{e005}";
pub const HEART_FULL: &str = "\u{e006}";
pub const DICE: &str = "\u{e007}";
pub const SEARCH: &str = "\u{e008}";
pub const STOP: &str = "\u{e009}";
pub const COPY: &str = "\u{e00a}";
pub const BIN: &str = "\u{e00b}";
pub const LOCK: &str = "\u{e00c}";
pub const UNLOCK: &str = "\u{e00d}";
pub const SUN: &str = "\u{e00e}";
pub const MOON: &str = "\u{e00f}";
pub const GEAR: &str = "\u{e010}";
pub const PEN: &str = "\u{e011}";
pub const WAVE: &str = "\u{e012}";
pub const CLOSE: &str = "\u{e013}";

/// A button that shows a sign and has a name for screen readers and pointers that rest on it.
pub fn button(ui: &mut egui::Ui, sign: &str, name: &str) -> egui::Response {
    let response = ui.add(
        egui::Button::new(egui::RichText::new(sign).size(15.0)).min_size(egui::vec2(26.0, 24.0)),
    );
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, name));
    response.on_hover_text(name)
}
