//! One parameter in the form that suits it: a dial, a list or a switch.

pub mod grid;
mod list;
mod switch;

use egui::{Align2, Rect, Response, RichText, Sense, Ui, UiBuilder, pos2, vec2};
use nice_plug::prelude::ParamSetter;

use super::dial::{self, Dial, DialStyle};
use super::theme;
use crate::modulation::reach::reach;
use crate::editor::relevance::Relevance;
use crate::params::{Param, ParamKind, Patch, Spec};
use crate::shared_state::params::{HostParams, Slot};
pub use grid::CELL;
use grid::{LOW, MIDDLE, SPACE};

/// Lists and switches that are not heard: just so much fainter that words stand out by 4.5 : 1.
pub const DIMMED: f32 = 0.9;
/// A list is so much narrower than its cell on either side.
const INSET: f32 = 2.0;

/// What a control needs to know besides its parameter.
#[derive(Clone, Copy)]
pub struct Controls<'a> {
    /// The parameters.
    pub params: &'a HostParams,
    /// The way to the host.
    pub setter: &'a ParamSetter<'a>,
    /// The sound as it is played now.
    pub patch: &'a Patch,
}

impl Controls<'_> {
    /// Whether a parameter can be heard as things are.
    pub fn relevance(&self, param: Param) -> Relevance {
        crate::editor::relevance::relevance(param, |other| self.params.choice(other))
    }

    /// Show several in rows as wide as there is room, dimmed where they have no say, without those
    /// that belong to another gesture.
    pub fn show_all(&self, ui: &mut Ui, params: &[Param]) {
        self.show_rows(ui, params, CELL.y);
    }

    /// The same in rows of this height where they have dials.
    pub fn show_rows(&self, ui: &mut Ui, params: &[Param], height: f32) {
        let named: Vec<_> = params.iter().map(|param| (*param, param.spec().name)).collect();
        self.show_named(ui, &named, height);
    }

    /// The same under names of the page's own; tests and screen readers know them by their usual
    /// ones.
    pub fn show_named(&self, ui: &mut Ui, params: &[(Param, &str)], tall: f32) {
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
                let height = if has_dials { tall } else { LOW };
                let wide = grid::width(spans[row.clone()].iter().sum());
                let (place, _) = ui.allocate_exact_size(vec2(wide, height), Sense::hover());
                let mut ui = ui.new_child(UiBuilder::new().max_rect(place).id_salt("row"));
                grid::hide_clipped(&mut ui, place);
                let mut first = 0;
                for index in row {
                    let (param, name) = shown[index];
                    self.show_in(&mut ui, grid::cell(place, first, spans[index]), *param, name);
                    first += spans[index];
                }
            }
        });
    }

    /// One in its cell, with its name.
    fn show_in(&self, ui: &mut Ui, cell: Rect, param: Param, name: &str) {
        if is_dial(param) {
            self.show_bare(ui, cell, param, DialStyle::Round(name));
            return;
        }
        let is_list = matches!(param.spec().kind, ParamKind::Choice(_));
        let wide = cell.width() - if is_list { 2.0 * INSET } else { 0.0 };
        // The name of a list begins where the list does.
        let (at, align) = if is_list {
            (cell.left_top() + vec2(INSET, 0.0), Align2::LEFT_TOP)
        } else {
            (cell.center_top(), Align2::CENTER_TOP)
        };
        dial::drawing::write(ui.painter(), at, align, name, wide, theme::of(ui).muted);
        let middle = if cell.height() > LOW {
            MIDDLE * cell.height() / CELL.y
        } else {
            LOW - 0.5 * list::HEIGHT - 2.0
        };
        let place = Rect::from_center_size(
            pos2(cell.center().x, cell.top() + middle),
            vec2(wide, list::HEIGHT),
        );
        self.show_bare(ui, place, param, DialStyle::Bar);
    }

    /// One without its name, in `at`; a dial with this face.
    pub fn show_bare(&self, ui: &mut Ui, at: Rect, param: Param, style: DialStyle) {
        let (spec, slot, setter, say) =
            (param.spec(), self.params.slot(param), self.setter, self.relevance(param));
        let mut place = ui.new_child(UiBuilder::new().id_salt(spec.id).max_rect(at));
        let is_relevant = say == Relevance::Heard;
        if !is_relevant && !is_dial(param) {
            place.set_opacity(DIMMED * place.opacity());
        }
        let response = match spec.kind {
            ParamKind::Float { .. } | ParamKind::Whole { .. } => {
                let reach = reach(self.patch, param);
                Dial { spec, slot, setter, reach, is_relevant, style }.show(&mut place, at)
            }
            ParamKind::Choice(names) => list::show(&mut place, at, spec, names, slot, setter),
            ParamKind::Toggle => switch::show(&mut place, at, spec, slot, setter),
        };
        menu(&response, param, self.params, setter);
        response.on_hover_ui(|ui| explain(ui, spec, slot, is_relevant));
    }
}

/// Whether it is shown as a dial.
fn is_dial(param: Param) -> bool {
    matches!(param.spec().kind, ParamKind::Float { .. } | ParamKind::Whole { .. })
}

/// Put a parameter at a position in one go, as a whole gesture.
pub fn set_in_one_gesture(slot: &Slot, setter: &ParamSetter, position: f32) {
    slot.begin(setter);
    slot.set(setter, position);
    slot.end(setter);
}

/// What a pointer that rests on it is told.
fn explain(ui: &mut Ui, spec: &Spec, slot: &Slot, is_relevant: bool) {
    ui.set_max_width(300.0);
    ui.label(RichText::new(format!("{}: {}", spec.name, slot.text(slot.position()))).strong());
    ui.label(spec.help);
    if !is_relevant {
        ui.label(
            RichText::new("Not heard with the other settings as they are.")
                .color(theme::of(ui).muted),
        );
    }
}

/// What the other mouse button offers.
fn menu(response: &Response, param: Param, params: &HostParams, setter: &ParamSetter) {
    let (spec, slot) = (param.spec(), params.slot(param));
    // Under a name of its own: by default it has that of a list's drop-down, and would close it at
    // the very click that opens it.
    egui::Popup::context_menu(response).id(response.id.with("menu")).show(|ui| {
        ui.label(RichText::new(spec.name).strong());
        ui.label(format!("{}, allowed: {}", slot.text(slot.position()), spec.range_text()));
        if ui.button("Back to the default").clicked() {
            set_in_one_gesture(slot, setter, slot.default_position());
            ui.close();
        }
        if matches!(spec.kind, ParamKind::Float { .. } | ParamKind::Whole { .. })
            && ui.button("Type a value").clicked()
        {
            dial::text_entry::begin(ui, response.id, slot);
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
