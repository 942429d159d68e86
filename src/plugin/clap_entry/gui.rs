//! The CLAP extension for the editor's window.
//!
//! Hosts call from any thread: a test thread creates the instance, a message thread opens the
//! window, a third one deletes the instance. On Linux that is safe, because the window has a thread
//! of its own and this side only sends it messages. On macOS and Windows a window belongs to one
//! thread; calls from another are refused, and a window that is dropped on the wrong thread is
//! leaked.

use std::error::Error;
use std::ffi::{CStr, c_char};
use std::mem::ManuallyDrop;
use std::num::NonZeroIsize;
use std::ptr::NonNull;
use std::sync::{Arc, Mutex};
use std::thread::ThreadId;

use clap_sys::ext::gui::{
    CLAP_EXT_GUI, CLAP_WINDOW_API_COCOA, CLAP_WINDOW_API_WIN32, CLAP_WINDOW_API_X11,
    clap_gui_resize_hints, clap_host_gui, clap_plugin_gui, clap_window,
};
use clap_sys::host::clap_host;
use clap_sys::plugin::clap_plugin;
use nice_plug::context::gui::GuiContext;
use nice_plug::editor::dpi::{NativeSize, Size};
use nice_plug::editor::{
    Editor, EditorHandle as _, HostCallbacks, HostMainThreadCaller, HostMethods,
    ParentWindowHandle, SpawnedEditor,
};
use parking_lot::ReentrantMutex;

use super::edits::{Context, Edits, extension};
use super::instance::Instance;
use crate::plugin::instance_parts::EditorHandle;
use crate::shared_state::{catch_panic, lock};

/// The GUI extension.
pub static EXTENSION: clap_plugin_gui = clap_plugin_gui {
    is_api_supported: Some(is_api_supported),
    get_preferred_api: Some(get_preferred_api),
    create: Some(create),
    destroy: Some(destroy),
    set_scale: Some(set_scale),
    get_size: Some(get_size),
    can_resize: Some(can_resize),
    get_resize_hints: Some(get_resize_hints),
    adjust_size: Some(adjust_size),
    set_size: Some(set_size),
    set_parent: Some(set_parent),
    set_transient: Some(set_transient),
    suggest_title: Some(suggest_title),
    show: Some(show),
    hide: Some(hide),
};

/// The window system of this platform.
const API: &CStr = if cfg!(target_os = "macos") {
    CLAP_WINDOW_API_COCOA
} else if cfg!(target_os = "windows") {
    CLAP_WINDOW_API_WIN32
} else {
    CLAP_WINDOW_API_X11
};

/// An open editor. Several threads may call it, one at a time; calls may nest.
struct Window {
    editor: ReentrantMutex<ManuallyDrop<SpawnedEditor<EditorHandle>>>,
    thread: ThreadId,
}

// SAFETY: on Linux the editor's handle consists of channels and flags, which any thread may use;
// elsewhere `may_touch` restricts it to the thread that created it. The mutex admits one thread at
// a time.
unsafe impl Send for Window {}
// SAFETY: as above.
unsafe impl Sync for Window {}

impl Window {
    fn new(editor: SpawnedEditor<EditorHandle>) -> Self {
        let editor = ReentrantMutex::new(ManuallyDrop::new(editor));
        Self { editor, thread: std::thread::current().id() }
    }

    fn may_touch(&self) -> bool {
        cfg!(target_os = "linux") || std::thread::current().id() == self.thread
    }
}

impl Drop for Window {
    fn drop(&mut self) {
        if self.may_touch() {
            // SAFETY: it is dropped once and not used afterwards.
            unsafe { ManuallyDrop::drop(self.editor.get_mut()) };
        }
    }
}

/// The editor of an instance, open or closed.
#[derive(Default)]
pub struct Gui {
    window: Mutex<Option<Arc<Window>>>,
    /// The scale that the host has set, for later windows.
    scale: Mutex<Option<f64>>,
}

impl Gui {
    /// Calls `act` with the open window. If the window is closed in the meantime, it is dropped
    /// afterwards.
    fn with<T>(&self, act: impl FnOnce(&SpawnedEditor<EditorHandle>) -> T) -> Option<T> {
        let window = lock(&self.window).clone();
        let window = window.filter(|window| window.may_touch())?;
        let editor = window.editor.lock();
        Some(act(&editor))
    }

    /// Closes the window, if it is open.
    pub fn close(&self) {
        let window = lock(&self.window).take();
        drop(window);
    }

    /// Passes the window's requests to the host. Main thread.
    pub fn main_thread_callback(&self) {
        self.with(|editor| editor.handle.host_main_thread_callback(&editor.window));
    }
}

/// The host, as the open editor calls it.
struct HostSide {
    host: *const clap_host,
    edits: Arc<Edits>,
}

// SAFETY: `request_callback` is allowed on any thread, and the rest is called on the main thread.
unsafe impl Send for HostSide {}

