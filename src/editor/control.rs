//! The control of a parameter: a dial, a list or a switch, by the parameter's kind.

pub mod grid;

use egui::{
    Align2, ComboBox, Rect, Response, RichText, Role, Sense, Stroke, StrokeKind, Ui, UiBuilder,
    Vec2, WidgetInfo, pos2, vec2,
};
use nice_plug::prelude::ParamSetter;

use super::dial::{self, Dial, DialStyle};
use super::theme;
use crate::editor::relevance::Relevance;
use crate::modulation::reach::reach;
use crate::params::{Group, Param, ParamKind, Patch, Spec};
use crate::shared_state::params::{HostParams, Slot};
pub use grid::CELL;
use grid::{LOW, MIDDLE, SPACE};

/// Opacity of irrelevant lists and switches: keeps a text contrast of 4.5 : 1.
pub const DIMMED: f32 = 0.9;
/// Margin of a list at both sides of its cell, points.
const INSET: f32 = 2.0;
/// Height of a closed list, points.
const LIST_HEIGHT: f32 = 22.0;
/// Size of a switch, points.
const SWITCH_SIZE: Vec2 = vec2(30.0, 16.0);

/// What controls share.
#[derive(Clone, Copy)]
pub struct Controls<'a> {
    /// The parameters.
    pub params: &'a HostParams,
    /// Sends changes to the host.
    pub setter: &'a ParamSetter<'a>,
    /// The current patch.
    pub patch: &'a Patch,
}

