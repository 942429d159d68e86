//! X11 errors and lost connections: they end the editor, not the host.
//!
//! Xlib ends the process when a connection is lost or the server rejects a request. Its two error
//! handlers are global. The handlers set here handle errors on window threads of editors, and pass
//! all others on to the previous handlers, which belong to the host.
//!
//! - The window's thread checks before each frame that its window exists, and ends otherwise. It
//!   leaks its resources of a lost connection, because they cannot be released without it.
//! - If the handler of a lost connection returns, Xlib calls `exit`, or GLX writes its next request
//!   out of bounds. So a thread that loses its connection within Xlib sleeps forever, and keeps its
//!   window.
//! - EGL, which the framework prefers, does not use Xlib within a frame. Mesa 22 without a graphics
//!   card retries forever on a lost connection and keeps one processor busy.

use std::cell::{Cell, RefCell};
use std::ffi::{c_int, c_uchar, c_ulong, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::OnceLock;

use libloading::Library;
use nice_plug_egui::baseview::gl::GlContext;
use nice_plug_egui::baseview::{PlatformHandle, WindowContext};
use x11rb::protocol::xproto::ConnectionExt;

use super::with_display;
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

/// The previous handlers.
static ON_ERROR: OnceLock<OnError> = OnceLock::new();
static ON_LOST: OnceLock<OnLost> = OnceLock::new();
/// `XUnlockDisplay`.
static UNLOCK: OnceLock<unsafe extern "C" fn(Display)> = OnceLock::new();

thread_local! {
    /// True on the thread of an editor's window. Only that thread uses the editor's display.
    static IS_WINDOW_THREAD: Cell<bool> = const { Cell::new(false) };
    /// Dropped when the thread ends, after everything the framework holds.
    static HELD: RefCell<Option<WindowResources>> = const { RefCell::new(None) };
}

/// Sets the handlers. Call once; `xlib` and this plug-in must stay loaded.
#[allow(unsafe_code)]
pub fn set_handlers(xlib: &Library) {
    // SAFETY: the types match Xlib's header, and the handlers live as long as the process.
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

/// Handles errors of the window's thread from now on. Call on that thread.
pub fn handle_errors(window: &WindowContext, window_thread: &WindowThread) {
    IS_WINDOW_THREAD.set(true);
    let (display, graphics) = (window.platform_handle(), window.gl_context());
    HELD.set(Some(WindowResources { display, graphics, window_thread: window_thread.clone() }));
}

#[allow(unsafe_code)]
unsafe extern "C" fn on_lost(display: Display) -> c_int {
    if !IS_WINDOW_THREAD.get() {
        // SAFETY: the previous handler gets the arguments that Xlib passed.
        return ON_LOST.get().map_or(0, |before| unsafe { before(display) });
    }
    // Xlib holds the display's lock on this thread; GLX would wait for it when the host ends.
    if let Some(unlock) = UNLOCK.get() {
        // SAFETY: Xlib passes an open display.
        unsafe { unlock(display) };
    }
    // Inaccessible while the thread's locals are dropped: the host then waits for its timeout.
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
        // SAFETY: the previous handler gets the arguments that Xlib passed.
        return ON_ERROR.get().map_or(0, |before| unsafe { before(display, event) });
    }
    // SAFETY: Xlib passes an event that is valid during this call.
    if let Some(ErrorEvent { error, request, minor, .. }) = unsafe { event.as_ref() } {
        nice_plug::nice_warn!(
            "The X server rejected request {request}.{minor} of the editor: {error}"
        );
    }
    0
}

/// Display and graphics context of a window, held until its thread ends.
struct WindowResources {
    display: PlatformHandle,
    graphics: Option<GlContext>,
    window_thread: WindowThread,
}

impl Drop for WindowResources {
    #[allow(unsafe_code)]
    fn drop(&mut self) {
        let Self { display, graphics, window_thread: _ } = self;
        // A panic in a thread-local destructor would abort the host.
        let _ = catch_unwind(AssertUnwindSafe(|| {
            if with_display(display, |connection| Ok(connection.get_input_focus()?.reply()?))
                .is_err()
            {
                std::mem::forget((display.clone(), graphics.clone()));
            } else if let Some(graphics) = graphics {
                // A failed frame leaves the context current, and the driver would use it again.
                // SAFETY: the thread has stopped drawing.
                let _ = unsafe { graphics.make_not_current() };
            }
        }));
    }
}
