//! An extension of our own: the value of a parameter in the unit that users read.
//!
//! The framework's CLAP knows positions 0…1 and numbers of steps only. VST3 hosts such as Ardour
//! draw and save automation in plain values, and projects of version 0.1 hold them.

use std::ffi::CStr;

use clap_sys::id::clap_id;
use clap_sys::plugin::clap_plugin;
use nice_plug::params::internals::ParamPtr;

use super::instance::Instance;
use crate::plugin::catch_panic::catch_panic;

/// The name of the extension.
pub const ID: &CStr = c"audio.ictus.plain-values/1";

/// Conversions between a position 0…1 and the plain value.
#[repr(C)]
pub struct PlainValues {
    pub to_plain: unsafe extern "C" fn(*const clap_plugin, clap_id, f64) -> f64,
    pub to_normalized: unsafe extern "C" fn(*const clap_plugin, clap_id, f64) -> f64,
}

/// What hosts ask an instance for.
pub static EXTENSION: PlainValues = PlainValues { to_plain, to_normalized };

/// Converts with a parameter; unknown ones leave the value as it is.
unsafe fn with(
    plugin: *const clap_plugin,
    id: clap_id,
    value: f64,
    convert: impl FnOnce(ParamPtr) -> f32,
) -> f64 {
    // SAFETY: promised by the caller.
    let param = unsafe { Instance::of(plugin) }.and_then(|instance| instance.edits.param(id));
    catch_panic(value, || param.map_or(value, |param| f64::from(convert(param))))
}

unsafe extern "C" fn to_plain(plugin: *const clap_plugin, id: clap_id, normalized: f64) -> f64 {
    // SAFETY: a host passes an instance of its own, whose parameters live as long as it does.
    unsafe { with(plugin, id, normalized, |param| param.preview_plain(normalized as f32)) }
}

unsafe extern "C" fn to_normalized(plugin: *const clap_plugin, id: clap_id, plain: f64) -> f64 {
    // SAFETY: as above.
    unsafe { with(plugin, id, plain, |param| param.preview_normalized(plain as f32)) }
}
