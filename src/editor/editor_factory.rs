//! Creates the editor's window, and contains its errors.
//!
//! A CLAP host creates an editor first and sets its parent later. The framework would create a
//! window at once and move it to the parent; here creation waits for the parent, so that the window
//! can be shown as it is created (see `x11.rs`). If no graphics context is available, a window with
//! a message replaces the editor on Linux; on other systems the host gets an error.

use std::cell::RefCell;
use std::error::Error;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use nice_plug::context::gui::GuiContext;
use nice_plug::editor::dpi::{LogicalSize, NativeSize};
use nice_plug::editor::{
    Editor, EditorHandle, HostMainThreadCaller, HostMethods, ParentWindowHandle, ResizeHint,
    SpawnedEditor,
};
use nice_plug::plugin::TrackInfo;
use nice_plug_egui::{EguiEditor, EguiEditorHandle, RepaintNotifier, baseview};

use super::window_settings::WindowSettings;
use super::window_thread::WindowThread;
use super::zoom_fit::PixelScale;
use super::{App, preferences};
use crate::shared_state::extras::Extras;

/// The framework's `Editor`. Clones share their state.
#[derive(Clone)]
pub struct EditorFactory {
    editor: Arc<EguiEditor<App>>,
    shared: SharedWindowState,
    repaint: RepaintNotifier,
    title: String,
}

/// What the window shares with the plug-in.
#[derive(Clone)]
pub struct SharedWindowState {
    /// The window's thread.
    pub window_thread: WindowThread,
    /// Holds the window settings.
    pub extras: Arc<Extras>,
    /// Physical pixels per logical pixel.
    pub scale: PixelScale,
}

impl SharedWindowState {
    /// Size of the window in physical pixels, by the window settings and a screen's scale.
    fn size(&self, scale: f64) -> NativeSize<u32> {
        let (width, height) = self.extras.window_settings().window();
        NativeSize::from_size(LogicalSize::new(width, height).into(), scale)
    }
}

impl EditorFactory {
    /// Creates the factory of an editor.
    pub fn new(
        editor: EguiEditor<App>,
        shared: SharedWindowState,
        repaint: RepaintNotifier,
        title: &str,
    ) -> Self {
        Self { editor: Arc::new(editor), shared, repaint, title: title.to_string() }
    }
}

impl Editor for EditorFactory {
    type Handle = Handle;

    fn spawn(
        &self,
        parent: Option<ParentWindowHandle>,
        wait_for_parent: bool,
        scale: Option<f64>,
        context: GuiContext,
        host: Option<HostMethods>,
    ) -> Result<SpawnedEditor<Handle>, Box<dyn Error>> {
        #[cfg(target_os = "linux")]
        super::x11::keep_libraries();
        let (editor, shared, title) =
            (self.editor.clone(), self.shared.clone(), self.title.clone());
        let opened_settings = shared.extras.window_settings();
        let plan =
            WindowPlan { editor, shared: shared.clone(), title, scale, size: None, context, host };
        let state = if parent.is_none() && wait_for_parent {
            State::Planned(plan)
        } else {
            plan.open(parent)?
        };
        let handle = Handle { repaint: self.repaint.clone() };
        Ok(SpawnedEditor {
            handle,
            window: EditorWindow { state: RefCell::new(state), shared, opened_settings },
        })
    }

    fn size(&self) -> NativeSize<u32> {
        self.shared.size(self.shared.scale.get().into())
    }

    fn resize_hint(&self) -> ResizeHint {
        self.editor.resize_hint()
    }

    fn track_info_updated(&self, info: TrackInfo) {
        self.editor.track_info_updated(info);
    }
}

/// The arguments to create the window.
struct WindowPlan {
    editor: Arc<EguiEditor<App>>,
    shared: SharedWindowState,
    title: String,
    scale: Option<f64>,
    /// The size that the host requested before the window was created.
    size: Option<NativeSize<u32>>,
    context: GuiContext,
    host: Option<HostMethods>,
}

