//! The libraries themselves, loaded when they are first asked for and kept: the public interface of
//! libxkbcommon 0.4 and later, in C.

use std::ffi::{c_char, c_int, c_void};
use std::sync::LazyLock;

use libloading::{Error, Library};

use crate::{xkb_context, xkb_keycode_t, xkb_keymap, xkb_state};

/// From `xkbcommon/xkbcommon.h`. Its enumerations are whole numbers there.
pub struct Common {
    pub context_new: unsafe extern "C" fn(c_int) -> *mut xkb_context,
    pub context_unref: unsafe extern "C" fn(*mut xkb_context),
    /// The names are those of rules, model, layout and so on; null for the usual ones.
    pub keymap_new_from_names:
        unsafe extern "C" fn(*mut xkb_context, *const c_void, c_int) -> *mut xkb_keymap,
    pub keymap_unref: unsafe extern "C" fn(*mut xkb_keymap),
    pub state_new: unsafe extern "C" fn(*mut xkb_keymap) -> *mut xkb_state,
    pub state_unref: unsafe extern "C" fn(*mut xkb_state),
    pub state_update_key: unsafe extern "C" fn(*mut xkb_state, xkb_keycode_t, c_int) -> c_int,
    pub state_key_get_utf8:
        unsafe extern "C" fn(*mut xkb_state, xkb_keycode_t, *mut c_char, usize) -> c_int,
}

/// From `xkbcommon/xkbcommon-x11.h`; the connection is one of libxcb.
pub struct X11 {
    pub get_core_keyboard_device_id: unsafe extern "C" fn(*mut c_void) -> i32,
    pub keymap_new_from_device:
        unsafe extern "C" fn(*mut xkb_context, *mut c_void, i32, c_int) -> *mut xkb_keymap,
    pub state_new_from_device:
        unsafe extern "C" fn(*mut xkb_keymap, *mut c_void, i32) -> *mut xkb_state,
}

/// If it is on this machine.
pub fn common() -> Option<&'static Common> {
    static LOADED: LazyLock<Option<Common>> = LazyLock::new(|| load_common().ok());
    LOADED.as_ref()
}

/// If it is on this machine.
pub fn x11() -> Option<&'static X11> {
    static LOADED: LazyLock<Option<X11>> = LazyLock::new(|| load_x11().ok());
    LOADED.as_ref()
}

/// Load a library for good.
fn keep(name: &str) -> Result<&'static Library, Error> {
    // SAFETY: a library of the system, which does nothing when it is loaded.
    let library = unsafe { Library::new(name)? };
    Ok(Box::leak(Box::new(library)))
}

fn load_common() -> Result<Common, Error> {
    let library = keep("libxkbcommon.so.0")?;
    // SAFETY: the functions have these arguments and results in every version by this name.
    unsafe {
        Ok(Common {
            context_new: *library.get(b"xkb_context_new\0")?,
            context_unref: *library.get(b"xkb_context_unref\0")?,
            keymap_new_from_names: *library.get(b"xkb_keymap_new_from_names\0")?,
            keymap_unref: *library.get(b"xkb_keymap_unref\0")?,
            state_new: *library.get(b"xkb_state_new\0")?,
            state_unref: *library.get(b"xkb_state_unref\0")?,
            state_update_key: *library.get(b"xkb_state_update_key\0")?,
            state_key_get_utf8: *library.get(b"xkb_state_key_get_utf8\0")?,
        })
    }
}

fn load_x11() -> Result<X11, Error> {
    let library = keep("libxkbcommon-x11.so.0")?;
    // SAFETY: as above.
    unsafe {
        Ok(X11 {
            get_core_keyboard_device_id: *library.get(b"xkb_x11_get_core_keyboard_device_id\0")?,
            keymap_new_from_device: *library.get(b"xkb_x11_keymap_new_from_device\0")?,
            state_new_from_device: *library.get(b"xkb_x11_state_new_from_device\0")?,
        })
    }
}
