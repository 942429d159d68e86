//! The editor: sees parameters and telemetry, never a voice.

pub mod browser;
pub mod chart;
pub mod control;
pub mod desk;
pub mod dial;
pub mod files;
pub mod fit;
pub mod icons;
pub mod keyboard;
pub mod look;
#[cfg(target_os = "linux")]
pub mod message;
pub mod meter;
pub mod pad;
pub mod physics;
pub mod picker;
pub mod raster;
pub mod remembered;
pub mod saving;
pub mod scale;
pub mod scene;
pub mod server;
pub mod shell;
pub mod slots;
pub mod spectrum;
pub mod tabs;
pub mod theme;
pub mod top_bar;
pub mod tuning;
pub mod wheel;
#[cfg(target_os = "linux")]
mod x11;

use std::sync::Arc;

use egui::{Frame as Box_, Margin, Ui};
use nice_plug::context::gui::GuiContext;
use nice_plug_egui::baseview::{HandlerError, WindowSize};
use nice_plug_egui::{Frame, KeyCapture, NiceEguiApp};

use crate::patch::{Param, Patch};
use crate::plugin::extras::Extras;
use crate::plugin::params::HostParams;
use crate::plugin::telemetry::Telemetry;
use crate::presets::Library;
use crate::presets::library::categories;
use crate::view::View;
use browser::Browser;
use control::Board;
use desk::{Action, Desk};
use files::Files;
use fit::Fit;
use keyboard::Keyboard;
use meter::Meter;
use saving::Saving;
use scale::Scale;
use scene::Scene;
use server::Server;
use spectrum::Modes;
use tabs::Tabs;
use top_bar::Wish;
use tuning::TuningRow;

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
    /// As it is played now.
    patch: Patch,
    desk: Desk,
    browser: Browser,
    saving: Saving,
    /// Whether the theme that is on is the light one.
    is_light: Option<bool>,
    fit: Fit,
    scale: Scale,
    /// The preset of the last frame.
    title: String,
    tuning: TuningRow,
    host: Option<GuiContext>,
    server: Server,
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
            tuning: TuningRow::new(extras.clone()),
            view: View::default(),
            patch: Patch::default(),
            desk: Desk::new(Library::default()),
            browser: Browser::default(),
            saving: Saving::default(),
            is_light: None,
            fit: Fit::default(),
            scale: Scale::default(),
            title: String::new(),
            host: None,
            server: Server::default(),
            params,
            telemetry,
            extras,
        }
    }

    /// How large a logical pixel is on the screen of its window.
    pub fn scale(&self) -> Scale {
        self.scale.clone()
    }

    /// Who serves its window, once it is open.
    pub fn server(&self) -> Server {
        self.server.clone()
    }

    /// The same with presets from elsewhere.
    pub fn with_library(self, library: Library) -> Self {
        Self { desk: Desk::new(library), ..self }
    }
}

impl NiceEguiApp for App {
    fn build(&mut self, context: egui::Context, host: GuiContext, frame: &mut Frame) -> Result<(), HandlerError> {
        self.server.begin();
        #[cfg(target_os = "linux")]
        x11::show(frame.baseview_window())?;
        self.scale.set(frame.baseview_window().size().scale_factor as f32);
        theme::set_fonts(&context);
        self.is_light = None;
        self.fit.begin(&context);
        self.host = Some(host);
        // No two windows throw the same dice.
        let since = std::time::SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default();
        self.params.session().set_seed(since.as_nanos() as u64);
        Ok(())
    }

    fn ui(&mut self, ui: &mut Ui, frame: &mut Frame) {
        if let Some(host) = self.host.clone() {
            self.draw(ui, &host);
        }
        // What is not typed into a field is the host's, above all the space bar; the editor sees it nevertheless.
        let typing = ui.ctx().text_edit_focused();
        frame.set_key_capture(if typing { KeyCapture::CaptureAll } else { KeyCapture::IgnoreAll });
    }

