//! The graphical editor. It reads parameters and telemetry, never a voice.

pub mod auto_level;
pub mod browser;
pub mod chart;
pub mod control;
pub mod dial;
pub mod editor_factory;
pub mod file_picker;
pub mod file_row;
pub mod keyboard;
pub mod material;
#[cfg(target_os = "linux")]
pub mod message;
pub mod meter;
pub mod physics;
pub mod preferences;
pub mod preset_actions;
pub mod raster;
pub mod relevance;
pub mod scene;
mod side_panels;
pub mod spectrum;
pub mod tabs;
pub mod theme;
pub mod top_bar;
mod wheel;
pub mod window_thread;
#[cfg(target_os = "linux")]
mod x11;
pub mod zoom_fit;

use std::sync::Arc;

use egui::{Margin, Panel, Ui};
use nice_plug::context::gui::GuiContext;
use nice_plug::prelude::ParamSetter;
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
use browser::{Browser, SaveDialog};
use control::Controls;
use file_row::FileRow;
use keyboard::Keyboard;
use meter::Meter;
use preset_actions::{Action, PresetActions};
use scene::Scene;
use spectrum::ModeChart;
use tabs::Tabs;
pub use theme::icons;
use top_bar::Request;
use window_thread::WindowThread;
use zoom_fit::{PixelScale, ZoomFit};

/// Minimum width and height of the window, in logical pixels: below, controls overlap.
pub const MIN_SIZE: (f32, f32) = (760.0, 540.0);

/// Share of the height for the tabs.
const TABS_SHARE: f32 = 0.45;
/// Minimum and maximum height of the tabs, points.
const TABS_HEIGHT: (f32, f32) = (220.0, 360.0);

/// Repaint interval while nothing sounds, so that meters and keys follow, s.
const IDLE_S: f32 = 0.2;
/// Repaint interval while something sounds, s.
const ACTIVE_S: f32 = 1.0 / 30.0;

/// The contents of the editor's window.
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
    snapshot: Snapshot,
    /// The current patch.
    patch: Patch,
    preset_actions: PresetActions,
    auto_level: AutoLevel,
    browser: Browser,
    save_dialog: SaveDialog,
    /// The title of the preset in the last frame.
    title: String,
    window: WindowState,
}

/// The state of the window itself.
#[derive(Default)]
struct WindowState {
    /// True if the light theme is applied; `None` before any theme is.
    is_light: Option<bool>,
    fit: ZoomFit,
    scale: PixelScale,
    host: Option<GuiContext>,
    thread: WindowThread,
    /// The keyboard handling, if the window has a parent.
    #[cfg(target_os = "linux")]
    keys: Option<x11::keys::Keys>,
}

impl App {
    /// Creates the contents of a window that is not yet open.
    pub fn new(params: Arc<HostParams>, telemetry: Arc<Telemetry>, extras: Arc<Extras>) -> Self {
        Self {
            keyboard: Keyboard::default(),
            meter: Meter::default(),
            files: FileRow::new(extras.clone()),
            scene: Scene::default(),
            modes: ModeChart::default(),
            tabs: Tabs::new(extras.clone()),
            snapshot: Snapshot::default(),
            patch: Patch::default(),
            preset_actions: PresetActions::new(Library::default()),
            auto_level: AutoLevel::default(),
            browser: Browser::default(),
            save_dialog: SaveDialog::default(),
            title: String::new(),
            window: WindowState::default(),
            params,
            telemetry,
            extras,
        }
    }

    /// Physical pixels per logical pixel of the window.
    pub fn scale(&self) -> PixelScale {
        self.window.scale.clone()
    }

    /// The thread of the window, once it is open.
    pub fn window_thread(&self) -> WindowThread {
        self.window.thread.clone()
    }

    /// Replaces the library of presets.
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
        let window = &mut self.window;
        #[cfg(not(target_os = "linux"))]
        window.thread.register(None);
        #[cfg(target_os = "linux")]
        {
            x11::register_thread(frame.baseview_window(), &window.thread)?;
            // Before the window is shown: then a window manager reparents even a top-level window.
            window.keys = x11::keys::Keys::new(frame.baseview_window())?;
            x11::show(frame.baseview_window())?;
        }
        window.scale.set(frame.baseview_window().size().scale_factor as f32);
        theme::set_fonts(&context);
        window.is_light = None;
        window.fit.reset(&context);
        window.host = Some(host);
        // Randomisation starts from another seed in every window.
        let since = std::time::SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default();
        self.params.session().set_seed(since.as_nanos() as u64);
        Ok(())
    }

    fn ui(&mut self, ui: &mut Ui, frame: &mut Frame) {
        #[cfg(target_os = "linux")]
        if x11::is_destroyed(frame.baseview_window()) {
            // The framework would still draw the frame, and the driver may crash on a destroyed
            // window. So the thread ends here, without a message; see `editor_factory.rs`.
            std::panic::resume_unwind(Box::new("the window is destroyed"));
        }
        #[cfg(target_os = "linux")]
        let spaces = x11::keys::spaces(ui);
        if let Some(host) = self.window.host.clone() {
            self.draw(ui, &host);
        }
        // Keys belong to the host unless a text field is active. The editor still sees them.
        let is_typing = ui.ctx().text_edit_focused();
        frame.set_key_capture(if is_typing {
            KeyCapture::CaptureAll
        } else {
            KeyCapture::IgnoreAll
        });
        #[cfg(target_os = "linux")]
        if let Some(keys) = &mut self.window.keys
            && let Err(error) = keys.process(ui, frame.baseview_window(), &spaces)
        {
            nice_plug::nice_error!("The editor's keys: {error}");
        }
    }

    fn resized(&mut self, size: WindowSize) {
        let WindowState { scale, fit, .. } = &mut self.window;
        scale.set(size.scale_factor as f32 / fit.zoom());
        fit.set_size(egui::vec2(size.logical.width as f32, size.logical.height as f32));
    }
}

