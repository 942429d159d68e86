//! Lost connections: they end the editor, not the host.
//!
//! Xlib ends the process when a connection is lost, and when the server refuses a request. Its two
//! handlers are global. Those set here take the errors of threads that serve an editor, and pass on
//! all others to the handlers that were there before, which are the host's.
//!
//! - The window's thread looks before each frame whether its window is still there, and ends if it
//!   is not. It leaks what it holds of a lost connection: nothing can be given back over it.
//! - Xlib calls `exit` when the handler of a lost connection returns, or leaves the libraries of
//!   GLX without room for their next request, which they write nevertheless. So a thread that meets
//!   the loss within Xlib sleeps for ever, and its window is left to it.
//! - EGL, which the framework prefers, does not use Xlib within a frame. But Mesa 22 without a
//!   graphics card, if it meets the loss there, tries again for ever and keeps a processor busy.

use std::cell::{Cell, RefCell};
use std::ffi::{c_int, c_uchar, c_ulong, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::OnceLock;

use libloading::Library;
use nice_plug_egui::baseview::gl::GlContext;
use nice_plug_egui::baseview::{PlatformHandle, WindowContext};
use x11rb::protocol::xproto::ConnectionExt;

use super::wire::with_display;
use crate::editor::window_thread::WindowThread;

type Display = *mut c_void;
type OnError = unsafe extern "C" fn(Display, *mut ErrorEvent) -> c_int;
type OnLost = unsafe extern "C" fn(Display) -> c_int;

/// `XErrorEvent` of Xlib.
#[repr(C)]
struct ErrorEvent {
    kind: c_int,
    display: Display,
    resource: c_ulong,
    serial: c_ulong,
    error: c_uchar,
    request: c_uchar,
    minor: c_uchar,
}

/// The handlers that were set before.
static ON_ERROR: OnceLock<OnError> = OnceLock::new();
static ON_LOST: OnceLock<OnLost> = OnceLock::new();
/// `XUnlockDisplay`.
static UNLOCK: OnceLock<unsafe extern "C" fn(Display)> = OnceLock::new();

thread_local! {
    /// True on a thread that serves an editor. Only that thread uses the editor's display.
    static IS_WINDOW_THREAD: Cell<bool> = const { Cell::new(false) };
    /// Dropped when the thread ends, after all that the framework holds.
    static HELD: RefCell<Option<GraphicsErrors>> = const { RefCell::new(None) };
}

/// Sets the handlers. Called once, with Xlib, which stays loaded, and so does this library.
#[allow(unsafe_code)]
pub fn set_handlers(xlib: &Library) {
    // SAFETY: the types are those of Xlib's own header, and the handlers live as long as the
    // process.
    unsafe {
        if let Ok(unlock) = xlib.get(b"XUnlockDisplay\0") {
            let _ = UNLOCK.set(*unlock);
        }
        if let Ok(set) =
            xlib.get::<unsafe extern "C" fn(OnError) -> Option<OnError>>(b"XSetErrorHandler\0")
            && let Some(before) = set(on_error)
        {
            let _ = ON_ERROR.set(before);
        }
        if let Ok(set) =
            xlib.get::<unsafe extern "C" fn(OnLost) -> Option<OnLost>>(b"XSetIOErrorHandler\0")
            && let Some(before) = set(on_lost)
        {
            let _ = ON_LOST.set(before);
        }
    }
}

/// Takes the errors of the window's thread from now on. Called by that thread.
pub fn take_errors(window: &WindowContext, window_thread: &WindowThread) {
    IS_WINDOW_THREAD.set(true);
    let (display, graphics) = (window.platform_handle(), window.gl_context());
    HELD.set(Some(GraphicsErrors { display, graphics, window_thread: window_thread.clone() }));
}

#[allow(unsafe_code)]
unsafe extern "C" fn on_lost(display: Display) -> c_int {
    if !IS_WINDOW_THREAD.get() {
        // SAFETY: the handler that was set before, with what it would have been given.
        return ON_LOST.get().map_or(0, |before| unsafe { before(display) });
    }
    // Xlib has locked the display for this thread, and GLX would wait for it when the host ends.
    if let Some(unlock) = UNLOCK.get() {
        // SAFETY: Xlib hands over a display that is open.
        unsafe { unlock(display) };
    }
    // Out of reach at the very end of the thread: then the host waits for a while in vain.
    let _ = HELD.try_with(|held| {
        if let Ok(Some(held)) = held.try_borrow().as_deref() {
            held.window_thread.mark_lost();
        }
    });
    loop {
        std::thread::park();
    }
}

#[allow(unsafe_code)]
unsafe extern "C" fn on_error(display: Display, event: *mut ErrorEvent) -> c_int {
    if !IS_WINDOW_THREAD.get() {
        // SAFETY: the handler that was set before, with what it would have been given.
        return ON_ERROR.get().map_or(0, |before| unsafe { before(display, event) });
    }
    // SAFETY: Xlib hands over an event that is valid for this call.
    if let Some(ErrorEvent { error, request, minor, .. }) = unsafe { event.as_ref() } {
        nice_plug::nice_warn!(
            "The display refused request {request}.{minor} of the editor: {error}"
        );
    }
    0
}

/// The display and the graphics context of a window, held until its thread ends.
struct GraphicsErrors {
    display: PlatformHandle,
    graphics: Option<GlContext>,
    window_thread: WindowThread,
}

impl Drop for GraphicsErrors {
    #[allow(unsafe_code)]
    fn drop(&mut self) {
        let Self { display, graphics, window_thread: _ } = self;
        // A panic out of the end of a thread would abort the host.
        let _ = catch_unwind(AssertUnwindSafe(|| {
            if with_display(display, |it| Ok(it.get_input_focus()?.reply()?)).is_err() {
                std::mem::forget((display.clone(), graphics.clone()));
            } else if let Some(graphics) = graphics {
                // A frame that failed has left it current, and the driver would use it once more.
                // SAFETY: nothing draws any more.
                let _ = unsafe { graphics.make_not_current() };
            }
        }));
    }
}