impl Controls<'_> {
    /// Whether a parameter is audible with the other parameters as they are.
    pub fn relevance(&self, param: Param) -> Relevance {
        crate::editor::relevance::relevance(param, |other| self.params.choice(other))
    }

    /// Begins a gesture on parameters.
    pub fn begin(&self, params: &[Param]) {
        params.iter().for_each(|param| self.params.slot(*param).begin(self.setter));
    }

    /// Sets a parameter to a position within a gesture.
    pub fn set(&self, param: Param, position: f32) {
        self.params.slot(param).set(self.setter, position);
    }

    /// Ends a gesture on parameters.
    pub fn end(&self, params: &[Param]) {
        params.iter().for_each(|param| self.params.slot(*param).end(self.setter));
    }

    /// Shows controls in rows over the available width. Irrelevant ones are dimmed; those of
    /// another gesture are left out.
    pub fn show_all(&self, ui: &mut Ui, params: &[Param]) {
        self.show_rows(ui, params, CELL.y);
    }

    /// Like [`show_all`](Self::show_all), with this height for rows with dials.
    pub fn show_rows(&self, ui: &mut Ui, params: &[Param], height: f32) {
        let named: Vec<_> = params.iter().map(|param| (*param, param.spec().name)).collect();
        self.show_named(ui, &named, height);
    }

    /// Like [`show_rows`](Self::show_rows), with other names. Screen readers get the usual ones.
    pub fn show_named(&self, ui: &mut Ui, params: &[(Param, &str)], height: f32) {
        let shown: Vec<_> = params
            .iter()
            .filter(|(param, _)| self.relevance(*param) != Relevance::Absent)
            .collect();
        let span = |(param, _): &&(Param, &str)| grid::span(&param.spec().kind);
        let spans: Vec<usize> = shown.iter().map(span).collect();
        ui.scope(|ui| {
            ui.spacing_mut().item_spacing = SPACE;
            for row in grid::rows(grid::columns(ui.available_width()), &spans) {
                let has_dials = shown[row.clone()].iter().any(|(param, _)| is_dial(*param));
                let height = if has_dials { height } else { LOW };
                let width = grid::width(spans[row.clone()].iter().sum());
                let (rect, _) = ui.allocate_exact_size(vec2(width, height), Sense::hover());
                let mut ui = ui.new_child(UiBuilder::new().max_rect(rect).id_salt("row"));
                grid::hide_clipped(&mut ui, rect);
                let mut first = 0;
                for index in row {
                    let (param, name) = shown[index];
                    self.show_in(&mut ui, grid::cell(rect, first, spans[index]), *param, name);
                    first += spans[index];
                }
            }
        });
    }

    /// Shows a control in its cell, with its name.
    fn show_in(&self, ui: &mut Ui, cell: Rect, param: Param, name: &str) {
        if is_dial(param) {
            self.show_bare(ui, cell, param, DialStyle::Round(name));
            return;
        }
        let is_list = matches!(param.spec().kind, ParamKind::Choice(_));
        let width = cell.width() - if is_list { 2.0 * INSET } else { 0.0 };
        // The name of a list is aligned with its left edge.
        let (at, align) = if is_list {
            (cell.left_top() + vec2(INSET, 0.0), Align2::LEFT_TOP)
        } else {
            (cell.center_top(), Align2::CENTER_TOP)
        };
        dial::drawing::write(ui.painter(), at, align, name, width, theme::of(ui).muted);
        let middle = if cell.height() > LOW {
            MIDDLE * cell.height() / CELL.y
        } else {
            LOW - 0.5 * LIST_HEIGHT - 2.0
        };
        let rect = Rect::from_center_size(
            pos2(cell.center().x, cell.top() + middle),
            vec2(width, LIST_HEIGHT),
        );
        self.show_bare(ui, rect, param, DialStyle::Bar);
    }

    /// Shows a control in `rect` without its name; a dial in this style.
    pub fn show_bare(&self, ui: &mut Ui, rect: Rect, param: Param, style: DialStyle) {
        let (spec, slot, setter, relevance) =
            (param.spec(), self.params.slot(param), self.setter, self.relevance(param));
        let mut ui = ui.new_child(UiBuilder::new().id_salt(spec.id).max_rect(rect));
        let is_relevant = relevance == Relevance::Heard;
        if !is_relevant && !is_dial(param) {
            ui.set_opacity(DIMMED * ui.opacity());
        }
        let response = match spec.kind {
            ParamKind::Float { .. } | ParamKind::Whole { .. } => {
                let reach = reach(self.patch, param);
                Dial { spec, slot, setter, reach, is_relevant, style }.show(&mut ui, rect)
            }
            ParamKind::Choice(names) => show_list(&mut ui, rect, spec, names, slot, setter),
            ParamKind::Toggle => show_switch(&mut ui, rect, spec, slot, setter),
        };
        show_menu(&response, param, self.params, setter);
        response.on_hover_ui(|ui| show_tooltip(ui, spec, slot, is_relevant));
    }
}

/// True if the parameter is shown as a dial.
fn is_dial(param: Param) -> bool {
    matches!(param.spec().kind, ParamKind::Float { .. } | ParamKind::Whole { .. })
}

/// Sets a parameter to a position, as one gesture.
pub fn set_in_one_gesture(slot: &Slot, setter: &ParamSetter, position: f32) {
    slot.begin(setter);
    slot.set(setter, position);
    slot.end(setter);
}

/// Shows the tooltip.
fn show_tooltip(ui: &mut Ui, spec: &Spec, slot: &Slot, is_relevant: bool) {
    ui.set_max_width(300.0);
    ui.label(RichText::new(format!("{}: {}", spec.name, slot.text(slot.position()))).strong());
    ui.label(spec.help);
    if !is_relevant {
        ui.label(theme::muted(ui, "Not heard with the other settings as they are."));
    }
}

