//! A round knob with its name and its value.
//!
//! Drag up or down to turn it, with shift in fine steps; the wheel turns it too; a double click puts it back; click the
//! value to type one. A thin arc outside shows how far modulation takes it, and a dot where the host's holds it.
//! A screen reader turns it in steps of the wheel, or sets it.

use std::f32::consts::PI;

use egui::accesskit::{Action, ActionData};
use egui::text::{CCursor, CCursorRange};
use egui::{
    Align2, CursorIcon, Key, Painter, Pos2, Rect, Response, Sense, Shape, Stroke, TextEdit, Ui, UiBuilder, WidgetInfo,
    vec2,
};
use nice_plug::prelude::ParamSetter;

use super::control::{CELL, set_at_once};
use super::theme::{self, Palette};
use super::wheel::{self, Claim};
use crate::patch::Spec;
use crate::plugin::params::Slot;

/// Pixels from one end to the other.
const TRAVEL: f32 = 180.0;
/// With shift it goes this much slower.
const FINE: f32 = 0.1;
/// One notch of the wheel turns it by this share.
const NOTCH: f32 = 0.02;
const RADIUS: f32 = 16.0;
/// How much is left of the picture of one that is not heard. Its words stay as legible as others.
const FAINT: f32 = 0.35;
/// The arc of the modulation lies this far out.
const OUTER: f32 = RADIUS + 3.5;
/// The arc begins and ends this far from straight down.
const OPENING: f32 = 0.25 * PI;

/// Draw one, and turn it.
/// `reach` is how far modulation may take it, in ways of the knob down and up.
/// `heard` is false for one that has no say as things are: it is drawn fainter, its words as they are.
pub fn show(
    ui: &mut Ui,
    spec: &'static Spec,
    slot: &Slot,
    setter: &ParamSetter,
    reach: (f64, f64),
    heard: bool,
) -> Response {
    let (rect, response) = ui.allocate_exact_size(CELL, Sense::click_and_drag());
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
        [Action::SetValue, Action::Increment, Action::Decrement].into_iter().for_each(|action| node.add_action(action));
    });
    heed_reader(ui, slot, setter, response.id);
    let typing = typing_id(response.id);
    let below = Rect::from_min_max(rect.left_bottom() - vec2(0.0, 18.0), rect.max);
    if let Some(typed) = ui.data(|data| data.get_temp::<String>(typing)) {
        type_in(ui, typing, below, typed, slot, setter);
    } else {
        turn(ui, spec.id, slot, setter, &response);
        if response.double_clicked() {
            set_at_once(slot, setter, slot.default_position());
        } else if response.clicked_by(egui::PointerButton::Primary)
            && response.interact_pointer_pos().is_some_and(|at| below.contains(at))
        {
            begin_typing(ui, response.id, slot);
        }
    }
    if ui.is_rect_visible(rect) {
        let lit = response.hovered() || response.dragged();
        draw(
            ui,
            rect,
            spec.name,
            (ui.data(|data| data.get_temp::<String>(typing)).is_none()).then_some(text),
            slot,
            reach,
            lit,
            heard,
        );
    }
    response.on_hover_cursor(CursorIcon::ResizeVertical)
}

fn typing_id(dial: egui::Id) -> egui::Id {
    dial.with("typing")
}

/// From the next frame on the value of this dial is typed.
pub fn begin_typing(ui: &Ui, dial: egui::Id, slot: &Slot) {
    let text = slot.text(slot.position());
    let all = text.chars().count();
    ui.data_mut(|data| data.insert_temp(typing_id(dial), text));
    // All of it is marked, so that what is typed takes its place.
    let mut state = egui::text_edit::TextEditState::default();
    state.cursor.set_char_range(Some(CCursorRange::two(CCursor::new(0), CCursor::new(all))));
    state.store(ui.ctx(), typing_id(dial).with("field"));
}

/// What a screen reader asks for.
fn heed_reader(ui: &Ui, slot: &Slot, setter: &ParamSetter, id: egui::Id) {
    let (steps, wanted) = ui.input(|input| {
        let up = input.num_accesskit_action_requests(id, Action::Increment) as f32;
        let down = input.num_accesskit_action_requests(id, Action::Decrement) as f32;
        let wanted = input.accesskit_action_requests(id, Action::SetValue).find_map(|request| match request.data {
            Some(ActionData::NumericValue(value)) if value.is_finite() => Some(value as f32),
            _ => None,
        });
        (up - down, wanted)
    });
    if steps != 0.0 || wanted.is_some() {
        let position = wanted.unwrap_or(slot.position() + steps * step(slot));
        set_at_once(slot, setter, position.clamp(0.0, 1.0));
    }
}

/// What one notch of the wheel does.
fn step(slot: &Slot) -> f32 {
    slot.steps().map_or(NOTCH, |steps| (1.0 / steps as f32).max(NOTCH))
}