impl WindowPlan {
    fn open(self, parent: Option<ParentWindowHandle>) -> Result<State, WindowError> {
        let Self { editor, shared, title, scale, size, context, host } = self;
        let window_thread = shared.window_thread.clone();
        let host = host.map(|HostMethods { callbacks, main_thread_caller: inner }| HostMethods {
            callbacks,
            main_thread_caller: Box::new(MainThreadCaller { inner, window_thread }),
        });
        let result =
            catch_unwind(AssertUnwindSafe(|| editor.spawn(parent, false, scale, context, host)));
        let reason = match result {
            Ok(Ok(spawned)) => {
                let size = size.unwrap_or_else(|| shared.size(spawned.window.size().scale_factor));
                spawned.handle.set_size(size, &spawned.window)?;
                return Ok(State::Open(spawned));
            }
            Ok(Err(error)) => error.to_string(),
            Err(_) => "The window could not be created.".to_string(),
        };
        open_message(&title, &reason, parent, shared.window_thread)
    }
}

/// Calls the host's main thread, unless the host is closing the window.
struct MainThreadCaller {
    inner: Box<dyn HostMainThreadCaller>,
    window_thread: WindowThread,
}

impl HostMainThreadCaller for MainThreadCaller {
    fn call_main_thread(&mut self) {
        if !self.window_thread.is_closing() {
            self.inner.call_main_thread();
        }
    }
}

/// Opens a window with the reason why the editor is missing.
#[cfg(target_os = "linux")]
fn open_message(
    title: &str,
    reason: &str,
    parent: Option<ParentWindowHandle>,
    window_thread: WindowThread,
) -> Result<State, WindowError> {
    nice_plug::nice_error!("{title} has no editor: {reason}");
    Ok(State::Message(super::message::open(title, reason, parent, window_thread)?))
}

#[cfg(not(target_os = "linux"))]
fn open_message(
    _title: &str,
    reason: &str,
    _parent: Option<ParentWindowHandle>,
    _window_thread: WindowThread,
) -> Result<State, WindowError> {
    Err(WindowError(reason.to_string()))
}

/// Why an operation on the window failed.
#[derive(Debug)]
pub struct WindowError(String);

impl fmt::Display for WindowError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for WindowError {}

impl From<baseview::Error> for WindowError {
    fn from(error: baseview::Error) -> Self {
        Self(error.to_string())
    }
}

enum State {
    /// Not yet created.
    Planned(WindowPlan),
    Open(SpawnedEditor<EguiEditorHandle>),
    #[cfg(target_os = "linux")]
    Message(baseview::Window),
    /// Closed, or never created.
    Closed,
}

impl State {
    /// The window, if it exists.
    fn window(&self) -> Option<&baseview::Window> {
        match self {
            Self::Open(spawned) => Some(&spawned.window),
            #[cfg(target_os = "linux")]
            Self::Message(window) => Some(window),
            Self::Planned(_) | Self::Closed => None,
        }
    }
}

/// The editor's window, or the plan to create it.
pub struct EditorWindow {
    state: RefCell<State>,
    shared: SharedWindowState,
    /// The settings with which it was opened.
    opened_settings: WindowSettings,
}

impl EditorWindow {
    /// Calls `act` with the window, if it exists.
    fn with(
        &self,
        act: impl FnOnce(&baseview::Window) -> Result<(), baseview::Error>,
    ) -> Result<(), WindowError> {
        match self.state.borrow().window() {
            Some(window) => Ok(act(window)?),
            None => Ok(()),
        }
    }

    /// Creates the window if it is planned. Returns whether it was.
    fn create(&self, parent: Option<ParentWindowHandle>) -> Result<bool, WindowError> {
        if !self.is_planned() {
            return Ok(false);
        }
        // No borrow is held while the window is created, because the host may call back.
        if let State::Planned(plan) = self.state.replace(State::Closed) {
            let state = plan.open(parent)?;
            self.state.replace(state);
        }
        Ok(true)
    }

    /// True if the window is not yet created.
    fn is_planned(&self) -> bool {
        matches!(*self.state.borrow(), State::Planned(_))
    }
}

