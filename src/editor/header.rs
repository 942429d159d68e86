//! The head of the window: the rows of [`top_bar`], what the window looks like, how loud it is.

use egui::Ui;
use nice_plug::prelude::ParamSetter;

use super::top_bar::{self, Request};
use super::{App, icons, window_settings};
use crate::io::presets::library::categories;

const PANIC: &str = "Panic: silence everything";

impl App {
    /// Both rows; what was wished for is added to `requests`.
    pub(super) fn head(&mut self, ui: &mut Ui, requests: &mut Vec<Option<Request>>) {
        let now = self.params.sound().patch;
        ui.horizontal(|ui| {
            ui.label(egui::RichText::new("Ictus").size(20.0).strong());
            requests.push(top_bar::presets(ui, &self.params.session(), &now));
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                self.appearance(ui);
                let panic = egui::Button::new(format!("{} Panic", icons::STOP))
                    .min_size(egui::vec2(0.0, 24.0));
                let panic = ui.add(panic);
                panic.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, PANIC));
                if panic.on_hover_text(PANIC).clicked() {
                    self.telemetry.request_silence();
                }
            });
        });
        ui.horizontal(|ui| {
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                self.meter.show(ui, &self.telemetry);
                ui.with_layout(egui::Layout::left_to_right(egui::Align::Center), |ui| {
                    requests.push(top_bar::steps(
                        ui,
                        &self.params.session(),
                        &mut self.preset_actions,
                    ));
                });
            });
        });
    }

    /// Do what was wished for.
    pub(super) fn handle_request(&mut self, request: Request, setter: &ParamSetter) {
        match request {
            Request::Action(action) => self.preset_actions.perform(action, &self.params, setter),
            Request::Browse => self.browser.toggle(&mut self.preset_actions),
            Request::Save => {
                self.preset_actions.refresh();
                let known = categories(self.preset_actions.entries());
                self.save_dialog.open(self.params.session().title(), known);
            }
            Request::ClearMessage => self.params.session().clear_message(),
        }
    }

    fn appearance(&mut self, ui: &mut Ui) {
        let window_settings = self.extras.window_settings();
        let (sign, name) = if window_settings.light {
            (icons::MOON, "Dark theme")
        } else {
            (icons::SUN, "Light theme")
        };
        if icons::button(ui, sign, name).clicked() {
            self.extras.change_window_settings(|window_settings| {
                window_settings.light = !window_settings.light
            });
        }
        let in_force = self.fit.zoom().min(window_settings.zoom);
        let response = ui.menu_button(format!("{:.0} %", 100.0 * in_force), |ui| {
            for zoom in window_settings::ZOOMS {
                if ui
                    .selectable_label(
                        zoom == window_settings.zoom,
                        format!("{:.0} %", 100.0 * zoom),
                    )
                    .clicked()
                {
                    self.extras
                        .change_window_settings(|window_settings| window_settings.zoom = zoom);
                    ui.close();
                }
            }
        });
        let help = if in_force < window_settings.zoom {
            format!("Zoom: the window has no room for {:.0} %", 100.0 * window_settings.zoom)
        } else {
            "Zoom".to_string()
        };
        response.response.on_hover_text(help);
    }
}