    fn resized(&mut self, size: WindowSize) {
        self.scale.set(size.scale_factor as f32 / self.fit.zoom());
        self.fit.resized(egui::vec2(size.logical.width as f32, size.logical.height as f32));
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
        self.params.session().follow(self.params.take_edits());
        let params = self.params.clone();
        self.params.write_to(&mut self.patch);
        let patch = self.patch.clone();
        let board = Board { params: &params, setter: &setter, patch: &patch };
        wheel::follow(ui, &board);
        let margin = Box_::NONE.fill(theme::of(ui).ground).inner_margin(Margin::symmetric(8, 5));
        let mut wishes = vec![shortcut(ui)];
        egui::Panel::top("head").frame(margin).show(ui, |ui| self.head(ui, &mut wishes));
        wishes.push(self.browser.show(ui.ctx(), &mut self.desk).map(Wish::Do));
        wishes.push(self.saving.show(ui.ctx()).map(Wish::Do));
        for wish in wishes.into_iter().flatten() {
            let names_only = matches!(wish, Wish::Do(Action::Save { .. } | Action::Rename(..)));
            self.grant(wish, &setter);
            if names_only {
                self.title = self.params.session().title().to_string();
            }
        }
        if self.params.session().title() != self.title {
            self.title = self.params.session().title().to_string();
            self.scene.turn_page();
        }
        egui::Panel::bottom("keys")
            .frame(margin)
            .show(ui, |ui| self.keyboard.show(ui, &self.telemetry, self.view.keys));
        // What is loaded from files can be taken back like any other step.
        let before = self.params.extras().all();
        if Files::are_wanted(&self.params) {
            egui::Panel::bottom("files").frame(margin).show(ui, |ui| self.files.show(ui));
        }
        let tall = (0.36 * ui.available_height()).max(214.0);
        egui::Panel::bottom("tabs").frame(margin).exact_size(tall).show(ui, |ui| {
            self.tabs.show(ui, &board, &self.telemetry, &self.view, &mut self.tuning);
        });
        let after = self.params.extras().all();
        self.params.session().record_extras((before != after).then_some((before, after)));
        egui::Panel::left("striker").frame(margin).exact_size(208.0).resizable(false).show(ui, |ui| {
            striker(ui, &board);
        });
        let list = self.extras.list();
        egui::Panel::right("body").frame(margin).exact_size(214.0).resizable(false).show(ui, |ui| {
            body(ui, &board, &mut self.modes, &list);
        });
        egui::CentralPanel::default().frame(margin).show(ui, |ui| {
            self.scene.show(ui, &board, &self.telemetry, &self.view, &list);
        });
        let lively = self.view.voice.is_some() || self.telemetry.voices() > 0;
        ui.ctx().request_repaint_after_secs(if lively { LIVELY_S } else { IDLE_S });
    }

    fn head(&mut self, ui: &mut Ui, wishes: &mut Vec<Option<Wish>>) {
        let now = self.params.sound().patch;
        ui.horizontal(|ui| {
            ui.label(egui::RichText::new("Ictus").size(20.0).strong());
            wishes.push(top_bar::presets(ui, &self.params.session(), &now));
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                self.appearance(ui);
                if icons::button(ui, icons::STOP, "Panic: silence everything").clicked() {
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

    fn grant(&mut self, wish: Wish, setter: &nice_plug::prelude::ParamSetter) {
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

    /// Follow what the project says of theme and zoom.
    fn put_on_look(&mut self, context: &egui::Context) {
        let look = self.extras.look();
        if self.is_light != Some(look.light) {
            theme::apply(context, look.light);
            self.is_light = Some(look.light);
        }
        let now = self.fit.follow(context, look);
        if now != look {
            self.extras.change_look(|look| (look.width, look.height) = (now.width, now.height));
        }
    }
}

/// Steps back and forth by the usual keys, while nobody is typing; and the space bar left to the host.
fn shortcut(ui: &egui::Ui) -> Option<Wish> {
    if ui.ctx().text_edit_focused() {
        return None;
    }
    // The space bar starts and stops the host: here it presses no button, whichever the tab key has come to. Enter does.
    ui.input_mut(|input| {
        input.events.retain(|event| {
            !matches!(event, egui::Event::Key { key: egui::Key::Space, .. })
                && !matches!(event, egui::Event::Text(text) if text == " ")
        });
    });
    let pressed = |modifiers, key| ui.input_mut(|input| input.consume_key(modifiers, key));
    let (command, shift) = (egui::Modifiers::COMMAND, egui::Modifiers::SHIFT);
    // The longer one first: a shortcut also matches when more keys are held.
    if pressed(command | shift, egui::Key::Z) || pressed(command, egui::Key::Y) {
        return Some(Wish::Do(Action::Redo));
    }
    pressed(command, egui::Key::Z).then_some(Wish::Do(Action::Undo))
}

/// What hits.
fn striker(ui: &mut Ui, board: &Board) {
    ui.label(theme::title(ui, "Striker"));
    egui::ScrollArea::vertical().id_salt("striker").auto_shrink(false).show(ui, |ui| {
        board.show_all(ui, &STRIKER);
    });
}

/// What rings.
fn body(ui: &mut Ui, board: &Board, modes: &mut Modes, list: &crate::body::UserModes) {
    ui.label(theme::title(ui, "Body"));
    egui::ScrollArea::vertical().id_salt("body").auto_shrink(false).show(ui, |ui| {
        board.show_all(ui, &[Param::Body]);
        modes.show(ui, board, list, 92.0);
        board.show_all(ui, &BODY[..3]);
        pad::show(ui, board);
        board.show_all(ui, &BODY[3..]);
        board.show_all(ui, &[Param::Material]);
        board.show_all(ui, &MATERIAL);
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
