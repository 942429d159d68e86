//! The parts of an instance that the code of the plug-in formats uses besides the audio code.
//!
//! This is the only file of the plug-in that names the editor.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use nice_plug::editor::dpi::LogicalSize;
use nice_plug::prelude::ResizeHint;
use nice_plug_egui::{EguiEditorState, EguiNiceSettings, RepaintNotifier, create_egui_editor};

use crate::editor::editor_factory::SharedWindowState;
pub use crate::editor::editor_factory::{EditorFactory, Handle as EditorHandle};
use crate::editor::{self, App, preferences};
use crate::shared_state::extras::Extras;
use crate::shared_state::params::HostParams;
use crate::shared_state::telemetry::Telemetry;

/// Shared by an instance and the code of its plug-in format.
pub struct InstanceParts {
    /// All parameters, and the other data that a project keeps.
    pub params: Arc<HostParams>,
    /// What the audio thread and the editor exchange besides parameters.
    pub telemetry: Arc<Telemetry>,
    /// The project data that is no parameter.
    pub extras: Arc<Extras>,
    /// Opens the editor. `None` if the system has no way to draw it.
    pub editor_factory: Option<EditorFactory>,
    /// Size of the editor's window, and whether it is open.
    pub editor_state: Arc<EguiEditorState>,
    /// Makes the editor repaint.
    pub repaint: RepaintNotifier,
    /// The latency that the host knows.
    pub latency: Latency,
    /// Outputs that the host has connected in the current block, one bit each.
    pub connected_outputs: AtomicU32,
}

impl InstanceParts {
    /// Creates the parts of an instance. `title` is the title of its window.
    pub fn new(title: &str, params: impl Fn(Arc<Extras>) -> HostParams) -> Self {
        let extras = Arc::new(Extras::default());
        let params = Arc::new(params(extras.clone()));
        let telemetry = Arc::new(Telemetry::new());
        let editor_state =
            EguiEditorState::from_size(LogicalSize::new(editor::SIZE.0, editor::SIZE.1), 1.0);
        let repaint = RepaintNotifier::new();
        let app = App::new(params.clone(), telemetry.clone(), extras.clone());
        Self {
            editor_factory: editor_factory(title, app, &extras, editor_state.clone(), &repaint),
            params,
            telemetry,
            extras,
            editor_state,
            repaint,
            latency: Latency::default(),
            connected_outputs: AtomicU32::new(u32::MAX),
        }
    }
}

/// The factory of an editor that is not yet open.
fn editor_factory(
    title: &str,
    app: App,
    extras: &Arc<Extras>,
    state: Arc<EguiEditorState>,
    repaint: &RepaintNotifier,
) -> Option<EditorFactory> {
    let (width, height) = editor::MIN_SIZE;
    let shared = SharedWindowState {
        window_thread: app.window_thread(),
        extras: extras.clone(),
        scale: app.scale(),
    };
    if let Some(last_used) = preferences::load() {
        extras.change_window_settings(|settings| *settings = last_used);
    }
    let settings = EguiNiceSettings::new().with_tile(title).with_resize_hint(
        ResizeHint::RESIZABLE.with_min_logical_size(LogicalSize::new(width, height)),
    );
    let editor = create_egui_editor(state, repaint.clone(), settings, app)?;
    Some(EditorFactory::new(editor, shared, repaint.clone(), title))
}

/// Work that receives the parts of an instance. The framework offers no other way to pass them out.
pub type Task = Box<dyn FnOnce(&Arc<InstanceParts>) + Send>;

/// Runs each task at once, on the calling thread.
pub fn executor(parts: Arc<InstanceParts>) -> Box<dyn Fn(Task) + Send> {
    Box::new(move |task| task(&parts))
}

/// The latency that the host knows.
///
/// The limiter delays the output, and switching it changes the delay at once. A host reads the new
/// latency when it restarts the instance: the audio thread requests a callback on the main thread,
/// and that requests the restart.
#[derive(Default)]
pub struct Latency {
    samples: AtomicU32,
    needs_callback: AtomicBool,
    needs_restart: AtomicBool,
}

impl Latency {
    /// Delay of the output, samples.
    pub fn samples(&self) -> u32 {
        self.samples.load(Ordering::Acquire)
    }

    /// Sets the delay during activation.
    pub fn set(&self, samples: usize) {
        self.samples.store(samples as u32, Ordering::Release);
        self.needs_restart.store(false, Ordering::Release);
    }

    /// Updates the delay. Audio thread, in every block.
    pub fn update(&self, samples: usize) {
        if self.samples.swap(samples as u32, Ordering::AcqRel) != samples as u32 {
            self.needs_restart.store(true, Ordering::Release);
            self.needs_callback.store(true, Ordering::Release);
        }
    }

    /// Whether to request the host's main thread. Audio thread, after a block.
    pub fn take_callback(&self) -> bool {
        // A load is cheaper than a swap, and the flag is rarely set.
        self.needs_callback.load(Ordering::Acquire)
            && self.needs_callback.swap(false, Ordering::AcqRel)
    }

    /// Whether to request a restart. Main thread.
    pub fn take_restart(&self) -> bool {
        self.needs_restart.swap(false, Ordering::AcqRel)
    }
}
