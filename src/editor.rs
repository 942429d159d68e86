//! The editor: sees parameters and telemetry, never a voice.

pub mod browser;
pub mod columns;
pub mod desk;
pub mod files;
pub mod keyboard;
pub mod knob;
pub mod meter;
pub mod pad;
pub mod saving;
pub mod theme;
pub mod top_bar;

use std::sync::Arc;

use nice_plug::context::gui::GuiContext;
use nice_plug_egui::baseview::HandlerError;
use nice_plug_egui::{Frame, NiceEguiApp};

use crate::plugin::extras::Extras;
use crate::plugin::params::HostParams;
use crate::plugin::telemetry::Telemetry;
use crate::presets::Library;
use browser::Browser;
use desk::{Action, Desk};
use files::Files;
use keyboard::Keyboard;
use meter::Meter;
use saving::Saving;
use top_bar::Wish;

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
    desk: Desk,
    browser: Browser,
    saving: Saving,
    host: Option<GuiContext>,
}

impl App {
    /// Not yet open.
    pub fn new(params: Arc<HostParams>, telemetry: Arc<Telemetry>, extras: Arc<Extras>) -> Self {
        let (keyboard, meter, files) = (Keyboard::default(), Meter::default(), Files::new(extras));
        let desk = Desk::new(Library::default());
        let (browser, saving) = (Browser::default(), Saving::default());
        Self { params, telemetry, keyboard, meter, files, desk, browser, saving, host: None }
    }

    /// The same with presets from elsewhere.
    pub fn with_library(self, library: Library) -> Self {
        Self { desk: Desk::new(library), ..self }
    }
}

impl NiceEguiApp for App {
    fn build(&mut self, context: egui::Context, host: GuiContext, _frame: &mut Frame) -> Result<(), HandlerError> {
        theme::apply(&context);
        self.host = Some(host);
        // No two windows throw the same dice.
        let since = std::time::SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default();
        self.params.session().set_seed(since.as_nanos() as u64);
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
        self.params.session().follow(self.params.take_edits());
        let mut wishes = vec![shortcut(ui)];
        egui::Panel::top("head").show(ui, |ui| {
            let now = self.params.sound().patch;
            ui.horizontal(|ui| {
                ui.heading("Ictus");
                wishes.push(top_bar::presets(ui, &self.params.session(), &now));
                ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                    self.meter.show(ui, &self.telemetry);
                });
            });
            ui.horizontal(|ui| wishes.push(top_bar::steps(ui, &self.params.session(), &mut self.desk)));
        });
        wishes.push(self.browser.show(ui.ctx(), &mut self.desk).map(Wish::Do));
        wishes.push(self.saving.show(ui.ctx()).map(Wish::Do));
        for wish in wishes.into_iter().flatten() {
            match wish {
                Wish::Do(action) => self.desk.act(action, &self.params, &setter),
                Wish::Browse => self.browser.toggle(&mut self.desk),
                Wish::Save => self.saving.ask(self.params.session().title()),
                Wish::Hush => self.params.session().hush(),
            }
        }
        egui::Panel::bottom("keys").show(ui, |ui| self.keyboard.show(ui, &self.telemetry));
        if Files::are_wanted(&self.params) {
            let before = self.params.extras().all();
            egui::Panel::bottom("files").show(ui, |ui| self.files.show(ui));
            let after = self.params.extras().all();
            let extras = (before != after).then_some((before, after));
            self.params.session().record_extras(extras);
        }
        egui::CentralPanel::default().show(ui, |ui| {
            egui::ScrollArea::vertical().auto_shrink(false).show(ui, |ui| columns::show(ui, &self.params, &setter));
        });
        // Meters fall and keys light up without the host asking.
        ui.ctx().request_repaint_after(std::time::Duration::from_millis(33));
    }
}

/// Steps back and forth by the usual keys, while nobody is typing.
fn shortcut(ui: &egui::Ui) -> Option<Wish> {
    if ui.ctx().egui_wants_keyboard_input() {
        return None;
    }
    let pressed = |modifiers, key| ui.input_mut(|input| input.consume_key(modifiers, key));
    let (command, shift) = (egui::Modifiers::COMMAND, egui::Modifiers::SHIFT);
    // The longer one first: a shortcut also matches when more keys are held.
    if pressed(command | shift, egui::Key::Z) || pressed(command, egui::Key::Y) {
        return Some(Wish::Do(Action::Redo));
    }
    pressed(command, egui::Key::Z).then_some(Wish::Do(Action::Undo))
}
