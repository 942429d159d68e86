//! The editor: sees parameters and telemetry, never a voice.

pub mod chart;
pub mod control;
pub mod dial;
pub mod files;
pub mod icons;
pub mod keyboard;
pub mod look;
pub mod meter;
pub mod pad;
pub mod physics;
pub mod scene;
pub mod spectrum;
pub mod tabs;
pub mod theme;

use std::sync::Arc;

use egui::{Frame as Box_, Margin, Ui};
use nice_plug::context::gui::GuiContext;
use nice_plug_egui::baseview::{HandlerError, WindowSize};
use nice_plug_egui::{Frame, NiceEguiApp};

use crate::patch::Param;
use crate::plugin::extras::Extras;
use crate::plugin::params::HostParams;
use crate::plugin::telemetry::Telemetry;
use crate::view::View;
use control::Desk;
use files::Files;
use keyboard::Keyboard;
use look::Look;
use meter::Meter;
use scene::Scene;
use spectrum::Modes;
use tabs::Tabs;

/// Width and height of a fresh window, in logical pixels.
pub const SIZE: (f32, f32) = (1000.0, 680.0);
/// The window gets no smaller than this.
pub const MIN_SIZE: (f32, f32) = (760.0, 540.0);

/// The least that is repainted while nothing moves, s: meters fall and keys light up without the host asking.
const IDLE_S: f32 = 0.2;
/// And while something sounds.
const LIVELY_S: f32 = 1.0 / 30.0;

/// What the window shows.
pub struct App {
    params: Arc<HostParams>,
    telemetry: Arc<Telemetry>,
    extras: Arc<Extras>,
    keyboard: Keyboard,
    meter: Meter,
    files: Files,
    scene: Scene,
    modes: Modes,
    tabs: Tabs,
    view: View,
    shown: Option<Look>,
    host: Option<GuiContext>,
}

impl App {
    /// Not yet open.
    pub fn new(params: Arc<HostParams>, telemetry: Arc<Telemetry>, extras: Arc<Extras>) -> Self {
        Self {
            keyboard: Keyboard::default(),
            meter: Meter::default(),
            files: Files::new(extras.clone()),
            scene: Scene::default(),
            modes: Modes::default(),
            tabs: Tabs::default(),
            view: View::default(),
            shown: None,
            host: None,
            params,
            telemetry,
            extras,
        }
    }
}

impl NiceEguiApp for App {
    fn build(&mut self, context: egui::Context, host: GuiContext, _frame: &mut Frame) -> Result<(), HandlerError> {
        theme::set_fonts(&context);
        let look = self.extras.look();
        if look != Look::default() {
            context.send_viewport_cmd(egui::ViewportCommand::InnerSize(egui::vec2(look.width, look.height)));
        }
        self.shown = None;
        self.host = Some(host);
        Ok(())
    }

    fn ui(&mut self, ui: &mut Ui, _frame: &mut Frame) {
        if let Some(host) = self.host.clone() {
            self.draw(ui, &host);
        }
    }

    fn resized(&mut self, size: WindowSize) {
        self.extras.change_look(|look| {
            (look.width, look.height) = (size.logical.width as f32, size.logical.height as f32);
        });
    }
}

impl App {
    /// One frame of the window.
    pub fn draw(&mut self, ui: &mut Ui, host: &GuiContext) {
        self.put_on_look(ui.ctx());
        if let Some(view) = self.telemetry.take_view() {
            self.view = view;
        }
        let setter = host.param_setter();
        let params = self.params.clone();
        let desk = Desk { params: &params, setter: &setter };
        let margin = Box_::NONE.fill(theme::of(ui).ground).inner_margin(Margin::symmetric(8, 5));
        egui::Panel::top("head").frame(margin).show(ui, |ui| self.head(ui));
        egui::Panel::bottom("keys").frame(margin).show(ui, |ui| self.keyboard.show(ui, &self.telemetry, self.view.keys));
        if Files::are_wanted(&self.params) {
            egui::Panel::bottom("files").frame(margin).show(ui, |ui| self.files.show(ui));
        }
        let tall = (0.36 * ui.available_height()).max(214.0);
        egui::Panel::bottom("tabs").frame(margin).exact_size(tall).show(ui, |ui| {
            self.tabs.show(ui, &desk, &self.telemetry);
        });
        egui::Panel::left("striker").frame(margin).exact_size(208.0).resizable(false).show(ui, |ui| {
            striker(ui, &desk);
        });
        let list = self.extras.list();
        egui::Panel::right("body").frame(margin).exact_size(214.0).resizable(false).show(ui, |ui| {
            body(ui, &desk, &mut self.modes, &list);
        });
        egui::CentralPanel::default().frame(margin).show(ui, |ui| {
            self.scene.show(ui, &desk, &self.telemetry, &self.view, &list);
        });
        let lively = self.view.voice.is_some() || self.telemetry.voices() > 0;
        ui.ctx().request_repaint_after_secs(if lively { LIVELY_S } else { IDLE_S });
    }

