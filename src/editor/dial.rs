//! A round knob with its name and its value.
//!
//! Drag up or down to turn it, with shift in fine steps; the wheel turns it too; a double click
//! puts it back; click the value to type one. A thin arc outside shows how far modulation takes it,
//! and a dot where the host's holds it. A screen reader turns it in steps of the wheel, or sets it.

pub mod drawing;
pub mod text_entry;

use egui::accesskit::{Action, ActionData};
use egui::{CursorIcon, Rect, Response, Sense, Ui, WidgetInfo};
use nice_plug::prelude::ParamSetter;

use super::control::set_in_one_gesture;
use super::wheel::{self, Claim};
use crate::params::Spec;
use crate::shared_state::params::Slot;

/// Pixels from one end to the other.
const DRAG_PX: f32 = 180.0;
/// With shift it goes this much slower.
const FINE: f32 = 0.1;
/// One notch of the wheel turns it by this share.
const WHEEL_STEP: f32 = 0.02;

/// How one looks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum DialStyle<'a> {
    /// Round, with this name above and its value below.
    Round(&'a str),
    /// A flat bar with its value on it, for tables; its value is typed from the menu.
    Bar,
}

/// One about to be shown.
pub struct Dial<'a> {
    /// Which.
    pub spec: &'static Spec,
    /// Its parameter.
    pub slot: &'a Slot,
    /// The way to the host.
    pub setter: &'a ParamSetter<'a>,
    /// How far modulation may take it, in ways of the knob down and up.
    pub reach: (f64, f64),
    /// False for one that has no say as things are: it is drawn fainter, its words as they are.
    pub is_relevant: bool,
    /// How it looks.
    pub style: DialStyle<'a>,
}

impl Dial<'_> {
    /// Draw it, and turn it.
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
        let below = drawing::place_of_value(style, rect);
        if let Some(typed) = text_entry::typed(ui, response.id) {
            text_entry::show(ui, response.id, below, typed, slot, setter);
        } else {
            turn(ui, spec.id, slot, setter, &response);
            if response.double_clicked() {
                set_in_one_gesture(slot, setter, slot.default_position());
            } else if matches!(style, DialStyle::Round(_))
                && response.clicked_by(egui::PointerButton::Primary)
                && response.interact_pointer_pos().is_some_and(|at| below.contains(at))
            {
                // At once, so that it is ready for what is typed before the next frame.
                let typed = text_entry::begin(ui, response.id, slot);
                text_entry::show(ui, response.id, below, typed, slot, setter);
            }
        }
        if ui.is_rect_visible(rect) {
            let lit = response.hovered() || response.dragged() || response.has_focus();
            let value = text_entry::typed(ui, response.id).is_none().then_some(text.as_str());
            drawing::draw(ui, self, rect, lit, value);
        }
        response.on_hover_cursor(CursorIcon::ResizeVertical)
    }
}

/// What a screen reader asks for.
fn handle_accessibility(ui: &Ui, slot: &Slot, setter: &ParamSetter, id: egui::Id) {
    let (steps, wanted) = ui.input(|input| {
        let up = input.num_accesskit_action_requests(id, Action::Increment) as f32;
        let down = input.num_accesskit_action_requests(id, Action::Decrement) as f32;
        let wanted =
            input.accesskit_action_requests(id, Action::SetValue).find_map(|request| match request
                .data
            {
                Some(ActionData::NumericValue(value)) if value.is_finite() => Some(value as f32),
                _ => None,
            });
        (up - down, wanted)
    });
    if steps != 0.0 || wanted.is_some() {
        let position = wanted.unwrap_or(slot.position() + steps * step(slot));
        set_in_one_gesture(slot, setter, position.clamp(0.0, 1.0));
    }
}

/// What one notch of the wheel does.
fn step(slot: &Slot) -> f32 {
    slot.steps().map_or(WHEEL_STEP, |steps| (1.0 / steps as f32).max(WHEEL_STEP))
}

/// Follow the pointer from where the knob was when it was grabbed, or the wheel.
fn turn(ui: &Ui, id: &'static str, slot: &Slot, setter: &ParamSetter, response: &Response) {
    let memory = response.id.with("drag");
    let fine = if ui.input(|input| input.modifiers.shift) { FINE } else { 1.0 };
    if response.drag_started() {
        slot.begin(setter);
        let start = slot.position();
        ui.data_mut(|data| data.insert_temp(memory, start));
    }
    if response.dragged() {
        let delta = response.drag_delta();
        // Asked for beforehand: inside `data_mut` egui is locked, and asking it anything waits for
        // ever.
        let (moved, start) = ((delta.x - delta.y) / DRAG_PX * fine, slot.position());
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
    if response.hovered() && !response.dragged() {
        let claim = wheel::claim(ui, id);
        if claim == Claim::None {
            return;
        }
        // Taken from the page, which would scroll away under the pointer. Shift turns a wheel
        // sideways.
        let notches = ui.input_mut(|input| {
            let delta = input.smooth_scroll_delta();
            input.smooth_scroll_delta = egui::Vec2::ZERO;
            (if delta.y != 0.0 { delta.y } else { delta.x }) / 40.0
        });
        let start = slot.position();
        if claim == Claim::First {
            slot.begin(setter);
            ui.data_mut(|data| data.insert_temp(memory, start));
        }
        let step = if slot.steps().is_some() { step(slot) } else { fine * step(slot) };
        let position = ui.data_mut(|data| {
            let position = data.get_temp_mut_or(memory, start);
            *position = (*position + notches * step).clamp(0.0, 1.0);
            *position
        });
        if notches != 0.0 {
            slot.set(setter, position);
        }
    }
}
