//! The keyboard of a display.

use std::ffi::{c_int, c_void};
use std::ptr::null_mut;

use crate::{library, xkb_context, xkb_keymap, xkb_keymap_compile_flags, xkb_state};

/// A connection to a display, of libxcb.
pub type xcb_connection_t = c_void;

/// The functions of libxkbcommon-x11. Each takes a connection that is open, or none (null), and
/// otherwise what the functions of [`XkbCommon`](crate::XkbCommon) take.
pub struct XkbCommonX11 {
    /// The number of the display's keyboard; never less than zero.
    pub xkb_x11_get_core_keyboard_device_id: unsafe fn(*mut xcb_connection_t) -> i32,
    /// Asks for what its keys write. Where the display does not tell, it is what keys usually write
    /// on this machine.
    pub xkb_x11_keymap_new_from_device: unsafe fn(
        *mut xkb_context,
        *mut xcb_connection_t,
        i32,
        xkb_keymap_compile_flags,
    ) -> *mut xkb_keymap,
    /// Makes the state of the keyboard. The map is the state's from then on, and not the caller's
    /// any more.
    pub xkb_x11_state_new_from_device:
        unsafe fn(*mut xkb_keymap, *mut xcb_connection_t, i32) -> *mut xkb_state,
}

/// The functions, if the library is on this machine.
pub fn xkbcommon_x11_option() -> Option<&'static XkbCommonX11> {
    static TABLE: XkbCommonX11 = XkbCommonX11 {
        xkb_x11_get_core_keyboard_device_id: keyboard,
        xkb_x11_keymap_new_from_device: keymap,
        xkb_x11_state_new_from_device: state,
    };
    library::x11().map(|_| &TABLE)
}

// SAFETY, for all of them: who calls them hands over what they were told, see `XkbCommonX11`; that
// it is there is seen to here.

unsafe fn keyboard(connection: *mut xcb_connection_t) -> i32 {
    let x11 = library::x11().filter(|_| !connection.is_null());
    // The framework ends the thread of a window whose keyboard has no number; with a wrong one
    // there is no map, which is seen to below.
    x11.map_or(0, |x11| unsafe { (x11.get_core_keyboard_device_id)(connection) }).max(0)
}

unsafe fn keymap(
    context: *mut xkb_context,
    connection: *mut xcb_connection_t,
    keyboard: i32,
    flags: xkb_keymap_compile_flags,
) -> *mut xkb_keymap {
    let Some(common) = library::common().filter(|_| !context.is_null()) else { return null_mut() };
    let x11 = library::x11().filter(|_| !connection.is_null());
    let flags = flags as c_int;
    let map = x11.map_or(null_mut(), |x11| unsafe {
        (x11.keymap_new_from_device)(context, connection, keyboard, flags) //
    });
    if map.is_null() {
        unsafe { (common.keymap_new_from_names)(context, std::ptr::null(), flags) }
    } else {
        map
    }
}

unsafe fn state(
    map: *mut xkb_keymap,
    connection: *mut xcb_connection_t,
    keyboard: i32,
) -> *mut xkb_state {
    let Some(common) = library::common().filter(|_| !map.is_null()) else { return null_mut() };
    let x11 = library::x11().filter(|_| !connection.is_null());
    let mut state = x11.map_or(null_mut(), |x11| unsafe {
        (x11.state_new_from_device)(map, connection, keyboard)
    });
    if state.is_null() {
        state = unsafe { (common.state_new)(map) };
    }
    // The state holds the map for itself. The framework would never give back its own hold.
    unsafe { (common.keymap_unref)(map) };
    state
}
