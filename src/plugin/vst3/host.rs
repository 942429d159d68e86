//! The CLAP host of an instance, implemented with VST3.

use std::ffi::{CStr, c_char, c_void};
use std::ptr::null;

use clap_sys::ext::context_menu::{
    CLAP_CONTEXT_MENU_TARGET_KIND_PARAM, CLAP_EXT_CONTEXT_MENU, clap_context_menu_target,
    clap_host_context_menu,
};
use clap_sys::ext::gui::{CLAP_EXT_GUI, clap_host_gui};
use clap_sys::ext::latency::{CLAP_EXT_LATENCY, clap_host_latency};
use clap_sys::ext::params::{
    CLAP_EXT_PARAMS, clap_host_params, clap_param_clear_flags, clap_param_rescan_flags,
};
use clap_sys::ext::preset_load::{
    CLAP_EXT_PRESET_LOAD, CLAP_EXT_PRESET_LOAD_COMPAT, clap_host_preset_load,
};
use clap_sys::factory::preset_discovery::clap_preset_discovery_location_kind;
use clap_sys::host::clap_host;
use clap_sys::id::clap_id;
use clap_sys::version::CLAP_VERSION;
use vst3::ComPtr;
use vst3::Steinberg::Vst::{IComponentHandler3, IComponentHandler3Trait, IContextMenuTrait};

use super::core::{Core, work};
use super::text;
use crate::shared_state::{catch_panic, lock};

/// Creates the host of one instance.
pub fn new(core: *const Core) -> clap_host {
    clap_host {
        clap_version: CLAP_VERSION,
        host_data: core.cast_mut().cast(),
        name: c"VST3 host".as_ptr(),
        vendor: c"".as_ptr(),
        url: c"".as_ptr(),
        version: c"".as_ptr(),
        get_extension: Some(get_extension),
        request_restart: Some(request_restart),
        request_process: Some(request_process),
        request_callback: Some(request_callback),
    }
}

/// The instance of a host.
///
/// # Safety
/// The host came from [`new`], and its core is alive.
unsafe fn core<'a>(host: *const clap_host) -> &'a Core {
    // SAFETY: guaranteed by the caller.
    unsafe { &*(*host).host_data.cast::<Core>() }
}

static PARAMS: clap_host_params = clap_host_params {
    rescan: Some(rescan),
    clear: Some(clear),
    request_flush: Some(request_flush),
};
static LATENCY: clap_host_latency = clap_host_latency { changed: Some(latency_changed) };
static GUI: clap_host_gui = clap_host_gui {
    resize_hints_changed: Some(resize_hints_changed),
    request_resize: Some(request_resize),
    request_show: Some(refuse_floating_window),
    request_hide: Some(refuse_floating_window),
    closed: Some(closed),
};
static MENU: clap_host_context_menu = clap_host_context_menu {
    populate: None,
    perform: None,
    can_popup: Some(can_popup),
    popup: Some(popup),
};
static PRESETS: clap_host_preset_load =
    clap_host_preset_load { on_error: Some(preset_error), loaded: Some(preset_loaded) };

unsafe extern "C" fn get_extension(_host: *const clap_host, id: *const c_char) -> *const c_void {
    if id.is_null() {
        return null();
    }
    // SAFETY: the plug-in passes a NUL-terminated string.
    match unsafe { CStr::from_ptr(id) } {
        id if id == CLAP_EXT_PARAMS => (&raw const PARAMS).cast(),
        id if id == CLAP_EXT_LATENCY => (&raw const LATENCY).cast(),
        id if id == CLAP_EXT_GUI => (&raw const GUI).cast(),
        id if id == CLAP_EXT_CONTEXT_MENU => (&raw const MENU).cast(),
        id if id == CLAP_EXT_PRESET_LOAD || id == CLAP_EXT_PRESET_LOAD_COMPAT => {
            (&raw const PRESETS).cast()
        }
        _ => null(),
    }
}

/// A CLAP plug-in restarts to report a new latency; VST3 hosts query the latency again instead.
unsafe extern "C" fn request_restart(host: *const clap_host) {
    // SAFETY: the host was created by `new`.
    catch_panic((), || unsafe { core(host) }.request_and_drain(work::LATENCY));
}

