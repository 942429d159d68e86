//! The editor: sees parameters and telemetry, never a voice.

pub mod auto_level;
pub mod browser;
pub mod chart;
pub mod control;
pub mod dial;
pub mod editor_factory;
pub mod file_picker;
pub mod file_row;
mod header;
pub mod icons;
pub mod keyboard;
pub mod material;
#[cfg(target_os = "linux")]
pub mod message;
pub mod meter;
pub mod pad;
pub mod physics;
pub mod pixel_scale;
pub mod preferences;
pub mod preset_actions;
pub mod raster;
pub mod relevance;
pub mod save_dialog;
pub mod scene;
mod shortcuts;
mod side_panels;
pub mod slots;
pub mod spectrum;
pub mod tabs;
pub mod theme;
pub mod top_bar;
pub mod tuning;
pub mod wheel;
pub mod window_thread;
#[cfg(target_os = "linux")]
mod x11;
pub mod zoom_fit;

use std::sync::Arc;

use egui::{Frame as Box_, Margin, Ui};
use nice_plug::context::gui::GuiContext;
use nice_plug_egui::baseview::{HandlerError, WindowSize};
use nice_plug_egui::{Frame, KeyCapture, NiceEguiApp};

use crate::io::presets::Library;
use crate::params::Patch;
use crate::shared_state::extras::Extras;
use crate::shared_state::params::HostParams;
use crate::shared_state::telemetry::Telemetry;
pub use crate::shared_state::window_settings::{self, SIZE};
use crate::snapshot::Snapshot;
use auto_level::AutoLevel;
use browser::Browser;
use control::Controls;
use file_row::FileRow;
use keyboard::Keyboard;
use meter::Meter;
use pixel_scale::PixelScale;
use preset_actions::{Action, PresetActions};
use save_dialog::SaveDialog;
use scene::Scene;
use spectrum::ModeChart;
use tabs::Tabs;
use top_bar::Request;
use tuning::TuningRow;
use window_thread::WindowThread;
use zoom_fit::ZoomFit;

/// The window gets no smaller than this.
pub const MIN_SIZE: (f32, f32) = (760.0, 540.0);

/// The share of the height that the tabs take, and the least and the most of it, points.
const TABS_SHARE: f32 = 0.45;
const TABS: (f32, f32) = (220.0, 360.0);

/// The least that is repainted while nothing moves, s: meters fall and keys light up without the
/// host asking.
const IDLE_S: f32 = 0.2;
/// And while something sounds.
const ACTIVE_S: f32 = 1.0 / 30.0;

/// What the window shows.
pub struct App {
    params: Arc<HostParams>,
    telemetry: Arc<Telemetry>,
    extras: Arc<Extras>,
    keyboard: Keyboard,
    meter: Meter,
    files: FileRow,
    scene: Scene,
    modes: ModeChart,
    tabs: Tabs,
    view: Snapshot,
    /// As it is played now.
    patch: Patch,
    preset_actions: PresetActions,
    auto_level: AutoLevel,
    browser: Browser,
    save_dialog: SaveDialog,
    /// Whether the theme that is on is the light one.
    is_light: Option<bool>,
    fit: ZoomFit,
    scale: PixelScale,
    /// The preset of the last frame.
    title: String,
    tuning: TuningRow,
    host: Option<GuiContext>,
    window_thread: WindowThread,
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
            files: FileRow::new(extras.clone()),
            scene: Scene::default(),
            modes: ModeChart::default(),
            tabs: Tabs::default(),
            tuning: TuningRow::new(extras.clone()),
            view: Snapshot::default(),
            patch: Patch::default(),
            preset_actions: PresetActions::new(Library::default()),
            auto_level: AutoLevel::default(),
            browser: Browser::default(),
            save_dialog: SaveDialog::default(),
            is_light: None,
            fit: ZoomFit::default(),
            scale: PixelScale::default(),
            title: String::new(),
            host: None,
            window_thread: WindowThread::default(),
            #[cfg(target_os = "linux")]
            keys: None,
            params,
            telemetry,
            extras,
        }
    }

    /// How large a logical pixel is on the screen of its window.
    pub fn scale(&self) -> PixelScale {
        self.scale.clone()
    }

    /// Who serves its window, once it is open.
    pub fn window_thread(&self) -> WindowThread {
        self.window_thread.clone()
    }

    /// The same with presets from elsewhere.
    pub fn with_library(self, library: Library) -> Self {
        Self { preset_actions: PresetActions::new(library), ..self }
    }
}

