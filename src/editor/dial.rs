//! A dial with its name and its value.
//!
//! Drag up or down to turn it, with Shift in fine steps; the wheel turns it too; a double click
//! resets it; a click on the value opens a text field. A thin arc outside shows the range of the
//! modulation. Screen readers turn it in steps or set its position.

pub mod drawing;

use egui::accesskit::{Action, ActionData};
use egui::text::{CCursor, CCursorRange};
use egui::text_edit::TextEditState;
use egui::{CursorIcon, Key, Rect, Response, Sense, TextEdit, Ui, UiBuilder, WidgetInfo};
use nice_plug::prelude::ParamSetter;

use super::control::set_in_one_gesture;
use super::theme;
use super::wheel::{self, Claim};
use crate::params::Spec;
use crate::shared_state::params::Slot;

/// Length of a drag over the whole range, points.
const DRAG_PX: f32 = 180.0;
/// Factor of the speed while Shift is held.
const FINE: f32 = 0.1;
/// Change of the position per notch of the wheel.
const WHEEL_STEP: f32 = 0.02;

/// The style of a dial.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum DialStyle<'a> {
    /// Round, with this name above and the value below.
    Round(&'a str),
    /// A flat bar with the value on it, for tables; the text field opens from the menu.
    Bar,
}

/// A dial to be shown.
pub struct Dial<'a> {
    /// The parameter's row of the table.
    pub spec: &'static Spec,
    /// The parameter's value.
    pub slot: &'a Slot,
    /// Sends changes to the host.
    pub setter: &'a ParamSetter<'a>,
    /// Largest modulation down and up, as shares of the range.
    pub reach: (f64, f64),
    /// False if the parameter is inaudible at present: the dial is dimmed, its text is not.
    pub is_relevant: bool,
    /// The style.
    pub style: DialStyle<'a>,
}

impl Dial<'_> {
    /// Draws the dial and handles its input.
    pub fn show(&self, ui: &mut Ui, rect: Rect) -> Response {
        let Self { spec, slot, setter, style, .. } = *self;
        let response = ui.interact(rect, ui.scope_id().with("dial"), Sense::click_and_drag());
        let position = slot.position();
        let text = slot.text(position);
        response.widget_info(|| {
            let mut info = WidgetInfo::labeled(egui::Role::Slider, true, spec.name);
            info.value = Some(position.into());
            info.current_text_value = Some(text.clone());
            info
        });
        ui.ctx().accesskit_node_builder(response.id, |node| {
            node.set_min_numeric_value(0.0);
            node.set_max_numeric_value(1.0);
            let actions = [Action::SetValue, Action::Increment, Action::Decrement];
            actions.into_iter().for_each(|action| node.add_action(action));
        });
        handle_accessibility(ui, slot, setter, response.id);
        let value_rect = drawing::value_rect(style, rect);
        if let Some(typed) = typed_text(ui, response.id) {
            show_text_entry(ui, response.id, value_rect, typed, slot, setter);
        } else {
            handle_drag_and_wheel(ui, spec.id, slot, setter, &response);
            if response.double_clicked() {
                set_in_one_gesture(slot, setter, slot.default_position());
            } else if matches!(style, DialStyle::Round(_))
                && response.clicked_by(egui::PointerButton::Primary)
                && response.interact_pointer_pos().is_some_and(|at| value_rect.contains(at))
            {
                // Shown at once, so that it receives text that is typed before the next frame.
                let typed = begin_text_entry(ui, response.id, slot);
                show_text_entry(ui, response.id, value_rect, typed, slot, setter);
            }
        }
        if ui.is_rect_visible(rect) {
            let is_lit = response.hovered() || response.dragged() || response.has_focus();
            let value = typed_text(ui, response.id).is_none().then_some(text.as_str());
            drawing::draw(ui, self, rect, is_lit, value);
        }
        response.on_hover_cursor(CursorIcon::ResizeVertical)
    }
}

/// Handles the actions of a screen reader.
fn handle_accessibility(ui: &Ui, slot: &Slot, setter: &ParamSetter, id: egui::Id) {
    let (steps, target) = ui.input(|input| {
        let up = input.num_accesskit_action_requests(id, Action::Increment) as f32;
        let down = input.num_accesskit_action_requests(id, Action::Decrement) as f32;
        let target =
            input.accesskit_action_requests(id, Action::SetValue).find_map(|request| match request
                .data
            {
                Some(ActionData::NumericValue(value)) if value.is_finite() => Some(value as f32),
                _ => None,
            });
        (up - down, target)
    });
    if steps != 0.0 || target.is_some() {
        let position = target.unwrap_or(slot.position() + steps * step(slot));
        set_in_one_gesture(slot, setter, position.clamp(0.0, 1.0));
    }
}

