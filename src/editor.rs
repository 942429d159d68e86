//! The editor: sees parameters and telemetry, never a voice.

pub mod columns;
pub mod files;
pub mod keyboard;
pub mod knob;
pub mod meter;
pub mod pad;
pub mod theme;
pub mod tuning;

use std::sync::Arc;

use nice_plug::context::gui::GuiContext;
use nice_plug_egui::baseview::HandlerError;
use nice_plug_egui::{Frame, NiceEguiApp};

use crate::plugin::extras::Extras;
use crate::plugin::params::HostParams;
use crate::plugin::telemetry::Telemetry;
use files::Files;
use keyboard::Keyboard;
use meter::Meter;
use tuning::TuningRow;

/// Width and height of a fresh window, in logical pixels.
pub const SIZE: (f32, f32) = (1000.0, 690.0);
/// The window gets no smaller than this.
pub const MIN_SIZE: (f32, f32) = (640.0, 420.0);

/// What the window shows.
pub struct App {
    params: Arc<HostParams>,
    telemetry: Arc<Telemetry>,
    keyboard: Keyboard,
    meter: Meter,
    files: Files,
    tuning: TuningRow,
    host: Option<GuiContext>,
}

impl App {
    /// Not yet open.
    pub fn new(params: Arc<HostParams>, telemetry: Arc<Telemetry>, extras: Arc<Extras>) -> Self {
        let (keyboard, meter, tuning) = (Keyboard::default(), Meter::default(), TuningRow::new(extras.clone()));
        Self { params, telemetry, keyboard, meter, files: Files::new(extras), tuning, host: None }
    }
}

impl NiceEguiApp for App {
    fn build(&mut self, context: egui::Context, host: GuiContext, _frame: &mut Frame) -> Result<(), HandlerError> {
        theme::apply(&context);
        self.host = Some(host);
        Ok(())
    }

    fn ui(&mut self, ui: &mut egui::Ui, _frame: &mut Frame) {
        if let Some(host) = self.host.clone() {
            self.draw(ui, &host);
        }
    }
}

impl App {
    /// One frame of the window.
    pub fn draw(&mut self, ui: &mut egui::Ui, host: &GuiContext) {
        let setter = host.param_setter();
        egui::Panel::top("head").show(ui, |ui| {
            ui.horizontal(|ui| {
                ui.heading("Ictus");
                ui.label("things hitting things");
                ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                    self.meter.show(ui, &self.telemetry);
                });
            });
        });
        egui::Panel::bottom("keys").show(ui, |ui| self.keyboard.show(ui, &self.telemetry));
        egui::Panel::bottom("tuning").show(ui, |ui| self.tuning.show(ui));
        if Files::are_wanted(&self.params) {
            egui::Panel::bottom("files").show(ui, |ui| self.files.show(ui));
        }
        egui::CentralPanel::default().show(ui, |ui| {
            egui::ScrollArea::vertical().auto_shrink(false).show(ui, |ui| columns::show(ui, &self.params, &setter));
        });
        // Meters fall and keys light up without the host asking.
        ui.ctx().request_repaint_after(std::time::Duration::from_millis(33));
    }
}