fn type_in(ui: &mut Ui, typing: egui::Id, at: Rect, mut typed: String, slot: &Slot, setter: &ParamSetter) {
    let position = slot.position_of(&typed);
    let palette = theme::of(ui);
    let colour = if position.is_some() { palette.text } else { palette.warning };
    // In a place of its own: put into the row, it would move whatever comes after it.
    let mut place = ui.new_child(UiBuilder::new().max_rect(at));
    let field = TextEdit::singleline(&mut typed).id(typing.with("field")).font(theme::small()).text_color(colour);
    let field = place.add_sized(at.size(), field);
    field.request_focus();
    // What makes no sense stays, in another colour, until it does or is left.
    let entered = position.is_some() && ui.input(|input| input.key_pressed(Key::Enter));
    if entered && let Some(position) = position {
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
    if over {
        ui.memory_mut(|memory| memory.surrender_focus(typing.with("field")));
    }
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
        // Asked for beforehand: inside `data_mut` egui is locked, and asking it anything waits for ever.
        let (moved, start) = ((delta.x - delta.y) / TRAVEL * fine, slot.position());
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
        // Taken from the page, which would scroll away under the pointer. Shift turns a wheel sideways.
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

#[allow(clippy::too_many_arguments)] // One picture, and nothing of it belongs together elsewhere.
fn draw(
    ui: &Ui,
    rect: Rect,
    name: &str,
    value: Option<String>,
    slot: &Slot,
    reach: (f64, f64),
    lit: bool,
    heard: bool,
) {
    let (palette, painter) = (theme::of(ui), ui.painter());
    let faint = if heard { 1.0 } else { FAINT };
    let centre = rect.center_top() + vec2(0.0, 19.0 + RADIUS);
    write(painter, rect.center_top(), Align2::CENTER_TOP, &short(name), rect.width(), palette.quiet);
    if let Some(value) = value {
        let at = rect.center_bottom() - vec2(0.0, 2.0);
        write(
            painter,
            at,
            Align2::CENTER_BOTTOM,
            &value,
            rect.width(),
            if heard { palette.text } else { palette.quiet },
        );
    }
    let mut painter = painter.clone();
    painter.multiply_opacity(faint);
    let painter = &painter;
    arc(painter, centre, RADIUS, 0.0, 1.0, Stroke::new(3.5, palette.track));
    let (position, origin) = (slot.position(), origin(slot));
    let (low, high) = if position < origin { (position, origin) } else { (origin, position) };
    arc(painter, centre, RADIUS, low, high, Stroke::new(3.5, palette.accent));
    modulated(painter, centre, slot, reach, palette);
    painter.circle_filled(centre, RADIUS - 5.0, if lit { palette.track } else { palette.panel });
    let way = direction(position);
    painter.line_segment([centre + 5.0 * way, centre + (RADIUS - 5.0) * way], Stroke::new(2.0, palette.text));
}

/// How far modulation takes the knob, as a thin arc outside it, and a dot where the host's holds it.
fn modulated(painter: &Painter, centre: Pos2, slot: &Slot, (down, up): (f64, f64), palette: &Palette) {
    let (set, held) = (slot.position(), slot.modulated_position());
    let ends = [held + down as f32, held + up as f32].map(|end| end.clamp(0.0, 1.0));
    let (low, high) = (ends[0].min(set), ends[1].max(set));
    arc(painter, centre, OUTER, low, high, Stroke::new(2.0, palette.second));
    if (set - held).abs() > 1e-4 {
        painter.circle_filled(centre + OUTER * direction(held), 3.0, palette.second);
    }
}

/// Long words that many names begin with are cut short on the knob; the whole name is in the tooltip's title and menu.
fn short(name: &str) -> String {
    name.replace("Envelope", "Env").replace("External", "Ext").replace("Velocity to", "Vel to")
}

/// What does not fit is set in smaller letters.
fn write(painter: &Painter, at: Pos2, align: Align2, text: &str, width: f32, colour: egui::Color32) {
    let galley = painter.layout_no_wrap(text.to_string(), theme::small(), colour);
    if galley.size().x <= width {
        painter.galley(align.anchor_size(at, galley.size()).min, galley, colour);
    } else {
        let size = (theme::small().size * width / galley.size().x).max(8.0);
        painter.text(at + vec2(0.0, 1.0), align, text, egui::FontId::proportional(size), colour);
    }
}

/// Knobs whose middle means nothing happens fill from there.
fn origin(slot: &Slot) -> f32 {
    if (slot.default_position() - 0.5).abs() < 1e-6 && slot.text(0.0).starts_with('-') { 0.5 } else { 0.0 }
}

fn direction(position: f32) -> egui::Vec2 {
    let angle = 0.5 * PI + OPENING + position * (2.0 * PI - 2.0 * OPENING);
    vec2(angle.cos(), angle.sin())
}

/// Part of the circle, by positions of the knob.
pub fn arc(painter: &Painter, centre: Pos2, radius: f32, from: f32, to: f32, stroke: Stroke) {
    if to - from < 1e-4 {
        return;
    }
    let steps = ((to - from) * 48.0).ceil().max(2.0) as usize;
    let points =
        (0..=steps).map(|i| centre + radius * direction(from + (to - from) * i as f32 / steps as f32)).collect();
    painter.add(Shape::line(points, stroke));
}