/// Shows the context menu.
fn show_menu(response: &Response, param: Param, params: &HostParams, setter: &ParamSetter) {
    let (spec, slot) = (param.spec(), params.slot(param));
    // Needs its own id: the default is that of a list's drop-down, which the menu would then close
    // on the click that opens it.
    egui::Popup::context_menu(response).id(response.id.with("menu")).show(|ui| {
        ui.label(RichText::new(spec.name).strong());
        ui.label(format!("{}, allowed: {}", slot.text(slot.position()), spec.range_text()));
        if ui.button("Back to the default").clicked() {
            set_in_one_gesture(slot, setter, slot.default_position());
            ui.close();
        }
        if is_dial(param) && ui.button("Type a value").clicked() {
            dial::begin_text_entry(ui, response.id, slot);
            ui.close();
        }
        if ui.button("Copy the value").clicked() {
            ui.ctx().copy_text(slot.text(slot.position()));
            ui.close();
        }
        if let Some(host) = params.host().filter(|host| host.has_menu())
            && ui
                .button("Host menu…")
                .on_hover_text("Automation and modulation, as the host offers them.")
                .clicked()
        {
            let at = response.rect.center_bottom() * ui.ctx().pixels_per_point();
            host.open_menu(slot.as_ptr(), at.x as i32, at.y as i32);
            ui.close();
        }
    });
}

/// Shows a drop-down list in `rect`.
fn show_list(
    ui: &mut Ui,
    rect: Rect,
    spec: &Spec,
    names: &[&str],
    slot: &Slot,
    setter: &ParamSetter,
) -> Response {
    let last = (names.len() - 1).max(1) as f32;
    let selected = (slot.position() * last).round() as usize;
    let mut ui = ui.new_child(UiBuilder::new().id_salt("list").max_rect(rect));
    let response = ComboBox::from_id_salt(spec.id)
        .width(rect.width())
        .height(320.0)
        .truncate()
        .selected_text(RichText::new(names.get(selected).copied().unwrap_or("?")).size(12.0))
        .show_ui(&mut ui, |ui| {
            for (index, name) in names.iter().enumerate() {
                if ui.selectable_label(index == selected, *name).clicked() {
                    set_in_one_gesture(slot, setter, index as f32 / last);
                }
            }
        })
        .response;
    response.widget_info(|| {
        let mut info = WidgetInfo::labeled(Role::ComboBox, true, spec.name);
        info.current_text_value = names.get(selected).map(|name| name.to_string());
        info
    });
    response
}

/// Shows a switch in the middle of `rect`, which takes the clicks.
fn show_switch(
    ui: &mut Ui,
    rect: Rect,
    spec: &Spec,
    slot: &Slot,
    setter: &ParamSetter,
) -> Response {
    let is_on = slot.position() >= 0.5;
    let response = ui.interact(rect, ui.scope_id().with("switch"), Sense::click());
    response.widget_info(|| WidgetInfo::selected(Role::CheckBox, true, is_on, spec.name));
    if response.clicked() {
        set_in_one_gesture(slot, setter, (!is_on).into());
    }
    let (palette, painter) = (theme::of(ui), ui.painter());
    let track = Rect::from_center_size(rect.center(), SWITCH_SIZE);
    let radius = 0.5 * SWITCH_SIZE.y;
    let fill = if is_on { palette.accent } else { palette.track };
    painter.rect_filled(track, radius, fill);
    if response.has_focus() || response.hovered() {
        let edge = Stroke::new(1.0, palette.text);
        painter.rect_stroke(track, radius, edge, StrokeKind::Outside);
    }
    // The position alone shows the state, independently of colours.
    let offset = if is_on { 0.5 * SWITCH_SIZE.x - radius } else { radius - 0.5 * SWITCH_SIZE.x };
    let thumb = if is_on { palette.panel } else { palette.text };
    painter.circle_filled(track.center() + vec2(offset, 0.0), radius - 3.0, thumb);
    response
}

/// The parameters `first`, then all other parameters of `groups` in the order of the table, except
/// those shown elsewhere. A new parameter thus appears without a change here.
pub fn with_groups(first: &[Param], groups: &[Group], elsewhere: &[Param]) -> Vec<Param> {
    let is_other = |param: &Param| {
        groups.contains(&param.spec().group) && !first.contains(param) && !elsewhere.contains(param)
    };
    first.iter().copied().chain(Param::ALL.into_iter().filter(is_other)).collect()
}