impl Drop for EditorWindow {
    fn drop(&mut self) {
        let (state, window_thread) =
            (self.state.replace(State::Closed), &self.shared.window_thread);
        window_thread.begin_closing();
        if state.window().is_some_and(|window| window.is_open()) {
            window_thread.request_close();
        }
        if !window_thread.wait() {
            nice_plug::nice_error!("The editor's window thread does not end");
            // The framework would wait for it forever.
            std::mem::forget(state);
        // If a driver panicked while it drew, closing the window raises that panic again; it must
        // not reach the host.
        } else if catch_unwind(AssertUnwindSafe(|| drop(state))).is_err() {
            nice_plug::nice_error!("The editor's window had ended by itself");
        }
        let window_settings = self.shared.extras.window_settings();
        if window_settings != self.opened_settings {
            preferences::save(&window_settings);
        }
    }
}

/// Handles the host's requests to the window.
pub struct Handle {
    repaint: RepaintNotifier,
}

impl EditorHandle for Handle {
    type Window = EditorWindow;
    type Error = WindowError;

    fn run_until_closed(window_state: EditorWindow) -> Result<(), WindowError> {
        let run = || match window_state.state.replace(State::Closed) {
            // The handle must live until the window is closed.
            State::Open(SpawnedEditor { handle: _handle, window }) => {
                Ok(window.run_until_closed()?)
            }
            #[cfg(target_os = "linux")]
            State::Message(window) => Ok(window.run_until_closed()?),
            State::Planned(_) | State::Closed => Ok(()),
        };
        catch_unwind(AssertUnwindSafe(run))
            .unwrap_or_else(|_| Err(WindowError("the window was lost".to_string())))
    }

    fn set_parent(
        &self,
        parent: ParentWindowHandle,
        window_state: &EditorWindow,
    ) -> Result<(), WindowError> {
        if window_state.create(Some(parent))? {
            Ok(())
        } else {
            window_state.with(|window| window.set_parent(&parent))
        }
    }

    fn show(&self, window_state: &EditorWindow) -> Result<(), WindowError> {
        window_state.create(None)?;
        window_state.with(|window| window.show())?;
        self.repaint.request_repaint();
        Ok(())
    }

    fn hide(&self, window_state: &EditorWindow) -> Result<(), WindowError> {
        window_state.with(|window| window.hide())
    }

    fn set_size(
        &self,
        size: NativeSize<u32>,
        window_state: &EditorWindow,
    ) -> Result<(), WindowError> {
        if window_state.is_planned() {
            if let State::Planned(plan) = &mut *window_state.state.borrow_mut() {
                plan.size = Some(size);
            }
            return Ok(());
        }
        window_state.with(|window| window.resize(size))
    }

    fn adjust_size(
        &self,
        size: NativeSize<u32>,
        window_state: &EditorWindow,
    ) -> Option<NativeSize<u32>> {
        match &*window_state.state.borrow() {
            State::Open(spawned) => spawned.handle.adjust_size(size, &spawned.window),
            _ => Some(size),
        }
    }

    fn set_fallback_scale_factor(
        &self,
        scale: f64,
        window_state: &EditorWindow,
    ) -> Result<(), WindowError> {
        if window_state.is_planned() {
            if let State::Planned(plan) = &mut *window_state.state.borrow_mut() {
                plan.scale = Some(scale);
            }
            return Ok(());
        }
        window_state.with(|window| window.suggest_fallback_scale_factor(scale))
    }

    fn host_main_thread_callback(&self, window_state: &EditorWindow) {
        let _ = window_state.with(|window| {
            window.host_main_thread_callback();
            Ok(())
        });
    }

    fn state_changed(&self) {
        self.repaint.request_repaint();
    }

    fn param_value_changed(&self, _id: &str, _position: f32) {
        self.repaint.request_repaint();
    }

    fn param_modulation_changed(&self, _id: &str, _offset: f32) {
        self.repaint.request_repaint();
    }
}
