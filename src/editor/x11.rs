//! What the window's framework leaves out on Linux.

mod errors;
pub mod keys;
mod wire;

use nice_plug_egui::baseview::{HandlerError, WindowContext};
use raw_window_handle::{HasWindowHandle, RawWindowHandle};
use x11rb::CURRENT_TIME;
use x11rb::connection::Connection;
use x11rb::protocol::xproto::{
    ClientMessageEvent, ConnectionExt, CreateGCAux, CreateWindowAux, EventMask, ImageFormat,
    WindowClass,
};
use x11rb::rust_connection::RustConnection;
use x11rb::xcb_ffi::XCBConnection;

use super::window_thread::WindowThread;

/// Bytes of a picture that go out at once: less than the least that every server takes.
const MAX_BYTES: usize = 200_000;

const XLIB: &str = "libX11.so.6";

/// Libraries that the framework loads for each window and unloads with it.
const KEPT: [&str; 5] = ["libEGL.so.1", "libGL.so.1", XLIB, "libX11-xcb.so.1", "libXcursor.so.1"];

/// Keep the libraries of drawing in memory from now on, and this plug-in: the thread that serves
/// the clipboard outlives the window, and a host may unload a plug-in that is no longer used.
///
/// They leave something to do with every thread that has used them, for when it ends. Unloaded with
/// the last window while such a thread is still about to end, they are called where they no longer
/// are, and the host is gone.
#[allow(unsafe_code)]
pub fn keep_libraries() {
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| {
        for name in KEPT.map(str::to_string).into_iter().chain(own_file()) {
            // SAFETY: the framework loads the same system libraries a moment later, and the plug-in
            // is loaded.
            if let Ok(library) = unsafe { libloading::Library::new(&name) } {
                if name == XLIB {
                    errors::set_handlers(&library);
                }
                std::mem::forget(library);
            }
        }
    });
}

/// The file from which this code was loaded.
fn own_file() -> Option<String> {
    let here = own_file as fn() -> Option<String> as usize;
    let maps = std::fs::read_to_string("/proc/self/maps").ok()?;
    maps.lines().find_map(|line| {
        let (range, rest) = line.split_once(' ')?;
        let (from, to) = range.split_once('-')?;
        let address = |text| usize::from_str_radix(text, 16).ok();
        let is_here = (address(from)?..address(to)?).contains(&here);
        rest.find('/').filter(|_| is_here).map(|start| rest[start..].to_string())
    })
}

/// The number of a window.
fn id_of(window: &WindowContext) -> Result<u32, HandlerError> {
    let handle = window.platform_handle();
    let handle =
        handle.window_handle().map_err(|error| std::io::Error::other(error.to_string()))?;
    match handle.as_raw() {
        RawWindowHandle::Xcb(handle) => Ok(handle.window.get()),
        RawWindowHandle::Xlib(handle) => Ok(handle.window as u32),
        _ => Err(std::io::Error::other("the window is none of X11").into()),
    }
}

/// Show a window before its event loop runs.
///
/// The framework asks the server when to draw first, and listens for the answer only once the
/// window is shown. If the asking comes first (after 16 ms, or at once if anything wants to be
/// drawn), the answer is lost, none is asked for again, and the window stays empty for good. Shown
/// from here, the event loop finds the window shown as its first news.
pub fn show(window: &WindowContext) -> Result<(), HandlerError> {
    let (connection, _) = x11rb::connect(None)?;
    connection.map_window(id_of(window)?)?.check()?;
    Ok(())
}

/// Where a window's thread can be reached.
#[derive(Clone, Copy)]
pub struct Address {
    window: u32,
    /// A window of the same connection that is never shown, and that nobody destroys.
    mailbox: u32,
}

/// The calling thread serves a window from now on.
pub fn serve(window: &WindowContext, window_thread: &WindowThread) -> Result<(), HandlerError> {
    errors::take_errors(window, window_thread);
    let address = wire::with_connection(window, |connection| {
        let (window, mailbox) = (id_of(window)?, connection.generate_id()?);
        let (root, aux) = (connection.get_geometry(window)?.reply()?.root, CreateWindowAux::new());
        let class = WindowClass::INPUT_ONLY;
        connection.create_window(0, mailbox, root, -1, -1, 1, 1, 0, class, 0, &aux)?.check()?;
        Ok(Address { window, mailbox })
    })?;
    window_thread.begin(Some(address));
    Ok(())
}

/// Asks a window to close, as a window manager does: its loop ends by itself.
///
/// The message goes to its mailbox, because the host may have destroyed the window itself.
pub fn ask_to_close(Address { window, mailbox }: Address) -> Result<(), HandlerError> {
    let (connection, _) = x11rb::connect(None)?;
    let atom =
        |name: &[u8]| Ok::<_, HandlerError>(connection.intern_atom(false, name)?.reply()?.atom);
    let (protocols, delete) = (atom(b"WM_PROTOCOLS")?, atom(b"WM_DELETE_WINDOW")?);
    let event = ClientMessageEvent::new(32, window, protocols, [delete, CURRENT_TIME, 0, 0, 0]);
    connection.send_event(false, mailbox, EventMask::NO_EVENT, event)?.check()?;
    Ok(())
}

/// True if the window is no more, as after the host has destroyed the one that it is in.
pub fn is_gone(window: &WindowContext) -> bool {
    let ask = |connection: &XCBConnection| Ok(connection.get_geometry(id_of(window)?)?.reply()?);
    wire::with_connection(window, ask).is_err()
}

/// Pixels on a window, without a graphics context.
pub struct Canvas {
    connection: RustConnection,
    window: u32,
}

impl Canvas {
    /// On a window.
    pub fn new(window: &WindowContext) -> Result<Self, HandlerError> {
        let (connection, _) = x11rb::connect(None)?;
        Ok(Self { connection, window: id_of(window)? })
    }

    /// Put a picture there, from the upper left corner on.
    pub fn put(&self, picture: &egui::ColorImage) -> Result<(), HandlerError> {
        let Self { connection, window } = self;
        let depth = connection.get_geometry(*window)?.reply()?.depth;
        let pen = connection.generate_id()?;
        connection.create_gc(pen, *window, &CreateGCAux::new())?;
        let [width, height] = picture.size;
        let rows = (MAX_BYTES / (4 * width.max(1))).max(1);
        for (index, strip) in picture.pixels.chunks(rows * width.max(1)).enumerate() {
            let bytes: Vec<u8> =
                strip.iter().flat_map(|pixel| [pixel.b(), pixel.g(), pixel.r(), 255]).collect();
            let top = index * rows;
            let tall = rows.min(height - top);
            let (format, width) = (ImageFormat::Z_PIXMAP, width as u16);
            connection.put_image(
                format,
                *window,
                pen,
                width,
                tall as u16,
                0,
                top as i16,
                0,
                depth,
                &bytes,
            )?;
        }
        connection.free_gc(pen)?.check()?;
        Ok(())
    }
}