impl App {
    /// Draws a frame of the window.
    pub fn draw(&mut self, ui: &mut Ui, host: &GuiContext) {
        self.apply_window_settings(ui.ctx());
        if let Some(snapshot) = self.telemetry.take_snapshot() {
            self.snapshot = snapshot;
        }
        let setter = host.param_setter();
        let params = self.params.clone();
        self.record_edits(&setter);
        params.write_to(&mut self.patch);
        let patch = self.patch.clone();
        let controls = Controls { params: &params, setter: &setter, patch: &patch };
        wheel::process(ui, &controls);
        // Fills the gaps between the panels.
        ui.painter().rect_filled(ui.max_rect(), 0.0, theme::of(ui).background);
        self.handle_requests(ui, &setter);
        self.show_panels(ui, &controls);
        let is_active = self.snapshot.voice.is_some() || self.telemetry.voices() > 0;
        let is_changing = is_active || self.auto_level.is_measuring();
        ui.ctx().request_repaint_after_secs(if is_changing { ACTIVE_S } else { IDLE_S });
    }

    /// Records the edits since the last frame as undo steps.
    fn record_edits(&mut self, setter: &ParamSetter) {
        let edits = self.params.take_edits();
        self.auto_level.finish(&self.params, setter, !edits.is_empty());
        let steps = self.params.session().follow(edits);
        self.auto_level.start(&steps, &self.params);
    }

    /// Shows the top bar and the preset windows, and performs the user's requests.
    fn handle_requests(&mut self, ui: &mut Ui, setter: &ParamSetter) {
        let mut requests = vec![top_bar::shortcut(ui)];
        bare_panel(ui, Panel::top("head")).show(ui, |ui| self.show_top_bar(ui, &mut requests));
        requests.push(self.browser.show(ui.ctx(), &mut self.preset_actions).map(Request::Action));
        requests.push(self.save_dialog.show(ui.ctx()).map(Request::Action));
        for request in requests.into_iter().flatten() {
            let changes_title_only =
                matches!(request, Request::Action(Action::Save { .. } | Action::Rename(..)));
            self.auto_level.finish(&self.params, setter, true);
            self.handle_request(request, setter);
            if changes_title_only {
                self.title = self.params.session().title().to_string();
            }
        }
        if self.params.session().title() != self.title {
            self.title = self.params.session().title().to_string();
            self.scene.hide_last_note();
        }
    }

    /// Shows all panels below the top bar.
    fn show_panels(&mut self, ui: &mut Ui, controls: &Controls) {
        let palette = theme::of(ui);
        bare_panel(ui, Panel::bottom("keys"))
            .show(ui, |ui| self.keyboard.show(ui, &self.telemetry, self.snapshot.keys));
        let card = |panel: Panel| panel.frame(theme::card(palette)).show_separator_line(false);
        // Loaded files are undo steps, too.
        let before = self.params.extras().all();
        if FileRow::is_needed(&self.params) {
            card(Panel::bottom("files")).show(ui, |ui| self.files.show(ui));
        }
        let height = (TABS_SHARE * ui.available_height()).clamp(TABS_HEIGHT.0, TABS_HEIGHT.1);
        card(Panel::bottom("tabs").exact_size(height)).show(ui, |ui| {
            self.tabs.show(ui, controls, &self.telemetry, &self.snapshot);
        });
        let after = self.params.extras().all();
        let loaded =
            self.params.session().record_extras((before != after).then_some((before, after)));
        self.auto_level.start(loaded.as_slice(), &self.params);
        let side = |panel: Panel| card(panel.exact_size(side_panels::WIDTH).resizable(false));
        side(Panel::left("striker")).show(ui, |ui| side_panels::show_striker(ui, controls));
        let list = self.extras.list();
        side(Panel::right("body"))
            .show(ui, |ui| side_panels::show_body(ui, controls, &mut self.modes, &list));
        let frame = egui::Frame::NONE.fill(palette.background).inner_margin(Margin::same(3));
        egui::CentralPanel::default().frame(frame).show(ui, |ui| {
            self.scene.show(ui, controls, &self.telemetry, &self.snapshot, &list);
        });
    }

    /// Applies theme and zoom, and stores the size of the window.
    fn apply_window_settings(&mut self, context: &egui::Context) {
        let settings = self.extras.window_settings();
        if self.window.is_light != Some(settings.light) {
            theme::apply(context, settings.light);
            self.window.is_light = Some(settings.light);
        }
        let fitted = self.window.fit.process(context, settings);
        if fitted != settings {
            self.extras.change_window_settings(|settings| {
                (settings.width, settings.height) = (fitted.width, fitted.height)
            });
        }
    }
}

/// A panel without a border.
fn bare_panel(ui: &Ui, panel: Panel) -> Panel {
    let background = theme::of(ui).background;
    let frame = egui::Frame::NONE.fill(background).inner_margin(Margin::symmetric(9, 5));
    panel.frame(frame).show_separator_line(false)
}
