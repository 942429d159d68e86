//! The framework's parameters, with an index that is checked and a flush that cannot collide.

use std::ffi::c_char;

use clap_sys::events::{clap_input_events, clap_output_events};
use clap_sys::ext::params::{CLAP_EXT_PARAMS, clap_param_info, clap_plugin_params};
use clap_sys::id::clap_id;
use clap_sys::plugin::clap_plugin;

use super::instance::Instance;
use crate::plugin::catch_panic::catch_panic;

/// What hosts ask an instance for.
pub static EXTENSION: clap_plugin_params = clap_plugin_params {
    count: Some(count),
    get_info: Some(get_info),
    get_value: Some(get_value),
    value_to_text: Some(value_to_text),
    text_to_value: Some(text_to_value),
    flush: Some(flush),
};

/// The framework's own, of an instance.
///
/// # Safety
/// The pointer is null or an instance that lives.
unsafe fn own<'a>(plugin: *const clap_plugin) -> Option<&'a clap_plugin_params> {
    // SAFETY: promised by the caller; this name stands for this type.
    unsafe { Instance::of(plugin)?.framework_extension(CLAP_EXT_PARAMS) }
}

unsafe extern "C" fn count(plugin: *const clap_plugin) -> u32 {
    // SAFETY: a host passes an instance of its own.
    unsafe { own(plugin).and_then(|own| own.count).map_or(0, |count| count(plugin)) }
}

unsafe extern "C" fn get_info(
    plugin: *const clap_plugin,
    index: u32,
    info: *mut clap_param_info,
) -> bool {
    // SAFETY: as above. The framework panics at the first index beyond the last.
    unsafe {
        index < count(plugin)
            && own(plugin).and_then(|own| own.get_info).is_some_and(|get| get(plugin, index, info))
    }
}

unsafe extern "C" fn get_value(plugin: *const clap_plugin, id: clap_id, value: *mut f64) -> bool {
    // SAFETY: as above.
    unsafe { own(plugin).and_then(|own| own.get_value).is_some_and(|get| get(plugin, id, value)) }
}

unsafe extern "C" fn value_to_text(
    plugin: *const clap_plugin,
    id: clap_id,
    value: f64,
    text: *mut c_char,
    size: u32,
) -> bool {
    // SAFETY: as above.
    unsafe {
        size > 0
            && own(plugin)
                .and_then(|own| own.value_to_text)
                .is_some_and(|write| write(plugin, id, value, text, size))
    }
}

unsafe extern "C" fn text_to_value(
    plugin: *const clap_plugin,
    id: clap_id,
    text: *const c_char,
    value: *mut f64,
) -> bool {
    // SAFETY: as above.
    unsafe {
        own(plugin)
            .and_then(|own| own.text_to_value)
            .is_some_and(|read| read(plugin, id, text, value))
    }
}

unsafe extern "C" fn flush(
    plugin: *const clap_plugin,
    input: *const clap_input_events,
    output: *const clap_output_events,
) {
    // SAFETY: as above.
    let Some(instance) = (unsafe { Instance::of(plugin) }) else { return };
    catch_panic((), || {
        if let Some(mut busy) = instance.wait_busy() {
            busy.ports().flush(instance, input, output);
        }
        instance.parts.repaint.request_repaint();
    });
}
