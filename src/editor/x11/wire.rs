//! The display's own language, as far as keys need it.

use nice_plug_egui::baseview::{HandlerError, PlatformHandle, WindowContext};
use raw_window_handle::{HasDisplayHandle, RawDisplayHandle};
use x11rb::connection::Connection;
use x11rb::protocol::xproto::{
    ConnectionExt, EventMask, KEY_PRESS_EVENT, KEY_RELEASE_EVENT, KeyButMask, KeyPressEvent,
};
use x11rb::xcb_ffi::XCBConnection;
use x11rb::{CURRENT_TIME, NONE};

/// The number of the key that writes something by itself.
pub fn codes(connection: &XCBConnection) -> Result<impl Fn(u32) -> Option<u8>, HandlerError> {
    let (first, last) = (connection.setup().min_keycode, connection.setup().max_keycode);
    let map = connection.get_keyboard_mapping(first, last - first + 1)?.reply()?;
    let each = usize::from(map.keysyms_per_keycode).max(1);
    Ok(move |symbol| {
        let index =
            map.keysyms.chunks(each).position(|symbols| symbols.first() == Some(&symbol))?;
        u8::try_from(usize::from(first) + index).ok()
    })
}

/// Do something by the framework's own connection, which alone can take back what it has asked for.
pub fn with_connection<T>(
    context: &WindowContext,
    act: impl FnOnce(&XCBConnection) -> Result<T, HandlerError>,
) -> Result<T, HandlerError> {
    with_display(&context.platform_handle(), act)
}

/// The same by the handle of a window, which outlives it.
#[allow(unsafe_code)]
pub fn with_display<T>(
    platform: &PlatformHandle,
    act: impl FnOnce(&XCBConnection) -> Result<T, HandlerError>,
) -> Result<T, HandlerError> {
    let handle =
        platform.display_handle().map_err(|error| std::io::Error::other(error.to_string()))?;
    let RawDisplayHandle::Xcb(handle) = handle.as_raw() else {
        return Err(std::io::Error::other("the display is none of X11").into());
    };
    let raw = handle.connection.ok_or_else(|| std::io::Error::other("there is no connection"))?;
    // SAFETY: `platform` keeps the connection for longer than this, and it is not closed here.
    let connection = unsafe { XCBConnection::from_raw_xcb_connection(raw.as_ptr(), false)? };
    act(&connection)
}

/// Send a key to a window, or the next one above it that wants keys.
pub fn send_key(
    connection: &XCBConnection,
    symbol: u32,
    pressed: bool,
    window: u32,
    root: u32,
) -> Result<(), HandlerError> {
    let Some(detail) = codes(connection)?(symbol) else { return Ok(()) };
    let (response_type, mask) = if pressed {
        (KEY_PRESS_EVENT, EventMask::KEY_PRESS)
    } else {
        (KEY_RELEASE_EVENT, EventMask::KEY_RELEASE)
    };
    let event = KeyPressEvent {
        response_type,
        detail,
        sequence: 0,
        time: CURRENT_TIME,
        root,
        event: window,
        child: NONE,
        root_x: 0,
        root_y: 0,
        event_x: 0,
        event_y: 0,
        state: KeyButMask::default(),
        same_screen: true,
    };
    connection.send_event(true, window, mask, event)?.check()?;
    Ok(())
}