impl HostSide {
    fn gui(&self) -> Option<&clap_host_gui> {
        // SAFETY: the host outlives its instances, and an instance closes its window before it is
        // destroyed.
        unsafe { extension(self.host, CLAP_EXT_GUI) }
    }
}

impl HostCallbacks for HostSide {
    fn request_resize(&mut self, size: Size, scale: f64) -> Result<(), Box<dyn Error>> {
        let size = NativeSize::<u32>::from_size(size, scale);
        let request = self.gui().and_then(|gui| gui.request_resize);
        // SAFETY: as above; on the main thread.
        let is_granted =
            request.is_some_and(|ask| unsafe { ask(self.host, size.width, size.height) });
        if is_granted { Ok(()) } else { Err("the host refuses this size".into()) }
    }

    fn destroyed(&mut self) {
        if let Some(closed) = self.gui().and_then(|gui| gui.closed) {
            // SAFETY: as above; on the main thread.
            unsafe { closed(self.host, true) };
        }
    }
}

impl HostMainThreadCaller for HostSide {
    fn call_main_thread(&mut self) {
        // Through `Edits`, which knows whether the host is still connected: this is the window's
        // own thread.
        self.edits.request_callback();
    }
}

/// Calls `act` with the open window of an instance. Returns false if there is none or it fails.
///
/// # Safety
/// The pointer is null or a live instance.
unsafe fn with(
    plugin: *const clap_plugin,
    act: impl FnOnce(&SpawnedEditor<EditorHandle>) -> bool,
) -> bool {
    // SAFETY: guaranteed by the caller.
    let instance = unsafe { Instance::of(plugin) };
    catch_panic(false, || instance.and_then(|instance| instance.gui.with(act)).unwrap_or(false))
}

/// Whether the call succeeded; logs the error if not.
fn report<E: Error>(what: &str, result: Result<(), E>) -> bool {
    if let Err(error) = &result {
        nice_plug::nice_error!("The editor: {what}: {error}");
    }
    result.is_ok()
}

unsafe extern "C" fn is_api_supported(
    _plugin: *const clap_plugin,
    api: *const c_char,
    is_floating: bool,
) -> bool {
    // SAFETY: the host passes a NUL-terminated string.
    !is_floating && !api.is_null() && unsafe { CStr::from_ptr(api) } == API
}

unsafe extern "C" fn get_preferred_api(
    _plugin: *const clap_plugin,
    api: *mut *const c_char,
    is_floating: *mut bool,
) -> bool {
    if api.is_null() || is_floating.is_null() {
        return false;
    }
    // SAFETY: the host passes pointers to write to.
    unsafe {
        *api = API.as_ptr();
        *is_floating = false;
    }
    true
}

unsafe extern "C" fn create(
    plugin: *const clap_plugin,
    api: *const c_char,
    is_floating: bool,
) -> bool {
    // SAFETY: as above.
    if unsafe { !is_api_supported(plugin, api, is_floating) } {
        return false;
    }
    // SAFETY: the host passes an instance of ours.
    let Some(instance) = (unsafe { Instance::of(plugin) }) else { return false };
    catch_panic(false, || {
        let mut open = lock(&instance.gui.window);
        let Some(editor_factory) =
            instance.parts.editor_factory.as_ref().filter(|_| open.is_none())
        else {
            return false;
        };
        // SAFETY: called by the host, on its main thread.
        unsafe { instance.edits.update_has_menu(instance.host) };
        let host = || HostSide { host: instance.host, edits: instance.edits.clone() };
        let methods =
            HostMethods { callbacks: Box::new(host()), main_thread_caller: Box::new(host()) };
        let context = GuiContext::new(Arc::new(Context(instance.edits.clone())));
        let scale = *lock(&instance.gui.scale);
        match editor_factory.spawn(None, true, scale, context, Some(methods)) {
            Ok(editor) => {
                *open = Some(Arc::new(Window::new(editor)));
                true
            }
            Err(error) => {
                nice_plug::nice_error!("The editor cannot be opened: {error}");
                false
            }
        }
    })
}

unsafe extern "C" fn destroy(plugin: *const clap_plugin) {
    // SAFETY: as above.
    if let Some(instance) = unsafe { Instance::of(plugin) } {
        catch_panic((), || instance.gui.close());
    }
}

unsafe extern "C" fn set_scale(plugin: *const clap_plugin, scale: f64) -> bool {
    // SAFETY: as above.
    let Some(instance) = (unsafe { Instance::of(plugin) }) else { return false };
    if !(0.1..=16.0).contains(&scale) {
        return false;
    }
    *lock(&instance.gui.scale) = Some(scale);
    // SAFETY: as above.
    unsafe {
        with(plugin, |editor| {
            report("scale", editor.handle.set_fallback_scale_factor(scale, &editor.window))
        })
    }
}

