//! A parameter with a few named values: a list that drops down.

use egui::{Rect, Response, RichText, Ui, UiBuilder};
use nice_plug::prelude::ParamSetter;

use super::set_in_one_gesture;
use crate::params::Spec;
use crate::shared_state::params::Slot;

/// Height of the closed list.
pub const HEIGHT: f32 = 22.0;

/// Draw it in `at`, without its name.
pub fn show(
    ui: &mut Ui,
    at: Rect,
    spec: &Spec,
    names: &[&str],
    slot: &Slot,
    setter: &ParamSetter,
) -> Response {
    let last = (names.len() - 1).max(1) as f32;
    let chosen = (slot.position() * last).round() as usize;
    let mut place = ui.new_child(UiBuilder::new().id_salt("list").max_rect(at));
    let response = egui::ComboBox::from_id_salt(spec.id)
        .width(at.width())
        .height(320.0)
        .truncate()
        .selected_text(RichText::new(names.get(chosen).copied().unwrap_or("?")).size(12.0))
        .show_ui(&mut place, |ui| {
            for (index, name) in names.iter().enumerate() {
                if ui.selectable_label(index == chosen, *name).clicked() {
                    set_in_one_gesture(slot, setter, index as f32 / last);
                }
            }
        })
        .response;
    response.widget_info(|| {
        let mut info = egui::WidgetInfo::labeled(egui::Role::ComboBox, true, spec.name);
        info.current_text_value = names.get(chosen).map(|name| name.to_string());
        info
    });
    response
}
