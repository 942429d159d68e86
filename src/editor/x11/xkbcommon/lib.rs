//! What the editor's window needs of libxkbcommon (which letter a key writes on the user's
//! keyboard), under the name by which its framework asks for it.
//!
//! The framework (baseview 0.4.2, `src/wrappers/xkbcommon.rs`) asks for the keyboard's map, makes
//! the keyboard's state from it, and forgets to give the map back: 72.5 kB remained of every window
//! that was ever opened. Nothing of that can be reached from outside, but the framework calls
//! everything through the table below. So this table is another one than that of the public crate:
//!
//! - A map belongs to the state that is made from it, and goes with it.
//! - Where the display tells no map, the usual one of the machine is taken (otherwise the framework
//!   ends the window's thread, or calls libxkbcommon with nothing in its hands); where there is
//!   none either, keys write nothing.
//!
//! Only what that file uses is here. This crate and its line in the workspace's `Cargo.toml` can go
//! as soon as the framework gives the map back itself; the test of a hundred openings tells whether
//! it does.

#![allow(non_camel_case_types)] // The names of libxkbcommon.

mod library;
pub mod x11;

#[cfg(test)]
mod tests;

use std::ffi::{c_char, c_int};

/// Everything that maps have in common; never looked into.
#[repr(C)]
pub struct xkb_context([u8; 0]);

/// What each key writes; never looked into.
#[repr(C)]
pub struct xkb_keymap([u8; 0]);

/// Which keys are down; never looked into.
#[repr(C)]
pub struct xkb_state([u8; 0]);

/// The number of a key.
pub type xkb_keycode_t = u32;

/// How a context is made.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub enum xkb_context_flags {
    /// As usual.
    XKB_CONTEXT_NO_FLAGS = 0,
}

/// How a map is made.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub enum xkb_keymap_compile_flags {
    /// As usual.
    XKB_KEYMAP_COMPILE_NO_FLAGS = 0,
}

/// What happens to a key.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub enum xkb_key_direction {
    /// It is let go.
    XKB_KEY_UP,
    /// It is pressed.
    XKB_KEY_DOWN,
}

/// The functions of libxkbcommon. Each takes what another of them has made and nobody has given
/// back since, or nothing (null).
pub struct XkbCommon {
    /// Makes a context.
    pub xkb_context_new: unsafe fn(xkb_context_flags) -> *mut xkb_context,
    /// Gives a context back; maps that were made in it keep it for themselves.
    pub xkb_context_unref: unsafe fn(*mut xkb_context),
    /// Writes what a key writes, with a zero after it, into so many bytes, and says how many there
    /// would be; less than zero if there is no answer.
    pub xkb_state_key_get_utf8:
        unsafe fn(*mut xkb_state, xkb_keycode_t, *mut c_char, usize) -> c_int,
    /// Presses a key or lets go of it, and says which parts of the state that has changed.
    pub xkb_state_update_key: unsafe fn(*mut xkb_state, xkb_keycode_t, xkb_key_direction) -> c_int,
    /// Gives a state back, and its map with it.
    pub xkb_state_unref: unsafe fn(*mut xkb_state),
}

/// The functions, if the library is on this machine.
pub fn xkbcommon_option() -> Option<&'static XkbCommon> {
    static TABLE: XkbCommon = XkbCommon {
        xkb_context_new: context_new,
        xkb_context_unref: context_unref,
        xkb_state_key_get_utf8: state_key_get_utf8,
        xkb_state_update_key: state_update_key,
        xkb_state_unref: state_unref,
    };
    library::common().map(|_| &TABLE)
}

// SAFETY, for all of them: who calls them hands over what they were told, see `XkbCommon`; that it
// is there is seen to here.

unsafe fn context_new(flags: xkb_context_flags) -> *mut xkb_context {
    library::common()
        .map_or(std::ptr::null_mut(), |common| unsafe { (common.context_new)(flags as c_int) })
}

unsafe fn context_unref(context: *mut xkb_context) {
    if let Some(common) = library::common().filter(|_| !context.is_null()) {
        unsafe { (common.context_unref)(context) }
    }
}

unsafe fn state_key_get_utf8(
    state: *mut xkb_state,
    key: xkb_keycode_t,
    letters: *mut c_char,
    bytes: usize,
) -> c_int {
    let common = library::common().filter(|_| !state.is_null());
    common.map_or(-1, |common| unsafe { (common.state_key_get_utf8)(state, key, letters, bytes) })
}

unsafe fn state_update_key(
    state: *mut xkb_state,
    key: xkb_keycode_t,
    direction: xkb_key_direction,
) -> c_int {
    let common = library::common().filter(|_| !state.is_null());
    common.map_or(0, |common| unsafe { (common.state_update_key)(state, key, direction as c_int) })
}

unsafe fn state_unref(state: *mut xkb_state) {
    if let Some(common) = library::common().filter(|_| !state.is_null()) {
        unsafe { (common.state_unref)(state) }
    }
}
