//! The head of the window: the rows of [`top_bar`], what the window looks like, how loud it is.

use egui::Ui;
use nice_plug::prelude::ParamSetter;

use super::top_bar::{self, Wish};
use super::{App, icons, look};
use crate::presets::library::categories;

const PANIC: &str = "Panic: silence everything";

impl App {
    /// Both rows; what was wished for is added to `wishes`.
    pub(super) fn head(&mut self, ui: &mut Ui, wishes: &mut Vec<Option<Wish>>) {
        let now = self.params.sound().patch;
        ui.horizontal(|ui| {
            ui.label(egui::RichText::new("Ictus").size(20.0).strong());
            wishes.push(top_bar::presets(ui, &self.params.session(), &now));
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                self.appearance(ui);
                let panic = egui::Button::new(format!("{} Panic", icons::STOP)).min_size(egui::vec2(0.0, 24.0));
                let panic = ui.add(panic);
                panic.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, PANIC));
                if panic.on_hover_text(PANIC).clicked() {
                    self.telemetry.ask_for_silence();
                }
            });
        });
        ui.horizontal(|ui| {
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                self.meter.show(ui, &self.telemetry);
                ui.with_layout(egui::Layout::left_to_right(egui::Align::Center), |ui| {
                    wishes.push(top_bar::steps(ui, &self.params.session(), &mut self.desk));
                });
            });
        });
    }

    /// Do what was wished for.
    pub(super) fn grant(&mut self, wish: Wish, setter: &ParamSetter) {
        match wish {
            Wish::Do(action) => self.desk.act(action, &self.params, setter),
            Wish::Browse => self.browser.toggle(&mut self.desk),
            Wish::Save => {
                self.desk.refresh();
                let known = categories(self.desk.entries());
                self.saving.ask(self.params.session().title(), known);
            }
            Wish::Hush => self.params.session().hush(),
        }
    }

    fn appearance(&mut self, ui: &mut Ui) {
        let look = self.extras.look();
        let (sign, name) = if look.light { (icons::MOON, "Dark theme") } else { (icons::SUN, "Light theme") };
        if icons::button(ui, sign, name).clicked() {
            self.extras.change_look(|look| look.light = !look.light);
        }
        let in_force = self.fit.zoom().min(look.zoom);
        let response = ui.menu_button(format!("{:.0} %", 100.0 * in_force), |ui| {
            for zoom in look::ZOOMS {
                if ui.selectable_label(zoom == look.zoom, format!("{:.0} %", 100.0 * zoom)).clicked() {
                    self.extras.change_look(|look| look.zoom = zoom);
                    ui.close();
                }
            }
        });
        let help = if in_force < look.zoom {
            format!("Zoom: the window has no room for {:.0} %", 100.0 * look.zoom)
        } else {
            "Zoom".to_string()
        };
        response.response.on_hover_text(help);
    }
}