/// Change of the position per notch of the wheel: at least one step of a stepped parameter.
fn step(slot: &Slot) -> f32 {
    slot.steps().map_or(WHEEL_STEP, |steps| (1.0 / steps as f32).max(WHEEL_STEP))
}

/// Turns the dial by a drag or by the wheel.
fn handle_drag_and_wheel(
    ui: &Ui,
    id: &'static str,
    slot: &Slot,
    setter: &ParamSetter,
    response: &Response,
) {
    let memory = response.id.with("drag");
    let fine = if ui.input(|input| input.modifiers.shift) { FINE } else { 1.0 };
    // `slot` is read before `data_mut`, which locks egui: a nested access would deadlock.
    let begin = || {
        slot.begin(setter);
        let start = slot.position();
        ui.data_mut(|data| data.insert_temp(memory, start));
    };
    // The exact position is kept apart from the parameter, which may be quantised to steps.
    let turn_by = |change: f32| {
        let start = slot.position();
        let position = ui.data_mut(|data| {
            let position = data.get_temp_mut_or(memory, start);
            *position = (*position + change).clamp(0.0, 1.0);
            *position
        });
        slot.set(setter, position);
    };
    if response.drag_started() {
        begin();
    }
    if response.dragged() {
        let delta = response.drag_delta();
        turn_by((delta.x - delta.y) / DRAG_PX * fine);
    }
    if response.drag_stopped() {
        slot.end(setter);
    }
    if response.hovered() && !response.dragged() {
        let claim = wheel::claim(ui, id);
        if claim == Claim::None {
            return;
        }
        // Consumed, so that the page does not scroll. With Shift the delta is horizontal.
        let notches = ui.input_mut(|input| {
            let delta = input.smooth_scroll_delta();
            input.smooth_scroll_delta = egui::Vec2::ZERO;
            (if delta.y != 0.0 { delta.y } else { delta.x }) / 40.0
        });
        if claim == Claim::First {
            begin();
        }
        let step = if slot.steps().is_some() { step(slot) } else { fine * step(slot) };
        if notches != 0.0 {
            turn_by(notches * step);
        }
    }
}

/// The id of a dial's text field.
fn text_entry_id(dial: egui::Id) -> egui::Id {
    dial.with("typing")
}

/// Opens a dial's text field, and returns its initial text.
pub fn begin_text_entry(ui: &Ui, dial: egui::Id, slot: &Slot) -> String {
    let text = slot.text(slot.position());
    ui.data_mut(|data| data.insert_temp(text_entry_id(dial), text.clone()));
    text
}

/// The text of a dial's text field, if it is open.
fn typed_text(ui: &Ui, dial: egui::Id) -> Option<String> {
    ui.data(|data| data.get_temp(text_entry_id(dial)))
}

/// Shows a dial's text field.
fn show_text_entry(
    ui: &mut Ui,
    dial: egui::Id,
    rect: Rect,
    mut typed: String,
    slot: &Slot,
    setter: &ParamSetter,
) {
    let id = text_entry_id(dial);
    let palette = theme::of(ui);
    let colour = if slot.position_of(&typed).is_some() { palette.text } else { palette.warning };
    // In its own region, so that it does not move the following widgets.
    let mut ui = ui.new_child(UiBuilder::new().max_rect(rect));
    let is_new = !ui.memory(|memory| memory.has_focus(id.with("field")));
    let field = TextEdit::singleline(&mut typed)
        .id(id.with("field"))
        .font(theme::small())
        .text_color(colour);
    let field = ui.add_sized(rect.size(), field);
    field.request_focus();
    if is_new {
        // Selects the whole text, now that the field has the focus.
        let all = CCursorRange::two(CCursor::new(0), CCursor::new(typed.chars().count()));
        let mut state = TextEditState::load(ui.ctx(), field.id).unwrap_or_default();
        state.cursor.set_char_range(Some(all));
        state.store(ui.ctx(), field.id);
    }
    // Parses the current text, because the last letters and Enter may arrive in the same frame.
    // Invalid text stays, in the warning colour.
    let pressed = |key| !is_new && ui.input(|input| input.key_pressed(key));
    let position = slot.position_of(&typed).filter(|_| pressed(Key::Enter));
    let entered = position.is_some();
    if let Some(position) = position {
        set_in_one_gesture(slot, setter, position);
    }
    let is_done = entered || pressed(Key::Escape) || !is_new && field.clicked_elsewhere();
    ui.data_mut(|data| {
        if is_done {
            data.remove::<String>(id);
        } else {
            data.insert_temp(id, typed);
        }
    });
    if is_done {
        ui.memory_mut(|memory| memory.surrender_focus(id.with("field")));
    }
}