impl NiceEguiApp for App {
    fn build(
        &mut self,
        context: egui::Context,
        host: GuiContext,
        frame: &mut Frame,
    ) -> Result<(), HandlerError> {
        #[cfg(not(target_os = "linux"))]
        self.window_thread.begin(None);
        #[cfg(target_os = "linux")]
        {
            x11::serve(frame.baseview_window(), &self.window_thread)?;
            // Before it is shown: then a window manager puts even one that stands by itself into
            // another.
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
            // that is no more. So the thread ends here, without a message; see `editor_factory.rs`.
            std::panic::resume_unwind(Box::new("the window is gone"));
        }
        #[cfg(target_os = "linux")]
        let spaces = x11::keys::spaces(ui);
        if let Some(host) = self.host.clone() {
            self.draw(ui, &host);
        }
        // What is not typed into a field is the host's, above all the space bar; the editor sees it
        // nevertheless.
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
        self.apply_window_settings(ui.ctx());
        if let Some(view) = self.telemetry.take_snapshot() {
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
        let controls = Controls { params: &params, setter: &setter, patch: &patch };
        wheel::follow(ui, &controls);
        let palette = theme::of(ui);
        // Between the panels, too.
        ui.painter().rect_filled(ui.max_rect(), 0.0, palette.background);
        let frame_only = Box_::NONE.fill(palette.background).inner_margin(Margin::symmetric(9, 5));
        let card = theme::card(palette);
        let mut requests = vec![shortcuts::pressed(ui)];
        let head = egui::Panel::top("head").frame(frame_only).show_separator_line(false);
        head.show(ui, |ui| self.head(ui, &mut requests));
        requests.push(self.browser.show(ui.ctx(), &mut self.preset_actions).map(Request::Action));
        requests.push(self.save_dialog.show(ui.ctx()).map(Request::Action));
        for request in requests.into_iter().flatten() {
            let names_only =
                matches!(request, Request::Action(Action::Save { .. } | Action::Rename(..)));
            self.auto_level.finish(&params, &setter, true);
            self.handle_request(request, &setter);
            if names_only {
                self.title = self.params.session().title().to_string();
            }
        }
        if self.params.session().title() != self.title {
            self.title = self.params.session().title().to_string();
            self.scene.forget_last_note();
        }
        let keys = egui::Panel::bottom("keys").frame(frame_only).show_separator_line(false);
        keys.show(ui, |ui| self.keyboard.show(ui, &self.telemetry, self.view.keys));
        // What is loaded from files can be taken back like any other step.
        let before = self.params.extras().all();
        if FileRow::is_needed(&self.params) {
            let files = egui::Panel::bottom("files").frame(card).show_separator_line(false);
            files.show(ui, |ui| self.files.show(ui));
        }
        let tall = (TABS_SHARE * ui.available_height()).clamp(TABS.0, TABS.1);
        let tabs =
            egui::Panel::bottom("tabs").frame(card).exact_size(tall).show_separator_line(false);
        tabs.show(ui, |ui| {
            self.tabs.show(ui, &controls, &self.telemetry, &self.view, &mut self.tuning)
        });
        let after = self.params.extras().all();
        let loaded =
            self.params.session().record_extras((before != after).then_some((before, after)));
        self.auto_level.follow(loaded.as_slice(), &params);
        let side = |panel: egui::Panel| {
            panel
                .frame(card)
                .exact_size(side_panels::WIDTH)
                .resizable(false)
                .show_separator_line(false)
        };
        side(egui::Panel::left("striker")).show(ui, |ui| side_panels::striker(ui, &controls));
        let list = self.extras.list();
        side(egui::Panel::right("body"))
            .show(ui, |ui| side_panels::body(ui, &controls, &mut self.modes, &list));
        let frame_only = Box_::NONE.fill(palette.background).inner_margin(Margin::same(3));
        egui::CentralPanel::default().frame(frame_only).show(ui, |ui| {
            self.scene.show(ui, &controls, &self.telemetry, &self.view, &list);
        });
        let is_active = self.view.voice.is_some() || self.telemetry.voices() > 0;
        let is_soon = is_active || self.auto_level.is_measuring();
        ui.ctx().request_repaint_after_secs(if is_soon { ACTIVE_S } else { IDLE_S });
    }

    /// Follow what the project says of theme and zoom.
    fn apply_window_settings(&mut self, context: &egui::Context) {
        let window_settings = self.extras.window_settings();
        if self.is_light != Some(window_settings.light) {
            theme::apply(context, window_settings.light);
            self.is_light = Some(window_settings.light);
        }
        let now = self.fit.follow(context, window_settings);
        if now != window_settings {
            self.extras.change_window_settings(|window_settings| {
                (window_settings.width, window_settings.height) = (now.width, now.height)
            });
        }
    }
}