    fn head(&mut self, ui: &mut Ui) {
        ui.horizontal(|ui| {
            ui.label(egui::RichText::new("Ictus").size(20.0).strong());
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                self.appearance(ui);
                if icons::button(ui, icons::STOP, "Panic: silence everything").clicked() {
                    self.telemetry.ask_for_silence();
                }
                self.meter.show(ui, &self.telemetry);
            });
        });
    }

    fn appearance(&mut self, ui: &mut Ui) {
        let look = self.extras.look();
        let (sign, name) = if look.light { (icons::MOON, "Dark theme") } else { (icons::SUN, "Light theme") };
        if icons::button(ui, sign, name).clicked() {
            self.extras.change_look(|look| look.light = !look.light);
        }
        let response = ui.menu_button(format!("{:.0} %", 100.0 * look.zoom), |ui| {
            for zoom in look::ZOOMS {
                if ui.button(format!("{:.0} %", 100.0 * zoom)).clicked() {
                    self.extras.change_look(|look| look.zoom = zoom);
                    let size = zoom / look.zoom * egui::vec2(look.width, look.height);
                    ui.ctx().send_viewport_cmd(egui::ViewportCommand::InnerSize(size));
                    ui.close();
                }
            }
        });
        response.response.on_hover_text("Zoom");
    }

    /// Follow what the project says of theme and zoom.
    fn put_on_look(&mut self, context: &egui::Context) {
        let look = self.extras.look();
        if self.shown != Some(look) {
            theme::apply(context, look.light);
            context.set_zoom_factor(look.zoom);
            self.shown = Some(look);
        }
    }
}

/// What hits.
fn striker(ui: &mut Ui, desk: &Desk) {
    ui.label(theme::title(ui, "Striker"));
    egui::ScrollArea::vertical().id_salt("striker").auto_shrink(false).show(ui, |ui| {
        desk.show_all(ui, &STRIKER);
    });
}

/// What rings.
fn body(ui: &mut Ui, desk: &Desk, modes: &mut Modes, list: &crate::body::UserModes) {
    ui.label(theme::title(ui, "Body"));
    egui::ScrollArea::vertical().id_salt("body").auto_shrink(false).show(ui, |ui| {
        desk.show_all(ui, &[Param::Body]);
        modes.show(ui, desk, list, 92.0);
        desk.show_all(ui, &BODY);
        desk.show_all(ui, &[Param::Material]);
        pad::show(ui, desk);
        desk.show_all(ui, &MATERIAL);
    });
}

/// The controls on the left.
const STRIKER: [Param; 13] = [
    Param::Gesture,
    Param::Speed,
    Param::Mass,
    Param::Hardness,
    Param::Restitution,
    Param::Dynamics,
    Param::Position,
    Param::PositionY,
    Param::Scatter,
    Param::Angle,
    Param::Spin,
    Param::Seed,
    Param::Coupling,
];

/// The controls on the right.
const BODY: [Param; 11] = [
    Param::Tune,
    Param::Size,
    Param::Thickness,
    Param::Weight,
    Param::Modes,
    Param::Aspect,
    Param::Split,
    Param::Inharmonicity,
    Param::KeyTracking,
    Param::NoteOff,
    Param::Hand,
];

/// And below them.
const MATERIAL: [Param; 5] = [Param::MaterialX, Param::MaterialY, Param::Support, Param::Friction, Param::Viscosity];