unsafe extern "C" fn get_size(
    plugin: *const clap_plugin,
    width: *mut u32,
    height: *mut u32,
) -> bool {
    // SAFETY: as above.
    let editor_factory =
        unsafe { Instance::of(plugin) }.and_then(|it| it.parts.editor_factory.as_ref());
    let Some(editor_factory) = editor_factory.filter(|_| !width.is_null() && !height.is_null())
    else {
        return false;
    };
    catch_panic(false, || {
        let size = editor_factory.size();
        // SAFETY: the host passes pointers to write to.
        unsafe { (*width, *height) = (size.width, size.height) };
        true
    })
}

unsafe extern "C" fn can_resize(plugin: *const clap_plugin) -> bool {
    // SAFETY: as above.
    let editor_factory =
        unsafe { Instance::of(plugin) }.and_then(|it| it.parts.editor_factory.as_ref());
    catch_panic(false, || {
        editor_factory.is_some_and(|editor_factory| editor_factory.resize_hint().can_resize)
    })
}

unsafe extern "C" fn get_resize_hints(
    plugin: *const clap_plugin,
    hints: *mut clap_gui_resize_hints,
) -> bool {
    // SAFETY: as above.
    let editor_factory =
        unsafe { Instance::of(plugin) }.and_then(|it| it.parts.editor_factory.as_ref());
    let Some(editor_factory) = editor_factory.filter(|_| !hints.is_null()) else { return false };
    catch_panic(false, || {
        let hint = editor_factory.resize_hint();
        // SAFETY: the host passes a pointer to write to.
        unsafe {
            *hints = clap_gui_resize_hints {
                can_resize_horizontally: hint.can_resize_horizontally,
                can_resize_vertically: hint.can_resize_vertically,
                preserve_aspect_ratio: hint.preserve_aspect_ratio,
                aspect_ratio_width: hint.aspect_ratio_width,
                aspect_ratio_height: hint.aspect_ratio_height,
            };
        }
        hint.can_resize
    })
}

unsafe extern "C" fn adjust_size(
    plugin: *const clap_plugin,
    width: *mut u32,
    height: *mut u32,
) -> bool {
    if width.is_null() || height.is_null() {
        return false;
    }
    // SAFETY: as above; the host passes pointers to read and write.
    unsafe {
        with(plugin, |editor| {
            let size = NativeSize::new(*width, *height);
            let Some(size) = editor.handle.adjust_size(size, &editor.window) else { return false };
            (*width, *height) = (size.width, size.height);
            true
        })
    }
}

unsafe extern "C" fn set_size(plugin: *const clap_plugin, width: u32, height: u32) -> bool {
    // SAFETY: as above.
    unsafe {
        with(plugin, |editor| {
            report("size", editor.handle.set_size(NativeSize { width, height }, &editor.window))
        })
    }
}

unsafe extern "C" fn set_parent(plugin: *const clap_plugin, window: *const clap_window) -> bool {
    // SAFETY: the host passes a window that is valid during the call.
    let parent = unsafe { window.as_ref() }.and_then(|window| unsafe { parent(window) });
    let Some(parent) = parent else { return false };
    // SAFETY: as above.
    unsafe {
        with(plugin, |editor| report("parent", editor.handle.set_parent(parent, &editor.window)))
    }
}

/// The host's window for the editor.
///
/// # Safety
/// The name of the window system is NUL-terminated.
unsafe fn parent(window: &clap_window) -> Option<ParentWindowHandle> {
    // SAFETY: guaranteed by the caller; the field of that window system is the one that is set.
    unsafe {
        if window.api.is_null() {
            return None;
        }
        match CStr::from_ptr(window.api) {
            api if api == CLAP_WINDOW_API_X11 => {
                Some(window.specific.x11).filter(|id| *id != 0).map(ParentWindowHandle::XlibWindow)
            }
            api if api == CLAP_WINDOW_API_COCOA => {
                NonNull::new(window.specific.cocoa).map(ParentWindowHandle::AppKitNsView)
            }
            api if api == CLAP_WINDOW_API_WIN32 => {
                NonZeroIsize::new(window.specific.win32 as isize).map(ParentWindowHandle::Win32Hwnd)
            }
            _ => None,
        }
    }
}

unsafe extern "C" fn set_transient(
    _plugin: *const clap_plugin,
    _window: *const clap_window,
) -> bool {
    false
}

unsafe extern "C" fn suggest_title(_plugin: *const clap_plugin, _title: *const c_char) {}

unsafe extern "C" fn show(plugin: *const clap_plugin) -> bool {
    // SAFETY: as above.
    unsafe { with(plugin, |editor| report("show", editor.handle.show(&editor.window))) }
}

unsafe extern "C" fn hide(plugin: *const clap_plugin) -> bool {
    // SAFETY: as above.
    unsafe { with(plugin, |editor| report("hide", editor.handle.hide(&editor.window))) }
}
