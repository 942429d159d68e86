//! The host's own connection by Xlib, with error handlers that count.

use std::ffi::{c_char, c_int, c_long, c_uint, c_ulong, c_void};
use std::sync::atomic::{AtomicUsize, Ordering};

use libloading::{Library, Symbol};

type Display = *mut c_void;

static REFUSED: AtomicUsize = AtomicUsize::new(0);
static LOST: AtomicUsize = AtomicUsize::new(0);

extern "C" fn on_error(_: Display, _: *mut c_void) -> c_int {
    REFUSED.fetch_add(1, Ordering::SeqCst) as c_int
}

extern "C" fn on_lost(_: Display) -> c_int {
    LOST.fetch_add(1, Ordering::SeqCst) as c_int
}

/// Replaces `exit`.
extern "C" fn stay(_: Display, _: *mut c_void) {}

/// A connection that is never closed: closing would use it after it is lost.
pub struct Xlib {
    library: Library,
    display: Display,
    window: c_ulong,
}

#[allow(unsafe_code)] // Xlib's functions, with the types of its own header.
impl Xlib {
    /// Sets the handlers, and connects.
    pub fn open() -> Self {
        unsafe {
            let library = Library::new("libX11.so.6").expect("it is installed");
            type SetOnError =
                extern "C" fn(extern "C" fn(Display, *mut c_void) -> c_int) -> *mut c_void;
            type SetOnLost = extern "C" fn(extern "C" fn(Display) -> c_int) -> *mut c_void;
            type SetOnExit =
                extern "C" fn(Display, extern "C" fn(Display, *mut c_void), *mut c_void);
            type Create = extern "C" fn(
                Display,
                c_ulong,
                c_int,
                c_int,
                c_uint,
                c_uint,
                c_uint,
                c_ulong,
                c_ulong,
            ) -> c_ulong;
            function::<extern "C" fn() -> c_int>(&library, "XInitThreads")();
            function::<SetOnError>(&library, "XSetErrorHandler")(on_error);
            function::<SetOnLost>(&library, "XSetIOErrorHandler")(on_lost);
            let open =
                function::<extern "C" fn(*const c_char) -> Display>(&library, "XOpenDisplay");
            let display = open(std::ptr::null());
            assert!(!display.is_null(), "there is a display");
            function::<SetOnExit>(&library, "XSetIOErrorExitHandler")(
                display,
                stay,
                std::ptr::null_mut(),
            );
            let root = function::<extern "C" fn(Display) -> c_ulong>(
                &library,
                "XDefaultRootWindow",
            )(display);
            let create = function::<Create>(&library, "XCreateSimpleWindow");
            let window = create(display, root, 0, 0, 1, 1, 0, 0, 0);
            let xlib = Self { display, window, library };
            xlib.sync();
            xlib
        }
    }

    pub fn window(&self) -> u32 {
        self.window as u32
    }

    /// Returns when all requests have been processed, or the connection is lost.
    pub fn sync(&self) {
        unsafe {
            function::<extern "C" fn(Display, c_int) -> c_int>(&self.library, "XSync")(
                self.display,
                0,
            )
        };
    }

    /// Sends an invalid request.
    pub fn use_no_window(&self) {
        const NONE: c_long = 0xdead;
        let map = unsafe {
            function::<extern "C" fn(Display, c_long) -> c_int>(&self.library, "XMapWindow")
        };
        map(self.display, NONE);
        self.sync();
    }

    /// Errors that reached the host's handler.
    pub fn refused(&self) -> usize {
        REFUSED.load(Ordering::SeqCst)
    }

    /// Number of calls of the host's handler for lost connections.
    pub fn lost(&self) -> usize {
        LOST.load(Ordering::SeqCst)
    }
}

#[allow(unsafe_code)]
unsafe fn function<'a, T>(library: &'a Library, name: &str) -> Symbol<'a, T> {
    unsafe { library.get(name.as_bytes()) }.expect("Xlib has it")
}
