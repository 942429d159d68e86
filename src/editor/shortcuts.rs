//! Keys that do something by themselves, and the one that never does.

use super::preset_actions::Action;
use super::top_bar::Request;

/// Steps back and forth by the usual keys, while nobody is typing; and the space bar left to the
/// host.
pub fn pressed(ui: &egui::Ui) -> Option<Request> {
    if ui.ctx().text_edit_focused() {
        return None;
    }
    // The space bar starts and stops the host: here it presses no button, whichever the tab key has
    // come to. Enter does.
    ui.input_mut(|input| {
        input.events.retain(|event| {
            !matches!(event, egui::Event::Key { key: egui::Key::Space, .. })
                && !matches!(event, egui::Event::Text(text) if text == " ")
        });
    });
    let is_pressed = |modifiers, key| ui.input_mut(|input| input.consume_key(modifiers, key));
    let (command, shift) = (egui::Modifiers::COMMAND, egui::Modifiers::SHIFT);
    // The longer one first: a shortcut also matches when more keys are held.
    if is_pressed(command | shift, egui::Key::Z) || is_pressed(command, egui::Key::Y) {
        return Some(Request::Action(Action::Redo));
    }
    is_pressed(command, egui::Key::Z).then_some(Request::Action(Action::Undo))
}
