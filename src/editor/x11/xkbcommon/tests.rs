//! What happens where a display tells nothing. Where it does, see the tests of the window.

use std::ffi::c_char;
use std::ptr::null_mut;

use crate::x11::{XkbCommonX11, xkbcommon_x11_option};
use crate::{
    XkbCommon, xkb_context_flags, xkb_key_direction, xkb_keycode_t, xkb_keymap_compile_flags,
    xkb_state, xkbcommon_option,
};

/// Where most keyboards have them.
const S: xkb_keycode_t = 39;
const SHIFT: xkb_keycode_t = 50;
const NO_KEYBOARD: i32 = -1;

/// Nothing is loaded by other systems.
fn tables() -> Option<(&'static XkbCommon, &'static XkbCommonX11)> {
    let tables = xkbcommon_option().zip(xkbcommon_x11_option());
    assert!(
        tables.is_some() || !cfg!(target_os = "linux"),
        "Debian, Ubuntu: apt-get install libxkbcommon-x11-0"
    );
    tables
}

/// What the framework does with a key, and what it would read.
fn written(common: &XkbCommon, state: *mut xkb_state, key: xkb_keycode_t) -> Option<String> {
    let mut letters = [0u8; 32];
    let count = unsafe {
        (common.xkb_state_key_get_utf8)(state, key, letters.as_mut_ptr().cast::<c_char>(), 32)
    };
    usize::try_from(count).ok().map(|count| String::from_utf8_lossy(&letters[..count]).into_owned())
}

#[test]
fn without_a_keyboard_of_the_display_keys_write_as_usual() {
    let Some((common, x11)) = tables() else { return };
    // As the framework does it, and many times over: what is given back twice would not stand that.
    for _ in 0..20 {
        unsafe {
            let context = (common.xkb_context_new)(xkb_context_flags::XKB_CONTEXT_NO_FLAGS);
            assert!((x11.xkb_x11_get_core_keyboard_device_id)(null_mut()) >= 0);
            let flags = xkb_keymap_compile_flags::XKB_KEYMAP_COMPILE_NO_FLAGS;
            let map = (x11.xkb_x11_keymap_new_from_device)(context, null_mut(), NO_KEYBOARD, flags);
            let state = (x11.xkb_x11_state_new_from_device)(map, null_mut(), NO_KEYBOARD);
            (common.xkb_context_unref)(context);
            assert!(!state.is_null(), "Debian, Ubuntu: apt-get install xkb-data");
            assert_eq!(written(common, state, S).as_deref(), Some("s"));
            (common.xkb_state_update_key)(state, SHIFT, xkb_key_direction::XKB_KEY_DOWN);
            assert_eq!(written(common, state, S).as_deref(), Some("S"));
            (common.xkb_state_update_key)(state, SHIFT, xkb_key_direction::XKB_KEY_UP);
            assert_eq!(written(common, state, S).as_deref(), Some("s"));
            (common.xkb_state_unref)(state);
        }
    }
}

#[test]
fn without_any_map_keys_write_nothing_and_nothing_falls() {
    let Some((common, x11)) = tables() else { return };
    unsafe {
        let flags = xkb_keymap_compile_flags::XKB_KEYMAP_COMPILE_NO_FLAGS;
        let map = (x11.xkb_x11_keymap_new_from_device)(null_mut(), null_mut(), NO_KEYBOARD, flags);
        let state = (x11.xkb_x11_state_new_from_device)(map, null_mut(), NO_KEYBOARD);
        assert!(map.is_null() && state.is_null());
        (common.xkb_context_unref)(null_mut());
        assert_eq!((common.xkb_state_update_key)(state, S, xkb_key_direction::XKB_KEY_DOWN), 0);
        assert_eq!(written(common, state, S), None);
        (common.xkb_state_unref)(state);
    }
}
