//! One parameter: its name, its value as text, and a bar to drag.
//!
//! Drag to set, with shift in fine steps; double-click for the default; click the value to type one.

use egui::{Align2, CursorIcon, FontId, Key, Rect, Response, Sense, TextEdit, Ui, WidgetInfo, vec2};
use nice_plug::prelude::ParamSetter;

use super::theme;
use crate::patch::{Kind, Spec};
use crate::plugin::params::Slot;

const HEIGHT: f32 = 30.0;
const BAR: f32 = 6.0;
/// Share of the range that one pixel moves with shift held.
const FINE: f32 = 0.0005;

/// Show the parameter in whatever form suits it.
pub fn show(ui: &mut Ui, spec: &Spec, slot: &Slot, setter: &ParamSetter) {
    let response = match spec.kind {
        Kind::Float { .. } | Kind::Whole { .. } => bar(ui, spec, slot, setter),
        Kind::Choice(names) => choice(ui, spec, names, slot, setter),
        Kind::Toggle => toggle(ui, spec, slot, setter),
    };
    response.on_hover_text(spec.help);
    ui.add_space(4.0);
}

fn set_at_once(slot: &Slot, setter: &ParamSetter, position: f32) {
    slot.begin(setter);
    slot.set(setter, position);
    slot.end(setter);
}

fn bar(ui: &mut Ui, spec: &Spec, slot: &Slot, setter: &ParamSetter) -> Response {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), HEIGHT), Sense::click_and_drag());
    let position = slot.position();
    let text = slot.text(position);
    response.widget_info(|| {
        let mut info = WidgetInfo::labeled(egui::Role::Slider, true, spec.name);
        info.value = Some(position.into());
        info.current_text_value = Some(text.clone());
        info
    });
    let track = Rect::from_min_max(egui::pos2(rect.left(), rect.bottom() - BAR), rect.max);
    let typing = ui.scope_id().with((spec.id, "typing"));
    if let Some(mut typed) = ui.data(|data| data.get_temp::<String>(typing)) {
        let field = ui.put(rect, TextEdit::singleline(&mut typed).id(typing.with("field")));
        field.request_focus();
        let entered = ui.input(|input| input.key_pressed(Key::Enter));
        if entered && let Some(position) = slot.position_of(&typed) {
            set_at_once(slot, setter, position);
        }
        let over = entered || ui.input(|input| input.key_pressed(Key::Escape)) || field.clicked_elsewhere();
        ui.data_mut(|data| {
            if over {
                data.remove::<String>(typing);
            } else {
                data.insert_temp(typing, typed);
            }
        });
        return response;
    }
    drag(ui, slot, setter, &response, rect.width());
    if response.double_clicked() {
        set_at_once(slot, setter, slot.default_position());
    } else if response.clicked_by(egui::PointerButton::Primary)
        && response.interact_pointer_pos().is_some_and(|at| at.y < track.top() && at.x > rect.center().x)
    {
        ui.data_mut(|data| data.insert_temp(typing, text.clone()));
    }
    let painter = ui.painter();
    painter.rect_filled(track, 3.0, theme::TRACK);
    let filled = Rect::from_min_size(track.min, vec2(track.width() * position, track.height()));
    painter.rect_filled(filled, 3.0, theme::ACCENT);
    let font = FontId::proportional(12.5);
    painter.text(rect.left_top(), Align2::LEFT_TOP, spec.name, font.clone(), theme::QUIET);
    painter.text(rect.right_top(), Align2::RIGHT_TOP, text, font, ui.visuals().text_color());
    response.on_hover_cursor(CursorIcon::ResizeHorizontal)
}

/// Follow the pointer from where the knob was when it was grabbed.
fn drag(ui: &Ui, slot: &Slot, setter: &ParamSetter, response: &Response, width: f32) {
    let memory = response.id.with("drag");
    if response.drag_started() {
        slot.begin(setter);
        let start = slot.position();
        ui.data_mut(|data| data.insert_temp(memory, start));
    }
    if response.dragged() {
        let per_pixel = if ui.input(|input| input.modifiers.shift) { FINE } else { 1.0 / width.max(1.0) };
        // Asked for beforehand: inside `data_mut` egui is locked, and asking it anything waits for ever.
        let (moved, start) = (response.drag_delta().x * per_pixel, slot.position());
        // Kept apart from the parameter, which may snap to steps and would never leave the first.
        let position = ui.data_mut(|data| {
            let position = data.get_temp_mut_or(memory, start);
            *position = (*position + moved).clamp(0.0, 1.0);
            *position
        });
        slot.set(setter, position);
    }
    if response.drag_stopped() {
        slot.end(setter);
    }
}

fn choice(ui: &mut Ui, spec: &Spec, names: &[&str], slot: &Slot, setter: &ParamSetter) -> Response {
    let last = (names.len() - 1).max(1) as f32;
    let chosen = (slot.position() * last).round() as usize;
    ui.label(egui::RichText::new(spec.name).size(12.5).color(theme::QUIET));
    egui::ComboBox::from_id_salt(spec.id)
        .width(ui.available_width())
        .selected_text(names.get(chosen).copied().unwrap_or("?"))
        .show_ui(ui, |ui| {
            for (index, name) in names.iter().enumerate() {
                if ui.selectable_label(index == chosen, *name).clicked() {
                    set_at_once(slot, setter, index as f32 / last);
                }
            }
        })
        .response
}

fn toggle(ui: &mut Ui, spec: &Spec, slot: &Slot, setter: &ParamSetter) -> Response {
    let mut on = slot.position() >= 0.5;
    let response = ui.checkbox(&mut on, spec.name);
    if response.changed() {
        set_at_once(slot, setter, on.into());
    }
    response
}
