//! One parameter in the form that suits it: a dial, a list or a switch.

use egui::{Response, Ui, vec2};
use nice_plug::prelude::ParamSetter;

use super::{dial, theme};
use crate::modulation::reach::reach;
use crate::patch::relevance::Say;
use crate::patch::{Kind, Param, Patch, Spec};
use crate::plugin::params::{HostParams, Slot};

/// Room of one dial.
pub const CELL: egui::Vec2 = vec2(62.0, 74.0);

/// Lists and switches that are not heard: just so much fainter that words stand out by 4.5 : 1.
pub const DIMMED: f32 = 0.9;

/// What a control needs to know besides its parameter.
#[derive(Clone, Copy)]
pub struct Board<'a> {
    /// The parameters.
    pub params: &'a HostParams,
    /// The way to the host.
    pub setter: &'a ParamSetter<'a>,
    /// The sound as it is played now.
    pub patch: &'a Patch,
}

impl Board<'_> {
    /// Whether a parameter can be heard as things are.
    pub fn say(&self, param: Param) -> Say {
        crate::patch::relevance::say(param, |other| self.params.choice(other))
    }

    /// Show a parameter, dimmed if it has no say, or nothing if it belongs to another gesture.
    pub fn show(&self, ui: &mut Ui, param: Param) {
        let say = self.say(param);
        if say == Say::Absent {
            return;
        }
        // Not in a scope: that would take the rest of the row, and nothing would wrap.
        let before = ui.opacity();
        if say == Say::Silent && matches!(param.spec().kind, Kind::Choice(_) | Kind::Toggle) {
            ui.set_opacity(DIMMED * before);
        }
        self.show_one(ui, param, say == Say::Heard);
        ui.set_opacity(before);
    }

    fn show_one(&self, ui: &mut Ui, param: Param, heard: bool) {
        let (spec, slot, setter) = (param.spec(), self.params.slot(param), self.setter);
        let response = match spec.kind {
            Kind::Float { .. } | Kind::Whole { .. } => {
                dial::show(ui, spec, slot, setter, reach(self.patch, param), heard)
            }
            Kind::Choice(names) => choice(ui, spec, names, slot, setter),
            Kind::Toggle => toggle(ui, spec, slot, setter),
        };
        menu(&response, spec, slot, setter);
        response.on_hover_text(spec.help);
    }

    /// Show several, in rows as wide as there is room.
    pub fn show_all(&self, ui: &mut Ui, params: &[Param]) {
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing = vec2(2.0, 4.0);
            for param in params {
                self.show(ui, *param);
            }
        });
    }
}

/// Put a parameter at a position in one go, as a whole gesture.
pub fn set_at_once(slot: &Slot, setter: &ParamSetter, position: f32) {
    slot.begin(setter);
    slot.set(setter, position);
    slot.end(setter);
}

/// What the other mouse button offers.
fn menu(response: &Response, spec: &Spec, slot: &Slot, setter: &ParamSetter) {
    // Under a name of its own: by default it has that of a list's drop-down, and would close it at the very click that
    // opens it.
    egui::Popup::context_menu(response).id(response.id.with("menu")).show(|ui| {
        ui.label(egui::RichText::new(spec.name).strong());
        ui.label(format!("{}, allowed: {}", slot.text(slot.position()), spec.range_text()));
        if ui.button("Back to the default").clicked() {
            set_at_once(slot, setter, slot.default_position());
            ui.close();
        }
        if matches!(spec.kind, Kind::Float { .. } | Kind::Whole { .. }) && ui.button("Type a value").clicked() {
            dial::begin_typing(ui, response.id, slot);
            ui.close();
        }
        if ui.button("Copy the value").clicked() {
            ui.ctx().copy_text(slot.text(slot.position()));
            ui.close();
        }
    });
}

fn choice(ui: &mut Ui, spec: &Spec, names: &[&str], slot: &Slot, setter: &ParamSetter) -> Response {
    let last = (names.len() - 1).max(1) as f32;
    let chosen = (slot.position() * last).round() as usize;
    let width = 2.0 * CELL.x - 4.0;
    ui.allocate_ui_with_layout(vec2(width, CELL.y), egui::Layout::top_down(egui::Align::Min), |ui| {
        ui.set_min_size(vec2(width, 46.0));
        ui.label(egui::RichText::new(spec.name).font(theme::small()).color(theme::of(ui).quiet));
        let response = egui::ComboBox::from_id_salt(spec.id)
            .width(width)
            .height(320.0)
            .truncate()
            .selected_text(egui::RichText::new(names.get(chosen).copied().unwrap_or("?")).size(12.0))
            .show_ui(ui, |ui| {
                for (index, name) in names.iter().enumerate() {
                    if ui.selectable_label(index == chosen, *name).clicked() {
                        set_at_once(slot, setter, index as f32 / last);
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
    })
    .inner
}

fn toggle(ui: &mut Ui, spec: &Spec, slot: &Slot, setter: &ParamSetter) -> Response {
    let mut on = slot.position() >= 0.5;
    let response = ui
        .allocate_ui_with_layout(vec2(1.6 * CELL.x, 46.0), egui::Layout::left_to_right(egui::Align::Center), |ui| {
            ui.checkbox(&mut on, egui::RichText::new(spec.name).font(theme::small()))
        })
        .inner;
    if response.changed() {
        set_at_once(slot, setter, on.into());
    }
    response
}
