//! The host stub.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use ictus::editor::App;
use ictus::io::presets::Library;
use ictus::params::Param;
use ictus::shared_state::extras::Extras;
use ictus::shared_state::params::HostParams;
use ictus::shared_state::telemetry::Telemetry;
use nice_plug::context::PluginApi;
use nice_plug::context::gui::{GuiContext, GuiContextInner};
use nice_plug::params::internals::ParamPtr;
use nice_plug::plugin::PluginState;

/// A host that accepts every request and records the gestures.
#[derive(Default)]
pub struct Host {
    /// The parameter edits of the editor.
    pub gestures: Mutex<Vec<&'static str>>,
}

impl GuiContextInner for Host {
    fn plugin_api(&self) -> PluginApi {
        PluginApi::Standalone
    }

    unsafe fn raw_begin_set_parameter(&self, _param: ParamPtr) {
        self.gestures.lock().unwrap().push("begin");
    }

    unsafe fn raw_set_parameter_normalized(&self, param: ParamPtr, normalized: f32) {
        unsafe { param._internal_set_normalized_value(normalized) };
    }

    unsafe fn raw_end_set_parameter(&self, _param: ParamPtr) {
        self.gestures.lock().unwrap().push("end");
    }

    fn get_state(&self) -> PluginState {
        unreachable!("the editor does not call it")
    }

    fn set_state(&self, _state: PluginState) {
        unreachable!("the editor does not call it")
    }

    fn request_restart(&self) {}
}

/// The editor with its environment.
pub struct TestEditor {
    pub app: App,
    pub params: Arc<HostParams>,
    pub telemetry: Arc<Telemetry>,
    pub extras: Arc<Extras>,
    pub host: Arc<Host>,
    /// The folder of saved presets.
    pub presets: PathBuf,
}

impl TestEditor {
    pub fn new() -> Self {
        let extras = Arc::new(Extras::default());
        let params = Arc::new(HostParams::new(extras.clone()));
        let telemetry = Arc::new(Telemetry::new());
        // A separate library, so that tests never touch the user's folder.
        static EDITORS: AtomicUsize = AtomicUsize::new(0);
        let own = format!("editor-presets-{}", EDITORS.fetch_add(1, Ordering::Relaxed));
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(own);
        let _ = std::fs::remove_dir_all(&folder);
        let app = App::new(params.clone(), telemetry.clone(), extras.clone())
            .with_library(Library::at(folder.clone()));
        Self { app, params, telemetry, extras, host: Arc::new(Host::default()), presets: folder }
    }

    /// Runs one frame.
    pub fn draw(&mut self, ui: &mut egui::Ui) {
        self.app.draw(ui, &GuiContext::new(self.host.clone()));
    }

    pub fn position(&self, param: Param) -> f32 {
        self.params.slot(param).position()
    }

    /// Sets a parameter from text, as an automating host does.
    pub fn set(&self, id: &str, text: &str) {
        let param = Param::from_id(id).unwrap_or_else(|| panic!("{id}"));
        let spec = param.spec();
        let si = spec.parse_si(text).unwrap_or_else(|| panic!("{id}={text}"));
        self.jump(param, spec.clamp_stored(spec.si_to_stored(si)));
    }

    /// Sets all parameters to their defaults.
    pub fn set_defaults(&self) {
        for param in Param::ALL {
            self.jump(param, param.spec().default_stored());
        }
    }

    fn jump(&self, param: Param, stored: f32) {
        let context = GuiContext::new(self.host.clone());
        self.params.slot(param).jump(&context.param_setter(), stored);
    }
}
