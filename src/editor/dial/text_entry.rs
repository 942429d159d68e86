//! A value that is typed, with its unit, in the place where it stands.

use egui::text::{CCursor, CCursorRange};
use egui::text_edit::TextEditState;
use egui::{Key, Rect, TextEdit, Ui, UiBuilder};
use nice_plug::prelude::ParamSetter;

use crate::editor::control::set_in_one_gesture;
use crate::editor::theme;
use crate::shared_state::params::Slot;

fn id(dial: egui::Id) -> egui::Id {
    dial.with("typing")
}

/// From now on the value of this dial is typed, in place of this one.
pub fn begin(ui: &Ui, dial: egui::Id, slot: &Slot) -> String {
    let text = slot.text(slot.position());
    ui.data_mut(|data| data.insert_temp(id(dial), text.clone()));
    text
}

/// What has been typed so far, if something is.
pub fn typed(ui: &Ui, dial: egui::Id) -> Option<String> {
    ui.data(|data| data.get_temp(id(dial)))
}

/// The field in which it is typed.
pub fn show(
    ui: &mut Ui,
    dial: egui::Id,
    at: Rect,
    mut typed: String,
    slot: &Slot,
    setter: &ParamSetter,
) {
    let typing = id(dial);
    let palette = theme::of(ui);
    let colour = if slot.position_of(&typed).is_some() { palette.text } else { palette.warning };
    // In a place of its own: put into the row, it would move whatever comes after it.
    let mut place = ui.new_child(UiBuilder::new().max_rect(at));
    let fresh = !ui.memory(|memory| memory.has_focus(typing.with("field")));
    let field = TextEdit::singleline(&mut typed)
        .id(typing.with("field"))
        .font(theme::small())
        .text_color(colour);
    let field = place.add_sized(at.size(), field);
    field.request_focus();
    if fresh {
        // All of it is marked, so that what is typed takes its place: now, because a field without
        // the focus marks nothing.
        let all = CCursorRange::two(CCursor::new(0), CCursor::new(typed.chars().count()));
        let mut state = TextEditState::load(ui.ctx(), field.id).unwrap_or_default();
        state.cursor.set_char_range(Some(all));
        state.store(ui.ctx(), field.id);
    }
    // Of what stands there now: on a busy machine the last letters and Enter come in the same
    // frame. What makes no sense stays, in another colour, until it does or is left.
    let pressed = |key| !fresh && ui.input(|input| input.key_pressed(key));
    let position = slot.position_of(&typed).filter(|_| pressed(Key::Enter));
    let entered = position.is_some();
    if let Some(position) = position {
        set_in_one_gesture(slot, setter, position);
    }
    let over = entered || pressed(Key::Escape) || !fresh && field.clicked_elsewhere();
    ui.data_mut(|data| {
        if over {
            data.remove::<String>(typing);
        } else {
            data.insert_temp(typing, typed);
        }
    });
    if over {
        ui.memory_mut(|memory| memory.surrender_focus(typing.with("field")));
    }
}
