//! The small CLAP extensions: latency, parameters, plain values and port layouts.
//!
//! Most of them forward to the framework after a check.

use std::ffi::{CStr, c_char};
use std::sync::atomic::Ordering;

use clap_sys::events::{clap_input_events, clap_output_events};
use clap_sys::ext::audio_ports_config::{
    CLAP_EXT_AUDIO_PORTS_CONFIG, clap_audio_ports_config, clap_plugin_audio_ports_config,
};
use clap_sys::ext::latency::{CLAP_EXT_LATENCY, clap_host_latency, clap_plugin_latency};
use clap_sys::ext::params::{CLAP_EXT_PARAMS, clap_param_info, clap_plugin_params};
use clap_sys::id::clap_id;
use clap_sys::plugin::clap_plugin;
use nice_plug::params::internals::ParamPtr;

use super::edits::extension;
use super::instance::Instance;
use crate::shared_state::catch_panic;

/// The latency. The host is notified when it changes.
pub static LATENCY: clap_plugin_latency = clap_plugin_latency { get: Some(latency) };

unsafe extern "C" fn latency(plugin: *const clap_plugin) -> u32 {
    // SAFETY: the host passes an instance of ours.
    unsafe { Instance::of(plugin) }.map_or(0, |instance| instance.parts.latency.samples())
}

impl Instance {
    /// Notifies the host if the latency has changed since the last activation.
    ///
    /// # Safety
    /// Called on the host's main thread, while it activates the instance.
    pub unsafe fn report_latency(&self) {
        let samples = self.parts.latency.samples();
        let before = self.last_latency.swap(i64::from(samples), Ordering::AcqRel);
        if before >= 0 && before != i64::from(samples) {
            // SAFETY: the host outlives its instances; this name denotes this type.
            let host = unsafe { extension::<clap_host_latency>(self.host, CLAP_EXT_LATENCY) };
            if let Some(changed) = host.and_then(|host| host.changed) {
                // SAFETY: guaranteed by the caller.
                unsafe { changed(self.host) };
            }
        }
    }

    /// Requests the main thread if the latency has changed. Audio thread, after a block.
    pub fn follow_latency(&self) {
        if self.parts.latency.take_callback() {
            // SAFETY: the host outlives its instances, and CLAP allows this on any thread.
            unsafe {
                if let Some(request) = (*self.host).request_callback {
                    request(self.host);
                }
            }
        }
    }

    /// Requests a restart if the latency has changed. Main thread.
    pub fn restart_for_latency(&self) {
        if self.parts.latency.take_restart() {
            // SAFETY: as above.
            unsafe {
                if let Some(request) = (*self.host).request_restart {
                    request(self.host);
                }
            }
        }
    }
}

/// The framework's parameters, with a checked index and a flush that cannot overlap a block.
pub static PARAMS: clap_plugin_params = clap_plugin_params {
    count: Some(count),
    get_info: Some(get_info),
    get_value: Some(get_value),
    value_to_text: Some(value_to_text),
    text_to_value: Some(text_to_value),
    flush: Some(flush),
};

/// The framework's extension.
///
/// # Safety
/// The pointer is null or a live instance.
unsafe fn framework_params<'a>(plugin: *const clap_plugin) -> Option<&'a clap_plugin_params> {
    // SAFETY: guaranteed by the caller; this name denotes this type.
    unsafe { Instance::of(plugin)?.framework_extension(CLAP_EXT_PARAMS) }
}

unsafe extern "C" fn count(plugin: *const clap_plugin) -> u32 {
    // SAFETY: the host passes an instance of ours.
    unsafe {
        framework_params(plugin)
            .and_then(|framework_params| framework_params.count)
            .map_or(0, |count| count(plugin))
    }
}

unsafe extern "C" fn get_info(
    plugin: *const clap_plugin,
    index: u32,
    info: *mut clap_param_info,
) -> bool {
    // SAFETY: as above. The framework panics at an index out of range.
    unsafe {
        index < count(plugin)
            && framework_params(plugin)
                .and_then(|framework_params| framework_params.get_info)
                .is_some_and(|get| get(plugin, index, info))
    }
}

