//! The editor: sees parameters and telemetry, never a voice.

pub mod auto_level;
pub mod browser;
pub mod chart;
pub mod control;
pub mod desk;
pub mod dial;
pub mod files;
pub mod fit;
mod head;
pub mod icons;
pub mod keyboard;
pub mod look;
pub mod material;
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
mod shortcuts;
mod sides;
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

use crate::patch::Patch;
use crate::plugin::extras::Extras;
use crate::plugin::params::HostParams;
use crate::plugin::telemetry::Telemetry;
use crate::presets::Library;
use crate::view::View;
use auto_level::AutoLevel;
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

/// The share of the height that the tabs take, and the least and the most of it, points.
const TABS_SHARE: f32 = 0.45;
const TABS: (f32, f32) = (220.0, 360.0);

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
    auto_level: AutoLevel,
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
    /// Whose the keys are, if the window is in a host's.
    #[cfg(target_os = "linux")]
    keys: Option<x11::keys::Keys>,
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
            auto_level: AutoLevel::default(),
            browser: Browser::default(),
            saving: Saving::default(),
            is_light: None,
            fit: Fit::default(),
            scale: Scale::default(),
            title: String::new(),
            host: None,
            server: Server::default(),
            #[cfg(target_os = "linux")]
            keys: None,
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
        #[cfg(not(target_os = "linux"))]
        self.server.begin(None);
        #[cfg(target_os = "linux")]
        {
            x11::serve(frame.baseview_window(), &self.server)?;
            // Before it is shown: then a window manager puts even one that stands by itself into another.
            self.keys = x11::keys::Keys::new(frame.baseview_window())?;
            x11::show(frame.baseview_window())?;
        }
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
        #[cfg(target_os = "linux")]
        if x11::is_gone(frame.baseview_window()) {
            // The framework would draw the frame nevertheless, and the driver may crash on a window
            // that is no more. So the thread ends here, without a message; see `shell.rs`.
            std::panic::resume_unwind(Box::new("the window is gone"));
        }
        #[cfg(target_os = "linux")]
        let spaces = x11::keys::spaces(ui);
        if let Some(host) = self.host.clone() {
            self.draw(ui, &host);
        }
        // What is not typed into a field is the host's, above all the space bar; the editor sees it nevertheless.
        let typing = ui.ctx().text_edit_focused();
        frame.set_key_capture(if typing { KeyCapture::CaptureAll } else { KeyCapture::IgnoreAll });
        #[cfg(target_os = "linux")]
        if let Some(keys) = &mut self.keys
            && let Err(error) = keys.follow(ui, frame.baseview_window(), &spaces)
        {
            nice_plug::nice_error!("The editor's keys: {error}");
        }
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
        let params = self.params.clone();
        let edits = params.take_edits();
        self.auto_level.finish(&params, &setter, !edits.is_empty());
        let steps = params.session().follow(edits);
        self.auto_level.follow(&steps, &params);
        self.params.write_to(&mut self.patch);
        let patch = self.patch.clone();
        let board = Board { params: &params, setter: &setter, patch: &patch };
        wheel::follow(ui, &board);
        let palette = theme::of(ui);
        // Between the panels, too.
        ui.painter().rect_filled(ui.max_rect(), 0.0, palette.ground);
        let bare = Box_::NONE.fill(palette.ground).inner_margin(Margin::symmetric(9, 5));
        let card = theme::card(palette);
        let mut wishes = vec![shortcuts::pressed(ui)];
        let head = egui::Panel::top("head").frame(bare).show_separator_line(false);
        head.show(ui, |ui| self.head(ui, &mut wishes));
        wishes.push(self.browser.show(ui.ctx(), &mut self.desk).map(Wish::Do));
        wishes.push(self.saving.show(ui.ctx()).map(Wish::Do));
        for wish in wishes.into_iter().flatten() {
            let names_only = matches!(wish, Wish::Do(Action::Save { .. } | Action::Rename(..)));
            self.auto_level.finish(&params, &setter, true);
            self.grant(wish, &setter);
            if names_only {
                self.title = self.params.session().title().to_string();
            }
        }
        if self.params.session().title() != self.title {
            self.title = self.params.session().title().to_string();
            self.scene.turn_page();
        }
        let keys = egui::Panel::bottom("keys").frame(bare).show_separator_line(false);
        keys.show(ui, |ui| self.keyboard.show(ui, &self.telemetry, self.view.keys));
        // What is loaded from files can be taken back like any other step.
        let before = self.params.extras().all();
        if Files::are_wanted(&self.params) {
            let files = egui::Panel::bottom("files").frame(card).show_separator_line(false);
            files.show(ui, |ui| self.files.show(ui));
        }
        let tall = (TABS_SHARE * ui.available_height()).clamp(TABS.0, TABS.1);
        let tabs = egui::Panel::bottom("tabs").frame(card).exact_size(tall).show_separator_line(false);
        tabs.show(ui, |ui| self.tabs.show(ui, &board, &self.telemetry, &self.view, &mut self.tuning));
        let after = self.params.extras().all();
        let loaded = self.params.session().record_extras((before != after).then_some((before, after)));
        self.auto_level.follow(loaded.as_slice(), &params);
        let side =
            |panel: egui::Panel| panel.frame(card).exact_size(sides::WIDTH).resizable(false).show_separator_line(false);
        side(egui::Panel::left("striker")).show(ui, |ui| sides::striker(ui, &board));
        let list = self.extras.list();
        side(egui::Panel::right("body")).show(ui, |ui| sides::body(ui, &board, &mut self.modes, &list));
        let bare = Box_::NONE.fill(palette.ground).inner_margin(Margin::same(3));
        egui::CentralPanel::default().frame(bare).show(ui, |ui| {
            self.scene.show(ui, &board, &self.telemetry, &self.view, &list);
        });
        let lively = self.view.voice.is_some() || self.telemetry.voices() > 0;
        let is_soon = lively || self.auto_level.is_measuring();
        ui.ctx().request_repaint_after_secs(if is_soon { LIVELY_S } else { IDLE_S });
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