unsafe extern "C" fn request_process(_host: *const clap_host) {}

/// Only queued, because the audio thread may call this.
unsafe extern "C" fn request_callback(host: *const clap_host) {
    // SAFETY: the host was created by `new`.
    unsafe { core(host) }.request_work(work::CALLBACK);
}

unsafe extern "C" fn rescan(host: *const clap_host, _flags: clap_param_rescan_flags) {
    // SAFETY: the host was created by `new`.
    unsafe { core(host) }.request_work(work::VALUES);
}

unsafe extern "C" fn clear(_host: *const clap_host, _id: clap_id, _flags: clap_param_clear_flags) {}

/// On Linux the editor has a thread of its own, and the run loop reports its edits. On other
/// systems it runs on the main thread, and the host is notified at once.
unsafe extern "C" fn request_flush(host: *const clap_host) {
    // SAFETY: the host was created by `new`.
    let core = unsafe { core(host) };
    core.request_work(work::FLUSH);
    if !cfg!(target_os = "linux") {
        catch_panic((), || core.report_edits());
    }
}

unsafe extern "C" fn latency_changed(host: *const clap_host) {
    // SAFETY: the host was created by `new`.
    unsafe { core(host) }.request_work(work::LATENCY);
}

unsafe extern "C" fn resize_hints_changed(_host: *const clap_host) {}

unsafe extern "C" fn request_resize(host: *const clap_host, width: u32, height: u32) -> bool {
    // SAFETY: the host was created by `new`.
    catch_panic(false, || unsafe { super::view::resize(core(host), width, height) })
}

unsafe extern "C" fn refuse_floating_window(_host: *const clap_host) -> bool {
    false
}

/// The window is closed; the view belongs to the host, which removes it later.
unsafe extern "C" fn closed(_host: *const clap_host, _was_destroyed: bool) {}

/// The component handler's menu interface, if any.
fn menus(core: &Core) -> Option<ComPtr<IComponentHandler3>> {
    core.handler().and_then(|handler| handler.cast())
}

unsafe extern "C" fn can_popup(host: *const clap_host) -> bool {
    // SAFETY: the host was created by `new`.
    catch_panic(false, || menus(unsafe { core(host) }).is_some())
}

unsafe extern "C" fn popup(
    host: *const clap_host,
    target: *const clap_context_menu_target,
    _screen: i32,
    x: i32,
    y: i32,
) -> bool {
    catch_panic(false, || {
        // SAFETY: the host was created by `new`; the plug-in passes a target that is valid during
        // the call.
        unsafe {
            let (core, Some(target)) = (core(host), target.as_ref()) else { return false };
            let view = lock(&core.view).as_ref().map(|view| view.pointer);
            let (Some(menus), Some(view)) = (menus(core), view) else { return false };
            let is_param = target.kind == CLAP_CONTEXT_MENU_TARGET_KIND_PARAM;
            let param = if is_param { &raw const target.id } else { null() };
            let menu = menus.createContextMenu(view, param);
            ComPtr::from_raw(menu).is_some_and(|menu| menu.popup(x, y) == 0)
        }
    })
}

unsafe extern "C" fn preset_error(
    _host: *const clap_host,
    _kind: clap_preset_discovery_location_kind,
    _location: *const c_char,
    _key: *const c_char,
    _os_error: i32,
    _message: *const c_char,
) {
}

/// Sets the program parameter to the preset that the plug-in has loaded.
unsafe extern "C" fn preset_loaded(
    host: *const clap_host,
    _kind: clap_preset_discovery_location_kind,
    location: *const c_char,
    key: *const c_char,
) {
    // SAFETY: the host was created by `new`; the plug-in passes NUL-terminated strings.
    catch_panic((), || unsafe {
        let core = core(host);
        let (location, key) = (text(location), text(key));
        let index = core.programs.iter().position(|program| program.is_at(location, key));
        core.set_program(index.map_or(0, |index| index + 1));
        core.request_work(work::VALUES);
    });
}