unsafe extern "C" fn get_value(plugin: *const clap_plugin, id: clap_id, value: *mut f64) -> bool {
    // SAFETY: as above.
    unsafe {
        framework_params(plugin)
            .and_then(|framework_params| framework_params.get_value)
            .is_some_and(|get| get(plugin, id, value))
    }
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
            && framework_params(plugin)
                .and_then(|framework_params| framework_params.value_to_text)
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
        framework_params(plugin)
            .and_then(|framework_params| framework_params.text_to_value)
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

/// The name of an extension of our own: the value of a parameter in the unit that users read.
///
/// The framework's CLAP only knows positions 0…1 and step numbers. VST3 hosts such as Ardour draw
/// and save automation in plain values, and projects of version 0.1 contain them.
pub const PLAIN_VALUES_ID: &CStr = c"audio.ictus.plain-values/1";

/// Conversions between a position 0…1 and a plain value.
#[repr(C)]
pub struct PlainValues {
    pub to_plain: unsafe extern "C" fn(*const clap_plugin, clap_id, f64) -> f64,
    pub to_normalized: unsafe extern "C" fn(*const clap_plugin, clap_id, f64) -> f64,
}

/// Converts by the framework's own ranges.
pub static PLAIN_VALUES: PlainValues = PlainValues { to_plain, to_normalized };

/// Converts with the range of a parameter. Returns the value of an unknown parameter unchanged.
unsafe fn convert_value(
    plugin: *const clap_plugin,
    id: clap_id,
    value: f64,
    convert: impl FnOnce(ParamPtr) -> f32,
) -> f64 {
    // SAFETY: guaranteed by the caller.
    let param = unsafe { Instance::of(plugin) }.and_then(|instance| instance.edits.param(id));
    catch_panic(value, || param.map_or(value, |param| f64::from(convert(param))))
}

unsafe extern "C" fn to_plain(plugin: *const clap_plugin, id: clap_id, normalized: f64) -> f64 {
    // SAFETY: the host passes an instance of ours, whose parameters live as long as it does.
    unsafe { convert_value(plugin, id, normalized, |param| param.preview_plain(normalized as f32)) }
}

unsafe extern "C" fn to_normalized(plugin: *const clap_plugin, id: clap_id, plain: f64) -> f64 {
    // SAFETY: as above.
    unsafe { convert_value(plugin, id, plain, |param| param.preview_normalized(plain as f32)) }
}

/// The framework's port layouts, with a check before they change.
pub static AUDIO_PORTS_CONFIG: clap_plugin_audio_ports_config = clap_plugin_audio_ports_config {
    count: Some(layout_count),
    get: Some(layout_get),
    select: Some(layout_select),
};

/// The framework's extension.
fn layouts(instance: &Instance) -> Option<&clap_plugin_audio_ports_config> {
    // SAFETY: this name denotes this type.
    unsafe { instance.framework_extension(CLAP_EXT_AUDIO_PORTS_CONFIG) }
}

unsafe extern "C" fn layout_count(plugin: *const clap_plugin) -> u32 {
    // SAFETY: the host passes an instance of ours.
    let instance = unsafe { Instance::of(plugin) };
    let count = instance.and_then(|instance| layouts(instance)?.count);
    // SAFETY: called as the host would have called it.
    count.map_or(0, |count| unsafe { count(plugin) })
}

unsafe extern "C" fn layout_get(
    plugin: *const clap_plugin,
    index: u32,
    config: *mut clap_audio_ports_config,
) -> bool {
    // SAFETY: as above.
    let instance = unsafe { Instance::of(plugin) };
    let get = instance.and_then(|instance| layouts(instance)?.get);
    // SAFETY: called as the host would have called it.
    get.is_some_and(|get| unsafe { get(plugin, index, config) })
}

/// Refused while the instance is active: `activate` allocates the buffers for one layout.
unsafe extern "C" fn layout_select(plugin: *const clap_plugin, id: clap_id) -> bool {
    // SAFETY: as above.
    let Some(instance) = (unsafe { Instance::of(plugin) }) else { return false };
    let select = layouts(instance).and_then(|layouts| layouts.select);
    // SAFETY: called as the host would have called it.
    !instance.is_active() && select.is_some_and(|select| unsafe { select(plugin, id) })
}
