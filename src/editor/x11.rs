//! X11 support that the window framework (baseview) lacks.

mod errors;
pub mod keys;

use nice_plug_egui::baseview::{HandlerError, PlatformHandle, WindowContext};
use raw_window_handle::{HasDisplayHandle, HasWindowHandle, RawDisplayHandle, RawWindowHandle};
use x11rb::CURRENT_TIME;
use x11rb::connection::Connection;
use x11rb::protocol::xproto::{
    ClientMessageEvent, ConnectionExt, CreateGCAux, CreateWindowAux, EventMask, ImageFormat,
    WindowClass,
};
use x11rb::rust_connection::RustConnection;
use x11rb::xcb_ffi::XCBConnection;

use super::window_thread::WindowThread;

/// Bytes of an image per request: below the minimum request size (256 KiB) of any server.
const MAX_BYTES: usize = 200_000;

const XLIB: &str = "libX11.so.6";

/// Libraries that the framework loads with each window and unloads when it closes.
const KEPT: [&str; 5] = ["libEGL.so.1", "libGL.so.1", XLIB, "libX11-xcb.so.1", "libXcursor.so.1"];

/// Keeps the graphics libraries and this plug-in loaded for the life of the process.
///
/// The libraries register destructors for every thread that uses them. If they are unloaded before
/// such a thread ends, the destructors crash the host. The plug-in stays because the framework's
/// clipboard thread outlives the window.
#[allow(unsafe_code)]
pub fn keep_libraries() {
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| {
        for name in KEPT.map(str::to_string).into_iter().chain(own_file()) {
            // SAFETY: the framework loads the same system libraries right after, and the plug-in is
            // already loaded.
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

/// The X11 id of a window.
fn id_of(window: &WindowContext) -> Result<u32, HandlerError> {
    let handle = window.platform_handle();
    let handle =
        handle.window_handle().map_err(|error| std::io::Error::other(error.to_string()))?;
    match handle.as_raw() {
        RawWindowHandle::Xcb(handle) => Ok(handle.window.get()),
        RawWindowHandle::Xlib(handle) => Ok(handle.window as u32),
        _ => Err(std::io::Error::other("the window is not an X11 window").into()),
    }
}

/// Calls `act` with the framework's connection. Only that connection can change its own requests.
pub fn with_connection<T>(
    context: &WindowContext,
    act: impl FnOnce(&XCBConnection) -> Result<T, HandlerError>,
) -> Result<T, HandlerError> {
    with_display(&context.platform_handle(), act)
}

/// Calls `act` with the connection of a display handle, which outlives the window.
#[allow(unsafe_code)]
pub fn with_display<T>(
    platform: &PlatformHandle,
    act: impl FnOnce(&XCBConnection) -> Result<T, HandlerError>,
) -> Result<T, HandlerError> {
    let handle =
        platform.display_handle().map_err(|error| std::io::Error::other(error.to_string()))?;
    let RawDisplayHandle::Xcb(handle) = handle.as_raw() else {
        return Err(std::io::Error::other("the display is not an X11 display").into());
    };
    let raw = handle.connection.ok_or_else(|| std::io::Error::other("there is no connection"))?;
    // SAFETY: `platform` keeps the connection open during this call, and `false` leaves it open.
    let connection = unsafe { XCBConnection::from_raw_xcb_connection(raw.as_ptr(), false)? };
    act(&connection)
}

/// Shows a window before its event loop runs.
///
/// The framework requests a frame notification from the server, but ignores the reply until the
/// window is mapped. If the request comes first, the framework never sends another one and the
/// window stays empty. Mapped here, the window is known as mapped from the first event on.
pub fn show(window: &WindowContext) -> Result<(), HandlerError> {
    let (connection, _) = x11rb::connect(None)?;
    connection.map_window(id_of(window)?)?.check()?;
    Ok(())
}

/// The X11 windows by which a window's thread can be reached.
#[derive(Clone, Copy)]
pub struct Address {
    window: u32,
    /// A hidden window on the same connection, which the host cannot destroy.
    mailbox: u32,
}

/// Registers the calling thread as the thread of a window.
pub fn register_thread(
    window: &WindowContext,
    window_thread: &WindowThread,
) -> Result<(), HandlerError> {
    errors::handle_errors(window, window_thread);
    let address = with_connection(window, |connection| {
        let (window, mailbox) = (id_of(window)?, connection.generate_id()?);
        let (root, aux) = (connection.get_geometry(window)?.reply()?.root, CreateWindowAux::new());
        let class = WindowClass::INPUT_ONLY;
        connection.create_window(0, mailbox, root, -1, -1, 1, 1, 0, class, 0, &aux)?.check()?;
        Ok(Address { window, mailbox })
    })?;
    window_thread.register(Some(address));
    Ok(())
}

/// Asks a window to close, as a window manager does, so that its event loop ends.
///
/// The message goes to the mailbox because the host may already have destroyed the window.
pub fn request_close(Address { window, mailbox }: Address) -> Result<(), HandlerError> {
    let (connection, _) = x11rb::connect(None)?;
    let atom =
        |name: &[u8]| Ok::<_, HandlerError>(connection.intern_atom(false, name)?.reply()?.atom);
    let (protocols, delete) = (atom(b"WM_PROTOCOLS")?, atom(b"WM_DELETE_WINDOW")?);
    let event = ClientMessageEvent::new(32, window, protocols, [delete, CURRENT_TIME, 0, 0, 0]);
    connection.send_event(false, mailbox, EventMask::NO_EVENT, event)?.check()?;
    Ok(())
}

/// True if the window no longer exists, for example because the host destroyed its parent.
pub fn is_destroyed(window: &WindowContext) -> bool {
    let ask = |connection: &XCBConnection| Ok(connection.get_geometry(id_of(window)?)?.reply()?);
    with_connection(window, ask).is_err()
}

/// Draws images on a window without a graphics context.
pub struct Canvas {
    connection: RustConnection,
    window: u32,
}

impl Canvas {
    /// Creates a canvas for a window.
    pub fn new(window: &WindowContext) -> Result<Self, HandlerError> {
        let (connection, _) = x11rb::connect(None)?;
        Ok(Self { connection, window: id_of(window)? })
    }

    /// Draws an image at the upper left corner.
    pub fn put(&self, image: &egui::ColorImage) -> Result<(), HandlerError> {
        let Self { connection, window } = self;
        let depth = connection.get_geometry(*window)?.reply()?.depth;
        let context = connection.generate_id()?;
        connection.create_gc(context, *window, &CreateGCAux::new())?;
        let [width, height] = image.size;
        let rows = (MAX_BYTES / (4 * width.max(1))).max(1);
        for (index, strip) in image.pixels.chunks(rows * width.max(1)).enumerate() {
            let bytes: Vec<u8> =
                strip.iter().flat_map(|pixel| [pixel.b(), pixel.g(), pixel.r(), 255]).collect();
            let top = index * rows;
            let height = rows.min(height - top);
            let (format, width) = (ImageFormat::Z_PIXMAP, width as u16);
            connection.put_image(
                format,
                *window,
                context,
                width,
                height as u16,
                0,
                top as i16,
                0,
                depth,
                &bytes,
            )?;
        }
        connection.free_gc(context)?.check()?;
        Ok(())
    }
}
