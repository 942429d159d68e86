//! Around the framework's window: it is made when there is something to put it in, and what goes
//! wrong with it is told and stays here.
//!
//! A CLAP host makes an editor first and gives it a parent later. The framework would make a window
//! at once and move it when the parent is known; here it waits for the parent, so that it can be
//! shown as it is made (see `x11.rs`). If it cannot be made, because there is no graphics context,
//! a window with a message takes its place where there is a way to draw one (Linux); elsewhere the
//! host is told that there is no editor.

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

use super::pixel_scale::PixelScale;
use super::window_settings::WindowSettings;
use super::window_thread::WindowThread;
use super::{App, preferences};
use crate::shared_state::extras::Extras;

/// The editor as the plug-in gives it to the framework. Clones are the same.
#[derive(Clone)]
pub struct EditorFactory {
    editor: Arc<EguiEditor<App>>,
    shared: SharedWindowState,
    repaint: RepaintNotifier,
    title: String,
}

/// What is to be known around a window.
#[derive(Clone)]
pub struct SharedWindowState {
    /// Who serves it.
    pub window_thread: WindowThread,
    /// What it looks like.
    pub extras: Arc<Extras>,
    /// How large a logical pixel is.
    pub scale: PixelScale,
}

impl SharedWindowState {
    /// The window that the look wants, on a screen with so many pixels for a logical one.
    fn size(&self, scale: f64) -> NativeSize<u32> {
        let (width, height) = self.extras.window_settings().window();
        NativeSize::from_size(LogicalSize::new(width, height).into(), scale)
    }
}

impl EditorFactory {
    /// Around an editor.
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
        let opened = shared.extras.window_settings();
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
            window: EditorWindow { state: RefCell::new(state), shared, opened },
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

/// What is needed to make the window.
struct WindowPlan {
    editor: Arc<EguiEditor<App>>,
    shared: SharedWindowState,
    title: String,
    scale: Option<f64>,
    /// The host has asked for another size meanwhile.
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
        let made =
            catch_unwind(AssertUnwindSafe(|| editor.spawn(parent, false, scale, context, host)));
        let reason = match made {
            Ok(Ok(spawned)) => {
                let size = size.unwrap_or_else(|| shared.size(spawned.window.size().scale_factor));
                spawned.handle.set_size(size, &spawned.window)?;
                return Ok(State::Open(spawned));
            }
            Ok(Err(error)) => error.to_string(),
            Err(_) => "The window could not be made.".to_string(),
        };
        open_message(&title, &reason, parent, shared.window_thread)
    }
}

/// Calls the host's main thread, but not about a window that it closes itself.
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

/// A window that says why there is no other.
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
    _server: WindowThread,
) -> Result<State, WindowError> {
    Err(WindowError(reason.to_string()))
}

/// Why something could not be done to the window.
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
    /// Not yet made.
    Planned(WindowPlan),
    Open(SpawnedEditor<EguiEditorHandle>),
    #[cfg(target_os = "linux")]
    Message(baseview::Window),
    /// Closed, or never made.
    Gone,
}

impl State {
    /// The window, if it is made.
    fn window(&self) -> Option<&baseview::Window> {
        match self {
            Self::Open(spawned) => Some(&spawned.window),
            #[cfg(target_os = "linux")]
            Self::Message(window) => Some(window),
            Self::Planned(_) | Self::Gone => None,
        }
    }
}

/// The window, as far as it is made.
pub struct EditorWindow {
    state: RefCell<State>,
    shared: SharedWindowState,
    /// What it looked like when it was opened.
    opened: WindowSettings,
}

impl EditorWindow {
    /// Do something with the window, if it is made.
    fn with(
        &self,
        act: impl FnOnce(&baseview::Window) -> Result<(), baseview::Error>,
    ) -> Result<(), WindowError> {
        match self.state.borrow().window() {
            Some(window) => Ok(act(window)?),
            None => Ok(()),
        }
    }

    /// Make the window, if it has been waiting.
    fn make(&self, parent: Option<ParentWindowHandle>) -> Result<bool, WindowError> {
        if !self.is_planned() {
            return Ok(false);
        }
        // Nothing is borrowed while the window is made: a host may call back.
        if let State::Planned(plan) = self.state.replace(State::Gone) {
            let made = plan.open(parent)?;
            self.state.replace(made);
        }
        Ok(true)
    }

    /// Whether the window waits to be made.
    fn is_planned(&self) -> bool {
        matches!(*self.state.borrow(), State::Planned(_))
    }
}

impl Drop for EditorWindow {
    fn drop(&mut self) {
        let (state, window_thread) = (self.state.replace(State::Gone), &self.shared.window_thread);
        window_thread.begin_closing();
        if state.window().is_some_and(|window| window.is_open()) {
            window_thread.ask_to_close();
        }
        if !window_thread.wait() {
            nice_plug::nice_error!("The editor's window does not end");
            // The framework would wait for it without end.
            std::mem::forget(state);
        // A driver that fails while it draws ends the window's thread, and closing the window would
        // hand that on to the host, which could not go on.
        } else if catch_unwind(AssertUnwindSafe(|| drop(state))).is_err() {
            nice_plug::nice_error!("The editor's window had ended by itself");
        }
        let window_settings = self.shared.extras.window_settings();
        if window_settings != self.opened {
            preferences::save(&window_settings);
        }
    }
}

/// What the host's wishes come to.
pub struct Handle {
    repaint: RepaintNotifier,
}

impl EditorHandle for Handle {
    type Window = EditorWindow;
    type Error = WindowError;

    fn run_until_closed(window_state: EditorWindow) -> Result<(), WindowError> {
        let run = || match window_state.state.replace(State::Gone) {
            // The handle lives on until the window is closed.
            State::Open(SpawnedEditor { handle: _handle, window }) => {
                Ok(window.run_until_closed()?)
            }
            #[cfg(target_os = "linux")]
            State::Message(window) => Ok(window.run_until_closed()?),
            State::Planned(_) | State::Gone => Ok(()),
        };
        catch_unwind(AssertUnwindSafe(run))
            .unwrap_or_else(|_| Err(WindowError("the window was lost".to_string())))
    }

    fn set_parent(
        &self,
        parent: ParentWindowHandle,
        window_state: &EditorWindow,
    ) -> Result<(), WindowError> {
        if window_state.make(Some(parent))? {
            Ok(())
        } else {
            window_state.with(|window| window.set_parent(&parent))
        }
    }

    fn show(&self, window_state: &EditorWindow) -> Result<(), WindowError> {
        window_state.make(None)?;
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
